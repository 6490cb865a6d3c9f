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
 * Most streams have one file. If a request (warpscope ctl) changed what a stream records, the
 * stream continues in the files PREFIX-2-STREAM.bin, PREFIX-3-STREAM.bin, and so on: its parts. All
 * parts are read as one. A stream has the kinds of all its parts; where a part did not record a
 * kind, records are missing, not zero. A kind has the same fields in all parts. Optional fields,
 * which come from the payloads of the model, are those of all parts. If a record has no value of
 * such a field, the column marks it as absent (wsr_column.present). Values of the field
 * payload_type are ids within the stream, and may differ from those in a file.
 *
 * A handle (a wsr_run with its scans) belongs to one thread at a time; different handles are
 * independent. The library prints nothing, never ends the program, and changes no file. A function
 * that can fail returns enum wsr_status. Strings are as recorded, normally UTF-8; they may hold
 * control characters, and bytes that are not valid UTF-8. A pointer that a function returns belongs
 * to its handle and is valid until wsr_close(), unless the comment on the function states a shorter
 * time. Times are in the units of the recording: virtual time as the model counts it, real time in
 * seconds since the start of the run.
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
    WSR_NOT_RECORDS, /* the file is not a record file */
    WSR_UNSUPPORTED, /* the file has a later version of the format */
    WSR_DAMAGED,     /* nothing in the file could be read */
    WSR_INVALID,     /* an argument is wrong */
    WSR_SYSTEM,      /* the system reported an error; wsr_message() returns its reason */
    WSR_NO_MEMORY
};

/* Returns a few words for a status, such as "not found". The text is constant. */
const char *wsr_status_text(int status);
/* Returns the version of the library, such as "0.1.0". The text is constant. */
const char *wsr_version(void);

/* ---- Opening --------------------------------------------------------------------------------- */

/* Flag of wsr_open(): also reads records that are so far only in crash-safe buffers (journals),
 * because the run is still going on or was killed. */
#define WSR_JOURNALS 1u

/*
 * Opens a recording, and reads the headers of all its blocks. path: a directory of record files, or
 * one record file. flags: 0 or WSR_JOURNALS. *run is set even on failure, so that wsr_message() can
 * state the reason; it is NULL only if memory is exhausted. The caller must close *run even on
 * failure. WSR_OK: at least one file could be read. wsr_file_at() and wsr_fault_at() then tell
 * which files are incomplete or could not be read.
 *
 * If the run is still going on, the recording is read as it is when it is opened, also with
 * WSR_JOURNALS; open it again for later records.
 */
int wsr_open(wsr_run **run, const char *path, unsigned flags);
/* Closes a run, and frees its scans. Does nothing if run is NULL. */
void wsr_close(wsr_run *run);
/* Returns one line about the last failure of a function that was called with this run, or about an
 * empty selection (wsr_scan_next()); "" if there was none. Valid until the next call with the run. */
const char *wsr_message(const wsr_run *run);

/* ---- Files, facts, faults -------------------------------------------------------------------- */

/* A fact about the run, such as the name "ranks" with the text "4". */
struct wsr_fact {
    const char *name, *text;
};

/* One record file. Files are ordered by name; those of a stream follow one another. */
struct wsr_file {
    const char *path;
    /* "gvt", "rt", "vt", "model", "evtrace", "task" or "tracer"; NULL: the file is not readable. */
    const char *stream;
    uint64_t records; /* number of records in the file, without pending ones */
    uint64_t pending; /* number of records in crash-safe buffers only; 0 without WSR_JOURNALS */
    uint64_t missing; /* number of records known to be lost by damage */
    uint64_t dropped; /* number of records lost before the file was written */
    uint64_t blocks, bytes;  /* number of blocks, and their size in bytes */
    uint64_t unknown_blocks; /* number of skipped blocks, of kinds that a later version defines */
    uint64_t faults;         /* number of faults found while opening */
    uint32_t n_pes;          /* number of PEs, which are 0 to n_pes - 1 */
    uint32_t journals;       /* number of PEs whose crash-safe buffers may hold further records */
    uint32_t part;           /* number of the file among the parts of its stream, from 1 */
    /* True if the file can be read; otherwise all members except path and faults are 0, NULL or
     * NaN. */
    bool readable;
    bool complete;     /* true if each PE ended, and no record is damaged or lost */
    bool running;      /* true if the run is still going on; known only if `journals` is not 0 */
    bool loss_unknown; /* true if an unknown number of further records may be missing */
    /* Ranges of the times of records; NaN: unknown. */
    double virtual_from, virtual_to, real_from, real_to;
    /* End of the run in words, such as "reached the end time"; NULL: the run did not end. */
    const char *outcome;
    /* GVT and real time at the end of the run; NaN: the run did not end. */
    double end_gvt, end_real_time;
    const struct wsr_fact *facts; /* the n_facts facts about the run that the file states */
    size_t n_facts;
};
size_t wsr_file_count(const wsr_run *run); /* returns the number of files */
/* Returns file number i, from 0; NULL if there is no such file. */
const struct wsr_file *wsr_file_at(const wsr_run *run, size_t i);

