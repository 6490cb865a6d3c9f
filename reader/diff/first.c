/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * first.c - prints the first difference as a table, which has a line per field with the values of A
 * and B; see diff.h.
 */
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "diff/diff.h"
#include "render/text.h"

/* Maximum number of values of a payload that are printed. If the payload has more, only values that
 * differ are printed. */
#define ELEMENTS_SHOWN 40u
/* Maximum number of lines for a payload that is printed as hexadecimal bytes. If the payload has
 * more, only lines that differ are printed. */
#define HEX_LINES 16u

/* ---- Values as text -------------------------------------------------------------------------- */

/* Returns the number in diff->types, counted from 1, of the payload type of the record `item`; 0 if
 * the record has no payload type. */
static uint32_t type_of(const struct ws_sort_layout *layout, const struct ws_sort_key *item)
{
    return layout->type_part < 0
               ? 0
               : (uint32_t)ws_sort_key_value(layout, item, (uint32_t)layout->type_part).as.u;
}

const struct fmt_payload_desc *ws_diff_desc(const struct ws_diff *d, const struct ws_sort_key *item)
{
    const struct fmt_payload_desc *desc =
        ws_payload_types_desc(&d->types, type_of(&d->layout, item));
    return desc != NULL && desc->n_fields > 0 && desc->size == item->payload_size ? desc : NULL;
}

const char *ws_diff_element_text(const struct ws_sort_layout *layout,
                                 const struct ws_sort_key *item,
                                 const struct fmt_payload_field *field, uint32_t k, char *cell)
{
    assert(k < ws_field_elements(field));
    if (item == NULL) {
        return NULL;
    }
    const uint8_t *bytes = ws_sort_key_payload(layout, item) + ws_field_element_at(field, k);
    if (field->type == FMT_CHAR) {
        int size = (int)(field->count < WS_CELL_MAX - 3 ? field->count : WS_CELL_MAX - 3);
        snprintf(cell, WS_CELL_MAX, "\"%.*s\"", size, (const char *)bytes);
        for (char *p = cell; *p != '\0'; p++) {
            *p = *p >= 32 && *p < 127 ? *p : '?';
        }
    } else {
        struct fmt_value v = fmt_value_read(bytes, field->type);
        ws_format_value(cell, &v, false);
    }
    return cell;
}

const char *ws_diff_hex_text(const struct ws_sort_layout *layout, const struct ws_sort_key *item,
                             const struct ws_sort_key *other, size_t at, char *cell)
{
    size_t used = 0;
    if (item == NULL) {
        return NULL;
    }
    cell[0] = '\0';
    for (size_t i = at; i < at + WS_HEX_COLUMNS && i < item->payload_size; i++) {
        uint8_t byte = ws_sort_key_payload(layout, item)[i];
        bool differs = other != NULL &&
                       (i >= other->payload_size || ws_sort_key_payload(layout, other)[i] != byte);
        used +=
            (size_t)snprintf(cell + used, WS_CELL_MAX - used, differs ? "[%02x]" : " %02x ", byte);
    }
    return cell;
}

/* ---- The table ------------------------------------------------------------------------------- */

/* Prints one line of the table. a, b: values in A and B as text; NULL: that side has no record. */
static void row_print(FILE *out, bool differs, const char *name, const char *a, const char *b,
                      const char *unit)
{
    fprintf(out, "  %c %-20s %-24s %*s%s%s\n", differs ? '*' : ' ', name, a == NULL ? "-" : a,
            unit[0] == '\0' ? 0 : -24, b == NULL ? "-" : b, unit[0] == '\0' ? "" : " ", unit);
}

static void parts_print(FILE *out, const struct ws_diff *d)
{
    const struct ws_sort_layout *layout = &d->layout;
    for (uint32_t i = 0; i < layout->n_parts; i++) {
        char cells[WS_SIDES][WS_CELL_MAX];
        const char *shown[WS_SIDES] = {NULL, NULL};
        const struct fmt_field *field = &layout->schema->fields[layout->parts[i].field];
        for (int side = 0; side < WS_SIDES; side++) {
            const struct ws_sort_key *item = d->first[side];
            if (item == NULL) {
                continue;
            }
            struct fmt_value v = ws_sort_key_value(layout, item, i);
            const struct fmt_payload_desc *desc =
                ws_payload_types_desc(&d->types, type_of(layout, item));
            shown[side] = cells[side];
            if ((int32_t)i != layout->type_part) {
                ws_format_value(cells[side], &v, false);
            } else {
                snprintf(cells[side], WS_CELL_MAX, "%s",
                         desc == NULL             ? "not described"
                         : desc->owner[0] == '\0' ? "unnamed"
                                                  : desc->owner);
            }
        }
        bool both = shown[WS_A] != NULL && shown[WS_B] != NULL;
        row_print(out, both && strcmp(cells[WS_A], cells[WS_B]) != 0, field->name, shown[WS_A],
                  shown[WS_B], field->unit);
    }
}

