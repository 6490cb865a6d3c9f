/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * database_merge.c - merges the parts of all ranks into one database.
 *
 * Tables are stored in the order of their keys, so rows may be inserted in any order. Places get
 * their numbers in the order of LPs and names once all are known, so that the contents do not
 * depend on the number of ranks. The database is created under a temporary name and then renamed.
 */
#include <errno.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "task/database.h"

struct merging {
    sqlite3 *db;
    const char *dir;
    unsigned n_ranks;
};

static bool run_sql(struct merging *m, const char *sql)
{
    return sqlite3_exec(m->db, sql, NULL, NULL, NULL) == SQLITE_OK;
}

static bool attach(struct merging *m, unsigned rank)
{
    sqlite3_stmt *statement = NULL;
    char *path = database_path(m->dir, (int)rank);
    bool good = sqlite3_prepare_v2(m->db, "ATTACH ? AS part", -1, &statement, NULL) == SQLITE_OK;
    if (good) {
        sqlite3_bind_text(statement, 1, path, -1, SQLITE_STATIC);
        good = sqlite3_step(statement) == SQLITE_DONE;
    }
    sqlite3_finalize(statement);
    free(path);
    return good;
}

/* Runs sql once for each part, which is attached as "part". Returns false after an error. */
static bool for_parts(struct merging *m, const char *sql)
{
    for (unsigned rank = 0; rank < m->n_ranks; rank++) {
        if (!attach(m, rank) || !run_sql(m, sql) || !run_sql(m, "DETACH part")) {
            return false;
        }
    }
    return true;
}

static bool merge(struct merging *m)
{
    /* The statements run without transactions, since a part cannot be attached within a
     * transaction. No reader opens the file before it is complete. */
    return run_sql(m, "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;" DATABASE_TASKS(
                          "location INTEGER") DATABASE_STEPS
                   "CREATE TABLE locations (location INTEGER PRIMARY KEY, lp INTEGER, name TEXT);"
                   "CREATE TEMP TABLE places (lp INTEGER, name TEXT, PRIMARY KEY (lp, name)) "
                   "WITHOUT ROWID") &&
           for_parts(m, "INSERT OR IGNORE INTO places SELECT lp, location FROM part.tasks") &&
           run_sql(m, "INSERT INTO locations (lp, name) SELECT lp, name FROM places "
                      "ORDER BY lp, name;"
                      "CREATE UNIQUE INDEX locations_by_name ON locations (lp, name)") &&
           for_parts(m, "INSERT INTO tasks SELECT t.lp, number, from_lp, begun_order, parent_lp, "
                        "parent_number, parent_from, kind, what, l.location, start, \"end\", open "
                        "FROM part.tasks AS t JOIN locations AS l ON l.lp = t.lp AND "
                        "l.name = t.location;"
                        "INSERT INTO steps SELECT * FROM part.steps") &&
           run_sql(m, "CREATE INDEX tasks_by_kind ON tasks (kind, what);"
                      "CREATE INDEX tasks_by_location ON tasks (location, start);"
                      "CREATE INDEX tasks_by_parent ON tasks (parent_lp, parent_number, "
                      "parent_from);"
                      "CREATE INDEX tasks_by_start ON tasks (start);"
                      "CREATE INDEX steps_by_what ON steps (what)");
}

static void remove_parts(const struct merging *m)
{
    for (unsigned rank = 0; rank < m->n_ranks; rank++) {
        char *path = database_path(m->dir, (int)rank);
        unlink(path);
        free(path);
    }
}

bool task_database_merge(const char *dir, unsigned n_ranks)
{
    struct merging m = {.dir = dir, .n_ranks = n_ranks};
    char *path = database_path(dir, -1);
    char *temporary = tw_calloc(TW_LOC, "path", 1, strlen(path) + 8);
    sprintf(temporary, "%s.new", path);
    bool good = sqlite3_open(temporary, &m.db) == SQLITE_OK && merge(&m);
    if (!good) {
        tw_warning(TW_LOC,
                   "--tracer=database: %s cannot be made: %s; the tasks of each rank are in "
                   "%s/tasks.RANK.part",
                   path, m.db != NULL ? sqlite3_errmsg(m.db) : "out of memory", dir);
    }
    sqlite3_close_v2(m.db);
    if (good && rename(temporary, path) != 0) {
        tw_warning(TW_LOC, "--tracer=database: %s cannot be renamed to %s: %s", temporary, path,
                   strerror(errno));
        good = false;
    }
    if (good) {
        remove_parts(&m);
    } else {
        unlink(temporary);
    }
    free(temporary);
    free(path);
    return good;
}
