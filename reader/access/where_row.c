/* SPDX-License-Identifier: BSD-3-Clause */
/* where_row.c - decides which records are chosen; see where.h. */
#include <assert.h>
#include <string.h>

#include "access/bind.h"
#include "access/where.h"

/* The truth values of an expression for the records of a group; neither bit: it is false. */
struct truth {
    uint64_t yes, unknown;
};

struct operand {
    enum { ABSENT, NUMBER, STRING } kind;
    struct fmt_value value;
    const char *text;
    size_t length;
};

/* A group: n records of a decoded block. */
struct group {
    const struct ws_where *where;
    const struct fmt_columns *columns;
    uint32_t first, n;
};

static struct operand text_of(const char *text, size_t length)
{
    return text == NULL ? (struct operand){.kind = ABSENT}
                        : (struct operand){STRING, .text = text, .length = length};
}

/* Returns the type of the LP of a record: the owner of the description of its payload. */
static struct operand owner_of(const struct group *g, uint32_t row)
{
    int32_t field = g->columns->schema->role_field[FMT_ROLE_PAYLOAD_TYPE];
    const struct fmt_payload_desc *desc =
        field < 0 ? NULL
                  : fmt_desc_set_find(g->where->table.descs,
                                      (uint32_t)ws_whole_at(g->columns, field, row));
    return desc == NULL ? (struct operand){.kind = ABSENT}
                        : text_of(desc->owner, strlen(desc->owner));
}

/* Sets to[i] to what record i of the group has in a column of the table. */
static void cells_of(const struct group *g, uint32_t column, struct operand *to)
{
    const struct ws_table *t = &g->where->table;
    struct ws_plan_last last = {.known = false};
    bool in_payload = column >= t->n_record_columns && column < t->first_label;
    const uint32_t kind = ws_schema_number(t->sb, g->columns->schema);
    int32_t field = column < t->n_record_columns ? t->column_field[kind][column] : -1;
    for (uint32_t i = 0; field >= 0 && i < g->n; i++) {
        to[i].kind = NUMBER;
        to[i].value = fmt_columns_value(g->columns, (uint32_t)field, g->first + i);
    }
    for (uint32_t i = 0; field < 0 && i < g->n; i++) {
        const uint32_t row = g->first + i;
        int32_t plan = in_payload ? ws_table_plan(t, &last, g->columns, row) : WS_PLAN_NONE;
        struct ws_cell cell = ws_table_cell(t, g->columns, row, plan, column);
        to[i] = cell.bytes == NULL || cell.type == FMT_CHAR
                    ? text_of(cell.bytes, cell.size)
                    : (struct operand){NUMBER, .value = fmt_value_read(cell.bytes, cell.type)};
    }
}

/* Sets to[i] to the value of a node for record i of the group, and returns 1. If all have the same
 * value, only sets to[0] to it, and returns 0. */
static uint32_t values_of(const struct group *g, uint32_t number, struct operand *to)
{
    assert(number < g->where->n_nodes);
    const struct ws_where_node *node = &g->where->nodes[number];
    const struct fmt_schema *schema = g->columns->schema;
    const int64_t place = g->where->places[number];
    *to = (struct operand){.kind = ABSENT};
    if (node->op == WS_WHERE_NUMBER || place == WS_PLACE_LP) {
        *to = (struct operand){NUMBER, .value = node->value};
    } else if (node->op == WS_WHERE_TEXT || place == WS_PLACE_WORD) {
        *to = text_of(node->text, node->length);
    } else if (place == WS_PLACE_RECORD) {
        *to = text_of(schema->name, strlen(schema->name));
    } else if (place >= 0) {
        cells_of(g, (uint32_t)place, to);
    }
    for (uint32_t i = 0; place == WS_PLACE_TYPE && i < g->n; i++) {
        to[i] = owner_of(g, g->first + i);
    }
    return place >= 0 || place == WS_PLACE_TYPE;
}

/* Compares two numbers. Returns a number less than, equal to, or greater than 0. Sets *unknown to
 * true if a or b is NaN. */
