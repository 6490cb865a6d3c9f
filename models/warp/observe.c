/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * observe.c - the fields that warp adds to the records of the instrumentation. Event records
 * describe the message of the event; samples hold sums over a processor's ranks. The structs have
 * no padding.
 */
#include "common/observe.h"
#include "processor.h"

struct message_record {
    /* In phold time. WP_DATA: receive time of the event; WP_VOTE: `least` of the vote; WP_ANSWER:
     * GVT. */
    double at;
    uint32_t rank;
    uint32_t kind;
};
_Static_assert(sizeof(struct message_record) == 16, "no padding");

struct processor_record {
    double gvt; /* minimum GVT of the ranks */
    uint64_t executed, undone, committed, messages, rounds;
    uint32_t pending, uncommitted;
};
_Static_assert(sizeof(struct processor_record) == 56, "no padding");

static const char *const kinds[] = {[0] = "",           [WP_TURN] = "turn",     [WP_DATA] = "data",
                                    [WP_VOTE] = "vote", [WP_ANSWER] = "answer", NULL};

static const st_field message_fields[] = {
    {"at", ST_F64, offsetof(struct message_record, at), "phold", 1, ST_LEVEL},
    {"rank", ST_U32, offsetof(struct message_record, rank), "", 1, ST_IDENTITY},
    {"kind", ST_U32, offsetof(struct message_record, kind), "", 1, ST_IDENTITY, kinds},
    {NULL, ST_U8, 0, NULL, 0, ST_UNSTATED},
};

#define COUNT(name, unit, nature)                                                                  \
    {                                                                                              \
#name, ST_U64, offsetof(struct processor_record, name), unit, 1, nature                    \
    }
#define LEVEL(name, unit)                                                                          \
    {                                                                                              \
#name, ST_U32, offsetof(struct processor_record, name), unit, 1, ST_LEVEL                  \
    }

static const st_field processor_fields[] = {
    {"gvt", ST_F64, offsetof(struct processor_record, gvt), "phold", 1, ST_LEVEL},
    COUNT(executed, "events", ST_COUNTER),
    COUNT(undone, "events", ST_COUNTER),
    COUNT(committed, "events", ST_COUNTER),
    COUNT(messages, "", ST_COUNTER),
    COUNT(rounds, "", ST_COUNTER),
    LEVEL(pending, "events"),
    LEVEL(uncommitted, "events"),
    {NULL, ST_U8, 0, NULL, 0, ST_UNSTATED},
};

static void message_trace(void *bytes, tw_lp *lp, char *buffer, int *collect_flag)
{
    (void)lp;
    (void)collect_flag;
    const struct wp_message *message = bytes;
    struct message_record record = {message->kind == WP_DATA ? message->event.at : message->least,
                                    message->rank, message->kind};
    memcpy(buffer, &record, sizeof record);
}

static void processor_sample(void *state, tw_lp *lp, char *buffer)
{
    const struct wp_processor *p = state;
    struct processor_record record = {.gvt = INFINITY, .messages = p->messages};
    for (uint32_t i = 0; i < wp_ranks_of(wp_model(), lp->gid); i++) {
        const struct wp_rank *r = &p->ranks[i];
        record.gvt = ROSS_MIN(record.gvt, r->gvt);
        record.executed += r->counts.executed;
        record.undone += r->counts.undone;
        record.committed += r->counts.committed;
        record.rounds += r->counts.rounds;
        record.pending += r->n_pending;
        record.uncommitted += r->n_history;
    }
    memcpy(buffer, &record, sizeof record);
}

static st_model_types observers = {
    MODEL_OBSERVE_EVENTS(message_trace, struct message_record),
    MODEL_OBSERVE_STATE(processor_sample, struct processor_record),
};

st_model_types *wp_observers(void)
{
    return &observers;
}

void wp_observers_describe(void)
{
    model_observers_describe(&observers, message_fields, processor_fields);
}
