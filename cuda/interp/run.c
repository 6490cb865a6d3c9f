/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Launches: CTAs, and the order in which their warps run.
 *
 * CTAs run one after the other. If a CTA loops for long, one more CTA becomes resident, so that
 * CTAs can wait for each other. The CTAs of a cooperative launch are all resident from the
 * beginning.
 */
#include "interp/machine.h"
#include "interp/module.h"
#include "store/array.h"
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SHARED_MAX = 232448, /* 227 KiB */
    THREADS_MAX = 1024,
    GRID_YZ_MAX = 65535,
    /* number of rounds (run_cta()) of a CTA after which another CTA becomes resident */
    PATIENT_ROUNDS = 64,
    RESIDENT_PER_SM = 32
};

/* The CTAs that have begun but not ended. */
struct residents {
    struct cta **ctas;
    size_t count;
    /* next: linear index of the next CTA to begin; total: number of CTAs in the grid */
    uint64_t next, total;
    struct cta *free;
    struct cluster *newest;
};

/* Removes a CTA from its cluster, and frees that with its last CTA. */
static void cluster_leave(struct cta *cta)
{
    struct cluster *cluster = cta->cluster;
    assert(cluster->ctas[cta->rank] == cta);
    cluster->ctas[cta->rank] = NULL;
    if (++cluster->ended == cluster->began) {
        free(cluster);
    }
}

static void free_cta(struct cta *cta, uint32_t warps)
{
    for (uint32_t i = 0; cta->warps && i < warps; i++) {
        free(cta->warps[i].local);
        free(cta->warps[i].special);
    }
    free(cta->warps);
    free(cta->shared);
    free(cta);
}

static struct cta *new_cta(const struct launch *launch)
{
    struct cta *cta = calloc(1, sizeof *cta);
    if (!cta) {
        return NULL;
    }
    cta->shared = aligned_alloc(64, ((size_t)launch->shared_bytes + 127) & ~(size_t)63);
    cta->warps = calloc(launch->warps, sizeof *cta->warps);
    bool done = cta->shared && cta->warps;
    for (uint32_t i = 0; i < launch->warps && done; i++) {
        cta->warps[i].special = aligned_alloc(64, (special_bytes() + 63) & ~(size_t)63);
        done = cta->warps[i].special != NULL;
    }
    if (!done) {
        free_cta(cta, launch->warps);
        return NULL;
    }
    return cta;
}

/* Initialises a warp, which an earlier CTA has possibly used. The warp's first frame is that of the
 * kernel. */
static void begin_warp(struct launch *launch, struct cta *cta, uint32_t number)
{
    assert(number < launch->warps);
    struct warp *warp = &cta->warps[number];
    char *special = warp->special, *local = warp->local;
    uint32_t stride = warp->local_stride, left = launch->threads - number * WARP_LANES;
    memset(warp, 0, sizeof *warp);
    warp->special = special;
    warp->local = local;
    warp->local_stride = stride;
    warp->launch = launch;
    warp->cta = cta;
    warp->number = number;
    warp->live = left >= WARP_LANES ? ALL_LANES : (1u << left) - 1;
    warp->base[BASE_SPECIAL] = special;
    warp->base[BASE_KERNEL] = launch->kernel->kernel_base;
    special_begin(warp);
    if (local) {
        memset(local, 0, (size_t)stride * WARP_LANES);
    }
    struct frame *frame = frame_push(warp, launch->kernel, NULL, warp->live);
    if (frame) {
        warp->groups[0] =
            (struct group){.pc = launch->kernel->ops, .frame = frame, .mask = warp->live};
        warp->group_count = 1;
        warp->current = WARP_LANES + 1;
    }
}

static uint32_t cluster_size(const struct launch *launch)
{
    return launch->cluster[0] * launch->cluster[1] * launch->cluster[2];
}

/* Sets the place of a CTA in grid and cluster. number: CTAs of earlier clusters, and earlier ones of its
 * own. */
