/* SPDX-License-Identifier: BSD-3-Clause */
/* where_row.c - decides whether a record is chosen; see where.h. */
#include <assert.h>
#include <string.h>

#include "access/bind.h"
#include "access/where.h"

enum truth { NO, YES, UNKNOWN };

struct operand {
    enum { ABSENT, NUMBER, TEXT } kind;
    struct fmt_value value;
    const char *text;
    size_t length;
};

struct record {
    const struct ws_where *where;
    const struct fmt_columns *columns;
    uint32_t row;
};

static struct operand text_of(const char *text, size_t length)
{
    return text == NULL ? (struct operand){.kind = ABSENT}
                        : (struct operand){TEXT, .text = text, .length = length};
}

/* Returns the type of the LP of the record: the owner of the description of its payload. */
static struct operand owner_of(const struct record *r)
{
    int32_t field = r->columns->schema->role_field[FMT_ROLE_PAYLOAD_TYPE];
    const struct fmt_payload_desc *desc =
        field < 0 ? NULL
                  : fmt_desc_set_find(r->where->table.descs,
                                      (uint32_t)ws_whole_at(r->columns, field, r->row));
    return desc == NULL ? (struct operand){.kind = ABSENT}
                        : text_of(desc->owner, strlen(desc->owner));
}

static struct operand value_of(const struct record *r, uint32_t number)
{
    assert(number < r->where->n_nodes);
    const struct ws_where_node *node = &r->where->nodes[number];
    const struct ws_table *t = &r->where->table;
    const int64_t place = r->where->places[number];
    if (node->op == WS_WHERE_NUMBER || place == WS_PLACE_LP) {
        return (struct operand){NUMBER, .value = node->value};
    }
    if (node->op == WS_WHERE_TEXT || place == WS_PLACE_WORD) {
        return text_of(node->text, node->length);
    }
    if (place == WS_PLACE_RECORD) {
        return text_of(r->columns->schema->name, strlen(r->columns->schema->name));
    }
    if (place < 0) {
        return place == WS_PLACE_TYPE ? owner_of(r) : (struct operand){.kind = ABSENT};
    }
    struct ws_plan_last last = {.known = false};
    bool in_payload = place >= t->n_record_columns && place < t->first_label;
    int32_t plan = in_payload ? ws_table_plan(t, &last, r->columns, r->row) : WS_PLAN_NONE;
    struct ws_cell cell = ws_table_cell(t, r->columns, r->row, plan, (uint32_t)place);
    return cell.bytes == NULL || cell.type == FMT_CHAR
               ? text_of(cell.bytes, cell.size)
               : (struct operand){NUMBER, .value = fmt_value_read(cell.bytes, cell.type)};
}

static bool is_real(const struct fmt_value *v)
{
    return v->type == FMT_F32 || v->type == FMT_F64;
}

static bool is_negative(const struct fmt_value *v)
{
    return v->type >= FMT_I8 && v->type <= FMT_I64 && v->as.i < 0;
}

static double as_real(const struct fmt_value *v)
{
    return is_real(v) ? v->as.f : is_negative(v) ? (double)v->as.i : (double)v->as.u;
}

/* Compares two numbers. Returns a number less than, equal to, or greater than 0. Sets *unknown to
 * true if a or b is NaN. */
static int numbers_compare(const struct fmt_value *a, const struct fmt_value *b, bool *unknown)
{
    if (is_real(a) || is_real(b)) {
        double x = as_real(a), y = as_real(b);
        *unknown = x != x || y != y;
        return (x > y) - (x < y);
    }
    if (is_negative(a) || is_negative(b)) {
        return is_negative(a) && is_negative(b) ? (a->as.i > b->as.i) - (a->as.i < b->as.i)
                                                : is_negative(b) - is_negative(a);
    }
    return (a->as.u > b->as.u) - (a->as.u < b->as.u);
}

static enum truth compare(const struct record *r, const struct ws_where_node *node)
{
    struct operand a = value_of(r, node->a), b = value_of(r, node->b);
    bool unknown = a.kind == ABSENT || a.kind != b.kind;
    bool is_order = node->op != WS_WHERE_EQUAL && node->op != WS_WHERE_NOT_EQUAL;
    int order = 0;
    if (!unknown && a.kind == TEXT) {
        unknown = is_order;
        order = a.length != b.length || memcmp(a.text, b.text, a.length) != 0;
    } else if (!unknown) {
        order = numbers_compare(&a.value, &b.value, &unknown);
    }
    if (unknown) {
        return UNKNOWN;
    }
    switch (node->op) {
    case WS_WHERE_EQUAL:
    case WS_WHERE_NOT_EQUAL:
        return (order == 0) == (node->op == WS_WHERE_EQUAL) ? YES : NO;
    case WS_WHERE_LESS:
    case WS_WHERE_GREATER_EQUAL:
        return (order < 0) == (node->op == WS_WHERE_LESS) ? YES : NO;
    default:
        return (order > 0) == (node->op == WS_WHERE_GREATER) ? YES : NO;
    }
}

static enum truth truth_of_value(const struct record *r, uint32_t number)
{
    struct operand a = value_of(r, number);
    switch (a.kind) {
    case ABSENT:
        return UNKNOWN;
    case TEXT:
        return a.length > 0 ? YES : NO;
    default:
        if (is_real(&a.value)) {
            return a.value.as.f != a.value.as.f ? UNKNOWN : a.value.as.f < 0 || a.value.as.f > 0;
        }
        return a.value.as.u != 0 ? YES : NO;
    }
}

/* Returns the truth value of a node for a record. The depth of recursion is at most
 * WS_WHERE_NODES_MAX. */
static enum truth truth_of(const struct record *r, uint32_t number)
{
    const struct ws_where_node *node = &r->where->nodes[number];
    const enum truth decides = node->op == WS_WHERE_OR ? YES : NO;
    enum truth a, b;
    switch (node->op) {
    case WS_WHERE_OR:
    case WS_WHERE_AND:
        a = truth_of(r, node->a);
        b = a == decides ? a : truth_of(r, node->b);
        return a == UNKNOWN && b != decides ? a : b;
    case WS_WHERE_NOT:
        a = truth_of(r, node->a);
        return a == UNKNOWN ? UNKNOWN : a == YES ? NO : YES;
    case WS_WHERE_NUMBER:
    case WS_WHERE_TEXT:
    case WS_WHERE_NAME:
        return truth_of_value(r, number);
    default:
        return compare(r, node);
    }
}

bool ws_where_row(const struct ws_where *w, const struct fmt_columns *columns, uint32_t row)
{
    assert(row < columns->n_records);
    struct record r = {w, columns, row};
    return truth_of(&r, w->root) == YES;
}
