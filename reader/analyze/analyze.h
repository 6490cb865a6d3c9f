/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * analyze.h - the limits of a model: critical path, parallelism, and structure of its events
 * (inside analyze only).
 *
 * An event depends on its cause, the event that sent it, and on the previous event of its LP. The
 * critical path is the longest chain of such dependencies. Its length is measured in events (each
 * weighs 1) and, if the recording has the times of handlers, in nanoseconds.
 *
 * Passes over the trace
 *  1. forward.c: lengths of paths, cycles, chains, offsets, delays, ties, the graph of the LPs. The
 *     predecessor of each event on its longest path is stored in a paged array (order/pages.h).
 *  2. path.c follows the predecessors backwards from the end of the critical path, and marks it.
 *  3. second.c: LPs, types and field values on the path; windows of conservative execution.
 * graph.c then reads the graph once, by ascending sender.
 *
 * Memory: some 250 bytes per LP and 107 to 213 per open event; 12 bytes per cycle, up to 96 MiB; 8
 * bytes per event, up to 128 MiB, for predecessors; 16 per event or 16 per edge, up to 64 MiB each,
 * for the graph, and 64 MiB to sort more edges than that. The rest goes to temporary files. The
 * edges take 16 bytes each beside it, up to 64 MiB for communities and up to 256 MiB for files.
 */
#ifndef WARPSCOPE_READER_ANALYZE_ANALYZE_H
#define WARPSCOPE_READER_ANALYZE_ANALYZE_H

#include "analyze/open_events.h"
#include "analyze/trace.h"
#include "data/histogram.h"
#include "data/intern.h"
#include "graph/edges.h"
#include "order/pages.h"

#define ANALYZE_RANKS_MAX      16u
#define ANALYZE_LOOKAHEADS_MAX 16u
#define ANALYZE_TYPES_MAX      64u  /* greatest number of LP types with rows of their own */
#define ANALYZE_CHAIN_MAX      100u /* chains of this length or longer are counted together */
#define ANALYZE_LEVELS_MAX     ((size_t)8 << 20)
#define ANALYZE_BINS           60u
#define ANALYZE_PAGES          ((size_t)128 << 20) /* bytes of memory for predecessors */
/* Greatest number of edges that are kept for files. */
#define ANALYZE_EDGES_FILES ((size_t)16 << 20)
/* Greatest number of edges for communities: igraph takes some 200 bytes per edge. */
#define ANALYZE_EDGES_COMMUNITIES ((size_t)4 << 20)
#define ANALYZE_OPEN_INEXACT      ((size_t)4 << 20)

struct analyze_path_out;

struct analyze_options {
    bool by_events;    /* true to give each event the weight 1 even if handlers were timed */
    bool by_time;      /* true to refuse a trace without times of handlers */
    bool typical;      /* true to give each event the median time of its LP type */
    bool has_latency;  /* true if remote messages have a cost */
    bool latency_time; /* true if that cost is a time, false if it is in events */
    double latency;    /* seconds, or events */
    uint32_t ranks[ANALYZE_RANKS_MAX], n_ranks;
    double lookaheads[ANALYZE_LOOKAHEADS_MAX];
    uint32_t n_lookaheads;
    uint32_t top;          /* number of rows in lists */
    const char *lp_map;    /* file with the ranks of the LPs; NULL: those of the recorded run */
    const char *path_file; /* NULL: none */
    const char *graph_file;
    const char *csv_folder;
    bool json, utf8, force;
    bool communities;    /* true to look for communities */
    size_t pages_memory; /* memory for predecessors in bytes; set in tests; 0: ANALYZE_PAGES */
    size_t edges_max;    /* see ws_edges_init(); set in tests */
};

/*
 * Lengths of paths. With LP, consecutive events of an LP depend on each other. With RANK,
 * consecutive events of a PE in event order do as well; LPs are on the ranks of the run or of a
 * map. LATENCY adds the cost of a remote message.
 */
enum analyze_length {
    ANALYZE_EVENTS_LP,
    ANALYZE_EVENTS_RANK,
    ANALYZE_TIME_LP,
    ANALYZE_TIME_RANK,
    ANALYZE_LATENCY_LP,
    ANALYZE_LATENCY_RANK
};
#define ANALYZE_EVENT_UNITS 1000u /* units of a length with latency in events, per event */

enum analyze_chain { ANALYZE_LOCAL, ANALYZE_LINKED, ANALYZE_GLOBAL, ANALYZE_CHAINS };

