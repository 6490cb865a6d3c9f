/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * analyze.h - the limits of a model: critical path, parallelism, and structure of its events.
 * It also writes the results as tables and findings, and as files for other programs. Used only in reader/.
 *
 * An event depends on its cause, the event that sent it, and on the previous event of its LP. The
 * critical path is the longest chain of such dependencies. Its length is measured in events (each
 * weighs 1) and, if the recording has the times of handlers, in nanoseconds.
 *
 * Passes over the trace
 *  1. forward.c finds lengths of paths, cycles (struct analyze_levels), chains, offsets, delays,
 *     ties and the graph of the LPs. It stores in a paged array (order/pages.h), for each event,
 *     the predecessor on the longest path that ends with the event.
 *  2. second.c follows the predecessors backwards from the end of the critical path, and marks the
 *     events of this path. Then it finds the LPs, types and field values on the critical path, and
 *     windows of conservative execution.
 * graph.c then reads the graph once, by ascending sender.
 *
 * Memory: some 250 bytes per LP, and 128 to 256 per open event. Cycles take 16 bytes each, up to
 * 128 MiB. Predecessors take 8 bytes per event, up to 128 MiB. The graph takes 32 bytes per event, up to
 * 128 MiB. Sorting a larger number of edges takes 64 MiB more. Data beyond these limits is in
 * temporary files. A list of the edges takes another 16 bytes per edge: up to 160
 * MiB for communities, which take as much again, up to 256 MiB for files.
 */
#ifndef WARPSCOPE_READER_ANALYZE_ANALYZE_H
#define WARPSCOPE_READER_ANALYZE_ANALYZE_H

#include "analyze/open_events.h"
#include "analyze/trace.h"
#include "cli/messages.h"
#include "cli/out.h"
#include "data/histogram.h"
#include "data/intern.h"
#include "data/lp_names.h"
#include "document/document.h"
#include "graph/edges.h"
#include "order/pages.h"

#define ANALYZE_RANKS_MAX      16u
#define ANALYZE_LOOKAHEADS_MAX 16u
#define ANALYZE_TYPES_MAX      64u  /* maximum number of LP types with rows of their own */
#define ANALYZE_CHAIN_MAX      100u /* chains of this length or longer are counted together */
#define ANALYZE_LEVELS_MAX     ((size_t)8 << 20)
#define ANALYZE_BINS           60u
#define ANALYZE_PAGES          ((size_t)128 << 20) /* memory for predecessors, in bytes */
/* Maximum number of edges in the list if a file with the graph is written. */
#define ANALYZE_EDGES_FILES ((size_t)16 << 20)
/* Maximum number of edges for which communities are found, which takes 16 more bytes per edge. */
#define ANALYZE_EDGES_COMMUNITIES ((size_t)10 << 20)

struct analyze_options {
    bool by_events; /* true to give each event the weight 1 even if handlers were timed */
    bool by_time;   /* true to refuse a trace without times of handlers */
    /* True to give each event the median time of all events of its LP type and kind. */
    bool typical;
    bool pe_costs;     /* true to compare the times of events on each PE (analyze_times.pe_costs) */
    bool has_latency;  /* true if a message to another rank has the cost `latency` */
    bool latency_time; /* true if `latency` is a time, false if it is a number of events */
    double latency;    /* cost of a message to another rank, in seconds or events */
    uint32_t ranks[ANALYZE_RANKS_MAX], n_ranks;
    double lookaheads[ANALYZE_LOOKAHEADS_MAX];
    uint32_t n_lookaheads;
    uint32_t top; /* maximum number of rows in lists of LPs and communities */
    /* Path of the placement map; NULL: the ranks of the recorded run are used. */
    const char *lp_map;
    const char *path_file; /* file for the critical path; NULL: none */
    const char *graph_file;
    const char *csv_folder;
    bool json, force;
    bool communities;    /* true to look for communities of LPs */
    size_t pages_memory; /* memory for predecessors in bytes; set only by tests; 0: ANALYZE_PAGES */
    size_t edges_max;    /* argument of ws_edges_init(); set only by tests */
};

/*
 * Kinds of lengths of paths. EVENTS: each event weighs 1. TIME: each event weighs the time of its
 * handler. LATENCY: in addition, a message to another rank has a cost. In each kind, an event
 * depends on its cause. In kinds named ..._LP, it also depends on the previous event of its LP. In
 * kinds named ..._RANK, it also depends on the previous event of its rank in event order; LPs are
 * on the recorded ranks, or on those of the placement map.
 */
