/*
 * memtrace_actors.h - numbers for kernels and for actors. A kernel is a name in a stream (a file);
 * an actor is a CTA of a kernel, whichever launch of it.
 */
#ifndef WARPSCOPE_READER_MEMTRACE_ACTORS_H
#define WARPSCOPE_READER_MEMTRACE_ACTORS_H

#include <stdbool.h>

#include "names.h"

#define WS_ACTOR_NONE UINT32_MAX

struct ws_kernel {
    char *label;       /* owned: what is shown, with "N:" before it if there are several streams */
    const char *shown; /* in label: the name, what is no UTF-8 in it as \xNN */
    uint32_t stream;   /* from 1 */
    bool chosen;       /* by the caller */
    bool is_cut;       /* by the caller: shown by its number and the begin of its name */
};

struct ws_actor {
    uint64_t cta;
    uint32_t kernel;
    bool chosen; /* by the caller */
};

/* Zero-initialise; free in any case. Read it. */
struct ws_actors {
    struct ws_names names; /* stream as 4 bytes, name */
    struct ws_kernel *kernels;
    uint32_t kernels_room;
    struct ws_actor *actors;
    uint32_t n, room;
    uint32_t *slots; /* hash table of numbers + 1; at most half full */
    uint32_t n_slots;
    uint32_t last;
};

/* A name (4095 bytes at most) in UTF-8: its end. */
#define WS_KERNEL_SHOWN_MAX (4 * 4095 + 1)
char *ws_kernel_show(char *to, const char *name);
/* The number of a kernel; is_new says whether it was added. WS_NAMES_NONE: no memory. */
uint32_t ws_kernel_add(struct ws_actors *actors, uint32_t stream, const char *name, bool several,
                       bool *is_new);
/* The number of an actor; a new one is not chosen. WS_ACTOR_NONE: no memory. */
uint32_t ws_actor_add(struct ws_actors *actors, uint32_t kernel, uint64_t cta, bool *is_new);
void ws_actors_free(struct ws_actors *actors);

/* Asserts that each actor is found, once. */
void ws_actors_check(const struct ws_actors *actors);

static inline uint32_t ws_actor_stream(const struct ws_actors *actors, uint32_t actor)
{
    return actors->kernels[actors->actors[actor].kernel].stream;
}

#endif