static void set_place(const struct launch *launch, struct cluster *cluster, struct cta *cta,
                      uint64_t number)
{
    const uint32_t *grid = launch->options->grid, *size = launch->cluster;
    uint64_t whole = number / cluster->size;
    uint32_t rank = (uint32_t)(number % cluster->size), first = rank;
    for (unsigned i = 0; i < 3; i++) {
        cta->id[i] = (uint32_t)(whole % (grid[i] / size[i])) * size[i] + first % size[i];
        whole /= grid[i] / size[i];
        first /= size[i];
    }
    cta->linear = cta->id[0] + grid[0] * (cta->id[1] + (uint64_t)grid[1] * cta->id[2]);
    cta->rank = rank;
    cta->cluster = cluster;
    cluster->ctas[rank] = cta;
    cluster->began++;
}

/* Begins the next CTA of the grid. Returns false if memory is exhausted. */
static bool begin_cta(struct launch *launch, struct residents *residents)
{
    struct cta *cta = residents->free;
    uint32_t size = cluster_size(launch);
    if (residents->next % size == 0) {
        residents->newest = calloc(1, sizeof *residents->newest);
    }
    if (cta) {
        residents->free = cta->next_free;
    } else {
        cta = new_cta(launch);
    }
    if (!cta || !residents->newest ||
        !array_append(&residents->ctas, residents->count, sizeof cta)) {
        if (cta) {
            free_cta(cta, launch->warps);
        }
        launch->end = INTERP_BAD_LAUNCH;
        snprintf(launch->error, INTERP_ERROR_MAX,
                 "no memory for %zu resident CTAs of kernel %.200s", residents->count + 1,
                 launch->kernel->name);
        return false;
    }
    assert(residents->next < residents->total);
    residents->ctas[residents->count++] = cta;
    residents->newest->size = size;
    set_place(launch, residents->newest, cta, residents->next++);
    cta->sm = (uint32_t)(cta->linear % launch->device->sms);
    cta->live = launch->threads;
    memset(cta->barriers, 0, sizeof cta->barriers);
    memset(cta->shared, 0, launch->shared_bytes);
    for (uint32_t i = 0; i < launch->warps; i++) {
        begin_warp(launch, cta, i);
    }
    return true;
}

static void collect(struct launch *launch, struct warp *warp)
{
    launch->executed += warp->executed;
    warp->executed = 0;
}

/* Ends the launch with an error, since no thread of the CTA can continue. */
static void deadlock(struct cta *cta)
{
    assert(cta->live > 0);
    for (uint32_t i = 0; i < cta->warps[0].launch->warps; i++) {
        struct warp *warp = &cta->warps[i];
        if (warp->group_count == 0) {
            continue;
        }
        struct group *group = &warp->groups[0];
        unsigned lane = (unsigned)__builtin_ctz(group->mask);
        warp->frame = group->frame;
        if (group->state == GROUP_BARRIER && group->barrier == BARRIER_CLUSTER) {
            fault(warp, group->wait, lane, INTERP_DEADLOCK,
                  "deadlock: %u threads wait at the barrier of the cluster, and no thread can run",
                  cta->cluster->arrived);
        } else if (group->state == GROUP_BARRIER) {
            const struct barrier *barrier = &cta->barriers[group->barrier];
            fault(warp, group->wait, lane, INTERP_DEADLOCK,
                  "deadlock: %u threads wait at barrier %u for %u, and no thread can run",
                  barrier->arrived, group->barrier,
                  barrier->expected ? barrier->expected : cta->live);
        } else {
            fault(warp, group->wait, lane, INTERP_DEADLOCK,
                  "deadlock: threads 0x%x of a warp wait for those of mask 0x%x", group->mask,
                  group->members);
        }
        return;
    }
}

/* Runs the warps of a CTA for a number of rounds. A round runs each warp until it waits or yields.
 * Returns true if the CTA has ended. If all of its threads wait, other CTAs of its cluster must run. */
