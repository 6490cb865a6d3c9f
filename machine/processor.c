/* SPDX-License-Identifier: BSD-3-Clause */
/* processor.c - see processor.h. */
#include "machine/processor.h"

#include <assert.h>

static struct wp_rank *rank_of(const struct wp_scene *scene, uint32_t rank)
{
    assert(wp_processor_of(scene->m, rank) == scene->index);
    return &scene->processor->ranks[rank % scene->m->per_processor];
}

static double later(double a, double b)
{
    return a > b ? a : b;
}

/* ---- Sending --------------------------------------------------------------------------------- */

/* Sends to the processor itself a message that begins a turn after `offset`. */
static void wake_after(struct wp_scene *scene, double offset)
{
    const struct wp_message message = {.kind = WP_TURN,
                                       .rank = scene->index * scene->m->per_processor};
    scene->processor->awake = 1;
    scene->post(scene, &message, offset);
}

/* Sends to the processor itself the message that begins the next turn, unless such a message is
 * pending. */
static void wake(struct wp_scene *scene)
{
    if (!scene->processor->awake) {
        double begin = later(scene->processor->busy_until - scene->now, 0.0);
        wake_after(scene, begin + scene->m->machine.turn_ns);
    }
}

/* Sends the vote of a node to its parent node; the root instead sends itself the result of the
 * reduction. rank: rank of the node. */
static void vote_send_up(struct wp_scene *scene, uint32_t rank, struct wp_vote vote, double offset)
{
    const struct wp_model *m = scene->m;
    const bool is_root = rank == 0;
    const struct wp_message message = {.vote = vote,
                                       .rank = is_root ? 0 : (rank - 1) / m->fanout,
                                       .kind = is_root ? WP_ANSWER : WP_VOTE};
    scene->post(scene, &message, offset + (is_root || m->shows ? 0 : m->machine.hop_ns));
}

/* Sends the vote of a rank at the end of the rank's turn, after `offset`. A rank without children
 * has no node of its own, so its vote goes directly to the parent node. */
static void vote_send(struct wp_scene *scene, uint32_t rank, struct wp_vote vote, double offset)
{
    if (wp_children(scene->m, rank) == 0) {
        vote_send_up(scene, rank, vote, offset);
        return;
    }
    const struct wp_message message = {.vote = vote, .rank = rank, .kind = WP_VOTE};
    scene->post(scene, &message, offset);
}

/* Sends the messages of the current turn, which ends after `offset`. rank: rank that sends. */
static void outs_send(struct wp_scene *scene, uint32_t rank, double offset)
{
    const struct wp_model *m = scene->m;
    const struct wp_machine *c = &m->machine;
    const struct wp_work *w = scene->work;
    struct wp_processor *p = scene->processor;
    for (size_t i = 0; i < w->n_outs; i++) {
        const uint32_t to = w->outs[i].rank;
        const struct wp_message message = {.event = w->outs[i].event, .rank = to, .kind = WP_DATA};
        double leaves = later(scene->now + offset, p->wire_free);
        p->wire_free = leaves + wp_gap(c);
        double arrives = leaves + c->byte_ns + wp_latency(m, rank, to);
        if (m->windows && !m->prepares) {
            arrives = scene->now + offset; /* all messages are in rings when a rank votes */
        }
        scene->post(scene, &message, arrives - scene->now);
    }
    p->messages += w->n_outs;
}

/* ---- Messages -------------------------------------------------------------------------------- */

/* Returns the index of the first rank, in turn from `from` on, that can run; the number of ranks if all
 * wait. */
static uint32_t rank_next(const struct wp_scene *scene, uint32_t from)
{
    const uint32_t n = wp_ranks_of(scene->m, scene->index);
    uint32_t i = 0;
    while (i < n && scene->processor->ranks[(from + i) % n].idle) {
        i++;
    }
    return i < n ? (from + i) % n : n;
}

/* Chooses the rank that runs next, and stores in *switch_ns the time to change to this rank.
 * Returns false if all ranks wait. */
static bool rank_choose(struct wp_scene *scene, double *switch_ns)
{
    struct wp_processor *p = scene->processor;
    const uint32_t n = wp_ranks_of(scene->m, scene->index);
    assert(p->current < n);
    *switch_ns = 0;
    if (!p->ranks[p->current].idle && (n == 1 || scene->now < p->slice_end)) {
        return true;
    }
    const uint32_t next = rank_next(scene, p->current + 1);
    if (next < n) {
        *switch_ns = next != p->current ? scene->m->machine.switch_ns : 0;
        p->current = next;
        p->slice_end = scene->now + scene->m->machine.slice_ns;
    }
    return next < n;
}

