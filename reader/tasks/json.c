/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * json.c - prints the statistics of a task trace as JSON, for "warpscope stats --json".
 */
#include <string.h>

#include "data/cell.h"
#include "tasks/tasks.h"

static void group_json(struct json_writer *json, const char *name,
                       const struct ws_tasks_group *group)
{
    const struct ws_histogram *d = &group->durations;
    json_line(json);
    ws_put_object(json, NULL, "kind|what|begun|ended|mean|p50|p90|p99|longest", doc_name(name),
                  doc_name(name + strlen(name) + 1), doc_count(group->begun),
                  doc_count(group->ended), doc_real(ws_histogram_mean(d)),
                  doc_real(ws_histogram_quantile(d, 0.5)), doc_real(ws_histogram_quantile(d, 0.9)),
                  doc_real(ws_histogram_quantile(d, 0.99)), doc_real(d->n > 0 ? d->max : 0.0));
}

static void place_json(struct json_writer *json, const char *kind,
                       const struct ws_tasks_place *place)
{
    json_line(json);
    ws_put_object(json, NULL, "kind|where|lp|ended|mean|busy|busy_is_exact", doc_name(kind),
                  doc_name(kind + strlen(kind) + 1), doc_count((uint64_t)place->lp),
                  doc_count(place->ended),
                  doc_real(place->ended > 0 ? place->total / (double)place->ended : 0.0),
                  doc_real(ws_busy_length(&place->busy)), doc_bool(!place->busy.at_least));
}

void ws_tasks_json(struct json_writer *json, const struct ws_tasks *t)
{
    json_put_u64(json, "steps", t->steps);
    json_put_u64(json, "tasks_without_place", t->left_out);
    json_array_open(json, "kinds");
    for (uint32_t i = 0; i < t->names.n && i < t->groups.room; i++) {
        if (t->groups.list[i] != NULL) {
            group_json(json, t->names.names[i], t->groups.list[i]);
        }
    }
    if (t->others.begun + t->others.ended > 0) {
        group_json(json, "(others)\0", &t->others);
    }
    json_array_close(json);
    json_array_open(json, "places");
    for (uint32_t i = 0; i < t->place_names.n && i < t->places.room; i++) {
        if (t->places.list[i] != NULL) {
            place_json(json, ws_tasks_place_kind(t, i), t->places.list[i]);
        }
    }
    json_array_close(json);
}
