/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * json_elements.c - elements that several statistics have in common, as JSON; see stats.h.
 */
#include "stats/stats.h"

void ws_stats_dist_json(struct json_writer *json, const char *name, const struct ws_histogram *d)
{
    json_object_open(json, name);
    json_put_u64(json, "n", d->n);
    if (d->n > 0) {
        json_put_double(json, "mean", ws_histogram_mean(d));
        json_put_double(json, "min", d->min);
        json_put_double(json, "median", ws_histogram_quantile(d, 0.5));
        json_put_double(json, "p90", ws_histogram_quantile(d, 0.9));
        json_put_double(json, "max", d->max);
    }
    json_object_close(json);
}

void ws_stats_list_json(struct json_writer *json, const char *name,
                        const struct ws_stats_list *list, const char *key)
{
    const struct ws_top_k *top = &list->top;
    if (!list->used) {
        return;
    }
    json_line(json);
    json_object_open(json, name);
    json_put_string(json, "ordered_by", list->names[0]);
    if (top->error_most == 0) {
        json_put_u64(json, "different", top->keys);
    } else {
        json_put_u64(json, "missing_have_at_most", top->error_most);
    }
    json_array_open(json, "list");
    for (uint32_t w = 0; w < top->n_winners; w++) {
        const struct ws_top_k_entry *e = &top->winners[w];
        json_object_open(json, NULL);
        json_put_u64(json, "pe", e->group);
        json_put_u64(json, key, e->key);
        for (uint32_t i = 0; i < top->n_values; i++) {
            json_put_u64(json, list->names[i], e->values[i]);
        }
        if (e->error > 0) {
            json_put_u64(json, "may_be_more_by", e->error);
        }
        json_object_close(json);
    }
    json_array_close(json);
    json_object_close(json);
}

void ws_stats_axis_json(struct json_writer *json, const struct ws_stats_axis *axis)
{
    json_put_string(json, "clock", axis->virtual_time ? "virtual_time" : "real_time");
    json_put_double(json, "from", axis->low);
    json_put_double(json, "step", (axis->high - axis->low) / axis->n);
}

static void part_json(struct json_writer *json, const struct ws_file *file, uint32_t number)
{
    const struct ws_file *part = ws_stream_part(file, number);
    json_line(json);
    json_object_open(json, NULL);
    json_put_string(json, "path", part->path);
    json_put_bool(json, "readable", part->pes != NULL);
    if (part->pes != NULL) {
        struct ws_cover cover = ws_stream_cover(file, number);
        json_put_double(json, "virtual_from", cover.virtual_from);
        json_put_double(json, "virtual_to", cover.virtual_to);
        json_put_double(json, "real_from", cover.real_from);
        json_put_double(json, "real_to", cover.real_to);
        json_object_open(json, "records");
        for (uint32_t i = 0; i < part->sb->n_schemas; i++) {
            json_put_u64(json, part->sb->schemas[i]->name, part->kind_records[i]);
        }
        json_object_close(json);
    }
    json_object_close(json);
}

void ws_stats_parts_json(struct json_writer *json, const struct ws_file *file)
{
    struct ws_cover gap;
    if (file->n_parts == 0) {
        return;
    }
    json_array_open(json, "parts");
    for (uint32_t i = 0; i < file->n_parts; i++) {
        part_json(json, file, i);
    }
    json_array_close(json);
    json_array_open(json, "gaps");
    for (uint32_t i = 1; i < file->n_parts; i++) {
        if (ws_stream_gap(file, i, NULL, &gap)) {
            json_object_open(json, NULL);
            json_put_double(json, "virtual_from", gap.virtual_from);
            json_put_double(json, "virtual_to", gap.virtual_to);
            json_put_double(json, "real_from", gap.real_from);
            json_put_double(json, "real_to", gap.real_to);
            json_object_close(json);
        }
    }
    json_array_close(json);
}

void ws_stats_span_json(struct json_writer *json, const struct ws_stats_span *span)
{
    json_put_double(json, "seconds", span->wall);
    json_put_double(json, "virtual_from", span->virtual_from);
    json_put_double(json, "virtual_time", span->virtual);
}
