/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * names.h - bodies of NAMES blocks: the names of single LPs (internal to format/, except
 * fmt_lp_name_fault()).
 *
 * A body is a sequence of entries: u64 number of the LP, less that of the entry before, modulo 2^64
 * (first entry: the number itself); u8 bytes that the name shares with the beginning of the name
 * before (first entry: 0); u8 bytes of the rest; the rest. A name is UTF-8 of 1 to FMT_LP_NAME_MAX
 * bytes without control characters.
 */
#ifndef WARPSCOPE_FORMAT_NAMES_H
#define WARPSCOPE_FORMAT_NAMES_H

#include "format/bytes.h"
#include "format/common.h"

/* Returns NULL if the `size` bytes at name can be the name of an LP; otherwise a text that says why
 * they cannot. */
const char *fmt_lp_name_fault(const char *name, size_t size);

/* The entry before; all members are zero at the start of a body. */
struct fmt_name_before {
    uint64_t lp;
    size_t size; /* bytes of text */
    char text[FMT_LP_NAME_MAX + 1];
};

/* Largest size of an entry in bytes. */
#define FMT_NAME_ENTRY_MAX (10u + FMT_LP_NAME_MAX)

/* Appends an entry, for which there must be FMT_NAME_ENTRY_MAX bytes. The name must have no
 * fault. */
void fmt_name_encode(struct fmt_out *out, struct fmt_name_before *before, uint64_t lp,
                     const char *name);

/* Decodes the next entry into *entry, which has the entry before. Returns false if it is damaged. */
bool fmt_name_decode(struct fmt_in *in, struct fmt_name_before *entry);

#endif
