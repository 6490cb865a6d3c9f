/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * windows.c - runs without rollbacks, by the rules of core/sched/conservative.c: ranks execute the
 * events from GVT to GVT + lookahead, vote in a round, and receive messages until it ends. A run on
 * one rank is a single window without a vote, as in core/sched/sequential.c.
 *
 * Ranks that vote in shared memory need one reduction per round. Ranks that vote by MPI need
 * another one if a message arrives after its receiver has voted.
 */
#include <assert.h>
#include <stdlib.h>

#include "machine/memory.h"
#include "store/array.h"

/* A message, which its rank receives before the next window. */
struct mail {
    struct wp_step step;
    double arrives; /* time in ns */
};

struct windows {
    const struct wp_model *m;
    struct wp_memory *memory;
    struct wp_result *result;
    struct mail *mail; /* [n_mail] messages of the current window */
    size_t n_mail, room;
    double *clock; /* [processors] time in ns until which the processor is busy */
    double *voted; /* [ranks] time in ns of the rank's vote */
    double *hops;  /* [ranks] time in ns from the rank's node of the tree to the root */
};

static void note(struct windows *w, uint32_t rank, struct wp_turn turn)
{
    w->clock[wp_processor_of(w->m, rank)] += turn.cost_ns;
    wp_turn_note(&w->result->ranks[rank], &turn, &w->memory->selves[rank]);
}

/* Lets all ranks vote, at the times of their processors. Returns the time in ns at which the root
 * knows the result. */
static double reduction(struct windows *w)
{
    const double vote_ns = w->m->machine.vote_ns;
    double root = 0;
    for (uint32_t r = 0; r < w->m->ranks; r++) {
        note(w, r, (struct wp_turn){.cost_ns = vote_ns, .gvt_ns = vote_ns});
        w->memory->selves[r].rank->counts.votes++;
        w->voted[r] = w->clock[wp_processor_of(w->m, r)];
        root = w->voted[r] + w->hops[r] > root ? w->voted[r] + w->hops[r] : root;
    }
    return root;
}

/* Lets processors wait for a result. root: time at which the root knows it. */
static void await(struct windows *w, double root)
{
    for (uint32_t r = 0; r < w->m->ranks; r++) {
        double *clock = &w->clock[wp_processor_of(w->m, r)];
        *clock = root + w->hops[r] > *clock ? root + w->hops[r] : *clock;
    }
}

/* Delivers the messages of the window. Ranks receive them while they wait. */
static void deliver(struct windows *w)
{
    const double receive_ns = w->m->machine.receive_ns;
    for (size_t i = 0; i < w->n_mail; i++) {
        const uint32_t rank = w->mail[i].step.rank;
        struct wp_self *s = &w->memory->selves[rank];
        s->rank->counts.strange += w->mail[i].step.event.at < s->rank->gvt;
        wp_arrive(s, w->mail[i].step.event);
        note(w, rank, (struct wp_turn){.cost_ns = receive_ns, .message_ns = receive_ns});
    }
    for (uint32_t r = 0; r < w->m->ranks; r++) {
        wp_receive(&w->memory->selves[r]);
    }
    w->n_mail = 0;
}

/* A GVT round. */
static void round_make(struct windows *w)
{
    const double vote_ns = w->m->machine.vote_ns;
    double root = reduction(w);
    bool again = false;
    for (size_t i = 0; i < w->n_mail && w->m->prepares; i++) {
        again |= w->mail[i].arrives > w->voted[w->mail[i].step.rank];
    }
    deliver(w);
    if (again) {
        await(w, root);
        root = reduction(w);
    }
    await(w, root);
    for (uint32_t r = 0; r < w->m->ranks; r++) {
        note(w, r, (struct wp_turn){.cost_ns = vote_ns, .gvt_ns = vote_ns});
        w->memory->selves[r].rank->counts.rounds++;
    }
}

