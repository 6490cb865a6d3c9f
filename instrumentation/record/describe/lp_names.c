/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lp_names.c - collects the names of LP types that have LPs.
 *
 * A model may name types that have no LPs, and a rank may have no LP of a type. Pointers identify
 * types, but mean nothing on other ranks. Names are the same on all ranks.
 *
 * Cost, once per run: a search among the named types for each LP whose type differs from that of
 * the preceding LP.
 */
#include "record/describe/lp_names.h"

#include <assert.h>
#include <limits.h>

#include "record/base/tree_merge.h"
#include "store/array.h"
#include "store/search.h"

const char *lp_names_fault(const char *name)
{
    size_t length = name != NULL ? strlen(name) : 0;
    if (length == 0 || length > LP_NAME_MAX) {
        return "it must have 1 to 63 characters";
    }
    for (size_t i = 0; i < length; i++) {
        bool letter = (name[i] >= 'a' && name[i] <= 'z') || (name[i] >= 'A' && name[i] <= 'Z');
        if (!letter && name[i] != '_' && (i == 0 || strchr("0123456789.:-", name[i]) == NULL)) {
            return "it must be made of A-Z a-z 0-9 _ . : and -, and begin with a letter or _";
        }
    }
    return NULL;
}

enum tw_status lp_names_set(struct lp_names *names, const tw_lptype *type, const char *name)
{
    assert(type != NULL && lp_names_fault(name) == NULL);
    size_t n = names->n_types;
    if (!array_append(&names->types, n, sizeof(*names->types))) {
        return TW_ERR_MEMORY;
    }
    names->types[n] = (struct lp_named_type){.type = type, .order = n, .name = strdup(name)};
    if (names->types[n].name == NULL) {
        return TW_ERR_MEMORY;
    }
    names->n_types++;
    return TW_OK;
}

const char *lp_names_of_type(const struct lp_names *names, const tw_lptype *type)
{
    const struct lp_named_type *found = NULL;
    for (size_t i = 0; i < names->n_types; i++) {
        const struct lp_named_type *t = &names->types[i];
        found = t->type == type && (found == NULL || t->order > found->order) ? t : found;
    }
    return found != NULL ? found->name : NULL;
}

/* ---- Types of this rank ---------------------------------------------------------------------- */

static int compare_types(const void *a, const void *b)
{
    const struct lp_named_type *left = a;
    const struct lp_named_type *right = b;
    uintptr_t x = (uintptr_t)left->type;
    uintptr_t y = (uintptr_t)right->type;
    return x != y ? (x > y) - (x < y) : (left->order > right->order) - (left->order < right->order);
}

/* Returns the index of the last entry for type in names->types, which is sorted; n_types if there
 * is none. */
static size_t find_type(const struct lp_names *names, const tw_lptype *type)
{
    size_t i; /* the first entry whose type is at a higher address */
    BINARY_SEARCH(i, 0, names->n_types, (uintptr_t)names->types[i].type <= (uintptr_t)type);
    return i > 0 && names->types[i - 1].type == type ? i - 1 : names->n_types;
}

/* Sets by_lp[i] to 1 + the index in names->types of the type of LP i; 0: the type has no name.
 * Marks the types in use. */
static void find_types(struct lp_names *names, tw_lp *const *lps, tw_lpid n_lps)
{
    assert(names->by_lp == NULL);
    if (names->n_types > 0) { /* qsort() must not be called with NULL */
        qsort(names->types, names->n_types, sizeof(*names->types), compare_types);
    }
    names->by_lp = tw_calloc(TW_LOC, "names of LPs", sizeof(*names->by_lp), n_lps + 1);
    const tw_lptype *before = NULL;
    for (tw_lpid i = 0; i < n_lps; i++) {
        const tw_lptype *key = lp_names_key(names, lps[i]);
        if (i > 0 && key == before) {
            names->by_lp[i] = names->by_lp[i - 1];
            continue;
        }
        before = key;
        size_t at = find_type(names, before);
        if (at < names->n_types) {
            names->types[at].used = 1;
            names->by_lp[i] = (uint32_t)at + 1;
        }
    }
}

/* ---- Types of all ranks ---------------------------------------------------------------------- */

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Distinct names in ascending order, each with its terminating zero. */
struct name_text {
    char *text;
    size_t size;
};

