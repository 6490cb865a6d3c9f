/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wrong_reverse - a model in which one LP makes a mistake in its reverse handler. A sequential run
 * is right; an optimistic run with rollbacks goes wrong first at that LP. For tests of "warpscope
 * diff", --random-rollbacks, --synch=4 and --synch=6.
 *
 * Each event changes the receiver's state, draws a receiver and an offset for the next event, and
 * changes the message. Values of --mistake:
 *
 *     none     no mistake
 *     state    a counter is not restored
 *     draw     one of two random numbers is not undone
 *     order    two steps are undone in the order in which they were made
 *     message  the message is not restored
 *     commit   the commit handler changes the state
 *     twice    a random number is undone that was not drawn
 *     hidden   the forward handler uses a variable outside of the state
 *
 * --traced is the payload in the event trace, "state" or "nothing".
 */
#include "ross.h"
#include "support/even_ranks.h"

#define LEAST_OFFSET 0.1 /* the lookahead */

struct message {
    uint64_t value;
};

struct state {
    uint64_t count;
    uint64_t mixed;
    uint64_t last;
};

static unsigned int total_lps = 24;
static unsigned int wrong_lp = 7;
static unsigned int work = 0;
static uint64_t hidden;
static char mistake[16] = "none";
static char traced[16] = "state";
static char undo[16] = "steps";

static bool makes(const tw_lp *lp, const char *which)
{
    return lp->gid == wrong_lp && strcmp(mistake, which) == 0;
}

static void swap(uint64_t *a, uint64_t *b)
{
    uint64_t kept = *a;
    *a = *b;
    *b = kept;
}

static void send_next(tw_lp *lp, uint64_t value)
{
    tw_lpid dest = (tw_lpid)tw_rand_integer(lp->rng, 0, (long)g_tw_total_lps - 1);
    tw_event *event = tw_event_new(dest, LEAST_OFFSET + tw_rand_unif(lp->rng), lp);
    ((struct message *)tw_event_data(event))->value = value;
    tw_event_send(event);
}

static void init(void *sv, tw_lp *lp)
{
    struct state *s = sv;
    s->mixed = lp->gid + 1;
    send_next(lp, lp->gid);
}

/* Only rank 0 works, so that the other ranks run ahead and roll back. */
static void busy_work(void)
{
    volatile unsigned int done = 0;
    while (g_tw_mynode == 0 && done < work) {
        done = done + 1;
    }
}

static void forward(void *sv, tw_bf *bf, void *msg, tw_lp *lp)
{
    struct state *s = sv;
    struct message *m = msg;
    (void)bf;
    busy_work();
    s->count++;
    s->mixed ^= makes(lp, "hidden") ? ++hidden : m->value;
    s->mixed = s->mixed << 7 | s->mixed >> 57;
    swap(&s->last, &m->value);
    send_next(lp, s->mixed + s->count);
}

static void reverse(void *sv, tw_bf *bf, void *msg, tw_lp *lp)
{
    struct state *s = sv;
    struct message *m = msg;
    (void)bf;
    int draws = 2 - makes(lp, "draw") + makes(lp, "twice");
    for (; draws > 0; draws--) {
        tw_rand_reverse_unif(lp->rng);
    }
    swap(&s->last, &m->value);
    uint64_t value = m->value;
    if (makes(lp, "hidden")) {
        s->mixed = (s->mixed >> 7 | s->mixed << 57) ^ hidden;
    } else if (makes(lp, "order")) {
        s->mixed ^= value;
        s->mixed = s->mixed >> 7 | s->mixed << 57;
    } else {
        s->mixed = s->mixed >> 7 | s->mixed << 57;
        s->mixed ^= value;
    }
    if (makes(lp, "message")) {
        m->value = value + 1;
    }
    if (!makes(lp, "state")) {
        s->count--;
    }
}

static void commit(void *sv, tw_bf *bf, void *msg, tw_lp *lp)
{
    struct state *s = sv;
    (void)bf;
    (void)msg;
    (void)lp;
    s->last++;
}

/* The same handlers with a snapshot instead of reverse steps. Draws and message are not part
 * of it. */
static void forward_with_snapshot(void *sv, tw_bf *bf, void *msg, tw_lp *lp)
{
    tw_snapshot(lp, sizeof(struct state));
    forward(sv, bf, msg, lp);
    tw_snapshot_delta(lp, sizeof(struct state));
}

static void reverse_by_snapshot(void *sv, tw_bf *bf, void *msg, tw_lp *lp)
{
    const struct state *s = sv;
    struct message *m = msg;
    (void)bf;
    tw_rand_reverse_unif(lp->rng);
    tw_rand_reverse_unif(lp->rng);
    m->value = s->last;
    tw_snapshot_restore(lp, sizeof(struct state));
}

static void ev_trace(void *msg, tw_lp *lp, char *buffer, int *collect_flag)
{
    (void)msg;
    (void)collect_flag;
    memcpy(buffer, lp->cur_state, sizeof(struct state));
}

static const st_field fields[] = {
    {"count", ST_U64, offsetof(struct state, count), "events", 1},
    {"mixed", ST_U64, offsetof(struct state, mixed), "", 1},
    {"last", ST_U64, offsetof(struct state, last), "", 1},
    {NULL, ST_U8, 0, NULL, 0},
};

static st_model_types observers = {.ev_trace = ev_trace, .ev_sz = sizeof(struct state)};

static tw_lptype type = {
    .init = init,
    .event = forward,
    .revent = reverse,
    .map = rank_of,
    .state_sz = sizeof(struct state),
};

/* Commit handler of the LP that changes its state there. */
static tw_lptype committing_type;

static const tw_optdef options[] = {
    TWOPT_GROUP("wrong_reverse"),
    TWOPT_UINT("lps", total_lps, "of all ranks, a multiple of their number"),
    TWOPT_UINT("wrong-lp", wrong_lp, "the one that is wrong"),
    TWOPT_CHAR("mistake", mistake, "none, state, draw, order, message, commit, twice, hidden"),
    TWOPT_CHAR(
        "undo", undo,
        "steps: by a reverse handler; snapshot: by tw_snapshot_restore(); saved: there is no "
        "reverse handler, the engine saves states"),
    TWOPT_CHAR("traced", traced, "state, nothing"),
    TWOPT_UINT("work", work, "rounds of a loop per event, on rank 0 only"),
    TWOPT_END(),
};

int main(int argc, char **argv)
{
    g_tw_ts_end = 100.0;
    g_tw_lookahead = LEAST_OFFSET;
    tw_opt_add(options);
    tw_init(&argc, &argv);
    if (total_lps == 0 || total_lps % tw_nnodes() != 0) {
        if (tw_ismaster()) {
            fprintf(stderr, "wrong_reverse: --lps: must be a multiple of the number of ranks\n");
        }
        tw_end();
        return 2;
    }
    if (strcmp(undo, "saved") == 0) {
        type.revent = NULL;
    } else if (strcmp(undo, "snapshot") == 0) {
        type.event = forward_with_snapshot;
        type.revent = reverse_by_snapshot;
    }
    committing_type = type;
    committing_type.commit = commit;
    tw_define_lps(total_lps / tw_nnodes(), sizeof(struct message));
    for (tw_lpid i = 0; i < g_tw_nlp; i++) {
        tw_lp_settype(i, makes(g_tw_lp[i], "commit") ? &committing_type : &type);
        if (strcmp(traced, "state") == 0) {
            st_model_settype(i, &observers);
        }
    }
    st_model_fields(&observers, ST_PAYLOAD_EV, fields);
    tw_run();
    tw_end();
    return 0;
}
