/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lp_names.c - see lp_names.h.
 *
 * The blocks are only noted until a name is asked for. Then they are read twice: first for the set of
 * the LPs that have names, then for the names, which become one text. Every part of a stream has all
 * names; of several names for an LP, the first remains.
 *
 * Invariant: the member `at` of each LP is the offset of a name in text, which ends with a zero; 0, the
 * offset of an empty name, if it could not be read. Memory: the name, a zero and 4 bytes for each LP;
 * 8 bytes more if not all LPs up to the largest have names.
 */
#include "data/lp_names.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/messages.h"
#include "store/array.h"
#include "store/check.h"
#include "store/id_set.h"
#include "text/nearest.h"
#include "text/utf8.h"

struct source {
    const struct fmt_reader *reader; /* borrowed */
    struct fmt_block block;
};

struct ws_lp_names {
    struct source *sources; /* owned */
    size_t n_sources, n_read;
    struct id_set lps; /* the LPs that have names */
    size_t hint;
    uint64_t *numbers; /* owned; LPs of a block while it is read; NULL otherwise */
    size_t n_numbers, numbers_room;
    uint32_t *at; /* owned; [place of an LP]: offset of its name in text */
    char *text;   /* owned */
    size_t size, room;
    bool some_unread; /* true if a block could not be read, or not as a whole */
};

static bool number_take(void *ctx, uint64_t lp, const char *name)
{
    struct ws_lp_names *names = ctx;
    (void)name;
    if (!array_reserve(&names->numbers, &names->numbers_room, names->n_numbers + 1, sizeof lp)) {
        return false;
    }
    names->numbers[names->n_numbers++] = lp;
    return true;
}

static bool name_take(void *ctx, uint64_t lp, const char *name)
{
    struct ws_lp_names *names = ctx;
    const size_t size = strlen(name) + 1, place = id_set_find(&names->lps, lp, &names->hint);
    if (place == ID_SET_NONE || names->at[place] != 0) {
        return true;
    }
    if (names->size > UINT32_MAX - size ||
        !array_reserve(&names->text, &names->room, names->size + size, 1)) {
        return false;
    }
    memcpy(names->text + names->size, name, size);
    names->at[place] = (uint32_t)names->size;
    names->size += size;
    return true;
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

/* Frees what was read. */
static void names_clear(struct ws_lp_names *names)
{
    id_set_free(&names->lps);
    free(names->at);
    free(names->text);
    *names = (struct ws_lp_names){.sources = names->sources, .n_sources = names->n_sources};
}

/* Reads all blocks. Returns false if one could not be read as a whole, or if out of memory. */
static bool names_read(struct ws_lp_names *names)
{
    struct id_set *lps = &names->lps;
    bool good = true;
    for (size_t i = 0; i < names->n_sources; i++) {
        const struct source *source = &names->sources[i];
        good &= fmt_block_read_names(source->reader, &source->block, number_take, names, NULL) ==
                FMT_OK;
        good &= id_set_add(lps, names->numbers, names->n_numbers);
        names->n_numbers = 0;
    }
    free(names->numbers);
    names->numbers = NULL;
    names->numbers_room = 0;
    if (lps->n > 0 && lps->ids[lps->n - 1] == lps->n - 1) {
        free(lps->ids); /* a dense set */
        lps->ids = NULL;
        lps->capacity = 0;
    }
    names->at = calloc(lps->n + 1, sizeof *names->at);
    if (names->at == NULL || !array_reserve(&names->text, &names->room, 1, 1)) {
        lps->n = 0;
        return false;
    }
    names->text[names->size++] = '\0';
    for (size_t i = 0; i < names->n_sources; i++) {
        const struct source *source = &names->sources[i];
        good &=
            fmt_block_read_names(source->reader, &source->block, name_take, names, NULL) == FMT_OK;
    }
    return good;
}

/* Reads the blocks if one was noted since the last call. Returns the names; NULL: there are none. */
static const struct ws_lp_names *names_load(const struct fmt_desc_set *set)
{
    struct ws_lp_names *names = set != NULL ? set->names : NULL;
    if (names != NULL && names->n_read < names->n_sources) {
        names_clear(names);
        names->some_unread = !names_read(names);
        names->n_read = names->n_sources;
    }
    return names;
}

const char *ws_lp_name_at(const struct fmt_desc_set *set, size_t i, uint64_t *lp)
{
    const struct ws_lp_names *names = names_load(set);
    if (names == NULL || i >= names->lps.n) {
        return NULL;
    }
    *lp = id_set_at(&names->lps, i);
    return names->text + names->at[i];
}

const char *ws_lp_name(const struct fmt_desc_set *set, uint64_t lp)
{
    const struct ws_lp_names *names = names_load(set);
    uint64_t first = 0;
    const char *name =
        names == NULL ? NULL : ws_lp_name_at(set, id_set_from(&names->lps, lp), &first);
    return name != NULL && first == lp && name[0] != '\0' ? name : NULL;
}

bool ws_lp_find(const struct fmt_desc_set *set, const char *text, size_t length, uint64_t *lp,
                char *why)
{
    const struct ws_lp_names *names = names_load(set);
    struct nearest nearest = nearest_of(text, length);
    const int shown = length < 100 ? (int)length : 100;
    uint64_t last = 0;
    size_t n = 0, n_names = names == NULL ? 0 : names->lps.n;
    *lp = 0;
    for (size_t i = 0; i < n_names; i++) {
        const char *name = names->text + names->at[i];
        if (strncmp(name, text, length) == 0 && name[length] == '\0') {
            last = id_set_at(&names->lps, i);
            *lp = n++ == 0 ? last : *lp;
        }
    }
    if (n == 1 || why == NULL) {
        return n == 1;
    }
    for (size_t i = 0; n == 0 && i < n_names; i++) {
        nearest_offer(&nearest, names->text + names->at[i]);
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
    HOLDS(names == NULL || (names->numbers == NULL && names->n_read <= names->n_sources));
    HOLDS(names == NULL || id_set_check(&names->lps));
    for (size_t i = 0; names != NULL && i < names->lps.n; i++) {
        HOLDS(names->at[i] < names->size);
        HOLDS(names->at[i] == 0 || names->text[names->at[i] - 1] == '\0');
    }
    HOLDS(names == NULL || names->size == 0 || names->text[names->size - 1] == '\0');
    return true;
}

void ws_descs_free(struct fmt_desc_set *set)
{
    if (set->names != NULL) {
        names_clear(set->names);
        free(set->names->sources);
        free(set->names);
    }
    fmt_desc_set_free(set);
}
