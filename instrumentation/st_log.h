/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * st_log.h - loggers, which write time-stamped entries to a file. Formats: CSV, Chrome trace events
 * (JSON for Perfetto's viewer and chrome://tracing), and plain text. For models and tools in C and
 * C++. Needs only the C library: link warpscope_log and m (warpscope-log.pc, Warpscope::log), or
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
 * A logger is NEW, then STARTED, then FINISHED. A call that its state does not allow returns
 * ST_WRONG_STATE and changes nothing. Entries are written as a stream: the memory used is one
 * buffer of about 64 KiB plus the longest entry. If writing fails (disk full), the call returns
 * ST_IO, and st_logger_error() returns the cause and the path. This entry and all later ones are
 * counted as lost, and the program goes on.
 *
 * No function here is collective. Only one thread at a time may use a logger. With several ranks,
 * each rank needs a file of its own. Texts are UTF-8; invalid bytes become U+FFFD in JSON. A text
 * that is NULL is written as "".
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
    /* A uint64_t, written in hexadecimal, such as 0x1f; in JSON, written as a string. */
    ST_LOG_HEX,
    ST_LOG_VECTOR /* a vector, written in the form [1,2,3] */
} st_log_arg_kind;

/* A vector of numbers. The logger reads items only during the call. */
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

/* An entry of a log. The logger reads the entry only during the call. Members that are 0 or NULL
 * are left out of the output where the format allows it. */
typedef struct st_log_entry {
    const char *name;
    const char *category;
    /*
     * Phase, a character as in Chrome trace events:
     * - X: complete, with a duration;
     * - B, E: beginning and end on one thread;
     * - i (also 0): instant;
     * - C: counter; its values are the args;
     * - b, n, e: asynchronous beginning, instant and end, joined by an id;
     * - s, t, f: start, step and end of a flow, joined by an id;
     * - M: metadata.
     * With any other character, adding the entry returns ST_INVALID.
     */
    char phase;
    char scope; /* scope of phase i: g global, p process, t (also 0) thread */
    int level;  /* level for filters; 0 is the most important level */
    /* Wall-clock or virtual time in the unit given by unit_s; magnitude at most ST_LOG_TIME_MAX. */
    double time;
    double duration;   /* duration, 0 to ST_LOG_TIME_MAX; for phase X only */
    uint64_t pid;      /* id of the process; in logs of simulations, the rank */
    uint64_t tid;      /* id of the thread; in logs of simulations, the KP */
    uint64_t id;       /* id that joins entries, for phases b n e s t f */
    const char *color; /* name of a colour in Chrome's viewer ("terrible", "good"); NULL: none */
    const st_log_arg *args;
    size_t n_args;
} st_log_entry;

/* ---- Loggers that write -------------------------------------------------------------------------
 *
 * Each create function returns ST_OK and sets *logger to the new logger, which the caller destroys.
 * Otherwise it returns ST_INVALID or ST_NO_MEMORY.
 */

/* Destination of a logger: a file or, if write is set, a function of the caller. st_logger_start()
 * opens the file and empties it. */
typedef struct st_log_target {
    /* Path of the file, copied; if write is set, used only in error messages. */
    const char *path;
    /* Writes size bytes of data to the caller's destination; ctx is the member ctx. Returns 0 or an
     * errno value. NULL: the logger writes the file at path. */
    int (*write)(void *ctx, const void *data, size_t size);
    void *ctx;
} st_log_target;

typedef struct st_log_options {
    /* Number of entries after which the buffer is written out; 0: only when the buffer is full. */
    size_t flush_entries;
    /* For Chrome: number of seconds that the viewer shows for one unit of time. 1 for wall-clock
     * seconds, 1e-9 for nanoseconds, any factor for virtual time. 0 means 1. */
    double unit_s;
    /* For CSV: keys of args that get a column of their own, in this order; copied. The key is the
     * name of its column. If an entry does not have the key, its cell is empty. Keys must differ
     * and must not be empty. */
    const char *const *columns;
    size_t n_columns;
} st_log_options;

/* Creates a logger that writes CSV, quoted as in RFC 4180, with a header line. Columns: time,
 * duration, phase, name, category, pid, tid, id, scope, level, the columns of the options, args (a
 * JSON object of all other args). Times are written in the unit in which they are given. options
 * may be NULL. */
