/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * figures.h - the accumulators: what is added up over the records of a run, for every view of it.
 *
 * Input are blocks: their columns, and the rows that a selection chooses (ws_scan()); an accumulator sees
 * PE after PE, and each PE's records in the order of time. It adds a row once, to everything that was
 * asked for, and never looks at it again:
 *
 * - totals, also per PE, with rates, distributions, and the KPs and LPs with the largest counts: always
 *   ("warpscope stats" shows these);
 * - the same over time, if options.over names the figures of a run: curves with WS_BINS bins of wall-clock
 *   and of virtual time, cells with WS_CELLS bins for rows of PEs, KPs and LP types ("warpscope report"
 *   shows these, and findings and advice rest on them).
 *
 * The records of a stream are read once, after walks over its block headers for the ranges of the clocks. Only
 * those of an event trace and a task trace are read twice for figures over time: the first pass learns where
 * LPs are, and which places are busiest.
 *
 * One rule for all: a count in a sample belongs to the interval since the PE's sample before
 * (struct ws_point), and is spread over the bins of that interval in proportion to time; a level in a
 * sample holds for that interval; an event counts in the bin of its time. Totals are exact. Names, units
 * and words of counts, levels and phases are in counts.c. The efficiency of any two counts is
 * ws_efficiency().
 *
 * Memory is bounded for any file. For totals: 48 MiB and one decoded block; this holds the counts of the
 * first WS_STATS_PES_MAX PEs, and those of at most WS_STATS_KEYS KPs or LPs of a PE at a time, which are
 * exact up to that number (data/top_k.h). For figures over time: 30 MB more, and 8 bytes per LP of an
 * event trace (struct ws_lps). PEs, KPs and LP types beyond a limit share rows.
 */
#ifndef WARPSCOPE_READER_FIGURES_FIGURES_H
#define WARPSCOPE_READER_FIGURES_FIGURES_H

#include "access/covers.h"
#include "access/facts.h"
#include "access/folder.h"
#include "access/load.h"
#include "access/stream.h"
#include "data/histogram.h"
#include "data/intern.h"
#include "data/messages.h"
#include "data/top_k.h"
#include "figures/evidence.h"
#include "figures/tasks.h"
#include "store/id_set.h"

#define WS_STATS_PES_MAX    4096u
#define WS_STATS_KEYS       131072u
#define WS_STATS_BINS       60u
#define WS_STATS_COUNTS_MAX 48u
#define WS_STATS_BY_MAX     1024u

#define WS_BINS         240u /* bins of curves */
#define WS_CELLS        60u  /* bins of cells */
#define WS_PE_ROWS      64u  /* maximum number of rows of PEs in a picture */
#define WS_KP_ROWS      256u /* maximum number of rows of KPs in a picture */
#define WS_TYPES        24u  /* maximum number of LP types; all further types share one entry */
#define WS_PHASES_MAX   16u
#define WS_MODEL_CURVES 48u
#define WS_MODEL_WORST  5u
#define WS_TASK_KINDS   50u
#define WS_BUSY_PLACES  12u

struct ws_figures;

struct ws_stats_options {
    bool utf8;
    uint32_t top;   /* maximum number of KPs or LPs in a list */
    const char *by; /* name of the field that determines the order of lists; NULL: the default */
    bool *by_found; /* if `by` is given: set to true if a list has that field */
    /* If `by` is given: buffer of WS_STATS_BY_MAX bytes for the names of the fields in all lists so far,
     * as in "a, b". */
    char *by_known;
    struct ws_figures *over;      /* the figures over time that are filled as well; NULL: none */
    struct ws_evidence *evidence; /* takes what each stream adds; NULL: none is wanted */
};

/* ---- Clocks and axes ------------------------------------------------------------------------- */

enum ws_clock { WS_WALL, WS_VIRTUAL, WS_CLOCKS };

