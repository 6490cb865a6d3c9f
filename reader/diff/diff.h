/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * diff.h - comparison of two recordings that should be of the same simulation.
 *
 * Records of one kind of both files are compared one by one (pairs.h). Two records are equal, or
 * changed: the same event or sample with other values. A record can also be in one file only. If a
 * request changed what a run recorded, a file stands for all parts of its stream, and only virtual
 * times at which both runs recorded the kind are compared: the windows.
 *
 * A file that is damaged, incomplete or marked as having lost records may lack records that the
 * other file has. Such a difference is counted, but is not certain. If a run was stopped by a
 * signal or an error, or killed, differences after the lower of both ends are not certain either.
 * After an error or a kill, a PE need not have written its records up to its end.
 *
 * The origin is the place where the runs diverged. An event that is in one file only was sent by a
 * handler that behaved differently: that of LP src_lp at send_ts. An event with other values was
 * received by LP dest_lp at recv_ts, whose state or message differed. The origin is the earliest of
 * these places among all differences, not the place of the first difference: everything before it
 * is equal in both runs.
 */
#ifndef WARPSCOPE_READER_DIFF_DIFF_H
#define WARPSCOPE_READER_DIFF_DIFF_H

#include <stdio.h>

#include "access/stream.h"
#include "order/pairs.h"

enum ws_origin_kind {
    WS_ORIGIN_NONE = 0,
    WS_ORIGIN_SENT,     /* the LP's handler sent something else at this virtual time */
    WS_ORIGIN_RECORDED, /* the LP recorded other values for its event at this virtual time */
    WS_ORIGIN_SAMPLED   /* the state of the LP differed in a sample at this virtual time */
};

struct ws_origin {
    enum ws_origin_kind kind;
    double time;
    bool has_lp; /* true if the LP is known; false for samples of PEs */
    uint64_t lp;
    double sent_ts; /* for RECORDED: send time of the event, and LP that sent it */
    uint64_t sender;
    double last_arrival; /* for SENT: latest receive time of an event that one file lacks */
};

struct ws_diff_side {
    struct ws_file *survey;   /* borrowed; the stream, open and readable */
    struct ws_select *select; /* borrowed; selection, set to that stream */
    const struct fmt_schema *schema;
    bool lossy; /* true if records may be missing in the file */
    bool early; /* true if the run was stopped or killed, so that later records may be missing */
    uint64_t records;
    uint64_t only; /* number of records that the other file lacks */
};

/* Ranges of virtual time in which both sides recorded a kind, in ascending order. Each range
 * contains `from` and excludes `to`. */
struct ws_diff_window {
    double from, to; /* infinite: no bound */
};
struct ws_diff_windows {
    struct ws_diff_window *list; /* owned */
    size_t n;
    bool whole;  /* true if the windows cover all times */
    bool midway; /* true if a trace of a side began during its run */
};

/* The comparison of one kind of record. */
struct ws_diff {
    struct ws_diff_side sides[WS_SIDES];
    struct ws_diff_windows windows; /* records outside of them are left out */
    /* Kinds of both sides with the fields that can be compared, and their fields (owned). */
    struct fmt_schema comparable[WS_SIDES];
    struct fmt_field *comparable_fields[WS_SIDES];
    struct ws_payload_types types;
    struct ws_sort_layout form;
    uint64_t equal, changed; /* number of pairs that are equal, and that have other values */
    uint64_t certain;        /* number of differences that lost records cannot explain */
    struct ws_sort_key
        /* Owned; the first certain difference: record of each file, NULL if it has none. */
        *first[WS_SIDES];
    double first_time;
    struct ws_origin origin;
};

/* Finds the schemas called name in both files (sides[].survey). Returns false if one is missing. */
bool ws_diff_schemas(struct ws_diff *diff, const char *name);

/* Returns true if the records of a part can be compared. Of event traces, only those of committed
 * events (--event-trace=3) can. */
bool ws_diff_part_counts(const struct ws_file *part);
/* Finds diff->windows and the comparable fields, for sides[].schema; ws_diff_free() frees both.
 * Returns false if out of memory. */
bool ws_diff_windows_find(struct ws_diff *diff);
bool ws_diff_windows_have(const struct ws_diff_windows *windows, double time);
/* Print the windows unless they cover all times. */
void ws_diff_windows_text(FILE *out, const struct ws_diff_windows *windows);
void ws_diff_windows_json(FILE *out, const struct ws_diff_windows *windows);

