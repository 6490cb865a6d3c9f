/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tracer_results.h - results of the command line's tracers on all ranks, for the report.
 */
#ifndef WARPSCOPE_TASK_TRACER_RESULTS_H
#define WARPSCOPE_TASK_TRACER_RESULTS_H

#include <stdio.h>

#include "task/tracer_lines.h"
#include "text/json.h"

/* Results of one tracer on all ranks. Its lines are sorted[from] to sorted[to - 1]. */
struct tracer_result {
    const struct tracer_spec *spec; /* specification, borrowed from the tracer */
    size_t from, to;
    uint64_t domains, begun, ended;
    uint64_t seen; /* number of tasks that began, matching or not, on all ranks */
    double busy, total;
    char others[TRACER_OTHERS]; /* kinds of tasks that did not match, see struct st_tracer */
};

struct tracer_results {
    struct tracer_lines lines;
    /* Owned array of pointers to the lines in the member `lines`. They are sorted by the members
     * tracer, type, lp, order, place and id of the lines, in this order. */
    const struct tracer_line **sorted;
    /* Owned; [i]: results of the tracer with index i on the command line. */
    struct tracer_result *results;
    size_t n_results;
    /* Virtual time up to which busy times count. */
    tw_stime now;
    const char *database_lack; /* reason why tasks.sqlite is missing; NULL: it is not missing */
};

/* Gathers the lines of all ranks. Returns the results on rank 0, to be freed with
 * tracer_results_free(), and NULL on other ranks. If memory is exhausted, prints a warning and
 * returns NULL. Collective. */
struct tracer_results *tracer_results_gather(const struct tracer_lines *mine,
                                             struct st_tracer *const *tracers, size_t n_tracers,
                                             tw_stime now);
void tracer_results_free(struct tracer_results *results);

/* Returns the value of a domain by which the report sorts the domains of a tracer of this kind.
 * line: line of the domain. */
double tracer_line_value(const struct tracer_line *line, enum tracer_kind kind);
/* Stores in `top` the lines of those n domains of a result that have the greatest values. They are
 * sorted by descending value, then by LP and order. Returns the number of lines stored, which is
 * less than n if there are fewer domains. */
size_t tracer_result_top(const struct tracer_results *results, const struct tracer_result *result,
                         const struct tracer_line **top, size_t n);

/* Sums for a step over all domains of a tracer. */
struct tracer_step_sum {
    const struct tracer_line *first; /* line of the first occurrence of the step */
    uint64_t occurrences, tasks;
};
/* Returns the steps of a result in the order of their first occurrences, in an array of *n elements
 * that the caller frees; NULL if memory is exhausted. */
struct tracer_step_sum *tracer_result_steps(const struct tracer_results *results,
                                            const struct tracer_result *result, size_t *n);
/* Returns the line about the open task with this id in a result; NULL: none. */
const struct tracer_line *tracer_result_open(const struct tracer_results *results,
                                             const struct tracer_result *result, st_task_id id);

/* Prints to `out`, as text, the part of the report that is about tracers. */
void tracer_results_text(const struct tracer_results *results, FILE *out);
/* Adds to `json` the part of the report that is about tracers. */
void tracer_results_json(const struct tracer_results *results, struct json_writer *json);

#endif