enum analyze_length {
    ANALYZE_EVENTS_LP,
    ANALYZE_EVENTS_RANK,
    ANALYZE_TIME_LP,
    ANALYZE_TIME_RANK,
    ANALYZE_LATENCY_LP,
    ANALYZE_LATENCY_RANK
};
/* Weight of an event in lengths of kind LATENCY, if the cost of a message is given in events. */
#define ANALYZE_EVENT_UNITS 1000u

enum analyze_chain { ANALYZE_LOCAL, ANALYZE_LINKED, ANALYZE_GLOBAL, ANALYZE_CHAINS };

/* State and sums of an LP. The struct has 96 bytes, aligned so that it is in at most two cache
 * lines. */
struct analyze_lp {
    /* Lengths of the longest paths that end with its last event: [0] EVENTS, [1] TIME, [2]
     * LATENCY. */
    uint64_t lengths[3];
    uint64_t last; /* number of its last event, plus 1; 0: no event yet */
    double last_ts;
    uint32_t order; /* ordinal, from 0, of its last event among its events at the same time */
    /* Number of the PE of its last event, plus 1; 0: no event yet. After pass 1 with a placement
     * map: its rank in the map, plus 1. */
    uint32_t pe;
    uint64_t events, handler_time;
    /* Time of the first event of the current chain: [0] of the local chain, [1] of the global
     * chain. */
    double chain_from[2];
    uint32_t chain[ANALYZE_CHAINS]; /* length of its current chain of each kind */
    uint32_t type;                  /* index of its LP type, plus 1; 0: unknown */
};
_Static_assert(sizeof(struct analyze_lp) == 96, "an LP is in two cache lines");

/* Sums over the events of an LP, which later passes compute. */
struct analyze_lp_more {
    uint64_t path_events, path_time;
    /* sent: number of events that the LP sent; sent_self: number of those that it sent to
     * itself. */
    uint64_t sent, sent_self;
    uint32_t destinations; /* number of LPs to which it sent events */
    /* Smallest number of LPs that together received at least this share of the events that the LP
     * sent: [0] 50 %, [1] 75 %, [2] 90 %, [3] 95 %. */
    uint32_t parts[4];
    uint32_t community; /* index of its community, plus 1; 0: none */
};

struct analyze_pe {
    uint64_t lengths[3];
    uint64_t events, handler_time;
};

/* Offsets of the events that LPs of one type sent to LPs of another type, or of the same type. */
struct analyze_pair {
    /* events: number of events; self: number of those that an LP sent to itself. */
    uint64_t events, self;
    double sum, min, max;
    /* Smallest offset of an event between different LPs; infinite: no such event. */
    double lookahead;
};

struct analyze_chains {
    /* [i]: number of chains of length i; last element: number of chains of that length or
     * longer. */
    uint64_t counts[ANALYZE_CHAIN_MAX + 1];
    uint64_t n, longest;
};

/* Numbers of events per cycle. The cycle of an event is the number of events on the longest path
 * that ends with it. */
struct analyze_levels {
    struct analyze_level {
        uint32_t events; /* number of events in the cycles that the element covers */
        double times;    /* sum of their virtual times */
    } * list;            /* owned */
    size_t n, room, n_max;
    uint32_t shift; /* an element covers 2^shift cycles */
};

struct analyze_ties {
    /* events: number of events that share their time with others; groups: number of such times;
     * largest: largest number of events at one time. */
    uint64_t events, groups, largest;
    /* Number of events that share their time with another event of their LP. */
    uint64_t lp_events;
    double ts;
    uint64_t n; /* number of events at the current time so far */
};

struct analyze_window {
    double lookahead;
    uint64_t windows, events, ones, lps, steps, widest;
    /* State of the current window. end: end of the window; n: number of its events; n_lps: number
     * of LPs with events in it; n_most: largest number of events that one LP has in it. */
    double end;
    uint64_t n, n_lps, n_most;
};

/* Number of events of an LP in the current window. */
struct analyze_mark {
    uint32_t window; /* number of the window to which `events` belongs, modulo 2^32 */
    uint32_t events;
};

/* Sums over the events that have a given value in a given field. */
struct analyze_value {
    uint64_t events, path_events, path_time;
};

/* A payload field of events, in which the values 0 to n - 1 are counted. */
struct analyze_field {
    const struct fmt_payload_desc *desc;   /* borrowed */
    const struct fmt_payload_field *field; /* borrowed */
    /* Index in analyze.values of the sums for value 0. */
    size_t first;
    /* n: number of values that are counted; n_used: number of those that occur. */
    uint32_t n, n_used;
    /* True if values are not counted, because they are too large or too many. */
    bool is_number;
};

struct analyze_share {
    uint32_t ranks;
    /* true: consecutive LPs share a rank; false: LP i is on rank i modulo `ranks`. */
    bool is_block;
    uint64_t local, remote;
    double imbalance; /* number of events of the busiest rank, divided by the mean */
};