static bool run_cta(struct launch *launch, struct cta *cta, unsigned rounds)
{
    while (rounds-- && cta->live && launch->end == INTERP_DONE) {
        bool ran = false;
        for (uint32_t i = 0; i < launch->warps && launch->end == INTERP_DONE; i++) {
            struct warp *warp = &cta->warps[i];
            while (warp_ready(warp) && launch->end == INTERP_DONE) {
                ran = true;
                warp_run(warp);
                if (warp->yielded) {
                    break;
                }
            }
            collect(launch, warp);
        }
        cta->cluster->idle = ran ? 0 : cta->cluster->idle + 1;
        if (!ran && cta->live && launch->end == INTERP_DONE) {
            if (cta->cluster->idle >= cta->cluster->size) {
                deadlock(cta);
            }
            break;
        }
    }
    return cta->live == 0;
}

static void run_grid(struct launch *launch, struct residents *residents)
{
    size_t most = (size_t)launch->device->sms * RESIDENT_PER_SM;
    size_t wanted = launch->options->cooperative ? residents->total : 1;
    unsigned rounds = launch->options->cooperative ? 1 : PATIENT_ROUNDS;
    size_t turn = 0;
    while (launch->end == INTERP_DONE && (residents->count || residents->next < residents->total)) {
        while ((residents->count < wanted || residents->next % cluster_size(launch) != 0) &&
               residents->next < residents->total) {
            if (!begin_cta(launch, residents)) {
                return;
            }
        }
        if (turn >= residents->count) {
            turn = 0;
        }
        assert(turn < residents->count);
        if (run_cta(launch, residents->ctas[turn], rounds)) {
            struct cta *done = residents->ctas[turn];
            cluster_leave(done);
            done->next_free = residents->free;
            residents->free = done;
            residents->count--;
            memmove(residents->ctas + turn, residents->ctas + turn + 1,
                    (residents->count - turn) * sizeof *residents->ctas);
            wanted = wanted > 1 && !launch->options->cooperative ? wanted - 1 : wanted;
        } else {
            bool waits = residents->ctas[turn]->cluster->idle > 0;
            turn++;
            wanted = wanted < most && !waits ? wanted + 1 : wanted;
        }
        if (residents->count == 0) {
            wanted = launch->options->cooperative ? residents->total : 1;
        }
    }
}

/* Checks the sizes of CTAs, grid and shared memory. Returns false, with an error message in error,
 * if the launch is impossible. */
static bool check(const struct launch *launch, char *error)
{
    const struct interp_launch *options = launch->options;
    const struct interp_kernel_facts *facts = &launch->kernel->facts;
    const uint32_t *grid = options->grid, *block = options->block;
    uint64_t threads = (uint64_t)block[0] * block[1];
    bool fits =
        threads <= THREADS_MAX && block[2] <= 64 && threads * block[2] <= facts->max_threads;
    if (threads * block[2] == 0 || !fits) {
        snprintf(error, INTERP_ERROR_MAX,
                 "kernel %.200s cannot run in CTAs of %ux%ux%u threads: 1 to %u are possible",
                 facts->name, block[0], block[1], block[2], facts->max_threads);
        return false;
    }
    if (!grid[0] || !grid[1] || !grid[2] || grid[0] > INT32_MAX || grid[1] > GRID_YZ_MAX ||
        grid[2] > GRID_YZ_MAX) {
        snprintf(error, INTERP_ERROR_MAX,
                 "kernel %.200s cannot run in a grid of %ux%ux%u CTAs: 1 to %d are possible in x, "
                 "1 to %d in y and z",
                 facts->name, grid[0], grid[1], grid[2], INT32_MAX, GRID_YZ_MAX);
        return false;
    }
    const uint32_t *cluster = launch->cluster;
    if (cluster[0] > CLUSTER_MAX || cluster[1] > CLUSTER_MAX || cluster[2] > CLUSTER_MAX ||
        cluster_size(launch) > CLUSTER_MAX || grid[0] % cluster[0] || grid[1] % cluster[1] ||
        grid[2] % cluster[2]) {
        snprintf(
            error, INTERP_ERROR_MAX,
            "kernel %.200s cannot run in clusters of %ux%ux%u CTAs: the grid has to consist of "
            "whole ones, of at most %d CTAs",
            facts->name, cluster[0], cluster[1], cluster[2], CLUSTER_MAX);
        return false;
    }
    if ((uint64_t)facts->shared_bytes + options->shared_bytes > SHARED_MAX) {
        snprintf(
            error, INTERP_ERROR_MAX,
            "kernel %.200s needs %u static and %u dynamic bytes of shared memory, more than %d",
            facts->name, facts->shared_bytes, options->shared_bytes, SHARED_MAX);
        return false;
    }
    return true;
}