/* The bins of a clock, the horizontal axis of pictures: n equal intervals from low to high. */
struct ws_stats_axis {
    double low, high;
    uint32_t n; /* number of bins, at least 1; for struct ws_stats_pe at most WS_STATS_BINS */
    enum ws_clock clock;
};

/* The selected part of the run: its length without the time in which the stream was off, in seconds and in
 * virtual time, 0: unknown; beginning and end. */
struct ws_stats_span {
    double length[WS_CLOCKS], from[WS_CLOCKS], to[WS_CLOCKS];
};

/* The ranges of time of the chosen records. They come from block headers, or from the records if
 * the selection has a range of virtual time. If a run ran out of events, its last samples are at
 * the end time, which may be far beyond the last event. Such a time does not count. */
struct ws_stats_clocks {
    struct ws_range range[WS_CLOCKS];
    double begin[WS_CLOCKS]; /* when recording began: 0, or later if a request began the file */
    struct ws_stats_span span;
};
/* Finds the ranges of time of the records that select chooses in file. kind: the span includes only
 * the time in which this kind of record was recorded; NULL: any kind. */
void ws_stats_clocks_find(struct ws_stats_clocks *clocks, struct ws_file *file,
                          const struct ws_select *select, const struct fmt_schema *kind);

/* Initialises the axis for a clock, with at most `steps` bins. whole: true to begin at the start of the
 * recording. */
void ws_stats_axis_init(struct ws_stats_axis *axis, const struct ws_stats_clocks *clocks,
                        bool whole, enum ws_clock clock, uint64_t steps);

/* Distributes count over the bins that the interval (from, to] covers, in proportion to the length
 * of the interval in each bin. */
void ws_stats_bins_spread(const struct ws_stats_axis *axis, double *bins, double from, double to,
                          double count);
/* Returns the index of the bin that contains v; the first or the last bin if v is beyond the
 * axis. */
static inline uint32_t ws_stats_bin(const struct ws_stats_axis *axis, double v)
{
    double at = (v - axis->low) / (axis->high - axis->low) * (double)axis->n;
    return at >= 1.0 ? at < (double)axis->n ? (uint32_t)at : axis->n - 1 : 0;
}
/* Stores the bins of n numbers, as ws_stats_bin() finds them, without a branch. */
static inline void ws_stats_bins_find(const struct ws_stats_axis *axis, const double *v, uint32_t n,
                                      uint32_t *bins)
{
    const double low = axis->low, length = axis->high - axis->low, all = (double)axis->n;
    const double last = all - 1.0;
    for (uint32_t i = 0; i < n; i++) {
        double at = (v[i] - low) / length * all;
        at = at >= 1.0 ? at : 0.0; /* also NaN */
        at = at < all ? at : last;
        bins[i] = (uint32_t)(int32_t)at;
    }
}
/* Adds a level, which held during (from, to], to the bins that overlap this interval: the integral
 * over the overlap to `sum`, the length of the overlap to `weight`. If the interval is empty, the
 * level counts with a small weight in the bin of `to`. */
void ws_level_spread(const struct ws_stats_axis *axis, double *sum, double *weight, double from,
                     double to, double value);

/* The interval of a sample: from the PE's sampling point before to this one, on both clocks. Records of
 * several entities at one point have one interval. */
struct ws_point {
    bool has; /* false: the next sample is the first since `begin` */
    double at[WS_CLOCKS], before[WS_CLOCKS];
};
/* Makes the point of a sample the current one, unless it is already. begin: beginning of the part of
 * the stream, to which the interval of the first sample reaches back. */
static inline void ws_point_follow(struct ws_point *point, const double begin[WS_CLOCKS],
                                   const double at[WS_CLOCKS])
{
    bool same = point->has && !(at[0] < point->at[0]) && !(at[0] > point->at[0]) &&
                !(at[1] < point->at[1]) && !(at[1] > point->at[1]);
    for (int c = 0; c < WS_CLOCKS && !same; c++) {
        point->before[c] = point->has ? point->at[c] : begin[c];
        point->at[c] = at[c];
    }
    point->has = true;
}

