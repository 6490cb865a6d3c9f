/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * reader.h - libwarpscope-reader: gives programs access to the recordings of Warpscope runs.
 *
 *     wsr_run *run;
 *     if (wsr_open(&run, "stats-output", 0) != WSR_OK) {
 *         fprintf(stderr, "%s\n", wsr_message(run));
 *     }
 *     ...
 *     wsr_close(run);
 *
 * A run has streams (samples at GVT, events, ...), a stream has kinds of records, a kind has
 * fields. A scan reads the records of one kind, block by block, as one array per field.
 *
 * Most streams have one file. If a request (warpscope ctl) changed what a stream records, its
 * further files are PREFIX-2-STREAM.bin, PREFIX-3-STREAM.bin, and so on: its parts. They are read
 * as one. A stream has the kinds of all its parts; where a part did not record a kind, records are
 * missing, not zero. A kind has the same fields in all parts. Optional fields, which come from the
 * payloads of the model, are those of all parts; a record that has no such value is not `present`
 * in the column. Values of the field payload_type are numbers of the stream, and may differ from
 * those in a file.
 *
 * A handle (a wsr_run with its scans) belongs to one thread at a time; different handles are
 * independent. The library prints nothing, never ends the program, and changes no file. A function
 * that can fail returns enum wsr_status. Strings are UTF-8 as recorded: they may hold control
 * characters, and bytes that are not UTF-8. A pointer that a function returns belongs to its
 * handle and is valid until wsr_close(), unless its comment says less. Times are in the units of
 * the recording: virtual time as the model counts it, real time in seconds since the start of the
 * run.
 *
 * The interface may change with each minor version until 1.0, and the name of the shared library
 * with it.
 */
#ifndef WARPSCOPE_READER_H
#define WARPSCOPE_READER_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wsr_run wsr_run;   /* an opened recording */
typedef struct wsr_scan wsr_scan; /* a scan over the records of one kind */

enum wsr_status {
    WSR_OK = 0,
    WSR_END,         /* there are no further blocks */
    WSR_NOT_FOUND,   /* no such file, kind of record, field, type or PE */
    WSR_NOT_RECORDS, /* the file is no record file */
    WSR_UNSUPPORTED, /* made by a later version of the format */
    WSR_DAMAGED,     /* nothing of the file could be read */
    WSR_INVALID,     /* an argument is wrong */
    WSR_SYSTEM,      /* the system reported an error; wsr_message() returns its reason */
    WSR_NO_MEMORY
};

/* Returns a few words for a status: "not found". Constant. */
const char *wsr_status_text(int status);
/* Returns the version of the library: "0.1.0". Constant. */
const char *wsr_version(void);

/* ---- Opening --------------------------------------------------------------------------------- */

/* Flag of wsr_open(): adds rows that are only in crash-safe buffers yet, because the run goes on
 * or was killed. */
#define WSR_JOURNALS 1u

/*
 * Opens a directory of record files, or one record file, and reads the headers of all blocks. *run
 * is set even on failure (NULL only without memory), so that wsr_message() can state the reason;
 * close it in any case. WSR_OK: at least one file could be read; wsr_file_at() and wsr_fault_at()
 * describe the others, and incomplete ones. If the run goes on, the recording is read as it is when
 * it is opened; with WSR_JOURNALS, each scan reads the records that exist when it begins.
 */
int wsr_open(wsr_run **run, const char *path, unsigned flags);
/* Closes a run, and frees its scans. run NULL: nothing. */
void wsr_close(wsr_run *run);
/* Returns one line about the last failure of a function with this run; "" if none. Valid until the
 * next call with the run. */
const char *wsr_message(const wsr_run *run);

/* ---- Files, facts, faults -------------------------------------------------------------------- */

/* A fact about the run: "ranks" and "4", "command" and "./phold --synch=3". */
struct wsr_fact {
    const char *name, *text;
};

