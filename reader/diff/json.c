/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * json.c - writes a comparison as JSON; see diff.h.
 */
#include <stdio.h>
#include <string.h>

#include "access/covers.h"
#include "access/facts.h"
#include "data/cell.h"
#include "diff/diff.h"
#include "render/text.h"

static void value_put(struct json_writer *json, const char *key, const struct fmt_value *v)
{
    char text[DECIMAL_MAX];
    ws_format_value(text, v, true);
    json_begin(json, key);
    fputs(text, json->out);
}

static void field_put(struct json_writer *json, const uint8_t *bytes,
                      const struct fmt_payload_field *field)
{
    bool is_text = field->type == FMT_CHAR, is_array = field->count > 1 && !is_text;
    if (is_text) {
        json_begin(json, field->name);
        json_print_bytes(json->out, bytes, strnlen((const char *)bytes, field->count));
    } else if (is_array) {
        json_array_open(json, field->name);
    }
    for (uint32_t k = 0; !is_text && k < field->count; k++) {
        struct fmt_value v = fmt_value_read(bytes + k * fmt_type_size(field->type), field->type);
        value_put(json, is_array ? NULL : field->name, &v);
    }
    if (is_array) {
        json_array_close(json);
    }
}

static void payload_put(struct json_writer *json, const struct ws_diff *d,
                        const struct ws_sort_key *item)
{
    const struct fmt_payload_desc *desc = ws_diff_desc(d, item);
    const uint8_t *bytes = ws_sort_key_payload(&d->layout, item);
    if (desc == NULL) {
        json_begin(json, "payload");
        fputc('"', json->out);
        for (uint32_t i = 0; i < item->payload_size; i++) {
            fprintf(json->out, "%02x", bytes[i]);
        }
        fputc('"', json->out);
        return;
    }
    json_object_open(json, "payload");
    for (uint32_t f = 0; f < desc->n_fields; f++) {
        field_put(json, bytes + desc->fields[f].offset, &desc->fields[f]);
    }
    json_object_close(json);
}

/* Writes a record as an object, or null if item is NULL. Omits the payload of a context record if
 * it was too large to be kept. */
static void record_put(struct json_writer *json, const char *key, const struct ws_diff *d,
                       const struct ws_sort_key *item)
{
    const struct ws_sort_layout *layout = &d->layout;
    if (item == NULL) {
        json_put_null(json, key);
        return;
    }
    json_object_open(json, key);
    for (uint32_t i = 0; i < layout->n_parts; i++) {
        struct fmt_value v = ws_sort_key_value(layout, item, i);
        const char *name = layout->schema->fields[layout->parts[i].field].name;
        if ((int32_t)i != layout->type_part) {
            value_put(json, name, &v);
        } else {
            const struct fmt_payload_desc *desc =
                ws_payload_types_desc(&d->types, (uint32_t)v.as.u);
            json_put_string(json, name, desc == NULL ? NULL : desc->owner);
        }
    }
    if (item->payload_size > 0) {
        payload_put(json, d, item);
    }
    json_object_close(json);
}

static void side_put(struct json_writer *json, const char *key, const struct ws_diff_side *side)
{
    static const char *const keys[] = {"scheduler", "ranks", "command"};
    const struct ws_file *s = side->stream;
    json_object_open(json, key);
    json_put_string(json, "path", s->path);
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        if (ws_fact(s->sb, keys[i]) != NULL) {
            json_put_string(json, keys[i], ws_fact(s->sb, keys[i]));
        }
    }
    ws_put(json, "end_code|end_gvt", doc_if(s->pes_ended > 0, doc_count(s->end_code)),
           doc_if(s->pes_ended > 0, doc_real(s->end_gvt)));
    ws_stream_covers_json(json, s);
    ws_put(json, "complete|records|only", doc_bool(!side->lossy), doc_count(side->records),
           doc_count(side->only));
    json_object_close(json);
}

static void events_put(struct json_writer *json, const char *key, const struct ws_diff *d,
                       const struct ws_diff_events *events)
{
    json_array_open(json, key);
    for (size_t i = 0; i < events->n; i++) {
        const struct ws_diff_event *event = &events->list[i];
        json_object_line(json, NULL);
        json_put_bool(json, "equal", event->equal);
        record_put(json, "a", d, event->items[WS_A]);
        record_put(json, "b", d, event->items[WS_B]);
        json_object_close(json);
    }
    json_array_close(json);
}

bool ws_diff_json(struct json_writer *json, struct ws_diff *d, size_t context)
{
    static const char *const hows[] = {"", "sent", "recorded", "sampled"};
    const struct ws_origin *o = &d->origin;
    bool good = true, recorded = o->kind == WS_ORIGIN_RECORDED;
    uint64_t different = d->changed + d->sides[WS_A].only + d->sides[WS_B].only;
    double end;
    json_object_line(json, NULL);
    json_put_string(json, "record", d->layout.schema->name);
    side_put(json, "a", &d->sides[WS_A]);
    side_put(json, "b", &d->sides[WS_B]);
    ws_put(json, "equal|same|changed|certain", doc_bool(different == 0), doc_count(d->equal),
           doc_count(d->changed), doc_count(d->certain));
    if (!d->windows.whole) {
        json_array_open(json, "compared");
        for (size_t i = 0; i < d->windows.n; i++) {
            ws_put_array(json, NULL, doc_real(d->windows.list[i].from),
                         doc_real(d->windows.list[i].to));
        }
        json_array_close(json);
    }
    if (d->certain > 0) {
        json_object_open(json, "first");
        json_put_double(json, "virtual_time", d->first_time);
        record_put(json, "a", d, d->first[WS_A]);
        record_put(json, "b", d, d->first[WS_B]);
        json_object_close(json);
        json_put_bool(json, "behind_end", ws_diff_is_behind_end(d, &end));
        ws_put_object(json, "origin", "how|virtual_time|lp|sender|sent", doc_name(hows[o->kind]),
                      doc_real(o->time), doc_if(o->has_lp, doc_count(o->lp)),
                      doc_if(recorded, doc_count(o->sender)),
                      doc_if(recorded, doc_real(o->sent_ts)));
        if (o->has_lp) {
            good = ws_diff_context(d, context);
            events_put(json, "context", d, &d->received);
            events_put(json, "sent", d, &d->sent);
            json_put_u64(json, "events_at_origin", d->at_origin);
        }
    }
    json_object_close(json);
    return good;
}
