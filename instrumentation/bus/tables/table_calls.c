/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * table_calls.c - implements st_point.h, and the functions of st_bus.h and st_hook.h that give names
 * to ids, and ids to names. It locks the tables and calls their functions, in simulations and in
 * other programs. It calls nothing but the tables, so every other file of the bus may call it, for
 * example to build error messages.
 */
#define _GNU_SOURCE /* required for dladdr() */
#include <dlfcn.h>
#include <link.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "bus/tables/tables.h"
#include "st_hook.h"

/* ---- Strings, types and streams -------------------------------------------------------------- */

const char *st_result_text(st_result result)
{
    static const char *const texts[] = {
        [ST_OK] = "done",
        [ST_DUPLICATE] = "already done",
        [ST_RESTORED] = "restored at its old place",
        [ST_INVALID] = "an argument is invalid",
        [ST_NOT_FOUND] = "not found",
        [ST_FULL] = "the table is full",
        [ST_NO_MEMORY] = "out of memory",
        [ST_WRONG_STATE] = "not possible in this state",
        [ST_IO] = "writing failed",
    };
    return (size_t)result < sizeof texts / sizeof *texts ? texts[result] : "unknown result";
}

st_string_id st_string(const char *text)
{
    const struct tables *t = tables_take();
    st_string_id id = text == NULL ? 0 : strings_insert(t->strings, text);
    tables_give();
    return id;
}

const char *st_string_text(st_string_id id)
{
    const struct tables *t = tables_take();
    const char *text = strings_text(t->strings, id);
    tables_give();
    return text;
}

st_result st_type_register(const char *tool, unsigned number, st_type *begin)
{
    const struct tables *t = tables_take();
    st_result result = types_register(t->types, t->strings, tool, number, begin);
    tables_give();
    return result;
}

const char *st_position_text(st_position position)
{
#define X(name, text, detail, committed) [ST_POS_##name] = text,
    static const char *const texts[] = {ST_POSITION_LIST(X)};
#undef X
    return (unsigned)position < ST_POSITIONS ? texts[position] : "unknown";
}

st_type st_engine_type(st_position position)
{
    st_type type = 0;
    st_type_register("warpscope", (unsigned)position, &type);
    return type;
}

st_type st_row_type(unsigned kind)
{
    st_type type = 0;
    st_type_register("warpscope", ST_ROW_NUMBER(kind), &type);
    return type;
}

const char *st_type_name(st_type type)
{
    static _Thread_local char name[TYPES_NAME_MAX];
    const struct tables *t = tables_take();
    const char *tool = types_tool(t->types, t->strings, type);
    unsigned number = (type & UINT8_MAX) / 2u;
    if (tool != NULL && strcmp(tool, "warpscope") == 0 && number < ST_POSITIONS) {
        snprintf(name, sizeof name, "%s", st_position_text((st_position)number));
    } else {
        types_name(t->types, t->strings, type, name);
    }
    tables_give();
    return name;
}

st_stream_id st_stream_find(const char *name)
{
    const struct tables *t = tables_take();
    st_stream_id id = streams_find(t->streams, t->strings, name);
    tables_give();
    return id;
}

const char *st_stream_name(st_stream_id id)
{
    const struct tables *t = tables_take();
    const struct stream *stream = streams_get(t->streams, id);
    const char *name = stream == NULL ? NULL : strings_text(t->strings, stream->name);
    tables_give();
    return name;
}

const char *st_stream_version(st_stream_id id)
{
    const struct tables *t = tables_take();
    const struct stream *stream = streams_get(t->streams, id);
    const char *version = stream == NULL ? NULL : strings_text(t->strings, stream->version);
    tables_give();
    return version;
}

/* ---- Kinds and activities of points ---------------------------------------------------------- */

