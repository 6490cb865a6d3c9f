/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * run.c - runs in this process: messages of processors wait in a heap, in the order of their times.
 * Messages of the same time are handled in the order in which they were sent.
 */
#include <stdlib.h>

#include "machine/memory.h"
#include "store/array.h"

#define CLOCKS_RANKS_MOST 16 /* as in core/sched/clocks.h */

/* A message on its way. */
struct flight {
    double at;      /* time in ns at which it arrives */
    uint64_t order; /* number of messages sent before it */
    struct wp_message message;
};

struct run {
    struct wp_scene scene; /* first member: run_of() */
    struct wp_memory memory;
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
        run->memory.work.failed = true;
        return;
    }
    size_t i = run->n_heap++;
    for (; i > 0 && flight_before(&new, &run->heap[(i - 1) / 2]); i = (i - 1) / 2) {
        run->heap[i] = run->heap[(i - 1) / 2];
    }
    run->heap[i] = new;
}

static struct flight take_first(struct run *run)
{
    struct flight *heap = run->heap;
    const struct flight first = heap[0];
    const struct flight last = heap[--run->n_heap];
    size_t i = 0;
    for (size_t child = 1; child < run->n_heap; child = 2 * i + 1) {
        child += child + 1 < run->n_heap && flight_before(&heap[child + 1], &heap[child]);
        if (!flight_before(&heap[child], &last)) {
            break;
        }
        heap[i] = heap[child];
        i = child;
    }
    heap[i] = last;
    return first;
}

/* ---- Time Warp ------------------------------------------------------------------------------- */

static struct wp_self *self_of(struct wp_scene *scene, uint32_t local)
{
    return &run_of(scene)->memory.selves[scene->index * scene->m->per_processor + local];
}

static void processor_enter(struct run *run, uint32_t index)
{
    run->scene.index = index;
    run->scene.processor = wp_memory_processor(&run->memory, run->scene.m, index);
}

static bool optimistic_run(struct run *run, struct wp_result *result)
{
    const struct wp_model *m = run->scene.m;
    const bool *failed = &run->memory.work.failed;
    run->scene.self = self_of;
    run->scene.post = post;
    run->scene.work = &run->memory.work;
    if (!m->prepares && m->processors == m->ranks && m->ranks > 1 &&
        m->ranks <= CLOCKS_RANKS_MOST) {
        run->memory.work.clocks = run->clocks;
        for (uint32_t r = 0; r < m->ranks; r++) {
            wp_clock_init(&run->clocks[r]);
        }
    }
    for (uint32_t p = 0; p < m->processors; p++) {
        processor_enter(run, p);
        wp_processor_begin(&run->scene);
    }
    while (run->n_heap > 0 && !*failed) {
        const struct flight next = take_first(run);
        const uint32_t rank = next.message.rank;
        processor_enter(run, wp_processor_of(m, rank));
        run->scene.now = next.at;
        (void)wp_processor_handle(&run->scene, &next.message);
        if (run->scene.served != NULL) {
            const struct wp_self *self = run->scene.served;
            wp_turn_note(&result->ranks[self->rank->number], &run->scene.turn, self);
        }
    }
    for (uint32_t r = 0; r < m->ranks; r++) {
        struct wp_rank *rank = run->memory.selves[r].rank;
        rank->counts.strange += !rank->done;
        result->time_ns = rank->finished_ns > result->time_ns ? rank->finished_ns : result->time_ns;
    }
    free(run->heap);
    return !*failed;
}

bool wp_run(const struct wp_model *model, enum wp_scheduler scheduler, struct wp_result *result)
{
    struct wp_model m = *model;
    struct run run = {.scene = {.m = &m}};
    m.notices = !m.prepares && m.processors < m.ranks;
    if (m.takes_turns && m.notices) {
        m.machine.hop_ns = 0; /* no other rank runs while the last one votes */
    }
    if (scheduler != WP_OPTIMISTIC) {
        m.machine.turn_ns = 0; /* ranks execute a window without other actions in between */
    }
    if (!wp_memory_init(&run.memory, &m, result)) {
        return false;
    }
    const bool ok = scheduler == WP_OPTIMISTIC ? optimistic_run(&run, result)
                                               : wp_windows_run(&m, &run.memory, result);
    if (ok) {
        wp_result_finish(result, &run.memory);
    } else {
        wp_result_fini(result);
    }
    wp_memory_fini(&run.memory, &m);
    return ok;
}
