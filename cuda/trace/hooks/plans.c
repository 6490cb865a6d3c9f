/* SPDX-License-Identifier: BSD-3-Clause
 *
 * plans.c - see plans.h.
 */
#include "trace/hooks/plans.h"

#include <stdlib.h>
#include <string.h>

#include "trace/options.h"
#include "trace/say.h"

#define MAP(part) plan_map##part
#define MAP_KEY   uint64_t
#include "store/map.h"

enum { EVENT_RECORD = 7 }; /* last of the types of nodes that plans have */

struct step {
    void *exec; /* executable graph; NULL: the step is a kernel */
    void *node; /* of the kernel, in a clone */
    const struct ws_traced_kernel *kernel;
};
struct plan {
    struct step *steps;
    void **clones;
    size_t n, n_clones;
    bool is_used; /* false: CUDA launches the graph */
    void *event;  /* after the last launch: launches of an executable graph follow each other */
};

static struct {
    pthread_mutex_t lock;
    struct plan_map by_exec; /* key: an executable graph of the program */
} plans = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Hides an error of a call here from the program. before: the program's last error before the call. */
static void error_hide(const struct ws_graph_calls *c, int before)
{
    if (before == 0) {
        c->last_error(true);
    }
}

/* ---- Plans ----------------------------------------------------------------------------------- */

/* The nodes of a graph. */
struct nodes {
    void **all;
    bool *done; /* [i]: the node precedes the one that is looked at */
    size_t n;
};

static bool nodes_get(const struct ws_graph_calls *c, struct nodes *nodes, void *graph)
{
    nodes->n = 0;
    if (c->nodes(graph, NULL, &nodes->n) != 0) {
        return false;
    }
    nodes->all = calloc(nodes->n + 1, sizeof *nodes->all);
    nodes->done = calloc(nodes->n + 1, sizeof *nodes->done);
    return nodes->all != NULL && nodes->done != NULL && c->nodes(graph, nodes->all, &nodes->n) == 0;
}

/* Returns true if all nodes on which node i depends are done. *good: false after an error. */
static bool is_ready(const struct ws_graph_calls *c, const struct nodes *nodes, size_t i,
                     bool *good)
{
    size_t n = 0, known = 0;
    *good &= c->needs(nodes->all[i], NULL, NULL, &n) == 0;
    void **needs = *good ? calloc(n + 1, sizeof *needs) : NULL;
    *good &= needs != NULL && c->needs(nodes->all[i], needs, NULL, &n) == 0;
    for (size_t k = 0; *good && k < nodes->n; k++) {
        for (size_t d = 0; nodes->done[k] && d < n; d++) {
            known += nodes->all[k] == needs[d];
        }
    }
    free(needs);
    return *good && known == n;
}

static bool step_add(struct plan *p, struct step step)
{
    bool good = array_append(&p->steps, p->n, sizeof step);
    if (good) {
        p->steps[p->n++] = step;
    }
    return good;
}

/* Adds a step for the nodes with `part`, which is then empty again. */
static bool part_add(const struct ws_graph_calls *c, struct plan *p, void *graph,
                     const struct nodes *nodes, bool *part)
{
    void *clone, *twin;
    struct step step = {.exec = NULL};
    if (memchr(part, true, nodes->n) == NULL) {
        return true;
    }
    bool good = c->clone(&clone, graph) == 0;
    for (size_t i = 0; i < nodes->n && good; i++) {
        good = part[i] || (c->twin(&twin, nodes->all[i], clone) == 0 && c->remove(twin) == 0);
        part[i] = false;
    }
    good = good && c->instantiate(&step.exec, clone, 0) == 0;
    c->destroy(clone);
    return good && step_add(p, step);
}

static bool graph_add(const struct ws_graph_calls *c, struct plan *p, void *graph);

