/* SPDX-License-Identifier: BSD-3-Clause */
/* change.c - encodes and decodes the bodies of CHANGE blocks, see change.h. */
#include "format/change.h"

void fmt_change_encode(struct fmt_out *out, const struct fmt_change *change)
{
    fmt_out_u64(out, change->number);
    fmt_out_f64(out, change->gvt);
    fmt_out_f64(out, change->real_time);
    fmt_out_f64(out, change->date);
    fmt_out_u32(out, change->pid);
    fmt_out_string(out, change->user);
    fmt_out_string(out, change->host);
    fmt_out_string(out, change->text);
}

/* Reads a string into `to`, which has size bytes. If the string does not fit, the input counts as
 * damaged. */
static void string_read(struct fmt_in *in, char *to, size_t size)
{
    size_t length = fmt_in_u16(in);
    const uint8_t *bytes = fmt_in_bytes(in, length);
    if (bytes == NULL || length >= size || memchr(bytes, 0, length) != NULL) {
        in->bad = true;
        return;
    }
    memcpy(to, bytes, length);
    to[length] = '\0';
}

bool fmt_change_decode(struct fmt_change *change, const uint8_t *body, size_t size)
{
    struct fmt_in in = {.data = body, .size = size};
    *change = (struct fmt_change){.number = fmt_in_u64(&in)};
    change->gvt = fmt_in_f64(&in);
    change->real_time = fmt_in_f64(&in);
    change->date = fmt_in_f64(&in);
    change->pid = fmt_in_u32(&in);
    string_read(&in, change->user, sizeof change->user);
    string_read(&in, change->host, sizeof change->host);
    string_read(&in, change->text, sizeof change->text);
    return !in.bad;
}
