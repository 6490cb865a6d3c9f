/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hooks.h - the domains to which hooks are attached, and the calls to hooks when something happens
 * in the engine. The interface for models and tools is st_hook.h.
 */
#ifndef WARPSCOPE_BUS_SOURCES_HOOKS_H
#define WARPSCOPE_BUS_SOURCES_HOOKS_H

#include "st_hook.h"
#include "store/index.h"

#define HOOK_POSITIONS 64u

enum domain_kind { DOMAIN_PE, DOMAIN_KP, DOMAIN_LP, DOMAIN_NAMED };

struct hook {
    st_hook function; /* function of the model or tool; NULL: detached during a call */
    void *arg;
    /* Set of the positions at which the function is called, as bits ST_AT(position). */
    uint64_t positions;
};

struct domain {
    st_domain head;
    enum domain_kind kind;
    /* Index of the KP, gid of the LP, or string id of the name; 0 for the PE. */
    uint64_t number;
    struct hook *hooks;  /* owned; n hooks, in the order in which they were attached */
    st_string_id *names; /* owned; [i]: string id of the name of position i; NULL: no names */
    unsigned n;
    size_t room;
    unsigned calling; /* number of calls in progress to hooks of the domain */
    bool has_gaps;    /* true if `hooks` has hooks that were detached during a call */
};

/* All domains of this rank. A zero-initialised object has none. */
struct hooks {
    struct domain **domains; /* owned; n_domains domains */
    size_t room;
    uint32_t n_domains;
    struct index index; /* index of the domains, by kind and number */
    /* [kind]: for domains of the engine, union of the positions at which domains of this kind have
     * hooks. */
    uint64_t positions[DOMAIN_NAMED];
    /* Function that is called with ctx whenever `positions` has possibly changed; NULL: none. */
    void (*changed)(void *ctx);
    void *ctx;
};

/* The domains of this rank; defined in st_globals.c. */
extern struct hooks g_st_hooks;

/* Data about something that happened in the engine, for which hooks are called. */
struct hook_place {
    const tw_lp *lp; /* LP whose hooks are called; NULL: none */
    const tw_kp *kp; /* KP whose hooks are called; NULL: none */
    unsigned position;
    const void *item;
    const void *detail;
};

/* Returns the set of the positions that have hooks in any domain of the engine. */
static inline uint64_t hooks_positions(const struct hooks *hooks)
{
    return hooks->positions[DOMAIN_PE] | hooks->positions[DOMAIN_KP] | hooks->positions[DOMAIN_LP];
}

/* Calls the hooks for place->position of the LP place->lp, the KP place->kp and the PE, in this
 * order. */
void hooks_call(struct hooks *hooks, const struct hook_place *place);

/* Frees all domains and their hooks. */
void hooks_fini(struct hooks *hooks);

/* Aborts with an error message if the sets of positions do not match the hooks. For tests. */
void hooks_check(const struct hooks *hooks);

#endif
