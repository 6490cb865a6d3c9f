/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * trace.h - tasks and tracers of a run, from set-up to the report.
 */
#ifndef WARPSCOPE_TASK_TRACE_H
#define WARPSCOPE_TASK_TRACE_H

#include "engine/probe.h"
#include "task/id_map.h"
#include "task/task_book.h"
#include "task/tracer.h"

struct json_writer;

struct task_database;
struct task_file;
struct tracer_results;

struct trace {
    st_stream_id stream; /* stream of tasks; 0: before set-up */
    /* Tasks begun and not ended, including those of events that may still be undone. */
    struct id_map open;
    const char **places; /* owned; for each local LP, its name as a place; NULL: not made yet */
    tw_lpid n_places;
    /* For each class: true if a subscriber gets whole tasks as a beginning and an end. */
    bool shows_parts[2];
    struct task_book book;
    struct st_tracer *attached; /* list of all attached tracers */
    struct st_tracer **tracers; /* owned; tracers of the command line, in its order */
    size_t n_tracers;
    struct task_file *file; /* owned; file of the task trace; NULL: not requested */
    /* Owned; task database; NULL: not requested, or it could not be opened. */
    struct task_database *database;
    enum run_end ended; /* reason for the end of the run, set by trace_finish() */
    /* Owned; results of the tracers, on rank 0 after the end of the run. */
    struct tracer_results *results;
};

/* Return the context of this process. trace_context() creates it at the first call, because models
 * create tracers before the run is set up; lack of memory is fatal. Defined in st_globals.c. */
struct trace *trace_context(void);
struct trace *trace_context_or_null(void);
extern struct trace *g_st_trace; /* owned; NULL: not created; defined in st_globals.c */

/* ---- Functions for the engine's extension ---------------------------------------------------- */

/* Checks the options and creates the tracers of the command line, before anything is written.
 * Collective; all ranks return the same status, and an error message is printed. */
enum tw_status trace_plan(void);
/* Opens the stream of tasks and attaches the requested tracers, task trace and database. Call it
 * after the set-up of the recorder. */
void trace_setup(const tw_pe *pe, struct probe_table *table);
/* Forgets the places of LPs. Called when LPs have moved between ranks. */
void trace_lps_arrive(struct trace *trace);
/* Writes and gathers results. Call it before the end of the recorder. Collective. */
void trace_finish(const tw_pe *pe, enum run_end why);
/* Closes the parts of the database and merges them, if all are complete and no signal ended the
 * run; otherwise the report states the reason. Merging may take long, and a job system that has
 * sent SIGTERM may not wait. Call this function after the end of the recorder. Collective. */
void trace_finish_database(void);
/* Saves the database after a fatal error. Not collective. */
void trace_emergency(void);
/* Print the part of the report about tasks and tracers, as text and as JSON. Called on rank 0. */
void trace_report_text(FILE *out);
void trace_report_json(struct json_writer *json);

/* ---- Internal functions of this directory ---------------------------------------------------- */

struct task_book *trace_book(void);
/* Delivers whole tasks to subscribers of beginnings and ends from now on, as one record each. The
 * stream must be open. */
void whole_tasks_watch(struct trace *trace);
/* Reverses the effect of a dropped record on the open tasks. */
void tasks_undo(void *trace, const st_record *record);
/* Frees everything that the context owns, but not the struct itself. */
void trace_fini(struct trace *trace);

#endif
