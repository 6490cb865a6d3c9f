/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * where.c - looks up the names of an expression in a file, and determines the kinds of records that
 * the expression can choose; see where.h.
 */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "access/bind.h"
#include "access/where.h"
#include "data/known.h"

/* ---- Names in a file ------------------------------------------------------------------------- */

static bool is_name(const struct ws_where_node *node, const char *name, size_t length)
{
    return node->length == length && memcmp(node->text, name, length) == 0;
}

/* Returns the column called `name` among those from `first` to before `end`; WS_PLACE_NONE: none. */
static int64_t column_named(const struct ws_table *t, uint32_t first, uint32_t end,
                            const char *name, size_t length)
{
    for (uint32_t c = first; c < end; c++) {
        if (strlen(t->names[c]) == length && memcmp(t->names[c], name, length) == 0 &&
            (int32_t)c != t->hex_column) {
            return c;
        }
    }
    return WS_PLACE_NONE;
}

/* Returns what the name in a node stands for in the current file. */
static int64_t place_find(const struct ws_table *t, const struct ws_where_node *node)
{
    static const char prefix[] = "payload.";
    const size_t skipped = sizeof prefix - 1;
    bool typed = false, several = t->sb->n_schemas > 1;
    for (uint32_t k = 0; k < t->sb->n_schemas; k++) {
        typed |= t->sb->schemas[k]->role_field[FMT_ROLE_PAYLOAD_TYPE] >= 0;
    }
    if (is_name(node, "record", 6)) {
        return WS_PLACE_RECORD;
    }
    int64_t place = column_named(t, several, t->n_record_columns, node->text, node->length);
    if (place == WS_PLACE_NONE && typed && is_name(node, "type", 4)) {
        return WS_PLACE_TYPE;
    }
    if (place == WS_PLACE_NONE) {
        place = column_named(t, t->n_record_columns, t->n_columns, node->text, node->length);
    }
    if (place == WS_PLACE_NONE && node->length > skipped &&
        memcmp(node->text, prefix, skipped) == 0) {
        place = column_named(t, t->n_record_columns, t->first_label, node->text + skipped,
                             node->length - skipped);
    }
    return place;
}

static bool is_label(const struct ws_where *w, uint32_t node)
{
    return w->places[node] >= (int64_t)w->table.first_label;
}

static bool is_payload(const struct ws_where *w, int64_t column)
{
    return column >= (int64_t)w->table.n_record_columns && column < (int64_t)w->table.first_label;
}

/* Returns true if payloads of a description in `chosen` (NULL: all) have a value in the column. Sets
 * *is_number to true if one of them is a number. */
static bool payload_has(const struct ws_where *w, const bool *chosen, int64_t column,
                        bool *is_number)
{
    bool has = false;
    for (size_t d = 0; d < w->table.descs->n; d++) {
        const struct ws_plan *plan = &w->table.plans[d];
        for (uint32_t e = 0; (chosen == NULL || chosen[d]) && e < plan->n; e++) {
            bool here = plan->elements[e].place == column;
            has |= here;
            *is_number |= here && plan->elements[e].type != FMT_CHAR;
        }
    }
    return has;
}

/* Returns true if records of the kind, or their payloads, can have the value at a place. */
static bool kind_has(const struct ws_where *w, uint32_t kind, int64_t place)
{
    return place >= 0 ? ws_table_has(&w->table, kind, (uint32_t)place)
                      : place != WS_PLACE_NONE &&
                            (place != WS_PLACE_TYPE ||
                             w->table.sb->schemas[kind]->role_field[FMT_ROLE_PAYLOAD_TYPE] >= 0);
}

/* Returns true if chosen records have a value at a place; see ws_where_look(). */
static bool chosen_have(const struct ws_where *w, const bool *chosen, int64_t place)
{
    bool unused = false, has = false;
    if (is_payload(w, place)) {
        return payload_has(w, chosen + w->table.sb->n_schemas, place, &unused);
    }
    for (uint32_t k = 0; k < w->table.sb->n_schemas; k++) {
        has |= chosen[k] && kind_has(w, k, place);
    }
    return has;
}

