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

static uint64_t u64_of(const struct fmt_columns *c, const char *name, uint32_t row)
{
    int32_t field = ws_field_find(c->schema, name);
    struct fmt_value v = {.type = 0};
    v = field < 0 ? v : fmt_columns_value(c, (uint32_t)field, row);
    return v.type >= FMT_U8 && v.type <= FMT_U64 ? v.as.u : 0;
}

static double f64_of(const struct fmt_columns *c, const char *name, uint32_t row)
{
    int32_t field = ws_field_find(c->schema, name);
    struct fmt_value v = {.type = 0};
    v = field < 0 ? v : fmt_columns_value(c, (uint32_t)field, row);
    return v.type == FMT_F64 ? v.as.f : 0.0;
}

/* Returns the sum to which a record belongs; adds it if it is new. If there are too many sums, or
 * the record's strings cannot be read, counts the record in left_out and returns NULL. */
static struct ws_tracer_sum *sum_of(struct ws_tracers *t, const struct fmt_columns *c, uint32_t row,
                                    const struct fmt_desc_set *descs)
{
    char name[2 * WS_TASKS_TEXT + 2], step[WS_TASKS_TEXT + 1];
    bool is_step = ws_field_find(c->schema, "occurrences") >= 0;
    if (!ws_task_text_read(name, "spec", c, row, descs) ||
        (is_step && !ws_task_text_read(step, "step", c, row, descs))) {
        t->left_out++;
        return NULL;
    }
    size_t size = strlen(name);
    if (is_step) {
        memcpy(name + size + 1, step, strlen(step));
        size += 1 + strlen(step);
    }
    uint32_t number = ws_intern_add(&t->names, name, size, TRACERS_MAX);
    if (number == WS_NAMES_NONE) {
        t->left_out++;
        return NULL;
    }
    t->sums[number].tracer = u64_of(c, "tracer", row);
    assert(number < TRACERS_MAX);
    return &t->sums[number];
}

static bool part_add(struct ws_file *file, const struct ws_part *part, void *ctx)
{
    struct ws_tracers *t = ctx;
    const struct fmt_columns *c = part->columns;
    bool is_open = ws_field_find(c->schema, "parent_lp") >= 0;
    for (uint32_t row = 0; row < c->n_records && !is_open; row++) {
        struct ws_tracer_sum *sum = ws_part_has(part, row) ? sum_of(t, c, row, &file->descs) : NULL;
        if (sum != NULL) {
            sum->places++;
            sum->begun += u64_of(c, "begun", row);
            sum->ended += u64_of(c, "ended", row);
            sum->occurrences += u64_of(c, "occurrences", row);
            sum->tasks += u64_of(c, "tasks", row);
            sum->busy += f64_of(c, "busy", row);
            sum->total += f64_of(c, "total", row);
        }
    }
    return true;
}

struct ws_tracers *ws_tracers_gather(struct ws_file *file, const struct ws_select *select)
{
    struct ws_tracers *t = calloc(1, sizeof *t);
    if (t == NULL || (t->sums = calloc(TRACERS_MAX, sizeof *t->sums)) == NULL) {
        ws_tracers_free(t);
        return NULL;
    }
    ws_scan(file, select, NULL, part_add, t);
    return t;
}

void ws_tracers_free(struct ws_tracers *t)
{
    if (t != NULL) {
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
