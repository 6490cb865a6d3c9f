/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wide.h - "dump --layout=wide": one line per PE and sampling point, joined from the records of the
 * PE, its KPs and its LPs; see wide_columns.h for the columns.
 *
 * The options --kp and --lp choose columns; --pe, --from and --to choose lines.
 */
#ifndef WARPSCOPE_READER_DUMP_WIDE_H
#define WARPSCOPE_READER_DUMP_WIDE_H

#include <stdio.h>

#include "access/record_file.h"
#include "access/select.h"

struct ws_wide_options {
    FILE *out;
    bool json;       /* true for JSON; false for CSV, see emit.h */
    int granularity; /* 0 or 1; -1: 1 if the file has records of KPs and LPs, otherwise 0 */
    uint64_t limit;  /* most lines to print */
};

/*
 * Prints the lines of a readable file of stream gvt or rt. The selection must be set to that file
 * and have no --type. Returns WS_EXIT_OK, even if the file has errors; or WS_EXIT_DAMAGED,
 * WS_EXIT_USAGE or WS_EXIT_OUTPUT after a message. Memory: a block of each kind of record, and at
 * most 48 MiB.
 */
int ws_wide_dump(const struct ws_wide_options *options, struct ws_file *survey,
                 const struct ws_select *select);

#endif
