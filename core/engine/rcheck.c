/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rcheck.c - checks one event for --synch=6: twice executes it, undoes it and compares the LP with
 * its copy; then executes it for good.
 *
 * The two trial runs are ordinary optimistic executions that are rolled back at once. The engine
 * undoes its part as usual: events sent, draws from the core stream, half-used pairs of normal
 * numbers, record numbers, output. After each trial run, the LP must be in the same state as before
 * the event. The second run starts from the message that the reverse handler left, but must have
 * the same effects as the first run. Many reverse handlers leave values in the message that the
 * next forward run sets again; that is an error only if the second run differs.
 *
 * Invariants
 *  C1  Trial runs are not observed: probes are not called, records that handlers emit are dropped
 *      (PROBE_IN_TRIAL), counters and clocks of events are restored.
 *  C2  Undefined data are equal in both runs: the messages of new events and the stack below the
 *      handler hold zeros.
 *  C3  The final execution starts from the original message and equals that of a sequential run.
 * Cost: five handler calls per event, and a few copies of the LP and of the messages sent.
 */
#include "engine/rcheck.h"

#include <assert.h>

#include "engine/engine.h"

#define OPTION          "--synch=6"
#define STACK_CLEARED   8192u
#define DIFFERENCE_TEXT 256u

void rcheck_init(const struct pe *pe, struct rcheck *check)
{
    *check = (struct rcheck){0};
    check->message = tw_calloc(TW_LOC, "a message", 1, pe->msg_bytes);
    check->reversed = tw_calloc(TW_LOC, "a message", 1, pe->msg_bytes);
}

void rcheck_fini(struct rcheck *check)
{
    rcheck_copy_free(&check->before);
    rcheck_copy_free(&check->forwards);
    rcheck_copy_free(&check->uncommitted);
    rcheck_outcome_free(&check->outcomes[0]);
    rcheck_outcome_free(&check->outcomes[1]);
    free(check->message);
    free(check->reversed);
}

/* ---- Trial runs ------------------------------------------------------------------------------ */

/* Values of the PE and the KP that a trial run changes and trial_end() restores. */
struct trial {
    struct tw_counters counters;
    uint32_t wanted;
    double last_executed_ts, latest_ts, last_time;
};

static struct trial trial_begin(struct pe *pe, const struct kp *kp)
{
    assert(!pe->in_trial);
    struct trial trial = {.counters = pe->counters,
                          .wanted = pe->probes.wanted,
                          .last_executed_ts = pe->last_executed_ts,
                          .latest_ts = pe->latest_ts,
                          .last_time = kp->head.last_time};
    pe->probes.wanted = PROBE_ENGINE_HISTORY | PROBE_ENGINE_FENCES;
    pe->in_trial = true;
    return trial;
}

/* Returns the bits of the probes without functions. The table changes during a trial run only if a
 * handler itself adds or removes functions. */
static uint32_t probes_empty(const struct probe_table *table)
{
    uint32_t empty = 0;
#define X(name, parameters) empty |= table->name.n == 0 ? PROBE_BIT(name) : 0;
    PROBE_LIST(X)
#undef X
    return empty;
}

static void trial_end(struct pe *pe, struct kp *kp, const struct trial *trial)
{
    pe->counters = trial->counters;
    pe->probes.wanted = (pe->probes.wanted | trial->wanted) & ~probes_empty(&pe->probes);
    pe_keep_history(pe, false);
    pe->last_executed_ts = trial->last_executed_ts;
    pe->latest_ts = trial->latest_ts;
    kp->head.last_time = trial->last_time;
    pe->in_trial = false;
}

/* Clears the part of the stack that the handler will use, for invariant C2. */
static __attribute__((noinline)) void clear_stack(void)
{
    unsigned char below[STACK_CLEARED];
    memset(below, 0, sizeof below);
    __asm__ volatile("" : : "r"(below) : "memory");
}