/* Adds node i: a step if it is a rewritten kernel, the steps of a child graph, or to `part`. */
static bool node_add(const struct ws_graph_calls *c, struct plan *p, void *graph, void *clone,
                     const struct nodes *nodes, bool *part, size_t i)
{
    struct step step = {.exec = NULL};
    void *child;
    int type = -1;
    if (c->type(nodes->all[i], &type) != 0 || type < 0 || type > EVENT_RECORD) {
        return false;
    }
    if (type == GPU_NODE_GRAPH) {
        return part_add(c, p, graph, nodes, part) && c->child(nodes->all[i], &child) == 0 &&
               graph_add(c, p, child);
    }
    step.kernel = type == GPU_NODE_KERNEL ? c->kernel(nodes->all[i]) : NULL;
    part[i] = step.kernel == NULL;
    return part[i] || (part_add(c, p, graph, nodes, part) &&
                       c->twin(&step.node, nodes->all[i], clone) == 0 && step_add(p, step));
}

/* Adds the nodes of a graph to a plan. Returns false if this is not possible. */
static bool graph_add(const struct ws_graph_calls *c, struct plan *p, void *graph)
{
    struct nodes nodes = {.n = 0};
    void *clone;
    if (!array_append(&p->clones, p->n_clones, sizeof clone) || c->clone(&clone, graph) != 0) {
        return false;
    }
    p->clones[p->n_clones++] = clone;
    bool good = nodes_get(c, &nodes, graph), *part = calloc(nodes.n + 1, sizeof *part);
    size_t done = 0, before = 0;
    do {
        before = done;
        for (size_t i = 0; i < nodes.n && good; i++) {
            if (!nodes.done[i] && is_ready(c, &nodes, i, &good)) {
                good = part != NULL && node_add(c, p, graph, clone, &nodes, part, i);
                nodes.done[i] = true;
                done++;
            }
        }
    } while (good && done > before);
    good = good && done == nodes.n && (nodes.n == 0 || part_add(c, p, graph, &nodes, part));
    free(nodes.all);
    free(nodes.done);
    free(part);
    return good;
}

static void plan_free(const struct ws_graph_calls *c, struct plan *p)
{
    for (size_t i = 0; i < p->n; i++) {
        if (p->steps[i].exec != NULL) {
            c->exec_destroy(p->steps[i].exec);
        }
    }
    for (size_t i = 0; i < p->n_clones; i++) {
        c->destroy(p->clones[i]);
    }
    if (p->event != NULL) {
        c->event_destroy(p->event);
    }
    free(p->steps);
    free(p->clones);
    free(p);
}

/* Notes that the kernels of a graph are not traced. */
static void graph_untraced(const struct ws_graph_calls *c, void *graph)
{
    struct nodes nodes = {.n = 0};
    void *child;
    bool good = nodes_get(c, &nodes, graph);
    for (size_t i = 0; i < nodes.n && good; i++) {
        int type = -1;
        c->type(nodes.all[i], &type);
        const struct ws_traced_kernel *kernel =
            type == GPU_NODE_KERNEL ? c->kernel(nodes.all[i]) : NULL;
        if (kernel != NULL) {
            ws_graph_note(kernel, "in a graph that cannot be launched node by node");
        } else if (type == GPU_NODE_GRAPH && c->child(nodes.all[i], &child) == 0) {
            graph_untraced(c, child);
        }
    }
    free(nodes.all);
    free(nodes.done);
}

static bool is_tracing(void)
{
    const char *directory = getenv(WS_TRACE_VARIABLE);
    return directory != NULL && directory[0] != '\0';
}

/* Sets the plan of an executable graph, with the lock held; graph NULL: it has none any more. */
static void plan_set(const struct ws_graph_calls *c, void *exec, void *graph)
{
    struct plan *old = plan_map_remove(&plans.by_exec, (uintptr_t)exec),
                *p = graph != NULL && is_tracing() ? calloc(1, sizeof *p) : NULL;
    if (old != NULL) {
        plan_free(c, old);
    }
    if (p != NULL) {
        int before = c->last_error(false), mode = c->calls->relax(WS_RELAXED);
        bool has_kernel = false, good = graph_add(c, p, graph);
        for (size_t i = 0; i < p->n; i++) {
            has_kernel |= p->steps[i].kernel != NULL;
        }
        good = good && c->event_create(&p->event, EVENT_DISABLE_TIMING) == 0;
        if (!good) {
            graph_untraced(c, graph);
            error_hide(c, before);
        }
        c->calls->relax(mode);
        p->is_used = good && has_kernel;
        if (!plan_map_set(&plans.by_exec, (uintptr_t)exec, p)) {
            plan_free(c, p);
        }
    }
}

