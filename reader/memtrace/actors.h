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
#include "data/ranges.h"

#define WS_ACTOR_NONE UINT32_MAX

/* The user's selection: criteria for the rows of the results. If all members are zero, all rows are
 * selected. */
struct ws_memtrace_choice {
    const char *kernels; /* shell patterns for names of kernels, with commas between; NULL: all */
    struct ws_ranges steps, sms; /* selected supersteps and SMs; empty: all */
    uint64_t cta_mask, cta;      /* bits of a CTA's coordinates that must be those of `cta` */
    bool any;                    /* true if one of these criteria is given */
    /* True if --address was given: accesses outside the range are ignored by the analysis. */
    bool addresses_given;
    uint64_t address_from, address_to; /* range of addresses, both inclusive */
};

/* Returns true if the selection includes only some accesses of a kernel. */
static inline bool ws_memtrace_chooses_parts(const struct ws_memtrace_choice *c)
{
    return c->steps.n > 0 || c->sms.n > 0 || c->cta_mask != 0 || c->addresses_given;
}

/* Returns true if a set of selected numbers, in which the empty set stands for all, has `number`. */
static inline bool ws_allows(const struct ws_ranges *ranges, uint64_t number)
{
    return ranges->n == 0 || ws_ranges_have(ranges, number);
}

struct ws_kernel {
    /* Owned; name to print. With several streams, the stream's number and a colon precede it. */
    char *label;
    const char *shown; /* the name alone, inside label; \xNN stands for a byte that is not UTF-8 */
    /* Owned; the label for text: of a demangled name, only as much as the names of the other kernels
     * of the stream differ in. NULL until ws_kernels_shorten(). */
    char *text;
    uint32_t stream; /* number of the stream, counted from 1 */
    bool chosen;     /* true if the user's selection includes the kernel */
    /* Set by the caller: true if the output has only the kernel's number and the start of its
     * name. */
    bool is_cut;
};

struct ws_actor {
    uint64_t cta;
    uint32_t kernel;
    bool chosen; /* true if the user's selection includes the actor */
};

/* The kernels and actors of all streams. The caller sets `choice` and `several` and zeroes the other
 * members. Call ws_actors_free() at the end, also after an error. The caller may only read the
 * members, except `is_cut`. */
struct ws_actors {
    const struct ws_memtrace_choice *choice; /* borrowed; the user's selection */
    bool
        several; /* true if there are several streams: another one may write later what a load reads */
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
/* Returns the number of the kernel with this stream and name, which is added if it is new. Returns
 * WS_NAMES_NONE if memory is exhausted or there are too many kernels. */
uint32_t ws_kernel_add(struct ws_actors *actors, uint32_t stream, const char *name);
/* Returns the number of the kernel with this stream and name, or WS_NAMES_NONE. */
uint32_t ws_kernel_find(const struct ws_actors *actors, uint32_t stream, const char *name);
/* Sets the member `text` of all kernels. Returns false if memory is exhausted. */
bool ws_kernels_shorten(struct ws_actors *actors);
/* Returns the number of the actor with this kernel and CTA, which is added if it is new. Returns
 * WS_ACTOR_NONE if memory is exhausted or there are too many actors. */
uint32_t ws_actor_add(struct ws_actors *actors, uint32_t kernel, uint64_t cta);
void ws_actors_free(struct ws_actors *actors);

/* Returns true if the selection includes the kernel with the name `shown`. A pattern can match the
 * name alone, or the name after the stream's number and a colon. */
bool ws_memtrace_has_kernel(const struct ws_memtrace_choice *choice, uint32_t stream,
                            const char *shown);

/* Returns true if a search by kernel and CTA finds each actor under its own number. */
bool ws_actors_check(const struct ws_actors *actors);

static inline uint32_t ws_actor_stream(const struct ws_actors *actors, uint32_t actor)
{
    return actors->kernels[actors->actors[actor].kernel].stream;
}

#endif
