/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report.c - the recording's part of the final report.
 *
 * The totals are the sums over all ranks from recorder_finish(). Losses and incomplete files are
 * reported at the end of the text.
 */
#include "record/recorder.h"
#include "text/json.h"

static bool recorder_has_report(const struct recorder *recorder)
{
    for (int kind = 0; kind < RECORD_FILES; kind++) {
        if (recorder->files[kind].in_use) {
            return true;
        }
    }
    return false;
}

/* Prints a line of the report: label in 50 columns, number in 11, like the lines of the engine. */
static void print_stream(const struct record_file *file, enum record_file_id kind, FILE *out)
{
    const struct stream_totals *t = &file->totals;
    char label[256];
    if (file->path == NULL) {
        snprintf(label, sizeof(label), "Records of %s, not written (--disable-output)",
                 fmt_stream_name(record_file_stream(kind)));
    } else {
        const char *name = strrchr(file->path, '/') + 1;
        snprintf(label, sizeof(label), "Records in %s (%" PRIu64 " KiB)", name,
                 (t->bytes + 1023) / 1024);
    }
    fprintf(out, "\t%-50s %11" PRIu64 "\n", label, file->path == NULL ? t->collected : t->written);
}

static void print_ross8(const struct ross8_made *made, FILE *out)
{
    char label[256];
    snprintf(label, sizeof(label), "Records in %s (%" PRIu64 " KiB)", strrchr(made->path, '/') + 1,
             (made->bytes + 1023) / 1024);
    fprintf(out, "\t%-50s %11" PRIu64 "\n", label, made->records);
}

static void print_loss(const struct record_file *file, FILE *out)
{
    const struct stream_totals *t = &file->totals;
    if (t->dropped > 0) {
        fprintf(out,
                "\tWARNING: %" PRIu64 " of %" PRIu64
                " records of %s were dropped: buffers full (--buffer-full=drop)\n",
                t->dropped, t->collected, file->path);
    }
    if (t->lost > 0) {
        fprintf(out,
                "\tWARNING: %" PRIu64 " of %" PRIu64 " records of %s are lost: writing failed\n",
                t->lost, t->collected, file->path);
    } else if (t->failed) {
        fprintf(out, "\tWARNING: %s is incomplete: writing its end failed\n", file->path);
    }
}

void recorder_report_text(const struct recorder *recorder, FILE *out)
{
    if (!recorder_has_report(recorder)) {
        return;
    }
    fprintf(out, "Recorded: %s\n", recorder->dir != NULL ? recorder->dir : "nothing written");
    for (int kind = 0; kind < RECORD_FILES; kind++) {
        if (recorder->files[kind].in_use && !recorder->files[kind].is_replaced) {
            print_stream(&recorder->files[kind], (enum record_file_id)kind, out);
        }
    }
    for (int file = 0; file < ROSS8_FILES; file++) {
        if (recorder->ross8_files[file].path != NULL) {
            print_ross8(&recorder->ross8_files[file], out);
        }
    }
    for (int kind = 0; kind < RECORD_FILES; kind++) {
        print_loss(&recorder->files[kind], out);
    }
    fputc('\n', out);
}

static void print_totals_json(const struct record_file *file, FILE *out)
{
    const struct stream_totals *t = &file->totals;
    bool complete = file->path != NULL && !t->failed && t->dropped == 0;
    fprintf(out,
            ", \"collected\": %" PRIu64 ", \"records\": %" PRIu64 ", \"bytes\": %" PRIu64
            ", \"lost\": %" PRIu64 ", \"dropped\": %" PRIu64 ", \"spilled_bytes\": %" PRIu64
            ", \"complete\": %s, \"crash_safe\": %s}",
            t->collected, t->written, t->bytes, t->lost, t->dropped, t->spilled_bytes,
            complete ? "true" : "false", t->crash_safe ? "true" : "false");
}

static void print_ross8_json(const struct ross8_made *made, FILE *out)
{
    bool any = false;
    for (int file = 0; file < ROSS8_FILES; file++) {
        if (made[file].path == NULL) {
            continue;
        }
        fputs(any ? ", {\"file\": " : ", \"ross8_files\": [{\"file\": ", out);
        json_print_string(out, made[file].path);
        fprintf(out, ", \"records\": %" PRIu64 ", \"bytes\": %" PRIu64 "}", made[file].records,
                made[file].bytes);
        any = true;
    }
    fputs(any ? "]" : "", out);
}

void recorder_report_json(const struct recorder *recorder, FILE *out)
{
    if (!recorder_has_report(recorder)) {
        return;
    }
    fputs(", \"recorded\": {\"directory\": ", out);
    json_print_string(out, recorder->dir);
    fputs(", \"streams\": [", out);
    const char *separator = "";
    for (int kind = 0; kind < RECORD_FILES; kind++) {
        const struct record_file *file = &recorder->files[kind];
        if (!file->in_use) {
            continue;
        }
        fprintf(out, "%s{\"stream\": \"%s\", \"file\": ", separator,
                fmt_stream_name(record_file_stream((enum record_file_id)kind)));
        json_print_string(out, file->is_replaced ? NULL : file->path);
        print_totals_json(file, out);
        separator = ", ";
    }
    fputs("]", out);
    print_ross8_json(recorder->ross8_files, out);
    fputs("}", out);
}
