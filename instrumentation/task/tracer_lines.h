/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tracer_lines.h - results of the command line's tracers, as lines that can be sent, written and
 * sorted.
 */
#ifndef WARPSCOPE_TASK_TRACER_LINES_H
#define WARPSCOPE_TASK_TRACER_LINES_H

#include "task/tracer.h"

enum tracer_line_type { TRACER_LINE_DOMAIN, TRACER_LINE_STEP, TRACER_LINE_OPEN };

/* One domain, step of a domain, or open task. Members unused by a type are 0. */
struct tracer_line {
    uint32_t size; /* bytes of the line with its strings, a multiple of 8 */
    uint32_t type;
    uint32_t tracer; /* index on the command line, from 0 */
    uint32_t second; /* position of the second string in texts */
    uint32_t third;
    uint32_t zero;
    tw_lpid lp;
    uint64_t order; /* ordinal number of the domain in its LP, from 1 */
    uint64_t place; /* STEP: ordinal number in its domain, from 1 */
    uint64_t begun, ended;
    double busy, total, least, most;
    uint64_t occurrences, tasks;
    double first;          /* STEP: virtual time of its first occurrence; OPEN: start */
    uint64_t first_order;  /* STEP: number of that record */
    st_task_id id, parent; /* OPEN */
    char texts[];          /* where; STEP: the step; OPEN: kind, what */
};

/* A growing sequence of lines. Zero-initialised, it is empty. */
struct tracer_lines {
    char *bytes; /* owned */
    size_t size, room;
    bool has_failed; /* true if it is incomplete for lack of memory */
};

/* Adds the lines of a tracer, by LP, with times up to now. */
void tracer_lines_add(struct tracer_lines *lines, const struct st_tracer *tracer, uint32_t number,
                      tw_stime now);
/* Returns the line at *at (initially 0) and advances *at to the next; NULL: no more lines. */
const struct tracer_line *tracer_lines_next(const struct tracer_lines *lines, size_t *at);
/* Gathers the lines of all ranks on rank 0, in rank order. Collective. */
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
