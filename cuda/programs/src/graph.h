/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The graph of bfs.cu and of its expected accesses: each vertex has GRAPH_DEGREE edges.
 */
#ifndef GRAPH_H
#define GRAPH_H

enum { GRAPH_VERTICES = 64, GRAPH_DEGREE = 3 };

static int graph_edge(int vertex, int edge)
{
    return edge == 0 ? (vertex + 1) % GRAPH_VERTICES
                     : (vertex * vertex + 5 * edge + 7 * vertex) % GRAPH_VERTICES;
}

#endif
