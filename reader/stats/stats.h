/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stats.h - the sums that "warpscope stats" computes for a file.
 *
 * Memory is bounded for any file: 48 MiB and one decoded block. The memory holds the counts of the
 * first WS_STATS_PES_MAX PEs, and those of at most WS_STATS_KEYS KPs or LPs of a PE at a time. The
 * latter are exact up to that number (top_k.h). It also holds counts over time in WS_STATS_BINS
 * bins, and some distributions.
 */
#ifndef WARPSCOPE_READER_STATS_STATS_H
#define WARPSCOPE_READER_STATS_STATS_H

#include "access/facts.h"
#include "access/load.h"
#include "access/stream.h"
#include "data/histogram.h"
#include "data/intern.h"
#include "data/top_k.h"
#include "figures/counts.h"
#include "figures/facts.h"
#include "store/id_set.h"
#include "text/json.h"

#define WS_STATS_PES_MAX    4096u
#define WS_STATS_KEYS       131072u
#define WS_STATS_BINS       60u
#define WS_STATS_COUNTS_MAX 48u

struct ws_stats_options {
    bool json, utf8;
    uint32_t top;   /* maximum number of KPs or LPs in a list */
    const char *by; /* name of the field that determines the order of lists; NULL: the default */
    bool *by_found; /* set to true if a list has the field `by` */
    /* Buffer of WS_STATS_BY_MAX bytes for the names of the fields in all lists so far, as in "a,
     * b". */
    char *by_known;
};
#define WS_STATS_BY_MAX 1024u

/* Counts per bin. The bins are equal intervals of a clock. The user of the struct defines the
 * meaning of the two counts a and b. A count that belongs to an interval of time is spread over the
 * bins in that interval. */
struct ws_stats_bins {
    double a[WS_STATS_BINS], b[WS_STATS_BINS];
};

/* The bins of a clock, the horizontal axis of pictures: n equal intervals from low to high. */
struct ws_stats_axis {
    double low, high;
    uint32_t n; /* number of bins, at least 1; for struct ws_stats_bins at most WS_STATS_BINS */
    bool virtual_time;
};

/* Duration of the selected part of the run, without the time in which the stream was off. 0:
 * unknown. */
struct ws_stats_span {
    double wall;               /* wall-clock duration in seconds */
    double virtual;            /* length in virtual time */
    double wall_from, wall_to; /* beginning and end; the stream may have been off in between */
    double virtual_from, virtual_to;
};

