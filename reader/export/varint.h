/* SPDX-License-Identifier: BSD-3-Clause */
/* varint.h - numbers in groups of seven bits, lowest first, with bit 7 set in all but the last. */
#ifndef WARPSCOPE_READER_EXPORT_VARINT_H
#define WARPSCOPE_READER_EXPORT_VARINT_H

#include <stdint.h>

#define WS_VARINT_MAX 10u

/* Writes a number to `to`, which has WS_VARINT_MAX bytes. Returns its end. */
static inline uint8_t *ws_varint_write(uint8_t *to, uint64_t v)
{
    for (; v >= 0x80; v >>= 7) {
        *to++ = (uint8_t)(v | 0x80);
    }
    *to++ = (uint8_t)v;
    return to;
}

#endif