/* Returns the names of the types in use on this rank. */
static struct name_text names_in_use(const struct lp_names *names)
{
    size_t total = 0, n = 0;
    const char **used = tw_calloc(TW_LOC, "names of LPs", sizeof(*used), names->n_types + 1);
    for (size_t i = 0; i < names->n_types; i++) {
        if (names->types[i].used != 0) {
            used[n++] = names->types[i].name;
            total += strlen(names->types[i].name) + 1;
        }
    }
    qsort((void *)used, n, sizeof(*used), compare_names);
    struct name_text mine = {tw_calloc(TW_LOC, "names of LPs", 1, total + 1), 0};
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || strcmp(used[i], used[i - 1]) != 0) {
            strcpy(mine.text + mine.size, used[i]);
            mine.size += strlen(used[i]) + 1;
        }
    }
    free((void *)used);
    return mine;
}

/* Merges the names in `bytes`, which come from other ranks, into `ctx`; callback of
 * tree_merge(). */
static void take_names(void *ctx, const unsigned char *bytes, size_t size)
{
    struct name_text *all = ctx;
    const char *other = (const char *)bytes;
    char *merged = tw_calloc(TW_LOC, "names of LPs", 1, all->size + size + 1);
    size_t at = 0, from_all = 0, from_other = 0;
    while (from_all < all->size || from_other < size) {
        const char *a = from_all < all->size ? all->text + from_all : NULL;
        const char *b = from_other < size ? other + from_other : NULL;
        int order = a == NULL ? 1 : b == NULL ? -1 : strcmp(a, b);
        const char *next = order <= 0 ? a : b;
        size_t length = strlen(next) + 1;
        memcpy(merged + at, next, length);
        at += length;
        from_all += order <= 0 ? length : 0;
        from_other += order >= 0 ? length : 0;
    }
    free(all->text);
    *all = (struct name_text){merged, at};
}

static const unsigned char *give_names(void *ctx, size_t *size)
{
    const struct name_text *all = ctx;
    *size = all->size;
    return (const unsigned char *)all->text;
}

/* Sets names->text to the names in use on any rank. Returns their size in bytes, with terminating
 * zeros. Collective over comm. */
static size_t gather(struct lp_names *names, MPI_Comm comm)
{
    struct name_text all = names_in_use(names);
    tree_merge(&(struct tree_merge){&all, take_names, give_names}, comm);
    if (all.size > INT_MAX) {
        tw_error(TW_LOC, "st_lptype_name: the names of all ranks are too long");
    }
    int size = (int)all.size, rank = 0;
    MPI_Comm_rank(comm, &rank);
    MPI_Bcast(&size, 1, MPI_INT, 0, comm);
    if (rank != 0) {
        free(all.text);
        all.text = tw_calloc(TW_LOC, "names of LPs", 1, (size_t)size + 1);
    }
    MPI_Bcast(all.text, size, MPI_CHAR, 0, comm);
    names->text = all.text;
    return (size_t)size;
}

/* Makes names->names point to the names in names->text, which has size bytes. */
static void list_names(struct lp_names *names, size_t size)
{
    assert(names->names == NULL && names->n_names == 0);
    size_t n = 0;
    for (size_t at = 0; at < size; at += strlen(names->text + at) + 1) {
        n++;
    }
    names->names = tw_calloc(TW_LOC, "names of LPs", sizeof(*names->names), n + 1);
    for (size_t at = 0; at < size; at += strlen(names->text + at) + 1) {
        names->names[names->n_names++] = names->text + at;
    }
}

void lp_names_collect(struct lp_names *names, tw_lp *const *lps, tw_lpid n_lps, MPI_Comm comm)
{
    find_types(names, lps, n_lps);
    list_names(names, gather(names, comm));
    for (size_t i = 0; i < names->n_types; i++) {
        if (names->types[i].used != 0) {
            const char *key = names->types[i].name;
            const char **at = bsearch(&key, (const void *)names->names, names->n_names,
                                      sizeof(*names->names), compare_names);
            assert(at != NULL);
            names->types[i].used = (uint32_t)(at - names->names) + 1;
        }
    }
    for (tw_lpid i = 0; i < n_lps; i++) {
        if (names->by_lp[i] != 0) {
            names->by_lp[i] = names->types[names->by_lp[i] - 1].used;
        }
    }
}

void lp_names_forget(struct lp_names *names)
{
    for (size_t i = 0; i < names->n_types; i++) {
        names->types[i].used = 0;
    }
    free((void *)names->names);
    free(names->by_lp);
    free(names->text);
    names->names = NULL;
    names->n_names = 0;
    names->by_lp = NULL;
    names->text = NULL;
}

void lp_names_fini(struct lp_names *names)
{
    lp_names_forget(names);
    for (size_t i = 0; i < names->n_types; i++) {
        free(names->types[i].name);
    }
    free(names->types);
    *names = (struct lp_names){0};
}