/* The counts of one PE. */
struct ws_stats_pe {
    uint32_t pe;
    uint64_t records;
    uint64_t sums[WS_STATS_COUNTS_MAX];
    struct ws_stats_bins bins;
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

/* The fields of a kind of record whose values are added up. */
struct ws_stats_counts {
    const struct fmt_schema *schema;
    uint32_t n;
    int32_t field[WS_STATS_COUNTS_MAX];
    /* [i]: true if all PEs count the same collective action. The total is then the largest count of
     * a PE. */
    bool collective[WS_STATS_COUNTS_MAX];
};

/* A list of KPs or LPs with their counts. */
struct ws_stats_list {
    bool used;
    /* True for LPs if they moved between PEs during the run; the list then has each LP once. */
    bool moved;
    const struct fmt_schema *schema;
    int32_t key; /* index of the field that identifies the KP or LP */
    const char *names[WS_TOP_VALUES_MAX];
    /* In lists of samples, [i]: index of the field whose sums are the values number i of the
     * entries. In lists of events, [WS_EVENTS ...]: index of the value that holds this count in
     * each entry. */
    int32_t field[WS_TOP_VALUES_MAX];
    struct ws_top_k top;
};

/* ---- Parts that several kinds of files share ------------------------------------------------- */

/* Returns the counts of a PE; adds the PE if it is new. After a call for another PE, the function
 * must not be called for this PE again. If there are too many PEs or memory is exhausted, adds 1 to
 * pes->left_out and returns NULL. */
struct ws_stats_pe *ws_stats_pe_get(struct ws_stats_pes *pes, uint32_t pe);

/* Collects in `counts` those fields of a kind of record that are unsigned integers, and whose
 * values are changes since the previous record. */
void ws_stats_counts_find(struct ws_stats_counts *counts, const struct fmt_schema *schema);
/* Returns the index in counts->field of the field called name; -1 if it is not there. */
int32_t ws_stats_count_find(const struct ws_stats_counts *counts, const char *name);

/* The ranges of time of the chosen records. They come from block headers, or from the records if
 * the selection has a range of virtual time. If a run ran out of events, its last samples are at
 * the end time, which may be far beyond the last event. Such a time does not count. */
struct ws_stats_clocks {
    struct ws_range virtual_time, real_time;
    /* Times at which recording began: 0, or later if a request began the file. */
    double virtual_from, real_from;
    struct ws_stats_span span;
};
/* Finds the ranges of time of the records that select chooses in file. kind: the span includes only
 * the time in which this kind of record was recorded; NULL: any kind. */
void ws_stats_clocks_find(struct ws_stats_clocks *clocks, struct ws_file *file,
                          const struct ws_select *select, const struct fmt_schema *kind);

/* Initialises the axis for virtual time or wall-clock time, with at most `steps` bins. whole: true
 * to begin at the start of the recording. */
void ws_stats_axis_init(struct ws_stats_axis *axis, const struct ws_stats_clocks *clocks,
                        bool whole, bool virtual_time, uint64_t steps);

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

/* The run of the latest file passed to ws_stats_run_changes(). All members are zero before the
 * first file. */
struct ws_stats_run {
    char *facts; /* owned; all facts about the run */
    size_t size;
};
/* Returns true if the file with this superblock belongs to another run than the previous file.
 * Stores its run in *run. */
bool ws_stats_run_changes(struct ws_stats_run *run, const struct fmt_superblock *sb);
void ws_stats_run_free(struct ws_stats_run *run);

/* ---- Samples: streams gvt, rt, vt ------------------------------------------------------------ */

struct ws_samples {
    struct ws_file *file;
    const struct ws_select *select;
    /* Kind of the coarsest chosen records: of PEs, else of KPs, else of LPs; NULL: none. */
    const struct fmt_schema *primary;
    struct ws_stats_counts counts; /* fields of the kind `primary` whose values are added up */
    uint64_t records;
    uint64_t sums[WS_STATS_COUNTS_MAX];
    uint64_t own[WS_STATS_COUNTS_MAX]; /* collective counts of the current PE, indexed like sums */
    struct ws_stats_pes pes;
    struct ws_stats_axis axis;
    struct ws_stats_span span;
    /* True if bins a count executed events and bins b undone events; otherwise bins a count
     * committed events. */
    bool has_efficiency;
    struct ws_stats_bins bins;
    struct ws_stats_list kps, lps;
    /* Distributions from records of PEs, if these are the primary records: wall-clock time between
     * GVTs, advance of GVT, and length of the pending queue. */
    struct ws_histogram gvt_wall, gvt_advance, queue;
    struct ws_histogram ahead; /* distribution of the virtual time by which KPs are ahead of GVT */
    /* Wall-clock time and GVT in the current PE's latest sample with a GVT computation. */
    double last_real_time, last_gvt;
    bool has_gvt;
    bool has_last;
    /* Times of the current sampling point and of the one before it, on the clock of `axis`. */
    double point, before;
    double begin;  /* time at which the current part of the stream begins, on the clock of `axis` */
    uint32_t part; /* index of the current part of the stream */
    uint32_t pe;   /* current PE, plus 1; 0: none */
    struct ws_load load;
    bool no_memory;
};

/* Returns the statistics of a file of samples; NULL if memory is exhausted. Counts the errors that
 * it finds as faults of the file. The caller frees the result with ws_samples_free(). */
struct ws_samples *ws_samples_gather(struct ws_file *file, const struct ws_select *select,
                                     const struct ws_stats_options *options);
void ws_samples_free(struct ws_samples *samples);
void ws_samples_json(struct json_writer *json, const struct ws_samples *samples);

/* ---- Events: stream evtrace ------------------------------------------------------------------ */

/* Indices of the counts of an event trace: in ws_events.sums, in ws_stats_pe.sums and in
 * ws_stats_list.field. */
enum { WS_EVENTS, WS_EVENTS_ROLLBACKS, WS_EVENTS_UNDONE, WS_EVENTS_SECONDARY, WS_EVENTS_COUNTS };
extern const char *const ws_events_names[WS_EVENTS_COUNTS];

struct ws_events {
    struct ws_file *file;
    const struct ws_select *select;
    uint64_t sums[WS_EVENTS_COUNTS];
    struct ws_stats_pes pes;
    struct ws_stats_axis axis;
    struct ws_stats_span span;
    /* [i]: duration to which sum i applies. Parts of the stream may lack events or rollbacks, so
     * that durations differ. */
    struct ws_stats_span spans[WS_EVENTS_COUNTS];
    struct ws_stats_bins bins; /* events (a) and rollbacks (b) over wall-clock time */
    struct ws_stats_list kps, lps;
    /* Owned; [d][0]: number of events with payload description d; [d][1]: number of rollbacks. The
     * last d stands for no description. */
    uint64_t (*types)[2];
    struct ws_histogram delay;  /* distribution of the offset of events: receive time - send time */
    struct ws_histogram late;   /* distribution of the virtual time by which stragglers were late */
    struct ws_histogram undone; /* distribution of the number of events that a rollback undid */
    uint32_t pe;
    struct ws_load load;
    bool no_memory;
};

struct ws_events *ws_events_gather(struct ws_file *file, const struct ws_select *select,
                                   const struct ws_stats_options *options);
void ws_events_free(struct ws_events *events);
void ws_events_json(struct json_writer *json, const struct ws_events *events);

/* ---- Model values: stream model -------------------------------------------------------------- */

/* Value of a counter at one sampling point of a PE. */
struct ws_model_point {
    uint64_t n;  /* number of LPs that have the counter */
    double time; /* virtual time of the point */
    /* Sum of the values of these LPs, and largest value of one LP. */
    double sum, most;
};

/* Values of a counter at the first and the last sampling point. */
struct ws_model_counter {
    /* Sampling points of the current PE: the current, the first and the last one; the member n of a
     * point is 0 if there is none yet. */
    struct ws_model_point now, first, last;
    /* Sums over all completed PEs at their first and last points, and largest value of one LP. */
    double at_first, at_last, most;
};

/* Maximum number of distinct values of a field that are counted. */
#define WS_MODEL_IDS        65536u
#define WS_MODEL_IDS_BUFFER 256u

/* The distinct values of a field that is an identity, exact up to WS_MODEL_IDS values. */
struct ws_model_ids {
    struct id_set ids;
    /* Owned; up to WS_MODEL_IDS_BUFFER values that must still be added to ids; NULL before the
     * first value. */
    uint64_t *waiting;
    size_t n_waiting;
};

/* Statistics of a numeric field, over all LPs and samples. The members in use depend on the measure
 * of the field. */
struct ws_model_field {
    const struct fmt_payload_desc *desc;
    const struct fmt_payload_field *field;
    uint64_t n;
    double sum, min, max;
    struct ws_model_counter counter;
    struct ws_model_ids ids;
};

struct ws_model {
    struct ws_file *file;
    const struct ws_select *select;
    /* Number of all records; [reason]: number of records sampled for this reason: 1 for GVT, 2 for
     * real time, 3 for virtual time, 0 for any other. */
    uint64_t records, kinds[4];
    /* Owned; [d]: number of records with payload description d. The last d stands for no
     * description. */
    uint64_t *types;
    struct ws_model_field *fields;
    size_t n_fields;
    /* Owned; [d]: index of the first field of description d; last element: n_fields. */
    size_t *first_field;
    /* Time in which the stream was on. Rates of fields whose values are changes refer to this
     * time. */
    struct ws_stats_span span;
    /* Time to which rates of counters refer. It includes the time in which the stream was off,
     * since counters also increase then. */
    struct ws_stats_span counted;
    bool whole; /* true if no range of times was chosen, so that counters began at 0 */
    struct {
        uint32_t pe; /* current PE, plus 1; 0: none */
        uint64_t kind, sample;
        double time;
    } point;
    bool no_memory;
};

/* Returns the increase of a counter over the chosen range of time; for other fields, the sum of the
 * values. */
double ws_model_counted(const struct ws_model *model, const struct ws_model_field *field);

/* Returns the time to which the result of ws_model_counted() refers. */
static inline const struct ws_stats_span *ws_model_span(const struct ws_model *model,
                                                        const struct ws_model_field *field)
{
    return field->field->measure == FMT_COUNTER ? &model->counted : &model->span;
}

struct ws_model *ws_model_gather(struct ws_file *file, const struct ws_select *select);
void ws_model_free(struct ws_model *model);
void ws_model_json(struct json_writer *json, const struct ws_model *model);

/* ---- Parts as JSON --------------------------------------------------------------------------- */

void ws_stats_dist_json(struct json_writer *json, const char *name,
                        const struct ws_histogram *dist);
void ws_stats_list_json(struct json_writer *json, const char *name,
                        const struct ws_stats_list *list, const char *key);
void ws_stats_axis_json(struct json_writer *json, const struct ws_stats_axis *axis);
/* Writes the parts of a stream and the gaps between them as JSON; nothing for a single file. */
void ws_stats_parts_json(struct json_writer *json, const struct ws_file *file);
void ws_stats_span_json(struct json_writer *json, const struct ws_stats_span *span);

/* ---- Tracers: stream tracer ------------------------------------------------------------------ */

struct ws_tracer_sum {
    uint64_t tracer, places, begun, ended, open, occurrences, tasks;
    double busy, total;
};

struct ws_tracers {
    /* Names of the sums. For a tracer: its spec. For a step: the spec of its tracer, a zero byte,
     * and the name of the step. */
    struct ws_intern names;
    struct ws_tracer_sum *sums; /* owned; [i]: sum with name i */
    uint64_t left_out;
};

/* Returns the name of the step to which sum i belongs; NULL if the sum belongs to a whole
 * tracer. */
const char *ws_tracers_step(const struct ws_tracers *tracers, uint32_t i);
double ws_tracers_mean(const struct ws_tracer_sum *sum);

struct ws_tracers *ws_tracers_gather(struct ws_file *file, const struct ws_select *select);
void ws_tracers_free(struct ws_tracers *tracers);
void ws_tracers_json(struct json_writer *json, const struct ws_tracers *tracers);

/* ---- A file ---------------------------------------------------------------------------------- */

#define WS_STATS_TOP 5u /* default number of entries in lists */

/* The statistics of a stream of any kind: exactly one member is not NULL. */
struct ws_stats_sums {
    struct ws_samples *samples;
    struct ws_events *events;
    struct ws_model *model;
    struct ws_tasks *tasks;
    struct ws_tracers *tracers;
};
/* Computes the statistics of the records that select chooses in an open file. Returns false if out
 * of memory; all members are then NULL. sums must be freed even after an error. */
bool ws_stats_gather(struct ws_stats_sums *sums, struct ws_file *file,
                     const struct ws_select *select, const struct ws_stats_options *options);
void ws_stats_sums_free(struct ws_stats_sums *sums);

/* Prints one JSON object with all sums of an open file, even if the file cannot be read. Returns
 * false if out of memory. */
bool ws_stats_file_json(struct json_writer *json, struct ws_file *file, struct ws_select *select,
                        const struct ws_stats_options *options);

#endif