/* Keeps the messages of a turn that has just ended. */
static void outs_keep(struct windows *w, uint32_t rank)
{
    struct wp_work *work = &w->memory->work;
    const struct wp_machine *c = &w->m->machine;
    struct wp_processor *p = wp_memory_processor(w->memory, w->m, wp_processor_of(w->m, rank));
    if (!array_reserve(&w->mail, &w->room, w->n_mail + work->n_outs, sizeof *w->mail)) {
        work->failed = true;
        return;
    }
    for (size_t i = 0; i < work->n_outs; i++) {
        const double now = w->clock[wp_processor_of(w->m, rank)];
        const double leaves = now > p->wire_free ? now : p->wire_free;
        p->wire_free = leaves + (c->gap_ns > c->byte_ns ? c->gap_ns : c->byte_ns);
        w->mail[w->n_mail++] = (struct mail){
            work->outs[i], leaves + c->byte_ns + wp_latency(w->m, rank, work->outs[i].rank)};
    }
}

/* Executes the events of a rank before `horizon`. No message comes before it, so events are
 * committed as soon as all earlier ones have been executed. */
static void window_execute(struct windows *w, uint32_t rank, double horizon)
{
    struct wp_self *s = &w->memory->selves[rank];
    if (w->m->per_processor > 1) {
        note(w, rank, (struct wp_turn){.cost_ns = w->m->machine.switch_ns});
    }
    while (wp_first_at(s) < horizon && !w->memory->work.failed) {
        struct wp_turn turn = {0};
        const struct wp_counts before = wp_turn_begin(s);
        wp_execute(s, horizon, w->m->batch);
        wp_turn_cost(s, &before, 0, 0, &turn);
        note(w, rank, turn);
        outs_keep(w, rank);
        s->rank->gvt = wp_first_at(s) < horizon ? wp_first_at(s) : horizon;
        wp_fossil_collect(s);
    }
    s->rank->gvt = horizon; /* earlier messages break the rules */
}

static double least(const struct windows *w)
{
    double at = INFINITY;
    for (uint32_t r = 0; r < w->m->ranks; r++) {
        const double first = wp_first_at(&w->memory->selves[r]);
        at = first < at ? first : at;
    }
    return at;
}

static void windows_execute(struct windows *w)
{
    const bool alone = w->m->ranks == 1;
    for (;;) {
        if (!alone) {
            round_make(w);
        }
        const double gvt = least(w);
        if (!(gvt < w->m->end) || w->memory->work.failed) {
            return;
        }
        double horizon = alone ? INFINITY : gvt + w->m->lookahead;
        horizon = horizon > gvt ? horizon : nextafter(gvt, INFINITY);
        for (uint32_t r = 0; r < w->m->ranks; r++) {
            window_execute(w, r, horizon);
        }
    }
}

bool wp_windows_run(const struct wp_model *m, struct wp_memory *memory, struct wp_result *result)
{
    assert(m->ranks == 1 || m->lookahead > 0);
    struct windows w = {.m = m,
                        .memory = memory,
                        .result = result,
                        .clock = calloc(m->processors, sizeof *w.clock),
                        .voted = calloc(m->ranks, sizeof *w.voted),
                        .hops = calloc(m->ranks, sizeof *w.hops)};
    bool ok = w.clock != NULL && w.voted != NULL && w.hops != NULL;
    for (uint32_t r = 0; r < m->ranks && ok; r++) {
        w.hops[r] = r == 0 ? 0 : w.hops[(r - 1) / m->fanout] + m->machine.hop_ns;
        wp_rank_init(&memory->selves[r], r);
    }
    if (ok) {
        windows_execute(&w);
        ok = !memory->work.failed;
    }
    for (uint32_t p = 0; p < m->processors && ok; p++) {
        result->time_ns = w.clock[p] > result->time_ns ? w.clock[p] : result->time_ns;
    }
    free(w.mail);
    free(w.clock);
    free(w.voted);
    free(w.hops);
    return ok;
}
