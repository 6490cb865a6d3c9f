/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * json.c - "warpscope info --json": everything known about a file as one JSON object.
 */
#include <inttypes.h>
#include <string.h>

#include "access/journals.h"
#include "info/info.h"
#include "render/text.h"

static void string_member(FILE *out, const char *name, const char *value)
{
    fprintf(out, ",\"%s\":", name);
    if (value == NULL) {
        fputs("null", out);
    } else {
        ws_json_string(out, value, strlen(value));
    }
}

static void number_member(FILE *out, const char *name, uint64_t value)
{
    fprintf(out, ",\"%s\":%" PRIu64, name, value);
}

/* Prints null if the number is not known. */
static void dropped_member(FILE *out, uint64_t dropped, bool unknown)
{
    if (unknown) {
        fputs(",\"records_dropped\":null", out);
    } else {
        number_member(out, "records_dropped", dropped);
    }
}

static void float_member(FILE *out, const char *name, double value)
{
    fprintf(out, ",\"%s\":", name);
    ws_json_f64(out, value);
}

static void bool_member(FILE *out, const char *name, bool value)
{
    fprintf(out, ",\"%s\":%s", name, value ? "true" : "false");
}

/* Prints [min, max], or null. */
static void range_member(FILE *out, const char *name, const struct ws_range *range)
{
    fprintf(out, ",\"%s\":", name);
    if (!range->known) {
        fputs("null", out);
        return;
    }
    fputc('[', out);
    ws_json_f64(out, range->min);
    fputc(',', out);
    ws_json_f64(out, range->max);
    fputc(']', out);
}

static void run_json(FILE *out, const struct fmt_superblock *sb)
{
    fputs(",\"run\":{", out);
    for (uint32_t i = 0; i < sb->n_run; i++) {
        if (i > 0) {
            fputc(',', out);
        }
        ws_json_string(out, sb->run[i].key, strlen(sb->run[i].key));
        fputc(':', out);
        ws_json_string(out, sb->run[i].value, strlen(sb->run[i].value));
    }
    fputc('}', out);
}

static void schemas_json(FILE *out, const struct ws_file *survey)
{
    const struct fmt_superblock *sb = survey->sb;
    fputs(",\"records_of\":[", out);
    for (uint32_t s = 0; s < sb->n_schemas; s++) {
        const struct fmt_schema *schema = sb->schemas[s];
        fprintf(out, "%s{\"id\":%" PRIu32, s > 0 ? "," : "", schema->id);
        string_member(out, "name", schema->name);
        string_member(out, "text", schema->text);
        number_member(out, "records", survey->kind_records[s]);
        fputs(",\"fields\":[", out);
        for (uint32_t i = 0; i < schema->n_fields; i++) {
            const struct fmt_field *f = &schema->fields[i];
            fprintf(out, "%s{\"name\":\"%s\"", i > 0 ? "," : "", f->name);
            string_member(out, "type", fmt_type_name(f->type));
            string_member(out, "unit", f->unit);
            string_member(out, "measure", fmt_measure_name(f->measure));
            string_member(out, "text", f->text);
            fputc('}', out);
        }
        fputs("]}", out);
    }
    fputc(']', out);
}

/* Writes the names of the values 0, 1, 2 ... of a field that has names. */
static void names_json(FILE *out, const char *const *names)
{
    const char *between = ",\"names\":[";
    for (size_t i = 0; names != NULL && names[i] != NULL; i++) {
        fputs(between, out);
        ws_json_string(out, names[i], strlen(names[i]));
        between = ",";
    }
    fputs(between[1] == '\0' ? "]" : "", out);
}