/* ---- Parts that several kinds of files share ------------------------------------------------- */

/* The counts of one PE, or of all; of two of them also per bin. */
struct ws_stats_pe {
    uint32_t pe;
    uint64_t records;
    uint64_t sums[WS_STATS_COUNTS_MAX];
    double bins[2][WS_STATS_BINS];
};

/* The PEs that have records, in ascending order. PEs beyond WS_STATS_PES_MAX are omitted, but
 * counted. */
struct ws_stats_pes {
    struct ws_stats_pe *list; /* owned; counts of each PE */
    uint32_t n;
    size_t reserved;
    uint64_t left_out;
    uint32_t last; /* PE of the latest record, plus 1; 0: none */
};
/* Returns the counts of a PE; adds the PE if it is new. After a call for another PE, the function
 * must not be called for this PE again. If there are too many PEs or memory is exhausted, adds 1 to
 * pes->left_out and returns NULL. */
struct ws_stats_pe *ws_stats_pe_get(struct ws_stats_pes *pes, uint32_t pe);

/* The counts that are added up: fields of a kind of record, or what an event trace tells. */
struct ws_stats_counts {
    uint32_t n;
    const char *names[WS_STATS_COUNTS_MAX];
    int32_t field[WS_STATS_COUNTS_MAX]; /* [i]: index of the field of count i */
    /* [i]: true if all PEs count the same collective action, such as GVT computations. The total is then
     * the largest count of a PE: a sum would count an action several times. */
    bool collective[WS_STATS_COUNTS_MAX];
    bool ticks[WS_STATS_COUNTS_MAX];   /* [i]: true if count i is a time in ticks, of a phase */
    bool apart[WS_STATS_COUNTS_MAX];   /* [i]: true if count i is in a table of its own */
    bool unknown[WS_STATS_COUNTS_MAX]; /* [i]: true if count i was not recorded; its sum is 0 */
};
/* Collects in `counts` those fields of a kind of record that are unsigned integers, and whose
 * values are changes since the previous record. */
void ws_stats_counts_find(struct ws_stats_counts *counts, const struct fmt_schema *schema);
/* Returns the index of the count called name; -1 if it is not there. */
int32_t ws_stats_count_find(const struct ws_stats_counts *counts, const char *name);

/* Returns the index of the payload description with this id; descs->n if there is none. */
static inline size_t ws_desc_place(const struct fmt_desc_set *descs, uint64_t id)
{
    if (id - 1 < descs->n && descs->descs[id - 1].id == id) {
        return id - 1; /* ids usually count from 1 */
    }
    const struct fmt_payload_desc *desc = fmt_desc_set_find(descs, (uint32_t)id);
    return desc == NULL ? descs->n : (size_t)(desc - descs->descs);
}

#define WS_RECENT   ((size_t)WS_STATS_KEYS)
#define WS_PREFETCH 16u /* number of keys by which a prefetch is ahead */

