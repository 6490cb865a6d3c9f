/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tracer_lines.h - lines with results of the command line's tracers, which can be sent to other
 * ranks, written to a file and sorted.
 */
#ifndef WARPSCOPE_TASK_TRACER_LINES_H
#define WARPSCOPE_TASK_TRACER_LINES_H

#include "task/tracer.h"

enum tracer_line_type { TRACER_LINE_DOMAIN, TRACER_LINE_STEP, TRACER_LINE_OPEN };

/* A line of results: about a domain, a step of a domain, or an open task. Members that a type does
 * not use are 0. */
struct tracer_line {
    uint32_t size; /* size of the line with its strings in bytes, a multiple of 8 */
    uint32_t type;
    uint32_t tracer; /* index of the tracer on the command line, from 0 */
    uint32_t second; /* offset in bytes of the second string in `texts` */
    /* Offset in bytes of the third string in `texts`. */
    uint32_t third;
    uint32_t zero;
    tw_lpid lp;
    uint64_t order; /* ordinal number of the domain among those of its LP, from 1 */
    uint64_t place; /* for a STEP: ordinal number of the step among those of its domain, from 1 */
    uint64_t begun, ended;
    double busy, total, least, most;
    uint64_t occurrences, tasks;
    /* For a STEP: virtual time of the step's first occurrence; for an OPEN task: its start. */
    double first;
    uint64_t first_order;  /* for a STEP: record number of the step's first occurrence */
    st_task_id id, parent; /* for an OPEN task: its id and that of its parent */
    /* Strings one after another, each ended by a zero: the place; then, for a STEP, the name of the
     * step; for an OPEN task, its kind and its `what`. */
    char texts[];
};

/* A growing sequence of lines. A zero-initialised sequence is empty. */
struct tracer_lines {
    char *bytes; /* owned; the lines one after another */
    size_t size, room;
    bool has_failed; /* true if lines are missing because memory was exhausted */
};

/* Appends the lines about a tracer to `lines`, in the order of LPs. Busy times count up to the
 * virtual time `now`. number: index of the tracer on the command line. */
void tracer_lines_add(struct tracer_lines *lines, const struct st_tracer *tracer, uint32_t number,
                      tw_stime now);
/* Returns the line at offset *at (initially 0) and advances *at to the next line; NULL: no more
 * lines. */
const struct tracer_line *tracer_lines_next(const struct tracer_lines *lines, size_t *at);
/* Gathers the lines of all ranks on rank 0, where they are appended to `all` in the order of ranks.
 * mine: lines of this rank. Collective. */
void tracer_lines_gather(struct tracer_lines *all, const struct tracer_lines *mine);
void tracer_lines_fini(struct tracer_lines *lines);

static inline const char *tracer_line_where(const struct tracer_line *line)
{
    return line->texts;
}
static inline const char *tracer_line_second(const struct tracer_line *line)
{
    return line->texts + line->second;
}
static inline const char *tracer_line_third(const struct tracer_line *line)
{
    return line->texts + line->third;
}

#endif
