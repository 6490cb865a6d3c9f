/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * types.c - numbers for types of records, and for kinds and activities of points.
 *
 * A type is tool << 8 | number << 1 | end; tool 0 has the predefined types. Tools are numbered from
 * 1 in the order of registration, so types of tools possibly differ between ranks. Logs therefore
 * have the names of types. Kinds and activities of points are tool << 8 | number.
 *
 * Invariant: the names of tools differ, and each tool has registered at least one number.
 */
#include "bus/tables/types.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#define NAME_MAX_BYTES 63

/* Sets *place to the number of the tool with the name `tool`, and registers the tool if it is new.
 * Returns ST_OK, ST_NO_MEMORY or ST_FULL. */
static st_result find_tool(struct types *t, struct strings *strings, const char *tool,
                           unsigned *place)
{
    assert(t->n_tools <= TYPES_TOOLS_MAX);
    st_string_id name = strings_insert(strings, tool);
    if (name == 0) {
        return ST_NO_MEMORY;
    }
    unsigned i = 1;
    while (i <= t->n_tools && t->tools[i] != name) {
        i++;
    }
    if (i > TYPES_TOOLS_MAX) {
        return ST_FULL;
    }
    if (i > t->n_tools) {
        t->n_tools = i;
        t->tools[i] = name;
    }
    *place = i;
    return ST_OK;
}

static bool is_registered(const struct types *t, enum type_space space, unsigned tool,
                          unsigned number)
{
    return tool >= 1 && tool <= t->n_tools && number <= TYPES_NUMBER_MAX &&
           (t->registered[space][tool].bits[number / 64] >> number % 64 & 1u) != 0;
}

/* Registers `number` of a tool in a space. Sets *place to the number of the tool itself. Returns
 * ST_OK; ST_DUPLICATE if `number` was registered before; or an error. */
static st_result register_number(struct types *t, struct strings *strings, enum type_space space,
                                 const char *tool, unsigned number, unsigned *place)
{
    assert((unsigned)space < TYPE_SPACES);
    if (tool == NULL || tool[0] == '\0' || strlen(tool) > NAME_MAX_BYTES ||
        number > TYPES_NUMBER_MAX) {
        return ST_INVALID;
    }
    st_result result = find_tool(t, strings, tool, place);
    if (result != ST_OK) {
        return result;
    }
    result = is_registered(t, space, *place, number) ? ST_DUPLICATE : ST_OK;
    t->registered[space][*place].bits[number / 64] |= (uint64_t)1 << number % 64;
    return result;
}

st_result types_register(struct types *t, struct strings *strings, const char *tool,
                         unsigned number, st_type *begin)
{
    unsigned place = 0;
    st_result result = begin == NULL
                           ? ST_INVALID
                           : register_number(t, strings, TYPE_OF_RECORD, tool, number, &place);
    if (result == ST_OK || result == ST_DUPLICATE) {
        *begin = (st_type)(place << 8 | number << 1);
    }
    return result;
}

st_result types_register_trait(struct types *t, struct strings *strings, enum type_space which,
                               const char *tool, unsigned number, uint16_t *trait)
{
    unsigned place = 0;
    st_result result =
        trait == NULL ? ST_INVALID : register_number(t, strings, which, tool, number, &place);
    if (result == ST_OK || result == ST_DUPLICATE) {
        *trait = (uint16_t)(place << 8 | number);
    }
    return result;
}

#define X(name, number) [number] = #name,
static const char *const type_names[] = {ST_TYPE_LIST(X)};
static const char *const kind_names[] = {ST_KIND_LIST(X)};
static const char *const activity_names[] = {ST_ACTIVITY_LIST(X)};
#undef X

