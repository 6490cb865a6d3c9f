/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * row_texts.h - the strings of tasks and tracers, stored as payloads of their records, and fields that
 * several kinds of these records have in common.
 *
 * A payload description fixes the size of the payload. There is therefore one description for each
 * family of strings and each of the widths 16, 32, 64, 128, 256 and 1024 bytes. All strings of a
 * record have the same width: the smallest into which the longest of them fits. The ids of the
 * descriptions are the same on all ranks and in all runs.
 */
#ifndef WARPSCOPE_TASK_ROW_TEXTS_H
#define WARPSCOPE_TASK_ROW_TEXTS_H

#include "engine/probe.h"
#include "record/buffer/stream.h"
#include "st_task.h"

#define ROW_TEXTS_MAX 3

enum row_texts_family {
    ROW_TEXTS_TASK,        /* strings kind, what and where */
    ROW_TEXTS_STEP,        /* string `step` */
    ROW_TEXTS_TRACER,      /* strings spec and where */
    ROW_TEXTS_TRACER_STEP, /* strings spec, where and step */
    ROW_TEXTS_FAMILIES
};

struct row_texts {
    enum row_texts_family family;
    const char *texts[ROW_TEXTS_MAX]; /* the strings, as many as the family has; not owned */
    /* Type of the payload, and its size in bytes, both set by row_texts_measure(). */
    uint32_t type, size;
};

/* Sets type and size of the payload according to the longest of the strings. */
void row_texts_measure(struct row_texts *texts);
/* Writes texts->size bytes to payload: each string, padded with zeros. Strings longer than 1024
 * bytes are truncated. */
void row_texts_put(const struct row_texts *texts, void *payload);

/* Writes the payload descriptions of a family to the stream's file, if the stream has an open
 * file. */
void row_texts_describe(struct record_stream *stream, enum row_texts_family family);

/* Converts the LP in a task id (1 + gid; 0: none) to the LP in a row (gid; -1: none). */
static inline int64_t task_row_lp(uint64_t lp_plus_1)
{
    return (int64_t)lp_plus_1 - 1;
}

#define TASK_ROW_ID(row, id_)                                                                      \
    do {                                                                                           \
        (row)->lp = (id_).lp - 1;                                                                  \
        (row)->number = (id_).number;                                                              \
        (row)->from = task_row_lp((id_).from);                                                     \
    } while (0)

#define TASK_ROW_PARENT(row, parent_)                                                              \
    do {                                                                                           \
        (row)->parent_lp = task_row_lp((parent_).lp);                                              \
        (row)->parent_number = (parent_).number;                                                   \
        (row)->parent_from = task_row_lp((parent_).from);                                          \
    } while (0)

/* Sets the fields about the place and time of writing, and about the payload. gid: gid of an LP of
 * this rank. */
#define TASK_ROW_WHERE(row, gid, texts_)                                                           \
    do {                                                                                           \
        (row)->real_time = run_seconds();                                                          \
        (row)->pe = (uint32_t)g_tw_pe->id;                                                         \
        (row)->kp = (uint32_t)tw_getlocal_lp(gid)->kp->id;                                         \
        (row)->payload_type = (texts_).type;                                                       \
        (row)->payload_size = (texts_).size;                                                       \
    } while (0)

#endif
