/* SPDX-License-Identifier: BSD-3-Clause */
/* execute.c - forward execution of an event. */
#include <assert.h>

#include "base/rng.h"
#include "engine/checks/fences.h"
#include "engine/engine.h"

/* tw_rand_normal01() creates normal numbers in pairs. Returning the second number of a pair takes
 * no draw, so a reverse handler cannot undo it. If a stream of the LP has a half-used pair, this
 * function therefore stores the results of rng_pair_mark() for all streams in a note on the
 * event. */
static inline void note_half_pairs(struct pe *pe, tw_event *event)
{
    const tw_rng_stream *rng = event->dest_lp->rng;
    uint64_t any = 0;
    for (unsigned i = 0; i < pe->n_streams; i++) {
        any |= rng_pair_mark(&rng[i]);
    }
    if (any == 0) {
        return;
    }
    struct event_note *note =
        event_pool_add_note(&pe->pool, event, NOTE_PAIRS, pe->n_streams * sizeof(uint64_t));
    if (note == NULL) {
        tw_error(TW_LOC, "out of event memory; raise --max-memory");
    }
    for (unsigned i = 0; i < pe->n_streams; i++) {
        ((uint64_t *)(void *)note->bytes)[i] = rng_pair_mark(&rng[i]);
    }
}

/* Ends the run because an event has reached an LP whose type has no forward handler. Such LPs are
 * allowed as long as they receive no events. */
static __attribute__((cold, noreturn, noinline)) void refuse_event(const tw_event *event)
{
    tw_error(TW_LOC,
             "an event for LP %" PRIu64 " from LP %" PRIu64 ": its type has no event handler",
             event->dest_lpid, event->send_lp);
}

#define EXECUTED_BIT PROBE_BIT(event_executed)
#define TIED_BIT     PROBE_BIT(event_tied)
#define STARTING_BIT PROBE_BIT(event_starting)
#define TRACED_BITS  (EXECUTED_BIT | TIED_BIT)
#define HISTORY      PROBE_ENGINE_HISTORY
#define ORDERED      (PROBE_ENGINE_HISTORY | PROBE_ENGINE_ORDER)
#define STAMPED      (PROBE_ENGINE_HISTORY | PROBE_ENGINE_STAMPS)
#define EXECUTION_BITS                                                                             \
    (PROBE_BIT(queue_popped) | STARTING_BIT | TRACED_BITS | ORDERED | STAMPED | PROBE_ENGINE_FENCES)

/* Returns true if an earlier event of the LP possibly has the same receive time as `event`, which
 * is about to be executed. If there is none and the run keeps no history, stores in pe->places that
 * `event` is the LP's first event at its time. */
static inline bool is_tied(const struct pe *pe, const struct kp *kp, const tw_event *event,
                           uint32_t wanted)
{
    if ((wanted & HISTORY) != 0) {
        return event->recv_ts == kp->head.last_time;
    }
    struct probe_place *place = &pe->places[event->dest_lp->id];
    if (event->recv_ts == place->ts) {
        return true;
    }
    place->ts = event->recv_ts;
    place->order = 0;
    return false;
}

/* Defines show_NAME(), which calls the functions of the probe. It is inlined without the loop over
 * several functions, for which a caller would have to save more registers. near: bit that says if a
 * lone function ignores `ahead`. */
