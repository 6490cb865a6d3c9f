/*
 * database.h - tasks as a database (--tracer=database): tasks.sqlite in the run's directory.
 */
#ifndef WARPSCOPE_TRACE_DATABASE_H
#define WARPSCOPE_TRACE_DATABASE_H

#include "trace/tracer.h"

struct task_database;

/* NULL, or why there can be no database: it is missing in this build. One line for people. */
const char *task_database_missing(void);

/* Begins the part of this rank in dir (copied), of tasks that fit any of the specs (borrowed).
 * NULL: a message was printed; the run goes on without. Not collective. */
struct task_database *task_database_open(const char *dir, unsigned rank,
                                         struct st_tracer *const *tracers, size_t n_tracers);

/* What to add to the book. */
struct task_sink task_database_sink(struct task_database *database);

/* What was told so far is kept, whatever happens: at each GVT, and after a fatal error. */
void task_database_commit(struct task_database *database);

/* Adds the tasks that are still open, and ends the part. False: it is not complete, which was said;
 * then there is to be no merging. */
bool task_database_end(struct task_database *database, const struct task_book *book);

/* On rank 0, when the parts of all ranks have ended: makes tasks.sqlite of them, and removes them.
 * False: it was said why not; the parts stay. */
bool task_database_merge(const char *dir, unsigned n_ranks);

void task_database_free(struct task_database *database);

#endif