static void on_turn(struct wp_scene *scene)
{
    struct wp_processor *p = scene->processor;
    double switch_ns;
    p->awake = 0;
    if (!rank_choose(scene, &switch_ns)) {
        return;
    }
    struct wp_self *self = scene->self(scene, p->current);
    const uint32_t rank = self->rank->number;
    scene->turn = wp_turn(self, scene->now);
    scene->served = self;
    double offset = switch_ns + scene->turn.cost_ns;
    p->busy_until = scene->now + offset;
    p->slice_end = scene->turn.yields ? scene->now : p->slice_end;
    outs_send(scene, rank, offset);
    if (scene->turn.votes) {
        vote_send(scene, rank, scene->turn.vote, offset);
    }
    if (rank_next(scene, 0) < wp_ranks_of(scene->m, scene->index)) {
        /* The last rank to vote takes the result before any other rank has a turn. */
        const bool decides = scene->turn.votes && scene->m->takes_turns && scene->m->notices;
        wake_after(scene, offset + (decides ? scene->m->machine.turn_ns : 0));
    }
}

/* Lets a waiting rank have a turn, unless the simulated run has ended for the rank. */
static void rank_wake(struct wp_scene *scene, struct wp_rank *r)
{
    if (!r->done) {
        r->idle = 0;
        wake(scene);
    }
}

/* Sends all ranks the result of their votes in shared memory: each has it when it sees the last vote of
 * another rank. before: time of the last vote but one. */
static void result_show(struct wp_scene *scene, struct wp_vote sum, double before)
{
    const double hop = scene->m->machine.hop_ns;
    for (uint32_t rank = 0; rank < scene->m->ranks; rank++) {
        const struct wp_message message = {.vote = sum, .rank = rank, .kind = WP_ANSWER};
        scene->post(scene, &message,
                    rank == sum.from ? later(before + hop - scene->now, 0.0) : hop);
    }
}

static void on_vote(struct wp_scene *scene, const struct wp_message *message)
{
    struct wp_vote sum;
    struct wp_rank *r = rank_of(scene, message->rank);
    const double before = r->node_ns;
    r->node_ns = scene->now;
    if (wp_node_add(scene->m, r, message->vote, &sum)) {
        if (scene->m->shows) {
            result_show(scene, sum, before);
        } else {
            vote_send_up(scene, r->number, sum, 0);
        }
    }
}

static void on_answer(struct wp_scene *scene, const struct wp_message *message)
{
    const struct wp_model *m = scene->m;
    struct wp_rank *r = rank_of(scene, message->rank);
    struct wp_message down = *message;
    for (uint32_t i = 0; i < wp_children(m, r->number) && !m->shows; i++) {
        down.rank = r->number * m->fanout + 1 + i;
        scene->post(scene, &down, m->machine.hop_ns);
    }
    r->answer = message->vote.in_transit != 0 ? WP_AGAIN : WP_GVT;
    r->answer_gvt = message->vote.least;
    rank_wake(scene, r);
}

void wp_processor_begin(struct wp_scene *scene)
{
    const struct wp_model *m = scene->m;
    for (uint32_t i = 0; i < wp_ranks_of(m, scene->index); i++) {
        struct wp_self *self = scene->self(scene, i);
        wp_rank_init(self, scene->index * m->per_processor + i);
        self->rank->idle = 1; /* no event is executed before the first GVT */
        vote_send(scene, self->rank->number, wp_join(self), m->machine.vote_ns);
    }
}

bool wp_processor_handle(struct wp_scene *scene, const struct wp_message *message)
{
    scene->served = NULL;
    switch ((enum wp_kind)message->kind) {
    case WP_TURN:
        on_turn(scene);
        break;
    case WP_DATA: {
        struct wp_rank *r = rank_of(scene, message->rank);
        if (!wp_arrive(scene->self(scene, message->rank % scene->m->per_processor),
                       message->event)) {
            return false;
        }
        rank_wake(scene, r);
        break;
    }
    case WP_VOTE:
        on_vote(scene, message);
        break;
    case WP_ANSWER:
        on_answer(scene, message);
        break;
    }
    return true;
}
