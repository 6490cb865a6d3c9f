/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * st_tracer.h - tracers measure the tasks of a model (busy times, averages, steps) while it runs.
 * ross.h includes it through st.h.
 *
 * The command line names tracers, --tracer="busy:where=router*;average:kind=req_in". Their results
 * are in the report and in a file. A model can also create tracers:
 *
 *     st_tracer *tracer;
 *     st_tracer_create("busy:kind=service", &tracer, NULL, 0);
 *     st_tracer_attach(tracer);                              // e.g. in main(), before tw_run()
 *     ...
 *     st_tracer_read(tracer, tw_now(lp), print_row, NULL);   // e.g. in a final handler
 *     st_tracer_destroy(tracer);
 *
 * A tracer observes the committed tasks of the LPs of its rank, in event order. It measures by
 * domain: an LP and a place (the "where" of the task). Results of a domain do not depend on other
 * domains, so they are identical to the last bit for any number of ranks. No function here is
 * collective.
 */
#ifndef WARPSCOPE_ST_TRACER_H
#define WARPSCOPE_ST_TRACER_H

#include "st_task.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct st_tracer st_tracer;

/*
 * Creates a tracer from "KIND" or "KIND:FILTER,FILTER...".
 *
 *   busy       time during which at least one task was in progress: the length of the union of the
 *              task intervals (10-20, 15-30 and 25-40 give 30); a task that has not ended counts up
 *              to now
 *   total      sum of the durations of ended tasks
 *   average    mean duration of ended tasks
 *   count      number of tasks that began
 *   steps      how often each step happened, and in how many tasks
 *   backtrace  tasks in progress, and their ancestors
 *   database   every task, its steps and place, in the file tasks.sqlite (command line only)
 *
 * FILTER is kind=PATTERN, what=PATTERN or where=PATTERN. "*" matches any string, "?" any character
 * and [a-z] a character of the set, as in file names. A backslash quotes the next character: "\,"
 * is a comma in a pattern, and on the command line "\;" is a semicolon. A task must match all
 * filters, which are evaluated when it begins. A tracer without filters takes all tasks.
 *
 * Returns ST_OK; ST_INVALID, with a message in error (error_size bytes; may be NULL); ST_NO_MEMORY.
 * The caller frees the tracer with st_tracer_destroy().
 */
st_result st_tracer_create(const char *spec, st_tracer **tracer, char *error, size_t error_size);
/* Detaches a tracer and frees it. NULL is allowed. May be called while tracers are being notified
 * of a task, even by the tracer's own filter. */
void st_tracer_destroy(st_tracer *tracer);

/* Adds a condition to a tracer. task has the fields known at its beginning (id, parent, start,
 * kind, what, where). For repeatable results, the filter must depend on task alone. Returns ST_OK;
 * ST_WRONG_STATE: the tracer has been attached; ST_INVALID: tracer is NULL. */
typedef bool (*st_task_filter)(const st_task_record *task, void *arg);
st_result st_tracer_filter(st_tracer *tracer, st_task_filter filter, void *arg);

/* Starts tracing of tasks that begin from now on. Tracing goes on until the run ends; results
 * cannot be read after that. Returns ST_OK; ST_DUPLICATE: the tracer is already attached;
 * ST_NO_MEMORY; ST_INVALID: tracer is NULL. */
st_result st_tracer_attach(st_tracer *tracer);

/* Results of a tracer for a domain or, for a "steps" tracer, for one step of a domain. */
typedef struct st_tracer_row {
    tw_lpid lp;
    const char *where;
    uint64_t begun, ended, open; /* counts of tasks that began, that ended, and that are open */
    double busy;                 /* busy time in virtual time; "busy" tracers only */
    double total;                /* sum of the durations of ended tasks, virtual time */
    double average;       /* mean duration of ended tasks, virtual time; 0 if there are none */
    double least, most;   /* shortest and longest duration of ended tasks, virtual time */
    const char *step;     /* name of the step; "steps" tracers only, otherwise NULL */
    uint64_t occurrences; /* number of occurrences of the step */
    uint64_t tasks;       /* number of tasks in which the step happened at least once */
} st_tracer_row;

/* Calls fn for each domain of this rank, in order of (LP, first task); for "steps" tracers, for
 * each step of a domain in order of first occurrence. now: virtual time up to which open tasks are
 * busy. Strings are valid until the run ends. */
void st_tracer_read(const st_tracer *tracer, tw_stime now,
                    void (*fn)(const st_tracer_row *row, void *arg), void *arg);

/* Writes the task id, its parent, and further ancestors to tasks, up to max of them. Stops before a
 * task that has ended, belongs to another rank or is not traced. Returns the number of tasks
 * written; 0 if id itself is such a task. "backtrace" tracers only. */
size_t st_tracer_backtrace(const st_tracer *tracer, st_task_id id, st_task_record *tasks,
                           size_t max);

#ifdef __cplusplus
}
#endif

#endif