/* Compares the records of sides[].schema (for model values, only samples at virtual times) and
 * fills sides. memory: bytes for the sort keys of both files. Returns false, after a message, if
 * not all records could be read. Must be freed in any case. */
bool ws_diff_run(struct ws_diff *diff, size_t memory);
void ws_diff_free(struct ws_diff *diff);

/* ---- Context of the origin ------------------------------------------------------------------- */

/* Called with a record of an event that the LP received or, if sent is true, sent at the origin.
 * items: as in ws_pairs. */
typedef void (*ws_context_f)(const struct ws_sort_layout *form,
                             const struct ws_sort_key *const *items, bool sent, void *ctx);

/* Calls fn for the records of the LP near the origin: the last n before it, those at its time (at
 * most n), the next n, and those that the LP sent at that time (at most WS_CONTEXT_MAX). n is at
 * most WS_CONTEXT_MAX. Reads the files again. *at_origin: number of events that the LP received at
 * that time. Returns false, after a message, if not all records could be read. */
#define WS_CONTEXT_MAX 100u
bool ws_diff_context(struct ws_diff *diff, size_t memory, size_t n, ws_context_f fn, void *ctx,
                     uint64_t *at_origin);

/* ---- Output ---------------------------------------------------------------------------------- */

/* Settings for the output of a comparison. */
struct ws_diff_output {
    size_t memory;  /* bytes of memory for reading the context records, as for ws_diff_run() */
    size_t context; /* number of records to print before and after the origin */
};

/* Print a comparison as text or as JSON. Both return false, after a message, if not all records
 * could be read. */
bool ws_diff_text(FILE *out, struct ws_diff *diff, const struct ws_diff_output *output);
bool ws_diff_json(FILE *out, struct ws_diff *diff, const struct ws_diff_output *output);

/* ---- Parts of both output formats ------------------------------------------------------------ */

/* Prints the first difference as a table. */
void ws_diff_first(FILE *out, const struct ws_diff *diff);

/* Returns the value of a fact about the run of a side, or NULL if it is missing. */
const char *ws_diff_fact(const struct ws_diff_side *side, const char *key);
/* Returns true if all differences come after the end of a run that ended earlier than the other.
 * Sets *end to that end. */
bool ws_diff_is_behind_end(const struct ws_diff *diff, double *end);
/* Returns the lower of the virtual times at which both runs ended; infinite if both ended
 * regularly. */
double ws_diff_common_end(const struct ws_diff *diff);
/* Returns true, after a message, if the runs were set up differently: with different numbers of LPs
 * or different traced LPs. */
bool ws_diff_setups_differ(FILE *out, const struct ws_diff *diff);
/* Returns true if handlers can have been undone in this run. */
bool ws_diff_is_optimistic(const struct ws_diff_side *side);
/* Returns the number, in ws_payload_types, of the payload type of a record. */
uint32_t ws_diff_type(const struct ws_sort_layout *form, const struct ws_sort_key *item);
/* Returns the description of the payload of a record (item), or NULL if it cannot be printed
 * field by field. */
const struct fmt_payload_desc *ws_diff_desc(const struct ws_diff *diff,
                                            const struct ws_sort_key *item);
/* Returns the number of values in a payload field; 1 for strings. */
static inline uint32_t ws_diff_elements(const struct fmt_payload_field *field)
{
    return field->type == FMT_CHAR ? 1 : field->count;
}
/* Returns the offset of value number i in the payload. */
static inline size_t ws_diff_element_at(const struct fmt_payload_field *field, uint32_t i)
{
    return field->offset + i * fmt_type_size(field->type);
}

/* Stores element number k of a payload field as text in cell (WS_CELL_MAX bytes). Returns cell, or
 * NULL if item is NULL. */
#define WS_CELL_MAX 64u
const char *ws_diff_element_text(const struct ws_sort_layout *form, const struct ws_sort_key *item,
                                 const struct fmt_payload_field *field, uint32_t k, char *cell);
/* Prints up to WS_HEX_COLUMNS bytes of a payload, from offset `at` on, as hexadecimal digits to
 * cell. Bytes that differ from those of other (if not NULL) are in brackets. Returns cell, or NULL
 * if item is NULL. */
#define WS_HEX_COLUMNS 8u
const char *ws_diff_hex_text(const struct ws_sort_layout *form, const struct ws_sort_key *item,
                             const struct ws_sort_key *other, size_t at, char *cell);

#endif