/* A list of KPs or LPs with their counts. */
struct ws_stats_list {
    bool used;
    /* True for LPs if they moved between PEs during the run; the list then has each LP once. */
    bool moved;
    const struct fmt_schema *schema; /* of samples */
    int32_t key;                     /* index of the field that identifies the KP or LP */
    const char *names[WS_TOP_VALUES_MAX];
    /* [i]: index of the field, or of the count of an event trace, whose sums are the values number i of
     * the entries. */
    int32_t field[WS_TOP_VALUES_MAX];
    struct ws_top_k top;
    /* [key % WS_RECENT]: entry in which this key was last found. The LPs of a PE follow one another, so
     * that many of them have an element of their own. */
    uint32_t recent[WS_RECENT];
};
/* Begins to load the sums of a key into the cache, for ws_list_values() some keys later. */
static inline void ws_list_prefetch(const struct ws_stats_list *list, uint64_t key)
{
    const uint32_t recent = list->recent[key % WS_RECENT];
    if (recent < list->top.n) {
        __builtin_prefetch(ws_top_k_at(&list->top, recent));
    }
}
/* Returns the n_values sums of a key, as ws_top_k_values() does, sooner if the key is a recent one. */
static inline uint64_t *ws_list_values(struct ws_stats_list *list, uint64_t key)
{
    uint32_t *recent = &list->recent[key % WS_RECENT];
    struct ws_top_k *top = &list->top;
    if (*recent < top->n && ws_top_k_at(top, *recent)->key == key && !top->joined) {
        return ws_top_k_at(top, *recent)->values;
    }
    uint64_t *values = ws_top_k_values(top, key);
    if (values != NULL) {
        *recent = (uint32_t)(((char *)values - (char *)ws_top_k_at(top, 0)->values) /
                             (ptrdiff_t)top->entry_size);
    }
    return values;
}
/* Prepares a list, which must be zero-initialised. Its order is that of the count options->by or, without
 * it, of the first one in `usual` that there is; without any, the list is not used. */
void ws_list_init(struct ws_stats_list *list, const struct ws_stats_counts *counts,
                  const struct ws_stats_options *options, const char *const *usual);

/* ---- Rows of PEs and KPs --------------------------------------------------------------------- */

/* Assigns PEs and KPs to rows of pictures. PE pe is in row pe / pes_per_row. Each row of PEs has
 * kp_rows rows of KPs; KP kp of a PE is in row kp >> kp_shift of them. If the number of a KP is too
 * large for that, kp_shift grows by one. Each pair of rows is then merged in all arrays
 * (ws_places_fold()). */
struct ws_places {
    uint32_t n_pes, pes_per_row, pe_rows;
    uint32_t kp_rows; /* number of rows of KPs per row of PEs, a power of two */
    uint32_t kp_shift;
    bool kp_seen[WS_KP_ROWS];
};

void ws_places_init(struct ws_places *places, uint32_t n_pes, uint64_t kps_per_pe);
/* Increments figures->places.kp_shift: merges each pair of neighbouring rows of KPs into one row, so
 * that KPs with larger numbers have rows. */
void ws_places_fold(struct ws_figures *figures);
static inline uint32_t ws_pe_row(const struct ws_places *places, uint32_t pe)
{
    uint32_t row = pe / places->pes_per_row;
    return row < places->pe_rows ? row : places->pe_rows - 1;
}
/* Sets *row to the index of the row of a KP. Returns false if the KP has no row with the current
 * kp_shift; *row is then not valid. */
static inline bool ws_kp_row(const struct ws_places *places, uint32_t pe, uint64_t kp,
                             uint32_t *row)
{
    uint64_t at = kp >> places->kp_shift;
    *row = ws_pe_row(places, pe) * places->kp_rows + (uint32_t)at;
    return at < places->kp_rows;
}

/* ---- Distributions over time ----------------------------------------------------------------- */

/* Bars of a picture, each for some neighbouring buckets of a histogram. The first bar begins at
 * bucket `first`, and each bar has `width` buckets. n: number of bars. */
struct ws_bars {
    uint32_t first, width, n;
};
/* Returns bars that show all numbers of a distribution. The bars are wide if the numbers cover a
 * wide range, or if `whole` is true. whole: true if the numbers are whole numbers. */
struct ws_bars ws_bars_of(const struct ws_histogram *dist, bool whole);

/* One distribution per bin, for WS_CELLS bins of a clock, with the buckets of a histogram. */
struct ws_dists {
    uint32_t first, n; /* index of the first bucket that is kept, and number of them */
    /* Owned; [bin][bucket - first]: count of numbers. The last one of a bin counts the numbers treated
     * as 0. NULL: none. */
    uint32_t *cells;
    double sum[WS_CELLS], least[WS_CELLS], most[WS_CELLS];
    uint32_t counts[WS_CELLS];
};
/* Initialises *d without any numbers, for n buckets. Returns false if out of memory. */
bool ws_dists_init(struct ws_dists *d, uint32_t first, uint32_t n);
/* Counts number v, whose bucket in a histogram is known, in a bin. Ignores numbers outside of the buckets
 * that are kept. v must not be NaN. */
