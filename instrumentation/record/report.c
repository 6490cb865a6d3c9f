/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report.c - prints the part of the final report about the recording.
 *
 * The totals are the sums over all ranks from recorder_finish(). Losses and incomplete files are
 * reported at the end of the text.
 */
#include <assert.h>

#include "record/recorder.h"
#include "text/json.h"
#include "text/utf8.h"

struct record_file *recorder_next_file(const struct recorder *recorder, size_t *i)
{
    const struct record_file *file;
    do {
        if (*i >= RECORD_FILES + recorder->n_parts) {
            return NULL;
        }
        file = *i < RECORD_FILES ? &recorder->files[*i] : &recorder->parts[*i - RECORD_FILES];
        ++*i;
    } while (!file->in_use);
    return (struct record_file *)file;
}

bool recorder_has_files(const struct recorder *recorder)
{
    return recorder_next_file(recorder, &(size_t){0}) != NULL;
}

/* Prints the line of the report about a record file: its label in 50 columns and the number of
 * records in 11 columns, as in the engine's report. */
static void print_file(const struct record_file *file, FILE *out)
{
    const struct stream_totals *t = &file->totals;
    const uint32_t stream = record_file_stream(file->kind);
    char label[256];
    if (file->path == NULL) {
        snprintf(label, sizeof(label), "Records of %s, not written (--disable-output)",
                 fmt_stream_name(stream));
    } else {
        const char *name = strrchr(file->path, '/') + 1;
        snprintf(label, sizeof(label), "Records in %s (%" PRIu64 " KiB)", name,
                 (t->bytes + 1023) / 1024);
    }
    utf8_drop_controls(label);
    fprintf(out, "\t%-50s %11" PRIu64 "\n", label, file->path == NULL ? t->collected : t->written);
    if (t->collected == 0 && stream == FMT_STREAM_TASK) {
        fputs("\tHINT: no task began in what was recorded; models tell of tasks by st_task_begin() "
              "or st_task_add()\n",
              out);
    } else if (t->collected == 0 && stream == FMT_STREAM_MODEL) {
        fputs(
            "\tHINT: no sample of the model was taken; a type of LPs needs a function for samples "
            "(st_model_types)\n",
            out);
    }
}

static void print_ross8(const struct ross8_made *made, FILE *out)
{
    assert(made->path != NULL);
    char label[256];
    snprintf(label, sizeof(label), "Records in %s (%" PRIu64 " KiB)", strrchr(made->path, '/') + 1,
             (made->bytes + 1023) / 1024);
    utf8_drop_controls(label);
    fprintf(out, "\t%-50s %11" PRIu64 "\n", label, made->records);
}

static void print_loss(const struct record_file *file, const struct record_limit *limit, FILE *out)
{
    const struct stream_totals *t = &file->totals;
    if (t->dropped > 0) {
        fprintf(out,
                "\tWARNING: %" PRIu64 " of %" PRIu64
                " records of %s were dropped: buffers full (--buffer-full=drop)\n",
                t->dropped, t->collected, file->path);
    }
    if (t->lost > 0) {
        fprintf(out, "\tWARNING: %" PRIu64 " of %" PRIu64 " records of %s are lost: %s\n", t->lost,
                t->collected, file->path,
                limit->is_reached ? "they exceed --stats-limit" : "writing failed");
    }
    if (t->overwritten > 0) {
        fprintf(out, "\t%" PRIu64 " older records of %s were overwritten (--buffer-overwrite)\n",
                t->overwritten, file->path);
    }
    if (t->lost == 0 && t->failed > 0) {
        fprintf(out, "\tWARNING: %s is incomplete: writing its end failed\n", file->path);
    }
}

void recorder_report_text(const struct recorder *recorder, FILE *out)
{
    if (!recorder_has_files(recorder)) {
        return;
    }
    fprintf(out, "Recorded: %s\n", recorder->dir != NULL ? recorder->dir : "nothing written");
    if (recorder->place.is_apart) {
        fprintf(out, "\tOn Disks of Hosts, Joined by info --merge %22d\n",
                recorder->place.n_places);
    }
    const struct record_file *each;
    for (size_t i = 0; (each = recorder_next_file(recorder, &i)) != NULL;) {
        if (!each->is_replaced) {
            print_file(each, out);
        }
    }
    for (int file = 0; file < ROSS8_FILES; file++) {
        if (recorder->ross8_files[file].path != NULL) {
            print_ross8(&recorder->ross8_files[file], out);
        }
    }
    for (size_t i = 0; (each = recorder_next_file(recorder, &i)) != NULL;) {
        print_loss(each, &recorder->limit, out);
    }
    if (recorder->limit.is_reached) {
        fprintf(out,
                "\tWARNING: recording ended at GVT %g, after %g s: --stats-limit=%" PRIu64 "\n",
                recorder->limit.gvt, recorder->limit.seconds, recorder->limit.size);
    }
    fputc('\n', out);
}

static void file_json(struct json_writer *json, const struct record_file *file)
{
    const struct stream_totals *t = &file->totals;
    json_object_open(json, NULL);
    json_put_string(json, "stream", fmt_stream_name(record_file_stream(file->kind)));
    json_put_string(json, "file", file->is_replaced ? NULL : file->path);
    json_put_u64(json, "collected", t->collected);
    json_put_u64(json, "records", t->written);
    json_put_u64(json, "bytes", t->bytes);
    json_put_u64(json, "lost", t->lost);
    json_put_u64(json, "dropped", t->dropped);
    json_put_u64(json, "overwritten", t->overwritten);
    json_put_u64(json, "spilled_bytes", t->spilled_bytes);
    json_put_bool(json, "complete", file->path != NULL && t->failed == 0 && t->dropped == 0);
    json_put_bool(json, "crash_safe", t->unsafe == 0);
    json_object_close(json);
}

static void ross8_json(struct json_writer *json, const struct ross8_made *made)
{
    bool any = false;
    for (int file = 0; file < ROSS8_FILES; file++) {
        if (made[file].path == NULL) {
            continue;
        }
        if (!any) {
            json_array_open(json, "ross8_files");
        }
        any = true;
        json_object_open(json, NULL);
        json_put_string(json, "file", made[file].path);
        json_put_u64(json, "records", made[file].records);
        json_put_u64(json, "bytes", made[file].bytes);
        json_object_close(json);
    }
    if (any) {
        json_array_close(json);
    }
}

void recorder_report_json(const struct recorder *recorder, struct json_writer *json)
{
    if (!recorder_has_files(recorder)) {
        return;
    }
    json_object_open(json, "recorded");
    json_put_string(json, "directory", recorder->dir);
    if (recorder->limit.size != 0) {
        json_put_u64(json, "limit", recorder->limit.size);
        json_put_bool(json, "limit_reached", recorder->limit.is_reached);
    }
    if (recorder->limit.is_reached) {
        json_put_double(json, "limit_gvt", recorder->limit.gvt);
        json_put_double(json, "limit_seconds", recorder->limit.seconds);
    }
    if (recorder->place.is_apart) {
        json_put_u64(json, "places", (uint64_t)recorder->place.n_places);
    }
    json_array_open(json, "streams");
    const struct record_file *file;
    for (size_t i = 0; (file = recorder_next_file(recorder, &i)) != NULL;) {
        file_json(json, file);
    }
    json_array_close(json);
    ross8_json(json, recorder->ross8_files);
    json_object_close(json);
}
