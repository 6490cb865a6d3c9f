/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hooks.h - hooks as the engine's stream calls them; models see st_hook.h.
 */
#ifndef WARPSCOPE_BUS_SOURCES_HOOKS_H
#define WARPSCOPE_BUS_SOURCES_HOOKS_H

#include "st_hook.h"

#define HOOK_POSITIONS 64u

enum domain_kind { DOMAIN_PE, DOMAIN_KP, DOMAIN_LP, DOMAIN_NAMED };

struct hook {
    st_hook function; /* NULL: it was detached during a call */
    void *arg;
    uint64_t positions;
};

struct domain {
    st_domain head;
    enum domain_kind kind;
    uint64_t number; /* of the KP, the LP, or the string that is the name */
    struct domain *next;
    struct hook *hooks;  /* in the order of their attachment */
    st_string_id *names; /* of positions, HOOK_POSITIONS of them; NULL: none has one */
    unsigned n;
    unsigned room;
    unsigned calling; /* calls that are going on */
    bool has_gaps;    /* some were detached meanwhile */
};

/* Zero-initialised there are none. */
struct hooks {
    struct domain **buckets; /* owned */
    size_t n_buckets;        /* 0 or a power of two */
    size_t n_domains;
    /* By kind: positions that have hooks in some domain of the engine's. */
    uint64_t positions[DOMAIN_NAMED];
    /* Called when positions may have changed; may be NULL. */
    void (*changed)(void *ctx);
    void *ctx;
};

/* The ones of this rank; in st_globals.c. */
extern struct hooks g_st_hooks;

/* What happens somewhere in the engine. */
struct hook_place {
    const tw_lp *lp; /* may be NULL */
    const tw_kp *kp; /* may be NULL */
    unsigned position;
    const void *item;
    const void *detail;
};

/* Positions of the engine that have hooks. */
static inline uint64_t hooks_positions(const struct hooks *hooks)
{
    return hooks->positions[DOMAIN_PE] | hooks->positions[DOMAIN_KP] | hooks->positions[DOMAIN_LP];
}

/* Calls the hooks of the LP, the KP and the PE, in this order. */
void hooks_call(struct hooks *hooks, const struct hook_place *place);

/* Forgets all domains. */
void hooks_fini(struct hooks *hooks);

/* Aborts with a message when the masks of positions are not those of the hooks. For tests. */
void hooks_check(const struct hooks *hooks);

#endif
