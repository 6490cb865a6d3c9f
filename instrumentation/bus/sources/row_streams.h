/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * row_streams.h - delivers the recorder's rows as records on the streams "warpscope.sample" and
 * "warpscope.trace", while these streams have subscribers; see st_hook.h.
 */
#ifndef WARPSCOPE_BUS_SOURCES_ROW_STREAMS_H
#define WARPSCOPE_BUS_SOURCES_ROW_STREAMS_H

#include "record/recorder.h"
#include "st_hook.h"

/* State of the two streams on this rank. In a zero-initialised state there is no run. */
struct row_streams {
    struct recorder *recorder; /* recorder of this rank; NULL: no run, or nothing is recorded */
    st_stream_id sample;
    st_stream_id trace;
    struct channel_tap sample_tap;
    struct channel_tap trace_tap;
    /* True if the event trace has only committed events. */
    bool trace_is_committed;
};

/* The state of this rank; defined in st_globals.c. */
extern struct row_streams g_st_row_streams;

/* Opens the two streams. Called before bus_load(). */
void row_streams_open(struct row_streams *rows);
/* Begins to deliver the rows of `recorder`, which has been set up; NULL: no recorder. */
void row_streams_begin(struct row_streams *rows, struct recorder *recorder);
/* Sets the taps (functions called for each row) of the channels again. Called when channels were
 * replaced because other data are recorded from now on. */
void row_streams_refresh(struct row_streams *rows);
/* Ends the delivery of rows. Called after bus_unload(), which removes the taps from the channels,
 * and before recorder_fini(). */
void row_streams_fini(struct row_streams *rows);

#endif