void ws_where_file_free(struct ws_where *w)
{
    if (w->table.sb != NULL) {
        ws_table_fini(&w->table);
    }
}

static bool is_comparison(const struct ws_where_node *node)
{
    return node->op >= WS_WHERE_EQUAL && node->op <= WS_WHERE_GREATER_EQUAL;
}

/* Makes the node `name` a string if the node `other`, with which it is compared, is the kind of a
 * record, the type of an LP or a column of names, and the file has no column of that name. */
static void word_find(struct ws_where *w, uint32_t name, uint32_t other)
{
    assert(name < w->n_nodes && other < w->n_nodes);
    if (w->nodes[name].op == WS_WHERE_NAME && w->places[name] == WS_PLACE_NONE &&
        (w->places[other] == WS_PLACE_RECORD || w->places[other] == WS_PLACE_TYPE ||
         is_label(w, other))) {
        w->places[name] = WS_PLACE_WORD;
    }
}

/* Looks for the string in node `text` among the names of the column in node `column`, and adds these
 * names to `known` (WS_NAMES_KNOWN bytes). Returns 1 if it is one of them, 0 if it is not, -1 if
 * `column` is no column of names. */
static int name_find(const struct ws_where *w, uint32_t column, uint32_t text, char *known)
{
    int found = -1;
    bool is_text = w->nodes[text].op == WS_WHERE_TEXT || w->places[text] == WS_PLACE_WORD;
    for (uint32_t k = 0; is_text && is_label(w, column) && k < w->table.sb->n_schemas; k++) {
        const struct ws_labels *labels = ws_table_labels(&w->table, k, w->places[column]);
        for (uint32_t i = 0; labels != NULL && i < labels->known.n; i++) {
            ws_known_add(known, WS_NAMES_KNOWN, labels->known.names[i]);
            found = found < 0 ? 0 : found;
            found |=
                is_name(&w->nodes[text], labels->known.names[i], strlen(labels->known.names[i]));
        }
    }
    return found;
}

/* Notes the first comparison that asks for a name which its column does not have. */
static void names_note(struct ws_where *w)
{
    for (uint32_t i = 0; i < w->n_nodes; i++) {
        const struct ws_where_node *node = &w->nodes[i];
        if (node->op != WS_WHERE_EQUAL || (w->unknown != 0 && w->unknown != i)) {
            continue;
        }
        char known[WS_NAMES_KNOWN] = "";
        int found = name_find(w, node->a, node->b, known);
        uint32_t column = found < 0 ? node->b : node->a;
        found = found < 0 ? name_find(w, node->b, node->a, known) : found;
        if (found == 1 && w->unknown == i) {
            w->unknown = 0;
            w->known_name[i] = true;
        } else if (found == 0 && !w->known_name[i]) {
            w->unknown = i;
            w->unknown_column = column;
            memcpy(w->names, known, sizeof known);
        }
        w->known_name[i] |= found == 1;
    }
}

bool ws_where_names(const struct ws_where *w, char *to, size_t size)
{
    if (w->unknown == 0) {
        return false;
    }
    const struct ws_where_node *node = &w->nodes[w->unknown_column];
    snprintf(to, size, "%.*s is one of %s", (int)node->length, node->text, w->names);
    return true;
}

/* If the node `field` is the number of an LP, and the node `name` a text, or a name that no record has,
 * lets the latter stand for the LP of that name. */
static void lp_find(struct ws_where *w, uint32_t field, uint32_t name)
{
    struct ws_where_node *node = &w->nodes[name];
    const struct ws_where_node *f = &w->nodes[field];
    const bool is_lp = f->op == WS_WHERE_NAME &&
                       (is_name(f, "lp", 2) || is_name(f, "src_lp", 6) || is_name(f, "dest_lp", 7));
    uint64_t lp;
    if (!is_lp || (node->op != WS_WHERE_TEXT &&
                   (node->op != WS_WHERE_NAME || w->places[name] != WS_PLACE_NONE))) {
        return;
    }
    if (ws_lp_find(w->table.descs, node->text, node->length, &lp, w->lp_why)) {
        node->value = (struct fmt_value){FMT_U64, {.u = lp}};
        w->places[name] = WS_PLACE_LP;
        w->lp[name] = true;
        w->unknown_lp = w->unknown_lp == name + 1 ? 0 : w->unknown_lp;
    } else if (!w->lp[name]) {
        w->unknown_lp = name + 1;
    }
}

