/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * database.h - the task database (--tracer=database): tasks.sqlite in the recording's directory.
 */
#ifndef WARPSCOPE_TASK_DATABASE_H
#define WARPSCOPE_TASK_DATABASE_H

#include "task/tracer.h"

struct task_database;

/* Returns NULL if this build includes the task database, otherwise a line with the reason why
 * not. */
const char *task_database_missing(void);

/* Creates this rank's part of the database in dir (copied), for tasks that match one of the
 * "database" tracers in tracers (borrowed, n_tracers entries). After an error, prints a warning and
 * returns NULL; the run goes on without the part. Not collective. */
struct task_database *task_database_open(const char *dir, unsigned rank,
                                         struct st_tracer *const *tracers, size_t n_tracers);

/* Returns the sink for the database, to be added to the task book. */
struct task_sink task_database_sink(struct task_database *database);

/* Commits all tasks so far to the file of the part. Called at each GVT, and after a fatal error. */
void task_database_commit(struct task_database *database);

/* Adds the open tasks in `book` to the part, and closes it. Prints a warning and returns false if
 * the part is incomplete; the parts must then not be merged. */
bool task_database_end(struct task_database *database, const struct task_book *book);

/* Merges the parts of all ranks in dir into tasks.sqlite, and removes them. Called on rank 0 after
 * all parts have been closed. After an error, prints a warning and returns false; the parts
 * remain. */
bool task_database_merge(const char *dir, unsigned n_ranks);

void task_database_free(struct task_database *database);

/* ---- Between database.c and database_merge.c --------------------------------------------------- */

/* SQL that creates the tables. Rows are stored in the order of their keys. location: declaration of
 * the column of that name, which is a text in parts and a number in the merged database. */
#define DATABASE_TASKS(location)                                                                   \
    "CREATE TABLE tasks (lp INTEGER, number INTEGER, from_lp INTEGER, begun_order INTEGER, "       \
    "parent_lp INTEGER, parent_number INTEGER, parent_from INTEGER, kind TEXT, what "              \
    "TEXT, " location ", start REAL, \"end\" REAL, open INTEGER, "                                 \
    "PRIMARY KEY (lp, number, from_lp, begun_order)) WITHOUT ROWID;"
#define DATABASE_STEPS                                                                             \
    "CREATE TABLE steps (lp INTEGER, number INTEGER, from_lp INTEGER, begun_order INTEGER, "       \
    "step INTEGER, time REAL, what TEXT, detail INTEGER, "                                         \
    "PRIMARY KEY (lp, number, from_lp, begun_order, step)) WITHOUT ROWID;"

/* Returns the path in dir of the database that a rank writes; rank -1: the path of the merged
 * database. The caller frees the path. */
char *database_path(const char *dir, int rank);

#endif
