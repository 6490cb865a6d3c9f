/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * processor.c - the events of processors, and their reversal.
 *
 * Bit c0 of an event: the message found no free slot.
 *
 * Every event is undone by tw_snapshot_restore(). Only turns change many slots. The snapshots of
 * other events therefore do not include the memory of the ranks' events. WP_DATA additionally
 * stores the old content of the slot that it overwrites.
 */
#include "processor.h"

#include <assert.h>

static struct wp_work work;

/* ---- States ---------------------------------------------------------------------------------- */

/* Returns the size in bytes of a state without the memory of the ranks' events, which is at its
 * end. */
static size_t ranks_bytes(const struct wp_model *m)
{
    return sizeof(struct wp_processor) + m->per_processor * sizeof(struct wp_rank);
}

static size_t events_bytes(const struct wp_model *m)
{
    return m->kps * sizeof(double) + m->slots * sizeof(struct wp_event);
}

size_t wp_state_bytes(const struct wp_model *m)
{
    return ranks_bytes(m) + m->per_processor * events_bytes(m);
}

/* Returns the rank with index `local` in a state, together with its memory. */
static struct wp_self self_of(struct wp_processor *p, uint32_t local)
{
    assert(local < wp_model()->per_processor);
    const struct wp_model *m = wp_model();
    unsigned char *memory = (unsigned char *)p + ranks_bytes(m) + local * events_bytes(m);
    return (struct wp_self){.m = m,
                            .rank = &p->ranks[local],
                            .kp_last = (double *)(void *)memory,
                            .slots = (void *)(memory + m->kps * sizeof(double)),
                            .work = &work};
}

void wp_processors_init(void)
{
    wp_work_init(&work, wp_model());
}

void wp_processors_fini(void)
{
    wp_work_fini(&work);
}

static struct wp_rank *rank_of(struct wp_processor *p, uint32_t rank)
{
    return &p->ranks[rank % wp_model()->per_processor];
}

/* ---- Sending --------------------------------------------------------------------------------- */

static struct wp_message *message_new(tw_event **event, enum wp_kind kind, uint32_t rank,
                                      double offset, tw_lp *lp)
{
    *event = tw_event_new(wp_processor_of(wp_model(), rank), offset, lp);
    struct wp_message *message = tw_event_data(*event);
    *message = (struct wp_message){.kind = kind, .rank = rank};
    return message;
}

/* Sends to the processor itself an event that begins a turn after `offset`. */
static void wake_after(struct wp_processor *p, double offset, tw_lp *lp)
{
    tw_event *event;
    uint32_t rank = (uint32_t)lp->gid * wp_model()->per_processor;
    p->awake = 1;
    message_new(&event, WP_TURN, rank, offset, lp);
    tw_event_send(event);
}

/* Sends to the processor itself the event that begins the next turn, unless such an event is
 * pending. */
static void wake(struct wp_processor *p, tw_lp *lp)
{
    if (!p->awake) {
        double begin = ROSS_MAX(p->busy_until - tw_now(lp), 0.0);
        wake_after(p, begin + wp_model()->machine.turn_ns, lp);
    }
}

/* Sends the vote of a node to its parent node; the root instead sends itself the result of the
 * reduction. rank: rank of the node. */
static void vote_send_up(uint32_t rank, struct wp_vote vote, double offset, tw_lp *lp)
{
    const struct wp_model *m = wp_model();
    tw_event *event;
    bool is_root = rank == 0;
    struct wp_message *message =
        message_new(&event, is_root ? WP_ANSWER : WP_VOTE, is_root ? 0 : (rank - 1) / m->fanout,
                    offset + (is_root ? 0 : m->machine.hop_ns), lp);
    message->least = vote.least;
    message->in_transit = vote.in_transit;
    tw_event_send(event);
}

/* Sends the vote of a rank at the end of the rank's turn, after `offset`. A rank without children
 * has no node of its own, so its vote goes directly to the parent node. */
static void vote_send(const struct wp_rank *r, struct wp_vote vote, double offset, tw_lp *lp)
{
    const struct wp_model *m = wp_model();
    tw_event *event;
    if (wp_children(m, r->number) == 0) {
        vote_send_up(r->number, vote, offset, lp);
        return;
    }
    struct wp_message *message = message_new(&event, WP_VOTE, r->number, offset, lp);
    message->least = vote.least;
    message->in_transit = vote.in_transit;
    tw_event_send(event);
}

/* Sends the messages of the current turn, which ends after `offset`. */
static void outs_send(struct wp_processor *p, double offset, tw_lp *lp)
{
    const struct wp_machine *c = &wp_model()->machine;
    const double now = tw_now(lp);
    for (uint32_t i = 0; i < work.n_outs; i++) {
        double leaves = ROSS_MAX(now + offset, p->wire_free);
        p->wire_free = leaves + ROSS_MAX(c->gap_ns, c->byte_ns);
        double arrives = leaves + c->byte_ns + c->latency_ns;
        tw_event *event;
        message_new(&event, WP_DATA, work.outs[i].rank, arrives - now, lp)->event =
            work.outs[i].event;
        tw_event_send(event);
    }
    p->messages += work.n_outs;
}

/* ---- Events ---------------------------------------------------------------------------------- */

/* Chooses the rank that runs next, and stores in *switch_ns the time to change to this rank.
 * Returns false if all ranks wait. */
