/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * probe.c - services of the engine for observers: context of the running code, record numbers of
 * LPs, memory held by observers, and guard around observers.
 *
 * Record numbers are counted per LP. An event stores how many numbers it took; a note
 * (NOTE_NUMBERS) holds the part of this count beyond 255. A rollback gives the numbers back. A
 * record number costs about as much as a random draw, plus a search in the few notes of the event.
 *
 * The guard adds no test to sends. While an observer runs, no LP is a valid destination
 * (pe->dest_end is 0) and every send takes the slow path (PROBE_ENGINE_GUARD). Draws are inline
 * code, so the guard detects them afterwards, by the streams of the current LP. During commits the
 * model cannot send, so most calls of the guard only store the observer's name.
 */
#include <assert.h>

#include "base/clock.h"
#include "engine/process/observers.h"
#include "engine/process/run.h"

#define COMMITS_CHECKED_FIRST  4096u
#define COMMITS_CHECKED_ONE_IN 128u

void probe_refuse_function(const char *probe)
{
    tw_error(TW_LOC,
             "more than %d functions listen to the probe %s; stop an observer or raise "
             "PROBE_FUNCTIONS_MAX in core/engine/probe.h",
             PROBE_FUNCTIONS_MAX, probe);
}

struct probe_now probe_now(void)
{
    const struct pe *pe = pe_self();
    const tw_event *event = pe->head.cur_event;
    if (event != NULL && event != pe->head.abort_event) {
        enum probe_context forwards = pe->in_trial ? PROBE_IN_TRIAL : PROBE_IN_EVENT;
        enum probe_context context = event->state.owner == EVENT_PROCESSING ? forwards
                                     : pe->committing                       ? PROBE_IN_COMMIT
                                                                            : PROBE_IN_REVERSE;
        return (struct probe_now){context, event->dest_lp, event->recv_ts};
    }
    double gvt = pe->head.GVT;
    if (pe->lp_called == NULL) {
        return (struct probe_now){PROBE_IN_NOTHING, NULL, gvt};
    }
    if (pe->initialising) {
        return (struct probe_now){PROBE_IN_INIT, pe->lp_called, 0.0};
    }
    return (struct probe_now){PROBE_IN_FINAL, pe->lp_called,
                              gvt < pe->end_time ? gvt : pe->end_time};
}

const struct tw_counters *pe_counters(const tw_pe *pe)
{
    return &pe_of(pe)->counters;
}

uint64_t pe_lookahead_kept(const tw_pe *pe)
{
    return pe_of(pe)->lookahead_kept;
}

uint64_t pe_pending_count(const tw_pe *pe)
{
    return pending_count(pe_of(pe)->pending);
}

struct pe_memory pe_memory_now(const tw_pe *of)
{
    const struct pe *pe = pe_of(of);
    return (struct pe_memory){event_pool_event_bytes(&pe->pool), event_pool_saved_bytes(&pe->pool),
                              pe->pool.arena.total_bytes + pending_memory_bytes(pe->pending) +
                                  pe->lps.arena.total_bytes};
}

/* ---- Numbers --------------------------------------------------------------------------------- */

/* Counts a record number in the event that takes it. */
static void note_number(struct pe *pe, tw_event *event)
{
    if (event->numbers < UINT8_MAX) { /* nearly always true; the note below takes memory */
        event->numbers++;
        return;
    }
    struct event_note *note = event->notes;
    while (note != NULL && note->kind != NOTE_NUMBERS) {
        note = note->next;
    }
    if (note == NULL) {
        note = event_pool_add_note(&pe->pool, event, NOTE_NUMBERS, sizeof(uint64_t));
        if (note == NULL) {
            tw_error(TW_LOC, "out of event memory; raise --max-memory");
        }
        *(uint64_t *)(void *)note->bytes = 0;
    }
    ++*(uint64_t *)(void *)note->bytes;
}

static void need_numbers(struct pe *pe)
{
    if (pe->lp_numbers == NULL) {
        pe->lp_numbers = tw_calloc(TW_LOC, "numbers of LPs", sizeof *pe->lp_numbers, pe->lps.count);
    }
}