struct analyze_graph {
    /* edges: number of pairs of different LPs of which the first sent events to the second; events:
     * number of all events; self: number of events that LPs sent to themselves. */
    uint64_t edges, events, self;
    /* Owned; edges between different LPs; NULL if there are more than edges_max. */
    struct ws_edge *list;
    size_t n, room, edges_max;
    bool too_large;
    uint32_t communities; /* number of communities; 0: none were found */
    double modularity;
    uint64_t community_events; /* number of events between different LPs of the same community */
    uint64_t between_events;   /* number of events between different LPs */
    const char *why;           /* reason why no communities were found; NULL: none */
};

struct analyze {
    const struct analyze_options *options;
    struct analyze_trace trace;
    /* Cost of a message to another rank, in the unit of lengths[ANALYZE_LATENCY_LP]. */
    uint64_t latency;
    enum analyze_length path_of;
    uint64_t lengths[ANALYZE_LENGTHS];
    uint64_t events, handler_time, initial, missing;
    uint64_t remote; /* number of events that came from other ranks */
    uint64_t moves;  /* number of times that an LP changed its recorded rank (--map=auto) */
    double first_ts, last_ts;
    struct analyze_lp *lps; /* indexed by the places of LPs in trace.lps; memory is in lp_memory */
    struct ws_memory lp_memory;
    struct analyze_lp_more *more;
    uint64_t n_lps;         /* largest place of an LP that occurs, plus 1 */
    struct analyze_pe *pes; /* owned; indexed by rank */
    uint32_t n_ranks;
    /* Owned; [lp]: rank of the LP in the placement map; NULL: there is no map. */
    uint32_t *rank_of;
    struct ws_intern types; /* names of LP types */
    /* Owned; [i]: index of the LP type of payload description i, plus 1; 0: unknown. */
    uint32_t *type_of;
    /* Owned; [sender][receiver]: offsets of the events between two types of LPs. Each index is the
     * index of an LP type plus 1; 0: unknown type. */
    struct analyze_pair (*pairs)[ANALYZE_TYPES_MAX + 1];
    struct analyze_chains chains[ANALYZE_CHAINS];
    struct analyze_levels levels;
    struct analyze_ties ties;
    struct ws_histogram offsets, local_delay, remote_delay, skew;
    struct analyze_opens opens;
    size_t opens_most;     /* largest number of events that were open at the same time */
    struct ws_edges edges; /* of different LPs; analyze_graph() adds `self` */
    uint64_t *self;        /* owned; [lp]: number of events that the LP sent to itself */
    /* One uint64_t per event: the predecessor of the event and, after pass 2, the mark of the
     * critical path; see ANALYZE_NUMBER. */
    struct ws_pages before;
    uint64_t path_end; /* number of the last event of the critical path, plus 1 */
    uint64_t path_events, path_time, path_remote;
    uint64_t path_longest; /* longest time of a handler on the critical path, in ns */
    uint32_t path_longest_lp;
    struct analyze_window windows[ANALYZE_LOOKAHEADS_MAX];
    uint32_t n_windows;
    /* During pass 2; [lp * n_windows + i]: mark of the LP for windows[i]. */
    struct analyze_mark *marks;
    struct analyze_field *fields; /* owned */
    size_t n_fields, fields_room;
    /* Owned; sums for the counted values of all fields, field by field. */
    struct analyze_value *values;
    size_t n_values;
    struct analyze_share shares[2 * ANALYZE_RANKS_MAX];
    uint32_t n_shares;
    /* Statistics, over all senders, of the numbers of destinations in analyze_lp_more.parts; see
     * parts_end() in graph.c. */
    uint64_t parts[4][5];
    struct analyze_graph graph;
    struct ws_pages path_out; /* the events of the critical path, if they are exported */
    /* True after an error, for which an error message was printed. */
    bool failed;
};

/* Computes all results. Prints an error message and returns false on failure. The caller must call
 * analyze_free() in either case. */
bool analyze_run(struct analyze *a, struct ws_file *file, const struct analyze_options *options);
void analyze_free(struct analyze *a);

/* ---- The passes ------------------------------------------------------------------------------ */

bool analyze_forward(struct analyze *a);
bool analyze_second(struct analyze *a);
bool analyze_graph(struct analyze *a);

/* Bits of an element of `before`. ANALYZE_BY_CAUSE: the predecessor of the event is its cause, not
 * the previous event of its LP. ANALYZE_ON_PATH: the event is on the critical path. ANALYZE_NUMBER:
 * mask of the number of the predecessor plus 1; on the critical path, pass 2 replaces this number
 * by the position of the event, counted from the end of the path. */
