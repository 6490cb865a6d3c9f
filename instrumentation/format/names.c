/* SPDX-License-Identifier: BSD-3-Clause */
/* names.c - see names.h. */
#include "format/names.h"

#include "text/utf8.h"

const char *fmt_lp_name_fault(const char *name, size_t size)
{
    if (size == 0 || size > FMT_LP_NAME_MAX) {
        return "it must have 1 to 63 bytes";
    }
    size_t numeric = 0;
    for (size_t at = 0, n; at < size; at += n) {
        const unsigned char c = (unsigned char)name[at];
        n = utf8_length(name + at, size - at);
        /* U+0080 to U+009F are control characters, too. */
        bool is_control =
            c < 0x20 || c == 0x7f || (n == 2 && c == 0xc2 && (unsigned char)name[at + 1] < 0xa0);
        if (n == 0 || is_control) {
            return n == 0 ? "it must be UTF-8" : "it must have no control characters";
        }
        numeric += (c >= '0' && c <= '9') || c == '-' || c == ',';
    }
    return numeric < size ? NULL : "it must not look like a number, or like a list of numbers";
}

void fmt_name_encode(struct fmt_out *out, struct fmt_name_before *before, uint64_t lp,
                     const char *name)
{
    const size_t size = strlen(name);
    size_t shared = 0;
    assert(fmt_lp_name_fault(name, size) == NULL);
    while (shared < size && shared < before->size && name[shared] == before->text[shared]) {
        shared++;
    }
    fmt_out_u64(out, lp - before->lp);
    fmt_out_u8(out, (uint8_t)shared);
    fmt_out_u8(out, (uint8_t)(size - shared));
    fmt_out_bytes(out, name + shared, size - shared);
    before->lp = lp;
    before->size = size;
    memcpy(before->text, name, size + 1);
}

bool fmt_name_decode(struct fmt_in *in, struct fmt_name_before *entry)
{
    entry->lp += fmt_in_u64(in);
    const size_t shared = fmt_in_u8(in), rest = fmt_in_u8(in);
    const uint8_t *bytes = fmt_in_bytes(in, rest);
    if (bytes == NULL || shared > entry->size || shared + rest > FMT_LP_NAME_MAX) {
        return false;
    }
    memcpy(entry->text + shared, bytes, rest);
    entry->size = shared + rest;
    entry->text[entry->size] = '\0';
    return fmt_lp_name_fault(entry->text, entry->size) == NULL;
}
