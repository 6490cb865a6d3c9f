/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * json.h - writes the results of an analysis as JSON: nested objects, whose keys are kernels,
 * supersteps, CTAs or SMs. Each member begins a line, indented by one blank per level. These keys
 * are sorted as text, even if they are numbers.
 */
#ifndef WARPSCOPE_READER_MEMTRACE_JSON_H
#define WARPSCOPE_READER_MEMTRACE_JSON_H

#include <stdio.h>

#include "memtrace/analysis.h"

/* Parts of the JSON output, to be combined with bitwise OR. */
enum {
    WS_MEMTRACE_JSON_VOLUMES = 1,
    WS_MEMTRACE_JSON_TRANSFER = 2,
    /* Key "addrset": the addresses that each actor used. Needs the depth WS_MEMTRACE_LISTS. */
    WS_MEMTRACE_JSON_ADDRSET = 4,
    /* Key "addresses": the records of each address. Needs the depth WS_MEMTRACE_LISTS. */
    WS_MEMTRACE_JSON_ADDRESSES = 8,
    /* Like WS_MEMTRACE_JSON_ADDRESSES, but with the key "addrset". */
    WS_MEMTRACE_JSON_RECORDS = 16
};

/* Writes the given parts of the results to `out`. Prints an error message and returns false if out
 * of memory. */
bool ws_memtrace_json(struct ws_memtrace *m, unsigned parts, FILE *out);

/* Compares the texts of two numbers, decimal if base is 10 and hexadecimal if it is 16. Returns a
 * negative, zero or positive number, as strcmp() does. */
int ws_memtrace_text_order(uint64_t a, uint64_t b, uint64_t base);

#endif
