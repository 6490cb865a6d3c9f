/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hooks.c - domains and the functions attached to them.
 *
 * All domains are in one index, with kind and number as the key; the number of a named domain is
 * the string id of its name. When the engine reaches a position, the domain of the LP concerned is
 * looked up only if any domain of an LP has a hook at that position; the same holds for KPs.
 *
 * Invariants
 *  K1  head.positions of a domain is the union of its hooks' positions; positions[kind] is the
 *      union over all domains of the kind.
 *  K2  Hooks move in the array only while no call is in progress. A hook that is detached during a
 *      call is marked. A hook that is attached during a call is not called by that call.
 * Cost: a test for a domain without hooks at the position; a look-up takes some 5 ns.
 */
#include "bus/sources/hooks.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/probe.h"
#include "store/array.h"

/* Domain that is returned in place of one that could not be created. */
static const struct domain inactive_domain = {.head = {.name = "nowhere"}, .kind = DOMAIN_NAMED};

/* ---- Domains --------------------------------------------------------------------------------- */

static uint32_t hash_of(enum domain_kind kind, uint64_t number)
{
    return index_hash(number * 4 + (uint64_t)kind);
}

static struct domain *domain_find(const struct hooks *hooks, enum domain_kind kind, uint64_t number)
{
    uint32_t hash = hash_of(kind, number), i;
    for (uint32_t at = hash; index_next(&hooks->index, hash, &at, &i);) {
        if (hooks->domains[i]->kind == kind && hooks->domains[i]->number == number) {
            return hooks->domains[i];
        }
    }
    return NULL;
}

static st_domain *domain_get(enum domain_kind kind, uint64_t number, const char *name)
{
    assert(kind <= DOMAIN_NAMED && name != NULL);
    struct hooks *hooks = &g_st_hooks;
    struct domain *d = domain_find(hooks, kind, number);
    if (d != NULL) {
        return &d->head;
    }
    size_t length = strlen(name) + 1;
    d = malloc(sizeof(*d) + length);
    if (d == NULL ||
        !array_reserve(&hooks->domains, &hooks->room, hooks->n_domains + 1u,
                       sizeof *hooks->domains) ||
        !index_add(&hooks->index, hash_of(kind, number), hooks->n_domains)) {
        free(d);
        return (st_domain *)(uintptr_t)&inactive_domain.head;
    }
    *d = (struct domain){.kind = kind, .number = number};
    d->head.name = memcpy(d + 1, name, length);
    hooks->domains[hooks->n_domains++] = d;
    return &d->head;
}

st_domain *st_domain_create(const char *name)
{
    st_string_id number = name == NULL || name[0] == '\0' ? 0 : st_string(name);
    return number == 0 ? (st_domain *)(uintptr_t)&inactive_domain.head
                       : domain_get(DOMAIN_NAMED, number, name);
}

st_domain *st_domain_pe(void)
{
    return domain_get(DOMAIN_PE, 0, "PE");
}

st_domain *st_domain_kp(tw_kpid kp)
{
    char name[32];
    snprintf(name, sizeof(name), "KP %llu", (unsigned long long)kp);
    return domain_get(DOMAIN_KP, (uint64_t)kp, name);
}

st_domain *st_domain_lp(tw_lpid gid)
{
    char name[32];
    snprintf(name, sizeof(name), "LP %llu", (unsigned long long)gid);
    return domain_get(DOMAIN_LP, (uint64_t)gid, name);
}

/* ---- Attaching ------------------------------------------------------------------------------- */

static uint64_t hook_positions(const struct domain *domain)
{
    uint64_t positions = 0;
    for (unsigned i = 0; i < domain->n; i++) {
        positions |= domain->hooks[i].function != NULL ? domain->hooks[i].positions : 0;
    }
    return positions;
}

static uint64_t kind_positions(const struct hooks *hooks, enum domain_kind kind)
{
    uint64_t positions = 0;
    for (uint32_t i = 0; i < hooks->n_domains; i++) {
        const struct domain *d = hooks->domains[i];
        positions |= d->kind == kind ? d->head.positions : 0;
    }
    return positions;
}

