/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * engine_stream.h - the engine's probes as records on the stream "warpscope.engine" and as calls of
 * hooks, see st_hook.h.
 */
#ifndef WARPSCOPE_BUS_SOURCES_ENGINE_STREAM_H
#define WARPSCOPE_BUS_SOURCES_ENGINE_STREAM_H

#include "engine/probe.h"
#include "st_hook.h"

/* State of the stream on this rank. Zero-initialised, there is no run. Sets of positions have the
 * bits ST_AT(position). */
struct engine_stream {
    struct probe_table *table; /* probe table of the engine; NULL: no run */
    st_stream_id stream;
    st_stream_id sends; /* id of the stream "warpscope.send" */
    bool sends_are_wanted;
    st_type types[ST_POSITIONS];
    uint32_t speculative; /* positions that speculative subscribers listen to */
    uint32_t committed;
    uint32_t hooked;   /* positions that have hooks */
    uint32_t attached; /* probes that have been added, a set of PROBE_BIT() */
    /* The only callee for ST_POS_COMMIT, if that callee is of class committed; NULL: none, or
     * several. */
    const struct callee *commit_listener;
    struct probe_commit_guard *guard; /* guards the calls of commit_listener */
    /* For each local LP, the number of COMMIT records delivered to class committed; NULL: no
     * subscriber so far. */
    uint64_t *commits;
    st_record commit; /* record that is used for each commit; members that never change stay set */
};

/* The state of this rank; defined in st_globals.c. */
extern struct engine_stream g_st_engine_stream;

/* Opens the stream, so that libraries and models can find it. Called before bus_load(). */
void engine_stream_open(struct engine_stream *engine);
/* Adds functions to those probes whose positions have subscribers or hooks. Called before LPs are
 * initialised. */
void engine_stream_begin(struct engine_stream *engine, struct probe_table *table);
/* Ends the stream and frees its data. */
void engine_stream_fini(struct engine_stream *engine);

#endif
