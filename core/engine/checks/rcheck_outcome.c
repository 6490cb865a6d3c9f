/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rcheck_outcome.c - effects of a forward handler, except those on its LP: events sent, changes of
 * its message and bit field, output; see rcheck.h.
 *
 * For events past the end time, only their number is compared, since the engine does not keep these
 * events.
 */
#include <assert.h>
#include <xxhash.h>

#include "engine/checks/rcheck_outcome.h"
#include "engine/checks/rcheck_report.h"

#define SENDS_MIN 8u

static void make_room(const struct pe *pe, struct rcheck_outcome *outcome, size_t n)
{
    if (n <= outcome->room && outcome->message != NULL) {
        return;
    }
    size_t room = outcome->room > 0 ? outcome->room : SENDS_MIN;
    while (room < n) {
        room *= 2;
    }
    rcheck_outcome_free(outcome);
    outcome->sends = tw_calloc(TW_LOC, "sent events", sizeof *outcome->sends, room);
    outcome->payloads = tw_calloc(TW_LOC, "sent events", pe->msg_bytes, room);
    outcome->message = tw_calloc(TW_LOC, "a message", 1, pe->msg_bytes);
    outcome->room = room;
}

static void take_sends(const struct pe *pe, struct rcheck_outcome *outcome, const tw_event *event)
{
    size_t n = 0;
    for (const tw_event *sent = event->caused_by_me; sent != NULL; sent = sent->prev) {
        n++;
    }
    make_room(pe, outcome, n);
    assert(n <= outcome->room);
    outcome->n_sends = n;
    n = 0;
    for (const tw_event *sent = event->caused_by_me; sent != NULL; sent = sent->prev, n++) {
        outcome->sends[n] = (struct rcheck_send){.dest = sent->dest_lpid,
                                                 .recv_ts = sent->recv_ts,
                                                 .prio = sent->prio,
                                                 .tie = sent->tie,
                                                 .lineage_len = sent->state.lineage_len};
        memcpy(outcome->payloads + n * pe->msg_bytes, event_payload(sent), pe->msg_bytes);
    }
}

void rcheck_outcome_take(const struct pe *pe, struct rcheck_outcome *outcome, const tw_event *event)
{
    take_sends(pe, outcome, event);
    memcpy(outcome->message, event_payload(event), pe->msg_bytes);
    outcome->bf = event->bf;
    outcome->core_draws = event->core_draws;
    outcome->past_end = event->past_end;
    outcome->output = 0;
    for (const struct event_note *note = event->notes; note != NULL; note = note->next) {
        outcome->past_end += note->kind == NOTE_PAST_END ? PAST_END_OF_NOTE : 0;
        if (note->kind == NOTE_OUTPUT) {
            outcome->output = XXH3_64bits_withSeed(note->bytes, note->size, outcome->output);
        }
    }
}

/* Writes formatted text to the buffer `text`, and returns true from the calling function. */
#define SAY(...)                                                                                   \
    do {                                                                                           \
        snprintf(text, text_size, __VA_ARGS__);                                                    \
        return true;                                                                               \
    } while (0)

static bool sends_differ(const struct pe *pe, const struct rcheck_outcome *first,
                         const struct rcheck_outcome *second, char *text, size_t text_size,
                         bool say)
{
    if (first->n_sends != second->n_sends) {
        SAY("it sent %zu events, then %zu", first->n_sends, second->n_sends);
    }
    /* Starts at the end of the list, so that events come in the order of sending. */
    for (size_t k = 1; k <= first->n_sends; k++) {
        size_t i = first->n_sends - k;
        const struct rcheck_send *a = &first->sends[i];
        const struct rcheck_send *b = &second->sends[i];
        if (a->dest != b->dest) {
            SAY("its event no. %zu went to LP %" PRIu64 ", then to LP %" PRIu64, k, a->dest,
                b->dest);
        }
        if (memcmp(&a->recv_ts, &b->recv_ts, sizeof a->recv_ts) != 0) {
            SAY("its event no. %zu was for time %.17g, then for %.17g", k, a->recv_ts, b->recv_ts);
        }
        if (memcmp(&a->prio, &b->prio, sizeof a->prio) != 0 ||
            memcmp(&a->tie, &b->tie, sizeof a->tie) != 0 || a->lineage_len != b->lineage_len) {
            SAY("its event no. %zu had another priority, or other events were made before it", k);
        }
        struct rcheck_bytes payload = {"first", "second", first->payloads + i * pe->msg_bytes,
                                       second->payloads + i * pe->msg_bytes, pe->msg_bytes};
        size_t at = rcheck_first_difference(&payload);
        if (at < payload.size) {
            if (say) {
                rcheck_say_bytes("message sent", &payload);
            }
            SAY("the message of its event no. %zu, to LP %" PRIu64
                ", had %02x at offset %zu, then %02x",
                k, a->dest, payload.should[at], at, payload.is[at]);
        }
    }
    return false;
}

bool rcheck_outcome_differs(const struct pe *pe, const struct rcheck_outcome *first,
                            const struct rcheck_outcome *second, char *text, size_t text_size,
                            bool say)
{
    assert(first->message != NULL && second->message != NULL);
    if (sends_differ(pe, first, second, text, text_size, say)) {
        return true;
    }
    if (first->past_end != second->past_end || first->core_draws != second->core_draws) {
        SAY("it made %" PRIu64 " events, %" PRIu64 " past the end, then %" PRIu64 ", %" PRIu64
            " past the end",
            first->core_draws, first->past_end, second->core_draws, second->past_end);
    }
    struct rcheck_bytes message = {"first", "second", first->message, second->message,
                                   pe->msg_bytes};
    size_t at = rcheck_first_difference(&message);
    if (at < message.size) {
        if (say) {
            rcheck_say_bytes("message as it left it", &message);
        }
        SAY("it left %02x at offset %zu of its message, then %02x", message.should[at], at,
            message.is[at]);
    }
    if (memcmp(&first->bf, &second->bf, sizeof first->bf) != 0) {
        SAY("it set other bits in its tw_bf");
    }
    if (first->output != second->output) {
        SAY("it gave other text to tw_output()");
    }
    return false;
}

void rcheck_outcome_free(struct rcheck_outcome *outcome)
{
    free(outcome->sends);
    free(outcome->payloads);
    free(outcome->message);
    *outcome = (struct rcheck_outcome){0};
}
