/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lp_names.c - collects the names of LP types that have LPs.
 *
 * A model may name types without LPs, and a rank may have no LP of a type. Types are identified by
 * pointers, which mean nothing on other ranks. Names are the same on all ranks.
 *
 * Cost: once per run; per LP a search among the named types, unless its type is that of the LP
 * before.
 */
#include "record/describe/lp_names.h"

#include <assert.h>
#include <limits.h>

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
    struct lp_named_type *types = realloc(names->types, (n + 1) * sizeof(*types));
    if (types == NULL) {
        return TW_ERR_MEMORY;
    }
    names->types = types;
    types[n] = (struct lp_named_type){.type = type, .order = n, .name = strdup(name)};
    if (types[n].name == NULL) {
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

/* Returns the index of the type's last entry in the sorted list; n_types if there is none. */
static size_t find_type(const struct lp_names *names, const tw_lptype *type)
{
    size_t low = 0;
    size_t high = names->n_types; /* entries from this index on belong to later types */
    while (low < high) {
        size_t middle = (low + high) / 2;
        if ((uintptr_t)names->types[middle].type > (uintptr_t)type) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low > 0 && names->types[low - 1].type == type ? low - 1 : names->n_types;
}

/* Sets by_lp[i] to 1 + the index of the type of LP i, and marks the types in use. */
static void find_types(struct lp_names *names, tw_lp *const *lps, tw_lpid n_lps)
{
    assert(names->by_lp == NULL);
    if (names->n_types > 0) { /* qsort() must not be called with NULL */
        qsort(names->types, names->n_types, sizeof(*names->types), compare_types);
    }
    names->by_lp = tw_calloc(TW_LOC, "names of LPs", sizeof(*names->by_lp), n_lps + 1);
    const tw_lptype *before = NULL;
    for (tw_lpid i = 0; i < n_lps; i++) {
        if (i > 0 && lps[i]->type == before) {
            names->by_lp[i] = names->by_lp[i - 1];
            continue;
        }
        before = lps[i]->type;
        size_t at = find_type(names, before);
        if (at < names->n_types) {
            names->types[at].used = 1;
            names->by_lp[i] = (uint32_t)at + 1;
        }
    }
}

/* Concatenates the names in use on this rank, each with its terminating zero. */
static char *join_used(const struct lp_names *names, size_t *size)
{
    size_t total = 0;
    for (size_t i = 0; i < names->n_types; i++) {
        total += strlen(names->types[i].name) + 1;
    }
    char *text = tw_calloc(TW_LOC, "names of LPs", 1, total + 1);
    *size = 0;
    const char *before = "";
    for (size_t i = 0; i < names->n_types; i++) {
        const char *name = names->types[i].name;
        if (names->types[i].used != 0 && strcmp(name, before) != 0) {
            strcpy(text + *size, name);
            *size += strlen(name) + 1;
            before = name;
        }
    }
    return text;
}

/* ---- Types of all ranks ---------------------------------------------------------------------- */

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Builds the sorted list of the names in text, each once. */
static void list_names(struct lp_names *names, size_t size)
{
    assert(names->names == NULL && names->n_names == 0);
    size_t n = 0;
    for (size_t at = 0; at < size; at += strlen(names->text + at) + 1) {
        n++;
    }
    names->names = tw_calloc(TW_LOC, "names of LPs", sizeof(*names->names), n + 1);
    n = 0;
    for (size_t at = 0; at < size; at += strlen(names->text + at) + 1) {
        names->names[n++] = names->text + at;
    }
    qsort((void *)names->names, n, sizeof(*names->names), compare_names);
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || strcmp(names->names[i], names->names[names->n_names - 1]) != 0) {
            names->names[names->n_names++] = names->names[i];
        }
    }
}

/* Sets text to the names in use on all ranks, in rank order. Returns their size. Collective. */
static size_t gather(struct lp_names *names, MPI_Comm comm)
{
    int n_ranks = 1;
    MPI_Comm_size(comm, &n_ranks);
    size_t mine_size = 0;
    char *mine = join_used(names, &mine_size);
    int *sizes = tw_calloc(TW_LOC, "names of LPs", sizeof(*sizes), 2 * (size_t)n_ranks);
    int *places = sizes + n_ranks;
    if (mine_size > INT_MAX) {
        tw_error(TW_LOC, "st_lptype_name: the names of this rank are too long");
    }
    int size = (int)mine_size;
    MPI_Allgather(&size, 1, MPI_INT, sizes, 1, MPI_INT, comm);
    size_t total = 0;
    for (int r = 0; r < n_ranks; r++) {
        places[r] = (int)total;
        total += (size_t)sizes[r];
        if (total > INT_MAX) { /* checked before the next sum is computed */
            tw_error(TW_LOC, "st_lptype_name: the names of all ranks are too long");
        }
    }
    names->text = tw_calloc(TW_LOC, "names of LPs", 1, total + 1);
    MPI_Allgatherv(mine, size, MPI_CHAR, names->text, sizes, places, MPI_CHAR, comm);
    free(sizes);
    free(mine);
    return total;
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

void lp_names_fini(struct lp_names *names)
{
    for (size_t i = 0; i < names->n_types; i++) {
        free(names->types[i].name);
    }
    free(names->types);
    free((void *)names->names);
    free(names->by_lp);
    free(names->text);
    *names = (struct lp_names){0};
}
