/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * st_log.h - loggers: they write time-stamped entries to a file as CSV, Chrome trace events (JSON
 * for Perfetto's viewer and chrome://tracing), or plain text. For models and tools in C and C++;
 * needs only the C library. Link warpscope_log and m (warpscope-log.pc, Warpscope::log), or
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
 * A logger is NEW, then STARTED, then FINISHED. A call in another state returns ST_WRONG_STATE and
 * changes nothing. Entries are written as a stream: the memory is one buffer of about 64 KiB and
 * the longest entry. If writing fails (disk full), the call returns ST_IO, st_logger_error()
 * returns the cause and the path, and this entry and all later ones are counted as lost; the
 * program goes on.
 *
 * No function here is collective. One thread at a time may use a logger. With several ranks, give
 * each rank its own file. Texts are UTF-8; invalid bytes become U+FFFD in JSON. NULL stands for "".
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
    ST_LOG_F64, /* a double; NaN and the infinities become null in JSON */
    ST_LOG_BOOL,
    ST_LOG_HEX,   /* a uint64_t, written as 0x1f; a string in JSON */
    ST_LOG_VECTOR /* a vector, written as [1,2,3] */
} st_log_arg_kind;

/* A vector of numbers. The logger only reads it during the call. */
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

/* An entry of a log. The logger only reads it during the call. Members that are 0 or NULL are left
 * out where the format allows it. */
typedef struct st_log_entry {
    const char *name;
    const char *category;
    /* Chrome's phases:
     * X complete (with a duration); B E begin and end on one thread; i instant; C counter (its
     * args);
     * b n e asynchronous begin, instant and end of one id; s t f flow of one id: start, step, end;
     * M metadata. 0: i. Any other character is ST_INVALID. */
    char phase;
    char scope; /* scope of phase i: g global, p process, t thread (also 0) */
    int level;  /* level for filters: 0 is the most important */
    /* Wall-clock or virtual time, in the unit of the options; magnitude at most ST_LOG_TIME_MAX */
    double time;
    double duration;   /* duration, for phase X only: 0 to ST_LOG_TIME_MAX */
    uint64_t pid;      /* process: in logs of simulations, the rank */
    uint64_t tid;      /* thread: in logs of simulations, the KP */
    uint64_t id;       /* id, for phases b n e s t f */
    const char *color; /* name of a colour of Chrome's viewer ("terrible", "good"), or NULL */
    const st_log_arg *args;
    size_t n_args;
} st_log_entry;

/* ---- Loggers that write -------------------------------------------------------------------------
 *
 * All create functions return ST_OK and set *logger, which the caller destroys; ST_INVALID;
 * ST_NO_MEMORY.
 */

/* The destination: a path (copied; st_logger_start() opens and empties the file), or a function of
 * the caller. */
typedef struct st_log_target {
    const char *path; /* path of the file; for messages only if write is set */
    /* Writes size bytes and returns 0 or an errno value. NULL: the file at path is written. */
    int (*write)(void *ctx, const void *data, size_t size);
    void *ctx;
} st_log_target;

typedef struct st_log_options {
    /* Number of entries after which the buffer is flushed; 0: when it is full. */
    size_t flush_entries;
    /* For Chrome: seconds in the viewer per unit of time: 1 for wall-clock seconds, 1e-9 for
     * nanoseconds, any factor for virtual time. 0 means 1. */
    double unit_s;
    /* For CSV: keys of args that get columns of their own, in this order, named after them; copied.
     * An entry without the key leaves the cell empty. Names must differ and must not be empty. */
    const char *const *columns;
    size_t n_columns;
} st_log_options;

/* Writes CSV, quoted as in RFC 4180, with a header line. Columns: time, duration, phase, name,
 * category, pid, tid, id, scope, level, the columns of the options, args (a JSON object of all
 * other args). Times are written as given. options may be NULL. */
st_result st_log_csv_create(const st_log_target *target, const st_log_options *options,
                            st_logger **logger);
/* Writes a JSON array of trace events, one per line; times are in microseconds with all their
 * digits. The file is one JSON value after st_logger_finish(); viewers also read an unfinished
 * file. */
st_result st_log_chrome_create(const st_log_target *target, const st_log_options *options,
                               st_logger **logger);
/* Writes a line per entry: TIME PHASE PID.TID NAME [CATEGORY] for=DURATION id=ID KEY=VALUE... */
st_result st_log_text_create(const st_log_target *target, const st_log_options *options,
                             st_logger **logger);

/* ---- Other loggers --------------------------------------------------------------------------- */

/* Keeps copies of at most n_max entries: for tests. Each further entry returns ST_FULL and is
 * lost. */
st_result st_log_memory_create(size_t n_max, st_logger **logger);
/* Returns the entries of a memory logger, valid until the next call for this logger, and sets *n to
 * their number. NULL: no memory logger, or no entries. */
const st_log_entry *st_log_memory_entries(const st_logger *logger, size_t *n);

typedef bool (*st_log_predicate)(const st_log_entry *entry, void *ctx);
/* Passes entries to next if their level is at most level_max and wanted (NULL: any) returns true.
 * The other entries count as accepted. The filter owns next, which must be NEW, and destroys it. */
st_result st_log_filter_create(st_log_predicate wanted, void *ctx, int level_max, st_logger *next,
                               st_logger **logger);
/* Passes every entry to n loggers, which must be NEW. The broadcast logger owns these loggers. All
 * loggers get the entry even if one fails; the call then returns that error. */
st_result st_log_broadcast_create(st_logger *const *loggers, size_t n, st_logger **logger);

/* ---- Use of loggers -------------------------------------------------------------------------- */

/* Changes the state from NEW to STARTED: opens the file and writes its beginning. Returns ST_OK;
 * ST_WRONG_STATE; ST_IO, ST_NO_MEMORY: the logger stays NEW (a broadcast starts if at least one of
 * its loggers does). */
st_result st_logger_start(st_logger *logger);
/* Writes an entry; the state must be STARTED. Returns ST_OK; ST_WRONG_STATE; ST_INVALID: invalid
 * phase, time or duration; ST_IO, ST_NO_MEMORY, ST_FULL: the entry is lost. */
st_result st_logger_add(st_logger *logger, const st_log_entry *entry);
/* Writes the buffer to the file; the state must be STARTED. Returns ST_OK; ST_WRONG_STATE;
 * ST_IO. */
st_result st_logger_flush(st_logger *logger);
/* Changes the state from STARTED to FINISHED: writes the end of the file and closes it. Returns
 * ST_OK; ST_WRONG_STATE; ST_IO: entries were lost, now or before, but the logger is FINISHED. */
st_result st_logger_finish(st_logger *logger);
/* Finishes the logger if it is STARTED, and frees it. NULL is allowed. */
void st_logger_destroy(st_logger *logger);

/* Returns the first error, with the path: "jobs.json: cannot write: No space left on device"; "" if
 * there was none. Valid until the logger is destroyed. */
const char *st_logger_error(const st_logger *logger);
/* Return the number of accepted and of lost entries. */
uint64_t st_logger_entries(const st_logger *logger);
uint64_t st_logger_lost(const st_logger *logger);

/* Add metadata: the name that a viewer shows for a process (a rank) or a thread (a KP). */
st_result st_log_process_name(st_logger *logger, uint64_t pid, const char *name);
st_result st_log_thread_name(st_logger *logger, uint64_t pid, uint64_t tid, const char *name);

#ifdef __cplusplus
}
#endif

#endif
