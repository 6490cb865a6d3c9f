/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * values.c - names the counters of a timeline, and computes them.
 *
 * Samples of PEs at GVT and by wall clock give GVT, pending events and rollbacks. Samples by wall
 * clock also give the percentage of the time since the previous sample that each phase of the engine
 * took. A sample has the number of rollbacks since the previous sample of its kind, so the counter of
 * rollbacks must use only one kind of sample. If both kinds exist, it uses the samples at GVT. A
 * timeline by virtual time has no counter of GVT, whose value would equal the position on the time
 * axis.
 *
 * Model values: at each sampling point, a counter combines the values of all LPs of a type on the PE. Values that
 * are counters or changes are added up. Levels, and values of unspecified meaning, are averaged.
 * Identities have no counters. A timeline by wall clock uses only the samples taken at GVT and by
 * wall clock. A timeline by virtual time uses all samples.
 */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "access/record_scan.h"
#include "timeline/private.h"

#define NO_COUNTER   WS_NAMES_NONE
#define KIND_VIRTUAL 3u /* value of the field `kind` in samples taken at a virtual time */

/* ---- Names of counters ----------------------------------------------------------------------- */

/* Returns the number of the counter with this name, and adds the counter if it is missing. Returns
 * NO_COUNTER if there are too many counters. If out of memory, sets t->work->failed to true and
 * returns NO_COUNTER. */
static uint32_t counter_get(struct ws_timeline *t, const char *name)
{
    uint32_t number = ws_intern_add(&t->counters, name, strlen(name), WS_COUNTERS_MAX);
    if (number == WS_NAMES_NONE && t->counters.n < WS_COUNTERS_MAX) {
        ws_no_memory(&t->work->failed);
    }
    return number;
}

/* Returns the number of the counter for the phase of the engine that a field measures; NO_COUNTER if
 * the field has no counter. */
static uint32_t phase_counter(struct ws_timeline *t, const struct fmt_field *field)
{
    static const char tail[] = ", since last";
    const char *end = strstr(field->text, tail);
    char name[160];
    if (strcmp(field->unit, "ticks") != 0) {
        return NO_COUNTER;
    }
    if (end == NULL || end == field->text) {
        snprintf(name, sizeof name, "%.100s (%%)", field->name);
    } else {
        int length = (int)(end - field->text);
        snprintf(name, sizeof name, "%.*s (%%)", length < 100 ? length : 100, field->text);
    }
    return counter_get(t, name);
}

static uint32_t value_counter(struct ws_timeline *t, const struct fmt_payload_desc *desc,
                              const struct fmt_payload_field *field)
{
    char name[160];
    bool unit = field->unit[0] != '\0';
    if (field->type == FMT_CHAR || field->measure == FMT_IDENTITY) {
        return NO_COUNTER;
    }
    snprintf(name, sizeof name, "%.60s%s%.60s%s%.20s%s", desc->owner,
             desc->owner[0] == '\0' ? "" : " ", field->name, unit ? " (" : "", field->unit,
             unit ? ")" : "");
    return counter_get(t, name);
}

/* Fills work->value_counters. Returns false after an error message. */
static bool values_init(struct ws_timeline *t)
{
    const struct fmt_desc_set none = {.n = 0}, *descs = t->model == NULL ? &none : &t->model->descs;
    struct ws_timeline_work *w = t->work;
    for (size_t d = 0; d < descs->n; d++) {
        w->values_max =
            descs->descs[d].n_fields > w->values_max ? descs->descs[d].n_fields : w->values_max;
    }
    w->value_counters = calloc(descs->n * w->values_max + 1, sizeof *w->value_counters);
    for (size_t d = 0; w->value_counters != NULL && d < descs->n; d++) {
        const struct fmt_payload_desc *desc = &descs->descs[d];
        for (uint32_t f = 0; f < desc->n_fields; f++) {
            w->value_counters[d * w->values_max + f] = value_counter(t, desc, &desc->fields[f]);
        }
    }
    return w->value_counters != NULL || ws_no_memory(&w->failed);
}

