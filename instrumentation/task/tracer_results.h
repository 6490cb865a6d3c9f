/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tracer_results.h - results of the command line's tracers on all ranks, for the report.
 */
#ifndef WARPSCOPE_TASK_TRACER_RESULTS_H
#define WARPSCOPE_TASK_TRACER_RESULTS_H

#include <stdio.h>

#include "task/tracer_lines.h"
#include "text/json.h"

/* Results of one tracer. Its lines are sorted[from] to sorted[to - 1]. */
struct tracer_result {
    const struct tracer_spec *spec; /* specification, borrowed from the tracer */
    size_t from, to;
    uint64_t domains, begun, ended;
    uint64_t seen; /* number of tasks that began, matching or not, over all ranks */
    double busy, total;
};

struct tracer_results {
    struct tracer_lines lines;
    /* Owned; lines by tracer, type, LP, order, then place or id. */
    const struct tracer_line **sorted;
    struct tracer_result *results; /* owned; one for each tracer */
    size_t n_results;
    tw_stime now;
    const char *database_lack; /* reason why tasks.sqlite is missing; NULL: it is not missing */
};

/* Gathers the lines of all ranks. Returns the results on rank 0, to be freed with
 * tracer_results_free(); NULL on other ranks or if memory is exhausted. Collective. */
struct tracer_results *tracer_results_gather(const struct tracer_lines *mine,
                                             struct st_tracer *const *tracers, size_t n_tracers,
                                             tw_stime now);
void tracer_results_free(struct tracer_results *results);

/* Returns the value of a domain's line by which the report orders the domains. */
double tracer_line_value(const struct tracer_line *line, enum tracer_kind kind);
/* Finds the at most n domains of a result with the greatest values: greatest first, domains with
 * equal values by LP and order. Returns the number of domains found. */
size_t tracer_result_top(const struct tracer_results *results, const struct tracer_result *result,
                         const struct tracer_line **top, size_t n);

/* Sum of a step over all domains. */
struct tracer_step_sum {
    const struct tracer_line *first; /* line of the first occurrence of the step */
    uint64_t occurrences, tasks;
};
/* Returns the steps of a result in the order of their first occurrences, in an array that the
 * caller frees; NULL if memory is exhausted. */
struct tracer_step_sum *tracer_result_steps(const struct tracer_results *results,
                                            const struct tracer_result *result, size_t *n);
/* Returns the open task with this id in a result, or NULL. */
const struct tracer_line *tracer_result_open(const struct tracer_results *results,
                                             const struct tracer_result *result, st_task_id id);

/* Print the part of the report about tracers, as text and as JSON. */
void tracer_results_text(const struct tracer_results *results, FILE *out);
void tracer_results_json(const struct tracer_results *results, struct json_writer *json);

#endif
