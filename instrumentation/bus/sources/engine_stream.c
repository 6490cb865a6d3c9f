/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * engine_stream.c - adds functions to those probes that subscriptions and hooks require.
 *
 * A probe has a function in the engine's table only while one of its positions has a subscriber or
 * a hook. The probe functions are in engine_probes.c.
 *
 * Invariants
 *  G1  `attached` has the bit of a probe if and only if a position that the probe serves has a
 *      subscriber or a hook.
 *  G2  `committed` has only positions whose records can be delivered as committed.
 *  G3  If commit_listener is not NULL, it is the only callee in the current list for commits, and
 *      commits have neither hooks nor speculative subscribers. Each change of subscriptions or
 *      hooks sets commit_listener again.
 *  G4  `commits` is not NULL if `committed` has ST_POS_COMMIT.
 */
#include "bus/sources/engine_stream.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>

#include "bus/bus.h"
#include "bus/sources/engine_probes.h"
#include "bus/sources/hooks.h"
#include "bus/state.h"

_Static_assert(ST_POSITIONS <= 32, "sets of positions have 32 bits");

/* ---- Subscriptions and hooks ----------------------------------------------------------------- */

/* List of the probes: X(probe, positions that the probe serves). */
#define PROBES_SERVED(X)                                                                           \
    X(event_starting, ST_AT(ST_POS_BEFORE_EVENT))                                                  \
    X(event_executed, ST_AT(ST_POS_AFTER_EVENT))                                                   \
    X(event_undone, ST_AT(ST_POS_UNDO))                                                            \
    X(event_committed, ST_AT(ST_POS_COMMIT))                                                       \
    X(queue_pushed, ST_AT(ST_POS_QUEUE_PUSH))                                                      \
    X(queue_popped, ST_AT(ST_POS_QUEUE_POP))                                                       \
    X(event_sent, ST_AT(ST_POS_SEND))                                                              \
    X(rollback_begin, ST_AT(ST_POS_STRAGGLER))                                                     \
    X(rollback_end, ST_AT(ST_POS_ROLLBACK_END))                                                    \
    X(message_sent, ST_AT(ST_POS_ANTI_MESSAGE))                                                    \
    X(message_received, ST_AT(ST_POS_RECEIVE) | ST_AT(ST_POS_ANTI_MESSAGE))                        \
    X(gvt_started, ST_AT(ST_POS_GVT_BEGIN))                                                        \
    X(gvt_finished, ST_AT(ST_POS_GVT_END))                                                         \
    X(fossils_collected, ST_AT(ST_POS_FOSSILS))                                                    \
    X(lp_init, ST_AT(ST_POS_LP_INIT))                                                              \
    X(lp_final, ST_AT(ST_POS_LP_FINAL))

static const struct callee *only_commit_listener(const struct engine_stream *engine)
{
    assert(engine->stream != 0 && engine->stream < g_st_bus.streams.n);
    if (((engine->speculative | engine->hooked) & ST_AT(ST_POS_COMMIT)) != 0) {
        return NULL;
    }
    const struct callees *list =
        subscribers_only_list(&g_st_bus.streams.by_id[engine->stream]->subscribers,
                              engine->types[ST_POS_COMMIT], ST_COMMITTED);
    return list != NULL && list->n == 1 ? list->list : NULL;
}