bool tl_counters_init(struct ws_timeline *t)
{
    static const char *const own[WS_COUNTERS] = {"GVT", "pending events", "rollbacks"};
    for (uint32_t i = 0; i < WS_COUNTERS; i++) {
        counter_get(t, own[i]);
    }
    for (uint32_t s = 0; t->rt != NULL && s < t->rt->sb->n_schemas; s++) {
        const struct fmt_schema *schema = t->rt->sb->schemas[s];
        for (uint32_t f = 0; strcmp(schema->name, "rt_pe") == 0 && f < schema->n_fields; f++) {
            phase_counter(t, &schema->fields[f]);
        }
    }
    return values_init(t) && !t->work->failed;
}

void tl_counters_fini(struct ws_timeline *t)
{
    ws_intern_free(&t->counters);
    if (t->work != NULL) {
        free(t->work->value_counters);
    }
}

/* ---- Counters of the engine ------------------------------------------------------------------ */

static bool phases_add(struct ws_timeline *t, const struct ws_part *part, uint32_t row,
                       int64_t time)
{
    const struct fmt_columns *c = part->columns;
    double total = 0.0;
    bool good = true;
    for (uint32_t f = 0; f < c->schema->n_fields; f++) {
        bool phase = strcmp(c->schema->fields[f].unit, "ticks") == 0;
        total += phase ? ws_number_at(c, (int32_t)f, row) : 0.0;
    }
    for (uint32_t f = 0; good && total > 0.0 && f < c->schema->n_fields; f++) {
        uint32_t counter = phase_counter(t, &c->schema->fields[f]);
        good = counter == NO_COUNTER ||
               tl_counter_add(t, part->block->pe, time, part->block->first_record + row, counter,
                              100.0 * ws_number_at(c, (int32_t)f, row) / total);
    }
    return good;
}

static bool levels_count(const struct ws_part *part, void *ctx)
{
    struct ws_timeline *t = ctx;
    const struct fmt_schema *schema = part->columns->schema;
    bool rollbacks = t->gvt == NULL || part->file == t->gvt; /* samples of one kind only */
    int32_t gvt = ws_field_find(schema, "gvt"), real = ws_field_find(schema, "real_time");
    if ((strcmp(schema->name, "gvt_pe") != 0 && strcmp(schema->name, "rt_pe") != 0) || gvt < 0 ||
        real < 0) {
        return true;
    }
    const int32_t fields[WS_COUNTERS] = {
        [WS_COUNTER_GVT] = t->options.is_virtual ? -1 : gvt,
        [WS_COUNTER_PENDING] = ws_field_find(schema, "pq_size"),
        [WS_COUNTER_ROLLBACKS] = rollbacks ? ws_field_find(schema, "total_rollbacks") : -1};
    for (uint32_t row = 0; row < part->columns->n_records; row++) {
        int32_t clock = t->options.is_virtual ? gvt : real;
        double at = ws_number_at(part->columns, clock, row);
        int64_t time;
        if (!ws_part_has(part, row)) {
            continue;
        }
        if (!tl_ns(at, t->options.unit_s, &time)) {
            t->left_out++;
            continue;
        }
        bool good = true;
        for (uint32_t i = 0; good && i < WS_COUNTERS; i++) {
            good = fields[i] < 0 ||
                   tl_counter_add(t, part->block->pe, time, part->block->first_record + row, i,
                                  ws_number_at(part->columns, fields[i], row));
        }
        if (!good || !phases_add(t, part, row, time)) {
            return false;
        }
    }
    return true;
}

bool tl_counters_add(struct ws_timeline *t)
{
    struct ws_file *files[] = {t->gvt, t->rt};
    bool good = true;
    for (size_t i = 0; good && i < 2; i++) {
        if (files[i] != NULL) {
            ws_select_file(t->select, files[i]->sb, &files[i]->descs);
            good = ws_scan(files[i], t->select, NULL, levels_count, t);
        }
    }
    return good;
}

/* ---- Values ---------------------------------------------------------------------------------- */

/* Value of a counter at the current sampling point. */
struct value {
    uint64_t n; /* number of model values in the sum */
    double sum;
    bool mean; /* true if the counter is the mean of the model values, not their sum */
};

