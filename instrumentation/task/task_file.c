/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * task_file.c - writes rows of tasks into the buffers of <prefix>-task.bin.
 *
 * Rows are written when their event commits. PE, KP and real time depend on the distribution of LPs
 * over ranks, and the reader omits them when it merges rows. All other fields are the same for any
 * number of ranks. The row of an end has all data of the task, so that a reader can compute
 * durations without a search for the row of the beginning.
 *
 * Cost: a row of 64 to 104 bytes, the strings, and a clock reading.
 */
#include "task/task_file.h"

#include <assert.h>

#include "engine/probe.h"
#include "task/row_texts.h"

void task_file_init(struct task_file *file, struct record_stream *stream)
{
    *file = (struct task_file){.begins = stream_channel(stream, FMT_RECORD_TASK_BEGIN),
                               .steps = stream_channel(stream, FMT_RECORD_TASK_STEP),
                               .ends = stream_channel(stream, FMT_RECORD_TASK_END)};
    assert(file->begins != NULL && file->steps != NULL && file->ends != NULL);
    row_texts_describe(stream, ROW_TEXTS_TASK);
    row_texts_describe(stream, ROW_TEXTS_STEP);
}

static struct row_texts texts_of(const struct task *task)
{
    struct row_texts texts = {.family = ROW_TEXTS_TASK,
                              .texts = {task->kind, task->what, task->where}};
    row_texts_measure(&texts);
    return texts;
}

/* Sets the fields that rows about beginnings and rows about ends have in common. sort: struct
 * row_texts of the row. */
#define FILL_ROW(row, task, record, sort)                                                          \
    do {                                                                                           \
        TASK_ROW_ID(row, (task)->id);                                                              \
        TASK_ROW_PARENT(row, (task)->parent);                                                      \
        TASK_ROW_WHERE(row, (task)->lp, sort);                                                     \
        (row)->vt = (record)->ts;                                                                  \
        (row)->order = (record)->number;                                                           \
        (row)->start = (task)->start;                                                              \
    } while (0)

static void file_begun(void *ctx, const struct task *task, const st_record *record)
{
    struct task_file *file = ctx;
    struct row_texts texts = texts_of(task);
    size_t bytes = fmt_row_bytes(sizeof(struct fmt_task_begin_row), texts.size);
    struct fmt_task_begin_row *row = channel_reserve(file->begins, bytes);
    FILL_ROW(row, task, record, texts);
    row_texts_put(&texts, row + 1);
    channel_commit(file->begins, bytes);
}

static void file_ended(void *ctx, const struct task *task, const st_record *record)
{
    struct task_file *file = ctx;
    struct row_texts texts = texts_of(task);
    size_t bytes = fmt_row_bytes(sizeof(struct fmt_task_end_row), texts.size);
    struct fmt_task_end_row *row = channel_reserve(file->ends, bytes);
    FILL_ROW(row, task, record, texts);
    row_texts_put(&texts, row + 1);
    channel_commit(file->ends, bytes);
}

static void add_step(struct task_file *file, const struct task *task, const st_step *step,
                     bool is_detail, const st_record *record)
{
    struct row_texts texts = {.family = ROW_TEXTS_STEP, .texts = {step->what}};
    row_texts_measure(&texts);
    size_t bytes = fmt_row_bytes(sizeof(struct fmt_task_step_row), texts.size);
    struct fmt_task_step_row *row = channel_reserve(file->steps, bytes);
    TASK_ROW_ID(row, task->id);
    TASK_ROW_WHERE(row, task->lp, texts);
    row->vt = record->ts;
    row->order = record->number;
    row->at = step->ts;
    row->detail = is_detail;
    row_texts_put(&texts, row + 1);
    channel_commit(file->steps, bytes);
}

static void file_stepped(void *ctx, const struct task *task, const st_step *step,
                         const st_record *record)
{
    add_step(ctx, task, step, false, record);
}

static void file_detailed(void *ctx, const struct task *task, const char *text,
                          const st_record *record)
{
    st_step step = {record->ts, text};
    add_step(ctx, task, &step, true, record);
}

struct task_sink task_file_sink(struct task_file *file)
{
    return (struct task_sink){.ctx = file,
                              .begun = file_begun,
                              .stepped = file_stepped,
                              .detailed = file_detailed,
                              .ended = file_ended};
}
