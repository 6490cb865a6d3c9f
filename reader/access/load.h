/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * load.h - loads the chosen records of a block, a few thousand at a time, and converts fields to
 * arrays of one type.
 */
#ifndef WARPSCOPE_READER_ACCESS_LOAD_H
#define WARPSCOPE_READER_ACCESS_LOAD_H

#include <stddef.h>

#include "access/record_scan.h"
#include "store/id_set.h"

#define WS_LOAD_MAX 4096u

/* The loaded records of one block. */
struct ws_load {
    const struct ws_part *part;
    uint32_t n;                 /* number of records loaded */
    uint32_t rows[WS_LOAD_MAX]; /* indices of the records in the block, ascending */
};

/* Loads the next WS_LOAD_MAX chosen records, or fewer at the end of the block. *row: index of the
 * record to examine first; the caller sets it to 0 for each new block, and the function advances
 * it. Returns false if no chosen record is left. */
bool ws_load_next(struct ws_load *load, const struct ws_part *part, uint32_t *row);

/* Stores the values of field number `field` in the loaded records as integers in to[]; zeros if
 * field is -1. Truncates floating-point values. Negative values, NaN, and floating-point values of
 * 2^63 or more become 0. */
void ws_load_u64(const struct ws_load *load, int32_t field, uint64_t *to);
/* Stores the values of field number `field` in the loaded records as doubles in to[]; zeros if
 * field is -1. */
void ws_load_f64(const struct ws_load *load, int32_t field, double *to);

/* A field that ws_load_all() loads into an array of WS_LOAD_MAX elements. A table of them ends with
 * an element whose name is NULL. */
struct ws_loaded {
    const char *name; /* name of the field */
    size_t array;     /* offset of the array in a struct */
    bool is_real;     /* true for an array of doubles, false for one of uint64_t */
};
/* An element of a table for a member of struct `type`. */
#define WS_LOADED(type, member, name, is_real)                                                     \
    {                                                                                              \
        name, offsetof(struct type, member), is_real                                               \
    }
/* Loads all fields of a table into the arrays of the struct at `arrays`. */
void ws_load_all(const struct ws_load *load, const struct ws_loaded *table, void *arrays);
/* Adds the fields of a table that the schema has to the columns to decode. */
void ws_load_want(const struct ws_loaded *table, const struct fmt_schema *schema,
                  struct fmt_wanted *wanted);

/* Sets *lps to the numbers of the LPs that the records of a file, or of all parts of its stream, name
 * as receiver, sender or sampled LP, with an index. Reads the columns of these numbers once. For
 * recordings for which ws_lps_have_holes() is true: arrays with an element per LP are then indexed by
 * the places of LPs in this set. Numbers above largest_lp are left out. Returns false if out of
 * memory, or if there are more numbers than total_lps. The caller must call id_set_free() in either
 * case. */
bool ws_lps_read(struct id_set *lps, struct ws_file *file);

#endif
