/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * database_none.c - replaces database.c in builds without SQLite.
 */
#include "task/database.h"

const char *task_database_missing(void)
{
    return "this program was built without SQLite; install its development package "
           "(libsqlite3-dev) and build again, or record with --task-trace=1";
}

struct task_database *task_database_open(const char *dir, unsigned rank,
                                         struct st_tracer *const *tracers, size_t n_tracers)
{
    (void)dir;
    (void)rank;
    (void)tracers;
    (void)n_tracers;
    return NULL;
}

struct task_sink task_database_sink(struct task_database *database)
{
    return (struct task_sink){.ctx = database};
}

void task_database_commit(struct task_database *database)
{
    (void)database;
}

bool task_database_end(struct task_database *database, const struct task_book *book)
{
    (void)database;
    (void)book;
    return false;
}

bool task_database_merge(const char *dir, unsigned n_ranks)
{
    (void)dir;
    (void)n_ranks;
    return false;
}

void task_database_free(struct task_database *database)
{
    (void)database;
}
