/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * run.c - runs in this process: messages of processors wait in a heap, in the order of their times.
 * Messages of the same time are handled in the order in which they were sent.
 */
#include <stdlib.h>

#include "machine/processor.h"
#include "store/array.h"
#include "store/heap.h"

/* A message on its way. */
struct flight {
    double at;      /* time in ns at which it arrives */
    uint64_t order; /* number of messages sent before it */
    struct wp_message message;
};

struct run {
    struct wp_scene scene; /* first member: run_of() */
    struct wp_work work;
    unsigned char *processors; /* [processors] of wp_processor_bytes() each */
    double *kp_last;           /* [ranks * kps] */
    struct wp_self *selves;    /* [ranks] */
    struct flight *heap;
    size_t n_heap, room;
    uint64_t sent;
    struct wp_clock clocks[CLOCKS_RANKS_MOST];
};

static struct run *run_of(struct wp_scene *scene)
{
    return (struct run *)(void *)scene;
}

/* ---- Messages on their way ------------------------------------------------------------------- */

static bool flight_before(const struct flight *a, const struct flight *b)
{
    return a->at < b->at || (a->at == b->at && a->order < b->order);
}

static void post(struct wp_scene *scene, const struct wp_message *message, double offset)
{
    struct run *run = run_of(scene);
    const struct flight new = {scene->now + offset, run->sent++, *message};
    if (!array_reserve(&run->heap, &run->room, run->n_heap + 1, sizeof *run->heap)) {
        run->work.failed = true;
        return;
    }
    size_t up, i = run->n_heap++;
    HEAP_UP(i, up, flight_before(&new, &run->heap[up]), run->heap[i] = run->heap[up]);
    run->heap[i] = new;
}

static struct flight take_first(struct run *run)
{
    struct flight *heap = run->heap;
    const struct flight first = heap[0];
    const struct flight last = heap[--run->n_heap];
    size_t down, i = 0;
    HEAP_DOWN(i, run->n_heap, down, flight_before(&heap[down + 1], &heap[down]),
              flight_before(&heap[down], &last), heap[i] = heap[down]);
    heap[i] = last;
    return first;
}

/* ---- The run --------------------------------------------------------------------------------- */

static struct wp_self *self_of(struct wp_scene *scene, uint32_t local)
{
    return &run_of(scene)->selves[scene->index * scene->m->per_processor + local];
}

static void processor_enter(struct run *run, uint32_t index)
{
    run->scene.index = index;
    run->scene.processor = (void *)(run->processors + index * wp_processor_bytes(run->scene.m));
}

/* Returns false if memory is exhausted. The caller must call run_fini() in either case. */
static bool run_init(struct run *run)
{
    const struct wp_model *m = run->scene.m;
    run->processors = calloc(m->processors, wp_processor_bytes(m));
    run->kp_last = calloc((size_t)m->ranks * m->kps, sizeof *run->kp_last);
    run->selves = calloc(m->ranks, sizeof *run->selves);
    if (!wp_work_init(&run->work, m->source) || run->processors == NULL || run->kp_last == NULL ||
        run->selves == NULL) {
        return false;
    }
    for (uint32_t r = 0; r < m->ranks; r++) {
        processor_enter(run, wp_processor_of(m, r));
        run->selves[r] =
            (struct wp_self){.m = m,
                             .rank = &run->scene.processor->ranks[r % m->per_processor],
                             .kp_last = run->kp_last + (size_t)r * m->kps,
                             .work = &run->work};
    }
    if (!m->prepares && !m->windows && clocks_are_shown(m->ranks, m->processors)) {
        run->work.clocks = run->clocks;
        for (uint32_t r = 0; r < m->ranks; r++) {
            wp_clock_init(&run->clocks[r]);
        }
    }
    return true;
}

static void run_fini(struct run *run)
{
    for (uint32_t r = 0; run->selves != NULL && r < run->scene.m->ranks; r++) {
        free(run->selves[r].slots);
    }
    free(run->selves);
    free(run->kp_last);
    free(run->processors);
    free(run->heap);
    wp_work_fini(&run->work);
}

/* Adds a turn to the result. */
static void turn_note(struct wp_result *result, const struct wp_turn *turn, const struct wp_rank *r)
{
    const uint32_t events = r->n_pending + r->n_inbox + r->n_history;
    struct wp_times *sums = &result->times;
    sums->execute_ns += turn->times.execute_ns;
    sums->undo_ns += turn->times.undo_ns;
    sums->receive_ns += turn->times.receive_ns;
    sums->send_ns += turn->times.send_ns;
    sums->gvt_ns += turn->times.gvt_ns;
    result->most_events = events > result->most_events ? events : result->most_events;
}

static void events_execute(struct run *run, struct wp_result *result)
{
    for (uint32_t p = 0; p < run->scene.m->processors; p++) {
        processor_enter(run, p);
        wp_processor_begin(&run->scene);
    }
    while (run->n_heap > 0 && !run->work.failed) {
        const struct flight next = take_first(run);
        processor_enter(run, wp_processor_of(run->scene.m, next.message.rank));
        run->scene.now = next.at;
        (void)wp_processor_handle(&run->scene, &next.message);
        if (run->scene.served != NULL) {
            turn_note(result, &run->scene.turn, run->scene.served->rank);
        }
    }
    for (uint32_t r = 0; r < run->scene.m->ranks; r++) {
        struct wp_rank *rank = run->selves[r].rank;
        const struct wp_counts *c = &rank->counts;
        rank->counts.strange += !rank->done;
        result->time_ns = rank->finished_ns > result->time_ns ? rank->finished_ns : result->time_ns;
        result->rounds = c->rounds > result->rounds ? c->rounds : result->rounds;
        result->votes = c->votes > result->votes ? c->votes : result->votes;
        wp_counts_add(&result->sums, c);
    }
}

bool wp_run(const struct wp_model *model, struct wp_result *result)
{
    struct wp_model m = *model;
    struct run run = {.scene = {.m = &m, .self = self_of, .post = post, .work = &run.work}};
    m.shows = !m.prepares && m.fanout + 1 >= m.ranks;
    m.notices = !m.prepares && !m.windows && m.processors < m.ranks;
    if (m.takes_turns && m.notices) {
        m.machine.hop_ns = 0; /* no other rank runs while the last one votes */
    }
    *result = (struct wp_result){.time_ns = 0};
    bool good = run_init(&run);
    if (good) {
        events_execute(&run, result);
        good = !run.work.failed;
    }
    run_fini(&run);
    return good;
}