/* Updates the sets of positions after a change of the domain's hooks, see invariant K1. */
static void update_positions(struct hooks *hooks, struct domain *domain)
{
    assert(domain != &inactive_domain);
    uint64_t before = domain->head.positions;
    domain->head.positions = hook_positions(domain);
    if (domain->kind == DOMAIN_NAMED || domain->head.positions == before) {
        return;
    }
    uint64_t *positions = &hooks->positions[domain->kind];
    uint64_t lost = before & ~domain->head.positions;
    *positions =
        lost != 0 ? kind_positions(hooks, domain->kind) : *positions | domain->head.positions;
    if (hooks->changed != NULL) {
        hooks->changed(hooks->ctx);
    }
}

static struct hook *hook_find(const struct domain *domain, st_hook function, const void *arg)
{
    for (unsigned i = 0; i < domain->n; i++) {
        if (domain->hooks[i].function == function && domain->hooks[i].arg == arg) {
            return &domain->hooks[i];
        }
    }
    return NULL;
}

static void close_gaps(struct domain *domain)
{
    assert(domain->calling == 0);
    unsigned n = 0;
    for (unsigned i = 0; i < domain->n; i++) {
        if (domain->hooks[i].function != NULL) {
            domain->hooks[n++] = domain->hooks[i];
        }
    }
    domain->n = n;
    domain->has_gaps = false;
}

static struct domain *of_head(const st_domain *head)
{
    return (struct domain *)(uintptr_t)head; /* head is the first member of a domain */
}

st_result st_hook_attach(st_domain *head, uint64_t positions, st_hook hook, void *arg)
{
    struct domain *domain = of_head(head);
    if (head == NULL || domain == &inactive_domain || hook == NULL || positions == 0) {
        return ST_INVALID;
    }
    if (hook_find(domain, hook, arg) != NULL) {
        return ST_DUPLICATE;
    }
    if (!array_reserve(&domain->hooks, &domain->room, domain->n + 1u, sizeof(*domain->hooks))) {
        return ST_NO_MEMORY;
    }
    domain->hooks[domain->n++] = (struct hook){hook, arg, positions};
    update_positions(&g_st_hooks, domain);
    return ST_OK;
}

st_result st_hook_detach(st_domain *head, st_hook hook, void *arg)
{
    struct domain *domain = of_head(head);
    struct hook *found = head == NULL || hook == NULL ? NULL : hook_find(domain, hook, arg);
    if (found == NULL) {
        return ST_NOT_FOUND;
    }
    found->function = NULL;
    domain->has_gaps = true;
    if (domain->calling == 0) {
        close_gaps(domain);
    }
    update_positions(&g_st_hooks, domain);
    return ST_OK;
}

/* ---- Queries --------------------------------------------------------------------------------- */

size_t st_hook_list(const st_domain *head, st_hook_info *list, size_t max)
{
    const struct domain *domain = of_head(head);
    size_t n = 0;
    for (unsigned i = 0; head != NULL && i < domain->n; i++) {
        const struct hook *hook = &domain->hooks[i];
        if (hook->function == NULL) {
            continue;
        }
        if (n < max) {
            list[n] = (st_hook_info){hook->function, hook->arg, hook->positions};
        }
        n++;
    }
    return n;
}

st_result st_domain_name_position(st_domain *head, unsigned position, const char *name)
{
    struct domain *domain = of_head(head);
    if (head == NULL || domain == &inactive_domain || domain->kind != DOMAIN_NAMED ||
        position >= HOOK_POSITIONS || name == NULL || name[0] == '\0') {
        return ST_INVALID;
    }
    if (domain->names == NULL) {
        domain->names = calloc(HOOK_POSITIONS, sizeof *domain->names);
    }
    st_string_id text = domain->names == NULL ? 0 : st_string(name);
    if (text == 0) {
        return ST_NO_MEMORY;
    }
    st_string_id before = domain->names[position];
    domain->names[position] = text;
    return before == 0 || before == text ? ST_OK : ST_DUPLICATE;
}

