/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * json.c - prints the statistics of a task trace as JSON, for "warpscope stats --json".
 */
#include <string.h>

#include "tasks/tasks.h"
#include "text/json.h"

static void group_json(struct json_writer *json, const char *name,
                       const struct ws_tasks_group *group)
{
    const struct ws_histogram *d = &group->durations;
    json_line(json);
    json_object_open(json, NULL);
    json_put_string(json, "kind", name);
    json_put_string(json, "what", name + strlen(name) + 1);
    json_put_u64(json, "begun", group->begun);
    json_put_u64(json, "ended", group->ended);
    json_put_double(json, "mean", ws_histogram_mean(d));
    json_put_double(json, "p50", ws_histogram_quantile(d, 0.5));
    json_put_double(json, "p90", ws_histogram_quantile(d, 0.9));
    json_put_double(json, "p99", ws_histogram_quantile(d, 0.99));
    json_put_double(json, "longest", d->n > 0 ? d->max : 0.0);
    json_object_close(json);
}

static void place_json(struct json_writer *json, const char *kind,
                       const struct ws_tasks_place *place)
{
    json_line(json);
    json_object_open(json, NULL);
    json_put_string(json, "kind", kind);
    json_put_string(json, "where", kind + strlen(kind) + 1);
    json_put_u64(json, "lp", (uint64_t)place->lp);
    json_put_u64(json, "ended", place->ended);
    json_put_double(json, "mean", place->ended > 0 ? place->total / (double)place->ended : 0.0);
    json_put_double(json, "busy", ws_busy_length(&place->busy));
    json_put_bool(json, "busy_is_exact", !place->busy.at_least);
    json_object_close(json);
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
