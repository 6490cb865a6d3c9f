/*
 * load.h - chosen records of a block a few thousand at a time, their fields as arrays of one type.
 */
#ifndef WARPSCOPE_READER_LOAD_H
#define WARPSCOPE_READER_LOAD_H

#include "walk.h"

#define WS_LOAD_MAX 4096u

/* Records of one block. */
struct ws_load {
    const struct ws_part *part;
    uint32_t n;                 /* of rows */
    uint32_t rows[WS_LOAD_MAX]; /* ascending */
};

/* Takes the next chosen records from *row on, which starts at 0. False: there are no more. */
bool ws_load_next(struct ws_load *load, const struct ws_part *part, uint32_t *row);

/* Field number field of the records; 0 for a field of -1. Whole numbers from floating-point ones
 * and negative ones: 0 where they do not fit. */
void ws_load_u64(const struct ws_load *load, int32_t field, uint64_t *to);
void ws_load_f64(const struct ws_load *load, int32_t field, double *to);

#endif
