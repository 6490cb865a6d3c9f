/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * deferred_probes.c - undoes records, and has the functions for the probes of undo and commit; see
 * deferred.h.
 *
 * The functions are added to the probes when the first event emits a record, and removed when there
 * are neither subscribers nor waiting records. Each call checks, by comparing addresses, if the
 * event is the one to which the KP's youngest block (for undo) or oldest block (for commit)
 * belongs. Invariants: see deferred.c.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "bus/bus.h"
#include "bus/deferred.h"
#include "bus/state.h"

static void deferred_committed(void *ctx, const tw_event *e, const tw_lp *ahead)
{
    (void)ahead;
    deferred_deliver(ctx, e, e->dest_lp, e->recv_ts);
}

/* ---- Rollback -------------------------------------------------------------------------------- */

/* Calls the functions that deferred_on_undo() registered for the stream of an entry's record, and
 * passes them that record. */
static void call_undo_functions(const struct deferred *deferred, const struct deferred_entry *entry,
                                const tw_event *e)
{
    for (unsigned i = 0; i < deferred->n_undo; i++) {
        if (deferred->undo[i].stream == entry->stream && entry->size != DEFERRED_BARE) {
            st_record record = {.lp = e->dest_lpid, .ts = e->recv_ts};
            deferred_entry_read(entry, &record);
            deferred->undo[i].fn(deferred->undo[i].ctx, &record);
        }
    }
}

/* Notifies speculative subscribers that a block was undone: one ST_ROLLBACK record per sequence of
 * consecutive records of a stream. Also calls the functions that deferred_on_undo() registered. */
static void report_undone(const struct deferred *deferred, const struct deferred_block *block,
                          const tw_event *e)
{
    st_undone undone = {.lp = e->dest_lpid};
    for (const struct deferred_entry *entry = block->youngest; entry != NULL;
         entry = entry->before) {
        call_undo_functions(deferred, entry, e);
        undone.first = entry->number;
        undone.n += entry->size == DEFERRED_BARE ? entry->n : 1;
        if (entry->before == NULL || entry->before->stream != entry->stream) {
            bus_dispatch_undone(entry->stream, &undone, e->recv_ts);
            undone.n = 0;
        }
    }
}

/* Restores the counts of local LP lp, so that later records reuse the numbers of the block's
 * records. */
static void take_back_numbers(struct deferred *deferred, const struct deferred_block *block,
                              tw_lpid lp)
{
    for (const struct deferred_entry *entry = block->youngest; entry != NULL;
         entry = entry->before) {
        deferred->numbers.of[entry->stream].emitted[lp] = entry->number - 1;
    }
}

static __attribute__((noinline)) void undo_block(struct deferred *deferred,
                                                 struct deferred_queue *queue, const tw_event *e)
{
    const struct deferred_block *block = queue->youngest;
    assert(block != NULL && block->event == e);
    if (block->reports_undone) {
        report_undone(deferred, block, e);
    }
    take_back_numbers(deferred, block, e->dest_lp->id);
    deferred_queue_cut(queue, &deferred->pool);
    deferred_detach_if_idle(deferred);
}

static void deferred_undone(void *ctx, const tw_event *e, bool state_restored)
{
    struct deferred *deferred = ctx;
    struct deferred_queue *queue = &deferred->queues[e->dest_lp->kp->id];
    (void)state_restored;
    if (queue->young_event == e) {
        undo_block(deferred, queue, e);
    }
}

void deferred_on_undo(st_stream_id stream, void (*fn)(void *ctx, const st_record *record),
                      void *ctx)
{
    struct deferred *deferred = &g_st_deferred;
    if (deferred->n_undo == DEFERRED_UNDO_MAX) {
        tw_error(TW_LOC, "more than %d functions watch for undone records", DEFERRED_UNDO_MAX);
    }
    deferred->undo[deferred->n_undo++] = (struct deferred_undo_listener){stream, fn, ctx};
    routes_forget(&g_st_bus.routes);
}

/* ---- Set-up and end of a run ----------------------------------------------------------------- */

void deferred_attach(struct deferred *deferred)
{
    assert(!deferred->is_attached && deferred->table != NULL);
    PROBE_ADD(deferred->table, event_undone, deferred_undone, deferred);
    PROBE_ADD(deferred->table, event_committed, deferred_committed, deferred);
    deferred->is_attached = true;
}

void deferred_detach_if_idle(struct deferred *deferred)
{
    if (deferred->no_subscribers && deferred->is_attached && deferred->pool.blocks == 0) {
        PROBE_REMOVE(deferred->table, event_undone, deferred_undone, deferred);
        PROBE_REMOVE(deferred->table, event_committed, deferred_committed, deferred);
        deferred->is_attached = false;
    }
}

/* Callback registered with bus_on_listen(); called when the subscriptions to a stream have
 * changed. */
static void deferred_listen(void *ctx, st_stream_id stream)
{
    struct deferred *deferred = ctx;
    (void)stream;
    deferred->no_subscribers = !st_trace_enabled();
    if (deferred->table != NULL) {
        deferred_detach_if_idle(deferred);
    }
}

enum tw_status deferred_begin(struct deferred *deferred, struct probe_table *table, tw_kpid n_kps,
                              tw_lpid n_lps)
{
    assert(deferred->table == NULL && deferred->queues == NULL);
    deferred->queues = calloc(n_kps + 1, sizeof(*deferred->queues));
    deferred->numbers = (struct record_numbers){.n_lps = n_lps};
    if (deferred->queues == NULL) {
        deferred_fini(deferred);
        return TW_ERR_MEMORY;
    }
    deferred->table = table;
    routes_forget(&g_st_bus.routes);
    deferred->n_kps = n_kps;
    bus_on_listen(deferred_listen, deferred);
    return TW_OK;
}

void deferred_lps_made(struct deferred *deferred, tw_lpid n_lps)
{
    assert(!deferred_any(deferred));
    record_numbers_fini(&deferred->numbers);
    deferred->numbers = (struct record_numbers){.n_lps = n_lps};
    routes_forget(&g_st_bus.routes);
}

void deferred_finish(const struct deferred *deferred)
{
    if (deferred->lost > 0) {
        run_warning("%llu records did not reach committed subscribers because memory ran out (some "
                    "of them may have been undone)",
                    (unsigned long long)deferred->lost);
    }
}

void deferred_fini(struct deferred *deferred)
{
    for (tw_kpid k = 0; deferred->queues != NULL && k < deferred->n_kps; k++) {
        deferred_queue_clear(&deferred->queues[k], &deferred->pool);
    }
    deferred_pool_fini(&deferred->pool);
    free(deferred->queues);
    record_numbers_fini(&deferred->numbers);
    routes_forget(&g_st_bus.routes);
    *deferred = (struct deferred){0};
}

uint64_t deferred_check(const struct deferred *deferred)
{
    uint64_t blocks = 0;
    size_t bytes = 0;
    for (tw_kpid k = 0; k < deferred->n_kps; k++) {
        deferred_queue_check(&deferred->queues[k], &blocks, &bytes);
    }
    if (blocks != deferred->pool.blocks || bytes != deferred->pool.bytes ||
        (blocks > 0 && !deferred->is_attached)) {
        fprintf(stderr, "deferred records: Q5 or H2\n");
        abort();
    }
    return blocks;
}
