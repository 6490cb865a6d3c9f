/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * json_elements.c - elements that several statistics have in common, as JSON; see stats.h.
 */
#include "data/cell.h"
#include "stats/stats.h"

void ws_stats_dist_json(struct json_writer *json, const char *name, const struct ws_histogram *d)
{
    bool any = d->n > 0;
    ws_put_object(json, name, "n|mean|min|median|p90|max", doc_count(d->n),
                  doc_if(any, doc_real(ws_histogram_mean(d))), doc_if(any, doc_real(d->min)),
                  doc_if(any, doc_real(ws_histogram_quantile(d, 0.5))),
                  doc_if(any, doc_real(ws_histogram_quantile(d, 0.9))),
                  doc_if(any, doc_real(d->max)));
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
    bool is_exact = top->error_most == 0;
    ws_put(json, "ordered_by|different|missing_have_at_most", doc_name(list->names[0]),
           doc_if(is_exact, doc_count(top->keys)), doc_if(!is_exact, doc_count(top->error_most)));
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
    ws_put(json, "clock|from|step", doc_name(axis->virtual_time ? "virtual_time" : "real_time"),
           doc_real(axis->low), doc_real((axis->high - axis->low) / axis->n));
}

static void cover_json(struct json_writer *json, struct ws_cover cover)
{
    ws_put(json, "virtual_from|virtual_to|real_from|real_to", doc_real(cover.virtual_from),
           doc_real(cover.virtual_to), doc_real(cover.real_from), doc_real(cover.real_to));
}

static void part_json(struct json_writer *json, const struct ws_file *file, uint32_t number)
{
    const struct ws_file *part = ws_stream_part(file, number);
    json_line(json);
    json_object_open(json, NULL);
    ws_put(json, "path|readable", doc_name(part->path), doc_bool(part->pes != NULL));
    if (part->pes != NULL) {
        cover_json(json, ws_stream_cover(file, number));
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
            cover_json(json, gap);
            json_object_close(json);
        }
    }
    json_array_close(json);
}

void ws_stats_span_json(struct json_writer *json, const struct ws_stats_span *span)
{
    ws_put(json, "seconds|virtual_from|virtual_time", doc_real(span->wall),
           doc_real(span->virtual_from), doc_real(span->virtual));
}