static __attribute__((noinline)) void run_forwards(struct pe *pe, tw_event *event)
{
    clear_stack();
    engine_execute(pe, event);
}

/* Rolls back the event, which is the only one in the history of its KP. Afterwards the event is in
 * the same state as when it was taken from the pending queue. */
static void run_back(struct pe *pe, tw_event *event)
{
    const struct kp *kp = kp_of(event->dest_lp->kp);
    assert(kp->young - kp->old == 1 && kp_youngest(kp) == event);
    (void)kp;
    engine_undo_all(pe, kp_of(event->dest_lp->kp));
    const tw_event *popped = pending_pop(pe->pending);
    assert(popped == event);
    (void)popped;
}

/* ---- Comparisons ----------------------------------------------------------------------------- */

/* Ends the run unless the LP is in the same state as before the event. */
static void check_is_back(const struct pe *pe, struct rcheck *check, const tw_event *event)
{
    struct rcheck_difference d = rcheck_copy_compare(pe, &check->before, event->dest_lp);
    if (d.part != RCHECK_SAME) {
        struct rcheck_event seen = rcheck_event_of(event, check->message);
        struct rcheck_place place = {event->dest_lp, &seen, OPTION, NULL};
        rcheck_fail_copy(pe, &place, &check->before, d, "after the event was undone",
                         "the reverse handler");
    }
}

/* If the LP differs from its state after the first run, writes a description of the difference to
 * `text` and returns true. say: true to print the bytes, too. */
static bool lp_differs(const struct pe *pe, const struct rcheck *check, const tw_lp *lp,
                       char text[DIFFERENCE_TEXT], bool say)
{
    struct rcheck_difference d = rcheck_copy_compare(pe, &check->forwards, lp);
    if (d.part != RCHECK_STATE) {
        snprintf(text, DIFFERENCE_TEXT, "it left a random stream elsewhere");
        return d.part != RCHECK_SAME;
    }
    if (!rcheck_copy_is_state(&check->forwards)) {
        snprintf(text, DIFFERENCE_TEXT, "the model's check says that it left another state");
        return true;
    }
    struct rcheck_bytes state = {"first", "second", check->forwards.bytes, lp->cur_state,
                                 lp->type->state_sz};
    size_t at = rcheck_first_difference(&state);
    if (say) {
        rcheck_say_bytes("state as it left it", &state);
    }
    snprintf(text, DIFFERENCE_TEXT, "it left %02x at offset %zu of the state, then %02x",
             state.should[at], at, state.is[at]);
    return true;
}

/* If the latest trial run differs from the first, writes a description of the difference to `text`
 * and returns true. say: true to print the bytes, too. */
static bool run_differs(const struct pe *pe, const struct rcheck *check, const tw_event *event,
                        char text[DIFFERENCE_TEXT], bool say)
{
    const struct rcheck_outcome *o = check->outcomes;
    return rcheck_outcome_differs(pe, &o[0], &o[1], text, DIFFERENCE_TEXT, say) ||
           lp_differs(pe, check, event->dest_lp, text, say);
}

/* Returns true if the two runs differ only because the reverse handler changed the message. A third
 * run, from the original message, decides. */
static bool message_is_to_blame(struct pe *pe, struct rcheck *check, tw_event *event)
{
    char text[DIFFERENCE_TEXT];
    if (memcmp(check->message, check->reversed, pe->msg_bytes) == 0) {
        return false;
    }
    run_back(pe, event);
    if (rcheck_copy_compare(pe, &check->before, event->dest_lp).part != RCHECK_SAME) {
        return true;
    }
    memcpy(event_payload(event), check->message, pe->msg_bytes);
    run_forwards(pe, event);
    rcheck_outcome_take(pe, &check->outcomes[1], event);
    return !run_differs(pe, check, event, text, false);
}

