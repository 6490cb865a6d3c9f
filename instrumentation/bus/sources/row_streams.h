/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * row_streams.h - the recorder's rows as records on the streams "warpscope.sample" and
 * "warpscope.trace", while these have subscribers; see st_hook.h.
 */
#ifndef WARPSCOPE_BUS_SOURCES_ROW_STREAMS_H
#define WARPSCOPE_BUS_SOURCES_ROW_STREAMS_H

#include "record/recorder.h"
#include "st_hook.h"

/* State of the two streams on this rank. Zero-initialised, there is no run. */
struct row_streams {
    struct recorder *recorder; /* recorder of this rank; NULL: no run, or nothing is recorded */
    st_stream_id sample;
    st_stream_id trace;
    struct channel_tap sample_tap;
    struct channel_tap trace_tap;
    bool trace_is_committed;
};

/* The state of this rank; defined in st_globals.c. */
extern struct row_streams g_st_row_streams;

/* Opens the streams. Called before bus_load(). */
void row_streams_open(struct row_streams *rows);
/* Begins to deliver rows. recorder: a recorder that has been set up, or NULL. */
void row_streams_begin(struct row_streams *rows, struct recorder *recorder);
/* Sets the taps (functions called for each row) of the channels again, after a change of what is
 * recorded has replaced channels. */
void row_streams_refresh(struct row_streams *rows);
/* Removes the taps from the channels. Called before the recorder ends. */
void row_streams_fini(struct row_streams *rows);

#endif
