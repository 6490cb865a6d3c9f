/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * types.h - the types of records, and the kinds and activities of points, both predefined and
 * registered by tools.
 */
#ifndef WARPSCOPE_BUS_TABLES_TYPES_H
#define WARPSCOPE_BUS_TABLES_TYPES_H

#include "bus/tables/strings.h"
#include "st_bus.h"

#define TYPES_TOOLS_MAX  127u
#define TYPES_NUMBER_MAX 127u /* largest number under which a tool can register a type */
#define TYPES_NAME_MAX   128

/* Spaces in which tools register numbers. Types of records, kinds of points and activities of
 * points are numbered separately. */
enum type_space { TYPE_OF_RECORD, KIND_OF_POINT, ACTIVITY_OF_POINT, TYPE_SPACES };

/* The numbers that a tool has registered in one space: bit i % 64 of bits[i / 64] is set if number
 * i is registered. */
struct tool_numbers {
    uint64_t bits[(TYPES_NUMBER_MAX + 1) / 64];
};

/* All numbers that tools have registered in the three spaces. A zero-initialised object has no
 * tools. */
struct types {
    unsigned n_tools;
    /* [i]: string id of the name of tool i; tools are numbered from 1. */
    st_string_id tools[TYPES_TOOLS_MAX + 1];
    struct tool_numbers registered[TYPE_SPACES][TYPES_TOOLS_MAX + 1];
};

/* Registers a type as st_type_register() does. */
st_result types_register(struct types *types, struct strings *strings, const char *tool,
                         unsigned number, st_type *begin);
/* Returns the name of the tool that registered the type; NULL: predefined or unknown type. */
static inline const char *types_tool(const struct types *types, const struct strings *strings,
                                     st_type type)
{
    unsigned tool = type >> 8;
    return tool >= 1 && tool <= types->n_tools ? strings_text(strings, types->tools[tool]) : NULL;
}
/* Writes the name of a type to text, as st_type_name() returns it, and returns text. */
const char *types_name(const struct types *types, const struct strings *strings, st_type type,
                       char text[TYPES_NAME_MAX]);

/* Registers a kind or an activity of points, according to `which`, as st_kind_register() does. */
st_result types_register_trait(struct types *types, struct strings *strings, enum type_space which,
                               const char *tool, unsigned number, uint16_t *trait);
/* Returns true if trait is 0, predefined or registered. */
bool types_know_trait(const struct types *types, enum type_space which, uint16_t trait);
/* Writes the name of a kind or an activity to text, as st_kind_name() does. */
void types_trait_name(const struct types *types, const struct strings *strings,
                      enum type_space which, uint16_t trait, char text[TYPES_NAME_MAX]);
bool types_check(const struct types *types, const struct strings *strings);

#endif
