/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * json.h - the results of an analysis as JSON: nested objects by kernel, superstep, CTA or
 * SM. One member per line, indented by one blank; keys in the order of their characters.
 */
#ifndef WARPSCOPE_READER_MEMTRACE_JSON_H
#define WARPSCOPE_READER_MEMTRACE_JSON_H

#include <stdio.h>

#include "memtrace/analysis.h"

/* Parts of the JSON output, to be combined as bits. */
enum {
    WS_MEMTRACE_JSON_VOLUMES = 1,
    WS_MEMTRACE_JSON_TRANSFER = 2,
    WS_MEMTRACE_JSON_ADDRSET = 4,   /* addresses of each actor; requires lists */
    WS_MEMTRACE_JSON_ADDRESSES = 8, /* records of each address; requires lists */
    WS_MEMTRACE_JSON_RECORDS = 16   /* records of each address under the key addrset */
};

/* Writes the parts. Returns false, after a message, if out of memory. */
bool ws_memtrace_json(struct ws_memtrace *m, unsigned parts, FILE *out);

/* Compares two numbers in the order of their decimal or hexadecimal texts (base 10, 16). */
int ws_memtrace_text_order(uint64_t a, uint64_t b, uint64_t base);

#endif
