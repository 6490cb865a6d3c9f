/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * engine_stream.h - reports calls of the engine's probes as records on the stream
 * "warpscope.engine" and as calls of hooks, see st_hook.h.
 */
#ifndef WARPSCOPE_BUS_SOURCES_ENGINE_STREAM_H
#define WARPSCOPE_BUS_SOURCES_ENGINE_STREAM_H

#include "engine/probe.h"
#include "format/bytes.h"
#include "st_hook.h"

/* State of the stream on this rank. In a zero-initialised state there is no run. A set of positions
 * is a bitwise OR of ST_AT(position). */
struct engine_stream {
    struct probe_table *table; /* probe table of the engine; NULL: no run */
    st_stream_id stream;
    st_stream_id sends; /* id of the stream "warpscope.send" */
    bool sends_are_wanted;
    st_type types[ST_POSITIONS];
    uint32_t speculative; /* set of the positions to which speculative subscribers listen */
    /* Set of the positions to which committed subscribers listen. */
    uint32_t committed;
    uint32_t hooked; /* set of the positions that have hooks */
    /* Set of the probes to which functions have been added, as bits PROBE_BIT(). */
    uint32_t attached;
    /* The only callee for ST_POS_COMMIT, if it is of class ST_COMMITTED; NULL: none, or several
     * callees. */
    const struct callee *commit_listener;
    struct probe_commit_guard *guard; /* not owned; guard around the calls to commit_listener */
    /* Owned; [i]: number of COMMIT records of local LP i that were delivered to committed
     * subscribers; NULL: no such subscriber so far. */
    uint64_t *commits;
    /* Record that is used again for each commit; members that never change stay set. */
    st_record commit;
};

/* The state of this rank; defined in st_globals.c. */
extern struct engine_stream g_st_engine_stream;

/* Opens the engine's two streams, so that libraries and models can find them. Called before
 * bus_load(). */
void engine_stream_open(struct engine_stream *engine);
/* Adds functions to those probes in table whose positions have subscribers or hooks. Called before
 * LPs are initialised. */
void engine_stream_begin(struct engine_stream *engine, struct probe_table *table);
/* Discards the numbers of commits of the local LPs. Called when LPs have moved between ranks, before
 * the numbers of the new LPs are restored. */
void engine_stream_lps_made(struct engine_stream *engine);
/* Writes the number of commits of an LP that were delivered to `out`; nothing if there are none. */
void engine_stream_write(const struct engine_stream *engine, const tw_lp *lp, struct fmt_out *out);
/* Reads what engine_stream_write() has written, if anything. Changes the number only if takes_over.
 * Returns false if the data are damaged. */
bool engine_stream_read(struct engine_stream *engine, const tw_lp *lp, struct fmt_in *in,
                        bool takes_over);
/* Frees the state of the stream. Called after bus_unload(). */
void engine_stream_fini(struct engine_stream *engine);

#endif