static void check_is_repeated(struct pe *pe, struct rcheck *check, tw_event *event)
{
    char text[DIFFERENCE_TEXT];
    if (!run_differs(pe, check, event, text, false)) {
        return;
    }
    struct rcheck_event seen = rcheck_event_of(event, check->message);
    struct rcheck_place place = {event->dest_lp, &seen, OPTION, NULL};
    rcheck_say_place(&place);
    run_differs(pe, check, event, text, true);
    if (!message_is_to_blame(pe, check, event)) {
        rcheck_fail(&place,
                    "the event was undone, and executed again it did something else: %s; its "
                    "forward handler uses a variable that is in neither the state nor the message, "
                    "or memory that it never set",
                    text);
    }
    struct rcheck_bytes message = {"before", "after", check->message, check->reversed,
                                   pe->msg_bytes};
    size_t at = rcheck_first_difference(&message);
    rcheck_say_bytes("the message when the event was undone", &message);
    rcheck_fail(&place,
                "after the event was undone its message is not as before: the byte at offset %zu "
                "of %zu was %02x and is %02x; and executed again the event did something else: %s; "
                "see the reverse handler",
                at, message.size, message.should[at], message.is[at], text);
}

/* ---- The event ------------------------------------------------------------------------------- */

static void try_twice(struct pe *pe, struct rcheck *check, tw_event *event)
{
    struct kp *kp = kp_of(event->dest_lp->kp);
    rcheck_copy_take(pe, &check->before, event->dest_lp);
    memcpy(check->message, event_payload(event), pe->msg_bytes);
    struct trial trial = trial_begin(pe, kp);

    run_forwards(pe, event);
    rcheck_outcome_take(pe, &check->outcomes[0], event);
    rcheck_copy_take(pe, &check->forwards, event->dest_lp);
    run_back(pe, event);
    memcpy(check->reversed, event_payload(event), pe->msg_bytes);
    check_is_back(pe, check, event);

    run_forwards(pe, event);
    rcheck_outcome_take(pe, &check->outcomes[1], event);
    check_is_repeated(pe, check, event);
    run_back(pe, event);
    check_is_back(pe, check, event);

    trial_end(pe, kp, &trial);
    check->messages_changed += memcmp(check->message, check->reversed, pe->msg_bytes) != 0;
    check->checked++;
    memcpy(event_payload(event), check->message, pe->msg_bytes);
}

/* Executes the event for good, and checks that its commit handler changes nothing. */
static void execute_and_watch_commit(struct pe *pe, struct rcheck *check, tw_event *event)
{
    tw_lp *lp = event->dest_lp;
    struct kp *kp = kp_of(lp->kp);
    struct rcheck_event seen = rcheck_event_of(event, NULL);
    struct rcheck_place place = {lp, &seen, OPTION, NULL};
    pe_keep_history(pe, true);
    engine_execute(pe, event);
    pe_keep_history(pe, false);
    rcheck_copy_take(pe, &check->uncommitted, lp);
    assert(kp_oldest(kp) == event);
    if (PROBE_IS_WANTED(&pe->probes, event_at_gvt)) {
        PROBE_CALL(&pe->probes, event_at_gvt, event);
    }
    kp->old++;
    engine_commit(pe, event);
    struct rcheck_difference d = rcheck_copy_compare(pe, &check->uncommitted, lp);
    if (d.part != RCHECK_SAME) {
        rcheck_fail_copy(pe, &place, &check->uncommitted, d, "after the event was committed",
                         "the commit handler, which may only look");
    }
}

void rcheck_execute(struct pe *pe, struct rcheck *check, tw_event *event)
{
    assert(event->state.owner == EVENT_PENDING);
    const tw_lptype *type = event->dest_lp->type;
    if (type->revent != NULL) {
        try_twice(pe, check, event);
    }
    if (type->commit != NULL) {
        execute_and_watch_commit(pe, check, event);
    } else {
        engine_execute(pe, event);
    }
}
