/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * netsim_support.h - functions that netsim's unit tests share: an engine, random networks.
 */
#ifndef WARPSCOPE_TESTS_NETSIM_SUPPORT_H
#define WARPSCOPE_TESTS_NETSIM_SUPPORT_H

#include "model.h"

#define MODEL_MESSAGE struct ns_packet
#include "support/model_engine.h"

/* 0 .. n-1 */
static inline uint32_t test_random_below(uint32_t n)
{
    return (uint32_t)random_below(&seed, n);
}

/* ---- Networks -------------------------------------------------------------------------------- */

static inline struct ns_bytes test_bytes(char *text)
{
    return (struct ns_bytes){text, strlen(text)};
}

/* Parses a GML text as the file "t.gml". Links have 10 Gbit/s unless the text gives a rate. */
static inline bool test_topology(const char *text, struct ns_topology *topology,
                                 struct model_error *error)
{
    char *copy = strdup(text);
    struct ns_bytes bytes = test_bytes(copy);
    struct ns_gml gml;
    bool ok = ns_gml_init(&gml, "t.gml", &bytes, error);
    if (ok) {
        ok = ns_topology_init(topology, "t.gml", &gml, 10e9, 0.001, error);
        ns_gml_fini(&gml);
    }
    free(copy);
    return ok;
}

/*
 * Makes a connected network of n sites: a random tree and n_more links, some of them parallel.
 * Delays are whole milliseconds from 0 to 4, so that many paths have equal length. Directed: each
 * tree edge in both directions.
 */
static inline void test_topology_random(uint32_t n, uint32_t n_more, bool directed,
                                        struct ns_topology *topology)
{
    size_t room = 100 + (size_t)n * 300 + n_more * 200u;
    char *text = malloc(room);
    size_t used = (size_t)sprintf(text, "graph [ directed %d\n", directed ? 1 : 0);
    for (uint32_t i = 0; i < n; i++) {
        used +=
            (size_t)sprintf(text + used, "node [ id %u label \"s%u\" lat 1 lon 1 ]\n", i * 3, i);
    }
    for (uint32_t i = 1; i < n + n_more; i++) {
        uint32_t a = i < n ? i : test_random_below(n);
        uint32_t b = i < n ? test_random_below(i) : (a + 1 + test_random_below(n - 1)) % n;
        for (int way = 0; way < (directed && i < n ? 2 : 1); way++) {
            used += (size_t)sprintf(text + used,
                                    "edge [ source %u target %u delay_ms %u capacity %u ]\n",
                                    (way == 0 ? a : b) * 3, (way == 0 ? b : a) * 3,
                                    test_random_below(5), 1000000 * (1 + test_random_below(100)));
        }
    }
    sprintf(text + used, "]\n");
    struct model_error error = {""};
    if (!test_topology(text, topology, &error)) {
        printf("random network refused: %s\n%s", error.text, text);
        exit(EXIT_FAILURE);
    }
    free(text);
}

#endif