static void free_frames(struct launch *launch)
{
    for (size_t i = 0; launch->spare && i < launch->kernel->module->function_count; i++) {
        while (launch->spare[i]) {
            struct frame *frame = launch->spare[i];
            launch->spare[i] = frame->next_free;
            free(frame);
        }
    }
    free(launch->spare);
}

/* Puts the frames of a CTA's warps into the lists of unused frames after a fault. */
static void drop_warps(struct launch *launch, struct cta *cta)
{
    for (uint32_t i = 0; i < launch->warps; i++) {
        struct warp *warp = &cta->warps[i];
        for (uint32_t g = 0; g < warp->group_count; g++) {
            for (struct frame *frame = warp->groups[g].frame, *parent; frame; frame = parent) {
                parent = frame->parent;
                if (frame->lanes) {
                    frame_leave(warp, frame, ALL_LANES);
                }
            }
        }
    }
}

static void finish(struct launch *launch, struct residents *residents)
{
    access_flush(launch);
    for (size_t i = 0; i < residents->count; i++) {
        drop_warps(launch, residents->ctas[i]);
        cluster_leave(residents->ctas[i]);
        free_cta(residents->ctas[i], launch->warps);
    }
    while (residents->free) {
        struct cta *cta = residents->free;
        residents->free = cta->next_free;
        free_cta(cta, launch->warps);
    }
    free(residents->ctas);
    free_frames(launch);
}

/* Size in bytes of a cooperative launch's workspace. The barrier of cooperative groups is the
 * 32-bit word at offset 4. */
enum { WORKSPACE_BYTES = 64 };

enum interp_end interp_launch(struct interp *device, const struct interp_kernel *kernel,
                              const struct interp_launch *options, char *error)
{
    struct launch *launch = calloc(1, sizeof *launch);
    const struct function *function = &kernel->function;
    struct residents residents = {.total = (uint64_t)options->grid[0] * options->grid[1] *
                                           options->grid[2]};
    struct frame **spare = calloc(function->module->function_count, sizeof *spare);
    char *parameters = calloc(1, function->facts.parameter_bytes + 8u);
    if (!launch || !spare || !parameters) {
        snprintf(error, INTERP_ERROR_MAX, "no memory to launch kernel %.200s", function->name);
        free(spare);
        free(parameters);
        free(launch);
        return INTERP_BAD_LAUNCH;
    }
    launch->spare = spare;
    launch->parameters = parameters;
    launch->device = device;
    launch->kernel = function;
    launch->options = options;
    launch->error = error;
    launch->limit = device->instruction_limit;
    launch->shared_bytes = function->facts.shared_bytes + options->shared_bytes;
    launch->threads = options->block[0] * options->block[1] * options->block[2];
    launch->warps = (launch->threads + WARP_LANES - 1) / WARP_LANES;
    launch->workspace =
        options->cooperative ? device_alloc(device, ARENA_HEAP, WORKSPACE_BYTES) : 0;
    bool fixed = function->facts.cluster[0] != 0;
    for (unsigned i = 0; i < 3; i++) {
        uint32_t size = fixed ? function->facts.cluster[i] : options->cluster[i];
        launch->cluster[i] = size ? size : 1;
    }
    launch->grid_id = __atomic_add_fetch(&device->launches, 1, __ATOMIC_RELAXED);
    if (check(launch, error)) {
        if (function->facts.parameter_bytes) {
            memcpy(launch->parameters, options->parameters, function->facts.parameter_bytes);
        }
        run_grid(launch, &residents);
    } else {
        launch->end = INTERP_BAD_LAUNCH;
    }
    finish(launch, &residents);
    enum interp_end end = launch->end;
    device_free(device, launch->workspace);
    free(launch->parameters);
    free(launch);
    return end;
}
