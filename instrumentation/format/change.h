/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * change.h - bodies of CHANGE blocks (internal to format/). A body is u64 number, f64 gvt, f64
 * real_time, f64 date, u32 pid, and the strings user, host and text. Readers skip any bytes that
 * follow.
 */
#ifndef WARPSCOPE_FORMAT_CHANGE_H
#define WARPSCOPE_FORMAT_CHANGE_H

#include "format/bytes.h"
#include "format/format.h"

void fmt_change_encode(struct fmt_out *out, const struct fmt_change *change);
/* Decodes a body of size bytes into *change. Returns false if the body is damaged. */
bool fmt_change_decode(struct fmt_change *change, const uint8_t *body, size_t size);

#endif
