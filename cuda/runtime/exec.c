/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Executable graphs; see graph.h.
 */
#include "runtime/graph.h"
#include "runtime/module.h"
#include "store/array.h"
#include <stdlib.h>

static bool is_ready(const struct gpu_node *node)
{
    for (size_t i = 0; i < node->needs.count; i++) {
        if (!node->needs.all[i]->marked) {
            return false;
        }
    }
    return !node->marked;
}

/* Appends the steps of a graph: each node after those on which it depends, otherwise in the order in
 * which they were added. Returns an error if nodes depend on each other. */
static int append_steps(struct gpu_exec *e, struct gpu_graph *graph)
{
    size_t done = 0, before;
    for (struct gpu_node *n = graph->first; n; n = n->next) {
        n->marked = false;
    }
    do {
        before = done;
        for (struct gpu_node *n = graph->first; n; n = n->next) {
            if (!is_ready(n)) {
                continue;
            }
            n->marked = true;
            done++;
            if (n->child) {
                TRY(append_steps(e, n->child));
                continue;
            }
            TRY(CHECK(array_append(&e->steps, e->count, sizeof *e->steps), GPU_OUT_OF_MEMORY));
            e->steps[e->count++] = (struct gpu_step){n, gpu_work_share(n->work), false};
        }
    } while (done > before);
    return NEED(done == graph->count);
}

int gpu_exec_create(struct gpu_graph *graph, struct gpu_exec **exec)
{
    struct gpu_exec *e = gpu_handle_new(sizeof *e, GPU_EXEC);
    TRY(CHECK(e, GPU_OUT_OF_MEMORY));
    e->device = graph->device;
    int code = append_steps(e, graph);
    if (code) {
        gpu_exec_destroy(e);
        return code;
    }
    *exec = e;
    return GPU_OK;
}

int gpu_exec_destroy(struct gpu_exec *exec)
{
    gpu_handle_remove(exec);
    if (exec->last.stream) {
        gpu_stream_drop(exec->last.stream);
    }
    for (size_t i = 0; i < exec->count; i++) {
        gpu_work_drop(exec->steps[i].work);
    }
    free(exec->steps);
    free(exec);
    return GPU_OK;
}

struct gpu_step *gpu_exec_step(const struct gpu_exec *exec, const struct gpu_node *node)
{
    for (size_t i = 0; i < exec->count; i++) {
        if (exec->steps[i].node == node) {
            return &exec->steps[i];
        }
    }
    return NULL;
}

int gpu_exec_update(struct gpu_exec *exec, struct gpu_graph *graph, struct gpu_node **odd)
{
    struct gpu_exec *fresh;
    TRY(gpu_exec_create(graph, &fresh));
    size_t i = 0, n = fresh->count < exec->count ? fresh->count : exec->count;
    while (i < n && fresh->steps[i].work->kind == exec->steps[i].work->kind) {
        i++;
    }
    *odd = i < fresh->count ? (struct gpu_node *)(uintptr_t)fresh->steps[i].node : NULL;
    bool same = i == fresh->count && i == exec->count;
    for (i = 0; same && i < n; i++) {
        struct gpu_work *before = exec->steps[i].work;
        exec->steps[i].work = fresh->steps[i].work;
        fresh->steps[i].work = before;
    }
    gpu_exec_destroy(fresh);
    return same ? GPU_OK : GPU_GRAPH_UPDATE_FAILURE;
}

/* ---- Launches -------------------------------------------------------------------------------- */

struct flight {
    size_t count;
    struct gpu_work *works[];
};

static void run_flight(struct gpu_stream *stream, void *data, int failed)
{
    struct flight *f = data;
    (void)failed;
    for (size_t i = 0; i < f->count; i++) {
        if (!gpu_failed(stream->device)) {
            f->works[i]->run(stream, f->works[i]->data, 0);
        }
        gpu_work_drop(f->works[i]);
    }
}

/* Adds the works of an executable graph to the graph of the stream's capture. */
static int capture_steps(const struct gpu_exec *e, struct gpu_stream *stream)
{
    GPU_HOLD;
    for (size_t i = 0; i < e->count; i++) {
        TRY(e->steps[i].off ? GPU_OK : gpu_capture_add(stream, gpu_work_share(e->steps[i].work)));
    }
    return GPU_OK;
}

int gpu_exec_launch(struct gpu_exec *exec, struct gpu_stream *stream)
{
    int code = gpu_failed(stream->device);
    if (code || stream->capture) {
        return code ?: capture_steps(exec, stream);
    }
    if (stream->device != exec->device) {
        gpu_say("a graph is launched on another device than that of its kernels, and fails");
        return GPU_NOT_SUPPORTED;
    }
    struct flight *f = malloc(sizeof *f + exec->count * sizeof f->works[0]);
    TRY(CHECK(f, GPU_OUT_OF_MEMORY));
    struct gpu_launch launch;
    f->count = 0;
    for (size_t i = 0; i < exec->count; i++) {
        struct gpu_work *w = exec->steps[i].work;
        if (exec->steps[i].off) {
            continue;
        }
        if (w->kind == GPU_NODE_KERNEL && gpu_record_order(stream, gpu_launch_of(w, &launch))) {
            ws_memory_launch(stream->record_number);
        }
        f->works[f->count++] = w;
    }
    GPU_HOLD;
    struct gpu_point *last = &exec->last;
    code = gpu_capture_check(stream);
    if (code) {
        free(f);
        return code;
    }
    code = gpu_submit_locked(stream, gpu_work_new(GPU_NODE_GRAPH, run_flight, f),
                             last->stream ? last : NULL, true);
    if (!code) {
        for (size_t i = 0; i < f->count; i++) { /* the task runs after the lock is released */
            gpu_work_share(f->works[i]);
        }
        stream->references++;
        if (last->stream) {
            gpu_stream_drop(last->stream);
        }
        *last = (struct gpu_point){stream, stream->issued};
    }
    return code;
}
