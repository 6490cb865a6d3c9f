/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rollbacks.h - why a run rolled back: forms trees from a trace of rollbacks, and sums them up by
 * cause.
 *
 * A tree (cascade) has a primary rollback as its root. The children of a rollback are the secondary
 * rollbacks whose events it cancelled.
 *
 * The file is read twice. The first pass reads the links between all rollbacks, which give the
 * trees and the sums of each tree. The second pass reads the causes of the roots.
 *
 * Memory: 44 bytes per rollback, 40 per tree and 2 per LP, in all at most ROLLBACKS_MEMORY. What
 * exceeds this limit is in temporary files (order/pages.h). Lists of causes are bounded
 * (data/top_k.h). A rollback, its cause and its tree usually have similar numbers, so that a page
 * is seldom read from a file twice.
 */
#ifndef WARPSCOPE_READER_ROLLBACKS_ROLLBACKS_H
#define WARPSCOPE_READER_ROLLBACKS_ROLLBACKS_H

#include "access/load.h"
#include "cli/messages.h"
#include "data/histogram.h"
#include "data/intern.h"
#include "data/top_k.h"
#include "document/document.h"
#include "order/pages.h"
#include "store/id_set.h"

#define ROLLBACKS_NONE       UINT32_MAX
#define ROLLBACKS_TYPES_MAX  1024u
#define ROLLBACKS_BOUND_BINS 2048u
#define ROLLBACKS_MEMORY     ((size_t)256 << 20)
#define ROLLBACKS_SIZES      32u /* number of size classes of trees */

/* Values of the field "trigger" of a record. */
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
    uint64_t number; /* number of the rollback among those of its PE */
    uint64_t cause;  /* number of its cause among the rollbacks of PE `parent`; 0: no cause */
    uint64_t ns;     /* wall-clock time of the handlers whose events it undid, in ns */
    /* PE of its cause; tree_find() replaces it by the index of the next node on the path down from
     * the root. */
    uint32_t parent;
    uint32_t tree;   /* index of its tree; ROLLBACKS_NONE: not known yet */
    uint32_t undone; /* number of events that it undid */
    uint32_t depth;  /* number of rollbacks on the path from the root to it, at least 1 */
};

struct rollbacks_tree {
    uint64_t undone, ns;
    uint32_t root; /* index of the root in rollbacks.nodes */
    uint32_t rollbacks;
    /* depth: number of rollbacks on the longest path from the root; width: largest number of
     * rollbacks at the same depth. */
    uint32_t depth, width;
    uint32_t first; /* sum of the depths of all trees with a smaller index */
    /* false: the root is a secondary rollback, whose cause is not in the trace. */
    bool is_whole;
};

/* Sums over the trees of one size class. Class i has the trees with 2^i to 2^(i + 1) - 1
 * rollbacks. */
struct rollbacks_size {
    uint64_t trees, rollbacks, undone;
};

/* Sums over some trees, indices of arrays. SUM_OWN: number of events that the roots undid;
 * SUM_UNDONE: number of events that all rollbacks of the trees undid. */
enum rollbacks_sum { SUM_ROOTS, SUM_OWN, SUM_ROLLBACKS, SUM_UNDONE, SUM_NS, SUMS };

/* Reasons why a straggler came late, see results.c. */
enum rollbacks_reason {
    REASON_MESSAGE, /* the straggler was sent in time, but its message took too long */
    REASON_RANK,    /* the straggler was sent late, by a rank that lags */
    /* The straggler was sent late, by a rank that does not lag: the receiver was too far ahead. */
    REASON_AHEAD,
    REASON_LOCAL,   /* the straggler was sent on the PE of its receiver */
    REASON_NONE,    /* the cause of the rollback was not a straggler */
    REASON_UNKNOWN, /* the root is a secondary rollback, whose cause is not in the trace */
    REASONS
};

/* Sums for a PE. Here, a message is late if it was sent after its receiver had already executed
 * events beyond its time stamp. */
struct rollbacks_pe {
    uint64_t late[SUMS]; /* trees that late messages from this PE caused on other PEs */
    /* Number of events undone in trees that late messages from other PEs caused on this PE. */
    uint64_t suffered;
};

/* Totals that the engine counted, from the END blocks. */
struct rollbacks_totals {
    bool known;
    uint64_t primary, secondary, undone;
};

/* One of the largest trees, with the record of its root. */
struct rollbacks_largest {
    uint32_t number; /* index of the tree */
    struct rollbacks_tree tree;
    uint64_t root; /* number of the root among the rollbacks of its PE */
    uint64_t src_lp, dest_lp, pe, kp, trigger;
    int64_t src_pe;
    double recv_ts, real_time;
};

struct rollbacks_options {
    uint32_t top;
    bool json, force;
    const char *csv_folder;
    size_t memory; /* limit of memory in bytes; set only by tests; 0: ROLLBACKS_MEMORY */
};

