/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Launches of kernels, and facts about kernels.
 */
#define _GNU_SOURCE /* required for asprintf() */
#include "runtime/graph.h"
#include "runtime/module.h"
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct launch_task {
    struct gpu_kernel *kernel;
    const struct interp_kernel *loaded;
    struct interp_launch launch;
    void **places;         /* addresses of the parameters */
    uint64_t parameters[]; /* packed parameters of the kernel, aligned to 8 bytes, and `places` */
};

static void run_launch(struct gpu_stream *stream, void *data, int failed)
{
    (void)failed;
    struct launch_task *task = data;
    char error[INTERP_ERROR_MAX] = "";
    assert(task->loaded != NULL);
    struct interp_launch launch = task->launch; /* several streams may run the work of a node */
    launch.observe = gpu_record_begin(stream, task->kernel, &launch.user);
    enum interp_end end = interp_launch(stream->device->interp, task->loaded, &launch, error);
    if (end == INTERP_DONE) {
        return;
    }
    gpu_record_fault(stream, error);
    gpu_fail(stream->device, gpu_error_of(end, error), error);
}

static int check_shape(const struct gpu_launch *l)
{
    uint64_t threads = (uint64_t)l->block.x * l->block.y * l->block.z;
    bool is_empty = l->grid.x == 0 || l->grid.y == 0 || l->grid.z == 0 || threads == 0;
    bool is_large = l->grid.x > 0x7fffffff || l->grid.y > 65535 || l->grid.z > 65535 ||
                    l->block.x > 1024 || l->block.y > 1024 || l->block.z > 64 || threads > 1024;
    return is_empty || is_large ? GPU_INVALID_CONFIGURATION : GPU_OK;
}

/* Returns the maximum size in bytes of dynamic shared memory that a launch may request. */
static size_t dynamic_most(const struct gpu_kernel *kernel, const struct interp_kernel_facts *facts)
{
    if (kernel->max_dynamic >= 0) {
        return (size_t)kernel->max_dynamic;
    }
    return facts->shared_bytes < GPU_SHARED_DEFAULT ? GPU_SHARED_DEFAULT - facts->shared_bytes : 0;
}

static int check_resources(struct gpu_kernel *kernel, const struct interp_kernel_facts *facts,
                           const struct gpu_device *device, const struct gpu_launch *l)
{
    uint32_t threads = l->block.x * l->block.y * l->block.z;
    int ctas;
    assert(threads > 0 && threads <= 1024); /* check_shape() */
    TRY(CHECK(threads <= facts->max_threads, GPU_OUT_OF_RESOURCES));
    TRY(NEED(l->shared <= dynamic_most(kernel, facts)));
    if (!l->cooperative) {
        return GPU_OK;
    }
    TRY(gpu_occupancy(kernel, (int)threads, l->shared, &ctas));
    uint64_t grid = (uint64_t)l->grid.x * l->grid.y * l->grid.z;
    return CHECK(grid <= (uint64_t)ctas * device->sms, GPU_COOPERATIVE_TOO_LARGE);
}

static int pack(const struct gpu_launch *l, const struct interp_kernel_facts *facts, char *to)
{
    if (!l->parameters) {
        if (l->packed_bytes < facts->parameter_bytes && facts->parameter_count > 0) {
            return GPU_INVALID_VALUE;
        }
        if (facts->parameter_bytes > 0) {
            memcpy(to, l->packed, facts->parameter_bytes);
        }
        return GPU_OK;
    }
    for (uint32_t i = 0; i < facts->parameter_count; i++) {
        TRY(NEED(l->parameters[i]));
        assert((uint64_t)facts->parameters[i].offset + facts->parameters[i].bytes <=
               facts->parameter_bytes);
        memcpy(to + facts->parameters[i].offset, l->parameters[i], facts->parameters[i].bytes);
    }
    return GPU_OK;
}

static void run_refused(struct gpu_stream *stream, void *data, int failed)
{
    (void)failed;
    gpu_record_fault(stream, data);
}

/* Adds to the trace of the stream that the interpreter cannot run a launch, and why. Returns
 * `code`. */
static int refuse(const struct gpu_kernel *kernel, struct gpu_stream *stream, const char *why,
                  int code)
{
    char *text = NULL;
    if (!stream->capture && gpu_record_order(stream, kernel) &&
        asprintf(&text, "a launch of %s could not run: %s", kernel->name, why) >= 0) {
        gpu_submit(stream, gpu_work_new(GPU_NODE_EMPTY, run_refused, text), true);
    }
    return code;
}

