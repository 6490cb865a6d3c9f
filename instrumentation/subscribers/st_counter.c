/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * st_counter.c - a subscriber library that counts records, and adds up the time between begin and
 * end records, separately for each stream, type and point.
 *
 * With one rank, the table of results goes to standard output. With several ranks, each rank writes
 * counter-<rank>.txt in the directory of the recording. Columns of the table:
 *
 *     emitted       number of emitted records, including those of undone events; for types with an
 *                   end, only begin records count
 *     committed     number of committed records, counted in the same way
 *     wall s        wall-clock seconds between begin and end record in one execution of a handler,
 *                   including executions that were undone; outside of simulations, in one thread
 *     virtual time  virtual time between begin and end record on one LP; committed records only
 *
 * An end record with an instance belongs to the begin record of the same stream, type and instance.
 * An end record without an instance belongs to the latest begin record of its stream and type that
 * has no end yet. The time is added to the point of the begin record.
 */
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "files/trust.h"
#include "st_counter.h"
#include "store/array.h"

#define NESTED_MAX 64 /* maximum number of nested scopes that are timed */
/* Maximum number of begin records of a type on an LP before the first end record of the type. If
 * there are more, the type counts as a type without end records. */
#define OPEN_MAX 64

struct counter the_counter;

/* Protects the_counter from concurrent access: outside of simulations, several threads may emit
 * records. `now` needs no lock, since each thread has its own. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Stack of the begin records that this thread has emitted for one LP at one virtual time and that
 * have no end record yet. In a simulation, these records belong to one execution of a handler. */
static _Thread_local struct {
    struct {
        uint32_t row;
        uint64_t instance;
        int64_t start_ns;
    } nested[NESTED_MAX];
    unsigned n_nested;
    tw_lpid lp;
    tw_stime ts;
} now;

static int64_t clock_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* ---- Tables ---------------------------------------------------------------------------------- */

int64_t counter_row(const st_record *r)
{
    for (size_t i = 0; i < the_counter.n_rows; i++) {
        const struct row *row = &the_counter.rows[i];
        if (row->type == r->type && row->point == r->point && row->stream == r->stream) {
            return (int64_t)i;
        }
    }
    if (!array_append(&the_counter.rows, the_counter.n_rows, sizeof *the_counter.rows)) {
        return -1;
    }
    the_counter.rows[the_counter.n_rows] =
        (struct row){.stream = r->stream, .type = r->type, .point = r->point};
    return (int64_t)the_counter.n_rows++;
}

static uint32_t open_hash(tw_lpid lp, st_stream_id stream, st_type type)
{
    return index_hash((uint64_t)lp * 0xff51afd7ed558ccdu ^ ((uint64_t)stream << 16 | type));
}

struct open *counter_find(tw_lpid lp, st_stream_id stream, st_type type)
{
    const uint32_t hash = open_hash(lp, stream, type);
    for (uint32_t at = hash, i; index_next(&the_counter.index, hash, &at, &i);) {
        struct open *open = &the_counter.open[i];
        if (open->lp == lp && open->stream == stream && open->type == type) {
            return open;
        }
    }
    return NULL;
}

struct open *counter_open(const st_record *r)
{
    const st_type type = (st_type)(r->type & ~1u);
    struct open *open = counter_find(r->lp, r->stream, type);
    const uint32_t n = the_counter.index.n;
    if (open == NULL && array_append(&the_counter.open, n, sizeof *open) &&
        index_add(&the_counter.index, open_hash(r->lp, r->stream, type), n)) {
        open = &the_counter.open[n];
        *open = (struct open){.lp = r->lp, .stream = r->stream, .type = type};
    }
    return open;
}

bool counter_push(struct open *open, uint32_t row, const st_record *r)
{
    open->has_no_end = open->n == OPEN_MAX && !open->has_ended;
    if (open->has_no_end) {
        return true;
    }
    if (!array_append(&open->starts, open->n, sizeof *open->starts)) {
        return false;
    }
    open->starts[open->n++] = (struct start){.ts = r->ts, .instance = r->instance, .row = row};
    return true;
}

/* Removes from `open` the begin record to which the end record r belongs, and copies it to *start.
 * Returns false if there is no such record. */
static bool take_start(struct open *open, const st_record *r, struct start *start)
{
    uint32_t i = open->n;
    while (i > 0 && r->instance != 0 && open->starts[i - 1].instance != r->instance) {
        i--;
    }
    if (i == 0) {
        return false;
    }
    *start = open->starts[i - 1];
    memmove(&open->starts[i - 1], &open->starts[i], (open->n - i) * sizeof *start);
    open->n--;
    return true;
}

/* ---- Handling of records --------------------------------------------------------------------- */

static bool is_end(const st_record *r)
{
    return (r->type & 1u) != 0;
}

static void add_committed(const st_record *r)
{
    struct open *open = counter_open(r);
    struct start start;
    int64_t i = is_end(r) ? 0 : counter_row(r);
    if (open == NULL || i < 0) {
        the_counter.is_out_of_memory = true;
    } else if (!is_end(r)) {
        the_counter.rows[i].committed++;
        the_counter.is_out_of_memory |= !counter_push(open, (uint32_t)i, r);
    } else if (take_start(open, r, &start)) {
        the_counter.rows[start.row].virtual_time += r->ts - start.ts;
        the_counter.rows[start.row].virtual_pairs++;
        open->has_ended = true;
    }
}

/* Returns true if r is the end record of the begin record now.nested[i]. */
static bool is_ended_by(unsigned i, const st_record *r)
{
    const struct row *row = &the_counter.rows[now.nested[i].row];
    return row->stream == r->stream && ST_TYPE_END(row->type) == r->type &&
           (r->instance == 0 || now.nested[i].instance == r->instance);
}

