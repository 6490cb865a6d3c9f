/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * option_table.c - finds entries in the tables of options, by position and by name.
 *
 * Searches are linear: programs have a hundred options, and each is looked up a few times per run.
 */
#include "base/option_table.h"

/* Longest part of a name that the search for the nearest name compares. */
#define NAME_COMPARED_MAX 48u

const tw_optdef *option_table_next(const struct options *set, const tw_optdef *def, unsigned *table,
                                   unsigned *number)
{
    if (def == NULL) {
        *table = 0;
        *number = 0;
        def = set->n_tables > 0 ? set->tables[0] : NULL;
    } else {
        def++;
        ++*number;
    }
    while (def != NULL && def->type == TWOPTTYPE_END) {
        ++*table;
        def = *table < set->n_tables ? set->tables[*table] : NULL;
    }
    return def;
}

const tw_optdef *option_table_find(const struct options *set, const char *name, size_t length,
                                   unsigned *number)
{
    const tw_optdef *def = NULL;
    unsigned table;

    while ((def = option_table_next(set, def, &table, number)) != NULL) {
        if (def->type != TWOPTTYPE_GROUP && def->name != NULL && strlen(def->name) == length &&
            memcmp(def->name, name, length) == 0) {
            return def;
        }
    }
    return NULL;
}

/* Treats '_' and '-' as equal. */
static bool begins_with(const char *name, const char *prefix, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        const bool dashes = (name[i] == '_' || name[i] == '-') && strchr("_-", prefix[i]) != NULL;
        if (name[i] == '\0' || (name[i] != prefix[i] && !dashes)) {
            return false;
        }
    }
    return true;
}

const tw_optdef *option_table_match(const struct options *set, const char *name, size_t length,
                                    unsigned *number, const tw_optdef **other)
{
    const tw_optdef *found = option_table_find(set, name, length, number);
    const tw_optdef *def = NULL;
    unsigned table, at;

    *other = NULL;
    if (found != NULL || length == 0) {
        return found;
    }
    while ((def = option_table_next(set, def, &table, &at)) != NULL) {
        if (def->type == TWOPTTYPE_GROUP || !begins_with(def->name, name, length)) {
            continue;
        }
        if (strlen(def->name) == length) {
            *other = NULL;
            *number = at;
            return def;
        }
        if (found == NULL) {
            found = def;
            *number = at;
        } else if (*other == NULL) {
            *other = def;
        }
    }
    return found;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Returns the edit distance of two names: insertions, deletions, replacements, and swaps of
 * neighbours (optimal string alignment). Keeps the last three rows of the usual matrix. */
static size_t name_distance(const char *a, size_t a_length, const char *b)
{
    size_t rows[3][NAME_COMPARED_MAX + 1];
    const size_t b_length = least(strlen(b), NAME_COMPARED_MAX);

    a_length = least(a_length, NAME_COMPARED_MAX);
    for (size_t i = 0; i <= a_length; i++) {
        size_t *row = rows[i % 3];
        const size_t *above = rows[(i + 2) % 3], *above_2 = rows[(i + 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            if (i == 0) {
                row[j] = j;
                continue;
            }
            row[j] = least(least(above[j], row[j - 1]) + 1, above[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                row[j] = least(row[j], above_2[j - 2] + 1);
            }
        }
    }
    return rows[a_length % 3][b_length];
}

const char *option_table_nearest(const struct options *set, const char *name, size_t length)
{
    const size_t limit = 1 + length / 3;
    const char *nearest = NULL;
    size_t smallest = limit + 1;
    const tw_optdef *def = NULL;
    unsigned table, number;

    while ((def = option_table_next(set, def, &table, &number)) != NULL) {
        if (def->type == TWOPTTYPE_GROUP) {
            continue;
        }
        size_t distance = name_distance(name, length, def->name);
        if (distance > limit && strncmp(def->name, name, length) == 0) {
            distance = limit; /* an abbreviation */
        }
        if (distance < smallest) {
            smallest = distance;
            nearest = def->name;
        }
    }
    return nearest;
}