/* One record file. Files are ordered by name; those of a stream follow one another. */
struct wsr_file {
    const char *path;
    const char *stream;      /* "gvt", "rt", "vt", "model", "evtrace", "task", "tracer"; NULL */
    uint64_t records;        /* number of records in the file, without pending ones */
    uint64_t pending;        /* number of rows in crash-safe buffers only; 0 without WSR_JOURNALS */
    uint64_t missing;        /* number of records known to be lost by damage */
    uint64_t dropped;        /* number of records lost before the file was written */
    uint64_t blocks, bytes;  /* number of blocks, and their size in bytes */
    uint64_t unknown_blocks; /* number of blocks of kinds of a later version, which are skipped */
    uint64_t faults;         /* number of faults found while opening */
    uint32_t n_pes;          /* the PEs are 0 .. n_pes - 1 */
    uint32_t journals;       /* number of PEs whose crash-safe buffers may hold further records */
    uint32_t part;           /* number of the file in its stream, from 1 */
    bool readable;           /* false: all members except path and faults are 0, NULL or NaN */
    bool complete;           /* true if each PE ended, and no record is damaged or lost */
    bool running;            /* true if the run goes on (known only while `journals` is not 0) */
    bool loss_unknown;       /* true if an unknown number of further records may be missing */
    /* Ranges of the times of records; NaN: unknown. */
    double virtual_from, virtual_to, real_from, real_to;
    /* End of the run in words: "reached the end time"; NULL: the run did not end. */
    const char *outcome;
    double end_gvt, end_real_time; /* NaN: the run did not end */
    const struct wsr_fact *facts;  /* n_facts facts about the run of the file */
    size_t n_facts;
};
size_t wsr_file_count(const wsr_run *run);
/* Returns file number i, from 0; NULL if there is no such file. */
const struct wsr_file *wsr_file_at(const wsr_run *run, size_t i);

/* Return the number of facts of the first readable file, one of these facts, and the text of the
 * fact with a given name. The latter two return NULL if there is no such fact. Options may differ
 * in later parts of a stream: see the facts of the file. */
size_t wsr_fact_count(const wsr_run *run);
const struct wsr_fact *wsr_fact_at(const wsr_run *run, size_t i);
const char *wsr_fact(const wsr_run *run, const char *name);

/* Return one line for each place of damage, of all files, also those that scans found so far. At
 * most 20 of each file have a line. */
size_t wsr_fault_count(const wsr_run *run);
const char *wsr_fault_at(const wsr_run *run, size_t i);

/* ---- Kinds of records and their fields ------------------------------------------------------- */

enum wsr_type {
    WSR_U8,
    WSR_U16,
    WSR_U32,
    WSR_U64,
    WSR_I8,
    WSR_I16,
    WSR_I32,
    WSR_I64,
    WSR_F32,
    WSR_F64,
    WSR_TEXT,
    WSR_BYTES, /* bytes of a payload that has no description */
    WSR_NAME   /* values are uint32_t indices into a list of names */
};

/* The quantity that a field measures. */
enum wsr_measure {
    WSR_NO_MEASURE, /* the recording does not state a measure */
    WSR_LEVEL,      /* a momentary value */
    WSR_COUNTER,    /* a total since the start */
    WSR_CHANGE,     /* an increase since the previous record */
    WSR_IDENTITY    /* a name or number of something */
};

struct wsr_field {
    const char *name, *unit, *text; /* unit and text are "" if not stated */
    enum wsr_type type;
    uint32_t size; /* size of a value in bytes; TEXT: greatest length of a string; BYTES: 0 */
    enum wsr_measure measure;
    bool optional;            /* some records may have no value */
    const char *const *names; /* for NAME: names[i] is the name of value i; NULL for others */
    uint32_t n_names;
    const char *names_of; /* NAME: name of the field whose values are named; NULL if no column of
                           * that name holds them */
};

/* A range of both clocks in which a stream recorded nothing of a kind, because a request had
 * switched the kind off. The gap is before the first part of the stream, or between two parts. The
 * first record of each PE after a gap counts from the end of the gap. */
struct wsr_gap {
    double virtual_from, virtual_to, real_from, real_to;
};

/* A kind of record of one stream. */
struct wsr_kind {
    const char *name;            /* "gvt_pe", "event", "model_lp" */
    const char *text;            /* description in one line */
    const struct wsr_file *file; /* the first file of the stream */
    /* Number of records in all files of the stream, including pending ones. */
    uint64_t records;
    const struct wsr_field *fields;
    uint32_t n_fields;
    const struct wsr_gap *gaps; /* ascending; NULL: none */
    size_t n_gaps;
};
/* The kinds of all streams, stream by stream, also those without records. */
size_t wsr_kind_count(const wsr_run *run);
/* Returns kind number i, from 0; NULL if there is no such kind. */
const struct wsr_kind *wsr_kind_at(const wsr_run *run, size_t i);
/* Returns the first kind of that name; NULL if there is none. Where a directory holds several
 * runs, further kinds of the name follow. */