static void end_nested(const st_record *r)
{
    unsigned n = now.n_nested;
    while (n > 0 && !is_ended_by(n - 1, r)) { /* skips begin records that have no end record */
        n--;
    }
    if (n > 0) {
        struct row *row = &the_counter.rows[now.nested[n - 1].row];
        row->wall_ns += clock_ns() - now.nested[n - 1].start_ns;
        row->wall_pairs++;
        now.n_nested = n - 1;
    }
}

static void add_emitted(const st_record *r)
{
    /* A record of another LP or time comes from another execution of a handler. */
    if (r->lp != now.lp || r->ts != now.ts) {
        now.n_nested = 0;
        now.lp = r->lp;
        now.ts = r->ts;
    }
    if (is_end(r)) {
        end_nested(r);
        return;
    }
    int64_t i = counter_row(r);
    if (i < 0) {
        the_counter.is_out_of_memory = true;
        return;
    }
    the_counter.rows[i].emitted++;
    if (now.n_nested < NESTED_MAX) {
        now.nested[now.n_nested].row = (uint32_t)i;
        now.nested[now.n_nested].instance = r->instance;
        now.nested[now.n_nested++].start_ns = clock_ns();
    }
}

static void count_committed(const st_record *r, void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    add_committed(r);
    pthread_mutex_unlock(&lock);
}

static void count_emitted(const st_record *r, void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    add_emitted(r);
    pthread_mutex_unlock(&lock);
}

/* ---- Output of the table --------------------------------------------------------------------- */

static void print_row(FILE *out, const struct row *row)
{
    char type[128];
    char wall[32] = "-";
    char virtual[32] = "-";
    snprintf(type, sizeof type, "%s", the_counter.api->type_name(row->type));
    char *begin = strstr(type, " begin");
    if (begin != NULL) {
        *begin = '\0';
    }
    if (row->wall_pairs > 0) {
        snprintf(wall, sizeof wall, "%.6f", (double)row->wall_ns * 1e-9);
    }
    if (row->virtual_pairs > 0) {
        snprintf(virtual, sizeof virtual, "%.9g", row->virtual_time);
    }
    fprintf(out, "%12" PRIu64 " %12" PRIu64 " %12s %14s  %s %s", row->emitted, row->committed, wall,
            virtual, the_counter.api->stream_name(row->stream), type);
    if (row->point != NULL) {
        fprintf(out, " %s (%s:%" PRIu32 ")", the_counter.api->string_text(row->point->function),
                the_counter.api->string_text(row->point->file), row->point->line);
    }
    fputc('\n', out);
}

static void print_table(FILE *out)
{
    fprintf(out, "%12s %12s %12s %14s  %s\n", "emitted", "committed", "wall s", "virtual time",
            "stream, type, point");
    for (size_t i = 0; i < the_counter.n_rows; i++) {
        print_row(out, &the_counter.rows[i]);
    }
    if (the_counter.is_out_of_memory) {
        fprintf(out, "st_counter: rank %u ran out of memory, the table is incomplete\n",
                the_counter.api->rank());
    }
}

static void print_file(const char *directory)
{
    char path[4352];
    snprintf(path, sizeof path, "%s/counter-%u.txt", directory, the_counter.api->rank());
    char why[TRUST_WHY_MAX];
    FILE *out = trust_rewrite(path, why, sizeof why);
    bool written = out != NULL;
    if (written) {
        errno = 0;
        print_table(out);
        written = ferror(out) == 0;
        written = fclose(out) == 0 && written;
        snprintf(why, sizeof why, "%s", errno != 0 ? strerror(errno) : "unknown error");
    }
    if (!written) {
        fprintf(stderr, "st_counter: rank %u: cannot write %s: %s\n", the_counter.api->rank(), path,
                why);
    }
}

void counter_forget(void)
{
    for (size_t i = 0; i < the_counter.index.n; i++) {
        free(the_counter.open[i].starts);
    }
    free(the_counter.open);
    free(the_counter.rows);
    the_counter.open = NULL;
    the_counter.rows = NULL;
    index_fini(&the_counter.index);
    the_counter.n_rows = 0;
    now.n_nested = 0;
}

static void print_all(void)
{
    bool alone = the_counter.api->n_ranks() == 1;
    const char *directory = alone ? NULL : the_counter.api->stats_path();
    if (directory != NULL) {
        print_file(directory);
    } else if (the_counter.api->rank() == 0) {
        printf(alone ? "Records by point:\n" : "Records by point, of rank 0 only:\n");
        print_table(stdout);
        fflush(stdout);
    }
    counter_forget();
    the_counter = (struct counter){.api = NULL};
}

/* ---- Streams --------------------------------------------------------------------------------- */

void st_subscriber_init(const st_api *api, unsigned major, unsigned minor, const char *version,
                        const char *stream)
{
    (void)major, (void)minor, (void)version;
    the_counter.api = api;
    the_counter.n_streams++;
    st_stream_id id = api->stream_find(stream);
    api->subscribe(id, ST_ALL_TYPES, ST_SPECULATIVE, count_emitted, NULL);
    api->subscribe(id, ST_ALL_TYPES, ST_COMMITTED, count_committed, NULL);
}

void st_subscriber_fini(const char *stream)
{
    st_stream_id id = the_counter.api->stream_find(stream);
    the_counter.api->unsubscribe(id, ST_ALL_TYPES, ST_SPECULATIVE, count_emitted, NULL);
    the_counter.api->unsubscribe(id, ST_ALL_TYPES, ST_COMMITTED, count_committed, NULL);
    if (--the_counter.n_streams == 0) {
        print_all();
    }
}