/* Returns the name of a predefined type, kind or activity; NULL if the number has no name. */
static const char *predefined_name(enum type_space space, unsigned number)
{
    assert((unsigned)space < TYPE_SPACES);
    static const struct {
        const char *const *names;
        size_t n;
    } spaces[] = {
        [TYPE_OF_RECORD] = {type_names, sizeof type_names / sizeof *type_names},
        [KIND_OF_POINT] = {kind_names, sizeof kind_names / sizeof *kind_names},
        [ACTIVITY_OF_POINT] = {activity_names, sizeof activity_names / sizeof *activity_names}};
    return number < spaces[space].n ? spaces[space].names[number] : NULL;
}

/* Copies text to `to` (size bytes) in lower case, with spaces in place of underscores. */
static void copy_small(char *to, size_t size, const char *text)
{
    size_t i = 0;
    for (; text[i] != '\0' && i + 1 < size; i++) {
        const bool is_capital = text[i] >= 'A' && text[i] <= 'Z';
        to[i] = (char)(is_capital ? text[i] - 'A' + 'a' : text[i] == '_' ? ' ' : text[i]);
    }
    to[i] = '\0';
}

const char *types_name(const struct types *t, const struct strings *strings, st_type type,
                       char text[TYPES_NAME_MAX])
{
    unsigned tool = type >> 8;
    unsigned number = type >> 1 & TYPES_NUMBER_MAX;
    const char *end = (type & 1u) != 0 ? "end" : "begin";
    const char *known = tool == 0 ? predefined_name(TYPE_OF_RECORD, number) : NULL;
    if (known != NULL) {
        char small[32];
        copy_small(small, sizeof small, known);
        snprintf(text, TYPES_NAME_MAX, "%s %s", small, end);
    } else if (is_registered(t, TYPE_OF_RECORD, tool, number)) {
        snprintf(text, TYPES_NAME_MAX, "%s %u %s", strings_text(strings, t->tools[tool]), number,
                 end);
    } else if (type == ST_ALL_TYPES) {
        snprintf(text, TYPES_NAME_MAX, "all types");
    } else {
        snprintf(text, TYPES_NAME_MAX, "unknown type %u", (unsigned)type);
    }
    return text;
}

bool types_know_trait(const struct types *t, enum type_space which, uint16_t trait)
{
    const unsigned tool = trait >> 8, number = trait & UINT8_MAX;
    return trait == 0 || (tool == 0 ? predefined_name(which, number) != NULL
                                    : is_registered(t, which, tool, number));
}

void types_trait_name(const struct types *t, const struct strings *strings, enum type_space which,
                      uint16_t trait, char text[TYPES_NAME_MAX])
{
    const unsigned tool = trait >> 8, number = trait & UINT8_MAX;
    if (trait == 0 || !types_know_trait(t, which, trait)) {
        snprintf(text, TYPES_NAME_MAX, trait == 0 ? "none" : "unknown %u", (unsigned)trait);
    } else if (tool == 0) {
        copy_small(text, TYPES_NAME_MAX, predefined_name(which, number));
    } else {
        snprintf(text, TYPES_NAME_MAX, "%s %u", strings_text(strings, t->tools[tool]), number);
    }
}

/* Returns true if the tool has registered at least one number. */
static bool has_numbers(const struct types *t, unsigned tool)
{
    assert(tool >= 1 && tool <= TYPES_TOOLS_MAX);
    uint64_t bits = 0;
    for (int space = 0; space < TYPE_SPACES; space++) {
        bits |= t->registered[space][tool].bits[0] | t->registered[space][tool].bits[1];
    }
    return bits != 0;
}

bool types_check(const struct types *t, const struct strings *strings)
{
    for (unsigned i = 1; i <= t->n_tools; i++) {
        if (t->n_tools > TYPES_TOOLS_MAX || strings_text(strings, t->tools[i]) == NULL ||
            !has_numbers(t, i)) {
            return false;
        }
        for (unsigned j = 1; j < i; j++) {
            if (t->tools[i] == t->tools[j]) {
                return false;
            }
        }
    }
    return true;
}
