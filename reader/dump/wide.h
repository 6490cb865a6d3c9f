/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wide.h - "dump --layout=wide": prints one line per PE and sampling point, which joins the records
 * of the PE, its KPs and its LPs. wide_private.h describes the columns.
 *
 * The options --kp and --lp select columns; --pe, --from and --to select lines.
 */
#ifndef WARPSCOPE_READER_DUMP_WIDE_H
#define WARPSCOPE_READER_DUMP_WIDE_H

#include "access/record_file.h"
#include "access/select.h"
#include "cli/out.h"

struct ws_wide_options {
    struct ws_out *out;
    bool json;       /* true for JSON; false for CSV, see emit.h */
    int granularity; /* 0 or 1; -1: 1 if the file has records of KPs and LPs, otherwise 0 */
    uint64_t limit;  /* maximum number of lines to print */
};

/*
 * Prints the lines for a readable file of the stream gvt or rt. The selection must have been set to
 * that file, without --type. Returns WS_EXIT_OK if the lines were printed, even if the file has
 * errors. Otherwise prints an error message and returns WS_EXIT_DAMAGED or WS_EXIT_USAGE. Errors of
 * the output are those of `out`. Memory: one block of each kind of record, plus at most 48 MiB.
 */
int ws_wide_dump(const struct ws_wide_options *options, struct ws_file *file,
                 const struct ws_select *select);

#endif
