/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * diff.h - compares two recordings that should be of the same simulation.
 *
 * The records of a kind in both files are compared one by one. If both files have a
 * record of an event or sample, the two records are either equal or, if their values differ,
 * changed. Any other record is in only one file. If a request changed what a run recorded, the
 * stream of that run has several parts, which are compared as one file. Only records in the windows
 * are compared: the ranges of virtual time in which both runs recorded the kind.
 *
 * A file that is damaged, incomplete or marked as having lost records possibly lacks records that
 * the other file has. A difference that can be explained in this way is counted, but is not
 * certain. If a run was stopped by a signal or an error, or killed, both files possibly lack
 * records after the earlier of the two runs' ends. After an error or a kill, the file of that run
 * possibly lacks earlier records, too, which a PE has not written.
 *
 * The origin is the LP and virtual time at which the runs diverged. An event that is in only one
 * file points to LP src_lp at send_ts, since the handler of this LP behaved differently in the two
 * runs. An event with different values points to LP dest_lp at recv_ts, since the state of this LP,
 * or the message that it received, differed. The origin is the earliest point to which any
 * difference points, not the place of the first difference. All records before the origin are equal
 * in both runs.
 */
#ifndef WARPSCOPE_READER_DIFF_DIFF_H
#define WARPSCOPE_READER_DIFF_DIFF_H

#include <stdio.h>

#include "access/stream.h"
#include "order/merge.h"
#include "text/json.h"

enum { WS_A = 0, WS_B = 1, WS_SIDES = 2 };

enum ws_origin_kind {
    WS_ORIGIN_NONE = 0,
    WS_ORIGIN_SENT,     /* the LP's handler sent different events at this virtual time */
    WS_ORIGIN_RECORDED, /* the LP recorded different values for an event at this virtual time */
    WS_ORIGIN_SAMPLED   /* a sample of the LP at this virtual time has different values */
};

struct ws_origin {
    enum ws_origin_kind kind;
    double time;
    bool has_lp; /* true if the LP is known; false for samples of PEs */
    uint64_t lp;
    double sent_ts;  /* for RECORDED: send time of the event */
    uint64_t sender; /* for RECORDED: LP that sent the event */
    /* For SENT: latest receive time of those events sent at the origin that only one file has. */
    double last_arrival;
};

struct ws_diff_side {
    struct ws_file *stream;   /* borrowed; the stream, open and readable */
    struct ws_select *select; /* borrowed; the user's selection, set to that stream */
    const struct fmt_schema *schema;
    bool lossy; /* true if records of the run are possibly missing in the file */
    bool early; /* true if the run was stopped or killed before the simulation was over */
    uint64_t records;
    uint64_t only; /* number of records that the other file lacks */
};

/* A range of virtual time in which both sides recorded a kind. It contains `from`, but not `to`. */
struct ws_diff_window {
    double from, to; /* infinite: no bound */
};
struct ws_diff_windows {
    struct ws_diff_window *list; /* owned; the windows, in ascending order */
    size_t n;
    bool whole;  /* true if the windows cover all times */
    bool midway; /* true if at least one side began to record the kind in the middle of its run */
};

/* Events near the origin, see ws_diff_context(). */
#define WS_CONTEXT_MAX 100u
struct ws_diff_events {
    struct ws_diff_event {
        /* Owned; [side]: the record of the event in the file of that side, without a large payload;
         * NULL: none. */
        struct ws_sort_key *items[WS_SIDES];
        bool equal; /* true if both files have the record, also with the same payload */
    } list[3 * WS_CONTEXT_MAX];
    size_t n;
};

