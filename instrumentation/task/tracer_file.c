/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tracer_file.c - writes the lines about the LPs of this rank. Merged, the lines of all ranks are
 * the same for any number of ranks.
 */
#include "task/task_file.h"

#include "task/row_texts.h"

void tracer_file_init(struct record_stream *stream)
{
    row_texts_describe(stream, ROW_TEXTS_TASK);
    row_texts_describe(stream, ROW_TEXTS_TRACER);
    row_texts_describe(stream, ROW_TEXTS_TRACER_STEP);
}

static struct row_texts texts_of(enum row_texts_family family, const char *a, const char *b,
                                 const char *c)
{
    struct row_texts texts = {.family = family, .texts = {a, b, c}};
    row_texts_measure(&texts);
    return texts;
}

#define FILL_ID(row, line, texts, now)                                                             \
    do {                                                                                           \
        TASK_ROW_WHERE(row, (line)->lp, texts);                                                    \
        (row)->vt = (now);                                                                         \
        (row)->lp = (line)->lp;                                                                    \
        (row)->tracer = (line)->tracer + 1;                                                        \
    } while (0)

static void write_domain(struct record_channel *channel, const struct tracer_line *line,
                         const char *spec, tw_stime now)
{
    struct row_texts texts = texts_of(ROW_TEXTS_TRACER, spec, tracer_line_where(line), NULL);
    size_t bytes = fmt_row_bytes(sizeof(struct fmt_tracer_row), texts.size);
    struct fmt_tracer_row *row = channel_reserve(channel, bytes);
    FILL_ID(row, line, texts, now);
    row->order = line->order;
    row->begun = line->begun;
    row->ended = line->ended;
    row->busy = line->busy;
    row->total = line->total;
    row->average = line->ended > 0 ? line->total / (double)line->ended : 0.0;
    row->least = line->least;
    row->most = line->most;
    row_texts_put(&texts, row + 1);
    channel_commit(channel, bytes);
}

static void write_step(struct record_channel *channel, const struct tracer_line *line,
                       const char *spec, tw_stime now)
{
    struct row_texts texts =
        texts_of(ROW_TEXTS_TRACER_STEP, spec, tracer_line_where(line), tracer_line_second(line));
    size_t bytes = fmt_row_bytes(sizeof(struct fmt_tracer_step_row), texts.size);
    struct fmt_tracer_step_row *row = channel_reserve(channel, bytes);
    FILL_ID(row, line, texts, now);
    row->order = line->order;
    row->place = line->place;
    row->occurrences = line->occurrences;
    row->tasks = line->tasks;
    row->first = line->first;
    row->first_order = line->first_order;
    row_texts_put(&texts, row + 1);
    channel_commit(channel, bytes);
}

static void write_open(struct record_channel *channel, const struct tracer_line *line, tw_stime now)
{
    struct row_texts texts = texts_of(ROW_TEXTS_TASK, tracer_line_second(line),
                                      tracer_line_third(line), tracer_line_where(line));
    size_t bytes = fmt_row_bytes(sizeof(struct fmt_tracer_open_row), texts.size);
    struct fmt_tracer_open_row *row = channel_reserve(channel, bytes);
    FILL_ID(row, line, texts, now);
    TASK_ROW_ID(row, line->id);
    TASK_ROW_PARENT(row, line->parent);
    row->start = line->first;
    row_texts_put(&texts, row + 1);
    channel_commit(channel, bytes);
}

void tracer_file_write(struct record_stream *stream, const struct tracer_lines *lines,
                       struct st_tracer *const *tracers, tw_stime now)
{
    struct record_channel *domains = stream_channel(stream, FMT_RECORD_TRACER);
    struct record_channel *steps = stream_channel(stream, FMT_RECORD_TRACER_STEP);
    struct record_channel *open = stream_channel(stream, FMT_RECORD_TRACER_OPEN);
    const struct tracer_line *line;
    for (size_t at = 0; (line = tracer_lines_next(lines, &at)) != NULL;) {
        const char *spec = tracers[line->tracer]->spec.text;
        switch (line->type) {
        case TRACER_LINE_DOMAIN:
            write_domain(domains, line, spec, now);
            break;
        case TRACER_LINE_STEP:
            write_step(steps, line, spec, now);
            break;
        default:
            write_open(open, line, now);
        }
    }
}
