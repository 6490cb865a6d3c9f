/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ross.c - writes selected records in the file formats of ROSS 8. The layouts of the records are in
 * ross8/layout.h, which the simulation uses as well. This file opens the outputs and prints notes.
 *
 * Model records of one stream can go to two outputs. Those taken at virtual times go to
 * PREFIX-analysis-lps.bin, which is created at the first such record; all others go to
 * PREFIX-model.bin.
 */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "access/facts.h"
#include "export/export.h"
#include "ross8/layout.h"

/* A kind of record. */
struct sink {
    bool has_place; /* true if ROSS's files have a place for it */
    struct ross8_kind kind;
};

/* The outputs for the current record file. */
struct state {
    struct ws_out *outs[ROSS8_FILES]; /* indexed by enum ross8_file: the outputs; NULL: not begun */
    double ticks_per_second;          /* clock ticks per second; 0: unknown */
    bool times_said, ticks_said;
    struct ross8_notes notes;
};

/* ---- Beginning and end ----------------------------------------------------------------------- */

static void note_print(void *ctx, const char *text)
{
    const struct ws_export *x = ctx;
    ws_say(&ws_on_stderr, "%s: note: %s", x->stream->path, text);
}

static bool out_begin(struct ws_export *x, enum ross8_file file)
{
    assert(file < ROSS8_FILES);
    struct state *s = x->state;
    if (s->outs[file] == NULL) {
        s->outs[file] = ws_export_out(x, ross8_file_name(file));
    }
    return s->outs[file] != NULL;
}

/* Returns true if the run that wrote the current stream recorded model values at virtual times
 * only. */
static bool is_virtual_time_only(const struct ws_export *x)
{
    const char *when = ws_fact(x->stream->sb, "option_model_stats");
    return when != NULL && strcmp(when, "4") == 0;
}

/* Returns true if all parts of the current stream can go into one file of ROSS, which has either
 * events or rollbacks. Otherwise prints an error message and returns false. */
static bool parts_agree(const struct ws_export *x)
{
    static const char key[] = "option_event_trace", rollbacks[] = "2";
    const struct ws_file *first = NULL;
    for (uint32_t i = 0; i < ws_stream_parts(x->stream); i++) {
        const struct ws_file *part = ws_stream_part(x->stream, i);
        const char *mode = part->pes == NULL ? NULL : ws_fact(part->sb, key);
        if (mode == NULL || x->stream->sb->stream != FMT_STREAM_EVTRACE) {
            continue;
        }
        first = first == NULL ? part : first;
        const char *before = ws_fact(first->sb, key);
        if ((strcmp(mode, rollbacks) == 0) != (strcmp(before, rollbacks) == 0)) {
            return ws_say(
                &ws_on_stderr,
                "%s was recorded with --event-trace=%s, %s with --event-trace=%s: a file of ROSS"
                " 8 has either events or rollbacks. Export each by its name",
                first->path, before, part->path, mode);
        }
    }
    return true;
}

static bool file_begin(struct ws_export *x)
{
    if (!parts_agree(x)) {
        return false;
    }
    struct state *s = x->state;
    memset(s->outs, 0, sizeof s->outs);
    s->notes = (struct ross8_notes){note_print, x};
    s->ticks_per_second = ross8_ticks_per_second(x->stream->sb);
    s->ticks_said = false;
    for (uint32_t i = 0; i < x->n_kinds; i++) {
        struct ross8_kind kind;
        bool has_place = ross8_kind_init(&kind, x->kinds[i].schema);
        bool to_analysis = kind.file == ROSS8_MODEL && is_virtual_time_only(x);
        if (has_place && !out_begin(x, to_analysis ? ROSS8_ANALYSIS : kind.file)) {
            return false;
        }
    }
    return true;
}

static bool file_end(struct ws_export *x)
{
    struct state *s = x->state;
    bool good = true;
    for (int file = 0; file < ROSS8_FILES; file++) {
        good = good && (s->outs[file] == NULL || ws_out_end(s->outs[file]));
    }
    return good;
}

/* Prints a note if times in records of this kind lose precision in this format, and another note if
 * some of these times are unknown. Prints each note only once. */
static void losses_say(struct ws_export *x, struct state *s, const struct ross8_kind *kind)
{
    if (ross8_kind_has_short_times(kind) && !s->times_said) {
        ws_say(&ws_on_stderr,
               "note: times of events, of model records and ahead of GVT have 32 bits"
               " in ROSS's files: 7 digits");
        s->times_said = true;
    }
    if (ross8_kind_has_ticks(kind) && s->ticks_per_second == 0 && !s->ticks_said) {
        note_print(x, "the file has no clock rate, so times of phases are written as 0");
        s->ticks_said = true;
    }
}

static bool kind_begin(struct ws_export *x, struct ws_table_schema *kind)
{
    struct sink *k = kind->sink;
    k->has_place = ross8_kind_init(&k->kind, kind->schema);
    if (k->has_place) {
        losses_say(x, x->state, &k->kind);
    } else {
        ws_say(&ws_on_stderr, "%s: note: records %s have no place in ROSS's files and are left out",
               x->stream->path, kind->schema->name);
    }
    return true;
}

/* ---- Records --------------------------------------------------------------------------------- */

static bool row_write(struct ws_export *x, struct ross8_kind *kind, const struct fmt_columns *c,
                      uint32_t row)
{
    assert(row < c->n_records);
    struct state *s = x->state;
    struct ross8_record record;
    ross8_record_make(kind, c, row, s->ticks_per_second, &s->notes, &record);
    if (!out_begin(x, record.file) ||
        !ws_out_write(s->outs[record.file], record.bytes, record.size)) {
        return false;
    }
    uint64_t at = c->payload_offset[row], end = c->payload_offset[row + 1];
    return end == at || ws_out_write(s->outs[record.file], c->payload + at, (size_t)(end - at));
}

static bool kind_rows(struct ws_export *x, struct ws_table_schema *kind, const struct ws_rows *rows)
{
    struct sink *k = kind->sink;
    for (uint32_t i = 0; k->has_place && i < rows->n; i++) {
        if (!row_write(x, &k->kind, rows->columns, ws_rows_row(rows, i))) {
            return false;
        }
    }
    return true;
}

const struct ws_export_format ws_export_ross = {
    .name = "ross",
    .extension = ".bin",
    .state_size = sizeof(struct state),
    .sink_size = sizeof(struct sink),
    .file_begin = file_begin,
    .kind_begin = kind_begin,
    .kind_rows = kind_rows,
    .file_end = file_end,
};
