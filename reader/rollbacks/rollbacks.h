/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rollbacks.h - why a run rolled back: the trace of rollbacks as trees, and sums by cause.
 *
 * A tree (cascade) has a primary rollback as its root. The children of a rollback are the secondary
 * rollbacks whose events it cancelled.
 *
 * The file is read twice: first the links of all records, then, with the sums of each tree known,
 * the causes of the roots.
 *
 * Memory: ROLLBACKS_MEMORY for 44 bytes per rollback, 40 per tree and 2 per LP, beyond which they
 * go to temporary files (order/pages.h); lists of causes are bounded (data/top_k.h). The cause of a
 * rollback and its tree usually have numbers near its own, so that pages are seldom read twice.
 */
#ifndef WARPSCOPE_READER_ROLLBACKS_ROLLBACKS_H
#define WARPSCOPE_READER_ROLLBACKS_ROLLBACKS_H

#include "access/load.h"
#include "data/histogram.h"
#include "data/intern.h"
#include "data/top_k.h"
#include "order/pages.h"
#include "results/results.h"

#define ROLLBACKS_NONE       UINT32_MAX
#define ROLLBACKS_TYPES_MAX  1024u
#define ROLLBACKS_BOUND_BINS 2048u
#define ROLLBACKS_MEMORY     ((size_t)256 << 20)
#define ROLLBACKS_SIZES      32u /* number of classes of trees by size */

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
    uint64_t cause;  /* number of its cause on the PE of the cause; 0: none */
    uint64_t ns;     /* time of the handlers that it undid */
    uint32_t parent; /* PE of its cause; during tree_find(), a reversed link */
    uint32_t tree;   /* number of its tree; ROLLBACKS_NONE: not known yet */
    uint32_t undone; /* events that it undid */
    uint32_t depth;  /* distance from the root, at least 1 */
};

struct rollbacks_tree {
    uint64_t undone, ns;
    uint32_t root; /* index of the root among the nodes */
    uint32_t rollbacks;
    /* Number of rollbacks on the longest path from the root; most rollbacks at one depth. */
    uint32_t depth, width;
    uint32_t first; /* sum of the depths of all trees before this one */
    /* false: the root is a secondary rollback whose cause is not in the trace. */
    bool is_whole;
};

/* Sums over the trees of a size: of 2^i to 2^(i + 1) - 1 rollbacks. */
struct rollbacks_size {
    uint64_t trees, rollbacks, undone;
};

/* Sums over rollbacks that are roots: their own values, and those of their trees. */
struct rollbacks_sum {
    uint64_t roots, own, rollbacks, undone, ns;
};
#define ROLLBACKS_SUM_VALUES 5u

/* Reasons why stragglers came late, see rollbacks_reason_words(). */
enum rollbacks_reason {
    REASON_MESSAGE, /* it was sent in time, but the message took too long */
    REASON_RANK,    /* it was sent late, by a rank that lags */
    /* It was sent late by a rank that does not lag: the receiver was too far ahead. */
    REASON_AHEAD,
    REASON_LOCAL,   /* it was sent on the PE of the receiver */
    REASON_NONE,    /* the cause was not a straggler */
    REASON_UNKNOWN, /* the root is a secondary rollback, whose cause is not in the trace */
    REASONS
};

/* About the messages that a PE sent after the receiver had passed their time. */
struct rollbacks_pe {
    struct rollbacks_sum late; /* rollbacks on other PEs that these messages caused */
    uint64_t suffered;         /* events of this PE that such messages of other PEs undid */
};

/* Totals of the engine, from the END blocks. */
struct rollbacks_totals {
    bool known;
    uint64_t primary, secondary, undone;
};

/* The largest trees, with the records of their roots. */
struct rollbacks_largest {
    uint32_t number; /* number of the tree */
    struct rollbacks_tree tree;
    uint64_t root; /* number of the root on its PE */
    uint64_t src_lp, dest_lp, pe, kp, trigger;
    int64_t src_pe;
    double recv_ts, real_time;
};

struct rollbacks_options {
    uint32_t top;
    bool json, force;
    const char *csv_folder;
    size_t memory; /* memory in bytes; set in tests; 0: ROLLBACKS_MEMORY */
};

