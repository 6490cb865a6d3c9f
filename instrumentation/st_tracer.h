/*
 * st_tracer.h - tracers: what the tasks of a model come to (busy times, averages, steps), measured
 * while it runs. ross.h includes it through st.h.
 *
 * The user names tracers on the command line, --tracer="busy:where=router*;average:kind=req_in",
 * and finds results in the report and in a file. A model makes its own:
 *
 *     st_tracer *tracer;
 *     st_tracer_create("busy:kind=service", &tracer, NULL, 0);
 *     st_tracer_attach(tracer);                              // say in main(), before tw_run()
 *     ...
 *     st_tracer_read(tracer, tw_now(lp), print_row, NULL);   // in a final handler, say
 *     st_tracer_destroy(tracer);
 *
 * A tracer sees the committed tasks of its rank's LPs, in the order of events. What it measures it
 * keeps by domain: a LP and a place (the task's "where"). Numbers of a domain do not depend on
 * other domains, so they are the same to the last bit for any number of ranks. Nothing here is
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
 * Makes a tracer of "KIND" or "KIND:FILTER,FILTER...".
 *
 *   busy       time during which at least one task was under way: the length of the union of their
 *              intervals, 10-20, 15-30 and 25-40 are 30; a task that has not ended counts up to now
 *   total      the sum of the durations of tasks that ended
 *   average    that by their number
 *   count      tasks that began
 *   steps      how often each step happened, and in how many tasks it did
 *   backtrace  tasks that are under way, and their ancestors
 *   database   every task, its steps and place, in the file tasks.sqlite (command line only)
 *
 * FILTER is kind=PATTERN, what=PATTERN or where=PATTERN; * and ? stand for any text and [a-z] for a
 * character, as in file names; what follows a backslash stands for itself, so "\," is a comma in a
 * pattern, and on the command line "\;" a semicolon. A task must fit all of them, which is decided
 * when it begins; a tracer without filter takes all tasks.
 *
 * ST_OK; ST_INVALID and what is wrong in error (error_size bytes; may be NULL); ST_NO_MEMORY.
 */
st_result st_tracer_create(const char *spec, st_tracer **tracer, char *error, size_t error_size);
/* Ends the tracing, if it goes on, and frees all. NULL does nothing. May be called while tracers
 * are told of a task, also by the tracer's own filter. */
void st_tracer_destroy(st_tracer *tracer);

/* One more condition. task: as of a beginning (id, parent, start, kind, what, where). It must go by
 * nothing else if results are to be repeatable. ST_WRONG_STATE: the tracer was attached before;
 * ST_INVALID: it is NULL. */
typedef bool (*st_task_filter)(const st_task_record *task, void *arg);
st_result st_tracer_filter(st_tracer *tracer, st_task_filter filter, void *arg);

/* Begins to trace: tasks that begin from now on. It goes on until the run ends, after which results
 * can be read no more. ST_DUPLICATE: it does already; ST_NO_MEMORY; ST_INVALID: tracer is NULL. */
st_result st_tracer_attach(st_tracer *tracer);

/* What a tracer knows of a domain; of "steps", of each step in it. */
typedef struct st_tracer_row {
    tw_lpid lp;
    const char *where;
    uint64_t begun, ended, open; /* tasks */
    double busy;                 /* virtual time; only of "busy" tracers */
    double total;                /* virtual time, of tasks that ended */
    double average;              /* of these; 0 if there are none */
    double least, most;          /* durations */
    const char *step;            /* only of "steps" tracers, else NULL */
    uint64_t occurrences;        /* of the step */
    uint64_t tasks;              /* that had it at least once */
} st_tracer_row;

/* Calls fn for each domain of this rank by (LP, first task), and in it for each step by its first
 * occurrence. now: virtual time up to which open tasks are busy. Strings stay until the run ends.
 */
void st_tracer_read(const st_tracer *tracer, tw_stime now,
                    void (*fn)(const st_tracer_row *row, void *arg), void *arg);

/* The task id, its parent, and so on, as far as they are under way, live on this rank, and are
 * traced: up to max of them, into tasks. How many; 0: id is none of these. Of "backtrace" tracers.
 */
size_t st_tracer_backtrace(const st_tracer *tracer, st_task_id id, st_task_record *tasks,
                           size_t max);

#ifdef __cplusplus
}
#endif

#endif