int gpu_launch_work(struct gpu_kernel *kernel, struct gpu_device *device,
                    const struct gpu_launch *launch, struct gpu_work **work, const char **why)
{
    const struct interp_kernel *loaded;
    *why = NULL;
    TRY(gpu_failed(device) ?: check_shape(launch));
    int code = gpu_kernel_get(kernel, device, &loaded);
    if (code) {
        *why = kernel->module->why[0] == '\0' ? "there is no such kernel" : kernel->module->why;
        return code;
    }
    const struct interp_kernel_facts *facts = interp_kernel_facts(loaded);
    TRY(check_resources(kernel, facts, device, launch));
    assert(launch->shared <= UINT32_MAX);
    size_t words = facts->parameter_bytes / sizeof(uint64_t) + 1;
    struct launch_task *t = calloc(1, sizeof *t + words * sizeof t->parameters[0] +
                                          facts->parameter_count * sizeof(void *));
    TRY(CHECK(t, GPU_OUT_OF_MEMORY));
    t->places = (void **)(t->parameters + words);
    for (uint32_t i = 0; i < facts->parameter_count; i++) {
        t->places[i] = (char *)t->parameters + facts->parameters[i].offset;
    }
    t->kernel = kernel;
    t->loaded = loaded;
    t->launch = (struct interp_launch){
        .grid = {launch->grid.x, launch->grid.y, launch->grid.z},
        .block = {launch->block.x, launch->block.y, launch->block.z},
        .shared_bytes = (uint32_t)launch->shared,
        .cluster = {launch->cluster[0], launch->cluster[1], launch->cluster[2]},
        .cooperative = launch->cooperative,
        .parameters = t->parameters,
        .cancel = &device->cancel,
    };
    code = pack(launch, facts, (char *)t->parameters);
    if (code) {
        free(t);
        return code;
    }
    *work = gpu_work_new(GPU_NODE_KERNEL, run_launch, t);
    return CHECK(*work, GPU_OUT_OF_MEMORY);
}

int gpu_launch(struct gpu_kernel *kernel, struct gpu_stream *stream,
               const struct gpu_launch *launch)
{
    struct gpu_work *work;
    const char *why;
    int code = gpu_launch_work(kernel, stream->device, launch, &work, &why);
    if (code) {
        return why ? refuse(kernel, stream, why, code) : code;
    }
    if (!stream->capture && gpu_record_order(stream, kernel)) {
        ws_memory_launch(stream->record_number);
    }
    return gpu_submit(stream, work, false);
}

struct gpu_kernel *gpu_launch_of(const struct gpu_work *work, struct gpu_launch *launch)
{
    const struct launch_task *t = work->data;
    const struct interp_launch *l = &t->launch;
    *launch = (struct gpu_launch){.grid = {l->grid[0], l->grid[1], l->grid[2]},
                                  .block = {l->block[0], l->block[1], l->block[2]},
                                  .shared = l->shared_bytes,
                                  .cooperative = l->cooperative,
                                  .cluster = {l->cluster[0], l->cluster[1], l->cluster[2]},
                                  .parameters = t->places};
    return t->kernel;
}

void gpu_launch_attributes(const struct launch_attribute *attributes, unsigned count,
                           struct gpu_launch *launch)
{
    for (unsigned i = 0; i < count; i++) {
        const struct launch_attribute *a = &attributes[i];
        if (a->id == LAUNCH_COOPERATIVE) {
            launch->cooperative = a->value.number != 0;
        }
        if (a->id == LAUNCH_CLUSTER) {
            launch->cluster[0] = a->value.dim.x;
            launch->cluster[1] = a->value.dim.y;
            launch->cluster[2] = a->value.dim.z;
        }
    }
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

int gpu_occupancy(struct gpu_kernel *kernel, int threads, size_t dynamic, int *ctas)
{
    const struct interp_kernel_facts *facts;
    *ctas = 0;
    TRY(NEED(threads > 0));
    TRY(gpu_kernel_facts(kernel, &facts));
    if ((uint32_t)threads > facts->max_threads) {
        return GPU_OK;
    }
    size_t shared = facts->shared_bytes + dynamic;
    int warps = (threads + GPU_WARP - 1) / GPU_WARP;
    int n = least(GPU_CTAS_SM, GPU_THREADS_SM / (warps * GPU_WARP));
    if (shared > GPU_SHARED_OPTIN) {
        n = 0;
    } else if (shared > 0) {
        n = least(n, (int)(GPU_SHARED_SM / (shared + 1024)));
    }
    assert(n >= 0 && n <= GPU_CTAS_SM);
    *ctas = n;
    return GPU_OK;
}

int gpu_function_attribute(struct gpu_kernel *kernel, int attribute, int *value)
{
    const struct interp_kernel_facts *facts;
    TRY(gpu_kernel_facts(kernel, &facts));
    const int values[] = {
        (int)facts->max_threads,
        (int)facts->shared_bytes,
        0, /* size of constant memory in bytes */
        (int)facts->local_bytes,
        32, /* number of registers */
        (int)facts->architecture,
        GPU_MAJOR * 10 + GPU_MINOR,
        0, /* caching mode of L1 */
        (int)dynamic_most(kernel, facts),
        kernel->carveout,
    };
    TRY(NEED(attribute >= 0 && attribute <= 15));
    *value = attribute < (int)(sizeof values / sizeof *values) ? values[attribute] : 0;
    return GPU_OK;
}

int gpu_function_set(struct gpu_kernel *kernel, int attribute, int value)
{
    const struct interp_kernel_facts *facts;
    TRY(gpu_kernel_facts(kernel, &facts));
    switch (attribute) {
    case 8: /* maximum size of dynamic shared memory */
        TRY(NEED(value >= 0 && (size_t)value + facts->shared_bytes <= GPU_SHARED_OPTIN));
        kernel->max_dynamic = value;
        return GPU_OK;
    case 9: /* carve-out of shared memory */
        TRY(NEED(value >= -1 && value <= 100));
        kernel->carveout = value;
        return GPU_OK;
    default: /* attributes of clusters */
        return attribute >= 10 && attribute <= 15 ? GPU_OK : GPU_INVALID_VALUE;
    }
}