st_result st_log_csv_create(const st_log_target *target, const st_log_options *options,
                            st_logger **logger);
/* Creates a logger that writes a JSON array of trace events, one per line. Times are in
 * microseconds with all their digits. After st_logger_finish() the file is a complete JSON value;
 * viewers also read an unfinished file. options may be NULL. */
st_result st_log_chrome_create(const st_log_target *target, const st_log_options *options,
                               st_logger **logger);
/* Creates a logger that writes one line per entry: TIME PHASE PID.TID NAME [CATEGORY] for=DURATION
 * id=ID KEY=VALUE... options may be NULL. */
st_result st_log_text_create(const st_log_target *target, const st_log_options *options,
                             st_logger **logger);

/* ---- Other loggers --------------------------------------------------------------------------- */

/* Creates a logger for tests, which keeps copies of at most n_max entries. Adding a further entry
 * returns ST_FULL, and the entry is lost. */
st_result st_log_memory_create(size_t n_max, st_logger **logger);
/* Returns the entries that a memory logger has kept, and sets *n to the number of entries. The
 * entries are valid until the next call for this logger. NULL: logger is not a memory logger, or it
 * has no entries. */
const st_log_entry *st_log_memory_entries(const st_logger *logger, size_t *n);

typedef bool (*st_log_predicate)(const st_log_entry *entry, void *ctx);
/* Creates a logger that passes entries to the logger `next`. An entry is passed if its level is at
 * most level_max and `wanted` returns true for it (NULL: the level alone decides). Entries that are
 * not passed count as accepted. `next` must be NEW; the new logger owns and destroys it. */
st_result st_log_filter_create(st_log_predicate wanted, void *ctx, int level_max, st_logger *next,
                               st_logger **logger);
/* Creates a logger that passes every entry to n loggers. These loggers must be NEW; the new logger
 * owns and destroys them. If some of them fail, the others still get the entry, and the call
 * returns the error. */
st_result st_log_broadcast_create(st_logger *const *loggers, size_t n, st_logger **logger);

/* ---- Use of loggers -------------------------------------------------------------------------- */

/* Changes the state from NEW to STARTED: opens the file and writes its beginning. Returns ST_OK;
 * ST_WRONG_STATE; ST_IO or ST_NO_MEMORY: the logger stays NEW. A broadcast logger becomes STARTED
 * if at least one of its loggers does. */
st_result st_logger_start(st_logger *logger);
/* Writes an entry; the state must be STARTED. Returns ST_OK; ST_WRONG_STATE; ST_INVALID: invalid
 * phase, scope, time, duration or args; ST_IO, ST_NO_MEMORY or ST_FULL: the entry is lost. */
st_result st_logger_add(st_logger *logger, const st_log_entry *entry);
/* Writes the contents of the buffer to the file; the state must be STARTED. Returns ST_OK;
 * ST_WRONG_STATE; ST_IO. */
st_result st_logger_flush(st_logger *logger);
/* Changes the state from STARTED to FINISHED: writes the end of the file and closes the file.
 * Returns ST_OK; ST_WRONG_STATE; ST_IO: entries were lost in this call or an earlier one; the
 * logger is FINISHED nevertheless. */
st_result st_logger_finish(st_logger *logger);
/* Finishes the logger if it is STARTED, and frees it. logger may be NULL. */
void st_logger_destroy(st_logger *logger);

/* Returns the message of the first error, which begins with the path: "jobs.json: cannot write: No
 * space left on device"; "" if there was no error. The text is valid until the logger is
 * destroyed. */
const char *st_logger_error(const st_logger *logger);
/* These functions return the number of accepted entries and the number of lost entries. */
uint64_t st_logger_entries(const st_logger *logger);
uint64_t st_logger_lost(const st_logger *logger);

/* These functions add an entry with metadata: the name that a viewer shows for a process (a rank),
 * or for a thread (a KP). */
st_result st_log_process_name(st_logger *logger, uint64_t pid, const char *name);
st_result st_log_thread_name(st_logger *logger, uint64_t pid, uint64_t tid, const char *name);

#ifdef __cplusplus
}
#endif

#endif
