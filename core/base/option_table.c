/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * option_table.c - finds entries in the tables of options, by position and by name.
 *
 * Searches are linear: a program has about a hundred options, and each is looked up a few times per
 * run.
 */
#include "base/option_table.h"

#include <assert.h>

#include "text/nearest.h"

const tw_optdef *option_table_next(const struct options *set, const tw_optdef *def, unsigned *table,
                                   unsigned *number)
{
    assert(def == NULL || (def->type != TWOPTTYPE_END && *table < set->n_tables));
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

/* Returns true if name begins with the first `length` bytes of prefix. '_' and '-' count as
 * equal. */
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

const char *option_table_nearest(const struct options *set, const char *name, size_t length)
{
    struct nearest search = nearest_of(name, length);
    const tw_optdef *def = NULL;
    unsigned table, number;

    while ((def = option_table_next(set, def, &table, &number)) != NULL) {
        if (def->type != TWOPTTYPE_GROUP) {
            nearest_offer(&search, def->name);
        }
    }
    return search.name;
}
