/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hooks.h - calls of hooks by the engine's stream; the interface for models is st_hook.h.
 */
#ifndef WARPSCOPE_BUS_SOURCES_HOOKS_H
#define WARPSCOPE_BUS_SOURCES_HOOKS_H

#include "st_hook.h"
#include "store/index.h"

#define HOOK_POSITIONS 64u

enum domain_kind { DOMAIN_PE, DOMAIN_KP, DOMAIN_LP, DOMAIN_NAMED };

struct hook {
    st_hook function; /* NULL: detached during a call */
    void *arg;
    uint64_t positions;
};

struct domain {
    st_domain head;
    enum domain_kind kind;
    uint64_t number;     /* number of the KP or LP, or id of the name's string */
    struct hook *hooks;  /* in the order in which they were attached */
    st_string_id *names; /* of positions, HOOK_POSITIONS of them; NULL: no names */
    unsigned n;
    size_t room;
    unsigned calling; /* calls in progress */
    bool has_gaps;    /* true if hooks were detached during a call */
};

/* Zero-initialised: no domains. */
struct hooks {
    struct domain **domains; /* owned */
    size_t room;
    uint32_t n_domains;
    struct index index; /* of domains, by kind and number */
    /* By kind: positions that have hooks in some domain of the engine. */
    uint64_t positions[DOMAIN_NAMED];
    /* Called if positions may have changed; may be NULL. */
    void (*changed)(void *ctx);
    void *ctx;
};

/* The instance of this rank; defined in st_globals.c. */
extern struct hooks g_st_hooks;

/* The place of an event of the engine. */
struct hook_place {
    const tw_lp *lp; /* may be NULL */
    const tw_kp *kp; /* may be NULL */
    unsigned position;
    const void *item;
    const void *detail;
};

/* Returns the positions of the engine that have hooks. */
static inline uint64_t hooks_positions(const struct hooks *hooks)
{
    return hooks->positions[DOMAIN_PE] | hooks->positions[DOMAIN_KP] | hooks->positions[DOMAIN_LP];
}

/* Calls the hooks of the LP, the KP and the PE, in this order. */
void hooks_call(struct hooks *hooks, const struct hook_place *place);

/* Frees all domains. */
void hooks_fini(struct hooks *hooks);

/* Aborts with a message if the masks of positions do not match the hooks. For tests. */
void hooks_check(const struct hooks *hooks);

#endif
