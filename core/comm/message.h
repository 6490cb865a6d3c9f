/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * message.h - format of a message between ranks, in a ring or an MPI batch: struct message_header,
 * then the payload. Messages are contiguous and 8-aligned, since sizes are multiples of 8.
 */
#ifndef WARPSCOPE_COMM_MESSAGE_H
#define WARPSCOPE_COMM_MESSAGE_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

struct message_header {
    uint32_t size; /* size of the payload in bytes */
    uint32_t colour;
};

_Static_assert(sizeof(struct message_header) == 8, "keeps messages 8-aligned");

/* Returns the size of a message in bytes, including the header. */
static inline size_t message_extent(const struct message_header *m)
{
    assert(m->size % 8 == 0);
    return sizeof *m + m->size;
}

#endif