struct values {
    struct ws_timeline *t;
    struct value list[WS_COUNTERS_MAX];
    bool any; /* true if there is a current sampling point */
    uint32_t pe;
    uint32_t part; /* index of the part of the stream that contains the sampling point */
    uint64_t kind, sample, id;
    double at;
};

static bool point_close(struct values *v)
{
    struct ws_timeline *t = v->t;
    int64_t time;
    assert(t->counters.n <= WS_COUNTERS_MAX);
    bool good = true, shown = v->any && tl_ns(v->at, t->options.unit_s, &time);
    for (uint32_t i = WS_COUNTERS; good && i < t->counters.n; i++) {
        struct value *value = &v->list[i];
        double number = value->mean ? value->sum / (double)value->n : value->sum;
        if (shown && value->n > 0) {
            good = tl_counter_add(t, v->pe, time, v->id, i, number);
        }
        *value = (struct value){0};
    }
    v->any = false;
    return good;
}

static void payload_add(struct values *v, const struct fmt_payload_desc *desc,
                        const uint8_t *payload)
{
    const struct ws_timeline_work *w = v->t->work;
    const uint32_t *counters =
        w->value_counters + (size_t)(desc - v->t->model->descs.descs) * w->values_max;
    for (uint32_t f = 0; f < desc->n_fields; f++) {
        const struct fmt_payload_field *field = &desc->fields[f];
        uint32_t counter = counters[f];
        size_t size = fmt_type_size(field->type);
        for (uint32_t i = 0; counter != NO_COUNTER && i < field->count; i++) {
            struct value *value = &v->list[counter];
            assert(counter >= WS_COUNTERS && counter < v->t->counters.n);
            double number =
                ws_value_number(fmt_value_read(payload + field->offset + i * size, field->type));
            value->mean = field->measure != FMT_COUNTER && field->measure != FMT_CHANGE;
            value->sum += number;
            value->n++;
        }
    }
}

static bool part_add(const struct ws_part *part, void *ctx)
{
    struct values *v = ctx;
    const struct fmt_columns *c = part->columns;
    const int32_t *roles = c->schema->role_field;
    int32_t kind = ws_field_find(c->schema, "kind"), sample = ws_field_find(c->schema, "sample");
    bool is_virtual = v->t->options.is_virtual;
    int32_t clock = roles[is_virtual ? FMT_ROLE_VIRTUAL_TIME : FMT_ROLE_REAL_TIME];
    if (roles[FMT_ROLE_PAYLOAD_SIZE] < 0 || clock < 0 || part->block->pe >= v->t->n_pes) {
        return true;
    }
    for (uint32_t row = 0; row < c->n_records; row++) {
        uint64_t why = ws_whole_at(c, kind, row), number = ws_whole_at(c, sample, row);
        double at = ws_number_at(c, clock, row);
        if (!ws_part_has(part, row) || (why == KIND_VIRTUAL && !is_virtual)) {
            continue;
        }
        if (!v->any || v->pe != part->block->pe || v->kind != why || v->sample != number ||
            v->part != part->block->part) {
            if (!point_close(v)) {
                return false;
            }
            v->pe = part->block->pe;
            v->kind = why;
            v->sample = number;
            v->part = part->block->part;
            v->at = at;
            v->id = part->block->first_record + row;
            v->any = true;
        }
        uint64_t from = c->payload_offset[row], size = c->payload_offset[row + 1] - from;
        const struct fmt_payload_desc *desc = fmt_desc_set_find(
            &part->file->descs, (uint32_t)ws_whole_at(c, roles[FMT_ROLE_PAYLOAD_TYPE], row));
        if (desc != NULL && desc->size == size) {
            payload_add(v, desc, c->payload + from);
        }
    }
    return true;
}

bool tl_values_add(struct ws_timeline *t)
{
    struct values v = {.t = t};
    if (t->model == NULL) {
        return true;
    }
    ws_select_file(t->select, t->model->sb, &t->model->descs);
    return ws_scan(t->model, t->select, NULL, part_add, &v) && point_close(&v);
}