void ws_dists_count(struct ws_dists *d, uint32_t bin, double v, int32_t bucket);
/* The same of a number that may be NaN, which is ignored. */
static inline void ws_dists_add(struct ws_dists *d, uint32_t bin, double v)
{
    if (v == v) {
        ws_dists_count(d, bin, v, ws_histogram_bucket(v));
    }
}
void ws_dists_free(struct ws_dists *d);

/* ---- Samples: streams gvt, rt, vt; events: stream evtrace ------------------------------------ */

/* Indices of the counts of an event trace, also in ws_stats_list.field. */
enum { WS_EVENTS, WS_EVENTS_ROLLBACKS, WS_EVENTS_UNDONE, WS_EVENTS_SECONDARY, WS_EVENTS_COUNTS };

#define WS_DISTS   4u
#define WS_COLUMNS 5u
/* Distributions of samples. From records of PEs, if these are the primary records: wall-clock time between
 * GVTs, advance of GVT, and length of the pending queue; virtual time by which KPs are ahead of GVT. */
enum { WS_DIST_GVT_WALL, WS_DIST_GVT_ADVANCE, WS_DIST_AHEAD, WS_DIST_QUEUE };
/* Distributions of an event trace: receive time - send time of events; virtual time by which stragglers
 * were late; number of events that a rollback undid. */
enum { WS_DIST_DELAY, WS_DIST_LATE, WS_DIST_UNDONE };
struct ws_dist_name {
    const char *name, *words;
    bool is_time; /* true for seconds */
};

/* The sums over the records of samples, or of an event trace. */
struct ws_counted {
    struct ws_file *file;
    const struct ws_select *select;
    bool is_trace; /* true for an event trace */
    /* Kind of the coarsest chosen samples: of PEs, else of KPs, else of LPs; NULL: none, or a trace. */
    const struct fmt_schema *primary;
    struct ws_stats_counts counts;
    struct ws_stats_pe all;            /* sums over all PEs */
    uint64_t own[WS_STATS_COUNTS_MAX]; /* collective counts of the current PE, indexed like sums */
    int32_t processor[WS_PROCESSOR_FIELDS]; /* counts of ws_processor_fields; -1: not known */
    struct ws_stats_pes pes;
    struct ws_stats_axis axis;
    /* Duration to which sums apply; of_kinds: of a trace, of sums of events and of rollbacks, which
     * differ if parts of the stream lack one of them. */
    struct ws_stats_span span, of_kinds[2];
    /* The counts in bins. Of samples: executed events and undone events, from which efficiencies follow;
     * without has_efficiency, committed events. Of a trace: events and rollbacks over wall-clock time.
     * binned: indices of these counts, -1: none; in_bins: their names, NULL: none. */
    bool has_efficiency;
    int32_t binned[2];
    const char *in_bins[2];
    struct ws_stats_list kps, lps;
    const struct ws_dist_name *dist_names;
    uint32_t n_dists;
    struct ws_histogram dists[WS_DISTS];
    /* Counts that tables of PEs show. PEs with the largest counts number `rank` stand out, if no
     * efficiency is known. */
    uint32_t columns[WS_COLUMNS], n_columns, rank;
    uint32_t pe;   /* current PE, plus 1; 0: none */
    uint32_t part; /* index of the current part of the stream */

    /* Of samples: wall-clock time and GVT in the current PE's latest sample with a GVT computation; the
     * points of primary records, and of those of over_ahead; times at which the current part begins. */
    double last_real_time, last_gvt;
    bool has_gvt;
    struct ws_point point, ahead_point;
    double begin[WS_CLOCKS];