static st_result register_trait(enum type_space which, const char *tool, unsigned number,
                                uint16_t *trait)
{
    const struct tables *t = tables_take();
    const st_result result = types_register_trait(t->types, t->strings, which, tool, number, trait);
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
    const struct tables *t = tables_take();
    types_trait_name(t->types, t->strings, which, trait, names[which]);
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
    const struct tables *t = tables_take();
    struct point_entry *entry = points_entry(t->points, point);
    st_result result = ST_INVALID;
    if (entry != NULL && types_know_trait(t->types, KIND_OF_POINT, kind) &&
        types_know_trait(t->types, ACTIVITY_OF_POINT, activity)) {
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
    const struct tables *t = tables_take();
    st_result result = points_make(t->points, function, file, line, column, &entry);
    if (result == ST_DUPLICATE) {
        points_report_collision(t->points, function, file, line, &entry->point);
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

/* Function and file of a code address, with the names that the dynamic linker knows. */
struct point_place {
    /* Name of the function, owned by the dynamic linker; if the name is unknown, the offset as a
     * number, in the member `text`. NULL: the address is in no file. */
    const char *function;
    const char *file; /* name of the file without its directory; NULL: the address is in no file */
    uint32_t offset;  /* offset of the address in the file, as addr2line takes it */
    char text[24];
};

/* Returns the offset of an address from base, the start of its file in memory. For a program that
 * is loaded at a fixed address, returns the address itself. */
static uintptr_t offset_in_file(const void *address, const void *base)
{
    ElfW(Half) kind;
    memcpy(&kind, (const char *)base + offsetof(ElfW(Ehdr), e_type), sizeof kind);
    return kind == ET_EXEC ? (uintptr_t)address : (uintptr_t)address - (uintptr_t)base;
}

/* Sets *place to the place of the address. *place is valid as long as the file of the address is
 * loaded. */
static void place_find(const void *address, struct point_place *place)
{
    Dl_info info;
    *place = (struct point_place){.function = NULL};
    if (address == NULL || dladdr(address, &info) == 0 || info.dli_fname == NULL) {
        return;
    }
    const char *slash = strrchr(info.dli_fname, '/');
    const uintptr_t offset = offset_in_file(address, info.dli_fbase);
    place->file = slash == NULL ? info.dli_fname : slash + 1;
    place->offset = (uint32_t)offset;
    snprintf(place->text, sizeof place->text, "0x%llx", (unsigned long long)offset);
    place->function = info.dli_sname != NULL ? info.dli_sname : place->text;
}

const st_point *st_point_make_at(const char *function, const void *address, uint64_t *instance)
{
    struct point_place place;
    place_find(address, &place);
    if (function == NULL || function[0] == '\0') {
        function = place.function;
    }
    return function == NULL ? NULL : make(function, place.file, 0, place.offset, address, instance);
}

const st_point *st_point_by_id(uint64_t id)
{
    const struct tables *t = tables_take();
    const struct point_entry *entry = points_find(t->points, id);
    tables_give();
    return entry == NULL ? NULL : &entry->point;
}

const void *st_point_address(const st_point *point)
{
    const struct tables *t = tables_take();
    const struct point_entry *entry = points_entry(t->points, point);
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
    const struct tables *t = tables_take();
    struct point_entry *entry = points_entry(t->points, point);
    const st_result result = entry == NULL ? ST_INVALID : points_set(t->points, entry, key, value);
    tables_give();
    return result;
}

const char *st_point_get(const st_point *point, const char *key)
{
    const struct tables *t = tables_take();
    const struct point_entry *entry = points_entry(t->points, point);
    const char *value = entry == NULL || key == NULL ? NULL : points_get(t->points, entry, key);
    tables_give();
    return value;
}

/* Sets *key and *value to text i of a point, counted from 0. Returns false if the point has fewer
 * texts. */
static bool read_text(const st_point *point, uint32_t i, const char **key, const char **value)
{
    const struct tables *t = tables_take();
    const struct point_entry *entry = points_entry(t->points, point);
    const struct point_text *text = entry == NULL ? NULL : points_text(entry, i);
    if (text != NULL) {
        *key = strings_text(t->strings, text->key);
        *value = strings_text(t->strings, text->value);
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
    const struct tables *t = tables_take();
    struct point_entry *entry = points_entry(t->points, point);
    const st_result result =
        entry == NULL || owner == NULL ? ST_INVALID : points_attach(entry, owner, value);
    tables_give();
    return result;
}

void *st_point_attached(const st_point *point, const void *owner)
{
    return point == NULL ? NULL : points_attached((const struct point_entry *)point, owner);
}