static size_t element_bytes(const struct fmt_payload_field *field)
{
    return field->type == FMT_CHAR ? field->count : fmt_type_size(field->type);
}

static bool element_differs(const struct ws_diff *d, const struct fmt_payload_field *field,
                            uint32_t k)
{
    assert(k < ws_field_elements(field));
    const struct ws_sort_key *a = d->first[WS_A], *b = d->first[WS_B];
    size_t at = ws_field_element_at(field, k);
    return a != NULL && b != NULL &&
           memcmp(ws_sort_key_payload(&d->layout, a) + at, ws_sort_key_payload(&d->layout, b) + at,
                  element_bytes(field)) != 0;
}

/* Prints the payloads of the first difference field by field. One of the two records can be
 * missing. desc: description of the payloads. */
static void fields_print(FILE *out, const struct ws_diff *d, const struct fmt_payload_desc *desc)
{
    uint64_t total = 0, shown = 0, left_out = 0;
    for (uint32_t f = 0; f < desc->n_fields; f++) {
        total += ws_field_elements(&desc->fields[f]);
    }
    for (uint32_t f = 0; f < desc->n_fields; f++) {
        const struct fmt_payload_field *field = &desc->fields[f];
        for (uint32_t k = 0; k < ws_field_elements(field); k++) {
            char name[256], cells[WS_SIDES][WS_CELL_MAX];
            bool differs = element_differs(d, field, k);
            if (shown >= ELEMENTS_SHOWN || (total > ELEMENTS_SHOWN && !differs)) {
                left_out += differs;
                continue;
            }
            if (field->count > 1 && field->type != FMT_CHAR) {
                snprintf(name, sizeof name, "  %.200s[%" PRIu32 "]", field->name, k);
            } else {
                snprintf(name, sizeof name, "  %.200s", field->name);
            }
            shown++;
            row_print(out, differs, name,
                      ws_diff_element_text(&d->layout, d->first[WS_A], field, k, cells[WS_A]),
                      ws_diff_element_text(&d->layout, d->first[WS_B], field, k, cells[WS_B]),
                      field->unit);
        }
    }
    if (left_out > 0) {
        fprintf(out, "    and %" PRIu64 " more values that differ\n", left_out);
    }
}

static void hex_print(FILE *out, const struct ws_diff *d)
{
    const struct ws_sort_key *a = d->first[WS_A], *b = d->first[WS_B];
    size_t size = a == NULL ? 0 : a->payload_size, lines = 0;
    size = b != NULL && b->payload_size > size ? b->payload_size : size;
    for (size_t at = 0; at < size && lines < HEX_LINES; at += WS_HEX_COLUMNS) {
        char name[32], cells[WS_SIDES][WS_CELL_MAX];
        const char *text_a = ws_diff_hex_text(&d->layout, a, b, at, cells[WS_A]);
        const char *text_b = ws_diff_hex_text(&d->layout, b, a, at, cells[WS_B]);
        bool differs = (text_a != NULL && strchr(text_a, '[') != NULL) ||
                       (text_b != NULL && strchr(text_b, '[') != NULL);
        if (size <= HEX_LINES * WS_HEX_COLUMNS || differs) {
            snprintf(name, sizeof name, "  payload %zx", at);
            fprintf(out, "  %c %-20s %-33s%s\n", differs ? '*' : ' ', name,
                    text_a == NULL ? "-" : text_a, text_b == NULL ? "-" : text_b);
            lines++;
        }
    }
    if (lines == HEX_LINES) {
        fputs("    and so on\n", out);
    }
}

void ws_diff_first(FILE *out, const struct ws_diff *d)
{
    assert(d->first[WS_A] != NULL || d->first[WS_B] != NULL);
    const struct ws_sort_key *a = d->first[WS_A], *b = d->first[WS_B], *any = a == NULL ? b : a;
    char time[DECIMAL_MAX];
    decimal_f64(time, d->first_time);
    fprintf(out, "\nFirst difference by virtual time: at %s", time);
    if (d->layout.lp_part >= 0) {
        fprintf(out, ", LP %" PRIu64,
                ws_sort_key_value(&d->layout, any, (uint32_t)d->layout.lp_part).as.u);
    }
    fprintf(out, ", %s\n\n",
            a == NULL   ? "only in B"
            : b == NULL ? "only in A"
                        : "not the same in A and B");
    row_print(out, false, "", "A", "B", "");
    parts_print(out, d);
    const struct fmt_payload_desc *desc = ws_diff_desc(d, any);
    bool same = a == NULL || b == NULL || type_of(&d->layout, a) == type_of(&d->layout, b);
    if (desc != NULL && same) {
        fields_print(out, d, desc);
    } else {
        hex_print(out, d);
    }
}