/* The comparison of one kind of record. */
struct ws_diff {
    struct ws_diff_side sides[WS_SIDES];
    struct ws_diff_windows windows; /* virtual times that are compared; other records are ignored */
    struct ws_payload_types types;
    struct ws_sort_layout layout;
    /* equal: number of pairs of equal records; changed: number of pairs of records that differ. */
    uint64_t equal, changed;
    uint64_t certain; /* number of differences that lost records cannot explain */
    /* Owned; [side]: record of the first certain difference in the file of this side; NULL:
     * none. */
    struct ws_sort_key *first[WS_SIDES];
    double first_time; /* virtual time of the first certain difference */
    struct ws_origin origin;
    /* Events that the LP of the origin received near it, and that it sent at it. */
    struct ws_diff_events received, sent;
    uint64_t at_origin; /* number of all events that this LP received at the time of the origin */
};

/* Sets sides[].schema to the schemas with this name in the two files; NULL: the file has none.
 * Returns false if a schema is missing. */
bool ws_diff_schemas(struct ws_diff *diff, const char *name);

/* Returns true if the records of a part can be compared. An event trace can be compared only if it
 * is a trace of committed events (--event-trace=3). */
bool ws_diff_part_counts(const struct ws_file *part);
/* Sets diff->windows for sides[].schema. Returns false if out of memory. ws_diff_free() frees them,
 * even after an error. */
bool ws_diff_windows_find(struct ws_diff *diff);
/* Returns true if one of the windows contains the time. */
bool ws_diff_windows_have(const struct ws_diff_windows *windows, double time);

/* Compares the records of sides[].schema (model values only if sampled at a virtual time), and
 * stores the results in *diff. If not all records can be read, prints an error message and returns
 * false. Call ws_diff_free() at the end, even after an error. */
bool ws_diff_run(struct ws_diff *diff);
void ws_diff_free(struct ws_diff *diff);

/* Finds the events that the LP of the origin received near the time of the origin: the last n before
 * this time, at most n at this time, and the first n after it; and at most WS_CONTEXT_MAX events that
 * the LP sent at this time. n must be at most WS_CONTEXT_MAX. Reads the files again. If not all
 * records can be read, prints an error message and returns false. */
bool ws_diff_context(struct ws_diff *diff, size_t n);

/* Returns true if one run ended earlier than the other, and all differences come after that end.
 * Sets *end to the virtual time of that end. */
bool ws_diff_is_behind_end(const struct ws_diff *diff, double *end);

/* ---- Output ---------------------------------------------------------------------------------- */

/* Prints a comparison as text, with the context of the origin, see ws_diff_context(). If not all
 * records can be read, prints an error message and returns false. */
bool ws_diff_text(FILE *out, struct ws_diff *diff, size_t context);
/* Like ws_diff_text(), but writes an object to the open array. */
bool ws_diff_json(struct json_writer *json, struct ws_diff *diff, size_t context);

/* Prints the first difference as a table. */
void ws_diff_first(FILE *out, const struct ws_diff *diff);
/* Returns the description of the payload of the record `item`; NULL if the payload cannot be
 * printed field by field. */
const struct fmt_payload_desc *ws_diff_desc(const struct ws_diff *diff,
                                            const struct ws_sort_key *item);
/* Stores value number k of a payload field of the record `item` as text in cell, which has
 * WS_CELL_MAX bytes. Returns cell, or NULL if item is NULL. */
#define WS_CELL_MAX 64u
const char *ws_diff_element_text(const struct ws_sort_layout *layout,
                                 const struct ws_sort_key *item,
                                 const struct fmt_payload_field *field, uint32_t k, char *cell);
/* Stores up to WS_HEX_COLUMNS bytes of the payload of `item`, from offset `at` on, as hexadecimal
 * digits in cell, which has WS_CELL_MAX bytes. If the record `other` is not NULL, brackets mark the
 * bytes that differ from its payload. Returns cell, or NULL if item is NULL. */
#define WS_HEX_COLUMNS 8u
const char *ws_diff_hex_text(const struct ws_sort_layout *layout, const struct ws_sort_key *item,
                             const struct ws_sort_key *other, size_t at, char *cell);

#endif
