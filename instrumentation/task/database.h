/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * database.h - the task database (--tracer=database): tasks.sqlite in the recording's directory.
 */
#ifndef WARPSCOPE_TASK_DATABASE_H
#define WARPSCOPE_TASK_DATABASE_H

#include "task/tracer.h"

struct task_database;

/* Returns NULL if this build has the task database, otherwise one line with the reason. */
const char *task_database_missing(void);

/* Opens the part of this rank in dir (copied), for tasks that match one of the "database" tracers
 * in tracers (borrowed). Returns NULL after an error, with a message printed; the run goes on
 * without it. Not collective. */
struct task_database *task_database_open(const char *dir, unsigned rank,
                                         struct st_tracer *const *tracers, size_t n_tracers);

/* Returns the sink to add to the task book. */
struct task_sink task_database_sink(struct task_database *database);

/* Commits all tasks so far to the file. Called at each GVT, and after a fatal error. */
void task_database_commit(struct task_database *database);

/* Adds the open tasks, and closes the part. Returns false if it is incomplete, with a message
 * printed; the parts must then not be merged. */
bool task_database_end(struct task_database *database, const struct task_book *book);

/* Merges the parts of all ranks into tasks.sqlite, and removes them. Called on rank 0 after all
 * parts have been closed. Returns false after an error, with a message printed; the parts
 * remain. */
bool task_database_merge(const char *dir, unsigned n_ranks);

void task_database_free(struct task_database *database);

#endif
