/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hooks.h - the domains to which hooks are attached, and calls of hooks at events of the engine.
 * The interface for models and tools is st_hook.h.
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
    uint64_t positions;
};

struct domain {
    st_domain head;
    enum domain_kind kind;
    uint64_t number;     /* number of the KP or LP, or id of the name's string */
    struct hook *hooks;  /* hooks of the domain, in the order in which they were attached */
    st_string_id *names; /* names of the HOOK_POSITIONS positions; NULL: no names */
    unsigned n;
    size_t room;
    unsigned calling; /* number of calls in progress */
    bool has_gaps;    /* true if hooks were detached during a call */
};

/* All domains of this rank. Zero-initialised, there are none. */
struct hooks {
    struct domain **domains; /* owned; the domains */
    size_t room;
    uint32_t n_domains;
    struct index index; /* index of the domains, by kind and number */
    /* For each kind of domain of the engine, the positions that have hooks in some domain of that
     * kind. */
    uint64_t positions[DOMAIN_NAMED];
    /* Called when positions may have changed; may be NULL. */
    void (*changed)(void *ctx);
    void *ctx;
};

/* The domains of this rank; defined in st_globals.c. */
extern struct hooks g_st_hooks;

/* Context of an engine event, for which hooks are called. */
struct hook_place {
    const tw_lp *lp; /* the LP concerned; may be NULL */
    const tw_kp *kp; /* the KP concerned; may be NULL */
    unsigned position;
    const void *item;
    const void *detail;
};

/* Returns the positions that have hooks in any domain of the engine. */
static inline uint64_t hooks_positions(const struct hooks *hooks)
{
    return hooks->positions[DOMAIN_PE] | hooks->positions[DOMAIN_KP] | hooks->positions[DOMAIN_LP];
}

/* Calls the hooks of the LP, the KP and the PE, in this order. */
void hooks_call(struct hooks *hooks, const struct hook_place *place);

/* Frees all domains and their hooks. */
void hooks_fini(struct hooks *hooks);

/* Aborts with a message if the masks of positions do not match the hooks. For tests. */
void hooks_check(const struct hooks *hooks);

#endif
