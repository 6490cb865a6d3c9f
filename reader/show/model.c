/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model.c - prints statistics of the model's values as readable text, 80 columns wide.
 */
#include <assert.h>

#include "render/plot.h"
#include "render/text.h"
#include "show/show.h"

#define ROWS_SHOWN 200u /* maximum number of rows of each table */

enum table { TABLE_LEVELS, TABLE_COUNTS, TABLE_IDENTITIES, TABLES };

/* Returns the table in which the statistics of field f are printed. */
static enum table table_of(const struct ws_model_field *f)
{
    switch (f->field->measure) {
    case FMT_COUNTER:
    case FMT_CHANGE:
        return TABLE_COUNTS;
    case FMT_IDENTITY:
        return TABLE_IDENTITIES;
    default:
        return TABLE_LEVELS;
    }
}

static void heading_print(FILE *out, enum table table)
{
    fprintf(out, "\n  %-20s ", "type of LP");
    switch (table) {
    case TABLE_LEVELS:
        fprintf(out, "%-18s %8s %9s %9s %9s\n", "value", "numbers", "mean", "least", "largest");
        break;
    case TABLE_COUNTS:
        fprintf(out, "%-18s %9s %10s %16s\n", "count", "total", "per second", "per virtual time");
        break;
    default:
        fprintf(out, "%-18s %9s\n", "number or code", "different");
        break;
    }
}

static void names_print(FILE *out, const char *owner, const char *name)
{
    fputs("  ", out);
    utf8_plain_column(out, owner[0] != '\0' ? owner : "(not known)", 20);
    fputc(' ', out);
    utf8_plain_column(out, name, 18);
}

static const char *rate_text(char to[WS_COUNT_MAX], double count, double per, size_t width)
{
    return per > 0.0 ? ws_number_fit(to, count / per, width) : "";
}

static void field_print(FILE *out, const struct ws_model *m, const struct ws_model_field *f)
{
    assert(f->n > 0);
    char t[4][WS_COUNT_MAX];
    double counted = ws_model_counted(m, f);
    names_print(out, f->desc->owner, f->field->name);
    switch (table_of(f)) {
    case TABLE_LEVELS:
        fprintf(out, " %8s %9s %9s %9s\n", ws_count_fit(t[0], f->n, 8),
                ws_number_fit(t[1], f->sum / (double)f->n, 9), ws_number_fit(t[2], f->min, 9),
                ws_number_fit(t[3], f->max, 9));
        break;
    case TABLE_COUNTS:
        fprintf(out, " %9s %10s %16s\n", ws_number_fit(t[0], counted, 9),
                rate_text(t[1], counted, ws_model_span(m, f)->wall, 10),
                rate_text(t[2], counted, ws_model_span(m, f)->virtual, 16));
        break;
    default:
        fprintf(out, " %9s%s\n",
                ws_count_fit(t[0], f->ids.ids.n > WS_MODEL_IDS ? WS_MODEL_IDS : f->ids.ids.n, 9),
                f->ids.ids.n > WS_MODEL_IDS ? " or more" : "");
        break;
    }
}

/* Prints, for each LP type whose payload has no described fields, the number of its records. Then
 * prints the number of records without a payload description. */
static void others_print(FILE *out, const struct ws_model *m)
{
    const struct fmt_desc_set *descs = &m->file->descs;
    char number[WS_COUNT_MAX];
    for (size_t d = 0; d < descs->n; d++) {
        if (m->types[d] > 0 && m->first_field[d] == m->first_field[d + 1]) {
            names_print(out, descs->descs[d].owner, "(not described)");
            fprintf(out, " %8s\n", ws_count_fit(number, m->types[d], 8));
        }
    }
    if (m->types[descs->n] > 0) {
        fprintf(out, "  %-20s %-18s %8s\n", "(no values)", "",
                ws_count_fit(number, m->types[descs->n], 8));
    }
}

static bool has_others(const struct ws_model *m)
{
    const struct fmt_desc_set *descs = &m->file->descs;
    bool any = m->types[descs->n] > 0;
    for (size_t d = 0; d < descs->n; d++) {
        any |= m->types[d] > 0 && m->first_field[d] == m->first_field[d + 1];
    }
    return any;
}

static void table_print(FILE *out, const struct ws_model *m, enum table table)
{
    uint32_t shown = 0;
    for (size_t i = 0; i < m->n_fields && shown < ROWS_SHOWN; i++) {
        if (m->fields[i].n > 0 && table_of(&m->fields[i]) == table) {
            if (shown++ == 0) {
                heading_print(out, table);
            }
            field_print(out, m, &m->fields[i]);
        }
    }
    if (table == TABLE_LEVELS && has_others(m)) {
        if (shown == 0) {
            heading_print(out, table);
        }
        others_print(out, m);
    }
}

void ws_model_text(FILE *out, const struct ws_model *m)
{
    assert(m->file != NULL);
    static const char *const words[] = {"otherwise", "at GVT", "by wall clock", "by virtual time"};
    char number[WS_COUNT_MAX];
    if (m->records == 0) {
        ws_stats_nothing_text(out, m->select);
        return;
    }
    fputs("  samples of LPs", out);
    const char *between = ": ";
    for (int i = 0; i < 4; i++) {
        if (m->kinds[i] > 0) {
            fprintf(out, "%s%s %s", between, ws_count_text(number, m->kinds[i]), words[i]);
            between = ", ";
        }
    }
    fputc('\n', out);
    for (int table = 0; table < TABLES; table++) {
        table_print(out, m, (enum table)table);
    }
}
