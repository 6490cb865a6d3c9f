/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * where.c - looks up the names of an expression in a file, and determines the kinds of records that
 * the expression can choose; see where.h.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "access/where_private.h"
#include "data/known.h"
#include "data/number.h"

/* ---- Names in a file ------------------------------------------------------------------------- */

static bool is_name(const struct ws_where_node *node, const char *name, size_t length)
{
    return node->length == length && memcmp(node->text, name, length) == 0;
}

/* Finds the field or array element called `name` in a payload description, and returns its place in
 * payloads. The name has the form NAME or payload.NAME; for an element of an array, the index
 * follows, as in NAME_3. Returns WS_PLACE_NONE if there is no such field. */
static struct ws_where_place element_find(const struct fmt_payload_desc *desc, const char *name,
                                          size_t length)
{
    static const char prefix[] = "payload.";
    size_t skipped = sizeof prefix - 1;
    if (length > skipped && memcmp(name, prefix, skipped) == 0) {
        name += skipped;
        length -= skipped;
    }
    for (uint32_t i = 0; i < desc->n_fields; i++) {
        const struct fmt_payload_field *f = &desc->fields[i];
        size_t n = strlen(f->name);
        uint64_t element = 0;
        bool is_array = f->type != FMT_CHAR && f->count > 1;
        if (n > length || memcmp(f->name, name, n) != 0) {
            continue;
        }
        if (is_array) {
            char digits[16];
            snprintf(digits, sizeof digits, "%.*s", (int)(length - n > 12 ? 12 : length - n),
                     name + n);
            if (digits[0] != '_' || !ws_parse_u64(digits + 1, &element) || element >= f->count) {
                continue;
            }
        } else if (n != length) {
            continue;
        }
        return (struct ws_where_place){.kind = WS_PLACE_ELEMENT,
                                       .type = f->type,
                                       .count = f->count,
                                       .offset =
                                           f->offset + element * (uint64_t)fmt_type_size(f->type)};
    }
    return (struct ws_where_place){0};
}

static struct ws_where_place field_find(const struct fmt_schema *schema,
                                        const struct ws_where_node *node)
{
    for (uint32_t i = 0; i < schema->n_fields; i++) {
        if (is_name(node, schema->fields[i].name, strlen(schema->fields[i].name))) {
            return (struct ws_where_place){.kind = WS_PLACE_FIELD, .field = i};
        }
    }
    if (is_name(node, "record", 6)) {
        return (struct ws_where_place){.kind = WS_PLACE_RECORD};
    }
    if (is_name(node, "type", 4) && schema->role_field[FMT_ROLE_PAYLOAD_TYPE] >= 0) {
        return (struct ws_where_place){.kind = WS_PLACE_TYPE};
    }
    return (struct ws_where_place){0};
}

/* Returns the place of a name that denotes a column of names for numeric values; WS_PLACE_NONE if
 * it does not. */
static struct ws_where_place label_find(const struct ws_label_set *set,
                                        const struct ws_where_node *node)
{
    for (uint32_t i = 0; i < set->n; i++) {
        if (is_name(node, set->list[i].column, strlen(set->list[i].column))) {
            return (struct ws_where_place){.kind = WS_PLACE_LABEL, .field = i};
        }
    }
    return (struct ws_where_place){0};
}

/* Adds to the known names the fields of the kinds and descriptions in `chosen` (see
 * ws_where_look()). */
static void known_fill(struct ws_where *w, const bool *chosen)
{
    assert(w->n_labels == w->sb->n_schemas);
    for (uint32_t k = 0; k < w->sb->n_schemas; k++) {
        if (!chosen[k]) {
            continue;
        }
        for (uint32_t i = 0; i < w->sb->schemas[k]->n_fields; i++) {
            ws_known_add(w->known, sizeof w->known, w->sb->schemas[k]->fields[i].name);
        }
        for (uint32_t i = 0; i < w->labels[k].n; i++) {
            ws_known_add(w->known, sizeof w->known, w->labels[k].list[i].column);
        }
    }
    for (size_t d = 0; d < w->descs->n; d++) {
        for (uint32_t i = 0; chosen[w->sb->n_schemas + d] && i < w->descs->descs[d].n_fields; i++) {
            ws_known_add(w->known, sizeof w->known, w->descs->descs[d].fields[i].name);
        }
    }
}

void ws_where_file_free(struct ws_where *w)
{
    for (uint32_t k = 0; k < w->n_labels; k++) {
        ws_label_set_free(&w->labels[k]);
    }
    free(w->labels);
    free(w->places);
    w->labels = NULL;
    w->places = NULL;
    w->n_labels = 0;
}

static bool is_comparison(const struct ws_where_node *node)
{
    return node->op >= WS_WHERE_EQUAL && node->op <= WS_WHERE_GREATER_EQUAL;
}

/* Makes the node `name` a string if the node `other`, with which it is compared, is the kind of a
 * record, the type of an LP or a column of names. Does nothing if the file has a field of that
 * name. */
