/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * actors.h - assigns numbers to kernels and to actors, from 0 on. A kernel is identified by its
 * stream (a trace file) and its name. An actor is identified by a kernel and the coordinates of a
 * CTA; it stands for this CTA in all launches of the kernel.
 */
#ifndef WARPSCOPE_READER_MEMTRACE_ACTORS_H
#define WARPSCOPE_READER_MEMTRACE_ACTORS_H

#include <stdbool.h>

#include "data/intern.h"

#define WS_ACTOR_NONE UINT32_MAX

struct ws_kernel {
    /* Owned; name to print. With several streams, the stream's number and a colon precede it. */
    char *label;
    const char *shown; /* the name alone, inside label; \xNN stands for a byte that is not UTF-8 */
    uint32_t stream;   /* number of the stream, counted from 1 */
    bool chosen;       /* set by the caller: true if the user's selection includes the kernel */
    /* Set by the caller: true if the output has only the kernel's number and the start of its
     * name. */
    bool is_cut;
};

struct ws_actor {
    uint64_t cta;
    uint32_t kernel;
    bool chosen; /* set by the caller: true if the user's selection includes the actor */
};

/* The kernels and actors of all streams. Zero-initialise. Call ws_actors_free() at the end, also
 * after an error. The caller may only read the members, except `chosen` and `is_cut`. */
struct ws_actors {
    struct ws_intern names; /* keys of the kernels: the stream as 4 bytes, then the name */
    struct ws_kernel *kernels;
    size_t kernels_room;
    struct ws_actor *actors;
    uint32_t n;
    size_t room;
    struct index index; /* finds the number of an actor by its kernel and CTA */
    uint32_t last;
};

/* Writes `name`, of at most 4095 bytes, to `to` as valid UTF-8: \xNN replaces an invalid byte. `to`
 * has WS_KERNEL_SHOWN_MAX bytes. Returns the end of the text in `to`. */
#define WS_KERNEL_SHOWN_MAX (4 * 4095 + 1)
char *ws_kernel_show(char *to, const char *name);
/* Returns the number of the kernel with this stream and name. Adds the kernel and sets *is_new to
 * true if it is new, otherwise sets *is_new to false. several: true if there are several streams.
 * Returns WS_NAMES_NONE if memory is exhausted or there are too many kernels. */
uint32_t ws_kernel_add(struct ws_actors *actors, uint32_t stream, const char *name, bool several,
                       bool *is_new);
/* Returns the number of the actor with this kernel and CTA. If the actor is new, adds it with
 * `chosen` false. Sets *is_new to true if the actor is new, otherwise to false. Returns
 * WS_ACTOR_NONE if memory is exhausted or there are too many actors. */
uint32_t ws_actor_add(struct ws_actors *actors, uint32_t kernel, uint64_t cta, bool *is_new);
void ws_actors_free(struct ws_actors *actors);

/* Returns true if a search by kernel and CTA finds each actor under its own number. */
bool ws_actors_check(const struct ws_actors *actors);

static inline uint32_t ws_actor_stream(const struct ws_actors *actors, uint32_t actor)
{
    return actors->kernels[actors->actors[actor].kernel].stream;
}

#endif
