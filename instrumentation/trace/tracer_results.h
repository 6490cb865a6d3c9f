/*
 * tracer_results.h - what the tracers of the command line found on all ranks, for the report.
 */
#ifndef WARPSCOPE_TRACE_TRACER_RESULTS_H
#define WARPSCOPE_TRACE_TRACER_RESULTS_H

#include <stdio.h>

#include "trace/tracer_lines.h"

/* One tracer: its lines are sorted[from .. to). */
struct tracer_result {
    const struct tracer_spec *spec; /* of the tracer, borrowed */
    size_t from, to;
    uint64_t domains, begun, ended;
    uint64_t seen; /* tasks that began, whether they fit the tracer's filter or not */
    double busy, total;
};

struct tracer_results {
    struct tracer_lines lines;
    const struct tracer_line **sorted; /* owned; by tracer, type, LP, order, place or id */
    struct tracer_result *results;     /* owned; by tracer */
    size_t n_results;
    tw_stime now;
    const char *database_lack; /* why there is no tasks.sqlite; NULL: there is, or need not be */
};

/* Gathers the lines of all ranks. Collective; on rank 0 the results, to be freed with
 * tracer_results_free(), elsewhere and without memory NULL. */
struct tracer_results *tracer_results_gather(const struct tracer_lines *mine,
                                             struct st_tracer *const *tracers, size_t n_tracers,
                                             tw_stime now);
void tracer_results_free(struct tracer_results *results);

/* What ranks the domains of a tracer. */
double tracer_line_value(const struct tracer_line *line, enum tracer_kind kind);
/* The number of each of the greatest domains of a result, n of them at most, greatest first, equal
 * ones by LP and order; how many. */
size_t tracer_result_top(const struct tracer_results *results, const struct tracer_result *result,
                         const struct tracer_line **top, size_t n);

/* A step over all domains. */
struct tracer_step_sum {
    const struct tracer_line *first; /* the line that it was first seen in */
    uint64_t occurrences, tasks;
};
/* The steps of a result in the order of their first occurrences, to be freed; NULL: no memory. */
struct tracer_step_sum *tracer_result_steps(const struct tracer_results *results,
                                            const struct tracer_result *result, size_t *n);
/* The open task of this id in a result; NULL: it is not there. */
const struct tracer_line *tracer_result_open(const struct tracer_results *results,
                                             const struct tracer_result *result, st_task_id id);

/* Parts of the report. */
void tracer_results_text(const struct tracer_results *results, FILE *out);
void tracer_results_json(const struct tracer_results *results, FILE *out);

#endif