/* State and sums of an LP. It has 96 bytes, aligned so that it is in at most two cache lines. */
struct analyze_lp {
    uint64_t lengths[3]; /* longest paths that end with its last event: EVENTS, TIME, LATENCY */
    uint64_t last;       /* number of its last event, plus 1; 0: none */
    double last_ts;
    uint32_t order; /* ordinal of the last event among those at its time */
    /* Number of the PE plus 1; 0: unknown; after pass 1, the rank according to the map. */
    uint32_t pe;
    uint64_t events, handler_time;
    double chain_from[2];           /* time of the first event of the local and the global chain */
    uint32_t chain[ANALYZE_CHAINS]; /* length of the current chains */
    uint32_t type;                  /* index of the type, plus 1; 0: unknown */
};
_Static_assert(sizeof(struct analyze_lp) == 96, "an LP is in two cache lines");

/* Sums of an LP that later passes compute. */
struct analyze_lp_more {
    uint64_t path_events, path_time;
    uint64_t sent, sent_self; /* events that it sent, and those of them to itself */
    uint32_t destinations;    /* number of LPs that get its events */
    /* Least numbers of LPs that get 50, 75, 90, 95 per cent of the events it sent. */
    uint32_t parts[4];
    uint32_t community; /* number of its community, plus 1; 0: none */
};

struct analyze_pe {
    uint64_t lengths[3];
    uint64_t events, handler_time;
};

/* Offsets of the events from LPs of one type to LPs of another. */
struct analyze_pair {
    uint64_t events, self; /* all events; events from an LP to itself */
    double sum, min, max;
    double lookahead; /* least offset between different LPs; infinite: no such event */
};

struct analyze_chains {
    /* Index: length of a chain; last element: that length or more. */
    uint64_t counts[ANALYZE_CHAIN_MAX + 1];
    uint64_t n, longest;
};

/* Numbers of events per cycle. The cycle of an event is the length of the longest path that ends
 * with it. */
struct analyze_levels {
    uint32_t *counts; /* owned */
    double *times;    /* owned; sum of the virtual times of the events */
    size_t n, room_counts, room_times, n_max;
    uint32_t shift; /* an element counts 2^shift cycles */
};

struct analyze_ties {
    /* Events that share their time with others; number of such times; most events at one time. */
    uint64_t events, groups, largest;
    /* Events that share their time with another event of the LP. */
    uint64_t lp_events;
    double ts;
    uint64_t n; /* number of events in the current group */
};

struct analyze_window {
    double lookahead;
    uint64_t windows, events, ones, lps, steps, widest;
    /* State: end of the current window, number of its events and LPs, and most events of one LP in
     * it. */
    double end;
    uint64_t n, n_lps, n_most;
};

/* Sums over the events that have a given value in a field. */
struct analyze_value {
    uint64_t events, path_events, path_time;
};

/* A field of which the values 0 to n - 1 are counted. */
struct analyze_field {
    const struct fmt_payload_desc *desc;   /* borrowed */
    const struct fmt_payload_field *field; /* borrowed */
    size_t first;                          /* index of the sums of value 0 */
    uint32_t n, n_used;                    /* number of counted values, and of those that occur */
    /* True if the values identify too many things, so that they are not counted. */
    bool is_number;
};

struct analyze_share {
    uint32_t ranks;
    /* true: consecutive LPs share a rank; false: LPs are assigned to ranks one after another. */
    bool is_block;
    uint64_t local, remote;
    double imbalance; /* events of the busiest rank divided by the mean */
};

struct analyze_graph {
    /* Pairs of different LPs with events; all events; events of LPs to themselves. */
    uint64_t edges, events, self;
    /* Owned; edges between different LPs; NULL if there are more than edges_max. */
    struct ws_edge *list;
    size_t n, room, edges_max;
    bool too_large;
    uint32_t communities; /* 0: none were computed */
    double modularity;
    uint64_t community_events; /* events between different LPs of one community */
    uint64_t between_events;   /* events between different LPs */
    char why[160];             /* reason why there are no communities */
};