#define ANALYZE_BY_CAUSE ((uint64_t)1 << 63)
#define ANALYZE_ON_PATH  ((uint64_t)1 << 62)
#define ANALYZE_NUMBER   (ANALYZE_ON_PATH - 1)

/* Returns the number of the LP at a place in a->trace.lps. */
static inline uint64_t analyze_lp_number(const struct analyze *a, uint64_t lp)
{
    return id_set_at(&a->trace.lps, lp);
}

/* Returns this number as a cell, with the name of the LP. */
static inline struct doc_cell analyze_lp_cell(const struct analyze *a, uint64_t lp)
{
    return ws_lp_cell(&a->trace.file->descs, analyze_lp_number(a, lp));
}

/* Returns the rank of an LP in the placement map. If there is no map, returns `pe`, the PE of
 * one of the LP's events. */
static inline uint32_t analyze_rank(const struct analyze *a, uint32_t lp, uint32_t pe)
{
    return a->rank_of == NULL ? pe : a->rank_of[lp];
}

/* ---- Parts ----------------------------------------------------------------------------------- */

bool analyze_levels_add(struct analyze_levels *levels, uint64_t level, double ts);
void analyze_levels_free(struct analyze_levels *levels);

/* Adds the next event of an LP to its chains, or begins new chains with it. initial: true if no
 * other event sent this one. */
void analyze_chains_add(struct analyze *a, struct analyze_lp *lp, const struct analyze_event *e,
                        bool initial);
/* Ends the current chains of an LP. */
void analyze_chains_end(struct analyze *a, struct analyze_lp *lp);

/* Returns the smallest offset of an event between different LPs; infinite if there is no such
 * event. */
double analyze_lookahead(const struct analyze *a);

/* Returns the number of LPs of the run or, if the recording does not state it, a->n_lps. */
uint64_t analyze_lps_of_run(const struct analyze *a);

/* Looks for communities of LPs in a->graph.list. Sets the members of a->graph and of a->more that
 * describe communities, or a->graph.why if there are none. */
void analyze_communities(struct analyze *a);

/* ---- Tables and findings -------------------------------------------------------------------- */

/* Adds all tables to *doc. The second function adds those of paths, and is called by the first. */
void analyze_tables_make(struct doc *doc, const struct analyze *a);
void analyze_tables_paths(struct doc *doc, const struct analyze *a);

void analyze_findings_find(struct doc *doc, const struct analyze *a);

/* Returns the speed-up that a length allows: the work divided by the length; 0 if the length is
 * 0. */
double analyze_speed_up(const struct analyze *a, enum analyze_length length);
/* This function returns the work of all ranks, the next one the length of the longest path. The
 * unit is seconds or events, see analyze_is_time(). */
double analyze_work_of(const struct analyze *a, enum analyze_length length);
double analyze_length_of(const struct analyze *a, enum analyze_length length);
/* Returns true if lengths of this kind are in seconds, false if they are in events. */
bool analyze_is_time(const struct analyze *a, enum analyze_length length);
/* Returns the work of the busiest rank, in the unit of analyze_work_of(). */
double analyze_busiest(const struct analyze *a, enum analyze_length length);
/* Returns the share of the length of the critical path that is due to some events on it. events:
 * number of these events; time: sum of the times of their handlers in ns. */
double analyze_path_part(const struct analyze *a, uint64_t events, uint64_t time);
/* An LP, field value or the like, for a list that is sorted by shares in the critical path. path:
 * length of the critical path that is due to it; events: number of its events. */
struct analyze_place {
    uint64_t path, events;
    uint64_t number; /* identifies the LP or value; unique in the list */
};
/* Sorts n places by descending `path`; then by descending `events`; then by ascending `number`. */
void analyze_places_sort(struct analyze_place *places, size_t n);
/* Returns the name of an LP type; "unknown" for 0. type: index of the type, plus 1. */
const char *analyze_type_name(const struct analyze *a, uint32_t type);

/* ---- Forms ----------------------------------------------------------------------------------- */

/* This function and the next write the files that the options name. They return false after an
 * error message, or if a signal has arrived. */
bool analyze_write_graph(struct ws_outs *outs, const struct analyze *a);
bool analyze_write_path(struct ws_outs *outs, struct analyze *a);

/* ---- The critical path as a file ------------------------------------------------------------- */

/* Prepares a->path_out for a->path_events events. Returns false after an error message. */
bool analyze_path_out_begin(struct analyze *a);
/* Stores event e, which is on the critical path, in a->path_out. element: its element in a->before. */
void analyze_path_out_add(struct analyze *a, const struct analyze_event *e, uint64_t element);

#endif