uint64_t probe_record_number(tw_lp *lp)
{
    struct pe *pe = pe_of(lp->pe);
    tw_event *event = pe->head.cur_event;
    assert(event != NULL ? event->state.owner == EVENT_PROCESSING && event->dest_lp == lp
                         : pe->lp_called == lp);
    need_numbers(pe);
    if (event != NULL && pe_keeps_history(pe)) {
        note_number(pe, event);
    }
    return ++pe->lp_numbers[lp->id];
}

uint64_t probe_record_numbers(const tw_lp *lp)
{
    const struct pe *pe = pe_of(lp->pe);
    return pe->lp_numbers == NULL ? 0 : pe->lp_numbers[lp->id];
}

void engine_restore_numbers(struct pe *pe, const tw_lp *lp, uint64_t numbers)
{
    need_numbers(pe);
    pe->lp_numbers[lp->id] = numbers;
}

void engine_take_back_numbers(struct pe *pe, tw_event *event)
{
    assert(pe->lp_numbers != NULL);
    const struct event_note *note = event_note_find(event, NOTE_NUMBERS);
    pe->lp_numbers[event->dest_lp->id] -= event->numbers;
    event->numbers = 0;
    if (note != NULL) {
        pe->lp_numbers[event->dest_lp->id] -= *(const uint64_t *)(const void *)note->bytes;
    }
}

/* ---- Causes ---------------------------------------------------------------------------------- */

void probe_set_places(struct probe_place *places)
{
    pe_self()->places = places;
}

void probe_number_sends(int32_t number)
{
    struct pe *pe = pe_self();
    assert(pe->head.cur_event != NULL && pe->head.cur_event->state.owner == EVENT_PROCESSING);
    pe_number_sends(pe, number);
}

uint32_t probe_events_not_sent(const tw_event *e)
{
    uint32_t n = 0;
    for (const struct event_note *note = e->notes; note != NULL; note = note->next) {
        n += note->kind == NOTE_PAST_END ? PAST_END_OF_NOTE : 0;
        n += note->kind == NOTE_UNSENT;
    }
    return n;
}

void probe_stamp_messages(bool stamps)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    const int64_t now_ns = (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
    pe_self()->message_clock = (struct message_clock){
        .stamps = stamps, .offset_ns = now_ns - (int64_t)clock_monotonic_ns()};
}

void probe_keep_stamps(bool on)
{
    struct pe *pe = pe_self();
    pe->stamp = run_seconds();
    for (tw_kpid k = 0; k < pe->n_kps; k++) {
        kp_drop_stamps(&pe->kps[k]);
        if (on) {
            kp_keep_stamps(&pe->kps[k], pe->stamp);
        }
    }
    pe->probes.wanted &= ~PROBE_ENGINE_STAMPS;
    pe->probes.wanted |= on ? PROBE_ENGINE_STAMPS : 0;
}

void probe_stamp(double seconds)
{
    pe_self()->stamp = seconds;
}

double probe_stamp_of(const tw_event *e)
{
    const struct kp *kp = kp_of(e->dest_lp->kp);
    return kp->stamps[kp->young & kp->mask]; /* the event was the youngest */
}

/* ---- Memory ---------------------------------------------------------------------------------- */

void probe_hold_bytes(int64_t change)
{
    struct pe *pe = pe_self();
    if (pe != NULL) { /* pe is NULL if an observer releases memory after the run */
        assert(change >= 0 || pe->observer_bytes >= (uint64_t)-change);
        pe->observer_bytes += (uint64_t)change;
    }
}

uint64_t probe_observer_bytes(void)
{
    return pe_self()->observer_bytes;
}

uint64_t probe_observer_limit_bytes(void)
{
    return pe_self()->observer_limit_bytes;
}

/* ---- Guard around observers ------------------------------------------------------------------ */

/* Returns a value that changes with each draw from a stream of the LP, including the second number
 * of a pair. */
static uint64_t streams_hash(const struct pe *pe, const tw_lp *lp)
{
    uint64_t hash = 0;
    if (lp != NULL) {
        for (const tw_rng_stream *g = lp->core_rng; g < lp->rng + pe->n_streams; g++) {
            hash += g->reserved ^ g->count;
        }
    }
    return hash;
}

