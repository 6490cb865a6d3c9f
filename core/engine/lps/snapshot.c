/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * snapshot.c - tw_snapshot() and related functions, which store with each event the change that the
 * event makes to the state of its LP.
 *
 * The exclusive or of the states before and after an event is zero where nothing changed, and LZ4
 * compresses long runs of zeros well. When the reverse handler applies this difference to the state
 * after the event, it restores the state before the event. In runs that never roll back (sequential
 * and conservative) only the order of the calls is checked.
 *
 * A rollback may run between tw_snapshot() and tw_snapshot_delta(), if the handler sends an event
 * into another KP's past. The copy of the state therefore has its own buffer, which reverse
 * handlers do not use.
 */
#include <assert.h>
#include <lz4.h>

#include "engine/lps/lps.h"
#include "engine/process/observers.h"
#include "engine/process/run.h"

/* Content of a note of kind NOTE_DELTA: a difference between two states. */
struct delta {
    uint32_t state_bytes;
    /* number of bytes in bytes[]; 0: no change; equal to state_bytes: not compressed */
    uint32_t kept_bytes;
    bool applied;
    unsigned char bytes[];
};

static bool may_be_undone(const struct pe *pe)
{
    return pe->synch != SEQUENTIAL && pe->synch != CONSERVATIVE;
}

static unsigned char *room_for(struct snapshot_room *room, size_t bytes)
{
    if (bytes > room->size) {
        free(room->bytes);
        room->bytes = tw_calloc(TW_LOC, "a snapshot", 1, bytes);
        room->size = bytes;
    }
    return room->bytes;
}

/* Ends the run unless the LP's own forward handler is running and state_sz is valid for its
 * state. */
static void check_call(const struct pe *pe, const tw_lp *lp, size_t state_sz, const char *caller)
{
    const tw_event *event = pe->head.cur_event;
    engine_refuse_observer(pe, "takes a snapshot");
    if (event == NULL || event->state.owner != EVENT_PROCESSING || event->dest_lp != lp) {
        tw_error(TW_LOC, "%s of LP %" PRIu64 " outside of its forward handler", caller, lp->gid);
    }
    if (state_sz > lp->type->state_sz) {
        tw_error(TW_LOC, "%s of %zu bytes, but the state of LP %" PRIu64 " has %zu", caller,
                 state_sz, lp->gid, lp->type->state_sz);
    }
    if (state_sz > LZ4_MAX_INPUT_SIZE) {
        tw_error(TW_LOC, "%s of %zu bytes: at most %d are possible", caller, state_sz,
                 LZ4_MAX_INPUT_SIZE);
    }
}

void tw_snapshot(tw_lp *lp, size_t state_sz)
{
    struct pe *pe = pe_of(lp->pe);
    struct snapshot *s = &pe->snapshot;
    uint64_t execution = pe->counters.events_processed + 1;
    check_call(pe, lp, state_sz, "tw_snapshot()");
    if (s->execution == execution) {
        tw_error(TW_LOC, "tw_snapshot() a second time in one event: there is one per event, from "
                         "tw_snapshot() to tw_snapshot_delta()");
    }
    s->execution = execution;
    s->open = true;
    s->state_bytes = state_sz;
    if (may_be_undone(pe) && state_sz > 0) {
        enum tw_phase before = phase_enter(&pe->phases, TW_PHASE_state_saving);
        memcpy(room_for(&s->before, state_sz), lp->cur_state, state_sz);
        phase_enter(&pe->phases, before);
    }
}

/* Applies the difference b to a (a[i] ^= b[i]). Returns true if any b[i] is not 0. */
static bool apply_difference(unsigned char *a, const unsigned char *b, size_t n)
{
    unsigned char any = 0;
    for (size_t i = 0; i < n; i++) {
        any |= b[i];
        a[i] ^= b[i];
    }
    return any != 0;
}

/* Replaces a by its difference from b (a[i] ^= b[i]). Returns true if a and b differed. */
static bool make_difference(unsigned char *a, const unsigned char *b, size_t n)
{
    unsigned char any = 0;
    for (size_t i = 0; i < n; i++) {
        a[i] ^= b[i];
        any |= a[i];
    }
    return any != 0;
}

/* Stores the difference in a note on the event. bytes: kept_bytes bytes that decompress to
 * state_bytes bytes. */
