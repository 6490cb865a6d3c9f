/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * values.c - prints statistics of what models record as readable text, 80 columns wide: values of
 * LPs, and results of tracers.
 */
#include <assert.h>
#include <string.h>

#include "document/document.h"
#include "render/text.h"
#include "stats/stats.h"

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

static const char *name_of(const char *owner)
{
    return owner[0] != '\0' ? owner : "(not known)";
}

static void field_row(struct doc_table *t, const struct ws_model *m, const struct ws_model_field *f)
{
    assert(f->n > 0);
    double counted = ws_model_counted(m, f);
    const double *per = ws_model_span(m, f)->length;
    bool is_more = f->ids.ids.n > WS_MODEL_IDS;
    struct doc_cell *cells = doc_row(t, doc_name(name_of(f->desc->owner)),
                                     doc_text(t->doc, f->field->unit[0] != '\0' ? "%s [%s]" : "%s",
                                              f->field->name, f->field->unit));
    switch (table_of(f)) {
    case TABLE_LEVELS:
        cells[2] = doc_count(f->n);
        cells[3] = doc_real(f->sum / (double)f->n);
        cells[4] = doc_real(f->min);
        cells[5] = doc_real(f->max);
        break;
    case TABLE_COUNTS:
        cells[2] = doc_real(counted);
        cells[3] = doc_if(per[WS_WALL] > 0.0, doc_real(counted / per[WS_WALL]));
        cells[4] = doc_if(per[WS_VIRTUAL] > 0.0, doc_real(counted / per[WS_VIRTUAL]));
        break;
    default:
        cells[2] = doc_count(is_more ? WS_MODEL_IDS : f->ids.ids.n);
        cells[3] = doc_if(is_more, doc_name("or more"));
        break;
    }
}

/* Adds, for each LP type whose payload has no described fields, the number of its records. Then
 * adds the number of records without a payload description. */
static void others_add(struct doc_table *t, const struct ws_model *m)
{
    const struct fmt_desc_set *descs = &m->file->descs;
    for (size_t d = 0; d < descs->n; d++) {
        if (m->types[d] > 0 && m->first_field[d] == m->first_field[d + 1]) {
            doc_row(t, doc_name(name_of(descs->descs[d].owner)), doc_name("(not described)"),
                    doc_count(m->types[d]));
        }
    }
    if (m->types[descs->n] > 0) {
        doc_row(t, doc_name("(no values)"), doc_name(""), doc_count(m->types[descs->n]));
    }
}

void ws_model_text(FILE *out, const struct ws_model *m)
{
    assert(m->file != NULL);
    static const char *const words[] = {"otherwise", "at GVT", "by wall clock", "by virtual time"};
    char number[WS_COUNT_MAX];
    fputs("  samples of LPs", out);
    const char *between = ": ";
    for (int i = 0; i < 4; i++) {
        if (m->kinds[i] > 0) {
            fprintf(out, "%s%s %s", between, ws_count_text(number, m->kinds[i]), words[i]);
            between = ", ";
        }
    }
    fputc('\n', out);
    static const char *const columns[TABLES] = {
        "type of LP|value|numbers|mean|least|largest",
        "type of LP|count|total|per second|per virtual time",
        "type of LP|number or code|different|more=",
    };
    struct doc doc = {.n = 0};
    for (int table = 0; table < TABLES; table++) {
        struct doc_table *t = doc_table(&doc, "fields", "", columns[table]);
        for (size_t i = 0; i < m->n_fields && t->n_rows < ROWS_SHOWN; i++) {
            if (m->fields[i].n > 0 && (int)table_of(&m->fields[i]) == table) {
                field_row(t, m, &m->fields[i]);
            }
        }
        if (table == TABLE_LEVELS) {
            others_add(t, m);
        }
    }
    doc_print_free(out, &doc);
}

void ws_tracers_text(FILE *out, const struct ws_tracers *t)
{
    char number[WS_COUNT_MAX];
    struct doc doc = {.n = 0};
    struct doc_table *tracers =
        doc_table(&doc, "tracers", "", "tracer|places|begun|ended|busy|mean");
    struct doc_table *steps = doc_table(&doc, "steps", "", "step|places|times|tasks=in tasks");
    for (uint32_t i = 0; i < t->names.n; i++) {
        const struct ws_tracer_sum *sum = &t->sums[i];
        const char *step = ws_tracers_step(t, i), *name = t->names.names[i];
        if (step == NULL) {
            doc_row(tracers, doc_name(name), doc_count(sum->places), doc_count(sum->begun),
                    doc_count(sum->ended),
                    doc_if(strncmp(name, "busy", 4) == 0, doc_real(sum->busy)),
                    doc_real(ws_tracers_mean(sum)));
        } else {
            doc_row(steps, doc_name(step), doc_count(sum->places), doc_count(sum->occurrences),
                    doc_count(sum->tasks));
        }
    }
    doc_print_free(out, &doc);
    if (t->left_out > 0) {
        fprintf(out, "  %s records are left out\n", ws_count_text(number, t->left_out));
    }
}
