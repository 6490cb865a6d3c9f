/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * database.c - one rank's part of the task database, during the run.
 *
 * Each rank writes a database of its own, tasks.RANK.part, in one transaction per GVT computation.
 * The parts of a killed run are thus valid up to its last GVT. At the end, rank 0 merges the parts
 * into one database (database_merge.c) with these tables and columns:
 *
 *     tasks      lp number from_lp begun_order, parent_lp parent_number parent_from, kind what,
 *                location, start end, open
 *     steps      lp number from_lp begun_order, step (from 1), time, what, detail
 *     locations  location lp name
 *
 * The first four columns of tasks identify a task: they are the id as in the task trace, and
 * begun_order, which distinguishes tasks with a reused id. The column `open` is 1 for a task that
 * had not ended, and `end` is then NULL.
 *
 * The first error causes a warning and ends the database, but never the run.
 */
#include "task/database.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

struct task_database {
    sqlite3 *db;
    sqlite3_stmt *task, *step;
    char *path;
    struct st_tracer *const *tracers;
    size_t n_tracers;
    bool has_failed;
};

const char *task_database_missing(void)
{
    return NULL;
}

char *database_path(const char *dir, int rank)
{
    size_t size = strlen(dir) + 48;
    char *path = tw_calloc(TW_LOC, "path", 1, size);
    if (rank < 0) {
        snprintf(path, size, "%s/tasks.sqlite", dir);
    } else {
        snprintf(path, size, "%s/tasks.%d.part", dir, rank);
    }
    return path;
}

static void say_failed(struct task_database *d)
{
    if (!d->has_failed) {
        tw_warning(TW_LOC,
                   "--tracer=database: %s: %s; the run goes on, and the database keeps the tasks "
                   "written so far",
                   d->path, d->db != NULL ? sqlite3_errmsg(d->db) : "out of memory");
        d->has_failed = true;
    }
}

static bool run_sql(struct task_database *d, const char *sql)
{
    if (!d->has_failed && sqlite3_exec(d->db, sql, NULL, NULL, NULL) != SQLITE_OK) {
        say_failed(d);
    }
    return !d->has_failed;
}

static sqlite3_stmt *prepare(struct task_database *d, const char *sql)
{
    sqlite3_stmt *statement = NULL;
    if (!d->has_failed && sqlite3_prepare_v2(d->db, sql, -1, &statement, NULL) != SQLITE_OK) {
        say_failed(d);
    }
    return statement;
}

struct task_database *task_database_open(const char *dir, unsigned rank,
                                         struct st_tracer *const *tracers, size_t n_tracers)
{
    struct task_database *d = tw_calloc(TW_LOC, "database of tasks", sizeof(*d), 1);
    *d = (struct task_database){
        .path = database_path(dir, (int)rank), .tracers = tracers, .n_tracers = n_tracers};
    if (sqlite3_open(d->path, &d->db) != SQLITE_OK) {
        say_failed(d);
    }
    /* No sync to disk: a part must survive a crash of its process, but not of the machine. */
    run_sql(d, "PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF;" DATABASE_TASKS("location TEXT")
                   DATABASE_STEPS "BEGIN");
    d->task = prepare(d, "INSERT INTO tasks VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)");
    d->step = prepare(d, "INSERT INTO steps VALUES (?,?,?,?,?,?,?,?)");
    if (d->has_failed) {
        task_database_free(d);
        return NULL;
    }
    return d;
}

/* ---- Rows of the tables ---------------------------------------------------------------------- */

static bool is_wanted(const struct task_database *d, const struct task *task)
{
    for (size_t i = 0; i < d->n_tracers; i++) {
        const struct tracer_spec *spec = &d->tracers[i]->spec;
        if (spec->kind == TRACER_DATABASE && tracer_spec_fits(spec, task)) {
            return !d->has_failed;
        }
    }
    return false;
}

/* Binds an LP to the parameter of a statement whose index is `place`. lp is 1 + gid, or 0 for none,
 * which is stored as NULL. */
static void bind_lp(sqlite3_stmt *statement, int place, uint64_t lp)
{
    if (lp == 0) {
        sqlite3_bind_null(statement, place);
    } else {
        sqlite3_bind_int64(statement, place, (sqlite3_int64)(lp - 1));
    }
}

