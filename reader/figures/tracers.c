/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tracers.c - sums of the results of a run's tracers over all places, from records of the kinds
 * tracer and tracer_step.
 *
 * The results of places are added up in the order of the file. Therefore the last digits of the
 * sums depend on the number of ranks, unlike those of the sums in the run's own report.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "figures/values.h"

#define TRACERS_MAX 4096u /* maximum number of sums: of tracers and of steps */

/* Returns the value of the field called name in a row; 0 if the records do not have it. */
static uint64_t u64_of(const struct fmt_columns *c, const char *name, uint32_t row)
{
    return ws_whole_at(c, ws_field_find(c->schema, name), row);
}

static double f64_of(const struct fmt_columns *c, const char *name, uint32_t row)
{
    return ws_number_at(c, ws_field_find(c->schema, name), row);
}

/* Returns the sum to which a record belongs; adds it if it is new. If there are too many sums, or
 * the record's strings cannot be read, counts the record in left_out and returns NULL. */
static struct ws_tracer_sum *sum_of(struct ws_tracers *t, const struct ws_part *part, uint32_t row)
{
    const struct fmt_columns *c = part->columns;
    char name[2 * (WS_TASKS_TEXT + 1)];
    bool good = ws_task_text_read(name, "spec", part, row);
    size_t size = good ? strlen(name) : 0;
    if (good && ws_field_find(c->schema, "occurrences") >= 0) {
        char *step = name + size + 1;
        good = ws_task_text_read(step, "step", part, row);
        size += good ? 1 + strlen(step) : 0;
    }
    uint32_t number = good ? ws_intern_add(&t->names, name, size, TRACERS_MAX) : WS_NAMES_NONE;
    if (number == WS_NAMES_NONE) {
        t->left_out++;
        return NULL;
    }
    t->sums[number].tracer = u64_of(c, "tracer", row);
    assert(number < TRACERS_MAX);
    return &t->sums[number];
}

static bool is_before(const struct ws_tracer_place *a, const struct ws_tracer_place *b)
{
    return a->busy > b->busy || (!(a->busy < b->busy) && a->total > b->total);
}

/* Inserts a place into the list of a tracer's busiest places, if it is one of the WS_TRACER_PLACES busiest
 * so far. Returns false if out of memory. */
static bool place_add(struct ws_tracer_sum *sum, const struct ws_tracer_place *place)
{
    if (sum->busiest == NULL &&
        (sum->busiest = calloc(WS_TRACER_PLACES + 1, sizeof *sum->busiest)) == NULL) {
        return false;
    }
    assert(sum->n_busiest <= WS_TRACER_PLACES);
    uint32_t at = sum->n_busiest;
    while (at > 0 && is_before(place, &sum->busiest[at - 1])) {
        at--;
    }
    memmove(&sum->busiest[at + 1], &sum->busiest[at], (sum->n_busiest - at) * sizeof *place);
    sum->busiest[at] = *place;
    sum->n_busiest += sum->n_busiest < WS_TRACER_PLACES;
    return true;
}

static bool tracers_part_add(const struct ws_part *part, void *ctx)
{
    struct ws_tracers *t = ctx;
    const struct fmt_columns *c = part->columns;
    bool is_open = ws_field_find(c->schema, "parent_lp") >= 0;
    bool has_places = t->over && ws_field_find(c->schema, "occurrences") < 0;
    for (uint32_t row = 0; row < c->n_records && !is_open; row++) {
        struct ws_tracer_place place = {.lp = u64_of(c, "lp", row),
                                        .begun = u64_of(c, "begun", row),
                                        .ended = u64_of(c, "ended", row),
                                        .busy = f64_of(c, "busy", row),
                                        .total = f64_of(c, "total", row)};
        struct ws_tracer_sum *sum = ws_part_has(part, row) ? sum_of(t, part, row) : NULL;
        if (sum == NULL) {
            continue;
        }
        sum->places++;
        sum->begun += place.begun;
        sum->ended += place.ended;
        sum->occurrences += u64_of(c, "occurrences", row);
        sum->tasks += u64_of(c, "tasks", row);
        sum->busy += place.busy;
        sum->total += place.total;
        if (has_places) {
            ws_task_text_read(place.where, "where", part, row);
            t->no_memory |= !place_add(sum, &place);
        }
    }
    return !t->no_memory;
}

struct ws_tracers *ws_tracers_gather(struct ws_file *file, const struct ws_select *select,
                                     const struct ws_stats_options *options)
{
    struct ws_tracers *t = calloc(1, sizeof *t);
    if (t == NULL || (t->sums = calloc(TRACERS_MAX, sizeof *t->sums)) == NULL) {
        ws_tracers_free(t);
        return NULL;
    }
    t->over = options->over != NULL;
    ws_scan(file, select, NULL, tracers_part_add, t);
    if (t->no_memory) {
        ws_tracers_free(t);
        return NULL;
    }
    return t;
}

void ws_tracers_free(struct ws_tracers *t)
{
    if (t != NULL) {
        for (uint32_t i = 0; i < t->names.n; i++) {
            free(t->sums[i].busiest);
        }
        ws_intern_free(&t->names);
        free(t->sums);
        free(t);
    }
}

const char *ws_tracers_step(const struct ws_tracers *t, uint32_t i)
{
    assert(i < t->names.n);
    size_t length = strlen(t->names.names[i]);
    return length < t->names.sizes[i] ? t->names.names[i] + length + 1 : NULL;
}

double ws_tracers_mean(const struct ws_tracer_sum *sum)
{
    return sum->ended > 0 ? sum->total / (double)sum->ended : 0.0;
}