struct rollbacks {
    const struct rollbacks_options *options;
    struct ws_file *file;
    const struct fmt_schema *schema;
    uint32_t n_pes;
    struct ws_pages nodes; /* elements: struct rollbacks_node, ordered by PE and number */
    uint32_t *bases;       /* owned; index of the first node of each PE; last element: n_nodes */
    /* Owned; for each PE, the node at which the search for a number begins. */
    uint32_t *hints;
    uint32_t n_nodes;
    struct ws_pages trees; /* elements: struct rollbacks_tree */
    uint32_t n_trees;
    uint64_t broken;  /* trees for which is_whole is false */
    uint64_t own;     /* events that the roots undid */
    uint32_t deepest; /* greatest depth of a tree */
    struct rollbacks_size sizes[ROLLBACKS_SIZES];
    struct rollbacks_totals engine;
    uint64_t primary, secondary, undone, ns; /* sums of the records */
    uint64_t disorder; /* records whose number is not greater than the one before */
    bool is_timed;     /* true if times of handlers were recorded */
    bool failed;

    /* Sums by cause. */
    struct ws_top_k pe_pairs, kps, lp_pairs, type_pairs;
    struct ws_intern types;   /* names of LP types */
    struct ws_pages lp_types; /* elements: uint16_t, one for each LP, see lps.c */
    struct rollbacks_sum reasons[REASONS];
    struct rollbacks_pe *pes; /* owned; [n_pes] */
    struct ws_histogram late; /* kp_ts - recv_ts of stragglers */
    /* Seconds from sending to the rollback, for stragglers from other PEs. */
    struct ws_histogram travel;
    /* Seconds by which the sender was late, for stragglers from other PEs. */
    struct ws_histogram lag;
    /* Events that stragglers undid: their number; by lateness of the straggler; and these divided
     * by the lateness. */
    double bound_all, bound_n[ROLLBACKS_BOUND_BINS], bound_rate[ROLLBACKS_BOUND_BINS];
    struct rollbacks_largest *largest; /* owned */
    uint32_t n_largest;
    uint64_t largest_least; /* number of events that the last of them undid */
};

/* Reads the file. Returns false after a message. Must be freed in any case. */
bool rollbacks_run(struct rollbacks *r, struct ws_file *file,
                   const struct rollbacks_options *options);
void rollbacks_free(struct rollbacks *r);
/* Prints "out of memory" unless the analysis has failed before. Returns false. */
bool rollbacks_no_memory(struct rollbacks *r);

/* Steps of rollbacks_run(). */
bool rollbacks_trees(struct rollbacks *r);
bool rollbacks_largest_find(struct rollbacks *r);
bool rollbacks_causes(struct rollbacks *r);

/* Calls fn for the blocks of a PE that have rollbacks. fields: names of the columns that fn needs,
 * terminated by NULL. */
void rollbacks_scan(struct rollbacks *r, uint32_t pe, const char *const *fields, ws_part_f fn,
                    void *ctx);

/* Stores the type of an LP, given by the description of a payload, unless it is known. Returns
 * false after an error. */
bool rollbacks_lp_note(struct rollbacks *r, uint64_t lp, uint64_t desc);
/* Returns the index of an LP's type, plus 1; 0 if the LP has not rolled back, so that its type is
 * unknown. */
uint32_t rollbacks_lp_type(struct rollbacks *r, uint64_t lp);

/* Return a node or a tree, valid until the next call, or NULL after an error. */
static inline struct rollbacks_node *rollbacks_node_at(struct rollbacks *r, uint32_t i)
{
    struct rollbacks_node *node = ws_pages_at(&r->nodes, i);
    r->failed |= node == NULL;
    return node;
}
static inline const struct rollbacks_node *rollbacks_node_get(struct rollbacks *r, uint32_t i)
{
    const struct rollbacks_node *node = ws_pages_get(&r->nodes, i);
    r->failed |= node == NULL;
    return node;
}
static inline struct rollbacks_tree *rollbacks_tree_at(struct rollbacks *r, uint32_t i)
{
    struct rollbacks_tree *tree = ws_pages_at(&r->trees, i);
    r->failed |= tree == NULL;
    return tree;
}
static inline const struct rollbacks_tree *rollbacks_tree_get(struct rollbacks *r, uint32_t i)
{
    const struct rollbacks_tree *tree = ws_pages_get(&r->trees, i);
    r->failed |= tree == NULL;
    return tree;
}

/* Returns the bound of virtual time that would have avoided a part (0 to 1) of the events that
 * stragglers undid; 0 if there is none. */
double rollbacks_bound(const struct rollbacks *r, double part);
/* Returns true if a PE lags: stragglers that it sent late undid events on other PEs, at least twice
 * as many as such stragglers from other PEs undid on it. */
bool rollbacks_lags(const struct rollbacks *r, uint32_t pe);
const char *rollbacks_reason_words(enum rollbacks_reason reason);
/* Returns true if the sums of the records are equal to the totals of the engine. */
bool rollbacks_agree(const struct rollbacks *r);

void rollbacks_tables(struct ws_results *results, const struct rollbacks *r);
void rollbacks_findings(struct ws_result_findings *findings, const struct rollbacks *r);

#endif
