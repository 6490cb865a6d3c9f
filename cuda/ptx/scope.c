/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Scopes: registers and other variables, labels, and names that are resolved later.
 *
 * A label may follow its use, and a function may follow its caller. Operands that name them wait in
 * the list of pending operands. The parser resolves these at the end of the scope that declares the
 * label, or at the end of the module.
 */
#include "ptx/parser.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { DIMENSION_DIGITS = 9 /* maximum number of digits in the index of a register */ };

void ptx_enter(struct ptx_parser *parser)
{
    if (parser->depth > PTX_NESTING_MAX) {
        ptx_fail(&parser->in, "more than %d nested blocks", PTX_NESTING_MAX);
    }
    assert(parser->depth + 1 < sizeof parser->scopes / sizeof *parser->scopes);
    parser->scopes[++parser->depth] = (struct ptx_scope){.variables = parser->variables.stack.count,
                                                         .labels = parser->labels.stack.count,
                                                         .pending = parser->pending.count};
}

/* Resolves the pending operands of the current scope that name labels of that scope. */
static void resolve_labels(struct ptx_parser *parser)
{
    struct ptx_pending *pending = parser->pending.items;
    size_t kept = parser->scopes[parser->depth].pending;
    assert(kept <= parser->pending.count);
    for (size_t i = kept; i < parser->pending.count; i++) {
        struct ptx_operand *operand = pending[i].operand;
        const struct ptx_name *label = ptx_names_get(&parser->labels, operand->name);
        if (label && label->scope == parser->depth) {
            operand->kind = PTX_LABEL;
            operand->number = label->number;
        } else {
            pending[kept++] = pending[i];
        }
    }
    parser->pending.count = kept;
}

