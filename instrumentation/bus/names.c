/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * names.c - those functions of st_bus.h that give names to ids, and ids to names, and access to the
 * tables for the functions of st_point.h. They call nothing but the tables, so every other file of
 * the bus may call them, for example to build error messages.
 */
#include "bus/state.h"
#include "bus/tables/tables.h"

/* No lock is needed, since only one thread of a simulation uses the tables. */
struct tables tables_take(void)
{
    return (struct tables){&g_st_program.strings, &g_st_program.points, &g_st_bus.types};
}

void tables_give(void)
{
}

st_string_id st_string(const char *text)
{
    return text == NULL ? 0 : strings_insert(&g_st_program.strings, text);
}

const char *st_string_text(st_string_id id)
{
    return strings_text(&g_st_program.strings, id);
}

st_result st_type_register(const char *tool, unsigned number, st_type *begin)
{
    return types_register(&g_st_bus.types, &g_st_program.strings, tool, number, begin);
}

const char *st_stream_name(st_stream_id id)
{
    const struct stream *stream = streams_get(&g_st_bus.streams, id);
    return stream == NULL ? NULL : st_string_text(stream->name);
}
