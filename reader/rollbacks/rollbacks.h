/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rollbacks.h - why a run rolled back: the trace of rollbacks as trees, and sums by cause.
 *
 * A tree (cascade) has a primary rollback as its root. The children of a rollback are the secondary
 * rollbacks whose events it cancelled.
 *
 * The file is read twice: first the links of all records, then, with the sums of each tree known,
 * the causes of the roots. Memory: 40 bytes per rollback and 40 per tree; lists of causes are
 * bounded (data/top_k.h).
 */
#ifndef WARPSCOPE_READER_ROLLBACKS_ROLLBACKS_H
#define WARPSCOPE_READER_ROLLBACKS_ROLLBACKS_H

#include "access/load.h"
#include "data/histogram.h"
#include "data/intern.h"
#include "data/top_k.h"
#include "results/results.h"

#define ROLLBACKS_NONE       UINT32_MAX
#define ROLLBACKS_TYPES_MAX  1024u
#define ROLLBACKS_BOUND_BINS 2048u

/* Values of the field trigger. */
enum {
    TRIGGER_LOCAL = 1,
    TRIGGER_REMOTE,
    TRIGGER_CANCEL,
    TRIGGER_ANTI,
    TRIGGER_RANDOM,
    TRIGGER_RETURN
};

/* A rollback. */
struct rollbacks_node {
    uint64_t number; /* number on its PE */
    uint64_t cause;  /* first: number of its cause; 0: none */
    uint64_t ns;     /* time of the handlers that it undid */
    uint32_t parent; /* number of the causing node, or ROLLBACKS_NONE; first: its PE */
    uint32_t tree;   /* number of its tree; ROLLBACKS_NONE: not known yet */
    uint32_t undone; /* events that it undid */
    uint32_t depth;  /* its distance from the root, from 1 */
};

struct rollbacks_tree {
    uint32_t root;         /* number of the node */
    uint32_t depth, width; /* rollbacks on the longest way down; most rollbacks at one depth */
    bool is_whole;         /* false: the root is secondary, since its cause is not in the trace */
    uint64_t rollbacks, undone, ns;
};

/* Sums over rollbacks that are roots: own values, and those of their trees. */
struct rollbacks_sum {
    uint64_t roots, own, rollbacks, undone, ns;
};
#define ROLLBACKS_SUM_VALUES 5u

/* Reasons why stragglers came late, see rollbacks_reason_words(). */
enum rollbacks_reason {
    REASON_MESSAGE, /* sent in time, and under way for too long */
    REASON_RANK,    /* sent late, by a rank that lags */
    REASON_AHEAD,   /* sent late by a rank that does not lag: the receiver was too far ahead */
    REASON_LOCAL,   /* sent on the own PE */
    REASON_NONE,    /* no straggler */
    REASON_UNKNOWN, /* the root is a secondary rollback, whose cause is not in the trace */
    REASONS
};

/* Of the messages of a PE that it sent after the receiver had passed their time. */
struct rollbacks_pe {
    struct rollbacks_sum late; /* rollbacks of others that they caused */
    uint64_t suffered;         /* events of this PE that such messages of others undid */
};

/* Totals of the engine, from the END blocks. */
struct rollbacks_totals {
    bool known;
    uint64_t primary, secondary, undone;
};

/* The largest trees, with the records of their roots. */
struct rollbacks_largest {
    uint32_t tree;
    uint64_t src_lp, dest_lp, pe, kp, trigger;
    int64_t src_pe;
    double recv_ts, real_time;
};

struct rollbacks_options {
    uint32_t top;
    bool json, force;
    const char *csv_folder;
};

struct rollbacks {
    const struct rollbacks_options *options;
    struct ws_file *file;
    const struct fmt_schema *schema;
    uint32_t n_pes;
    struct rollbacks_node *nodes; /* owned; n_nodes nodes, by PE and number */
    uint32_t *bases;              /* owned; first node of each PE, and n_nodes */
    uint32_t n_nodes;
    struct rollbacks_tree *trees; /* owned */
    uint32_t n_trees;
    struct rollbacks_totals engine;
    uint64_t primary, secondary, undone, ns; /* sums of the records */
    uint64_t disorder; /* records whose number is not greater than the one before */
    bool is_timed;     /* times of handlers were recorded */
    bool failed;

    /* Causes. */
    struct ws_top_k pe_pairs, kps, lp_pairs, type_pairs;
    struct ws_intern types; /* names of LP types */
    struct index lp_index;  /* LPs that have rolled back, by number */
    uint64_t *lp_of;        /* owned; such LPs */
    uint32_t *lp_type;      /* owned; their types */
    size_t n_lps, lps_room, types_room;
    struct rollbacks_sum reasons[REASONS];
    struct rollbacks_pe *pes;   /* owned; [n_pes] */
    struct ws_histogram late;   /* kp_ts - recv_ts of stragglers */
    struct ws_histogram travel; /* seconds from sending to the rollback, of other PEs */
    struct ws_histogram lag;    /* seconds that the sender was late, likewise */
    /* Events that stragglers undid: all; by lateness; and these divided by it. */
    double bound_all, bound_n[ROLLBACKS_BOUND_BINS], bound_rate[ROLLBACKS_BOUND_BINS];
    struct rollbacks_largest *largest; /* owned */
    uint32_t n_largest;
};

/* Reads the file. Returns false after a message. Must be freed in any case. */
bool rollbacks_run(struct rollbacks *r, struct ws_file *file,
                   const struct rollbacks_options *options);
void rollbacks_free(struct rollbacks *r);
/* Says it once. Returns false. */
bool rollbacks_no_memory(struct rollbacks *r);

/* Steps of rollbacks_run(). */
bool rollbacks_trees(struct rollbacks *r);
bool rollbacks_causes(struct rollbacks *r);

/* Returns the bound of virtual time that would have avoided a part (0 to 1) of the events that
 * stragglers undid; 0 if there is none. */
double rollbacks_bound(const struct rollbacks *r, double part);
/* Returns true if a PE lags: stragglers that it sent late undid at least twice as many events of
 * others as such stragglers of others undid of its own. */
bool rollbacks_lags(const struct rollbacks *r, uint32_t pe);
const char *rollbacks_reason_words(enum rollbacks_reason reason);
/* Returns true if the sums of the records are the totals of the engine. */
bool rollbacks_agree(const struct rollbacks *r);

void rollbacks_tables(struct ws_results *results, const struct rollbacks *r);
void rollbacks_findings(struct ws_result_findings *findings, const struct rollbacks *r);

#endif
