/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * st_tracer.h - tracers, which measure the tasks of a model (busy times, averages, steps) while it
 * runs. ross.h includes this header through st.h.
 *
 * A user creates tracers on the command line, as in
 * --tracer="busy:where=router*;average:kind=req_in". The results of these tracers are in the report
 * and in a file. A model can also create tracers:
 *
 *     st_tracer *tracer;
 *     st_tracer_create("busy:kind=service", &tracer, NULL, 0);
 *     st_tracer_attach(tracer);                              // e.g. in main(), before tw_run()
 *     ...
 *     st_tracer_read(tracer, tw_now(lp), print_row, NULL);   // e.g. in a final handler
 *     st_tracer_destroy(tracer);
 *
 * A tracer observes the committed tasks of the LPs of its rank, in the order of events. It measures
 * each domain separately; a domain is an LP together with a place (the "where" of a task). The
 * results of a domain do not depend on other domains, so they are identical to the last bit for any
 * number of ranks. No function here is collective.
 */
#ifndef WARPSCOPE_ST_TRACER_H
#define WARPSCOPE_ST_TRACER_H

#include "st_task.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct st_tracer st_tracer;

/*
 * Creates a tracer from a specification "KIND" or "KIND:FILTER,FILTER...".
 *
 *   busy       time during which at least one task was in progress: the length of the union of the
 *              task intervals (10-20, 15-30 and 25-40 give 30); a task that has not ended counts up
 *              to now
 *   total      sum of the durations of ended tasks
 *   average    mean duration of ended tasks
 *   count      number of tasks that began
 *   steps      for each step, the number of its occurrences and of the tasks that had it
 *   backtrace  tasks in progress, and their ancestors
 *   database   every task with its steps and place, in the file tasks.sqlite (command line only)
 *
 * FILTER is kind=PATTERN, what=PATTERN or where=PATTERN. In a pattern, "*" matches any string, "?"
 * any character and [a-z] a character of the set, as in file names. A backslash quotes the next
 * character: "\," is a comma in a pattern and, on the command line, "\;" is a semicolon. A task
 * must match all filters, which are evaluated when the task begins. A tracer without filters takes
 * all tasks.
 *
 * Returns ST_OK and sets *tracer, which the caller frees with st_tracer_destroy(); ST_INVALID, with
 * an error message in error (error_size bytes; may be NULL); ST_NO_MEMORY.
 */
st_result st_tracer_create(const char *spec, st_tracer **tracer, char *error, size_t error_size);
/* Detaches a tracer and frees it. tracer may be NULL. May be called while tracers are being
 * notified of a task, even by the tracer's own filter. */
void st_tracer_destroy(st_tracer *tracer);

/* Adds a condition to a tracer: it traces only tasks for which filter returns true. task has the
 * members that are known when the task begins (id, parent, start, kind, what, where). For
 * repeatable results, filter must depend on task alone. Returns ST_OK; ST_WRONG_STATE: the tracer
 * has been attached; ST_INVALID: tracer is NULL. */
typedef bool (*st_task_filter)(const st_task_record *task, void *arg);
st_result st_tracer_filter(st_tracer *tracer, st_task_filter filter, void *arg);

/* Makes the tracer trace all tasks that begin from now on, until the run ends. The results cannot
 * be read after the run. In a run that continues from a checkpoint, a tracer that is attached before
 * tw_run() continues the results of the tracer with the same specification; tracers with equal
 * specifications are distinguished by the order of their attachment. Returns ST_OK; ST_DUPLICATE: the tracer has been attached before;
 * ST_NO_MEMORY; ST_INVALID: tracer is NULL. */
st_result st_tracer_attach(st_tracer *tracer);

/* Results of a tracer for a domain. A "steps" tracer has a row for each step of a domain. */
typedef struct st_tracer_row {
    tw_lpid lp;
    const char *where;
    /* Number of tasks that have begun, that have ended, and that are open. */
    uint64_t begun, ended, open;
    /* Busy time, in virtual time; 0 unless the tracer is of kind "busy". */
    double busy;
    double total; /* sum of the durations of ended tasks, in virtual time */
    /* Mean duration of ended tasks, in virtual time; 0 if no task has ended. */
    double average;
    /* Shortest and longest duration of ended tasks, in virtual time. */
    double least, most;
    const char *step;     /* name of the step; NULL unless the tracer is of kind "steps" */
    uint64_t occurrences; /* number of occurrences of the step */
    uint64_t tasks;       /* number of tasks that had the step at least once */
} st_tracer_row;

/* Calls fn for each domain of this rank, in the order of LPs and, within an LP, of the domains'
 * first tasks. For a "steps" tracer, calls fn for each step of a domain, in the order of first
 * occurrence. now: virtual time up to which open tasks count as busy. Strings in a row are valid
 * until the run ends. */
void st_tracer_read(const st_tracer *tracer, tw_stime now,
                    void (*fn)(const st_tracer_row *row, void *arg), void *arg);

/* For "backtrace" tracers: writes the task with the given id, its parent and further ancestors to
 * tasks, at most max of them. Stops before a task that has ended, that belongs to another rank or
 * that is not traced. Returns the number of tasks written; 0 if the task with the given id is
 * itself such a task. */
size_t st_tracer_backtrace(const st_tracer *tracer, st_task_id id, st_task_record *tasks,
                           size_t max);

#ifdef __cplusplus
}
#endif

#endif
