/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * json.c - prints a trace of tasks as JSON, for "warpscope stats --json".
 */
#include <string.h>

#include "render/json.h"
#include "tasks/tasks.h"

static void group_json(struct ws_json *json, const char *name, const struct ws_tasks_group *group)
{
    const struct ws_histogram *d = &group->durations;
    ws_json_line(json);
    ws_json_open(json, NULL, '{');
    ws_json_add_text(json, "kind", name);
    ws_json_add_text(json, "what", name + strlen(name) + 1);
    ws_json_add_u64(json, "begun", group->begun);
    ws_json_add_u64(json, "ended", group->ended);
    ws_json_add_f64(json, "mean", ws_histogram_mean(d));
    ws_json_add_f64(json, "p50", ws_histogram_quantile(d, 0.5));
    ws_json_add_f64(json, "p90", ws_histogram_quantile(d, 0.9));
    ws_json_add_f64(json, "p99", ws_histogram_quantile(d, 0.99));
    ws_json_add_f64(json, "longest", d->n > 0 ? d->max : 0.0);
    ws_json_close(json, '}');
}

static void place_json(struct ws_json *json, const char *kind, const struct ws_tasks_place *place)
{
    ws_json_line(json);
    ws_json_open(json, NULL, '{');
    ws_json_add_text(json, "kind", kind);
    ws_json_add_text(json, "where", kind + strlen(kind) + 1);
    ws_json_add_u64(json, "lp", (uint64_t)place->lp);
    ws_json_add_u64(json, "ended", place->ended);
    ws_json_add_f64(json, "mean", place->ended > 0 ? place->total / (double)place->ended : 0.0);
    ws_json_add_f64(json, "busy", ws_busy_length(&place->busy));
    ws_json_add_bool(json, "busy_is_exact", !place->busy.at_least);
    ws_json_close(json, '}');
}

void ws_tasks_json(struct ws_json *json, const struct ws_tasks *t)
{
    ws_json_add_u64(json, "steps", t->steps);
    ws_json_add_u64(json, "tasks_without_place", t->left_out);
    ws_json_open(json, "kinds", '[');
    for (uint32_t i = 0; i < t->names.n && i < t->groups.room; i++) {
        if (t->groups.list[i] != NULL) {
            group_json(json, t->names.names[i], t->groups.list[i]);
        }
    }
    if (t->others.begun + t->others.ended > 0) {
        group_json(json, "(others)\0", &t->others);
    }
    ws_json_close(json, ']');
    ws_json_open(json, "places", '[');
    for (uint32_t i = 0; i < t->place_names.n && i < t->places.room; i++) {
        if (t->places.list[i] != NULL) {
            place_json(json, ws_tasks_place_kind(t, i), t->places.list[i]);
        }
    }
    ws_json_close(json, ']');
}
