/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * row_texts.h - the strings of tasks and tracers, stored as payloads of their records.
 *
 * A payload description fixes the size of the payload. There is therefore one description for each
 * family of strings and each of the widths 16, 32, 64, 128, 256 and 1024 bytes. All strings of a
 * record have the same width: the smallest into which the longest of them fits. The ids of the
 * descriptions are the same on all ranks and in all runs.
 */
#ifndef WARPSCOPE_TASK_ROW_TEXTS_H
#define WARPSCOPE_TASK_ROW_TEXTS_H

#include "record/buffer/stream.h"

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

#endif