/* Adds and removes probe functions so that the invariants G1 and G3 hold again. */
static void serve(struct engine_stream *engine)
{
    assert(engine->table != NULL);
    engine->commit_listener = only_commit_listener(engine);
    uint32_t wanted = engine->speculative | engine->committed | engine->hooked |
                      (engine->sends_are_wanted ? (uint32_t)ST_AT(ST_POS_SEND) : 0);
    uint32_t changes = 0;
#define X(probe, positions)                                                                        \
    if (((wanted & (positions)) != 0) != ((engine->attached & PROBE_BIT(probe)) != 0)) {           \
        changes |= PROBE_BIT(probe);                                                               \
    }
    PROBES_SERVED(X)
#undef X
    engine->attached ^= changes;
#define X(probe, positions)                                                                        \
    if ((changes & PROBE_BIT(probe)) == 0) {                                                       \
    } else if ((engine->attached & PROBE_BIT(probe)) != 0) {                                       \
        PROBE_ADD(engine->table, probe, engine_on_##probe, engine);                                \
    } else {                                                                                       \
        PROBE_REMOVE(engine->table, probe, engine_on_##probe, engine);                             \
    }
    PROBES_SERVED(X)
#undef X
}

static uint32_t listened(const struct engine_stream *engine, st_class records)
{
    uint32_t set = 0;
    for (unsigned p = 0; p < ST_POSITIONS; p++) {
        set |= bus_listens(engine->stream, engine->types[p], records) ? (uint32_t)ST_AT(p) : 0;
    }
    return set;
}

static void need_commits(struct engine_stream *engine)
{
    if (engine->commits == NULL) {
        engine->commits =
            tw_calloc(TW_LOC, "numbers of commits", sizeof *engine->commits, g_tw_nlp);
    }
}

static void listen_changed(void *ctx, st_stream_id stream)
{
    struct engine_stream *engine = ctx;
    if (engine->table != NULL && (stream == engine->stream || stream == engine->sends)) {
        engine->sends_are_wanted = st_enabled(engine->sends, engine->types[ST_POS_SEND]);
        engine->speculative = listened(engine, ST_SPECULATIVE);
        engine->committed = listened(engine, ST_COMMITTED) & BUS_COMMITTED_FORMS;
        if ((engine->committed & ST_AT(ST_POS_COMMIT)) != 0) {
            need_commits(engine);
        }
        serve(engine);
    }
}

static void hooks_changed(void *ctx)
{
    struct engine_stream *engine = ctx;
    if (engine->table != NULL) {
        engine->hooked = (uint32_t)hooks_positions(&g_st_hooks);
        serve(engine);
    }
}

/* ---- Set-up and end of a run ----------------------------------------------------------------- */

void engine_stream_open(struct engine_stream *engine)
{
    st_stream_open(ST_ENGINE_STREAM, 1, 0, &engine->stream);
    st_stream_open(ST_SEND_STREAM, 1, 0, &engine->sends);
    for (unsigned p = 0; p < ST_POSITIONS; p++) {
        engine->types[p] = st_engine_type((st_position)p);
    }
    engine->commit = (st_record){.stream = engine->stream,
                                 .type = engine->types[ST_POS_COMMIT],
                                 .size = sizeof(st_event_info)};
}

void engine_stream_begin(struct engine_stream *engine, struct probe_table *table)
{
    assert(engine->stream != 0 && engine->sends != 0);
    engine->table = table;
    engine->guard = probe_commit_guard();
    bus_on_listen(listen_changed, engine);
    g_st_hooks.changed = hooks_changed;
    g_st_hooks.ctx = engine;
    listen_changed(engine, engine->stream);
    hooks_changed(engine);
}

/* ---- LPs in checkpoints and moves ------------------------------------------------------------ */

void engine_stream_lps_made(struct engine_stream *engine)
{
    if (engine->commits != NULL) {
        free(engine->commits);
        engine->commits = NULL;
        need_commits(engine);
    }
}

void engine_stream_write(const struct engine_stream *engine, const tw_lp *lp, struct fmt_out *out)
{
    if (engine->commits != NULL && engine->commits[lp->id] > 0) {
        fmt_out_u64(out, engine->commits[lp->id]);
    }
}

bool engine_stream_read(struct engine_stream *engine, const tw_lp *lp, struct fmt_in *in,
                        bool takes_over)
{
    uint64_t commits = in->size > 0 ? fmt_in_u64(in) : 0;
    if (takes_over && commits > 0) {
        need_commits(engine);
        engine->commits[lp->id] = commits;
    }
    return !in->bad;
}

void engine_stream_fini(struct engine_stream *engine)
{
    free(engine->commits);
    *engine = (struct engine_stream){0};
}
