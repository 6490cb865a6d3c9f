/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * file_json.c - prints a description of record files as JSON, which is the output of "warpscope
 * info --json". See record_file.h.
 */

#include <inttypes.h>
#include <stdio.h>

#include "access/covers.h"
#include "access/journals.h"
#include "data/cell.h"
#include "text/date.h"
#include "text/json.h"

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
        ws_put_object(json, NULL, "number|request|gvt|real_time|date|user|host|pid",
                      doc_count(c->number), doc_name(c->text), doc_real(c->gvt),
                      doc_real(c->real_time), doc_name(date), doc_name(c->user), doc_name(c->host),
                      doc_count(c->pid));
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
        ws_put(json, "id|name|text|records", doc_count(schema->id), doc_name(schema->name),
               doc_name(schema->text), doc_count(file->kind_records[s]));
        json_array_open(json, "fields");
        for (uint32_t i = 0; i < schema->n_fields; i++) {
            const struct fmt_field *f = &schema->fields[i];
            ws_put_object(json, NULL, "name|type|unit|measure|text", doc_name(f->name),
                          doc_name(fmt_type_name(f->type)), doc_name(f->unit),
                          doc_name(fmt_measure_name(f->measure)), doc_name(f->text));
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
        ws_put(json, "id|kind|owner|size", doc_count(desc->id), doc_count(desc->kind),
               doc_name(desc->owner), doc_count(desc->size));
        json_array_open(json, "fields");
        for (uint32_t i = 0; i < desc->n_fields; i++) {
            const struct fmt_payload_field *f = &desc->fields[i];
            json_object_open(json, NULL);
            ws_put(json, "name|type|unit|measure|offset|count", doc_name(f->name),
                   doc_name(fmt_type_name(f->type)), doc_name(f->unit),
                   doc_name(fmt_measure_name(f->measure)), doc_count(f->offset),
                   doc_count(f->count));
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
        ws_put_object(json, NULL,
                      "pe|complete|records|blocks|records_dropped|records_missing|end_code|end_gvt|"
                      "end_real_time",
                      doc_count(i), doc_bool(ws_pe_complete(pe)), doc_count(pe->records),
                      doc_count(pe->blocks), doc_known(!pe->unknown_loss, pe->dropped),
                      doc_count(pe->missing), doc_if(pe->ended, doc_count(pe->end_code)),
                      doc_if(pe->ended, doc_real(pe->end_gvt)),
                      doc_if(pe->ended, doc_real(pe->end_real_time)));
    }
    json_array_close(json);
}

static void faults_json(struct json_writer *json, const struct ws_file *s)
{
    json_put_u64(json, "n_faults", s->n_faults);
    json_array_open(json, "faults");
    for (uint64_t i = 0; i < s->n_faults && i < WS_FAULTS_SHOWN; i++) {
        const struct fmt_error *f = &s->faults[i];
        ws_put_object(json, NULL, "text|offset|pe", doc_name(f->text),
                      doc_if(f->offset != FMT_NO_OFFSET, doc_count(f->offset)),
                      doc_if(f->pe != FMT_NO_PE, doc_count(f->pe)));
    }
    json_array_close(json);
}

static void file_json(struct json_writer *json, const struct ws_file *s)
{
    json_object_open(json, NULL);
    json_put_string(json, "path", s->path);
    json_put_bool(json, "complete", ws_file_good(s));
    if (ws_file_is_large(s)) {
        json_put_bool(json, "contents_checked", false);
    }
    if (s->pes != NULL) {
        const struct fmt_superblock *sb = s->sb;
        char version[32];
        bool has_parts = s->number > 0, is_cut = s->overwritten > 0;
        snprintf(version, sizeof version, "%" PRIu32 ".%" PRIu32, sb->version_major,
                 sb->version_minor);
        ws_put(json, "stream|part|parts|format", doc_name(fmt_stream_name(sb->stream)),
               doc_if(has_parts, doc_count(s->number)), doc_if(has_parts, doc_count(s->n_siblings)),
               doc_name(version));
        ws_put(json, "n_pes|records|records_dropped|pes_of_unknown_loss|records_missing",
               doc_count(sb->layout.n_pes), doc_count(s->records),
               doc_known(s->pes_unknown_loss == 0, s->dropped), doc_count(s->pes_unknown_loss),
               doc_count(s->missing));
        ws_put(json, "records_overwritten|kept_gvt|kept_real_time",
               doc_if(is_cut, doc_count(s->overwritten)), doc_if(is_cut, doc_real(s->kept_gvt)),
               doc_if(is_cut, doc_real(s->kept_real_time)));
        ws_put(json, "blocks|stored_bytes|raw_bytes|journals", doc_count(s->blocks),
               doc_count(s->stored_bytes), doc_count(s->raw_bytes),
               doc_count(ws_journals_count(s)));
        range_put(json, "virtual_time", &s->virtual_time);
        range_put(json, "real_time", &s->real_time);
        if (s->pes_ended > 0) {
            ws_put(json, "outcome|end_code|ends_differ|end_gvt|end_real_time",
                   doc_name(s->end_text), doc_count(s->end_code), doc_bool(s->ends_differ),
                   doc_real(s->end_gvt), doc_real(s->end_real_time));
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

void ws_files_json(FILE *out, const struct ws_files *found, const struct ws_file *files, size_t n,
                   bool complete)
{
    struct json_writer json = {.out = out, .compact = true};
    bool is_damaged = false;
    for (size_t i = 0; i < n; i++) {
        is_damaged |= files[i].n_faults > 0;
    }
    ws_document_open(&json);
    json_put_bool(&json, "complete", complete);
    ws_files_covers_json(&json, found, is_damaged);
    json_array_open(&json, "files");
    for (size_t i = 0; i < n; i++) {
        json_line(&json);
        file_json(&json, &files[i]);
    }
    json_array_close(&json);
    json_object_close(&json);
}
