/*
 * diff_text.c - a comparison for people, see diff.h.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diff.h"
#include "text.h"

#define ELEMENTS_SHOWN 40u /* of a payload; of a longer one only what differs */
#define LINE_ELEMENTS  8u  /* of a payload in one line */
#define HEX_COLUMNS    8u
#define HEX_LINES      16u
#define CELL_MAX       64u

/* ---- The first difference as a table ----------------------------------------------------------
 */

/* One line; a cell is NULL where there is no such record. */
static void row_print(FILE *out, bool differs, const char *name, const char *a, const char *b,
                      const char *unit)
{
    fprintf(out, "  %c %-20s %-24s %*s%s%s\n", differs ? '*' : ' ', name, a == NULL ? "-" : a,
            unit[0] == '\0' ? 0 : -24, b == NULL ? "-" : b, unit[0] == '\0' ? "" : " ", unit);
}

static void parts_print(FILE *out, const struct ws_diff *d)
{
    const struct ws_form *form = &d->form;
    for (uint32_t i = 0; i < form->n_parts; i++) {
        char cells[WS_SIDES][CELL_MAX];
        const char *shown[WS_SIDES] = {NULL, NULL};
        const struct fmt_field *field = &form->schema->fields[form->parts[i].field];
        for (int side = 0; side < WS_SIDES; side++) {
            const struct ws_item *item = d->first[side];
            if (item == NULL) {
                continue;
            }
            struct fmt_value v = ws_item_value(form, item, i);
            const struct fmt_payload_desc *desc =
                ws_types_desc(&d->types, ws_diff_type(form, item));
            shown[side] = cells[side];
            if ((int32_t)i != form->type_part) {
                ws_diff_value_text(cells[side], &v);
            } else {
                snprintf(cells[side], CELL_MAX, "%s",
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

/* Element number k of a payload field as text. */
static const char *element_text(const struct ws_form *form, const struct ws_item *item,
                                const struct fmt_payload_field *field, uint32_t k, char *cell)
{
    if (item == NULL) {
        return NULL;
    }
    const uint8_t *bytes = ws_item_payload(form, item) + ws_diff_element_at(field, k);
    if (field->type == FMT_CHAR) {
        int size = (int)(field->count < CELL_MAX - 3 ? field->count : CELL_MAX - 3);
        snprintf(cell, CELL_MAX, "\"%.*s\"", size, (const char *)bytes);
        for (char *p = cell; *p != '\0'; p++) {
            *p = *p >= 32 && *p < 127 ? *p : '?';
        }
    } else {
        struct fmt_value v = fmt_value_read(bytes, field->type);
        ws_diff_value_text(cell, &v);
    }
    return cell;
}

static size_t element_bytes(const struct fmt_payload_field *field)
{
    return field->type == FMT_CHAR ? field->count : fmt_type_size(field->type);
}

static bool element_differs(const struct ws_diff *d, const struct fmt_payload_field *field,
                            uint32_t k)
{
    const struct ws_item *a = d->first[WS_A], *b = d->first[WS_B];
    size_t at = ws_diff_element_at(field, k);
    return a != NULL && b != NULL &&
           memcmp(ws_item_payload(&d->form, a) + at, ws_item_payload(&d->form, b) + at,
                  element_bytes(field)) != 0;
}

/* The payloads field by field: both are of this description, or one is not there. */
static void fields_print(FILE *out, const struct ws_diff *d, const struct fmt_payload_desc *desc)
{
    uint64_t total = 0, shown = 0, left_out = 0;
    for (uint32_t f = 0; f < desc->n_fields; f++) {
        total += ws_diff_elements(&desc->fields[f]);
    }
    for (uint32_t f = 0; f < desc->n_fields; f++) {
        const struct fmt_payload_field *field = &desc->fields[f];
        for (uint32_t k = 0; k < ws_diff_elements(field); k++) {
            char name[256], cells[WS_SIDES][CELL_MAX];
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
                      element_text(&d->form, d->first[WS_A], field, k, cells[WS_A]),
                      element_text(&d->form, d->first[WS_B], field, k, cells[WS_B]), field->unit);
        }
    }
    if (left_out > 0) {
        fprintf(out, "    and %" PRIu64 " more values that differ\n", left_out);
    }
}

/* Eight bytes of a payload; those that are not the same in the other are in brackets. */
static const char *hex_text(const struct ws_form *form, const struct ws_item *item,
                            const struct ws_item *other, size_t at, char *cell)
{
    size_t used = 0;
    if (item == NULL) {
        return NULL;
    }
    cell[0] = '\0';
    for (size_t i = at; i < at + HEX_COLUMNS && i < item->payload_size; i++) {
        uint8_t byte = ws_item_payload(form, item)[i];
        bool differs =
            other != NULL && (i >= other->payload_size || ws_item_payload(form, other)[i] != byte);
        used += (size_t)snprintf(cell + used, CELL_MAX - used, differs ? "[%02x]" : " %02x ", byte);
    }
    return cell;
}

static void hex_print(FILE *out, const struct ws_diff *d)
{
    const struct ws_item *a = d->first[WS_A], *b = d->first[WS_B];
    size_t size = a == NULL ? 0 : a->payload_size, lines = 0;
    size = b != NULL && b->payload_size > size ? b->payload_size : size;
    for (size_t at = 0; at < size && lines < HEX_LINES; at += HEX_COLUMNS) {
        char name[32], cells[WS_SIDES][CELL_MAX];
        const char *text_a = hex_text(&d->form, a, b, at, cells[WS_A]);
        const char *text_b = hex_text(&d->form, b, a, at, cells[WS_B]);
        bool differs = (text_a != NULL && strchr(text_a, '[') != NULL) ||
                       (text_b != NULL && strchr(text_b, '[') != NULL);
        if (size <= HEX_LINES * HEX_COLUMNS || differs) {
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

static void first_print(FILE *out, const struct ws_diff *d)
{
    const struct ws_item *a = d->first[WS_A], *b = d->first[WS_B], *any = a == NULL ? b : a;
    char time[WS_NUMBER_MAX];
    ws_format_f64(time, d->first_time);
    fprintf(out, "\nFirst difference by virtual time: at %s", time);
    if (d->form.lp_part >= 0) {
        fprintf(out, ", LP %" PRIu64, ws_item_value(&d->form, any, (uint32_t)d->form.lp_part).as.u);
    }
    fprintf(out, ", %s\n\n",
            a == NULL   ? "only in B"
            : b == NULL ? "only in A"
                        : "not the same in A and B");
    row_print(out, false, "", "A", "B", "");
    parts_print(out, d);
    const struct fmt_payload_desc *desc = ws_diff_desc(d, any);
    bool same = a == NULL || b == NULL || ws_diff_type(&d->form, a) == ws_diff_type(&d->form, b);
    if (desc != NULL && same) {
        fields_print(out, d, desc);
    } else {
        hex_print(out, d);
    }
}

/* ---- Where it began ----------------------------------------------------------------------------
 */

static void suspects_print(FILE *out, const struct ws_diff *d, const char *handlers)
{
    bool a = ws_diff_is_optimistic(&d->sides[WS_A]), b = ws_diff_is_optimistic(&d->sides[WS_B]);
    if (!a && !b) {
        fputs(
            "  Nothing was undone in either run, so that no reverse handler is to blame: look for\n"
            "  other options or seeds, memory that is used before it is set, data that LPs "
            "share.\n",
            out);
        return;
    }
    fprintf(out,
            "  The first suspect is %s: state that it does not put\n"
            "  back, a random number that it does not give back, an order of undoing that is not\n"
            "  the reverse, a message that it leaves changed.\n",
            handlers);
    if (a != b) {
        fprintf(out, "  Nothing is undone in %s (%s), so that %s is the one to trust.\n",
                a ? "B" : "A", ws_diff_fact(&d->sides[a ? WS_B : WS_A], "scheduler"),
                a ? "B" : "A");
    } else {
        fputs("  Both runs undo events; a third one with --synch=1 tells which of them is right.\n",
              out);
    }
}

static void origin_print(FILE *out, const struct ws_diff *d, uint64_t at_origin)
{
    const struct ws_origin *o = &d->origin;
    char time[WS_NUMBER_MAX], sent[WS_NUMBER_MAX], handlers[128];
    ws_format_f64(time, o->time);
    ws_format_f64(sent, o->sent_ts);
    if (!o->has_lp) {
        fprintf(out, "\nThe runs parted before virtual time %s.\n", time);
        return;
    }
    fprintf(out, "\nThe runs parted at LP %" PRIu64 ", virtual time %s.\n", o->lp, time);
    snprintf(handlers, sizeof handlers, "the reverse handler of LP %" PRIu64, o->lp);
    if (o->kind == WS_ORIGIN_SENT && at_origin == 0) {
        fputs("  It received nothing at that time, so that this was sent when it was initialised: "
              "are\n"
              "  the options and the seeds of the two runs the same?\n",
              out);
        return;
    }
    if (o->kind == WS_ORIGIN_SENT) {
        fputs("  What it sent when it executed the event of that time is not the same.\n", out);
    } else if (o->kind == WS_ORIGIN_RECORDED) {
        fprintf(out,
                "  It recorded other values for the same event. If they are of its state, look at "
                "this\n"
                "  LP; if they are of the message, at LP %" PRIu64 ", which sent it at %s.\n",
                o->sender, sent);
        if (o->sender != o->lp) {
            snprintf(handlers, sizeof handlers, "the reverse handler of LP %" PRIu64 " or %" PRIu64,
                     o->lp, o->sender);
        }
    } else {
        fputs("  It was not the same at this sample, and was at those before.\n", out);
    }
    suspects_print(out, d, handlers);
}

/* ---- The surroundings --------------------------------------------------------------------------
 */

struct lines {
    FILE *out;
    const struct ws_diff *diff;
    bool title_printed;
};

static void payload_line(FILE *out, const struct ws_diff *d, const struct ws_item *item)
{
    const struct fmt_payload_desc *desc = ws_diff_desc(d, item);
    char cell[CELL_MAX];
    uint32_t shown = 0;
    if (desc == NULL) {
        hex_text(&d->form, item, NULL, 0, cell);
        fprintf(out, "%s%s%s", item->payload_size == 0 ? "" : " payload:", cell,
                item->payload_size > HEX_COLUMNS ? "..." : "");
        return;
    }
    for (uint32_t f = 0; f < desc->n_fields; f++) {
        const struct fmt_payload_field *field = &desc->fields[f];
        for (uint32_t k = 0; k < ws_diff_elements(field); k++) {
            if (shown++ == LINE_ELEMENTS) {
                fputs(" ...", out);
                return;
            }
            fprintf(out, " %.60s", field->name);
            if (ws_diff_elements(field) > 1) {
                fprintf(out, "[%" PRIu32 "]", k);
            }
            fprintf(out, "=%s", element_text(&d->form, item, field, k, cell));
        }
    }
}

static void line_print(FILE *out, const struct ws_diff *d, char mark, const struct ws_item *item)
{
    const struct ws_form *form = &d->form;
    char text[WS_NUMBER_MAX];
    fprintf(out, "  %c", mark);
    for (uint32_t i = 0; i < form->n_parts; i++) {
        int32_t view = (int32_t)form->parts[i].view_field;
        bool size = form->view.role_field[FMT_ROLE_PAYLOAD_SIZE] == view;
        if ((int32_t)i != form->lp_part && (int32_t)i != form->type_part && !size) {
            struct fmt_value v = ws_item_value(form, item, i);
            ws_diff_value_text(text, &v);
            fprintf(out, " %.60s=%s", form->schema->fields[form->parts[i].field].name, text);
        }
    }
    payload_line(out, d, item);
    fputc('\n', out);
}

static void context_print(const struct ws_form *form, const struct ws_item *const *items, void *ctx)
{
    struct lines *l = ctx;
    const struct ws_item *a = items[WS_A], *b = items[WS_B];
    if (!l->title_printed) {
        fprintf(l->out, "\nWhat LP %" PRIu64 " received (A: only so in A; B: only so in B):\n",
                l->diff->origin.lp);
        l->title_printed = true;
    }
    if (a != NULL && b != NULL && ws_item_compare(form, a, b) == 0) {
        line_print(l->out, l->diff, ' ', a);
        return;
    }
    for (int side = 0; side < WS_SIDES; side++) {
        if (items[side] != NULL) {
            line_print(l->out, l->diff, side == WS_A ? 'A' : 'B', items[side]);
        }
    }
}

/* ---- All of it ---------------------------------------------------------------------------------
 */

/* Runs that ended at other times, as far as is known. */
static void ends_print(FILE *out, const struct ws_diff *d)
{
    const struct ws_survey *a = d->sides[WS_A].survey, *b = d->sides[WS_B].survey;
    if (a->pes_ended == 0 || b->pes_ended == 0 || a->end_gvt == b->end_gvt) {
        return;
    }
    for (int side = 0; side < WS_SIDES; side++) {
        const struct ws_survey *s = d->sides[side].survey;
        char time[WS_NUMBER_MAX];
        ws_format_f64(time, s->end_gvt);
        fprintf(out, "  %c's run ended at virtual time %s: ", "AB"[side], time);
        ws_plain_string(out, s->end_text);
        fputc('\n', out);
    }
}

static void counts_print(FILE *out, const struct ws_diff *d)
{
    const struct ws_diff_side *a = &d->sides[WS_A], *b = &d->sides[WS_B];
    uint64_t differences = d->changed + a->only + b->only;
    ws_plain_string(out, d->form.schema->name);
    if (differences + d->equal == 0) {
        fputs(": no records in either\n", out);
    } else if (differences == 0) {
        fprintf(out, ": equal: %" PRIu64 " records\n", d->equal);
    } else {
        fprintf(out,
                ": %s: %" PRIu64 " records in A, %" PRIu64 " in B: %" PRIu64 " the same, %" PRIu64
                " changed, %" PRIu64 " only in A, %" PRIu64 " only in B\n",
                d->certain > 0 ? "different" : "not known to be different", a->records, b->records,
                d->equal, d->changed, a->only, b->only);
    }
    for (int side = 0; side < WS_SIDES; side++) {
        bool more = d->sides[1 - side].only > 0;
        if (d->sides[side].lossy) {
            fprintf(out, "  %c is not complete: it may have lost records%s\n", "AB"[side],
                    more ? ", those that only the other has" : "");
        }
    }
    ends_print(out, d);
}

/* The surroundings are read first: how the origin is told depends on them. */
bool ws_diff_text(FILE *out, struct ws_diff *d, const struct ws_diff_output *output)
{
    uint64_t at_origin = 0;
    char *text = NULL;
    size_t size = 0;
    bool good = true;
    counts_print(out, d);
    if (d->certain == 0) {
        return true;
    }
    first_print(out, d);
    FILE *memory = open_memstream(&text, &size);
    struct lines lines = {.out = memory, .diff = d};
    if (memory == NULL) {
        return false;
    }
    if (d->origin.has_lp) {
        good =
            ws_diff_context(d, output->memory, output->context, context_print, &lines, &at_origin);
    }
    fclose(memory);
    origin_print(out, d, at_origin);
    if (text != NULL) {
        fwrite(text, 1, size, out);
    }
    free(text);
    return good;
}
