/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * json.c - prints a comparison as JSON; see diff.h.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "access/covers.h"
#include "access/facts.h"
#include "diff/diff.h"
#include "render/text.h"
#include "text/json.h"

static void value_print(FILE *out, const struct fmt_value *v)
{
    char text[DECIMAL_MAX];
    ws_format_value(text, v, true);
    fputs(text, out);
}

static void field_print(FILE *out, const uint8_t *bytes, const struct fmt_payload_field *field)
{
    if (field->type == FMT_CHAR) {
        json_print_bytes(out, bytes, strnlen((const char *)bytes, field->count));
        return;
    }
    fputs(field->count > 1 ? "[" : "", out);
    for (uint32_t k = 0; k < field->count; k++) {
        struct fmt_value v = fmt_value_read(bytes + k * fmt_type_size(field->type), field->type);
        fputs(k > 0 ? "," : "", out);
        value_print(out, &v);
    }
    fputs(field->count > 1 ? "]" : "", out);
}

static void payload_print(FILE *out, const struct ws_diff *d, const struct ws_sort_key *item)
{
    const struct fmt_payload_desc *desc = ws_diff_desc(d, item);
    const uint8_t *bytes = ws_sort_key_payload(&d->layout, item);
    if (desc == NULL) {
        fputs("\"", out);
        for (uint32_t i = 0; i < item->payload_size; i++) {
            fprintf(out, "%02x", bytes[i]);
        }
        fputs("\"", out);
        return;
    }
    for (uint32_t f = 0; f < desc->n_fields; f++) {
        fputs(f == 0 ? "{" : ",", out);
        json_print_string(out, desc->fields[f].name);
        fputc(':', out);
        field_print(out, bytes + desc->fields[f].offset, &desc->fields[f]);
    }
    fputc('}', out);
}

/* Prints a record as an object, or null if item is NULL. Omits the payload of a context record if
 * it was too large to be kept. */
static void record_print(FILE *out, const struct ws_diff *d, const struct ws_sort_key *item)
{
    const struct ws_sort_layout *layout = &d->layout;
    if (item == NULL) {
        fputs("null", out);
        return;
    }
    for (uint32_t i = 0; i < layout->n_parts; i++) {
        struct fmt_value v = ws_sort_key_value(layout, item, i);
        fputs(i == 0 ? "{" : ",", out);
        json_print_string(out, layout->schema->fields[layout->parts[i].field].name);
        fputc(':', out);
        if ((int32_t)i != layout->type_part) {
            value_print(out, &v);
            continue;
        }
        const struct fmt_payload_desc *desc = ws_payload_types_desc(&d->types, (uint32_t)v.as.u);
        if (desc == NULL) {
            fputs("null", out);
        } else {
            json_print_string(out, desc->owner);
        }
    }
    if (item->payload_size > 0) {
        fputs(",\"payload\":", out);
        payload_print(out, d, item);
    }
    fputc('}', out);
}

static void pair_print(FILE *out, const struct ws_diff *d, const struct ws_sort_key *a,
                       const struct ws_sort_key *b)
{
    fputs("\"a\":", out);
    record_print(out, d, a);
    fputs(",\"b\":", out);
    record_print(out, d, b);
}

static void side_print(FILE *out, const struct ws_diff_side *side)
{
    static const char *const keys[] = {"scheduler", "ranks", "command"};
    fputs("{\"path\":", out);
    json_print_string(out, side->stream->path);
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        const char *value = ws_fact(side->stream->sb, keys[i]);
        if (value != NULL) {
            fprintf(out, ",\"%s\":", keys[i]);
            json_print_string(out, value);
        }
    }
    if (side->stream->pes_ended > 0) {
        fprintf(out, ",\"end_code\":%" PRIu32 ",\"end_gvt\":", side->stream->end_code);
        json_print_double(out, side->stream->end_gvt);
    }
    struct json_writer json = {.out = out, .compact = true, .depth = 1};
    json.has_member[1] = true;
    ws_stream_covers_json(&json, side->stream);
    fprintf(out, ",\"complete\":%s,\"records\":%" PRIu64 ",\"only\":%" PRIu64 "}",
            side->lossy ? "false" : "true", side->records, side->only);
}

