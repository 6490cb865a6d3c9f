/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lp_names.c - see lp_names.h.
 *
 * The blocks are only noted until a name is asked for. Then the names are decoded into one text, and
 * a list of numbers with places in it, in ascending order. Entries that are not behind the last one
 * wait among the fresh ones, until these are a quarter of the list. Every part of a stream has all
 * names; a name that is in the list already is not added again.
 *
 * Invariants
 *  N1  The numbers in list are ascending, without duplicates; there are none of them in fresh.
 *  N2  The member `at` of each entry is the offset of a name in text, which ends with a zero.
 * Memory: 12 bytes, the name and a zero for each LP; while blocks are read, up to 6 bytes more.
 */
#include "data/lp_names.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/messages.h"
#include "store/array.h"
#include "store/check.h"
#include "text/nearest.h"
#include "text/utf8.h"

struct entry {
    uint32_t lp[2]; /* number of the LP, the more significant half first */
    uint32_t at;
};

struct source {
    const struct fmt_reader *reader; /* borrowed */
    struct fmt_block block;
};

struct ws_lp_names {
    struct source *sources; /* owned; blocks that are not decoded yet, from next_source on */
    size_t n_sources, next_source;
    struct entry *list, *fresh; /* owned */
    size_t n, list_room, n_fresh, fresh_room;
    char *text; /* owned */
    size_t size, room;
    bool some_unread; /* true if a block could not be read, or not as a whole */
};

static uint64_t lp_of(const struct entry *entry)
{
    return (uint64_t)entry->lp[0] << 32 | entry->lp[1];
}

static int entries_compare(const void *a, const void *b)
{
    const uint64_t x = lp_of(a), y = lp_of(b);
    const uint32_t at_x = ((const struct entry *)a)->at, at_y = ((const struct entry *)b)->at;
    return x != y ? (x > y) - (x < y) : (at_x > at_y) - (at_x < at_y);
}

/* Returns the entry of an LP in the list; NULL: there is none. */
static const struct entry *entry_find(const struct ws_lp_names *names, uint64_t lp)
{
    size_t low = 0, high = names->n;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (lp_of(&names->list[middle]) < lp) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < names->n && lp_of(&names->list[low]) == lp ? &names->list[low] : NULL;
}

/* Moves the fresh entries to the list. Of several names for an LP, the first remains. */
static bool fresh_merge(struct ws_lp_names *names)
{
    struct entry *fresh = names->fresh;
    size_t kept = 0, old = names->n;
    if (names->n_fresh == 0) {
        return true;
    }
    qsort(fresh, names->n_fresh, sizeof *fresh, entries_compare);
    for (size_t i = 0; i < names->n_fresh; i++) {
        if (kept == 0 || lp_of(&fresh[kept - 1]) != lp_of(&fresh[i])) {
            fresh[kept++] = fresh[i];
        }
    }
    names->n_fresh = kept;
    if (!array_reserve(&names->list, &names->list_room, old + kept, sizeof *names->list)) {
        return false;
    }
    /* Begins with the largest, so that no entry is overwritten before it is moved. */
    names->n += kept;
    names->n_fresh = 0;
    for (size_t to = names->n; kept > 0;) {
        bool is_old = old > 0 && lp_of(&names->list[old - 1]) > lp_of(&fresh[kept - 1]);
        names->list[--to] = is_old ? names->list[--old] : fresh[--kept];
    }
    return true;
}

static bool name_take(void *ctx, uint64_t lp, const char *name)
{
    struct ws_lp_names *names = ctx;
    const size_t size = strlen(name) + 1;
    const bool is_last =
        names->n_fresh == 0 && (names->n == 0 || lp_of(&names->list[names->n - 1]) < lp);
    const struct entry entry = {{(uint32_t)(lp >> 32), (uint32_t)lp}, (uint32_t)names->size};
    if (!is_last && entry_find(names, lp) != NULL) {
        return true;
    }
    if (names->size > UINT32_MAX - size ||
        !array_reserve(&names->text, &names->room, names->size + size, 1) ||
        !array_reserve(&names->list, &names->list_room, names->n + 1, sizeof entry) ||
        !array_reserve(&names->fresh, &names->fresh_room, names->n_fresh + 1, sizeof entry)) {
        return false;
    }
    memcpy(names->text + names->size, name, size);
    names->size += size;
    if (is_last) {
        names->list[names->n++] = entry;
    } else {
        names->fresh[names->n_fresh++] = entry;
    }
    return names->n_fresh <= names->n / 4 + 1024 || fresh_merge(names);
}

static bool source_add(struct fmt_desc_set *set, const struct source *source)
{
    if (set->names == NULL) {
        set->names = calloc(1, sizeof *set->names);
    }
    struct ws_lp_names *names = set->names;
    if (names == NULL || !array_append(&names->sources, names->n_sources, sizeof *names->sources)) {
        return false;
    }
    names->sources[names->n_sources++] = *source;
    return true;
}

enum fmt_status ws_lp_names_note(const struct fmt_reader *reader, const struct fmt_block *block,
                                 struct fmt_desc_set *set, struct fmt_error *error)
{
    bool good = source_add(set, &(struct source){reader, *block});
    return good ? FMT_OK : ws_fault_memory(error, NULL);
}

bool ws_lp_names_join(struct fmt_desc_set *set, const struct fmt_desc_set *part)
{
    bool good = true;
    for (size_t i = 0; good && part->names != NULL && i < part->names->n_sources; i++) {
        good = source_add(set, &part->names->sources[i]);
    }
    return good;
}