int ws_plan_end(int error, void *exec)
{
    pthread_mutex_lock(&plans.lock);
    struct plan *p = error == 0 ? plan_map_get(&plans.by_exec, (uintptr_t)exec) : NULL;
    for (size_t i = 0; p != NULL && p->is_used && i < p->n; i++) {
        if (p->steps[i].kernel != NULL) {
            ws_graph_note(p->steps[i].kernel,
                          "in a graph that was changed after it was instantiated");
        }
    }
    if (p != NULL) {
        p->is_used = false;
    }
    pthread_mutex_unlock(&plans.lock);
    return error;
}

/* ---- Launches -------------------------------------------------------------------------------- */

static int kernel_launch(const struct ws_graph_calls *c, void *node, void *stream)
{
    struct launch_attribute attributes[] = {{.id = LAUNCH_COOPERATIVE}, {.id = LAUNCH_CLUSTER}};
    int before = c->last_error(false);
    for (int i = 0; i < 2; i++) { /* an attribute that is 0 has no effect */
        if (c->attribute(node, attributes[i].id, &attributes[i].value) != 0) {
            error_hide(c, before);
        }
    }
    bool is_cooperative = attributes[0].value.number != 0,
         has_cluster = attributes[1].value.dim.x != 0;
    return c->kernel_launch(node, stream, attributes + !is_cooperative,
                            (unsigned)is_cooperative + has_cluster);
}

bool ws_plan_launch(const struct ws_graph_calls *c, void *exec, void *stream, int *error)
{
    pthread_mutex_lock(&plans.lock);
    static bool is_said;
    const struct plan *p = plan_map_get(&plans.by_exec, (uintptr_t)exec);
    if (p == NULL && is_tracing() && !is_said) {
        ws_trace_say(
            "a graph was instantiated by a call that is not known: its kernels are not traced");
        ws_trace_lost();
        is_said = true;
    }
    bool good = p != NULL && p->is_used && !c->calls->is_capturing(stream);
    *error = good ? c->wait(stream, p->event, 0) : 0;
    for (size_t i = 0; good && i < p->n && *error == 0; i++) {
        const struct step *s = &p->steps[i];
        *error = s->exec != NULL ? c->launch(s->exec, stream) : kernel_launch(c, s->node, stream);
    }
    *error = good && *error == 0 ? c->event_record(p->event, stream) : *error;
    pthread_mutex_unlock(&plans.lock);
    return good;
}

/* ---- Changes --------------------------------------------------------------------------------- */

int ws_plan_made(const struct ws_graph_calls *c, int error, void *exec, void *graph)
{
    if (error == 0) {
        pthread_mutex_lock(&plans.lock);
        plan_set(c, exec, graph);
        pthread_mutex_unlock(&plans.lock);
    }
    return error;
}

int ws_plan_changed(const struct ws_graph_calls *c, int error, void *exec, void *node,
                    const void *kernel)
{
    pthread_mutex_lock(&plans.lock);
    struct plan *p = error == 0 ? plan_map_get(&plans.by_exec, (uintptr_t)exec) : NULL;
    p = p != NULL && p->is_used ? p : NULL;
    int before = p != NULL ? c->last_error(false) : 0;
    void *twin = NULL;
    size_t i = 0;
    for (size_t k = 0; p != NULL && kernel != NULL && k < p->n_clones; k++) {
        if (c->twin(&twin, node, p->clones[k]) == 0 && c->kernel_set(twin, kernel) == 0) {
            break;
        }
        twin = NULL;
        error_hide(c, before);
    }
    while (p != NULL && i < p->n && (twin == NULL || p->steps[i].node != twin)) {
        i++;
    }
    bool is_odd = p != NULL && (i == p->n || c->kernel(twin) == NULL);
    if (p != NULL && !is_odd) {
        p->steps[i].kernel = c->kernel(twin);
    }
    pthread_mutex_unlock(&plans.lock);
    if (is_odd) {
        ws_plan_end(0, exec);
    }
    return error;
}
