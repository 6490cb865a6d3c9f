/*
 * execute.c - running one event forwards.
 */
#include "base/rng.h"
#include "engine/engine.h"

/*
 * tw_rand_normal01() makes numbers in pairs and taking the second draws nothing, so no reverse
 * handler can undo it: a pair that is half used is noted with the event.
 */
static inline void note_half_pairs(struct pe *pe, tw_event *event)
{
    const tw_rng_stream *rng = event->lp->rng;
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

#define EXECUTION_BITS                                                                             \
    (PROBE_BIT(queue_popped) | PROBE_BIT(event_starting) | PROBE_BIT(event_executed))

/*
 * watched: does anybody want to know of executions, or is this turn timed?
 * history: is the event kept, to be rolled back? ordered: and listed for commits?
 * All are known when this is compiled, so that those who are not watched pay for one test.
 */
static inline __attribute__((always_inline)) void execute(struct pe *pe, tw_event *event,
                                                          bool watched, bool history, bool ordered)
{
    tw_lp *lp = event->lp;
    struct kp *kp = kp_of(lp->kp);
    if (watched && PROBE_IS_WANTED(&pe->probes, queue_popped)) {
        struct probe_event seen = pe_probe_event(event, NULL);
        PROBE_CALL(&pe->probes, queue_popped, &seen);
    }
    event_move(event, EVENT_PENDING, EVENT_PROCESSING);
    pe->counters.event_ties += event->recv_ts == pe->last_executed_ts;
    pe->last_executed_ts = event->recv_ts;
    pe->latest_ts = event->recv_ts > pe->latest_ts ? event->recv_ts : pe->latest_ts;
    pe->head.cur_event = event;
    memset(&event->bf, 0, sizeof event->bf);
    if (history) {
        if (lp->type->revent == NULL) {
            engine_save_state(pe, event);
        } else {
            note_half_pairs(pe, event);
        }
    }
    if (watched && PROBE_IS_WANTED(&pe->probes, event_starting)) {
        struct probe_event seen = pe_probe_event(event, pe_lp_ahead(pe));
        PROBE_CALL(&pe->probes, event_starting, &seen);
    }
    kp->head.last_time = event->recv_ts;

    lp->type->event(lp->cur_state, &event->bf, event->payload, lp);

    pe->counters.events_processed++;
    if (pe->unsent != NULL) {
        engine_drop_unsent(pe);
    }
    if (watched && PROBE_IS_WANTED(&pe->probes, event_executed)) {
        struct probe_event seen = pe_probe_event(event, pe_lp_ahead(pe));
        PROBE_CALL(&pe->probes, event_executed, &seen);
    }
    pe->head.cur_event = NULL;
    event_move(event, EVENT_PROCESSING, EVENT_PROCESSED);
    if (ordered) {
        commit_order_push(&pe->commit_order, kp, event);
    } else if (history) {
        kp_push(kp, event);
    } else {
        if (watched) { /* the phase after it is up to the caller, sparing a switch */
            phase_enter(&pe->phases, TW_PHASE_fossil_collect);
        }
        engine_commit(pe, event);
    }
}

__attribute__((noinline)) void engine_execute_timed(struct pe *pe, tw_event *event)
{
    bool ordered = (PROBES_WANTED(&pe->probes) & PROBE_ENGINE_ORDER) != 0;
    execute(pe, event, true, pe_keeps_history(pe), ordered);
}

void engine_execute(struct pe *pe, tw_event *event)
{
    const uint32_t ordered = PROBE_ENGINE_HISTORY | PROBE_ENGINE_ORDER;
    uint32_t wanted = PROBES_WANTED(&pe->probes) & (EXECUTION_BITS | ordered);
    if (wanted == 0) {
        execute(pe, event, false, false, false);
    } else if (wanted == PROBE_ENGINE_HISTORY) {
        execute(pe, event, false, true, false);
    } else if (wanted == ordered) {
        execute(pe, event, false, true, true);
    } else {
        engine_execute_timed(pe, event);
    }
}
