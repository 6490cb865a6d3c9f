// SPDX-License-Identifier: BSD-3-Clause
// Breadth-first search: the vertices of a level flag their unvisited neighbours, which form the next level.
#include "graph.h"
#include "program.h"

enum { V = GRAPH_VERTICES, D = GRAPH_DEGREE, BLOCK = 16, BLOCKS = V / BLOCK };

extern "C" __global__ void expand(const int *first, const int *edges, unsigned char *frontier,
                                  const unsigned char *visited, unsigned char *next, int *level,
                                  int depth)
{
    int v = blockIdx.x * BLOCK + threadIdx.x;
    if (!frontier[v]) {
        return;
    }
    frontier[v] = 0;
    int end = first[v + 1];
    for (int e = first[v]; e < end; e++) {
        int neighbour = edges[e];
        if (!visited[neighbour]) {
            level[neighbour] = depth; // all threads that store here store the same value
            next[neighbour] = 1;
        }
    }
}

extern "C" __global__ void advance(unsigned char *next, unsigned char *frontier,
                                   unsigned char *visited, int *more)
{
    int v = blockIdx.x * BLOCK + threadIdx.x;
    if (next[v]) {
        next[v] = 0;
        frontier[v] = 1;
        visited[v] = 1;
        *more = 1;
    }
}

int main()
{
    std::vector<int> first(V + 1), edges(V * D), expected(V, -1), queue(1, 0);
    for (int i = 0; i < V * D; i++) {
        edges[i] = graph_edge(i / D, i % D);
        first[i / D + 1] = i + 1;
    }
    expected[0] = 0;
    for (size_t i = 0; i < queue.size(); i++) {
        for (int e = 0; e < D; e++) {
            int n = edges[queue[i] * D + e];
            if (expected[n] < 0) {
                expected[n] = expected[queue[i]] + 1;
                queue.push_back(n);
            }
        }
    }
    std::vector<unsigned char> start(V);
    start[0] = 1;
    int *f = device("first", first), *e = device("edges", edges), *level = device<int>("level", V);
    int *more = device<int>("more", 1);
    unsigned char *frontier = device("frontier", start), *visited = device("visited", start);
    unsigned char *next = device<unsigned char>("next", V);
    int again = 1;
    for (int depth = 1; again; depth++) {
        expand<<<BLOCKS, BLOCK>>>(f, e, frontier, visited, next, level, depth);
        CUDA(cudaMemset(more, 0, sizeof(int)));
        advance<<<BLOCKS, BLOCK>>>(next, frontier, visited, more);
        again = host(more, 1)[0];
    }
    check("level", level, V, [&](int v) { return expected[v] < 0 ? 0 : expected[v]; });
    return finish();
}
