/*
 * trace.h - tasks and tracers of one run: from set-up to the report.
 */
#ifndef WARPSCOPE_TRACE_TRACE_H
#define WARPSCOPE_TRACE_TRACE_H

#include "engine/probe.h"
#include "trace/id_map.h"
#include "trace/task_book.h"
#include "trace/tracer.h"

struct task_database;
struct task_file;
struct tracer_results;

struct trace {
    st_stream_id stream; /* 0: not set up */
    struct id_map open;  /* tasks that were begun and not ended, also by events to be undone */
    const char **places; /* owned; by local LP: its name as a place, NULL: not made yet */
    tw_lpid n_places;
    bool shows_parts[2]; /* by class: does somebody get whole tasks as beginnings and ends? */
    struct task_book book;
    struct st_tracer *attached; /* all of them */
    struct st_tracer **tracers; /* owned; of the command line, in its order */
    size_t n_tracers;
    struct task_file *file;         /* owned; NULL: not asked for */
    struct task_database *database; /* the same, or it could not be begun */
    enum run_end ended;             /* why, from trace_finish() on */
    struct tracer_results *results; /* owned; on rank 0 from the end of the run on */
};

/* The one of this process, created at the first call: models make tracers before the run is set up.
 * Out of memory is fatal. In st_globals.c. */
struct trace *trace_context(void);
struct trace *trace_context_or_null(void);

/* ---- For the engine's extension -------------------------------------------------------------- */

/* Checks the options and makes the tracers of the command line. Collective; the status is agreed,
 * the message printed. Before anything is written. */
enum tw_status trace_plan(void);
/* Opens the stream of tasks and attaches what was asked for; after the recorder is set up. */
void trace_setup(const tw_pe *pe, struct probe_table *table);
/* Writes and gathers results; before the recorder is finished. Collective. */
void trace_finish(const tw_pe *pe, enum run_end why);
/* Ends the parts of the database and merges them, if all are complete and no signal ended the run:
 * else the report says why not. That may take long, and who
 * has sent SIGTERM may not wait for it: after the recorder is finished. Collective. */
void trace_finish_database(void);
/* After a fatal error; not collective. */
void trace_emergency(void);
/* On rank 0. */
void trace_report_text(FILE *out);
void trace_report_json(FILE *out);

/* ---- For the files of this folder ------------------------------------------------------------ */

struct task_book *trace_book(void);
/* Shows whole tasks to subscribers to beginnings and ends, from now on. The stream is open. */
void whole_tasks_watch(struct trace *trace);
void trace_remember_tracer(struct st_tracer *tracer);
/* Of one that is attached: ends the tracing and frees it. */
void trace_forget_tracer(struct st_tracer *tracer);
/* Forgets a record of the stream that was taken back. */
void tasks_undo(void *trace, const st_record *record);
/* Frees all but the struct. */
void trace_fini(struct trace *trace);

#endif