void ptx_leave(struct ptx_parser *parser)
{
    assert(parser->depth > 0);
    const struct ptx_scope *scope = &parser->scopes[parser->depth];
    if (parser->labels.stack.count > scope->labels) {
        resolve_labels(parser);
        ptx_names_leave(&parser->labels, scope->labels);
    }
    ptx_names_leave(&parser->variables, scope->variables);
    parser->depth--;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

void ptx_declare(struct ptx_parser *parser, struct ptx_variable *variable)
{
    struct ptx_text name = variable->name;
    assert(name.length > 0);
    bool family = variable->space == PTX_REG && variable->count > 0;
    if (name.length == 1 && *name.s == '_') {
        return; /* the parameter has no name */
    }
    const struct ptx_name *other =
        ptx_names_find(&parser->variables, name, family, ptx_hash(name), 0);
    if (other && other->scope == parser->depth && parser->depth > 0) {
        ptx_fail_at(&parser->in, variable->range.line, "%.*s is declared twice in one block",
                    ptx_quoted(name), name.s);
    }
    if (is_digit(name.s[name.length - 1])) {
        parser->odd_families |= family;
        parser->odd_registers |= !family && *name.s == '%';
    }
    struct ptx_name *added = ptx_add_name(parser, &parser->variables, name, family);
    added->object = variable;
    added->number = variable->count;
}

void ptx_declare_label(struct ptx_parser *parser, struct ptx_text name)
{
    const struct ptx_name *other = ptx_names_get(&parser->labels, name);
    if (other && other->scope == parser->depth) {
        ptx_fail(&parser->in, "the label %.*s is defined twice", ptx_quoted(name), name.s);
    }
    ptx_add_name(parser, &parser->labels, name, false)->number = (uint32_t)parser->statements.count;
}

/* Sets *number to the index of a register, the digits of a name from `stem` on. Returns false, with 0, if
 * there are none, too many, or a leading zero. */
static inline bool number_at(struct ptx_text name, uint32_t stem, uint32_t *number)
{
    uint32_t digits = name.length - stem, value = 0;
    bool good = digits && digits <= DIMENSION_DIGITS && (digits == 1 || name.s[stem] != '0');
    for (uint32_t i = stem; i < name.length && good; i++) {
        value = value * 10 + (uint32_t)(name.s[i] - '0');
    }
    *number = value;
    return good;
}

/* Searches for the register `name` in families whose names end with digits: %r12 may be register 2
 * of %r1<4>. If such a family is newer than the family `best`, or if `best` is NULL, returns the
 * newest one and sets *number to the index of the register. Otherwise returns `best`. */
static const struct ptx_name *find_odd_family(const struct ptx_parser *parser, struct ptx_text name,
                                              uint32_t stem, const struct ptx_name *best,
                                              uint32_t *number)
{
    for (uint32_t length = stem + 1; length < name.length; length++) {
        uint32_t value;
        struct ptx_text text = {name.s, length};
        if (!number_at(name, length, &value)) {
            continue;
        }
        const struct ptx_name *family =
            ptx_names_find(&parser->variables, text, true, ptx_hash(text), value);
        if (family && (!best || family > best)) { /* newer names have higher addresses */
            best = family;
            *number = value;
        }
    }
    return best;
}

const struct ptx_variable *ptx_resolve(const struct ptx_parser *parser, struct ptx_text name,
                                       uint32_t *number)
{
    uint32_t stem = name.length;
    while (stem > 1 && is_digit(name.s[stem - 1])) {
        stem--;
    }
    uint32_t digits = name.length - stem;
    struct ptx_text text = {name.s, stem};
    uint32_t hash = ptx_hash(text);
    const struct ptx_name *best = NULL;
    if (number_at(name, stem, number)) {
        best = ptx_names_find(&parser->variables, text, true, hash, *number);
    }
    if (digits && parser->odd_families) {
        best = find_odd_family(parser, name, stem, best, number);
    }
    if (!best || *name.s != '%' || parser->odd_registers) {
        const struct ptx_name *single = ptx_names_find(
            &parser->variables, name, false, ptx_hash_more(hash, name.s + stem, digits), 0);
        if (single && (!best || single > best)) {
            best = single;
            *number = 0;
        }
    }
    return best ? best->object : NULL;
}

void ptx_finish_labels(struct ptx_parser *parser)
{
    assert(parser->function && parser->depth == 1);
    const struct ptx_pending *pending = parser->pending.items;
    for (size_t i = parser->scopes[1].pending; i < parser->pending.count; i++) {
        struct ptx_text name = pending[i].operand->name;
        if (pending[i].label) {
            ptx_fail_at(&parser->in, pending[i].line, "the label %.*s is not defined",
                        ptx_quoted(name), name.s);
        }
    }
}

/* Returns true for special registers whose names end with digits, such as %clock64 and %pm3_64. */
static bool is_numbered(struct ptx_text name)
{
    static const char *const prefixes[] = {"%clock", "%envreg", "%pm", "%reserved_smem_offset_"};
    bool found = false;
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        size_t length = strlen(prefixes[i]);
        found |= name.length > length && memcmp(name.s, prefixes[i], length) == 0 &&
                 is_digit(name.s[length]);
    }
    return found;
}

/* Finds the functions whose addresses are initial values of a variable. */
static void resolve_values(const struct ptx_parser *parser, const struct ptx_variable *variable)
{
    for (size_t i = 0; i < variable->value_count; i++) {
        struct ptx_text name = variable->values[i].symbol;
        if (name.length > 0) {
            const struct ptx_name *found = ptx_names_get(&parser->functions, name);
            variable->values[i].function = found ? found->object : NULL;
        }
    }
}

void ptx_finish_names(struct ptx_parser *parser)
{
    assert(!parser->function && parser->depth == 0);
    const struct ptx_pending *pending = parser->pending.items;
    for (size_t i = 0; i < parser->pending.count; i++) {
        struct ptx_operand *operand = pending[i].operand;
        struct ptx_text name = operand->name;
        const struct ptx_name *found = ptx_names_get(&parser->functions, name);
        if (found) {
            operand->function = found->object;
        } else if ((found = ptx_names_get(&parser->variables, name))) {
            operand->variable = found->object;
        } else if (*name.s == '%') {
            if (is_digit(name.s[name.length - 1]) && !is_numbered(name)) {
                ptx_fail_at(&parser->in, pending[i].line, "the register %.*s is not declared",
                            ptx_quoted(name), name.s);
            }
            operand->kind = PTX_SPECIAL;
        }
    }
    for (size_t i = 0; i < parser->globals.count; i++) {
        resolve_values(parser, ((struct ptx_variable **)parser->globals.items)[i]);
    }
}