static void word_find(struct ws_where *w, uint32_t name, uint32_t other)
{
    assert(name < w->n_nodes && other < w->n_nodes);
    if (w->nodes[name].op != WS_WHERE_NAME || w->nodes[other].op != WS_WHERE_NAME) {
        return;
    }
    for (size_t k = 0; k < w->sb->n_schemas + w->descs->n; k++) {
        if (places_of(w, k)[name].kind != WS_PLACE_NONE) {
            return;
        }
    }
    for (size_t k = 0; k < w->sb->n_schemas; k++) {
        struct ws_where_place *places = w->places + k * w->n_nodes;
        if (places[other].kind == WS_PLACE_RECORD || places[other].kind == WS_PLACE_TYPE ||
            places[other].kind == WS_PLACE_LABEL) {
            places[name].kind = WS_PLACE_WORD;
        }
    }
}

/* Looks for the string in node `text` among the names of the column in node `column`, and adds these
 * names to `known` (WS_NAMES_KNOWN bytes). Returns 1 if it is one of them, 0 if it is not, -1 if
 * `column` is no column of names. */
static int name_find(const struct ws_where *w, uint32_t column, uint32_t text, char *known)
{
    int found = -1;
    for (uint32_t k = 0; k < w->n_labels; k++) {
        const struct ws_where_place *place = &places_of(w, k)[column];
        enum ws_where_op op = w->nodes[text].op;
        bool is_text = op == WS_WHERE_TEXT ||
                       (op == WS_WHERE_NAME && places_of(w, k)[text].kind == WS_PLACE_WORD);
        if (place->kind != WS_PLACE_LABEL || !is_text) {
            continue;
        }
        const struct ws_labels *labels = &w->labels[k].list[place->field];
        found = found < 0 ? 0 : found;
        for (uint32_t i = 0; i < labels->n; i++) {
            ws_known_add(known, WS_NAMES_KNOWN, labels->names[i]);
            found |= is_name(&w->nodes[text], labels->names[i], strlen(labels->names[i]));
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

bool ws_where_file(struct ws_where *w, const struct fmt_superblock *sb,
                   const struct fmt_desc_set *descs)
{
    ws_where_file_free(w);
    w->sb = sb;
    w->descs = descs;
    w->labels = calloc(sb->n_schemas, sizeof *w->labels);
    for (; w->labels != NULL && w->n_labels < sb->n_schemas; w->n_labels++) {
        if (!ws_label_set_init(&w->labels[w->n_labels], sb->schemas[w->n_labels], descs)) {
            w->n_labels++;
            return false;
        }
    }
    w->places = calloc((sb->n_schemas + descs->n) * (size_t)w->n_nodes, sizeof *w->places);
    if (w->places == NULL || w->labels == NULL) {
        return false;
    }
    struct ws_where_place *place = w->places;
    for (size_t k = 0; k < sb->n_schemas + descs->n; k++) {
        for (uint32_t i = 0; i < w->n_nodes; i++, place++) {
            const struct ws_where_node *node = &w->nodes[i];
            if (node->op != WS_WHERE_NAME) {
                continue;
            }
            *place = k < sb->n_schemas
                         ? field_find(sb->schemas[k], node)
                         : element_find(&descs->descs[k - sb->n_schemas], node->text, node->length);
            if (place->kind == WS_PLACE_NONE && k < sb->n_schemas) {
                *place = label_find(&w->labels[k], node);
            }
        }
    }
    for (uint32_t i = 0; i < w->n_nodes; i++) {
        if (w->nodes[i].op == WS_WHERE_EQUAL || w->nodes[i].op == WS_WHERE_NOT_EQUAL) {
            word_find(w, w->nodes[i].a, w->nodes[i].b);
            word_find(w, w->nodes[i].b, w->nodes[i].a);
        }
    }
    names_note(w);
    return true;
}

void ws_where_look(struct ws_where *w, const bool *chosen)
{
    assert(w->places != NULL);
    bool missing = false;
    for (uint32_t i = 0; i < w->n_nodes; i++) {
        for (size_t k = 0; k < w->sb->n_schemas + w->descs->n; k++) {
            const struct ws_where_place *place = &places_of(w, k)[i];
            w->found[i] |= chosen[k] && place->kind != WS_PLACE_NONE;
            w->number[i] |= place->kind == WS_PLACE_FIELD ||
                            (place->kind == WS_PLACE_ELEMENT && place->type != FMT_CHAR);
        }
        missing |= w->nodes[i].op == WS_WHERE_NAME && !w->found[i];
    }
    /* Collects the known names for the error message only if a name is missing, since this takes
     * time for each of them. */
    if (missing) {
        known_fill(w, chosen);
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
            ws_say(messages, "--where: %.*s is a text: compare it by == or != with a %s",
                   (int)w->nodes[text].length, w->nodes[text].text,
                   is_number ? "text in quotes" : "text");
            return false;
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

/* Sets of truth values: bit `truth` is set if a node has that truth value for some values of the
 * fields. */
#define MAY_BE(truth) (1u << (truth))
#define MAY_BE_ANY    (MAY_BE(NO) | MAY_BE(YES) | MAY_BE(UNKNOWN))

/* Returns true if records of the kind, or their payloads, have the field that the node names. */
static bool has_name(const struct ws_where *w, uint32_t kind, uint32_t node)
{
    bool has = places_of(w, kind)[node].kind != WS_PLACE_NONE;
    bool payload = w->sb->schemas[kind]->role_field[FMT_ROLE_PAYLOAD_SIZE] >= 0;
    for (size_t d = 0; payload && !has && d < w->descs->n; d++) {
        has = places_of(w, w->sb->n_schemas + d)[node].kind != WS_PLACE_NONE;
    }
    return has;
}

static unsigned value_may_be(const struct ws_where *w, uint32_t kind, uint32_t node)
{
    bool absent = w->nodes[node].op == WS_WHERE_NAME && !has_name(w, kind, node);
    return absent ? MAY_BE(UNKNOWN) : MAY_BE_ANY;
}

/* Returns the set of truth values that the comparison in node `number` may have. If it compares
 * "record" (the kind) with a string, its truth value is known. */
static unsigned comparison_may_be(const struct ws_where *w, uint32_t kind, uint32_t number)
{
    assert(number < w->n_nodes);
    const struct ws_where_node *node = &w->nodes[number];
    const struct ws_where_node *a = &w->nodes[node->a], *b = &w->nodes[node->b];
    bool a_is_kind = places_of(w, kind)[node->a].kind == WS_PLACE_RECORD;
    bool b_is_kind = places_of(w, kind)[node->b].kind == WS_PLACE_RECORD;
    const struct ws_where_node *text = a_is_kind ? b : a;
    bool is_word = places_of(w, kind)[a_is_kind ? node->b : node->a].kind == WS_PLACE_WORD;
    if ((a_is_kind || b_is_kind) && (text->op == WS_WHERE_TEXT || is_word)) {
        const char *name = w->sb->schemas[kind]->name;
        bool same = is_name(text, name, strlen(name));
        return MAY_BE(same == (node->op == WS_WHERE_EQUAL) ? YES : NO);
    }
    unsigned both = value_may_be(w, kind, node->a) & value_may_be(w, kind, node->b);
    return both == MAY_BE(UNKNOWN) ? both : MAY_BE_ANY;
}

static unsigned may_be(const struct ws_where *w, uint32_t kind, uint32_t number)
{
    const struct ws_where_node *node = &w->nodes[number];
    unsigned a, b, both = 0;
    switch (node->op) {
    case WS_WHERE_OR:
    case WS_WHERE_AND:
        a = may_be(w, kind, node->a);
        b = may_be(w, kind, node->b);
        for (unsigned i = 0; i < 9; i++) {
            enum truth x = (enum truth)(i / 3), y = (enum truth)(i % 3);
            bool possible = (a & MAY_BE(x)) != 0 && (b & MAY_BE(y)) != 0;
            both |= possible ? MAY_BE(join(node->op == WS_WHERE_OR, x, y)) : 0;
        }
        return both;
    case WS_WHERE_NOT:
        a = may_be(w, kind, node->a);
        return ((a & MAY_BE(NO)) != 0 ? MAY_BE(YES) : 0) |
               ((a & MAY_BE(YES)) != 0 ? MAY_BE(NO) : 0) | (a & MAY_BE(UNKNOWN));
    case WS_WHERE_NUMBER:
    case WS_WHERE_TEXT:
    case WS_WHERE_NAME:
        return value_may_be(w, kind, number);
    default:
        return comparison_may_be(w, kind, number);
    }
}

bool ws_where_kind(const struct ws_where *w, uint32_t kind)
{
    assert(kind < w->sb->n_schemas);
    return (may_be(w, kind, w->root) & MAY_BE(YES)) != 0;
}

void ws_where_wanted(const struct ws_where *w, uint32_t kind, struct fmt_wanted *wanted)
{
    const struct ws_where_place *places = places_of(w, kind);
    const struct fmt_schema *schema = w->sb->schemas[kind];
    int32_t type = schema->role_field[FMT_ROLE_PAYLOAD_TYPE];
    for (uint32_t i = 0; i < w->n_nodes; i++) {
        if (w->nodes[i].op != WS_WHERE_NAME) {
            continue;
        }
        if (places[i].kind == WS_PLACE_FIELD) {
            fmt_wanted_add(wanted, places[i].field);
        } else if (places[i].kind == WS_PLACE_LABEL) {
            const struct ws_labels *labels = &w->labels[kind].list[places[i].field];
            fmt_wanted_add(wanted, (uint32_t)labels->field);
            wanted->payload |= labels->kind == WS_LABELS_SOURCES;
        } else if (type >= 0 && places[i].kind != WS_PLACE_RECORD &&
                   places[i].kind != WS_PLACE_WORD) {
            fmt_wanted_add(wanted, (uint32_t)type);
            wanted->payload |= schema->role_field[FMT_ROLE_PAYLOAD_SIZE] >= 0;
        }
    }
}