static void keep(struct pe *pe, const void *bytes, size_t kept_bytes, size_t state_bytes)
{
    assert(kept_bytes <= state_bytes && state_bytes <= UINT32_MAX);
    struct event_note *note = event_pool_add_note(&pe->pool, pe->head.cur_event, NOTE_DELTA,
                                                  offsetof(struct delta, bytes) + kept_bytes);
    if (note == NULL) {
        tw_error(TW_LOC, "out of event memory for tw_snapshot_delta(); raise --max-memory");
    }
    struct delta *delta = (struct delta *)(void *)note->bytes;
    delta->state_bytes = (uint32_t)state_bytes;
    delta->kept_bytes = (uint32_t)kept_bytes;
    delta->applied = false;
    if (kept_bytes > 0) {
        memcpy(delta->bytes, bytes, kept_bytes);
    }
    pe->counters.snapshots++;
    pe->counters.snapshot_bytes += kept_bytes;
}

static size_t keep_delta(struct pe *pe, const tw_lp *lp, size_t state_bytes)
{
    assert(state_bytes <= LZ4_MAX_INPUT_SIZE);
    unsigned char *change = pe->snapshot.before.bytes;
    if (state_bytes == 0 || !make_difference(change, lp->cur_state, state_bytes)) {
        keep(pe, NULL, 0, state_bytes);
        return 0;
    }
    int bound = LZ4_compressBound((int)state_bytes);
    unsigned char *packed = room_for(&pe->snapshot.packed, (size_t)bound);
    int n = LZ4_compress_fast((const char *)change, (char *)packed, (int)state_bytes, bound,
                              (int)g_tw_lz4_knob);
    if (n > 0 && (size_t)n < state_bytes) {
        keep(pe, packed, (size_t)n, state_bytes);
        return (size_t)n;
    }
    keep(pe, change, state_bytes, state_bytes);
    return state_bytes;
}

long tw_snapshot_delta(tw_lp *lp, size_t state_sz)
{
    struct pe *pe = pe_of(lp->pe);
    struct snapshot *s = &pe->snapshot;
    check_call(pe, lp, state_sz, "tw_snapshot_delta()");
    if (s->execution != pe->counters.events_processed + 1 || !s->open) {
        tw_error(TW_LOC, "tw_snapshot_delta() without a tw_snapshot() before it in the same event");
    }
    if (s->state_bytes != state_sz) {
        tw_error(TW_LOC, "tw_snapshot_delta() of %zu bytes after tw_snapshot() of %zu", state_sz,
                 s->state_bytes);
    }
    s->open = false;
    if (!may_be_undone(pe)) {
        return 0;
    }
    enum tw_phase before = phase_enter(&pe->phases, TW_PHASE_state_saving);
    size_t kept = keep_delta(pe, lp, state_sz);
    phase_enter(&pe->phases, before);
    return (long)kept;
}

/* Returns the decompressed difference, which has delta->state_bytes bytes. */
static const unsigned char *unpack(struct pe *pe, const struct delta *delta)
{
    if (delta->kept_bytes == delta->state_bytes) {
        return delta->bytes;
    }
    unsigned char *change = room_for(&pe->snapshot.packed, delta->state_bytes);
    int n = LZ4_decompress_safe((const char *)delta->bytes, (char *)change, (int)delta->kept_bytes,
                                (int)delta->state_bytes);
    if (n != (int)delta->state_bytes) {
        tw_error(TW_LOC, "tw_snapshot_restore(): the bytes kept with the event are damaged; does "
                         "a handler write past the end of its message?");
    }
    return change;
}

void tw_snapshot_restore(tw_lp *lp, size_t state_sz)
{
    struct pe *pe = pe_of(lp->pe);
    tw_event *event = pe->head.cur_event;
    if (event == NULL || event->dest_lp != lp) {
        tw_error(TW_LOC, "tw_snapshot_restore() of LP %" PRIu64 " outside of its reverse handler",
                 lp->gid);
    }
    struct event_note *note = event->notes;
    while (note != NULL && note->kind != NOTE_DELTA) {
        note = note->next;
    }
    struct delta *delta = note == NULL ? NULL : (struct delta *)(void *)note->bytes;
    if (delta == NULL || delta->applied) {
        tw_error(TW_LOC, "tw_snapshot_restore() %s",
                 delta == NULL ? "of an event whose forward handler called no tw_snapshot_delta()"
                               : "a second time for one event");
    }
    if (delta->state_bytes != state_sz) {
        tw_error(TW_LOC, "tw_snapshot_restore() of %zu bytes, but tw_snapshot() took %" PRIu32,
                 state_sz, delta->state_bytes);
    }
    enum tw_phase before = phase_enter(&pe->phases, TW_PHASE_state_saving);
    delta->applied = true;
    if (delta->kept_bytes > 0) {
        apply_difference(lp->cur_state, unpack(pe, delta), state_sz);
    }
    phase_enter(&pe->phases, before);
}

void engine_free_snapshots(struct pe *pe)
{
    free(pe->snapshot.before.bytes);
    free(pe->snapshot.packed.bytes);
    pe->snapshot = (struct snapshot){0};
}