bool ws_where_file(struct ws_where *w, const struct fmt_superblock *sb,
                   const struct fmt_desc_set *descs)
{
    ws_where_file_free(w);
    if (!ws_table_init(&w->table, sb, descs) || !ws_table_add_labels(&w->table)) {
        return false;
    }
    for (uint32_t i = 0; i < w->n_nodes; i++) {
        bool is_name = w->nodes[i].op == WS_WHERE_NAME;
        w->places[i] = is_name ? place_find(&w->table, &w->nodes[i]) : WS_PLACE_NONE;
    }
    for (uint32_t i = 0; i < w->n_nodes; i++) {
        if (w->nodes[i].op == WS_WHERE_EQUAL || w->nodes[i].op == WS_WHERE_NOT_EQUAL) {
            word_find(w, w->nodes[i].a, w->nodes[i].b);
            word_find(w, w->nodes[i].b, w->nodes[i].a);
            lp_find(w, w->nodes[i].a, w->nodes[i].b);
            lp_find(w, w->nodes[i].b, w->nodes[i].a);
        }
    }
    names_note(w);
    return true;
}

void ws_where_look(struct ws_where *w, const bool *chosen)
{
    assert(w->table.sb != NULL);
    bool missing = false;
    for (uint32_t i = 0; i < w->n_nodes; i++) {
        w->found[i] |= chosen_have(w, chosen, w->places[i]);
        if (is_payload(w, w->places[i])) {
            payload_has(w, NULL, w->places[i], &w->number[i]);
        } else {
            w->number[i] |= w->places[i] == WS_PLACE_LP || (w->places[i] >= 0 && !is_label(w, i));
        }
        missing |= w->nodes[i].op == WS_WHERE_NAME && !w->found[i];
    }
    /* Collects the known names for the error message only if a name is missing, since this takes
     * time for each of them. */
    for (uint32_t c = 0; missing && c < w->table.n_columns; c++) {
        if (chosen_have(w, chosen, c)) {
            ws_known_add(w->known, sizeof w->known, w->table.names[c]);
        }
    }
}

/* Returns true if the node is a name that is a string in all files that have it. */
static bool is_text_name(const struct ws_where *w, uint32_t node)
{
    return w->nodes[node].op == WS_WHERE_NAME && w->found[node] && !w->number[node];
}

/* Checks the comparisons in which one side is a string in all files. If such a side is compared
 * with a number, or by an operator other than == and !=, prints an error message and returns
 * false. */
static bool texts_check(const struct ws_where *w, const struct ws_messages *messages)
{
    for (uint32_t i = 0; i < w->n_nodes; i++) {
        const struct ws_where_node *node = &w->nodes[i];
        if (!is_comparison(node)) {
            continue;
        }
        bool is_order = node->op != WS_WHERE_EQUAL && node->op != WS_WHERE_NOT_EQUAL;
        uint32_t text = is_text_name(w, node->a) ? node->a : node->b;
        uint32_t other = text == node->a ? node->b : node->a;
        bool is_number = w->nodes[other].op == WS_WHERE_NUMBER;
        if (is_text_name(w, text) && (is_order || is_number)) {
            return ws_say(messages, "--where: %.*s is a text: compare it by == or != with a %s",
                          (int)w->nodes[text].length, w->nodes[text].text,
                          is_number ? "text in quotes" : "text");
        }
    }
    return true;
}

