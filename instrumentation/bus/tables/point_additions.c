/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * point_additions.c - additions that owners and tools make to points: texts, kind and activity,
 * address, and values.
 *
 * Most points have only their place, so all additions except kind and activity are in a separate
 * struct. Any thread may read values while another thread attaches one: the list only grows, at its
 * head. When a value is detached, the entry of its owner stays in the list.
 */
#include <assert.h>
#include <stdlib.h>

#include "bus/tables/points.h"
#include "store/array.h"

/* Returns the additions of an entry, allocated if needed; NULL if memory is exhausted. */
static struct point_more *more_of(struct point_entry *entry)
{
    if (entry->more == NULL) {
        struct point_more *more = calloc(1, sizeof *more);
        __atomic_store_n(&entry->more, more, __ATOMIC_RELEASE);
    }
    return entry->more;
}

/* ---- Texts of points ------------------------------------------------------------------------- */

static struct point_text *find_text(const struct point_more *more, st_string_id key)
{
    for (uint32_t i = 0; more != NULL && i < more->n_texts; i++) {
        if (more->texts[i].key == key) {
            return &more->texts[i];
        }
    }
    return NULL;
}

st_result points_set(struct points *p, struct point_entry *entry, const char *key,
                     const char *value)
{
    assert(key != NULL && value != NULL);
    struct point_text new = {strings_insert(p->strings, key), strings_insert(p->strings, value)};
    struct point_more *more = more_of(entry);
    if (new.key == 0 || new.value == 0 || more == NULL) {
        return ST_NO_MEMORY;
    }
    struct point_text *text = find_text(more, new.key);
    if (text != NULL) {
        text->value = new.value;
        return ST_DUPLICATE;
    }
    if (!array_reserve(&more->texts, &more->texts_max, more->n_texts + 1u, sizeof *more->texts)) {
        return ST_NO_MEMORY;
    }
    more->texts[more->n_texts++] = new;
    return ST_OK;
}

const char *points_get(const struct points *p, const struct point_entry *entry, const char *key)
{
    uint32_t id = strings_find(p->strings, key);
    const struct point_text *text = id == 0 ? NULL : find_text(entry->more, id);
    return text == NULL ? NULL : strings_text(p->strings, text->value);
}

const struct point_text *points_text(const struct point_entry *entry, uint32_t i)
{
    const struct point_more *more = entry->more;
    return more != NULL && i < more->n_texts ? &more->texts[i] : NULL;
}

/* ---- Address, kind and activity -------------------------------------------------------------- */

st_result points_set_address(struct point_entry *entry, const void *address)
{
    struct point_more *more = more_of(entry);
    if (more == NULL) {
        return ST_NO_MEMORY;
    }
    more->address = address;
    return ST_OK;
}

/* Sets *trait to `by`, unless `by` is 0. Returns true if that replaces another value that is not
 * 0. */
static bool replace(uint16_t *trait, uint16_t by)
{
    const uint16_t before = *trait;
    if (by != 0) {
        __atomic_store_n(trait, by, __ATOMIC_RELAXED);
    }
    return by != 0 && before != 0 && before != by;
}

st_result points_describe(struct point_entry *entry, st_kind kind, st_activity activity)
{
    const bool other_kind = replace(&entry->point.kind, kind);
    const bool other_activity = replace(&entry->point.activity, activity);
    return other_kind || other_activity ? ST_DUPLICATE : ST_OK;
}

/* ---- Values of owners ------------------------------------------------------------------------ */

static struct point_attachment *find_attachment(const struct point_entry *entry, const void *owner)
{
    const struct point_more *more = __atomic_load_n(&entry->more, __ATOMIC_ACQUIRE);
    struct point_attachment *a =
        more == NULL ? NULL : __atomic_load_n(&more->attachments, __ATOMIC_ACQUIRE);
    while (a != NULL && a->owner != owner) {
        a = a->next;
    }
    return a;
}

st_result points_attach(struct point_entry *entry, const void *owner, void *value)
{
    assert(owner != NULL);
    struct point_attachment *a = find_attachment(entry, owner);
    if (a == NULL && value == NULL) {
        return ST_OK;
    }
    if (a == NULL) {
        struct point_more *more = more_of(entry);
        a = more == NULL ? NULL : malloc(sizeof *a);
        if (a == NULL) {
            return ST_NO_MEMORY;
        }
        *a = (struct point_attachment){.owner = owner, .next = more->attachments};
        __atomic_store_n(&more->attachments, a, __ATOMIC_RELEASE);
    }
    const void *before = __atomic_exchange_n(&a->value, value, __ATOMIC_ACQ_REL);
    return before == NULL || before == value ? ST_OK : ST_DUPLICATE;
}

void *points_attached(const struct point_entry *entry, const void *owner)
{
    const struct point_attachment *a = find_attachment(entry, owner);
    return a == NULL ? NULL : __atomic_load_n(&a->value, __ATOMIC_ACQUIRE);
}

/* ---- Checks and end -------------------------------------------------------------------------- */

bool points_check_more(const struct point_entry *entry)
{
    const struct point_more *more = entry->more;
    if (more == NULL) {
        return true;
    }
    for (const struct point_attachment *a = more->attachments; a != NULL; a = a->next) {
        if (a->owner == NULL || find_attachment(entry, a->owner) != a) {
            return false;
        }
    }
    return more->n_texts <= more->texts_max;
}

void points_reset_entry(struct point_entry *entry)
{
    struct point_more *more = entry->more;
    entry->more = NULL;
    entry->instances = 0;
    entry->point.kind = 0;
    entry->point.activity = 0;
    while (more != NULL && more->attachments != NULL) {
        struct point_attachment *next = more->attachments->next;
        free(more->attachments);
        more->attachments = next;
    }
    if (more != NULL) {
        free(more->texts);
    }
    free(more);
}
