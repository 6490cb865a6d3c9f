/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * observe.c - the fields that warp adds to the records of the instrumentation. Event records
 * describe the message of the event; samples hold sums over a processor's ranks.
 */
#include "lp.h"

static const char *const kinds[] = {[0] = "",           [WP_TURN] = "turn",     [WP_DATA] = "data",
                                    [WP_VOTE] = "vote", [WP_ANSWER] = "answer", NULL};

/* at: in phold time. WP_DATA: receive time of the event; WP_VOTE: `least` of the vote; WP_ANSWER:
 * GVT. */
#define MESSAGE_FIELDS(X, r)                                                                       \
    X(r, F64, at, "phold", LEVEL, NULL)                                                            \
    X(r, U32, rank, "", IDENTITY, NULL)                                                            \
    X(r, U32, kind, "", IDENTITY, kinds)
MODEL_PAYLOAD(message, MESSAGE_FIELDS)

/* gvt: minimum GVT of the ranks. */
#define PROCESSOR_FIELDS(X, r)                                                                     \
    X(r, F64, gvt, "phold", LEVEL, NULL)                                                           \
    X(r, U64, executed, "events", COUNTER, NULL)                                                   \
    X(r, U64, undone, "events", COUNTER, NULL)                                                     \
    X(r, U64, committed, "events", COUNTER, NULL)                                                  \
    X(r, U64, messages, "", COUNTER, NULL)                                                         \
    X(r, U64, rounds, "", COUNTER, NULL)                                                           \
    X(r, U32, pending, "events", LEVEL, NULL)                                                      \
    X(r, U32, uncommitted, "events", LEVEL, NULL)
MODEL_PAYLOAD(processor, PROCESSOR_FIELDS)

MODEL_EVENT(message, const struct warp_message *message)
{
    const struct wp_message *body = &message->body;
    double at = body->kind == WP_DATA ? body->event.at : body->vote.least;
    return (struct message){at, body->rank, body->kind};
}

MODEL_PURE_SAMPLE(processor, const struct wp_processor *p)
{
    struct processor sample = {.gvt = INFINITY, .messages = p->messages};
    for (uint32_t i = 0; i < wp_ranks_of(wp_model(), (uint32_t)lp->gid); i++) {
        const struct wp_rank *r = &p->ranks[i];
        sample.gvt = ROSS_MIN(sample.gvt, r->gvt);
        sample.executed += r->counts.executed;
        sample.undone += r->counts.undone;
        sample.committed += r->counts.committed;
        sample.rounds += r->counts.rounds;
        sample.pending += r->n_pending;
        sample.uncommitted += r->n_history;
    }
    return sample;
}

struct model_observers warp_observers = MODEL_OBSERVERS(message, processor);
