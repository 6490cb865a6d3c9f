/*
 * held_probes.c - undoing records, and the probes that tell of undoing and commits; see held.h.
 *
 * Probes are added when the first event emits and removed when nobody listens and nothing waits.
 * Each call of theirs compares one address: that of the event with that of the event which has the
 * KP's youngest (undo) or oldest (commit) block. Invariants: see held.c.
 */
#include <stdio.h>
#include <stdlib.h>

#include "bus/bus.h"
#include "bus/held.h"
#include "bus/state.h"

static void held_committed(void *ctx, const tw_event *e, const tw_lp *ahead)
{
    (void)ahead;
    held_deliver(ctx, e, e->dest_lp, e->recv_ts);
}

/* ---- Rollback -------------------------------------------------------------------------------- */

/* The listeners, about one record. */
static void tell_undo_listeners(const struct held *held, const struct held_entry *entry,
                                const tw_event *e)
{
    for (unsigned i = 0; i < held->n_undo; i++) {
        if (held->undo[i].stream == entry->stream && entry->size != HELD_BARE) {
            st_record record = {.lp = e->dest_lpid, .ts = e->recv_ts};
            held_entry_read(entry, &record);
            held->undo[i].fn(held->undo[i].ctx, &record);
        }
    }
}

/* Speculative subscribers get one announcement for as many records of a stream as are in a row. */
static void tell_undone(const struct held *held, const struct held_block *block, const tw_event *e)
{
    st_undone undone = {.lp = e->dest_lpid};
    for (const struct held_entry *entry = block->youngest; entry != NULL; entry = entry->before) {
        tell_undo_listeners(held, entry, e);
        undone.first = entry->number;
        undone.n += entry->size == HELD_BARE ? entry->n : 1;
        if (entry->before == NULL || entry->before->stream != entry->stream) {
            bus_dispatch_undone(entry->stream, &undone, e->recv_ts);
            undone.n = 0;
        }
    }
}

/* The numbers of its records are free again. */
static void take_back_numbers(struct held *held, const struct held_block *block, tw_lpid lp)
{
    for (const struct held_entry *entry = block->youngest; entry != NULL; entry = entry->before) {
        held->numbers.of[entry->stream].emitted[lp] = entry->number - 1;
    }
}

static __attribute__((noinline)) void undo_block(struct held *held, struct held_queue *queue,
                                                 const tw_event *e)
{
    const struct held_block *block = queue->youngest;
    if (block->is_told) {
        tell_undone(held, block, e);
    }
    take_back_numbers(held, block, e->dest_lp->id);
    held_queue_cut(queue, &held->pool);
    held_detach_if_idle(held);
}

static void held_undone(void *ctx, const tw_event *e, bool state_restored)
{
    struct held *held = ctx;
    struct held_queue *queue = &held->queues[e->dest_lp->kp->id];
    (void)state_restored;
    if (queue->young_event == e) {
        undo_block(held, queue, e);
    }
}

void held_on_undo(st_stream_id stream, void (*fn)(void *ctx, const st_record *record), void *ctx)
{
    struct held *held = &g_st_held;
    if (held->n_undo == HELD_UNDO_MAX) {
        tw_error(TW_LOC, "more than %d functions want to know which records are undone",
                 HELD_UNDO_MAX);
    }
    held->undo[held->n_undo++] = (struct held_undo_listener){stream, fn, ctx};
    routes_forget(&g_st_bus.routes);
}

/* ---- The run --------------------------------------------------------------------------------- */

void held_attach(struct held *held)
{
    PROBE_ADD(held->table, event_undone, held_undone, held);
    PROBE_ADD(held->table, event_committed, held_committed, held);
    held->is_attached = true;
}

void held_detach_if_idle(struct held *held)
{
    if (held->nobody_listens && held->is_attached && held->pool.blocks == 0) {
        PROBE_REMOVE(held->table, event_undone, held_undone, held);
        PROBE_REMOVE(held->table, event_committed, held_committed, held);
        held->is_attached = false;
    }
}

/* Somebody has begun or ceased to listen. */
static void held_listen(void *ctx, st_stream_id stream)
{
    struct held *held = ctx;
    (void)stream;
    held->nobody_listens = !st_trace_enabled();
    if (held->table != NULL) {
        held_detach_if_idle(held);
    }
}

enum tw_status held_begin(struct held *held, struct probe_table *table, tw_kpid n_kps,
                          tw_lpid n_lps)
{
    held->queues = calloc(n_kps + 1, sizeof(*held->queues));
    held->numbers = (struct record_numbers){.n_lps = n_lps};
    if (held->queues == NULL) {
        held_fini(held);
        return TW_ERR_MEMORY;
    }
    held->table = table;
    routes_forget(&g_st_bus.routes);
    held->n_kps = n_kps;
    bus_on_listen(held_listen, held);
    return TW_OK;
}

void held_finish(const struct held *held)
{
    if (held->lost > 0) {
        run_warning("%llu records did not reach subscribers to committed records for want of memory"
                    " (some of them may have been undone)",
                    (unsigned long long)held->lost);
    }
}

void held_fini(struct held *held)
{
    for (tw_kpid k = 0; held->queues != NULL && k < held->n_kps; k++) {
        held_queue_clear(&held->queues[k], &held->pool);
    }
    held_pool_fini(&held->pool);
    free(held->queues);
    record_numbers_fini(&held->numbers);
    routes_forget(&g_st_bus.routes);
    *held = (struct held){0};
}

uint64_t held_check(const struct held *held)
{
    uint64_t blocks = 0;
    size_t bytes = 0;
    for (tw_kpid k = 0; k < held->n_kps; k++) {
        held_queue_check(&held->queues[k], &blocks, &bytes);
    }
    if (blocks != held->pool.blocks || bytes != held->pool.bytes ||
        (blocks > 0 && !held->is_attached)) {
        fprintf(stderr, "held records: Q5 or H2\n");
        abort();
    }
    return blocks;
}
