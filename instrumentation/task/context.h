/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * context.h - all state of the tasks and tracers of a run, from set-up to the report.
 */
#ifndef WARPSCOPE_TASK_CONTEXT_H
#define WARPSCOPE_TASK_CONTEXT_H

#include "engine/probe.h"
#include "format/bytes.h"
#include "task/id_map.h"
#include "task/task_book.h"
#include "task/tracer.h"

struct json_writer;

struct task_cut;
struct task_database;
struct task_file;
struct tracer_results;

struct task_context {
    st_stream_id stream; /* stream of tasks; 0: before set-up */
    /* Tasks that have begun and not ended, including those of events that may still be undone; see
     * tasks.c, K1. */
    struct id_map open;
    /* Owned; [i]: 0, or a number such that local LP i may have open tasks that are not in `open`,
     * because tasks had no subscribers when a checkpoint was written: tasks with smaller numbers,
     * and tasks req_in. NULL: all 0. */
    uint64_t *unwatched;
    struct task_cut *cut; /* owned; see task_cut_begin(); NULL: no cut is being made */
    const char **places;  /* owned; [i]: name of local LP i as a place; NULL: not made yet */
    tw_lpid n_places;
    /* [c]: true if a subscriber of class c gets whole tasks as a beginning and an end. */
    bool shows_parts[2];
    struct task_book book;
    struct st_tracer *attached; /* list of all attached tracers */
    struct st_tracer **tracers; /* owned; tracers of the command line, in their order there */
    size_t n_tracers;
    struct task_file *file; /* owned; task trace; NULL: not requested */
    /* Owned; task database; NULL: not requested, or it could not be opened. */
    struct task_database *database;
    enum run_end ended; /* reason for the end of the run, set by task_finish() */
    /* Owned; results of the tracers, on rank 0 after the end of the run. */
    struct tracer_results *results;
};

/* Returns the context of this process. The first call creates it, because models create tracers
 * before the run is set up. Lack of memory is fatal. */
struct task_context *task_context(void);
/* Returns the context of this process; NULL if it has not been created. */
struct task_context *task_context_or_null(void);
extern struct task_context *g_st_tasks; /* owned; NULL: not created; defined in st_globals.c */

/* ---- Functions for the engine's extension ---------------------------------------------------- */

/* Checks the options and creates the tracers of the command line, before any file is created.
 * Collective; all ranks return the same status, and an error message is printed. */
enum tw_status task_plan(void);
/* Opens the stream of tasks, and starts the requested tracers, task trace and database. Call it
 * after the set-up of the recorder. */
void task_setup(const tw_pe *pe, struct probe_table *table);
/* Discards what is known of tasks of local LPs. Called when LPs have moved between ranks, before
 * task_cut_read(). */
void task_lps_made(struct task_context *context);
/* Makes the task trace write to the recorder's new file. Called when LPs have moved between ranks. */
void task_file_changed(struct task_context *context);
/* Called when all LPs are initialised or restored. Prints notices about tasks of the run before a
 * restart that are not known. Collective. */
void task_start(const tw_pe *pe);

/* The next four functions let open tasks, and results of tracers, travel with an LP; see
 * tw_extension. task_cut_begin() prepares calls of task_cut_write() for all local LPs; it returns
 * false if memory is exhausted. task_cut_end() must be called in any case. */
bool task_cut_begin(struct task_context *context);
void task_cut_end(struct task_context *context);
/* Writes the tasks of an LP to `out`; nothing if tasks have no subscribers. */
void task_cut_write(const struct task_context *context, const tw_lp *lp, struct fmt_out *out);
/* Reads what task_cut_write() has written, if anything. If takes_over, adds it to the context.
 * Returns false if the data are damaged. */
bool task_cut_read(struct task_context *context, const tw_lp *lp, struct fmt_in *in,
                   bool takes_over);

/* Writes the results of the command line's tracers to their file, and gathers them on rank 0. Call
 * it before the end of the recorder. Collective. */
void task_finish(const tw_pe *pe, enum run_end why);
/* Closes the parts of the database. Merges them if all are complete and visible to rank 0, and no
 * signal ended the run; otherwise prints and reports the reason. Merging may take long, and a job
 * system that has sent SIGTERM possibly does not wait. Call this function after the end of the
 * recorder. Collective. */
void task_finish_database(void);
/* Commits the tasks so far to the database after a fatal error. Not collective. */
void task_emergency(void);
/* Prints to `out`, as text, the part of the report that is about tracers. Called on rank 0. */
void task_report_text(FILE *out);
/* Adds to `json` the part of the report that is about tracers. Called on rank 0. */
void task_report_json(struct json_writer *json);

/* ---- Internal functions of this directory ---------------------------------------------------- */

/* Returns the task book of the context, which is created if needed. */
struct task_book *task_context_book(void);
/* Begins to deliver each whole task, a single record of type ST_GRAPH, to subscribers to
 * ST_TASK_BEGIN and ST_TASK_END as well, under these types. The stream must be open. */
void whole_tasks_watch(struct task_context *context);
/* Sets context->unwatched of lp to `limit`, which is at least 1. */
void tasks_unwatched(struct task_context *context, const tw_lp *lp, uint64_t limit);
/* Reverses the effect of an undone record on the open tasks. context: struct task_context. */
void tasks_undo(void *context, const st_record *record);
/* Frees everything that the context owns, but not the struct itself. */
void task_fini(struct task_context *context);

/* ---- Between task_cut.c, which writes, and task_cut_read.c ------------------------------------- */

#define TASK_CUT_OPEN 1u /* bits of a task: context->open has it */
#define TASK_CUT_BOOK 2u /* the book has it */

/* Returns true if the command line has created the tracer, false if the model has. */
bool task_cut_is_requested(const struct task_context *context, const struct st_tracer *tracer);
/* Returns the number of tracers that were attached before this one, and that have the same
 * specification and the same creator. */
uint32_t task_cut_ordinal(const struct task_context *context, const struct st_tracer *tracer);

#endif
