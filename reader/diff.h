/*
 * diff.h - two recordings of what should be the same simulation, compared.
 *
 * Records of one kind of both files are compared one by one (pairs.h). They are equal in both, or
 * changed: the same event or sample with other values, or only in one file. A file that is damaged,
 * incomplete or said to have lost records may just lack what only the other has: that is counted,
 * but it is no certain difference. Nor is what is behind the lower of both ends if a run was
 * stopped by a signal or an error, or killed; and of a run that did not stop in order (error,
 * killed) no PE need have written all up to its end.
 *
 * Where the runs parted: an event that is in one file only was sent by a handler that did something
 * else in the other run: LP src_lp at send_ts. An event with other values was received (dest_lp,
 * recv_ts) by an LP whose state or message was another. The earliest of these places among all
 * differences, not the one of the first difference, is the beginning: everything that the handlers
 * before it did is the same in both runs.
 */
#ifndef WARPSCOPE_READER_DIFF_H
#define WARPSCOPE_READER_DIFF_H

#include <stdio.h>

#include "pairs.h"

enum ws_origin_kind {
    WS_ORIGIN_NONE = 0,
    WS_ORIGIN_SENT,     /* the LP's handler sent something else at this time */
    WS_ORIGIN_RECORDED, /* the LP recorded other values for the event of this time */
    WS_ORIGIN_SAMPLED   /* the LP was different at a sample of this time */
};

struct ws_origin {
    enum ws_origin_kind kind;
    double time;
    bool has_lp; /* samples of PEs have none */
    uint64_t lp;
    double sent_ts; /* RECORDED: when, and by which LP, the event was sent */
    uint64_t sender;
    double last_arrival; /* SENT: of what was sent there and is not in both files */
};

struct ws_diff_side {
    struct ws_survey *survey; /* borrowed; open and readable */
    struct ws_select *select; /* borrowed; gone on to the survey's file */
    const struct fmt_schema *schema;
    bool lossy; /* records may be missing */
    bool early; /* its run was stopped or killed, and may have been about to do what is missing */
    uint64_t records;
    uint64_t only; /* records that the other file has not */
};

/* The comparison of one kind of record. */
struct ws_diff {
    struct ws_diff_side sides[WS_SIDES];
    struct ws_types types;
    struct ws_form form;
    uint64_t equal, changed; /* pairs */
    uint64_t certain;        /* differences that are no matter of losses */
    struct ws_item
        *first[WS_SIDES]; /* owned: the first certain difference; NULL: not in the file */
    double first_time;
    struct ws_origin origin;
};

/* Schemas of that name of both files (sides[].survey), or false. */
bool ws_diff_schemas(struct ws_diff *diff, const char *name);

/* Compares the records of sides[].schema (model values: those at virtual times); sides are filled
 * in. memory: for items of both files.
 * False: not all could be read; that was said. Free in any case. */
bool ws_diff_run(struct ws_diff *diff, size_t memory);
void ws_diff_free(struct ws_diff *diff);

/* ---- The surroundings of the origin ---- */

/* A record that the LP received, or (sent) one that it sent at the origin; items as in ws_pairs. */
typedef void (*ws_context_f)(const struct ws_form *form, const struct ws_item *const *items,
                             bool sent, void *ctx);

/* Calls fn for the last n records of the LP before the origin, those at its time (at most n) and
 * the next n behind it, and for those that it sent at that time (at most WS_CONTEXT_MAX). n is at
 * most WS_CONTEXT_MAX. Reads the files once more. *at_origin: number of events that the LP received
 * at that time. False: not all could be read; that was said. */
#define WS_CONTEXT_MAX 100u
bool ws_diff_context(struct ws_diff *diff, size_t memory, size_t n, ws_context_f fn, void *ctx,
                     uint64_t *at_origin);

/* ---- Output ---- */

/* What is said of a comparison. */
struct ws_diff_output {
    size_t memory;  /* for reading the surroundings, as for ws_diff_run() */
    size_t context; /* records before and behind the origin */
};

/* Both return false if not all could be read for it; that was said. */
bool ws_diff_text(FILE *out, struct ws_diff *diff, const struct ws_diff_output *output);
bool ws_diff_json(FILE *out, struct ws_diff *diff, const struct ws_diff_output *output);

/* ---- For output ---- */

/* The first difference as a table. */
void ws_diff_first(FILE *out, const struct ws_diff *diff);

/* A value of the run's description; NULL if it is not there. */
const char *ws_diff_fact(const struct ws_diff_side *side, const char *key);
/* Are all differences behind the end of a run that ended earlier than the other? *end: then. */
bool ws_diff_is_behind_end(const struct ws_diff *diff, double *end);
/* The lower of the virtual times at which both runs ended; infinite if no run was stopped early. */
double ws_diff_common_end(const struct ws_diff *diff);
/* Were the runs set up differently: other LPs in all, other LPs traced? Says so. */
bool ws_diff_setups_differ(FILE *out, const struct ws_diff *diff);
/* Can a handler have been undone in this run? */
bool ws_diff_is_optimistic(const struct ws_diff_side *side);
/* The number in ws_types of the type of an item's payload. */
uint32_t ws_diff_type(const struct ws_form *form, const struct ws_item *item);
/* The description of an item's payload if it can be shown field by field, otherwise NULL. */
const struct fmt_payload_desc *ws_diff_desc(const struct ws_diff *diff, const struct ws_item *item);
/* Values of a field of a payload: 1 for texts. */
static inline uint32_t ws_diff_elements(const struct fmt_payload_field *field)
{
    return field->type == FMT_CHAR ? 1 : field->count;
}
/* Where value number i of it is. */
static inline size_t ws_diff_element_at(const struct fmt_payload_field *field, uint32_t i)
{
    return field->offset + i * fmt_type_size(field->type);
}

/* Element number k of a payload field as text in cell (WS_CELL_MAX bytes); returns cell, or NULL if
 * item is. */
#define WS_CELL_MAX 64u
const char *ws_diff_element_text(const struct ws_form *form, const struct ws_item *item,
                                 const struct fmt_payload_field *field, uint32_t k, char *cell);
/* Up to WS_HEX_COLUMNS bytes of a payload from number at on; those that are not the same in other
 * (if not NULL) are in brackets. Returns cell, or NULL if item is. */
#define WS_HEX_COLUMNS 8u
const char *ws_diff_hex_text(const struct ws_form *form, const struct ws_item *item,
                             const struct ws_item *other, size_t at, char *cell);

#endif
