/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Launches of CUDA graphs with rewritten kernels. Nodes of rewritten kernels have the hidden argument 0. If the program is
 * traced, an executable graph also has a plan: its nodes one after the other, each after those on which it
 * depends, otherwise in the order in which they were added. A launch then launches each rewritten kernel
 * as such, and the nodes between two of these as an executable graph of their own, which is made of a
 * clone of the program's graph without the other nodes. All is in the stream of the launch, so that the
 * records are those of the same launches without a graph.
 *
 * A graph runs untraced, as a note says, if CUDA does not clone it or if it has nodes of other kinds than
 * kernels, copies, fills, host functions, events and other graphs; from then on as well if a node of the
 * executable graph is changed that is not a kernel.
 */
#ifndef WARPSCOPE_CUDA_HOOKS_PLANS_H
#define WARPSCOPE_CUDA_HOOKS_PLANS_H

#include "abi/abi.h"
#include "trace/hooks/hooks.h"

/* The functions of CUDA's runtime or driver that plans need, which are alike. They are those of CUDA, not
 * the hooks. Results are error numbers. */
struct ws_graph_calls {
    const struct ws_calls *calls;
    int (*nodes)(void *graph, void **nodes, size_t *count);
    int (*needs)(void *node, void **nodes, void *edges, size_t *count);
    int (*type)(void *node, int *type);
    int (*child)(void *node, void **graph);
    int (*clone)(void **copy, void *graph);
    int (*twin)(void **twin, void *node, void *copy);
    int (*remove)(void *node);
    int (*destroy)(void *graph);
    int (*instantiate)(void **exec, void *graph, unsigned long long flags);
    int (*exec_destroy)(void *exec);
    int (*launch)(void *exec, void *stream);
    int (*event_create)(void **event, unsigned flags);
    int (*event_record)(void *event, void *stream);
    int (*event_destroy)(void *event);
    int (*wait)(void *stream, void *event, unsigned flags);
    int (*kernel_set)(void *node, const void *parameters);
    int (*attribute)(void *node, int id, union launch_value *value);
    /* Returns the last error of the program; forget: true to remove it. */
    int (*last_error)(bool forget);
    /* Returns the kernel of a node from the tables of rewritten kernels, or NULL. */
    const struct ws_traced_kernel *(*kernel)(void *node);
    /* Launches the kernel of a node, with n attributes, as its own hook does. */
    int (*kernel_launch)(void *node, void *stream, struct launch_attribute *attributes, unsigned n);
};

/* Launches an executable graph. Returns false if it has no plan, or if the stream is captured. */
bool ws_plan_launch(const struct ws_graph_calls *c, void *exec, void *stream, int *error);
/* Called after an executable graph was made of a graph, or before it is destroyed (NULL), unless error is
 * not 0. Returns the error. */
int ws_plan_made(const struct ws_graph_calls *c, int error, void *exec, void *graph);
/* Called after a kernel of an executable graph was changed, unless error is not 0. parameters: with the
 * hidden argument; NULL: it was another node. Returns the error. */
int ws_plan_changed(const struct ws_graph_calls *c, int error, void *exec, void *node,
                    const void *parameters);
/* Called after another node was changed, unless error is not 0: the kernels are not traced from now on.
 * Returns the error. */
int ws_plan_end(int error, void *exec);

#endif
