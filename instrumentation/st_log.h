/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * st_log.h - loggers: entries with a time go in, a file comes out: CSV, Chrome trace events (JSON
 * for Perfetto's viewer and chrome://tracing), or plain text. For models and tools in C and C++;
 * needs nothing but the C library. Link warpscope_log and m (warpscope-log.pc, Warpscope::log), or
 * warpscope.
 *
 *     st_logger *log;
 *     st_log_target target = {.path = "jobs.json"};
 *     st_log_chrome_create(&target, NULL, &log);
 *     st_logger_start(log);
 *     st_log_entry job = {.name = "job", .phase = 'X', .time = 0.25, .duration = 0.5};
 *     st_logger_add(log, &job);
 *     st_logger_finish(log);
 *     st_logger_destroy(log);
 *
 * A logger is NEW, then STARTED, then FINISHED. A call at the wrong time returns ST_WRONG_STATE and
 * changes nothing. Entries stream out as they come: memory is one buffer of about 64 KiB and the
 * longest entry. When writing fails (disk full), the call returns ST_IO, st_logger_error() says
 * what and where, that entry and all later ones are counted as lost, and nothing else happens.
 *
 * No function here is collective; a logger is for one thread at a time. On several ranks give each
 * its own file. Texts are UTF-8; what is not valid becomes U+FFFD in JSON. NULL stands for "".
 */
#ifndef WARPSCOPE_ST_LOG_H
#define WARPSCOPE_ST_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "st_result.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct st_logger st_logger;

/* ---- Entries --------------------------------------------------------------------------------- */

typedef enum st_log_arg_kind {
    ST_LOG_TEXT = 0,
    ST_LOG_U64,
    ST_LOG_I64,
    ST_LOG_F64, /* NaN and the infinities become texts in JSON */
    ST_LOG_BOOL,
    ST_LOG_HEX,   /* u64, written as 0x1f; a text in JSON */
    ST_LOG_VECTOR /* written as [1,2,3] */
} st_log_arg_kind;

/* Borrowed during the call, as the entry. */
typedef struct st_log_vector {
    const int64_t *items;
    size_t n;
} st_log_vector;

typedef struct st_log_arg {
    const char *key;
    st_log_arg_kind kind;
    union {
        const char *text;
        uint64_t u64;
        int64_t i64;
        double f64;
        bool boolean;
        st_log_vector vector;
    } value;
} st_log_arg;

#define ST_LOG_TIME_MAX 1e290

/* Borrowed during the call. What is 0 or NULL is left out where the format allows it. */
typedef struct st_log_entry {
    const char *name;
    const char *category;
    /* Chrome's phases: X complete (with a duration), B E begin and end on one thread, i instant,
     * C counter (its args), b n e asynchronous begin, instant and end of one id, s t f flow of one
     * id: start, step, end, M metadata. 0: i. Others are ST_INVALID. */
    char phase;
    char scope;        /* of i: g global, p process, t thread (also 0) */
    int level;         /* for filters: 0 matters most */
    double time;       /* wall clock or virtual time, in the unit that the options tell; at most
                         ST_LOG_TIME_MAX from 0 */
    double duration;   /* of X; 0 to ST_LOG_TIME_MAX */
    uint64_t pid;      /* the rank, in logs of simulations */
    uint64_t tid;      /* the KP */
    uint64_t id;       /* of b n e s t f */
    const char *color; /* a colour's name in Chrome's viewer ("terrible", "good"), or NULL */
    const st_log_arg *args;
    size_t n_args;
} st_log_entry;

/* ---- Loggers that write -------------------------------------------------------------------------
 *
 * All create functions: ST_OK and *logger, to be destroyed in the end; ST_INVALID; ST_NO_MEMORY.
 */

/* Where it goes: a path (copied; the file is opened, and emptied, by st_logger_start()), or a
 * function of the caller's. */
typedef struct st_log_target {
    const char *path; /* with write: for messages only */
    /* Takes size bytes; returns 0, or an errno value. NULL: path is written. */
    int (*write)(void *ctx, const void *data, size_t size);
    void *ctx;
} st_log_target;

typedef struct st_log_options {
    size_t flush_entries; /* write out whenever so many have gathered; 0: when the buffer is full */
    /* Chrome: seconds (of what the viewer shows) that one unit of time stands for: 1 for seconds
     * of wall clock, 1e-9 for nanoseconds, what you like for virtual time. 0 is 1. */
    double unit_s;
    /* CSV: keys of args that get columns of their own, in this order, named after them; copied. An
     * entry without the key leaves the cell empty. Names must differ and must not be empty. */
    const char *const *columns;
    size_t n_columns;
} st_log_options;

/* Columns time, duration, phase, name, category, pid, tid, id, scope, level, those of the options,
 * args (a JSON object of all others); a header line; quoted as RFC 4180 says. Times as they are
 * given. options may be NULL. */
st_result st_log_csv_create(const st_log_target *target, const st_log_options *options,
                            st_logger **logger);
/* A JSON array of trace events, one on a line; times in microseconds with all their digits. It is
 * one JSON value after st_logger_finish(), and viewers read what there is of it before. */
st_result st_log_chrome_create(const st_log_target *target, const st_log_options *options,
                               st_logger **logger);
/* A line per entry: TIME PHASE PID.TID NAME [CATEGORY] for=DURATION id=ID KEY=VALUE... */
st_result st_log_text_create(const st_log_target *target, const st_log_options *options,
                             st_logger **logger);

/* ---- Other loggers --------------------------------------------------------------------------- */

/* Keeps copies of at most n_max entries: for tests. More: ST_FULL, and counted as lost. */
st_result st_log_memory_create(size_t n_max, st_logger **logger);
/* Its entries, until the next call for it; *n of them. NULL: it is no such logger, or there are
 * none. */
const st_log_entry *st_log_memory_entries(const st_logger *logger, size_t *n);

typedef bool (*st_log_predicate)(const st_log_entry *entry, void *ctx);
/* Hands on to next the entries of a level of at most level_max for which wanted (NULL: any) is
 * true; the others count as taken. next belongs to it: destroyed with it, and to be NEW. */
st_result st_log_filter_create(st_log_predicate wanted, void *ctx, int level_max, st_logger *next,
                               st_logger **logger);
/* Hands every entry on to n loggers, which belong to it and are to be NEW; all get it even when one
 * fails, whose error is returned then. */
st_result st_log_broadcast_create(st_logger *const *loggers, size_t n, st_logger **logger);

/* ---- Using them ------------------------------------------------------------------------------ */

/* NEW to STARTED: opens the file, writes what comes first. ST_OK; ST_WRONG_STATE; ST_IO,
 * ST_NO_MEMORY: it stays NEW (a broadcast starts when one of its loggers does). */
st_result st_logger_start(st_logger *logger);
/* STARTED only. ST_OK; ST_WRONG_STATE; ST_INVALID: phase, time or duration make no sense; ST_IO,
 * ST_NO_MEMORY, ST_FULL: the entry is lost. */
st_result st_logger_add(st_logger *logger, const st_log_entry *entry);
/* STARTED only: hands what has gathered to the system. ST_OK; ST_WRONG_STATE; ST_IO. */
st_result st_logger_flush(st_logger *logger);
/* STARTED to FINISHED: writes what comes last, closes. ST_OK; ST_WRONG_STATE; ST_IO: something was
 * lost, now or before; it is FINISHED all the same. */
st_result st_logger_finish(st_logger *logger);
/* Finishes it if need be, and frees it. NULL is fine. */
void st_logger_destroy(st_logger *logger);

/* The first thing that went wrong, with the path: "jobs.json: cannot write: No space left on
 * device"; "" if nothing did. Valid until the logger is destroyed. */
const char *st_logger_error(const st_logger *logger);
/* Entries that were taken, and that were lost. */
uint64_t st_logger_entries(const st_logger *logger);
uint64_t st_logger_lost(const st_logger *logger);

/* Metadata: what a viewer calls a process (a rank) or a thread (a KP), and where it shows it. */
st_result st_log_process_name(st_logger *logger, uint64_t pid, const char *name);
st_result st_log_thread_name(st_logger *logger, uint64_t pid, uint64_t tid, const char *name);

#ifdef __cplusplus
}
#endif

#endif
