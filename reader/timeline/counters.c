/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * counters.c - makes counters of a timeline from samples of PEs at GVT and by wall clock: GVT,
 * pending events and rollbacks. Samples by wall clock also give the percentage of the time since
 * the previous sample that each phase of the engine took.
 *
 * A sample has the number of rollbacks since the previous sample of its kind, so the counter of
 * rollbacks must use only one kind of sample. If both kinds exist, it uses the samples at GVT. A
 * timeline by virtual time has no counter of GVT, whose value would equal the position on the time
 * axis.
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "access/record_scan.h"
#include "timeline/private.h"

struct counting {
    struct ws_timeline *t;
    bool rollbacks; /* true if the samples of this file are used for the counter of rollbacks */
};

static bool counter_add(struct ws_timeline *t, const struct ws_part *part, uint32_t row,
                        enum ws_counter counter, int32_t field, int64_t time)
{
    assert(counter < WS_COUNTERS);
    if (field < 0) {
        return true;
    }
    struct ws_moment m = {.time = time,
                          .id = part->block->first_record + row,
                          .value = ws_number_at(part->columns, field, row),
                          .pe = part->block->pe,
                          .kind = WS_MOMENT_COUNTER,
                          .counter = (uint8_t)counter};
    return !isfinite(m.value) || tl_moment_add(t, &m);
}

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
        uint32_t counter = tl_phase_counter(t, &c->schema->fields[f]);
        assert(counter == TL_NO_COUNTER || counter < WS_COUNTERS_MAX);
        if (counter != TL_NO_COUNTER) {
            struct ws_moment m = {.time = time,
                                  .id = part->block->first_record + row,
                                  .value = 100.0 * ws_number_at(c, (int32_t)f, row) / total,
                                  .pe = part->block->pe,
                                  .kind = WS_MOMENT_COUNTER,
                                  .counter = (uint8_t)counter};
            good = tl_moment_add(t, &m);
        }
    }
    return good;
}

static bool part_count(struct ws_file *file, const struct ws_part *part, void *ctx)
{
    struct counting *c = ctx;
    struct ws_timeline *t = c->t;
    const struct fmt_schema *schema = part->columns->schema;
    (void)file;
    int32_t gvt = ws_field_find(schema, "gvt"), real = ws_field_find(schema, "real_time");
    if ((strcmp(schema->name, "gvt_pe") != 0 && strcmp(schema->name, "rt_pe") != 0) || gvt < 0 ||
        real < 0) {
        return true;
    }
    for (uint32_t row = 0; row < part->columns->n_records; row++) {
        int32_t clock = t->options.is_virtual ? gvt : real;
        double at = ws_number_at(part->columns, clock, row);
        int64_t time;
        if (!ws_part_has(part, row)) {
            continue;
        }
        if (!tl_ns(at, t->options.is_virtual ? t->options.unit_s : 1, &time)) {
            t->left_out++;
            continue;
        }
        if ((!t->options.is_virtual && !counter_add(t, part, row, WS_COUNTER_GVT, gvt, time)) ||
            !counter_add(t, part, row, WS_COUNTER_PENDING, ws_field_find(schema, "pq_size"),
                         time) ||
            (c->rollbacks && !counter_add(t, part, row, WS_COUNTER_ROLLBACKS,
                                          ws_field_find(schema, "total_rollbacks"), time)) ||
            !phases_add(t, part, row, time)) {
            return false;
        }
    }
    return true;
}

bool tl_counters_add(struct ws_timeline *t)
{
    struct ws_file *files[] = {t->gvt, t->rt};
    bool good = true, rollbacks = true;
    for (size_t i = 0; good && i < 2; i++) {
        if (files[i] == NULL) {
            continue;
        }
        struct counting c = {.t = t, .rollbacks = rollbacks};
        ws_select_file(t->select, files[i]->sb, &files[i]->descs);
        good = ws_scan(files[i], t->select, NULL, part_count, &c);
        rollbacks = false;
    }
    return good;
}