/* Reads the blocks that were noted since the last call. Returns the names; NULL: there are none. */
static const struct ws_lp_names *names_load(const struct fmt_desc_set *set)
{
    struct ws_lp_names *names = set != NULL ? set->names : NULL;
    uint64_t most = 0; /* an entry has at least 11 bytes; memory that is not used is not touched */
    for (size_t i = names == NULL ? 0 : names->next_source; names != NULL && i < names->n_sources;
         i++) {
        most += names->sources[i].block.raw_size / 11;
    }
    if (most > 0) {
        (void)array_reserve(&names->list, &names->list_room, names->n + most, sizeof *names->list);
    }
    while (names != NULL && names->next_source < names->n_sources) {
        const struct source *source = &names->sources[names->next_source++];
        names->some_unread |=
            fmt_block_read_names(source->reader, &source->block, name_take, names, NULL) != FMT_OK;
    }
    if (most > 0) {
        names->some_unread |= !fresh_merge(names);
        free(names->fresh);
        names->fresh = NULL;
        names->n_fresh = names->fresh_room = 0;
    }
    return names;
}

const char *ws_lp_name(const struct fmt_desc_set *set, uint64_t lp)
{
    const struct ws_lp_names *names = names_load(set);
    const struct entry *entry = names == NULL ? NULL : entry_find(names, lp);
    return entry == NULL ? NULL : names->text + entry->at;
}

bool ws_lp_find(const struct fmt_desc_set *set, const char *text, size_t length, uint64_t *lp,
                char *why)
{
    const struct ws_lp_names *names = names_load(set);
    struct nearest nearest = nearest_of(text, length);
    const int shown = length < 100 ? (int)length : 100;
    uint64_t last = 0;
    size_t n = 0, n_names = names == NULL ? 0 : names->n;
    *lp = 0;
    for (size_t i = 0; i < n_names; i++) {
        const char *name = names->text + names->list[i].at;
        if (strncmp(name, text, length) == 0 && name[length] == '\0') {
            last = lp_of(&names->list[i]);
            *lp = n++ == 0 ? last : *lp;
        }
    }
    if (n == 1 || why == NULL) {
        return n == 1;
    }
    for (size_t i = 0; n == 0 && i < n_names; i++) {
        nearest_offer(&nearest, names->text + names->list[i].at);
    }
    if (n > 1) {
        snprintf(why, WS_LP_WHY,
                 "%zu LPs are called %.*s, from %" PRIu64 " to %" PRIu64 "; give numbers", n, shown,
                 text, *lp, last);
    } else {
        const bool is_near = nearest.name != NULL;
        snprintf(why, WS_LP_WHY, "no LP is called %.*s%s%s%s", shown, text,
                 names == NULL        ? ": the recording has no names of LPs"
                 : names->some_unread ? "; some names of LPs cannot be read"
                 : is_near            ? "; did you mean "
                                      : "",
                 is_near && !names->some_unread ? nearest.name : "",
                 is_near && !names->some_unread ? "?" : "");
    }
    utf8_drop_controls(why);
    return false;
}

/* Adds an item of a list to text `to`, as a number or a range. */
static bool item_add(const struct fmt_desc_set *set, const char *item, size_t length, char *to,
                     char *why)
{
    uint64_t lp;
    if (strspn(item, "0123456789-") >= length) {
        strncat(to, item, length);
        return true;
    }
    bool good = ws_lp_find(set, item, length, &lp, why);
    sprintf(to + strlen(to), "%" PRIu64, lp);
    return good;
}

bool ws_lp_ranges(struct ws_ranges *ranges, const struct fmt_desc_set *set, const char *text,
                  char *why)
{
    const size_t size = strlen(text);
    char *numbers = calloc(21, size + 2);
    bool good = numbers != NULL;
    *ranges = (struct ws_ranges){0};
    snprintf(why, WS_LP_WHY, "out of memory");
    if (good && !item_add(set, text, size, numbers, NULL)) {
        numbers[0] = '\0';
        for (const char *at = text; good && at <= text + size; at++) {
            const size_t length = strcspn(at, ",");
            good = item_add(set, at, length, numbers, why);
            at += length;
            strcat(numbers, *at == ',' ? "," : "");
        }
    }
    if (good && !ws_ranges_parse(ranges, numbers)) {
        snprintf(why, WS_LP_WHY, "%.100s: must be a list such as 0,2,4-7,Paris", text);
        good = false;
    }
    free(numbers);
    return good;
}

bool ws_lp_names_check(const struct fmt_desc_set *set)
{
    const struct ws_lp_names *names = set->names;
    HOLDS(names == NULL || (names->n_fresh == 0 && names->next_source <= names->n_sources));
    for (size_t i = 0; names != NULL && i < names->n; i++) {
        HOLDS(names->list[i].at < names->size);
        HOLDS(names->list[i].at == 0 || names->text[names->list[i].at - 1] == '\0');
        HOLDS(i == 0 || lp_of(&names->list[i - 1]) < lp_of(&names->list[i]));
    }
    HOLDS(names == NULL || names->size == 0 || names->text[names->size - 1] == '\0');
    return true;
}

void ws_descs_free(struct fmt_desc_set *set)
{
    if (set->names != NULL) {
        free(set->names->sources);
        free(set->names->list);
        free(set->names->fresh);
        free(set->names->text);
        free(set->names);
    }
    fmt_desc_set_free(set);
}