/* Returns the number of facts that the first readable file states. Options may differ in later
 * parts of a stream: see the facts of each file. */
size_t wsr_fact_count(const wsr_run *run);
/* Returns fact number i, from 0, of the first readable file; NULL if there is no such fact. */
const struct wsr_fact *wsr_fact_at(const wsr_run *run, size_t i);
/* Returns the text of the fact called name in the first readable file; NULL if there is no such
 * fact. */
const char *wsr_fact(const wsr_run *run, const char *name);

/* Returns the name that the model gave to an LP (st_lp_name()), valid until wsr_close(); NULL if it has
 * none. */
const char *wsr_lp_name(const wsr_run *run, uint64_t lp);

/* Returns the number of faults that wsr_fault_at() describes. A fault is a damaged place in a file,
 * found by wsr_open() or by a scan. At most 20 faults of each stream are counted. */
size_t wsr_fault_count(const wsr_run *run);
/* Returns one line about fault number i, from 0; NULL if there is no such fault. */
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
    /* Name, unit and description; unit and text are "" if not stated. */
    const char *name, *unit, *text;
    enum wsr_type type;
    uint32_t size; /* size of a value in bytes; TEXT: maximum length of a string; BYTES: 0 */
    enum wsr_measure measure;
    bool optional;            /* true if some records may have no value */
    const char *const *names; /* for NAME, names[i] is the name of value i; otherwise NULL */
    uint32_t n_names;
    /* For NAME, name of the field whose values have these names; NULL if no column holds that
     * field. For other types NULL. */
    const char *names_of;
};

/* A range of virtual time, and of real time, in which a stream did not record a kind, because a
 * request had switched the kind off. The gap is before the first part of the stream, or between two
 * parts. The values in the first record of each PE after a gap are counted from the end of the
 * gap. */
struct wsr_gap {
    double virtual_from, virtual_to, real_from, real_to;
};

/* A kind of record of one stream. */
struct wsr_kind {
    const char *name;            /* name of the kind, such as "gvt_pe", "event" or "model_lp" */
    const char *text;            /* description in one line */
    const struct wsr_file *file; /* the first file of the stream */
    /* Number of records in all files of the stream, including pending ones and samples of models that
     * the run has left out (FORMAT.md), which are filled in. */
    uint64_t records;
    const struct wsr_field *fields;
    uint32_t n_fields;
    const struct wsr_gap *gaps; /* gaps of the kind, ascending; NULL: none */
    size_t n_gaps;
};
/* Returns the number of kinds in all streams, including kinds without records. Kinds are numbered
 * stream by stream. */
size_t wsr_kind_count(const wsr_run *run);
/* Returns kind number i, from 0; NULL if there is no such kind. */
const struct wsr_kind *wsr_kind_at(const wsr_run *run, size_t i);
/* Returns the first kind called name; NULL if there is none. If a directory holds several runs,
 * several kinds may have the same name; wsr_kind_at() returns all of them. */
const struct wsr_kind *wsr_kind(const wsr_run *run, const char *name);

/* ---- Reading blocks -------------------------------------------------------------------------- */