static int numbers_compare(const struct fmt_value *a, const struct fmt_value *b, bool *unknown)
{
    if (ws_type_is_real(a->type) || ws_type_is_real(b->type)) {
        double x = ws_value_number(*a), y = ws_value_number(*b);
        *unknown = x != x || y != y;
        return (x > y) - (x < y);
    }
    bool a_negative = ws_type_is_signed(a->type) && a->as.i < 0;
    bool b_negative = ws_type_is_signed(b->type) && b->as.i < 0;
    /* Negative numbers have the order of their bits, too. */
    return a_negative != b_negative ? b_negative - a_negative
                                    : (a->as.u > b->as.u) - (a->as.u < b->as.u);
}

/* Compares two values. accepted: 1 if the comparison is true for a < b, + 2 if for a == b, + 4 if for
 * a > b. Sets *unknown to true if it is neither true nor false. */
static inline bool compare(unsigned accepted, const struct operand *a, const struct operand *b,
                           bool *unknown)
{
    int order = 0;
    *unknown = a->kind == ABSENT || a->kind != b->kind;
    if (!*unknown && a->kind == STRING) {
        *unknown = accepted != 2 && accepted != 5; /* texts are equal or not */
        order = a->length != b->length || memcmp(a->text, b->text, a->length) != 0;
    } else if (!*unknown) {
        order = numbers_compare(&a->value, &b->value, unknown);
    }
    return accepted >> (order + 1) & 1;
}

/* Returns true if a value alone is true. Sets *unknown to true if it is neither true nor false. */
static bool is_true(const struct operand *a, bool *unknown)
{
    bool real = a->kind == NUMBER && ws_type_is_real(a->value.type);
    *unknown = a->kind == ABSENT || (real && a->value.as.f != a->value.as.f);
    return a->kind == STRING ? a->length > 0
           : real            ? a->value.as.f < 0 || a->value.as.f > 0
                             : a->value.as.u != 0;
}

/* Returns the truth values of a comparison, or of a value alone. */
static struct truth truth_of_values(const struct group *g, uint32_t number)
{
    const struct ws_where_node *node = &g->where->nodes[number];
    static const uint8_t accepted[] = {
        [WS_WHERE_EQUAL] = 2,      [WS_WHERE_NOT_EQUAL] = 5, [WS_WHERE_LESS] = 1,
        [WS_WHERE_LESS_EQUAL] = 3, [WS_WHERE_GREATER] = 4,   [WS_WHERE_GREATER_EQUAL] = 6};
    const bool alone = node->op >= WS_WHERE_NUMBER;
    const unsigned accepts = alone ? 0 : accepted[node->op];
    struct operand a[WS_GROUP], b[WS_GROUP];
    struct truth truth = {0, 0};
    const uint32_t step_a = values_of(g, alone ? number : node->a, a);
    const uint32_t step_b = alone ? 0 : values_of(g, node->b, b);
    for (uint32_t i = 0; i < g->n; i++) {
        bool unknown;
        bool yes = alone ? is_true(&a[step_a * i], &unknown)
                         : compare(accepts, &a[step_a * i], &b[step_b * i], &unknown);
        truth.yes |= (uint64_t)(yes && !unknown) << i;
        truth.unknown |= (uint64_t)unknown << i;
    }
    return truth;
}

/* Returns the truth values of a node. The depth of recursion is at most
 * WS_WHERE_NODES_MAX. */
static struct truth truth_of(const struct group *g, uint32_t number)
{
    const struct ws_where_node *node = &g->where->nodes[number];
    if (node->op > WS_WHERE_NOT) {
        return truth_of_values(g, number);
    }
    struct truth a = truth_of(g, node->a);
    if (node->op == WS_WHERE_NOT) {
        return (struct truth){~(a.yes | a.unknown), a.unknown};
    }
    struct truth b = truth_of(g, node->b);
    uint64_t either = a.yes | b.yes, both = a.yes & b.yes;
    return node->op == WS_WHERE_OR
               ? (struct truth){either, (a.unknown | b.unknown) & ~either}
               : (struct truth){both, (a.yes | a.unknown) & (b.yes | b.unknown) & ~both};
}

uint64_t ws_where_rows(const struct ws_where *w, const struct fmt_columns *columns, uint32_t first)
{
    assert(first < columns->n_records);
    const uint32_t left = columns->n_records - first;
    const struct group g = {w, columns, first, left < WS_GROUP ? left : WS_GROUP};
    return truth_of(&g, w->root).yes & ~UINT64_C(0) >> (WS_GROUP - g.n);
}
