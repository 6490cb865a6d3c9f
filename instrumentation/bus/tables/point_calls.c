/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * point_calls.c - implements st_point.h, except for strings, in simulations and in other programs.
 * It locks the tables and calls their functions.
 */
#include <stdio.h>

#include "bus/tables/point_address.h"
#include "bus/tables/tables.h"

/* ---- Kinds and activities of points ---------------------------------------------------------- */

static st_result register_trait(enum type_space which, const char *tool, unsigned number,
                                uint16_t *trait)
{
    const struct tables t = tables_take();
    const st_result result = types_register_trait(t.types, t.strings, which, tool, number, trait);
    tables_give();
    return result;
}

st_result st_kind_register(const char *tool, unsigned number, st_kind *kind)
{
    return register_trait(KIND_OF_POINT, tool, number, kind);
}

st_result st_activity_register(const char *tool, unsigned number, st_activity *activity)
{
    return register_trait(ACTIVITY_OF_POINT, tool, number, activity);
}

static const char *trait_name(enum type_space which, uint16_t trait)
{
    static _Thread_local char names[TYPE_SPACES][TYPES_NAME_MAX];
    const struct tables t = tables_take();
    types_trait_name(t.types, t.strings, which, trait, names[which]);
    tables_give();
    return names[which];
}

const char *st_kind_name(st_kind kind)
{
    return trait_name(KIND_OF_POINT, kind);
}

const char *st_activity_name(st_activity activity)
{
    return trait_name(ACTIVITY_OF_POINT, activity);
}

st_result st_point_describe(const st_point *point, st_kind kind, st_activity activity)
{
    const struct tables t = tables_take();
    struct point_entry *entry = points_entry(t.points, point);
    st_result result = ST_INVALID;
    if (entry != NULL && types_know_trait(t.types, KIND_OF_POINT, kind) &&
        types_know_trait(t.types, ACTIVITY_OF_POINT, activity)) {
        result = points_describe(entry, kind, activity);
    }
    tables_give();
    return result;
}

/* ---- Places ---------------------------------------------------------------------------------- */

/* Returns the point for a place, counts one more instance of the place, and stores the new count in
 * *instance (NULL: does not store it). at: address of the place in the code; NULL: unknown. Returns
 * NULL on failure. */
static const st_point *make(const char *function, const char *file, uint32_t line, uint32_t column,
                            const void *at, uint64_t *instance)
{
    struct point_entry *entry = NULL;
    uint64_t count = 0;
    const struct tables t = tables_take();
    st_result result = points_make(t.points, function, file, line, column, &entry);
    if (result == ST_DUPLICATE) {
        points_report_collision(t.points, function, file, line, &entry->point);
    } else if (result == ST_OK && at != NULL) {
        result = points_set_address(entry, at);
    }
    if (result == ST_OK) {
        count = ++entry->instances;
    }
    tables_give();
    if (result == ST_OK && instance != NULL) {
        *instance = count;
    }
    return result == ST_OK ? &entry->point : NULL;
}

const st_point *st_point_make(const char *function, const char *file, uint32_t line,
                              uint32_t column, uint64_t *instance)
{
    return make(function, file, line, column, NULL, instance);
}

const st_point *st_point_make_at(const char *function, const void *address, uint64_t *instance)
{
    struct point_place place;
    point_address_find(address, &place);
    if (function == NULL || function[0] == '\0') {
        function = place.function;
    }
    return function == NULL ? NULL : make(function, place.file, 0, place.offset, address, instance);
}

const st_point *st_point_by_id(uint64_t id)
{
    const struct tables t = tables_take();
    const struct point_entry *entry = points_find(t.points, id);
    tables_give();
    return entry == NULL ? NULL : &entry->point;
}

const void *st_point_address(const st_point *point)
{
    const struct tables t = tables_take();
    const struct point_entry *entry = points_entry(t.points, point);
    const void *address = entry == NULL || entry->more == NULL ? NULL : entry->more->address;
    tables_give();
    return address;
}

/* ---- Texts of points ------------------------------------------------------------------------- */

st_result st_point_set(const st_point *point, const char *key, const char *value)
{
    if (key == NULL || key[0] == '\0' || value == NULL) {
        return ST_INVALID;
    }
    const struct tables t = tables_take();
    struct point_entry *entry = points_entry(t.points, point);
    const st_result result = entry == NULL ? ST_INVALID : points_set(t.points, entry, key, value);
    tables_give();
    return result;
}

const char *st_point_get(const st_point *point, const char *key)
{
    const struct tables t = tables_take();
    const struct point_entry *entry = points_entry(t.points, point);
    const char *value = entry == NULL || key == NULL ? NULL : points_get(t.points, entry, key);
    tables_give();
    return value;
}

/* Sets *key and *value to text i of a point, counted from 0. Returns false if the point has fewer
 * texts. */
static bool read_text(const st_point *point, uint32_t i, const char **key, const char **value)
{
    const struct tables t = tables_take();
    const struct point_entry *entry = points_entry(t.points, point);
    const struct point_text *text = entry == NULL ? NULL : points_text(entry, i);
    if (text != NULL) {
        *key = strings_text(t.strings, text->key);
        *value = strings_text(t.strings, text->value);
    }
    tables_give();
    return text != NULL;
}

void st_point_each(const st_point *point, void (*fn)(const char *key, const char *value, void *arg),
                   void *arg)
{
    const char *key, *value;
    for (uint32_t i = 0; fn != NULL && read_text(point, i, &key, &value); i++) {
        fn(key, value, arg);
    }
}

/* ---- Values of points ------------------------------------------------------------------------ */

st_result st_point_attach(const st_point *point, const void *owner, void *value)
{
    const struct tables t = tables_take();
    struct point_entry *entry = points_entry(t.points, point);
    const st_result result =
        entry == NULL || owner == NULL ? ST_INVALID : points_attach(entry, owner, value);
    tables_give();
    return result;
}

void *st_point_attached(const st_point *point, const void *owner)
{
    return point == NULL ? NULL : points_attached((const struct point_entry *)point, owner);
}
