/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Works, nodes and graphs; see graph.h.
 */
#include "runtime/graph.h"
#include "store/array.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct gpu_work *gpu_work_new(enum gpu_node_kind kind, gpu_task_run run, void *data)
{
    struct gpu_work *w = malloc(sizeof *w);
    if (!w) {
        free(data);
        return NULL;
    }
    *w = (struct gpu_work){1, kind, run, data};
    return w;
}

int gpu_work_make(enum gpu_node_kind kind, gpu_task_run run, const void *data, size_t bytes,
                  struct gpu_work **work)
{
    void *copy = malloc(bytes);
    *work = copy ? gpu_work_new(kind, run, memcpy(copy, data, bytes)) : NULL;
    return CHECK(*work, GPU_OUT_OF_MEMORY);
}

static void nothing(struct gpu_stream *stream, void *data, int failed)
{
    (void)stream, (void)data, (void)failed;
}

struct gpu_work *gpu_work_empty(enum gpu_node_kind kind)
{
    return gpu_work_new(kind, nothing, NULL);
}

void gpu_work_drop(struct gpu_work *work)
{
    if (work && __atomic_sub_fetch(&work->references, 1, __ATOMIC_ACQ_REL) == 0) {
        free(work->data);
        free(work);
    }
}

struct gpu_work *gpu_work_share(struct gpu_work *work)
{
    __atomic_add_fetch(&work->references, 1, __ATOMIC_RELAXED);
    return work;
}

int gpu_work_replace(struct gpu_work **place, struct gpu_work *work)
{
    bool same = place && (*place)->kind == work->kind;
    gpu_work_drop(same ? *place : work);
    if (same) {
        *place = work;
    }
    return NEED(same);
}

/* ---- Graphs ---------------------------------------------------------------------------------- */

int gpu_graph_create(struct gpu_device *device, struct gpu_graph **graph)
{
    struct gpu_graph *g = gpu_handle_new(sizeof *g, GPU_GRAPH);
    TRY(CHECK(g, GPU_OUT_OF_MEMORY));
    g->last = &g->first;
    g->device = device;
    *graph = g;
    return GPU_OK;
}

static void free_node(struct gpu_node *node)
{
    gpu_handle_remove(node);
    gpu_work_drop(node->work);
    if (node->child) {
        gpu_graph_destroy(node->child);
    }
    free(node->needs.all);
    free(node);
}

int gpu_graph_destroy(struct gpu_graph *graph)
{
    gpu_handle_remove(graph);
    for (struct gpu_node *n = graph->first, *next; n; n = next) {
        next = n->next;
        free_node(n);
    }
    free(graph);
    return GPU_OK;
}

int gpu_nodes_join(struct gpu_nodes *nodes, struct gpu_node *const *all, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        size_t k = 0;
        while (k < nodes->count && nodes->all[k] != all[i]) {
            k++;
        }
        if (k < nodes->count) {
            continue;
        }
        TRY(CHECK(array_append(&nodes->all, nodes->count, sizeof(struct gpu_node *)),
                  GPU_OUT_OF_MEMORY));
        nodes->all[nodes->count++] = all[i];
    }
    return GPU_OK;
}

int gpu_node_add(struct gpu_graph *graph, struct gpu_work *work, const struct gpu_graph *child,
                 struct gpu_node *const *needs, size_t count, struct gpu_node **node)
{
    struct gpu_node *n = gpu_handle_new(sizeof *n, GPU_NODE);
    if (!n) {
        gpu_work_drop(work);
        return GPU_OUT_OF_MEMORY;
    }
    n->graph = graph;
    n->work = work;
    int code = child ? gpu_graph_clone(child, &n->child) : GPU_OK;
    if (code || gpu_nodes_join(&n->needs, needs, count)) {
        free_node(n);
        return GPU_OUT_OF_MEMORY;
    }
    *graph->last = n;
    graph->last = &n->next;
    graph->count++;
    *node = n;
    return GPU_OK;
}

int gpu_node_remove(struct gpu_node *node)
{
    struct gpu_graph *g = node->graph;
    for (struct gpu_node **link = &g->first; *link; link = &(*link)->next) {
        while (*link == node) {
            *link = node->next;
        }
        if (!*link) {
            g->last = link;
            break;
        }
        for (size_t i = 0; i < (*link)->needs.count; i++) {
            if ((*link)->needs.all[i] == node) {
                (*link)->needs.all[i--] = (*link)->needs.all[--(*link)->needs.count];
            }
        }
        g->last = &(*link)->next;
    }
    g->count--;
    free_node(node);
    return GPU_OK;
}

struct gpu_node *gpu_node_twin(const struct gpu_graph *copy, const struct gpu_node *original)
{
    struct gpu_node *n = copy->first;
    while (n && n->original != original) {
        n = n->next;
    }
    return n;
}

int gpu_graph_clone(const struct gpu_graph *graph, struct gpu_graph **copy)
{
    int code = gpu_graph_create(graph->device, copy);
    struct gpu_node *made;
    for (const struct gpu_node *n = graph->first; n && !code; n = n->next) {
        code = gpu_node_add(*copy, gpu_work_share(n->work), n->child, NULL, 0, &made);
        made = code ? NULL : made;
        if (made) {
            made->original = n;
        }
    }
    made = code ? NULL : (*copy)->first;
    for (const struct gpu_node *n = graph->first; made && !code; n = n->next, made = made->next) {
        for (size_t i = 0; i < n->needs.count && !code; i++) {
            struct gpu_node *need = gpu_node_twin(*copy, n->needs.all[i]);
            assert(need != NULL);
            code = gpu_nodes_join(&made->needs, &need, 1);
        }
    }
    if (code && *copy) {
        gpu_graph_destroy(*copy);
    }
    return code;
}
