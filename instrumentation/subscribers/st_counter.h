/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * st_counter.h - the tables of the library st_counter.so: st_counter.c fills and prints them,
 * st_counter_state.c saves and restores them.
 */
#ifndef WARPSCOPE_SUBSCRIBERS_ST_COUNTER_H
#define WARPSCOPE_SUBSCRIBERS_ST_COUNTER_H

#include "st_bus.h"
#include "store/index.h"

struct row {
    st_stream_id stream;
    st_type type;
    const st_point *point;
    uint64_t emitted, committed, wall_pairs, virtual_pairs;
    int64_t wall_ns;
    double virtual_time;
};

struct start {
    double ts;
    uint64_t instance;
    uint32_t row;
};

/* The begin records without an end record so far, for one stream and type on one LP. */
struct open {
    tw_lpid lp;
    st_stream_id stream;
    st_type type;
    /* True if no end records are expected: begin records are not stored any more. */
    bool has_no_end;
    bool has_ended; /* true once an end record has occurred */
    uint32_t n;
    struct start *starts; /* begin records without an end */
};

struct counter {
    const st_api *api;
    unsigned n_streams;
    struct row *rows;
    size_t n_rows;
    struct open *open; /* index.n entries */
    struct index index;
    bool is_out_of_memory;
};

/* The functions and the object are for this library only. */
#pragma GCC visibility push(hidden)

extern struct counter the_counter;

/* Returns the index, in the_counter.rows, of the row that counts this record; adds the row if there
 * is none. Returns -1 if memory is exhausted. */
int64_t counter_row(const st_record *r);
/* Returns the entry for this LP, stream and type; NULL: there is none. */
struct open *counter_find(tw_lpid lp, st_stream_id stream, st_type type);
/* Returns the entry of begin records without an end that have the same stream, type and LP as r;
 * adds the entry if there is none. Returns NULL if memory is exhausted. */
struct open *counter_open(const st_record *r);
/* Adds the begin record r, counted by a row, to an entry. Returns false if memory is exhausted. */
bool counter_push(struct open *open, uint32_t row, const st_record *r);
/* Frees all rows and entries. */
void counter_forget(void);

#pragma GCC visibility pop

#endif
