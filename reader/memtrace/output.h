/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * output.h - writes the output of "warpscope memtrace": a database, a picture, a dump, JSON, and traces
 * in another form.
 */
#ifndef WARPSCOPE_READER_MEMTRACE_OUTPUT_H
#define WARPSCOPE_READER_MEMTRACE_OUTPUT_H

#include <stdio.h>

#include "cli/out.h"
#include "memtrace/tables.h"

/* Reason why this program cannot write databases; NULL if it can. */
extern const char *const ws_memtrace_sqlite_missing;
/* Writes all tables of the results to a database. The file gets the name `path` when
 * ws_outs_publish() is called. Returns false after an error message. */
bool ws_memtrace_sqlite(struct ws_memtrace *m, struct ws_outs *outs, const char *path);
/* Prints a matrix of the bytes sent from kernel to kernel, or from SM to SM if by_sm is true, as text or
 * as a picture. Returns false if out of memory. */
bool ws_memtrace_matrix(struct ws_memtrace *m, bool by_sm, bool is_picture, FILE *out);
/* Writes this picture to a file, which gets the name `path` when ws_outs_publish() is called. Returns
 * false after an error message. */
bool ws_memtrace_svg(struct ws_memtrace *m, struct ws_outs *outs, const char *path, bool by_sm);
/* Writes a page with this matrix and the tables. Needs the depth WS_MEMTRACE_LISTS. The file gets the
 * name `path` when ws_outs_publish() is called. Returns false after an error message. */
bool ws_memtrace_page(struct ws_memtrace *m, struct ws_outs *outs, const char *path,
                      const char *title);

enum ws_memtrace_form { WS_MEMTRACE_TEXT, WS_MEMTRACE_CSV, WS_MEMTRACE_JSON };
/* Prints the selected accesses in n trace files to `out`, file by file, and at most `top` rows.
 * all_polls: false to print loads that a CTA repeats, without another access between, as the first one
 * and the last one, with the number of repetitions.
 * If a file has a fault, prints the accesses before the fault and an error message. Returns false
 * after such a fault, if a trace is incomplete, or if the selection matches nothing. Sets *output_errno to the error number if writing fails, otherwise to 0. */
bool ws_memtrace_dump(char **paths, uint32_t n, const struct ws_memtrace_choice *choice,
                      enum ws_memtrace_form form, bool all_polls, uint64_t top, FILE *out,
                      int *output_errno);

/* ---- JSON: nested objects, whose keys are kernels, supersteps, CTAs or SMs --------------------
 *
 * Each member begins a line, indented by one blank per level. These keys are sorted as text, even if
 * they are numbers. */

/* Parts of the JSON output, to be combined with bitwise OR. The others are the tables: 1 << id. */
enum {
    WS_MEMTRACE_JSON_VOLUMES = 1 << WS_MEMTRACE_TABLES,
    WS_MEMTRACE_JSON_TRANSFER = 2 << WS_MEMTRACE_TABLES,
    /* Key "addrset": the addresses that each actor used. Needs the depth WS_MEMTRACE_LISTS. */
    WS_MEMTRACE_JSON_ADDRSET = 4 << WS_MEMTRACE_TABLES,
    /* Key "addresses": the records of each address. Needs the depth WS_MEMTRACE_LISTS. */
    WS_MEMTRACE_JSON_ADDRESSES = 8 << WS_MEMTRACE_TABLES,
    /* Like WS_MEMTRACE_JSON_ADDRESSES, but with the key "addrset". */
    WS_MEMTRACE_JSON_RECORDS = 16 << WS_MEMTRACE_TABLES
};

/* Writes the given parts of the results to `out`. Returns false if out of memory. */
bool ws_memtrace_json(struct ws_memtrace *m, unsigned parts, FILE *out);

/* Compares the texts of two numbers, decimal if base is 10 and hexadecimal if it is 16. Returns a
 * negative, zero or positive number, as strcmp() does. */
int ws_memtrace_text_order(uint64_t a, uint64_t b, uint64_t base);

/* Runs "warpscope memtrace convert", which writes a trace to another file, in plain or packed form,
 * also the part of a damaged trace that precedes the damage. argv[0] is "convert". Returns the exit
 * status. */
int ws_memtrace_convert(int argc, char **argv);

#endif