struct analyze {
    const struct analyze_options *options;
    struct analyze_trace trace;
    uint32_t n_lengths;
    uint64_t latency; /* in the units of the length */
    enum analyze_length path_of;
    uint64_t lengths[ANALYZE_LENGTHS];
    uint64_t events, handler_time, initial, missing, ambiguous;
    uint64_t remote; /* events from other ranks */
    uint64_t moves;  /* changes of an LP from one recorded rank to another (--map=auto) */
    double first_ts, last_ts;
    struct analyze_lp *lps; /* memory is in lp_memory */
    struct ws_memory lp_memory;
    struct analyze_lp_more *more;
    uint64_t n_lps;         /* number of the greatest LP that occurs, plus 1 */
    struct analyze_pe *pes; /* owned; index: rank */
    uint32_t n_ranks;
    uint32_t *rank_of;      /* owned; ranks of the LPs according to a map; NULL: those recorded */
    struct ws_intern types; /* names of LP types */
    uint32_t *type_of;      /* owned; type of each description, plus 1 */
    /* Owned; indexes: types of sender and receiver; 0: unknown. */
    struct analyze_pair (*pairs)[ANALYZE_TYPES_MAX + 1];
    struct analyze_chains chains[ANALYZE_CHAINS];
    struct analyze_levels levels;
    struct analyze_ties ties;
    struct ws_histogram offsets, local_delay, remote_delay, skew;
    struct analyze_opens opens;
    size_t opens_most; /* most open events at a time */
    struct ws_edges edges;
    struct ws_pages before; /* elements: uint64_t; predecessors, later also the marks of the path */
    uint64_t path_end;      /* number of the last event of the path, plus 1 */
    uint64_t path_events, path_time, path_remote;
    uint64_t path_longest; /* greatest handler time of an event on the path */
    uint32_t path_longest_lp;
    struct analyze_window windows[ANALYZE_LOOKAHEADS_MAX];
    uint32_t n_windows;
    struct analyze_field *fields; /* owned */
    size_t n_fields, fields_room;
    struct analyze_value *values; /* owned; the values of all fields, field by field */
    size_t n_values;
    struct analyze_share shares[2 * ANALYZE_RANKS_MAX];
    uint32_t n_shares;
    uint64_t parts[4][5]; /* destinations of an LP: see graph.c */
    struct analyze_graph graph;
    struct analyze_path_out *path_out; /* owned; NULL: the path is not exported */
    bool failed;                       /* true after an error, for which a message was printed */
};

/* Prints "out of memory", once. Returns false. */
bool analyze_no_memory(struct analyze *a);

/* Computes all results. Returns false after a message. *a must be freed in any case. */
bool analyze_run(struct analyze *a, struct ws_file *file, const struct analyze_options *options);
void analyze_free(struct analyze *a);

/* ---- The passes ------------------------------------------------------------------------------ */

bool analyze_forward(struct analyze *a);
bool analyze_path(struct analyze *a);
bool analyze_second(struct analyze *a);
bool analyze_graph(struct analyze *a);

/* Flags of an element of `before`. In pass 1 the other bits are the number of the predecessor plus
 * 1. For events on the path, path.c replaces them by the position from the end. */
#define ANALYZE_BY_CAUSE ((uint64_t)1 << 63)
#define ANALYZE_ON_PATH  ((uint64_t)1 << 62)
#define ANALYZE_NUMBER   (ANALYZE_ON_PATH - 1)

/* Returns the weight of an event on the critical path. */
static inline uint64_t analyze_weight(const struct analyze *a, const struct analyze_event *e)
{
    return a->path_of == ANALYZE_TIME_LP ? e->handler_time : 1;
}

/* Returns the rank of an LP that has events on PE pe. */
static inline uint32_t analyze_rank(const struct analyze *a, uint32_t lp, uint32_t pe)
{
    return a->rank_of == NULL ? pe : a->rank_of[lp];
}

/* ---- Parts ----------------------------------------------------------------------------------- */

/* Sets a->n_ranks, and reads the map of the options if there is one. Returns false after a
 * message. */
bool analyze_placement_init(struct analyze *a);
/* Sets the ranks of the LPs to those of the map, after pass 1. */
void analyze_placement_apply(struct analyze *a);

bool analyze_levels_add(struct analyze_levels *levels, uint64_t level, double ts);
void analyze_levels_free(struct analyze_levels *levels);

/* Adds the next event of an LP to its chains, or begins new chains. initial: true if no event sent
 * it. */
void analyze_chains_add(struct analyze *a, struct analyze_lp *lp, const struct analyze_event *e,
                        bool initial);
/* Ends the chains of an LP. */
void analyze_chains_end(struct analyze *a, struct analyze_lp *lp);

/* Returns the least offset between different LPs; infinite if there is none. */
double analyze_lookahead(const struct analyze *a);

/* Returns the number of LPs of the run, or of those that occur if the run does not state it. */
uint64_t analyze_lps_of_run(const struct analyze *a);

/* Counts the values of an event's fields. */
bool analyze_values_init(struct analyze *a);
void analyze_values_add(struct analyze *a, const struct analyze_event *e, bool on_path);
void analyze_values_free(struct analyze *a);

/* Looks for communities in a->graph.list; sets the members of a->graph and of a->more. */
void analyze_communities(struct analyze *a);

#endif