static void descs_json(FILE *out, const struct fmt_desc_set *descs)
{
    fputs(",\"payloads\":[", out);
    for (size_t d = 0; d < descs->n; d++) {
        const struct fmt_payload_desc *desc = &descs->descs[d];
        fprintf(out, "%s{\"id\":%" PRIu32, d > 0 ? "," : "", desc->id);
        number_member(out, "kind", desc->kind);
        string_member(out, "owner", desc->owner);
        number_member(out, "size", desc->size);
        fputs(",\"fields\":[", out);
        for (uint32_t i = 0; i < desc->n_fields; i++) {
            const struct fmt_payload_field *f = &desc->fields[i];
            fprintf(out, "%s{\"name\":\"%s\"", i > 0 ? "," : "", f->name);
            string_member(out, "type", fmt_type_name(f->type));
            string_member(out, "unit", f->unit);
            string_member(out, "measure", fmt_measure_name(f->measure));
            number_member(out, "offset", f->offset);
            number_member(out, "count", f->count);
            names_json(out, f->names);
            fputc('}', out);
        }
        fputs("]}", out);
    }
    fputc(']', out);
}

static void pes_json(FILE *out, const struct ws_file *s)
{
    fputs(",\"pes\":[", out);
    for (uint32_t i = 0; i < s->sb->layout.n_pes; i++) {
        const struct ws_pe *pe = &s->pes[i];
        fprintf(out, "%s{\"pe\":%" PRIu32, i > 0 ? "," : "", i);
        bool_member(out, "complete", ws_pe_complete(pe));
        number_member(out, "records", pe->records);
        number_member(out, "blocks", pe->blocks);
        dropped_member(out, pe->dropped, pe->unknown_loss);
        number_member(out, "records_missing", pe->missing);
        if (pe->ended) {
            number_member(out, "end_code", pe->end_code);
            float_member(out, "end_gvt", pe->end_gvt);
            float_member(out, "end_real_time", pe->end_real_time);
        }
        fputc('}', out);
    }
    fputc(']', out);
}

static void faults_json(FILE *out, const struct ws_file *s)
{
    number_member(out, "n_faults", s->n_faults);
    fputs(",\"faults\":[", out);
    for (uint64_t i = 0; i < s->n_faults && i < WS_FAULTS_SHOWN; i++) {
        const struct fmt_error *f = &s->faults[i];
        fprintf(out, "%s{\"text\":", i > 0 ? "," : "");
        ws_json_string(out, f->text, strlen(f->text));
        if (f->offset != FMT_NO_OFFSET) {
            number_member(out, "offset", f->offset);
        }
        if (f->pe != FMT_NO_PE) {
            number_member(out, "pe", f->pe);
        }
        fputc('}', out);
    }
    fputc(']', out);
}

void ws_info_json(FILE *out, const struct ws_file *s)
{
    fputs("{\"path\":", out);
    ws_json_string(out, s->path, strlen(s->path));
    bool_member(out, "complete", ws_file_good(s));
    if (s->pes != NULL) {
        const struct fmt_superblock *sb = s->sb;
        string_member(out, "stream", fmt_stream_name(sb->stream));
        fprintf(out, ",\"format\":\"%" PRIu32 ".%" PRIu32 "\"", sb->version_major,
                sb->version_minor);
        number_member(out, "n_pes", sb->layout.n_pes);
        number_member(out, "records", s->records);
        dropped_member(out, s->dropped, s->pes_unknown_loss > 0);
        number_member(out, "pes_of_unknown_loss", s->pes_unknown_loss);
        number_member(out, "records_missing", s->missing);
        number_member(out, "blocks", s->blocks);
        number_member(out, "stored_bytes", s->stored_bytes);
        number_member(out, "raw_bytes", s->raw_bytes);
        number_member(out, "journals", ws_journals_count(s));
        range_member(out, "virtual_time", &s->virtual_time);
        range_member(out, "real_time", &s->real_time);
        if (s->pes_ended > 0) {
            string_member(out, "outcome", s->end_text);
            number_member(out, "end_code", s->end_code);
            bool_member(out, "ends_differ", s->ends_differ);
            float_member(out, "end_gvt", s->end_gvt);
            float_member(out, "end_real_time", s->end_real_time);
        }
        run_json(out, sb);
        schemas_json(out, s);
        descs_json(out, &s->descs);
        pes_json(out, s);
    }
    faults_json(out, s);
    fputc('}', out);
}
