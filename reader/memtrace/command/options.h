/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * options.h - reads the command line of "warpscope memtrace".
 */
#ifndef WARPSCOPE_READER_MEMTRACE_COMMAND_OPTIONS_H
#define WARPSCOPE_READER_MEMTRACE_COMMAND_OPTIONS_H

#include "memtrace/output.h"
#include "memtrace/record/record.h"

enum ws_memtrace_what {
    WS_MEMTRACE_INFO,
    WS_MEMTRACE_DUMP,
    WS_MEMTRACE_VOLUMES,
    WS_MEMTRACE_TRANSFERS_OF,
    WS_MEMTRACE_MATRIX,
    WS_MEMTRACE_ADDRESSES_OF, /* this and the next two are not in WS_MEMTRACE_ALL */
    WS_MEMTRACE_ALLOCATIONS_OF,
    WS_MEMTRACE_LINES_OF,
    WS_MEMTRACE_ALL,
    WS_MEMTRACE_PAGE,
    WS_MEMTRACE_RECORD,
    WS_MEMTRACE_WHATS
};

enum ws_memtrace_by { WS_MEMTRACE_BY_KERNEL, WS_MEMTRACE_BY_CTA, WS_MEMTRACE_BY_SM };

struct ws_memtrace_options {
    enum ws_memtrace_what what;
    enum ws_memtrace_form form;
    enum ws_memtrace_by by;
    bool json, csv, by_bytes, force;
    bool original;       /* true for --rule=original */
    bool set_of_records; /* true for --addrset=records: WS_MEMTRACE_JSON_RECORDS is written */
    bool all_polls;      /* true for --polls=all */
    bool top_given;
    uint64_t top;
    char *page;               /* owned; path of the page */
    const char *title;        /* of the page */
    const char *sqlite, *svg; /* paths of the output files; NULL: not requested */
    /* Texts of options; NULL: not given. */
    const char *cta, *address, *superstep, *sm;
    struct ws_memtrace_choice choice;
    char **paths;
    uint32_t n_paths;
    struct ws_record_files files; /* owned; the paths, with those of the traces in directories */
    struct ws_record record;      /* options of the subcommand WS_MEMTRACE_RECORD */
};

/* Reads the command line into *o. Returns false after an error message, or after printing help;
 * *exit_status is then the program's exit status. Call ws_memtrace_options_free() at the end, even
 * if this function has returned false. */
bool ws_memtrace_options_read(struct ws_memtrace_options *o, int argc, char **argv,
                              int *exit_status);
void ws_memtrace_options_free(struct ws_memtrace_options *o);

#endif