struct context {
    /* out: the output. sent: buffer for the events that the LP sent, which are printed after those
     * that it received. */
    FILE *out, *sent;
    const struct ws_diff *diff;
    uint64_t n, n_sent;
};

static void context_print(const struct ws_sort_layout *layout,
                          const struct ws_sort_key *const *items, bool sent, void *ctx)
{
    struct context *c = ctx;
    FILE *out = sent ? c->sent : c->out;
    uint64_t *n = sent ? &c->n_sent : &c->n;
    bool equal = items[WS_A] != NULL && items[WS_B] != NULL &&
                 ws_sort_key_compare(layout, items[WS_A], items[WS_B]) == 0;
    fprintf(out, "%s\n{\"equal\":%s,", (*n)++ > 0 ? "," : "", equal ? "true" : "false");
    pair_print(out, c->diff, items[WS_A], items[WS_B]);
    fputc('}', out);
}

static bool context_show(FILE *out, struct ws_diff *d, const struct ws_diff_output *output)
{
    char *sent = NULL;
    size_t size = 0;
    uint64_t at_origin = 0;
    struct context context = {.out = out, .sent = open_memstream(&sent, &size), .diff = d};
    if (context.sent == NULL) {
        return false;
    }
    fputs(",\n\"context\":[", out);
    bool good =
        ws_diff_context(d, output->memory, output->context, context_print, &context, &at_origin);
    fclose(context.sent);
    fprintf(out, "],\n\"sent\":[%s],\n\"events_at_origin\":%" PRIu64, sent == NULL ? "" : sent,
            at_origin);
    free(sent);
    return good;
}

static void origin_print(FILE *out, const struct ws_origin *o)
{
    static const char *const kinds[] = {"", "sent", "recorded", "sampled"};
    fprintf(out, ",\n\"origin\":{\"how\":\"%s\",\"virtual_time\":", kinds[o->kind]);
    json_print_double(out, o->time);
    if (o->has_lp) {
        fprintf(out, ",\"lp\":%" PRIu64, o->lp);
    }
    if (o->kind == WS_ORIGIN_RECORDED) {
        fprintf(out, ",\"sender\":%" PRIu64 ",\"sent\":", o->sender);
        json_print_double(out, o->sent_ts);
    }
    fputc('}', out);
}

bool ws_diff_json(FILE *out, struct ws_diff *d, const struct ws_diff_output *output)
{
    bool good = true;
    double end;
    fputs("{\"record\":", out);
    json_print_string(out, d->layout.schema->name);
    fputs(",\n\"a\":", out);
    side_print(out, &d->sides[WS_A]);
    fputs(",\n\"b\":", out);
    side_print(out, &d->sides[WS_B]);
    fprintf(out,
            ",\n\"equal\":%s,\"same\":%" PRIu64 ",\"changed\":%" PRIu64 ",\"certain\":%" PRIu64,
            d->changed + d->sides[WS_A].only + d->sides[WS_B].only == 0 ? "true" : "false",
            d->equal, d->changed, d->certain);
    ws_diff_windows_json(out, &d->windows);
    if (d->certain > 0) {
        fputs(",\n\"first\":{\"virtual_time\":", out);
        json_print_double(out, d->first_time);
        fputc(',', out);
        pair_print(out, d, d->first[WS_A], d->first[WS_B]);
        fprintf(out, "},\n\"behind_end\":%s", ws_diff_is_behind_end(d, &end) ? "true" : "false");
        origin_print(out, &d->origin);
    }
    if (d->certain > 0 && d->origin.has_lp) {
        good = context_show(out, d, output);
    }
    fputs("}", out);
    return good;
}