static const tw_lp *lp_at_hand(const struct pe *pe)
{
    const tw_event *event = pe->head.cur_event;
    return event != NULL ? event->dest_lp : pe->lp_called;
}

static inline bool is_guarded(const struct guard *guard)
{
    return guard->depth > 0 || guard->commit.observer != NULL;
}

/* Returns true if an outer call already checks the streams of an LP. Nested calls are then checked,
 * too, so that the error message names the right observer. */
static inline bool is_checked(const struct guard *guard)
{
    return guard->depth > 0 && guard->depth <= GUARD_DEPTH_MAX &&
           guard->level[guard->depth - 1].lp != NULL;
}

/* Enters the guard in the general case. While an event commits, fetching the streams of its LP
 * would cost more than the rest of the guard, since the LP was executed long ago. Draws are
 * therefore checked in the first calls and in a fraction of later ones. */
static __attribute__((noinline)) void enter(struct pe *pe, const char *observer)
{
    struct guard *guard = &pe->guard;
    const tw_lp *lp = lp_at_hand(pe);
    if (pe->committing && !is_checked(guard)) {
        if (guard->commit.unchecked > 0) {
            guard->commit.unchecked--;
            lp = NULL;
        } else if (++guard->commits >= COMMITS_CHECKED_FIRST) {
            guard->commit.unchecked = COMMITS_CHECKED_ONE_IN - 1;
        }
    }
    uint64_t hash = streams_hash(pe, lp);
    if (guard->depth < GUARD_DEPTH_MAX) {
        guard->level[guard->depth] = (struct guard_level){observer, lp, hash};
    }
    guard->depth++;
    pe->dest_end = 0;
    pe->probes.wanted |= PROBE_ENGINE_GUARD;
}

void probe_observer_enter(const char *observer)
{
    struct pe *pe = pe_self();
    struct guard *guard = &pe->guard;
    if (pe->committing && guard->commit.unchecked > 0 && !is_guarded(guard)) {
        /* While an event commits the model cannot send, so storing the observer's name is
         * enough. */
        probe_commit_enter(&guard->commit, observer);
        return;
    }
    /* The frequent case: a call in a handler, outside of a commit. */
    if (__builtin_expect(!pe->committing && guard->depth == 0, 1)) {
        const tw_lp *lp = lp_at_hand(pe);
        guard->depth = 1;
        guard->level[0] = (struct guard_level){observer, lp, streams_hash(pe, lp)};
        pe->dest_end = 0;
        pe->probes.wanted |= PROBE_ENGINE_GUARD;
        return;
    }
    enter(pe, observer);
}

struct probe_commit_guard *probe_commit_guard(void)
{
    return &pe_self()->guard.commit;
}

static inline void leave(struct pe *pe)
{
    struct guard *guard = &pe->guard;
    if (guard->depth < GUARD_DEPTH_MAX) {
        const struct guard_level *level = &guard->level[guard->depth];
        if (streams_hash(pe, level->lp) != level->hash) {
            tw_error(TW_LOC,
                     "%s, called to observe LP %" PRIu64
                     ", has drawn from its random streams; observers must not send events or draw "
                     "random numbers",
                     level->observer, level->lp->gid);
        }
    }
    if (guard->depth == 0) {
        pe->dest_end = pe->mapping.end;
        pe->probes.wanted &= ~PROBE_ENGINE_GUARD;
    }
}

void probe_observer_leave(void)
{
    struct pe *pe = pe_self();
    struct guard *guard = &pe->guard;
    assert(is_guarded(guard));
    if (guard->depth == 0) {
        probe_commit_leave(&guard->commit);
        return;
    }
    guard->depth--;
    leave(pe);
}

bool probe_is_guarded(void)
{
    return is_guarded(&pe_self()->guard);
}

void engine_refuse_observer(const struct pe *pe, const char *what)
{
    const struct guard *guard = &pe->guard;
    unsigned depth = guard->depth;
    if (is_guarded(guard)) {
        const char *observer =
            depth == 0
                ? guard->commit.observer
                : guard->level[(depth < GUARD_DEPTH_MAX ? depth : GUARD_DEPTH_MAX) - 1].observer;
        tw_error(TW_LOC,
                 "%s, called to observe, %s; observers must not send events or draw random numbers",
                 observer, what);
    }
}