const char *st_domain_position_name(const st_domain *head, unsigned position)
{
    const struct domain *domain = of_head(head);
    if (head == NULL || position >= HOOK_POSITIONS) {
        return NULL;
    }
    if (domain->kind != DOMAIN_NAMED) {
        return position < ST_POSITIONS ? st_position_text((st_position)position) : NULL;
    }
    return domain->names == NULL ? NULL : st_string_text(domain->names[position]);
}

/* ---- Calling --------------------------------------------------------------------------------- */

static void domain_call(struct domain *domain, st_hook_context *context)
{
    assert(context->position < HOOK_POSITIONS);
    unsigned n = domain->n;
    context->domain = &domain->head;
    domain->calling++;
    for (unsigned i = 0; i < n; i++) {
        struct hook hook = domain->hooks[i];
        if (hook.function != NULL && (hook.positions & ST_AT(context->position)) != 0) {
            bool is_guarded = g_tw_pe != NULL; /* without a PE there is no run to guard */
            if (is_guarded) {
                probe_observer_enter(domain->head.name);
            }
            hook.function(context, hook.arg);
            if (is_guarded) {
                probe_observer_leave();
            }
        }
    }
    if (--domain->calling == 0 && domain->has_gaps) {
        close_gaps(domain);
    }
}

void st_hook_invoke(st_domain *domain, unsigned position, const void *item, const void *detail)
{
    if (position >= 64 || (domain->positions & ST_AT(position)) == 0) {
        return;
    }
    st_hook_context context = {.position = position, .item = item, .detail = detail};
    if (g_tw_pe != NULL) { /* before tw_init() there is no virtual time */
        struct probe_now now = probe_now();
        if (now.context == PROBE_IN_TRIAL) {
            return; /* a trial execution calls no hooks: it is undone, and the handler runs again */
        }
        context.ts = now.ts;
    }
    domain_call(of_head(domain), &context);
}

static void call_in(struct hooks *hooks, enum domain_kind kind, uint64_t number,
                    st_hook_context *context)
{
    assert(kind < DOMAIN_NAMED);
    if ((hooks->positions[kind] & ST_AT(context->position)) == 0) {
        return;
    }
    struct domain *domain = domain_find(hooks, kind, number);
    if (domain != NULL && (domain->head.positions & ST_AT(context->position)) != 0) {
        domain_call(domain, context);
    }
}

void hooks_call(struct hooks *hooks, const struct hook_place *place)
{
    assert(place->position < ST_POSITIONS);
    st_hook_context context = {.position = place->position,
                               .item = place->item,
                               .detail = place->detail,
                               .ts = probe_now().ts};
    if (place->lp != NULL) {
        call_in(hooks, DOMAIN_LP, place->lp->gid, &context);
    }
    if (place->kp != NULL) {
        call_in(hooks, DOMAIN_KP, place->kp->id, &context);
    }
    call_in(hooks, DOMAIN_PE, 0, &context);
}

/* ---- End of a run ---------------------------------------------------------------------------- */

void hooks_fini(struct hooks *hooks)
{
    for (uint32_t i = 0; i < hooks->n_domains; i++) {
        free(hooks->domains[i]->hooks);
        free(hooks->domains[i]->names);
        free(hooks->domains[i]);
    }
    free(hooks->domains);
    index_fini(&hooks->index);
    *hooks = (struct hooks){0};
}

void hooks_check(const struct hooks *hooks)
{
    bool holds = hooks->index.n == hooks->n_domains && index_check(&hooks->index);
    for (uint32_t i = 0; i < hooks->n_domains; i++) {
        const struct domain *d = hooks->domains[i];
        holds = holds && d->head.positions == hook_positions(d);
    }
    for (unsigned kind = 0; kind < DOMAIN_NAMED; kind++) {
        holds = holds && hooks->positions[kind] == kind_positions(hooks, (enum domain_kind)kind);
    }
    if (!holds) {
        fprintf(stderr, "hooks: K1\n");
        abort();
    }
}