static void bind_text(sqlite3_stmt *statement, int place, const char *text)
{
    /* The text stays valid until the statement has run. */
    sqlite3_bind_text(statement, place, text, -1, SQLITE_STATIC);
}

/* Binds the key of a task to the first four parameters of a statement. In a key, -1 stands for no
 * LP. */
static void bind_key(sqlite3_stmt *statement, const struct task *task)
{
    sqlite3_bind_int64(statement, 1, (sqlite3_int64)(task->id.lp - 1));
    sqlite3_bind_int64(statement, 2, (sqlite3_int64)task->id.number);
    sqlite3_bind_int64(statement, 3, (sqlite3_int64)task->id.from - 1);
    sqlite3_bind_int64(statement, 4, (sqlite3_int64)task->order);
}

static void insert(struct task_database *d, sqlite3_stmt *statement)
{
    if (sqlite3_step(statement) != SQLITE_DONE) {
        say_failed(d);
    }
    sqlite3_reset(statement);
}

/* Inserts a row about a task. end: virtual time of its end; NULL: the task is open. */
static void insert_task(struct task_database *d, const struct task *task, const tw_stime *end)
{
    bind_key(d->task, task);
    bind_lp(d->task, 5, task->parent.lp);
    sqlite3_bind_int64(d->task, 6, (sqlite3_int64)task->parent.number);
    bind_lp(d->task, 7, task->parent.from);
    bind_text(d->task, 8, task->kind);
    bind_text(d->task, 9, task->what);
    bind_text(d->task, 10, task->where);
    sqlite3_bind_double(d->task, 11, task->start);
    if (end != NULL) {
        sqlite3_bind_double(d->task, 12, *end);
    } else {
        sqlite3_bind_null(d->task, 12);
    }
    sqlite3_bind_int(d->task, 13, end == NULL);
    insert(d, d->task);
}

static void database_ended(void *ctx, const struct task *task, const st_record *record)
{
    struct task_database *d = ctx;
    if (is_wanted(d, task)) {
        insert_task(d, task, &record->ts);
    }
}

static void insert_step(struct task_database *d, const struct task *task, double ts,
                        const char *what, bool is_detail)
{
    if (is_wanted(d, task)) {
        bind_key(d->step, task);
        sqlite3_bind_int64(d->step, 5, (sqlite3_int64)task->n_steps);
        sqlite3_bind_double(d->step, 6, ts);
        bind_text(d->step, 7, what);
        sqlite3_bind_int(d->step, 8, is_detail);
        insert(d, d->step);
    }
}

static void database_stepped(void *ctx, const struct task *task, const st_step *step,
                             const st_record *record)
{
    (void)record;
    insert_step(ctx, task, step->ts, step->what, false);
}

static void database_detailed(void *ctx, const struct task *task, const char *text,
                              const st_record *record)
{
    insert_step(ctx, task, record->ts, text, true);
}

struct task_sink task_database_sink(struct task_database *database)
{
    return (struct task_sink){.ctx = database,
                              .stepped = database_stepped,
                              .detailed = database_detailed,
                              .ended = database_ended};
}

/* ---- End of the run -------------------------------------------------------------------------- */

void task_database_commit(struct task_database *d)
{
    if (d->db != NULL) { /* the database is possibly closed already when a run fails */
        run_sql(d, "COMMIT; BEGIN");
    }
}

bool task_database_end(struct task_database *d, const struct task_book *book)
{
    for (size_t i = 0; i < book->open.n; i++) {
        if (is_wanted(d, book->open.entries[i].value)) {
            insert_task(d, book->open.entries[i].value, NULL);
        }
    }
    sqlite3_finalize(d->task);
    sqlite3_finalize(d->step);
    d->task = NULL;
    d->step = NULL;
    run_sql(d, "COMMIT; PRAGMA journal_mode=DELETE"); /* makes the part a single file again */
    if (!d->has_failed && sqlite3_close(d->db) != SQLITE_OK) {
        say_failed(d);
    } else if (!d->has_failed) {
        d->db = NULL;
    }
    return !d->has_failed;
}

void task_database_free(struct task_database *d)
{
    if (d != NULL) {
        sqlite3_finalize(d->task);
        sqlite3_finalize(d->step);
        sqlite3_close_v2(d->db);
        free(d->path);
        free(d);
    }
}