bool ws_where_found(const struct ws_where *w, bool all_kinds, const struct ws_messages *messages)
{
    const char *place = all_kinds ? "these files" : "the records that the other options choose";
    bool good = true;
    for (uint32_t i = 0; i < w->n_nodes; i++) {
        const struct ws_where_node *node = &w->nodes[i];
        char name[64], near[64];
        if (w->unknown_lp == i + 1) {
            ws_say(messages, "--where: %s", w->lp_why);
            good = false;
            continue;
        }
        if (node->op != WS_WHERE_NAME || w->found[i]) {
            continue;
        }
        snprintf(name, sizeof name, "%.*s", (int)(node->length > 63 ? 63 : node->length),
                 node->text);
        ws_known_nearest(w->known, name, near);
        ws_say(messages, "--where: no field %s in %s%s%s%s", name, place,
               near[0] == '\0' ? "" : "; did you mean ", near, near[0] == '\0' ? "" : "?");
        good = false;
    }
    return good && texts_check(w, messages);
}

/* ---- Kinds of records ------------------------------------------------------------------------ */

/* Returns true if records of the kind have the value in a node. */
static bool value_exists(const struct ws_where *w, uint32_t kind, uint32_t node)
{
    return w->nodes[node].op != WS_WHERE_NAME || kind_has(w, kind, w->places[node]);
}

/* Returns true if the comparison in node `number` is true, or false, for some records of the kind,
 * depending on `yes`. If it compares "record" (the kind) with a string, its truth value is known. */
static bool comparison_can_be(const struct ws_where *w, uint32_t kind, uint32_t number, bool yes)
{
    assert(number < w->n_nodes);
    const struct ws_where_node *node = &w->nodes[number];
    bool a_is_kind = w->places[node->a] == WS_PLACE_RECORD;
    bool b_is_kind = w->places[node->b] == WS_PLACE_RECORD;
    const uint32_t other = a_is_kind ? node->b : node->a;
    const struct ws_where_node *text = &w->nodes[other];
    bool is_word = w->places[other] == WS_PLACE_WORD;
    if ((a_is_kind || b_is_kind) && (text->op == WS_WHERE_TEXT || is_word)) {
        const char *name = w->table.sb->schemas[kind]->name;
        bool same = is_name(text, name, strlen(name));
        return (same == (node->op == WS_WHERE_EQUAL)) == yes;
    }
    return value_exists(w, kind, node->a) && value_exists(w, kind, node->b);
}

/* Returns true if a node is true, or false, for some records of the kind, depending on `yes`. */
static bool can_be(const struct ws_where *w, uint32_t kind, uint32_t number, bool yes)
{
    const struct ws_where_node *node = &w->nodes[number];
    bool a;
    switch (node->op) {
    case WS_WHERE_OR:
    case WS_WHERE_AND:
        a = can_be(w, kind, node->a, yes);
        return a == ((node->op == WS_WHERE_OR) == yes) ? a : can_be(w, kind, node->b, yes);
    case WS_WHERE_NOT:
        return can_be(w, kind, node->a, !yes);
    case WS_WHERE_NUMBER:
    case WS_WHERE_TEXT:
    case WS_WHERE_NAME:
        return value_exists(w, kind, number);
    default:
        return comparison_can_be(w, kind, number, yes);
    }
}

bool ws_where_kind(const struct ws_where *w, uint32_t kind)
{
    assert(kind < w->table.sb->n_schemas);
    return can_be(w, kind, w->root, true);
}

void ws_where_wanted(const struct ws_where *w, uint32_t kind, struct fmt_wanted *wanted)
{
    const struct ws_table *t = &w->table;
    const struct fmt_schema *schema = t->sb->schemas[kind];
    int32_t type = schema->role_field[FMT_ROLE_PAYLOAD_TYPE];
    for (uint32_t i = 0; i < w->n_nodes; i++) {
        int64_t place = w->places[i];
        if (place == WS_PLACE_TYPE || is_payload(w, place)) {
            ws_want(wanted, type);
            wanted->payload |= schema->role_field[FMT_ROLE_PAYLOAD_SIZE] >= 0;
        } else if (place >= 0 && !is_label(w, i)) {
            ws_want(wanted, t->column_field[kind][place]);
        }
        const struct ws_labels *labels = ws_table_labels(t, kind, place);
        if (labels != NULL) {
            ws_want(wanted, labels->field);
            wanted->payload |= labels->kind == WS_LABELS_SOURCES;
        }
    }
}
