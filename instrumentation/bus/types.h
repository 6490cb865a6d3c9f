/*
 * types.h - the types of records: predefined ones and those of tools.
 */
#ifndef WARPSCOPE_BUS_TYPES_H
#define WARPSCOPE_BUS_TYPES_H

#include "bus/strings.h"
#include "st_bus.h"

#define TYPES_TOOLS_MAX  127u
#define TYPES_NUMBER_MAX 127u /* of a tool's own types */
#define TYPES_NAME_MAX   128

/* All zero: no tools. */
struct types {
    unsigned n_tools;
    st_string_id tools[TYPES_TOOLS_MAX + 1];     /* names, from 1 on */
    uint64_t registered[TYPES_TOOLS_MAX + 1][2]; /* bit per number */
    char name[TYPES_NAME_MAX];                   /* for types_name() */
};

/* See st_type_register(). */
st_result types_register(struct types *types, struct strings *strings, const char *tool,
                         unsigned number, st_type *begin);
/* The tool whose type this is; NULL: predefined, or unknown. */
static inline const char *types_tool(const struct types *types, const struct strings *strings,
                                     st_type type)
{
    unsigned tool = type >> 8;
    return tool >= 1 && tool <= types->n_tools ? strings_text(strings, types->tools[tool]) : NULL;
}
/* See st_type_name(). */
const char *types_name(struct types *types, const struct strings *strings, st_type type);
bool types_check(const struct types *types, const struct strings *strings);

#endif