#define EXECUTION_PROBE(name, near)                                                                \
    static __attribute__((noinline)) void call_##name(struct pe *pe, const tw_event *event,        \
                                                      const tw_lp *ahead)                          \
    {                                                                                              \
        PROBE_CALL(&pe->probes, event_##name, event, ahead);                                       \
    }                                                                                              \
    static inline void show_##name(struct pe *pe, const tw_event *event)                           \
    {                                                                                              \
        if (!PROBE_IS_ALONE(&pe->probes, event_##name)) {                                          \
            call_##name(pe, event, pe_lp_ahead(pe));                                               \
        } else if ((pe->probes.wanted & (near)) != 0) {                                            \
            PROBE_CALL_FIRST(&pe->probes, event_##name, event, NULL);                              \
        } else {                                                                                   \
            PROBE_CALL_FIRST(&pe->probes, event_##name, event, pe_lp_ahead(pe));                   \
        }                                                                                          \
    }
EXECUTION_PROBE(starting, 0)
EXECUTION_PROBE(executed, PROBE_ENGINE_NEAR)
#undef EXECUTION_PROBE

static __attribute__((noinline)) void show_tied(struct pe *pe, struct kp *kp, const tw_event *event)
{
    const tw_event *previous = kp_is_empty(kp) ? NULL : kp_youngest(kp);
    PROBE_CALL(&pe->probes, event_tied, event, previous);
}

/* Executes an event. wanted: those of the EXECUTION_BITS that were set when the execution began.
 * `wanted` is a constant in the calls on the hot path, so an execution without observers costs one
 * test. */
static inline __attribute__((always_inline)) void execute(struct pe *pe, tw_event *event,
                                                          const uint32_t wanted)
{
    assert(pe->head.cur_event == NULL);
    tw_lp *lp = event->dest_lp;
    struct kp *kp = kp_of(lp->kp);
    if ((wanted & PROBE_BIT(queue_popped)) != 0) {
        PROBE_CALL(&pe->probes, queue_popped, event);
    }
    const bool tied = (wanted & TIED_BIT) != 0 && is_tied(pe, kp, event, wanted);
    event_move(event, EVENT_PENDING, EVENT_PROCESSING);
    pe->counters.event_ties += event->recv_ts == pe->last_executed_ts;
    pe->last_executed_ts = event->recv_ts;
    pe->latest_ts = event->recv_ts > pe->latest_ts ? event->recv_ts : pe->latest_ts;
    pe->head.cur_event = event;
    memset(&event->bf, 0, sizeof event->bf);
    if ((wanted & PROBE_ENGINE_HISTORY) != 0) {
        /* K2 of kp.h: no pending event precedes the KP's youngest event */
        assert(kp_is_empty(kp) || event_compare(kp_youngest(kp), event) < 0);
        if (lp->type->revent == NULL) {
            engine_save_state(pe, event);
        } else {
            note_half_pairs(pe, event);
        }
    }
    if ((wanted & STARTING_BIT) != 0) {
        show_starting(pe, event);
    }
    kp->head.last_time = event->recv_ts;

    if (__builtin_expect(lp->type->event == NULL, 0)) {
        refuse_event(event);
    }
    if (tied) {
        show_tied(pe, kp, event);
    }
    if ((wanted & PROBE_ENGINE_FENCES) != 0) {
        fences_enter(pe, lp, event, "forward handler");
    }
    lp->type->event(lp->cur_state, &event->bf, event_payload(event), lp);
    if ((wanted & PROBE_ENGINE_FENCES) != 0) {
        fences_leave(pe);
    }

    if (tied) {
        pe_number_sends(pe, 0);
    }
    pe->counters.events_processed++;
    if (pe->unsent != NULL) {
        engine_drop_unsent(pe);
    }
    if ((wanted & EXECUTED_BIT) != 0) {
        show_executed(pe, event);
    }
    pe->head.cur_event = NULL;
    event_move(event, EVENT_PROCESSING, EVENT_PROCESSED);
    if ((wanted & PROBE_ENGINE_ORDER) != 0) {
        commit_order_push(&pe->commit_order, kp, event);
    } else if ((wanted & PROBE_ENGINE_HISTORY) != 0) {
        kp_push(kp, event);
    }
    if ((wanted & STAMPED) == STAMPED) {
        kp->stamps[(kp->young - 1) & kp->mask] = pe->stamp;
    }
    if ((wanted & ORDERED) != 0) {
        pe_list_kp(pe, kp);
    }
}

/* The following functions are not inlined, so that each combination of bits has its own, small
 * stack frame. */

#define EXECUTION(name, bits)                                                                      \
    static __attribute__((noinline)) void name(struct pe *pe, tw_event *event)                     \
    {                                                                                              \
        execute(pe, event, (bits));                                                                \
        if (((bits)&HISTORY) == 0) {                                                               \
            engine_commit(pe, event);                                                              \
        }                                                                                          \
    }
EXECUTION(execute_alone, 0)
EXECUTION(execute_alone_seen, EXECUTED_BIT)
EXECUTION(execute_alone_sampled, STARTING_BIT)
EXECUTION(execute_alone_traced, TRACED_BITS)
EXECUTION(execute_alone_clocked, TRACED_BITS | STARTING_BIT)
EXECUTION(execute_optimistic, HISTORY)
EXECUTION(execute_optimistic_stamped, STAMPED)
EXECUTION(execute_optimistic_seen, HISTORY | EXECUTED_BIT)
EXECUTION(execute_optimistic_sampled, HISTORY | STARTING_BIT)
EXECUTION(execute_optimistic_traced, HISTORY | TRACED_BITS)
EXECUTION(execute_ordered, ORDERED)
EXECUTION(execute_ordered_traced, ORDERED | TRACED_BITS)
EXECUTION(execute_ordered_clocked, ORDERED | TRACED_BITS | STARTING_BIT)

__attribute__((noinline)) void engine_execute_timed(struct pe *pe, tw_event *event)
{
    uint32_t wanted = PROBES_WANTED(&pe->probes);
    execute(pe, event, wanted);
    if ((wanted & PROBE_ENGINE_HISTORY) == 0) {
        /* Does not switch back: the caller switches to the next phase anyway. */
        phase_enter(&pe->phases, TW_PHASE_fossil_collect);
        engine_commit(pe, event);
    }
}

static __attribute__((noinline)) void execute_any(struct pe *pe, tw_event *event)
{
    const enum tw_phase before = pe->phases.now;
    engine_execute_timed(pe, event);
    phase_enter(&pe->phases, before);
}

/* Chooses the function that executes events while these bits are wanted, and executes the event. */
static __attribute__((noinline, cold)) void execute_first(struct pe *pe, tw_event *event,
                                                          uint32_t wanted)
{
    static const struct {
        uint32_t wanted;
        void (*execute)(struct pe *pe, tw_event *event);
    } executions[] = {{HISTORY, execute_optimistic},
                      {STAMPED, execute_optimistic_stamped},
                      {ORDERED, execute_ordered},
                      {EXECUTED_BIT, execute_alone_seen},
                      {STARTING_BIT, execute_alone_sampled},
                      {TRACED_BITS, execute_alone_traced},
                      {TRACED_BITS | STARTING_BIT, execute_alone_clocked},
                      {HISTORY | EXECUTED_BIT, execute_optimistic_seen},
                      {HISTORY | STARTING_BIT, execute_optimistic_sampled},
                      {HISTORY | TRACED_BITS, execute_optimistic_traced},
                      {ORDERED | TRACED_BITS, execute_ordered_traced},
                      {ORDERED | TRACED_BITS | STARTING_BIT, execute_ordered_clocked}};
    pe->execute = execute_any;
    pe->executes_wanted = wanted;
    for (size_t i = 0; i < sizeof executions / sizeof executions[0]; i++) {
        if (executions[i].wanted == wanted) {
            pe->execute = executions[i].execute;
        }
    }
    pe->execute(pe, event);
}

void engine_execute(struct pe *pe, tw_event *event)
{
    const uint32_t wanted = PROBES_WANTED(&pe->probes) & EXECUTION_BITS;
    if (wanted == 0) {
        execute_alone(pe, event);
        return;
    }
    if (__builtin_expect(wanted != pe->executes_wanted, 0)) {
        execute_first(pe, event, wanted);
        return;
    }
    pe->execute(pe, event);
}
