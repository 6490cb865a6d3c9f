/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wide.h - "dump --layout=wide": one line per PE and sampling point, joined from the records of the
 * PE, its KPs and its LPs; see wide_columns.h for what is in it.
 *
 * The options --kp and --lp choose columns, --pe, --from and --to lines.
 */
#ifndef WARPSCOPE_READER_DUMP_WIDE_H
#define WARPSCOPE_READER_DUMP_WIDE_H

#include <stdio.h>

#include "access/record_file.h"
#include "access/select.h"

struct ws_wide_options {
    FILE *out;
    bool json;       /* otherwise CSV, as in emit.h */
    int granularity; /* 0 or 1; -1: 1 if the file has such records */
    uint64_t limit;  /* of lines */
};

/*
 * Prints the lines of a readable survey of a stream gvt or rt, with a selection without --type, set
 * to it. WS_EXIT_OK also where faults of the survey came up; WS_EXIT_DAMAGED, WS_EXIT_USAGE or
 * WS_EXIT_OUTPUT after a message. Memory: a block of each kind of record, and 48 MiB at most.
 */
int ws_wide_dump(const struct ws_wide_options *options, struct ws_file *survey,
                 const struct ws_select *select);

#endif
