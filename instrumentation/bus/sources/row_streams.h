/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * row_streams.h - what the recorder records as records on the streams "warpscope.sample" and
 * "warpscope.trace", while somebody listens; see st_hook.h.
 */
#ifndef WARPSCOPE_BUS_SOURCES_ROW_STREAMS_H
#define WARPSCOPE_BUS_SOURCES_ROW_STREAMS_H

#include "record/recorder.h"
#include "st_hook.h"

/* Zero-initialised there is no run. */
struct row_streams {
    struct recorder *recorder; /* NULL: no run, or it records nothing */
    st_stream_id sample;
    st_stream_id trace;
    struct channel_tap sample_tap;
    struct channel_tap trace_tap;
    bool trace_is_committed;
};

/* The ones of this rank; in st_globals.c. */
extern struct row_streams g_st_row_streams;

/* Opens the streams. Before bus_load(). */
void row_streams_open(struct row_streams *rows);
/* From here on rows are repeated. recorder: set up, or NULL. */
void row_streams_begin(struct row_streams *rows, struct recorder *recorder);
/* The recorder is about to go. */
void row_streams_fini(struct row_streams *rows);

#endif
