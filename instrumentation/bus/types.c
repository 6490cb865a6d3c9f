/*
 * types.c - numbers of types.
 *
 * A type is tool << 8 | number << 1 | end; tool 0 has the predefined ones. Tools are numbered from
 * 1 as they come, so types of tools may differ between ranks: logs say their names.
 *
 * Invariant: the names of tools differ, and each has registered at least one number.
 */
#include "bus/types.h"

#include <stdio.h>
#include <string.h>

#define NAME_MAX_BYTES 63

st_result types_register(struct types *t, struct strings *strings, const char *tool,
                         unsigned number, st_type *begin)
{
    if (tool == NULL || tool[0] == '\0' || strlen(tool) > NAME_MAX_BYTES ||
        number > TYPES_NUMBER_MAX || begin == NULL) {
        return ST_INVALID;
    }
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
    uint64_t bit = (uint64_t)1 << number % 64;
    bool was_there = (t->registered[i][number / 64] & bit) != 0;
    t->registered[i][number / 64] |= bit;
    *begin = (st_type)(i << 8 | number << 1);
    return was_there ? ST_DUPLICATE : ST_OK;
}

static const char *predefined_name(unsigned number)
{
    switch (number) {
#define X(name, n)                                                                                 \
    case n:                                                                                        \
        return #name;
        ST_TYPE_LIST(X)
#undef X
    default:
        return NULL;
    }
}

/* As is, but in small letters. */
static void copy_small(char *to, size_t size, const char *text)
{
    size_t i = 0;
    for (; text[i] != '\0' && i + 1 < size; i++) {
        to[i] = (char)(text[i] >= 'A' && text[i] <= 'Z' ? text[i] - 'A' + 'a' : text[i]);
    }
    to[i] = '\0';
}

const char *types_name(struct types *t, const struct strings *strings, st_type type)
{
    unsigned tool = type >> 8;
    unsigned number = type >> 1 & TYPES_NUMBER_MAX;
    const char *end = (type & 1u) != 0 ? "end" : "begin";
    const char *known = tool == 0 ? predefined_name(number) : NULL;
    if (known != NULL) {
        char small[32];
        copy_small(small, sizeof small, known);
        snprintf(t->name, sizeof t->name, "%s %s", small, end);
    } else if (tool != 0 && tool <= t->n_tools &&
               (t->registered[tool][number / 64] >> number % 64 & 1u) != 0) {
        snprintf(t->name, sizeof t->name, "%s %u %s", strings_text(strings, t->tools[tool]), number,
                 end);
    } else if (type == ST_ALL_TYPES) {
        return "all types";
    } else {
        snprintf(t->name, sizeof t->name, "unknown type %u", (unsigned)type);
    }
    return t->name;
}

bool types_check(const struct types *t, const struct strings *strings)
{
    for (unsigned i = 1; i <= t->n_tools; i++) {
        if (t->n_tools > TYPES_TOOLS_MAX || strings_text(strings, t->tools[i]) == NULL ||
            (t->registered[i][0] | t->registered[i][1]) == 0) {
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