    /* Of a trace. Owned; [d][0]: number of events with payload description d; [d][1]: number of
     * rollbacks. The last d stands for no description. */
    uint64_t (*types)[2];
    bool has_events, has_rollbacks; /* true if the trace records them, even if there are none */

    /* Figures over time that this stream fills; NULL: none. over_curves: true if it fills curves, of a
     * trace those of rollbacks; over_phases: true if it fills the phases of PEs; over_ahead: kind of
     * record with the times ahead of GVT, or NULL. */
    struct ws_figures *over;
    bool over_curves, over_phases;
    const struct fmt_schema *over_ahead;
    uint8_t curve[WS_STATS_COUNTS_MAX]; /* [i]: enum ws_count of count i; WS_COUNTS: none */
    int8_t phase[WS_STATS_COUNTS_MAX];  /* [i]: index in ws_phases.names of count i; -1: none */
    double ticks;                       /* number of ticks per second */
    struct ws_load load;
    bool no_memory;
};

void ws_counted_free(struct ws_counted *counted);
/* Returns the span to which count i applies. */
static inline const struct ws_stats_span *ws_view_span(const struct ws_counted *c, uint32_t i)
{
    return c->is_trace ? &c->of_kinds[i != WS_EVENTS] : &c->span;
}
/* Returns true if the count called name was not recorded. */
bool ws_view_unknown(const struct ws_counted *counted, const char *name);
/* Sets *net to the number of remote events that their senders committed: those sent without those that
 * were cancelled. Returns false if it is not known. */
bool ws_net_remote(const struct ws_counted *samples, uint64_t *net);
/* Returns the efficiency in per cent that follows from the counts `sums`; counted->has_efficiency must be
 * true. */
static inline double ws_view_efficiency(const struct ws_counted *c, const uint64_t *sums)
{
    return ws_efficiency((double)sums[c->binned[0]], (double)sums[c->binned[1]]);
}

/* Returns the share of the time of `sums` that was lost, in per cent; NaN: not known. */
static inline double ws_view_lost(const struct ws_counted *c, const uint64_t *sums)
{
    const int32_t covered = c->processor[0], lost = c->processor[3];
    return covered < 0 || lost < 0 ? (double)NAN
                                   : ws_lost_share((double)sums[lost], (double)sums[covered]);
}

/* Spread of n numbers: the smallest, the largest, and percentiles, each of which is one of the
 * numbers. */
struct ws_spread {
    uint64_t least, tenth, median, ninetieth, largest;
    /* Mean, and largest number / mean; the latter is NaN if all numbers are 0. */
    double mean, imbalance;
};
/* Finds the spread of n numbers, one every `stride` bytes. Returns false if n is 0, or out of memory. */
bool ws_spread_find(struct ws_spread *spread, const uint64_t *first, size_t stride, size_t n);
/* Finds the spread of a count over the PEs, in the same way. */
bool ws_view_spread(struct ws_spread *spread, const struct ws_counted *counted, uint32_t count);

/* Returns the coarsest kind of record that all parts record and the selection can choose; if there is
 * none, the coarsest kind that any part records; NULL: none. */
const struct fmt_schema *ws_samples_primary(const struct ws_file *file,
                                            const struct ws_select *select);

/* In figures/ only: prepare the sums, and the columns to decode; add the loaded records; complete figures
 * over time. */
void ws_samples_init(struct ws_counted *samples, const struct ws_stats_options *options,
                     struct fmt_wanted wanted[FMT_SCHEMAS_MAX]);
void ws_samples_add(struct ws_counted *samples, uint32_t pe);
void ws_events_init(struct ws_counted *events, const struct ws_stats_options *options,
                    struct fmt_wanted wanted[FMT_SCHEMAS_MAX]);
void ws_events_add(struct ws_counted *events, uint32_t pe);
void ws_events_finish(struct ws_counted *events);

#endif
