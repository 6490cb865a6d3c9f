/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * file_json.c - prints a description of record files as JSON, which is the output of "warpscope
 * info --json". See file_json.h.
 */
#include "access/file_json.h"

#include <inttypes.h>
#include <stdio.h>

#include "access/journals.h"
#include "text/date.h"
#include "text/json.h"

/* Prints the number of dropped records; null if it is unknown. */
static void dropped_put(struct json_writer *json, uint64_t dropped, bool unknown)
{
    if (unknown) {
        json_put_null(json, "records_dropped");
    } else {
        json_put_u64(json, "records_dropped", dropped);
    }
}

/* Prints a range under the key `name` as [min, max]; null if the range is empty. */
static void range_put(struct json_writer *json, const char *name, const struct ws_range *range)
{
    if (!range->known) {
        json_put_null(json, name);
        return;
    }
    json_array_open(json, name);
    json_put_double(json, NULL, range->min);
    json_put_double(json, NULL, range->max);
    json_array_close(json);
}

static void changes_json(struct json_writer *json, const struct ws_file *s)
{
    json_array_open(json, "changes");
    for (size_t i = 0; i < s->n_changes; i++) {
        const struct fmt_change *c = &s->changes[i];
        char date[DATE_MAX];
        date_text(date, c->date);
        json_object_open(json, NULL);
        json_put_u64(json, "number", c->number);
        json_put_string(json, "request", c->text);
        json_put_double(json, "gvt", c->gvt);
        json_put_double(json, "real_time", c->real_time);
        json_put_string(json, "date", date);
        json_put_string(json, "user", c->user);
        json_put_string(json, "host", c->host);
        json_put_u64(json, "pid", c->pid);
        json_object_close(json);
    }
    json_array_close(json);
}

static void run_json(struct json_writer *json, const struct fmt_superblock *sb)
{
    json_object_open(json, "run");
    for (uint32_t i = 0; i < sb->n_run; i++) {
        json_put_string(json, sb->run[i].key, sb->run[i].value);
    }
    json_object_close(json);
}

static void schemas_json(struct json_writer *json, const struct ws_file *file)
{
    const struct fmt_superblock *sb = file->sb;
    json_array_open(json, "records_of");
    for (uint32_t s = 0; s < sb->n_schemas; s++) {
        const struct fmt_schema *schema = sb->schemas[s];
        json_object_open(json, NULL);
        json_put_u64(json, "id", schema->id);
        json_put_string(json, "name", schema->name);
        json_put_string(json, "text", schema->text);
        json_put_u64(json, "records", file->kind_records[s]);
        json_array_open(json, "fields");
        for (uint32_t i = 0; i < schema->n_fields; i++) {
            const struct fmt_field *f = &schema->fields[i];
            json_object_open(json, NULL);
            json_put_string(json, "name", f->name);
            json_put_string(json, "type", fmt_type_name(f->type));
            json_put_string(json, "unit", f->unit);
            json_put_string(json, "measure", fmt_measure_name(f->measure));
            json_put_string(json, "text", f->text);
            json_object_close(json);
        }
        json_array_close(json);
        json_object_close(json);
    }
    json_array_close(json);
}

/* Prints the names of the values 0, 1, 2 ... of a field as an array. Prints nothing if names is
 * NULL. */
static void names_json(struct json_writer *json, const char *const *names)
{
    if (names == NULL) {
        return;
    }
    json_array_open(json, "names");
    for (size_t i = 0; names[i] != NULL; i++) {
        json_put_string(json, NULL, names[i]);
    }
    json_array_close(json);
}

static void descs_json(struct json_writer *json, const struct fmt_desc_set *descs)
{
    json_array_open(json, "payloads");
    for (size_t d = 0; d < descs->n; d++) {
        const struct fmt_payload_desc *desc = &descs->descs[d];
        json_object_open(json, NULL);
        json_put_u64(json, "id", desc->id);
        json_put_u64(json, "kind", desc->kind);
        json_put_string(json, "owner", desc->owner);
        json_put_u64(json, "size", desc->size);
        json_array_open(json, "fields");
        for (uint32_t i = 0; i < desc->n_fields; i++) {
            const struct fmt_payload_field *f = &desc->fields[i];
            json_object_open(json, NULL);
            json_put_string(json, "name", f->name);
            json_put_string(json, "type", fmt_type_name(f->type));
            json_put_string(json, "unit", f->unit);
            json_put_string(json, "measure", fmt_measure_name(f->measure));
            json_put_u64(json, "offset", f->offset);
            json_put_u64(json, "count", f->count);
            names_json(json, f->names);
            json_object_close(json);
        }
        json_array_close(json);
        json_object_close(json);
    }
    json_array_close(json);
}

