/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * actors.h - numbers for kernels and for actors. A kernel is a name in a stream (a file);
 * an actor is a CTA of a kernel, in any launch of it.
 */
#ifndef WARPSCOPE_READER_MEMTRACE_ACTORS_H
#define WARPSCOPE_READER_MEMTRACE_ACTORS_H

#include <stdbool.h>

#include "data/intern.h"

#define WS_ACTOR_NONE UINT32_MAX

struct ws_kernel {
    char *label;       /* owned; name to print, with prefix "N:" if there are several streams */
    const char *shown; /* part of label: the name, with bytes that are not UTF-8 as \xNN */
    uint32_t stream;   /* number of the stream, from 1 on */
    bool chosen;       /* set by the caller: true if the kernel is chosen */
    /* Set by the caller: true to print the kernel's number and the start of its name. */
    bool is_cut;
};

struct ws_actor {
    uint64_t cta;
    uint32_t kernel;
    bool chosen; /* set by the caller: true if the actor is chosen */
};

/* The kernels and actors of all streams. Zero-initialise. Must be freed in any case. The caller may
 * only read the members, except those marked. */
struct ws_actors {
    struct ws_intern names; /* names of kernels: the stream as 4 bytes, then the name */
    struct ws_kernel *kernels;
    size_t kernels_room;
    struct ws_actor *actors;
    uint32_t n;
    size_t room;
    struct index index; /* index of the actors by kernel and CTA */
    uint32_t last;
};

/* Writes a name (4095 bytes at most) as UTF-8. Returns the end of the output. */
#define WS_KERNEL_SHOWN_MAX (4 * 4095 + 1)
char *ws_kernel_show(char *to, const char *name);
/* Returns the number of a kernel, adds it if it is new, and sets *is_new. Returns WS_NAMES_NONE if
 * memory is exhausted. */
uint32_t ws_kernel_add(struct ws_actors *actors, uint32_t stream, const char *name, bool several,
                       bool *is_new);
/* Returns the number of an actor, adds it as not chosen if it is new, and sets *is_new. Returns
 * WS_ACTOR_NONE if memory is exhausted. */
uint32_t ws_actor_add(struct ws_actors *actors, uint32_t kernel, uint64_t cta, bool *is_new);
void ws_actors_free(struct ws_actors *actors);

/* Asserts that each actor is found exactly once. */
void ws_actors_check(const struct ws_actors *actors);

static inline uint32_t ws_actor_stream(const struct ws_actors *actors, uint32_t actor)
{
    return actors->kernels[actors->actors[actor].kernel].stream;
}

#endif
