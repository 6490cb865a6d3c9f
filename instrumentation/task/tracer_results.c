/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tracer_results.c - sorts the lines of all ranks and adds up their values.
 *
 * Values are added in the order of LPs, whatever their ranks, so the sums are identical to the last
 * bit for any number of ranks.
 */
#include "task/tracer_results.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "engine/probe.h"

static int compare_u64(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int compare_lines(const void *a, const void *b)
{
    const struct tracer_line *x = *(const struct tracer_line *const *)a;
    const struct tracer_line *y = *(const struct tracer_line *const *)b;
    int order = compare_u64(x->tracer, y->tracer);
    order = order != 0 ? order : compare_u64(x->type, y->type);
    order = order != 0 ? order : compare_u64(x->lp, y->lp);
    order = order != 0 ? order : compare_u64(x->order, y->order);
    order = order != 0 ? order : compare_u64(x->place, y->place);
    return order != 0 ? order : task_id_compare(x->id, y->id);
}

static void sum_result(struct tracer_result *result, const struct tracer_line *line)
{
    if (line->type == TRACER_LINE_DOMAIN) {
        result->domains++;
        result->begun += line->begun;
        result->ended += line->ended;
        result->busy += line->busy;
        result->total += line->total;
    }
}

/* Sorts r->lines into r->sorted, and adds up their values in r->results. Returns false if memory is
 * exhausted. */
static bool make_results(struct tracer_results *r, struct st_tracer *const *tracers)
{
    assert(r->sorted == NULL && r->results == NULL);
    const struct tracer_line *line;
    size_t n = 0;
    for (size_t at = 0; tracer_lines_next(&r->lines, &at) != NULL;) {
        n++;
    }
    r->sorted = malloc((n + 1) * sizeof(*r->sorted));
    r->results = calloc(r->n_results + 1, sizeof(*r->results));
    if (r->sorted == NULL || r->results == NULL) {
        return false;
    }
    n = 0;
    for (size_t at = 0; (line = tracer_lines_next(&r->lines, &at)) != NULL;) {
        r->sorted[n++] = line;
    }
    qsort(r->sorted, n, sizeof(*r->sorted), compare_lines);
    size_t at = 0;
    for (size_t i = 0; i < r->n_results; i++) {
        struct tracer_result *result = &r->results[i];
        *result = (struct tracer_result){.spec = &tracers[i]->spec, .from = at};
        for (; at < n && r->sorted[at]->tracer == i; at++) {
            sum_result(result, r->sorted[at]);
        }
        result->to = at;
    }
    assert(at == n);
    return true;
}

static int compare_kinds(const void *a, const void *b)
{
    const char *const *x = a, *const *y = b;
    return strcmp(*x, *y);
}

/* Joins the lists of kinds of all ranks in `others` of result, in alphabetical order, so that the
 * report does not depend on the number of ranks. all: the n lists; their commas become zeros. */
static void kinds_merge(struct tracer_result *result, char *all, size_t n)
{
    const char **kinds = calloc(n * TRACER_OTHERS / 2, sizeof *kinds);
    size_t n_kinds = 0;
    for (size_t rank = 0; kinds != NULL && rank < n; rank++) {
        char *rest = NULL, *list = all + rank * TRACER_OTHERS;
        for (char *k = strtok_r(list, ",", &rest); k != NULL; k = strtok_r(NULL, ",", &rest)) {
            kinds[n_kinds++] = k;
        }
    }
    if (n_kinds > 0) {
        qsort(kinds, n_kinds, sizeof *kinds, compare_kinds);
    }
    for (size_t i = 0; i < n_kinds; i++) {
        tracer_others_add(result->others, kinds[i], strlen(kinds[i]));
    }
    free(kinds);
}

/* Collects the kinds of tasks that a tracer has not traced, from all ranks, in `others` of result.
 * result: NULL except on rank 0. Collective. */
static void gather_others(struct tracer_result *result, const struct st_tracer *tracer)
{
    int n;
    MPI_Comm_size(MPI_COMM_ROSS, &n);
    char *all = g_tw_pe->id == 0 ? calloc((size_t)n, TRACER_OTHERS) : NULL;
    int made = all != NULL;
    MPI_Bcast(&made, 1, MPI_INT, 0, MPI_COMM_ROSS);
    if (made) {
        MPI_Gather(tracer->others, TRACER_OTHERS, MPI_CHAR, all, TRACER_OTHERS, MPI_CHAR, 0,
                   MPI_COMM_ROSS);
    }
    if (all != NULL && result != NULL) {
        kinds_merge(result, all, (size_t)n);
    }
    free(all);
}

/* Sets `seen` and `others` of the results in r to those of all ranks. r: NULL except on rank 0.
 * Collective. */
static void sum_seen(struct tracer_results *r, struct st_tracer *const *tracers, size_t n_tracers)
{
    for (size_t i = 0; i < n_tracers; i++) {
        uint64_t sum = 0;
        MPI_Reduce(&tracers[i]->seen, &sum, 1, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_ROSS);
        if (r != NULL && r->results != NULL) {
            r->results[i].seen = sum;
        }
        gather_others(r != NULL && r->results != NULL ? &r->results[i] : NULL, tracers[i]);
    }
}

struct tracer_results *tracer_results_gather(const struct tracer_lines *mine,
                                             struct st_tracer *const *tracers, size_t n_tracers,
                                             tw_stime now)
{
    struct tracer_lines all = {.size = 0};
    tracer_lines_gather(&all, mine);
    if (g_tw_pe->id != 0) {
        sum_seen(NULL, tracers, n_tracers);
        return NULL;
    }
    struct tracer_results *r = calloc(1, sizeof(*r));
    if (r != NULL) {
        *r = (struct tracer_results){.lines = all, .n_results = n_tracers, .now = now};
    }
    bool is_made = r != NULL && make_results(r, tracers);
    sum_seen(r, tracers, n_tracers);
    if (!is_made) {
        tw_warning(TW_LOC, "out of memory for the results of tracers: they are not in the report");
        run_results_are_lost();
        if (r == NULL) {
            tracer_lines_fini(&all);
        }
        tracer_results_free(r);
        return NULL;
    }
    return r;
}

void tracer_results_free(struct tracer_results *r)
{
    if (r != NULL) {
        tracer_lines_fini(&r->lines);
        free(r->sorted);
        free(r->results);
        free(r);
    }
}

/* ---- Queries --------------------------------------------------------------------------------- */

double tracer_line_value(const struct tracer_line *line, enum tracer_kind kind)
{
    switch (kind) {
    case TRACER_BUSY:
        return line->busy;
    case TRACER_TOTAL:
        return line->total;
    case TRACER_AVERAGE:
        return line->ended > 0 ? line->total / (double)line->ended : 0.0;
    case TRACER_BACKTRACE:
        return (double)(line->begun - line->ended);
    default:
        return (double)line->begun;
    }
}

size_t tracer_result_top(const struct tracer_results *r, const struct tracer_result *result,
                         const struct tracer_line **top, size_t n)
{
    assert(result->from <= result->to);
    size_t found = 0;
    for (size_t at = result->from; at < result->to && r->sorted[at]->type == TRACER_LINE_DOMAIN;
         at++) {
        const struct tracer_line *line = r->sorted[at];
        double value = tracer_line_value(line, result->spec->kind);
        size_t i = found < n ? found++ : n;
        for (; i > 0 && tracer_line_value(top[i - 1], result->spec->kind) < value; i--) {
            if (i < n) {
                top[i] = top[i - 1];
            }
        }
        if (i < n) {
            top[i] = line;
        }
    }
    return found;
}

static int compare_first(const void *a, const void *b)
{
    const struct tracer_line *x = ((const struct tracer_step_sum *)a)->first;
    const struct tracer_line *y = ((const struct tracer_step_sum *)b)->first;
    int order = (x->first > y->first) - (x->first < y->first);
    order = order != 0 ? order : compare_u64(x->lp, y->lp);
    order = order != 0 ? order : compare_u64(x->first_order, y->first_order);
    return order != 0 ? order : compare_u64(x->place, y->place);
}

static int compare_names(const void *a, const void *b)
{
    const struct tracer_step_sum *x = a;
    const struct tracer_step_sum *y = b;
    int order = strcmp(tracer_line_second(x->first), tracer_line_second(y->first));
    return order != 0 ? order : compare_first(a, b);
}

struct tracer_step_sum *tracer_result_steps(const struct tracer_results *r,
                                            const struct tracer_result *result, size_t *n)
{
    struct tracer_step_sum *sums = malloc((result->to - result->from + 1) * sizeof(*sums));
    size_t lines = 0;
    *n = 0;
    if (sums == NULL) {
        return NULL;
    }
    for (size_t at = result->from; at < result->to; at++) {
        const struct tracer_line *line = r->sorted[at];
        if (line->type == TRACER_LINE_STEP) {
            sums[lines++] = (struct tracer_step_sum){line, line->occurrences, line->tasks};
        }
    }
    qsort(sums, lines, sizeof(*sums), compare_names);
    for (size_t i = 0; i < lines; i++) {
        if (*n > 0 && strcmp(tracer_line_second(sums[*n - 1].first),
                             tracer_line_second(sums[i].first)) == 0) {
            sums[*n - 1].occurrences += sums[i].occurrences;
            sums[*n - 1].tasks += sums[i].tasks;
        } else {
            sums[(*n)++] = sums[i];
        }
    }
    qsort(sums, *n, sizeof(*sums), compare_first);
    return sums;
}

const struct tracer_line *tracer_result_open(const struct tracer_results *r,
                                             const struct tracer_result *result, st_task_id id)
{
    size_t low = result->from;
    size_t high = result->to;
    /* The lines about open tasks are the last lines of a result, in ascending order of their
     * ids. */
    while (low < high) {
        size_t middle = (low + high) / 2;
        const struct tracer_line *line = r->sorted[middle];
        int order = line->type == TRACER_LINE_OPEN ? task_id_compare(line->id, id) : -1;
        if (order == 0) {
            return line;
        }
        if (order < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return NULL;
}
