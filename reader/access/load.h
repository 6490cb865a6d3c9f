/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * load.h - chosen records of a block, a few thousand at a time, with fields as arrays of one type.
 */
#ifndef WARPSCOPE_READER_ACCESS_LOAD_H
#define WARPSCOPE_READER_ACCESS_LOAD_H

#include "access/record_scan.h"

#define WS_LOAD_MAX 4096u

/* Some records of one block, with their fields as arrays. */
struct ws_load {
    const struct ws_part *part;
    uint32_t n;                 /* number of records loaded */
    uint32_t rows[WS_LOAD_MAX]; /* numbers of the records in the block, ascending */
};

/* Loads the next chosen records from *row on; *row starts at 0. Returns false if there are none. */
bool ws_load_next(struct ws_load *load, const struct ws_part *part, uint32_t *row);

/* Store the values of field number `field` of the chosen records; zeros if it is -1. ws_load_u64()
 * truncates floating-point values; negative ones, NaN and those of 2^63 or more become 0. */
void ws_load_u64(const struct ws_load *load, int32_t field, uint64_t *to);
void ws_load_f64(const struct ws_load *load, int32_t field, double *to);

#endif