const struct wsr_kind *wsr_kind(const wsr_run *run, const char *name);

/* ---- Reading blocks -------------------------------------------------------------------------- */

/*
 * The records to read; texts as for the options of "warpscope dump". A record must satisfy all
 * members that are not NULL or NaN. A record without the field in question satisfies none.
 */
struct wsr_select {
    size_t size;       /* sizeof(struct wsr_select) */
    const char *pes;   /* PEs that wrote the records: "0,2,4-7" */
    const char *kps;   /* KPs, numbered within their PE */
    const char *lps;   /* LPs; for events, the receivers */
    const char *types; /* patterns for types of LPs: "router*,host" */
    const char *where; /* condition on fields: "hops>3 && kind==2" */
    /* Names of the columns to return, in this order: "a,b"; others are not decoded. */
    const char *fields;
    double from, to; /* virtual times from `from` (included) to `to` (excluded) */
};
#define WSR_SELECT_INIT                                                                            \
    {                                                                                              \
        sizeof(struct wsr_select), NULL, NULL, NULL, NULL, NULL, NULL, NAN, NAN                    \
    }

/* The values of one field in the records of a block, in the byte order of the machine. */
struct wsr_column {
    const struct wsr_field *field;
    const void *values;      /* n values of the field's type, contiguous, the first aligned for 8
                              * bytes; TEXT, BYTES: bytes, see offsets */
    const uint8_t *present;  /* n flags; NULL: every value is present. An absent value is 0,
                              * a NAME UINT32_MAX */
    const uint64_t *offsets; /* TEXT, BYTES: value i is values[offsets[i]] to before
                              * values[offsets[i + 1]], without a terminator; NULL for others */
};

/* The records of one PE that wsr_scan_next() returns in one call. */
struct wsr_block {
    uint32_t pe, n, n_columns;
    const struct wsr_column *columns;
};

/*
 * Begins a scan of a kind of the run. select NULL: all records. Records come PE by PE, each PE's in
 * the order of writing, part by part. In a file that has crash-safe buffers, their records follow
 * the PE's others, and its records follow those of all files before it. A block that is damaged is
 * skipped and becomes a fault. *scan is NULL on failure: WSR_INVALID for a text that cannot be
 * read, WSR_NOT_FOUND for names and PEs that the file does not have.
 */
int wsr_scan_begin(wsr_scan **scan, wsr_run *run, const struct wsr_kind *kind,
                   const struct wsr_select *select);
/* Reads the next block of at least one record. *block is valid until the next call with the scan;
 * NULL unless WSR_OK is returned. WSR_END follows the last block. */
int wsr_scan_next(wsr_scan *scan, const struct wsr_block **block);
/* Frees a scan. NULL: nothing. */
void wsr_scan_end(wsr_scan *scan);

/* ---- Sums ------------------------------------------------------------------------------------ */

/*
 * Make the JSON texts that "warpscope stats --json" and "warpscope info --json" print, to the byte;
 * free them with wsr_text_free(). Both read the files again, without crash-safe buffers. Statistics
 * are by stream, and their rates leave out the time in which a stream was off. select: its where
 * and fields must be NULL. *text is NULL on failure.
 */
int wsr_stats_json(wsr_run *run, const struct wsr_select *select, char **text);
int wsr_info_json(wsr_run *run, char **text);
void wsr_text_free(char *text);

/* A sentence about one of the greatest costs of a run. */
struct wsr_finding {
    const char *rule;   /* name of the rule: "rollback-kp" */
    const char *text;   /* "KP 12 of PE 1 takes part in 61 % of all rollbacks." */
    const char *advice; /* a remedy to try, as a sentence */
    double weight;      /* 0 to 1: share of the run's time or work that the finding concerns */
};
/* Finds the greatest costs of a run, as "warpscope report" does, in descending order of weight.
 * Reads all files of the run; of a directory with several runs, those of the first. *findings may
 * be NULL if *n is 0. */
int wsr_findings(wsr_run *run, const struct wsr_finding **findings, size_t *n);

#ifdef __cplusplus
}
#endif

#endif