/*
 * The records to read. The texts have the form of the options of "warpscope dump". A record must
 * satisfy all members that are not NULL or NaN. A record does not satisfy a member if it lacks the
 * field to which the member refers.
 */
struct wsr_select {
    size_t size;       /* sizeof(struct wsr_select) */
    const char *pes;   /* PEs that wrote the records, such as "0,2,4-7" */
    const char *kps;   /* KPs, numbered within their PE */
    const char *lps;   /* LPs; for events, the receivers */
    const char *types; /* patterns for names of LP types, such as "router*,host" */
    const char *where; /* condition on fields, such as "hops>3 && kind==2" */
    /* Names of the columns to return, in this order, such as "a,b"; NULL: all columns. Other
     * columns are not decoded. */
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
    /* The n values as an array of the field's type, aligned to 8 bytes. For TEXT and BYTES: the
     * bytes of all values, see offsets. */
    const void *values;
    /* [i]: not 0 if value i is present; NULL: every value is present. An absent value is 0; for
     * NAME, it is UINT32_MAX. */
    const uint8_t *present;
    /* For TEXT and BYTES, n + 1 offsets: value i begins at byte offsets[i] of values and ends
     * before byte offsets[i + 1], without a terminating zero. For other types NULL. */
    const uint64_t *offsets;
};

/* The records of one PE that wsr_scan_next() returns in one call. */
struct wsr_block {
    uint32_t pe, n, n_columns;
    const struct wsr_column *columns;
};

/*
 * Begins a scan of a kind of the run. select: the records to read; NULL: all. Records come PE by
 * PE, and those of a PE in the order of writing, part by part; the records in a PE's crash-safe
 * buffers follow its other records. A block that is damaged is skipped and becomes a fault. *scan
 * is NULL on failure.
 * Returns WSR_INVALID if a text in select is malformed, and WSR_NOT_FOUND if select names something
 * that the stream does not have.
 */
int wsr_scan_begin(wsr_scan **scan, wsr_run *run, const struct wsr_kind *kind,
                   const struct wsr_select *select);
/* Sets *block to the next block, which has at least one record. *block is valid until the next call
 * with the scan; it is NULL unless WSR_OK is returned. Returns WSR_END after the last block. If there
 * was no block, because no record satisfies the selection, wsr_message() then says which records
 * there are. */
int wsr_scan_next(wsr_scan *scan, const struct wsr_block **block);
/* Frees a scan. Does nothing if scan is NULL. */
void wsr_scan_end(wsr_scan *scan);

/* ---- Sums ------------------------------------------------------------------------------------ */

/*
 * Sets *text to exactly the JSON text that "warpscope stats --json" prints; NULL on failure. Free
 * it with wsr_text_free(). Reads the files again, without crash-safe buffers. Statistics are per
 * stream, and their rates leave out the time in which a stream was off. select: the records to
 * count; NULL: all. Its members where and fields must be NULL. If no record satisfies the selection,
 * wsr_message() then says which records there are.
 */
int wsr_stats_json(wsr_run *run, const struct wsr_select *select, char **text);
/* Sets *text to exactly the JSON text that "warpscope info --json" prints; NULL on failure. Free it
 * with wsr_text_free(). Reads the files again, without crash-safe buffers. */
int wsr_info_json(wsr_run *run, char **text);
void wsr_text_free(char *text); /* frees such a text; does nothing if text is NULL */

/* A sentence about one of the greatest costs of a run. */
struct wsr_finding {
    const char *rule; /* name of the rule, such as "rollback-kp" */
    const char *text; /* a sentence such as "KP 12 of PE 1 takes part in 61 % of all rollbacks." */
    const char *advice; /* a remedy to try, as a sentence; "": none is needed */
    double weight;      /* 0 to 1: share of the run's time or work that the finding concerns */
};
/* Finds the greatest costs of a run, as "warpscope report" does. Sets *findings to an array of *n
 * findings, in descending order of weight after those that bear on all others, such as what one rank
 * would need; NULL if *n is 0. Reads all files of the run; if a
 * directory has several runs, only those of the first run. */
int wsr_findings(wsr_run *run, const struct wsr_finding **findings, size_t *n);

#ifdef __cplusplus
}
#endif

#endif