struct rollbacks {
    const struct rollbacks_options *options;
    struct ws_file *file;
    const struct fmt_schema *schema;
    uint32_t n_pes;
    /* Elements: struct rollbacks_node, ordered by PE, then by number of the rollback. */
    struct ws_pages nodes;
    uint32_t *bases; /* owned; [pe]: index of the first node of the PE; [n_pes]: n_nodes */
    uint32_t n_nodes;
    struct ws_pages trees; /* elements: struct rollbacks_tree */
    uint32_t n_trees;
    uint64_t broken;  /* number of trees for which is_whole is false */
    uint64_t own;     /* number of events that the roots undid */
    uint32_t deepest; /* largest depth of a tree */
    struct rollbacks_size sizes[ROLLBACKS_SIZES];
    struct rollbacks_totals engine;
    /* Sums over the records. primary, secondary: numbers of primary and of secondary rollbacks;
     * undone: number of undone events; ns: time of the handlers of these events, in ns. */
    uint64_t primary, secondary, undone, ns;
    /* Number of records that are out of order: the rollback number is not larger than that in the
     * previous record of the PE. */
    uint64_t disorder;
    bool is_timed; /* true if times of handlers were recorded */
    bool failed;

    /* Sums over the roots. pe_pairs: per pair of PEs (of sender and receiver); kps: per KP that
     * rolled back; lp_pairs: per pair of LPs (sender and receiver); type_pairs: per pair of the
     * types of these LPs. */
    struct ws_top_k pe_pairs, kps, lp_pairs, type_pairs;
    struct ws_intern types; /* names of LP types */
    /* Numbers of the LPs. lp_types and the keys of lp_pairs name an LP by its place in this set. If
     * numbers have no holes, LPs from number 2^32 - 1 on are left out. */
    struct id_set lps;
    struct ws_pages
        lp_types; /* elements: uint16_t, one for each LP; trees.c defines their values */
    uint64_t reasons[REASONS][SUMS];
    struct rollbacks_pe *pes; /* owned; n_pes elements */
    struct ws_histogram late; /* distribution of kp_ts - recv_ts of stragglers */
    /* Distribution of the time, in seconds, from the sending of a straggler by another PE to the
     * rollback. */
    struct ws_histogram travel;
    /* Distribution of the time, in seconds, from the moment when the receiver passed the time stamp
     * of a straggler until another PE sent that straggler. */
    struct ws_histogram lag;
    /* bound_all: number of events that stragglers undid. bound_n: that number per bin of lateness.
     * bound_rate: per bin, the sum over its stragglers of the number of undone events divided by
     * the lateness. causes.c defines the bins. */
    double bound_all, bound_n[ROLLBACKS_BOUND_BINS], bound_rate[ROLLBACKS_BOUND_BINS];
    /* Owned; the trees that undid most events, in descending order, then by number. */
    struct rollbacks_largest *largest;
    uint32_t n_largest;
};

/* Analyses the file. Prints an error message and returns false on failure. The caller must call
 * rollbacks_free() in either case. */
bool rollbacks_run(struct rollbacks *r, struct ws_file *file,
                   const struct rollbacks_options *options);
void rollbacks_free(struct rollbacks *r);

/* Takes the record whose fields are at index i of the arrays. */
struct rollbacks_rows;
typedef void (*rollbacks_take_f)(struct rollbacks_rows *rows, uint32_t i);
/* The loaded records of rollbacks of a PE. */
struct rollbacks_rows {
    struct rollbacks *r;
    uint32_t pe;
    uint32_t at;   /* index of the node of the current record */
    uint64_t last; /* free for the caller, at first 0 */
    const struct ws_loaded *table;
    rollbacks_take_f take;
    struct ws_load load;
    uint64_t number[WS_LOAD_MAX], cause_number[WS_LOAD_MAX], cause_pe[WS_LOAD_MAX],
        cause[WS_LOAD_MAX], undone[WS_LOAD_MAX], type[WS_LOAD_MAX], src_lp[WS_LOAD_MAX],
        dest_lp[WS_LOAD_MAX], kp[WS_LOAD_MAX], trigger[WS_LOAD_MAX], src_pe[WS_LOAD_MAX];
    double undone_time[WS_LOAD_MAX], kp_ts[WS_LOAD_MAX], recv_ts[WS_LOAD_MAX],
        real_time[WS_LOAD_MAX], sent[WS_LOAD_MAX], passed[WS_LOAD_MAX]; /* as in the records */
};
/* Calls `take` for each record, PE by PE, with the fields of the table. Sets r->bases and r->n_nodes, of
 * which the latter limits the number of records. Returns false after an error. */
bool rollbacks_read(struct rollbacks *r, const struct ws_loaded *table, rollbacks_take_f take);

/* Reads the links between rollbacks, and forms trees: the first step of rollbacks_run(). Returns false
 * after an error. */
bool rollbacks_trees(struct rollbacks *r);

/* Returns the index in r->types of the type of an LP, plus 1; 0 if the type is unknown, as that of
 * an LP that has not rolled back. */
uint32_t rollbacks_lp_type(struct rollbacks *r, uint64_t lp);

/* Returns the bound on optimism, as virtual time beyond GVT, that would have avoided the share
 * `part` of the events that stragglers undid. part: 0 to 1. Returns 0 if there is no such bound. */
double rollbacks_bound(const struct rollbacks *r, double part);
/* Returns true if a PE lags. Let S be the number of events undone because of stragglers that other
 * PEs sent late to this PE. The PE lags if stragglers that it sent late led to at least 2 S undone
 * events. */
bool rollbacks_lags(const struct rollbacks *r, uint32_t pe);
/* Returns true if the sums over the records equal the totals that the engine counted. */
bool rollbacks_agree(const struct rollbacks *r);

void rollbacks_tables(struct doc *doc, const struct rollbacks *r);
void rollbacks_findings(struct doc *doc, const struct rollbacks *r);

#endif
