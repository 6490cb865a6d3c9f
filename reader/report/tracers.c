/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tracers.c - writes the results of the run's tracers as tables, the busiest places first; see
 * report.h.
 */
#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/report.h"

#define TRACERS_MAX 8u
#define ROWS_MAX    50u

struct place {
    uint64_t lp, begun, ended;
    double busy, total;
    char where[WS_TASKS_TEXT + 1];
};

struct tracer {
    char spec[WS_TASKS_TEXT + 1];
    /* The busiest ROWS_MAX places, in descending order of busy time. Places with equal
     * busy times are in descending order of total time. */
    struct place places[ROWS_MAX];
    uint32_t n;
    uint64_t all;
};

struct pass {
    struct tracer list[TRACERS_MAX];
    uint32_t n;
};

static double number_of(const struct fmt_columns *c, const char *name, uint32_t row)
{
    int32_t field = ws_field_find(c->schema, name);
    struct fmt_value v = {.type = 0};
    v = field < 0 ? v : fmt_columns_value(c, (uint32_t)field, row);
    return v.type == FMT_F64                       ? v.as.f
           : v.type >= FMT_U8 && v.type <= FMT_U64 ? (double)v.as.u
                                                   : 0.0;
}

static struct tracer *tracer_of(struct pass *p, const char *spec)
{
    for (uint32_t i = 0; i < p->n; i++) {
        if (strcmp(p->list[i].spec, spec) == 0) {
            return &p->list[i];
        }
    }
    if (p->n == TRACERS_MAX) {
        return NULL;
    }
    strcpy(p->list[p->n].spec, spec);
    return &p->list[p->n++];
}

static bool before(const struct place *a, const struct place *b)
{
    return a->busy > b->busy || (!(a->busy < b->busy) && a->total > b->total);
}

static void place_add(struct tracer *t, const struct place *place)
{
    assert(t->n <= ROWS_MAX);
    uint32_t at = t->n;
    t->all++;
    while (at > 0 && before(place, &t->places[at - 1])) {
        at--;
    }
    if (at == ROWS_MAX) {
        return;
    }
    uint32_t last = t->n < ROWS_MAX ? t->n++ : ROWS_MAX - 1;
    memmove(&t->places[at + 1], &t->places[at], (last - at) * sizeof *place);
    t->places[at] = *place;
}

static bool part_add(struct ws_file *stream, const struct ws_part *part, void *ctx)
{
    struct pass *p = ctx;
    const struct fmt_columns *c = part->columns;
    if (strcmp(c->schema->name, "tracer") != 0) {
        return true;
    }
    for (uint32_t row = 0; row < c->n_records; row++) {
        char spec[WS_TASKS_TEXT + 1];
        struct place place = {.where = ""};
        if (!ws_part_has(part, row) || !ws_task_text_read(spec, "spec", c, row, &stream->descs)) {
            continue;
        }
        ws_task_text_read(place.where, "where", c, row, &stream->descs);
        struct tracer *tracer = tracer_of(p, spec);
        place.lp = (uint64_t)number_of(c, "lp", row);
        place.begun = (uint64_t)number_of(c, "begun", row);
        place.ended = (uint64_t)number_of(c, "ended", row);
        place.busy = number_of(c, "busy", row);
        place.total = number_of(c, "total", row);
        if (tracer != NULL) {
            place_add(tracer, &place);
        }
    }
    return true;
}

static void tracer_json(struct json_writer *json, const struct tracer *t)
{
    static const char *const columns[] = {"place", "LP", "begun", "ended", "busy", "total", "mean"};
    /* Only tracers of the kind "busy" measure the busy time. In the results of other tracers, it is
     * 0. */
    bool has_busy = strncmp(t->spec, "busy", 4) == 0;
    json_line(json);
    json_object_open(json, NULL);
    json_put_string(json, "name", t->spec);
    json_put_u64(json, "places", t->all);
    json_array_open(json, "columns");
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        json_put_string(json, NULL, columns[i]);
    }
    json_array_close(json);
    json_array_open(json, "rows");
    for (uint32_t i = 0; i < t->n; i++) {
        const struct place *place = &t->places[i];
        json_array_open(json, NULL);
        json_put_string(json, NULL, place->where);
        json_put_u64(json, NULL, place->lp);
        json_put_u64(json, NULL, place->begun);
        json_put_u64(json, NULL, place->ended);
        report_put_number(json, NULL, has_busy ? place->busy : (double)NAN, 6);
        report_put_number(json, NULL, place->total, 6);
        report_put_number(json, NULL, place->ended > 0 ? place->total / (double)place->ended : 0.0,
                          6);
        json_array_close(json);
    }
    json_array_close(json);
    json_object_close(json);
}

void report_tracers_json(struct json_writer *json, struct ws_figures *run)
{
    struct ws_figures_file *file = ws_figures_file_of(run, FMT_STREAM_TRACER);
    struct pass *p = file == NULL ? NULL : calloc(1, sizeof *p);
    if (p != NULL) {
        ws_select_file(run->select, file->stream.sb, &file->stream.descs);
        ws_scan(&file->stream, run->select, NULL, part_add, p);
    }
    if (p != NULL && p->n > 0) {
        json_line(json);
        json_array_open(json, "tracers");
        for (uint32_t i = 0; i < p->n; i++) {
            tracer_json(json, &p->list[i]);
        }
        json_array_close(json);
    }
    free(p);
}