static bool rank_choose(struct wp_processor *p, double *switch_ns, const tw_lp *lp)
{
    const struct wp_model *m = wp_model();
    const uint32_t n = wp_ranks_of(m, lp->gid);
    assert(p->current < n);
    *switch_ns = 0;
    if (!p->ranks[p->current].idle && (n == 1 || tw_now(lp) < p->slice_end)) {
        return true;
    }
    for (uint32_t i = 1; i <= n; i++) {
        uint32_t next = (p->current + i) % n;
        if (!p->ranks[next].idle) {
            *switch_ns = next != p->current ? m->machine.switch_ns : 0;
            p->current = next;
            p->slice_end = tw_now(lp) + m->machine.slice_ns;
            return true;
        }
    }
    return false;
}

static bool all_wait(const struct wp_processor *p, const tw_lp *lp)
{
    for (uint32_t i = 0; i < wp_ranks_of(wp_model(), lp->gid); i++) {
        if (!p->ranks[i].idle) {
            return false;
        }
    }
    return true;
}

static void on_turn(struct wp_processor *p, tw_lp *lp)
{
    double switch_ns;
    p->awake = 0;
    if (!rank_choose(p, &switch_ns, lp)) {
        return;
    }
    struct wp_self self = self_of(p, p->current);
    struct wp_turn turn = wp_turn(&self, tw_now(lp));
    double offset = switch_ns + turn.cost_ns;
    p->busy_until = tw_now(lp) + offset;
    outs_send(p, offset, lp);
    if (turn.votes) {
        vote_send(self.rank, turn.vote, offset, lp);
    }
    if (!all_wait(p, lp)) {
        wake_after(p, offset, lp);
    }
}

/* Lets a waiting rank have a turn, unless the simulated run has ended for the rank. */
static void rank_wake(struct wp_processor *p, struct wp_rank *r, tw_lp *lp)
{
    if (!r->done) {
        r->idle = 0;
        wake(p, lp);
    }
}

static void on_data(struct wp_processor *p, tw_bf *bf, struct wp_message *message, tw_lp *lp)
{
    struct wp_self self = self_of(p, message->rank % wp_model()->per_processor);
    bf->c0 = wp_free(&self) == 0;
    if (!bf->c0) {
        message->undo = self.slots[self.rank->n_pending + self.rank->n_inbox];
        wp_arrive(&self, message->event);
        rank_wake(p, self.rank, lp);
    }
}

static void on_vote(struct wp_processor *p, const struct wp_message *message, tw_lp *lp)
{
    assert(wp_processor_of(wp_model(), message->rank) == lp->gid);
    struct wp_vote sum;
    struct wp_rank *r = rank_of(p, message->rank);
    if (wp_node_add(wp_model(), r, (struct wp_vote){message->least, message->in_transit}, &sum)) {
        vote_send_up(r->number, sum, 0, lp);
    }
}

static void on_answer(struct wp_processor *p, const struct wp_message *message, tw_lp *lp)
{
    assert(wp_processor_of(wp_model(), message->rank) == lp->gid);
    const struct wp_model *m = wp_model();
    struct wp_rank *r = rank_of(p, message->rank);
    for (uint32_t i = 0; i < wp_children(m, r->number); i++) {
        tw_event *event;
        uint32_t child = r->number * m->fanout + 1 + i;
        struct wp_message *down = message_new(&event, WP_ANSWER, child, m->machine.hop_ns, lp);
        down->least = message->least;
        down->in_transit = message->in_transit;
        tw_event_send(event);
    }
    r->answer = message->in_transit != 0 ? WP_AGAIN : WP_GVT;
    r->answer_gvt = message->least;
    rank_wake(p, r, lp);
}

/* ---- Handlers -------------------------------------------------------------------------------- */

/* Returns the number of bytes, from the start of a state, that an event may change. The slot that
 * WP_DATA overwrites is not included. */
static size_t changed_bytes(const struct wp_message *message)
{
    const struct wp_model *m = wp_model();
    return message->kind == WP_TURN ? wp_state_bytes(m) : ranks_bytes(m);
}

void wp_processor_init(void *state, tw_lp *lp)
{
    const struct wp_model *m = wp_model();
    struct wp_processor *p = state;
    for (uint32_t i = 0; i < wp_ranks_of(m, lp->gid); i++) {
        struct wp_self self = self_of(p, i);
        wp_rank_init(&self, (uint32_t)lp->gid * m->per_processor + i);
        self.rank->idle = 1; /* no event is executed before the first GVT */
        vote_send(self.rank, wp_first_vote(&self), m->machine.vote_ns, lp);
    }
}

void wp_processor_event(void *state, tw_bf *bf, void *message_bytes, tw_lp *lp)
{
    struct wp_message *message = message_bytes;
    tw_snapshot(lp, changed_bytes(message));
    switch ((enum wp_kind)message->kind) {
    case WP_TURN:
        on_turn(state, lp);
        break;
    case WP_DATA:
        on_data(state, bf, message, lp);
        break;
    case WP_VOTE:
        on_vote(state, message, lp);
        break;
    case WP_ANSWER:
        on_answer(state, message, lp);
        break;
    }
    tw_snapshot_delta(lp, changed_bytes(message));
}

void wp_processor_revent(void *state, tw_bf *bf, void *message_bytes, tw_lp *lp)
{
    struct wp_message *message = message_bytes;
    tw_snapshot_restore(lp, changed_bytes(message));
    if (message->kind == WP_DATA && !bf->c0) {
        struct wp_self self = self_of(state, message->rank % wp_model()->per_processor);
        self.slots[self.rank->n_pending + self.rank->n_inbox] = message->undo;
        message->undo = (struct wp_event){0};
    }
}

void wp_processor_commit(void *state, tw_bf *bf, void *message_bytes, tw_lp *lp)
{
    (void)state;
    (void)lp;
    const struct wp_message *message = message_bytes;
    if (bf->c0) {
        tw_error(TW_LOC, "simulated rank %u has no slot for a message: give --slots=%u or more",
                 message->rank, 2 * wp_model()->slots);
    }
}