static void pes_json(struct json_writer *json, const struct ws_file *s)
{
    json_array_open(json, "pes");
    for (uint32_t i = 0; i < s->sb->layout.n_pes; i++) {
        const struct ws_pe *pe = &s->pes[i];
        json_object_open(json, NULL);
        json_put_u64(json, "pe", i);
        json_put_bool(json, "complete", ws_pe_complete(pe));
        json_put_u64(json, "records", pe->records);
        json_put_u64(json, "blocks", pe->blocks);
        dropped_put(json, pe->dropped, pe->unknown_loss);
        json_put_u64(json, "records_missing", pe->missing);
        if (pe->ended) {
            json_put_u64(json, "end_code", pe->end_code);
            json_put_double(json, "end_gvt", pe->end_gvt);
            json_put_double(json, "end_real_time", pe->end_real_time);
        }
        json_object_close(json);
    }
    json_array_close(json);
}

static void faults_json(struct json_writer *json, const struct ws_file *s)
{
    json_put_u64(json, "n_faults", s->n_faults);
    json_array_open(json, "faults");
    for (uint64_t i = 0; i < s->n_faults && i < WS_FAULTS_SHOWN; i++) {
        const struct fmt_error *f = &s->faults[i];
        json_object_open(json, NULL);
        json_put_string(json, "text", f->text);
        if (f->offset != FMT_NO_OFFSET) {
            json_put_u64(json, "offset", f->offset);
        }
        if (f->pe != FMT_NO_PE) {
            json_put_u64(json, "pe", f->pe);
        }
        json_object_close(json);
    }
    json_array_close(json);
}

static void file_json(struct json_writer *json, const struct ws_file *s)
{
    json_object_open(json, NULL);
    json_put_string(json, "path", s->path);
    json_put_bool(json, "complete", ws_file_good(s));
    if (s->pes != NULL) {
        const struct fmt_superblock *sb = s->sb;
        json_put_string(json, "stream", fmt_stream_name(sb->stream));
        if (s->number > 0) {
            json_put_u64(json, "part", s->number);
            json_put_u64(json, "parts", s->n_siblings);
        }
        char version[32];
        snprintf(version, sizeof version, "%" PRIu32 ".%" PRIu32, sb->version_major,
                 sb->version_minor);
        json_put_string(json, "format", version);
        json_put_u64(json, "n_pes", sb->layout.n_pes);
        json_put_u64(json, "records", s->records);
        dropped_put(json, s->dropped, s->pes_unknown_loss > 0);
        json_put_u64(json, "pes_of_unknown_loss", s->pes_unknown_loss);
        json_put_u64(json, "records_missing", s->missing);
        if (s->overwritten > 0) {
            json_put_u64(json, "records_overwritten", s->overwritten);
            json_put_double(json, "kept_gvt", s->kept_gvt);
            json_put_double(json, "kept_real_time", s->kept_real_time);
        }
        json_put_u64(json, "blocks", s->blocks);
        json_put_u64(json, "stored_bytes", s->stored_bytes);
        json_put_u64(json, "raw_bytes", s->raw_bytes);
        json_put_u64(json, "journals", ws_journals_count(s));
        range_put(json, "virtual_time", &s->virtual_time);
        range_put(json, "real_time", &s->real_time);
        if (s->pes_ended > 0) {
            json_put_string(json, "outcome", s->end_text);
            json_put_u64(json, "end_code", s->end_code);
            json_put_bool(json, "ends_differ", s->ends_differ);
            json_put_double(json, "end_gvt", s->end_gvt);
            json_put_double(json, "end_real_time", s->end_real_time);
        }
        changes_json(json, s);
        run_json(json, sb);
        schemas_json(json, s);
        descs_json(json, &s->descs);
        pes_json(json, s);
    }
    faults_json(json, s);
    json_object_close(json);
}

void ws_files_json(FILE *out, const struct ws_file *files, size_t n, bool complete)
{
    struct json_writer json = {.out = out, .compact = true};
    json_object_open(&json, NULL);
    json_put_bool(&json, "complete", complete);
    json_array_open(&json, "files");
    for (size_t i = 0; i < n; i++) {
        json_line(&json);
        file_json(&json, &files[i]);
    }
    json_array_close(&json);
    json_object_close(&json);
}
