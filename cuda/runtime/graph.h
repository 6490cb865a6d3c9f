/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Graphs, executable graphs, and the capture of streams.
 *
 * Tasks of streams and nodes have work: what a stream does for the call that made them. Graphs, copies
 * of graphs and executable graphs share works, which never change; to change a node is to give it other
 * work. An executable graph has its works in an order that keeps all dependencies. A launch is one task of
 * its stream, which does the works in that order; launches of an executable graph follow each other.
 *
 * A stream that is captured passes the works of its calls to a new graph. Its `front` has the nodes
 * on which the next node depends. An event that is recorded meanwhile keeps the front; a stream that
 * waits for the event joins the capture.
 *
 * gpu_lock() protects all of this. Callers hold it, except those of gpu_exec_launch(),
 * gpu_capture_begin() and gpu_capture_end(), and of the functions for works.
 */
#ifndef WARPSCOPE_CUDA_GRAPH_H
#define WARPSCOPE_CUDA_GRAPH_H

#include "runtime/gpu.h"

struct gpu_work {
    unsigned references;
    enum gpu_node_kind kind;
    gpu_task_run run;
    void *data; /* memory from malloc(), freed with the work */
};

struct gpu_node {
    struct gpu_node *next;
    struct gpu_graph *graph;
    struct gpu_work *work;
    struct gpu_graph *child; /* graph of a node of kind GPU_NODE_GRAPH, else NULL */
    struct gpu_nodes needs;
    const struct gpu_node *original; /* node of which a copy of the graph has this one */
    bool marked;
};

struct gpu_graph {
    struct gpu_node *first, **last;
    size_t count;
    struct gpu_device *device; /* device of its kernels */
};

struct gpu_step {
    const struct gpu_node *node;
    struct gpu_work *work;
    bool off;
};

struct gpu_exec {
    struct gpu_step *steps;
    size_t count;
    struct gpu_device *device;
    struct gpu_point last; /* end of its last launch */
};

struct gpu_capture {
    unsigned references;     /* from streams and events */
    struct gpu_graph *graph; /* NULL: the capture has ended */
    struct gpu_stream *origin;
    uint64_t number;
    int mode;
    bool broken; /* true if a call that cannot be captured has ended the capture */
};

enum { CAPTURE_NONE, CAPTURE_ACTIVE, CAPTURE_BROKEN, CAPTURE_RELAXED = 2 };

/* Makes work from data, which the work owns from then on. Returns NULL, and frees data, if memory is
 * exhausted. */
struct gpu_work *gpu_work_new(enum gpu_node_kind kind, gpu_task_run run, void *data);
/* Sets *work to work with a copy of the data, or returns an error. */
int gpu_work_make(enum gpu_node_kind kind, gpu_task_run run, const void *data, size_t bytes,
                  struct gpu_work **work);
/* Returns work that does nothing, or NULL. */
struct gpu_work *gpu_work_empty(enum gpu_node_kind kind);
/* Adds a reference to a work. Returns the work. */
struct gpu_work *gpu_work_share(struct gpu_work *work);
/* Removes a reference. work may be NULL. */
void gpu_work_drop(struct gpu_work *work);
/* Replaces a work by one of the same kind, whose reference is taken also after an error. place NULL: an
 * error. */
int gpu_work_replace(struct gpu_work **place, struct gpu_work *work);

/* The functions below return an enum gpu_error. */
int gpu_graph_create(struct gpu_device *device, struct gpu_graph **graph);
int gpu_graph_destroy(struct gpu_graph *graph);
int gpu_graph_clone(const struct gpu_graph *graph, struct gpu_graph **copy);
/* Adds a node with work, whose reference the node takes also if this fails. child: copied; NULL:
 * none. */
int gpu_node_add(struct gpu_graph *graph, struct gpu_work *work, const struct gpu_graph *child,
                 struct gpu_node *const *needs, size_t count, struct gpu_node **node);
int gpu_node_remove(struct gpu_node *node);
/* Returns the node that a copy of a graph has for a node of the graph, or NULL. */
struct gpu_node *gpu_node_twin(const struct gpu_graph *copy, const struct gpu_node *original);
int gpu_nodes_join(struct gpu_nodes *nodes, struct gpu_node *const *all, size_t count);

int gpu_exec_create(struct gpu_graph *graph, struct gpu_exec **exec);
int gpu_exec_destroy(struct gpu_exec *exec);
/* Returns the step of a node, or NULL. */
struct gpu_step *gpu_exec_step(const struct gpu_exec *exec, const struct gpu_node *node);
/* Takes the works of a graph that has the same nodes. *odd: first node that differs. */
int gpu_exec_update(struct gpu_exec *exec, struct gpu_graph *graph, struct gpu_node **odd);
int gpu_exec_launch(struct gpu_exec *exec, struct gpu_stream *stream);

int gpu_capture_begin(struct gpu_stream *stream, int mode);
int gpu_capture_end(struct gpu_stream *stream, struct gpu_graph **graph);
int gpu_capture_status(const struct gpu_stream *stream);

#endif
