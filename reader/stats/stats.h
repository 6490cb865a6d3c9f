/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stats.h - the sums that "warpscope stats" computes for a file (inside stats only).
 *
 * Memory is bounded for any file: counts of the first WS_STATS_PES_MAX PEs, at most WS_STATS_KEYS
 * KPs or LPs of a PE at a time (exact up to there, see top_k.h), pictures of WS_STATS_BINS steps,
 * and some distributions. 48 MiB in all, and one block.
 */
#ifndef WARPSCOPE_READER_STATS_STATS_H
#define WARPSCOPE_READER_STATS_STATS_H

#include "access/facts.h"
#include "access/load.h"
#include "access/stream.h"
#include "data/histogram.h"
#include "data/id_set.h"
#include "data/intern.h"
#include "data/top_k.h"
#include "text/json.h"

#define WS_STATS_PES_MAX    4096u
#define WS_STATS_KEYS       131072u
#define WS_STATS_BINS       60u
#define WS_STATS_COUNTS_MAX 48u

struct ws_stats_options {
    bool json, utf8;
    uint32_t top;   /* most KPs or LPs in a list */
    const char *by; /* name of the field that determines the order of lists; NULL: the default */
    bool *by_found; /* set to true when a list has the field `by` */
    char *by_known; /* buffer of WS_STATS_BY_MAX bytes: fields of the lists so far, "a, b" */
};
#define WS_STATS_BY_MAX 1024u

/* Counts per bin: equal steps of a clock. The user defines the meaning of the two counts a and b. A
 * count that belongs to an interval is spread over the steps in it. */
struct ws_stats_bins {
    double a[WS_STATS_BINS], b[WS_STATS_BINS];
};

/* The steps of the clock, the horizontal axis of pictures. */
struct ws_stats_axis {
    double low, high;
    uint32_t n; /* at least 1; WS_STATS_BINS at most for struct ws_stats_bins */
    bool virtual_time;
};

/* Duration of the selected part of the run, without the time in which the stream was off. 0: not
 * known. */
struct ws_stats_span {
    double wall;               /* wall-clock duration in seconds */
    double virtual;            /* length in virtual time */
    double wall_from, wall_to; /* beginning and end, with the time between */
    double virtual_from, virtual_to;
};

/* The counts of one PE. */
struct ws_stats_pe {
    uint32_t pe;
    uint64_t records;
    uint64_t sums[WS_STATS_COUNTS_MAX];
    struct ws_stats_bins bins;
};

/* The PEs that have records, by number. PEs beyond WS_STATS_PES_MAX are omitted, but counted. */
struct ws_stats_pes {
    struct ws_stats_pe *list; /* owned; counts of each PE */
    uint32_t n;
    size_t reserved;
    uint64_t left_out;
    uint32_t last; /* number of the PE of the last record, plus 1 */
};

/* The fields of a kind of record that are counters. */
struct ws_stats_counts {
    const struct fmt_schema *schema;
    uint32_t n;
    int32_t field[WS_STATS_COUNTS_MAX];
    /* True if each PE counts the same collective action: the total is the greatest count. */
    bool collective[WS_STATS_COUNTS_MAX];
};

/* A list of KPs or LPs with their counts. */
struct ws_stats_list {
    bool used;
    bool moved; /* true for LPs that changed their PEs during the run: they count once */
    const struct fmt_schema *schema;
    int32_t key; /* number of the field that identifies the KP or LP */
    const char *names[WS_TOP_VALUES_MAX];
    /* In samples: the field at each place of the list; in events: the place of each field. */
    int32_t field[WS_TOP_VALUES_MAX];
    struct ws_top_k top;
};

/* ---- Parts that several kinds of files share ------------------------------------------------- */

/* Returns the counts of a PE. The calls for a PE must follow one another. Returns NULL if there are
 * too many PEs or memory is exhausted; the PE then counts in pes->left_out. */
struct ws_stats_pe *ws_stats_pe_get(struct ws_stats_pes *pes, uint32_t pe);

/* Collects all integer fields that are neither identities nor levels. */
void ws_stats_counts_find(struct ws_stats_counts *counts, const struct fmt_schema *schema);
/* Returns the position of a field among the counts, or -1 if it is not there. */
int32_t ws_stats_count_find(const struct ws_stats_counts *counts, const char *name);

/* The ranges of time of the chosen records. They come from block headers, or from the records if
 * virtual time is a criterion. If a run ran out of events, its last samples are at the end time,
 * which may be far away: that time does not count. */
struct ws_stats_clocks {
    struct ws_range virtual_time, real_time;
    /* Where recording began: 0, or later in a file that a change of the run began. */
    double virtual_from, real_from;
    struct ws_stats_span span;
};
/* kind: counts only the time in which this kind of record was recorded; NULL: any. */
void ws_stats_clocks_find(struct ws_stats_clocks *clocks, struct ws_file *survey,
                          const struct ws_select *select, const struct fmt_schema *kind);

/* Initialises the axis for one of the clocks, with at most `steps` steps. whole: true to begin at
 * the start of the recording. */
void ws_stats_axis_init(struct ws_stats_axis *axis, const struct ws_stats_clocks *clocks,
                        bool whole, bool virtual_time, uint64_t steps);

/* Distributes count over the steps that the interval (from, to] covers, in proportion to their
 * parts of it. */
void ws_stats_bins_spread(const struct ws_stats_axis *axis, double *bins, double from, double to,
                          double count);
/* Returns the number of the step that contains v. */
static inline uint32_t ws_stats_bin(const struct ws_stats_axis *axis, double v)
{
    double at = (v - axis->low) / (axis->high - axis->low) * (double)axis->n;
    return at >= 1.0 ? at < (double)axis->n ? (uint32_t)at : axis->n - 1 : 0;
}

/* Returns the efficiency in per cent, as base/efficiency.h of the engine defines it. */
double ws_stats_efficiency(double processed, double rolled_back);

/* Returns the ticks of the PEs' clocks per second, from the facts about the run; 0 if not
 * stated. */
double ws_stats_ticks_per_second(const struct fmt_superblock *sb);

/* Returns the value of a fact about the run; NULL if it is not stated. */
static inline const char *ws_stats_fact(const struct fmt_superblock *sb, const char *key)
{
    return ws_fact(sb, key);
}

/* The run that was printed last. All zero: none. */
struct ws_stats_run {
    char *facts; /* owned; all facts of the run */
    size_t size;
};
/* Returns true if the file belongs to another run than the previous file, and stores its run. */
bool ws_stats_run_changes(struct ws_stats_run *run, const struct fmt_superblock *sb);
void ws_stats_run_free(struct ws_stats_run *run);

/* ---- Samples: streams gvt, rt, vt ------------------------------------------------------------ */

struct ws_samples {
    struct ws_file *survey;
    const struct ws_select *select;
    const struct fmt_schema *primary; /* kind of the coarsest chosen records: of PEs, KPs or LPs */
    struct ws_stats_counts counts;    /* counters in records of the kind `primary` */
    uint64_t records;
    uint64_t sums[WS_STATS_COUNTS_MAX];
    uint64_t own[WS_STATS_COUNTS_MAX]; /* collective counts of the current PE */
    struct ws_stats_pes pes;
    struct ws_stats_axis axis;
    struct ws_stats_span span;
    /* true: bins a and b are events executed and undone; false: a is events committed. */
    bool has_efficiency;
    struct ws_stats_bins bins;
    struct ws_stats_list kps, lps;
    /* Distributions from records of PEs, if the primary records are those. */
    struct ws_histogram gvt_wall, gvt_advance, queue;
    struct ws_histogram ahead;       /* distribution of the virtual time of KPs beyond GVT */
    double last_real_time, last_gvt; /* times in the last sample of the current PE that has a GVT */
    bool has_gvt;
    bool has_last;
    double point, before; /* times of the current sampling point and of the one before */
    double begin;         /* time at which the current part of the stream begins */
    uint32_t part;        /* number of that part */
    uint32_t pe;          /* PE number of the current PE, plus 1; 0: none */
    struct ws_load load;
    bool no_memory;
};

/* Returns the statistics of a file of samples; NULL if memory is exhausted. Reports errors that it
 * finds in the file. The caller frees the result with ws_samples_free(). */
struct ws_samples *ws_samples_gather(struct ws_file *survey, const struct ws_select *select,
                                     const struct ws_stats_options *options);
void ws_samples_free(struct ws_samples *samples);
void ws_samples_json(struct json_writer *json, const struct ws_samples *samples);

/* ---- Events: stream evtrace ------------------------------------------------------------------ */

/* Indices in the sums of a ws_stats_pe and in the lists, for files of events. */
enum { WS_EVENTS, WS_EVENTS_ROLLBACKS, WS_EVENTS_UNDONE, WS_EVENTS_SECONDARY, WS_EVENTS_COUNTS };
extern const char *const ws_events_names[WS_EVENTS_COUNTS];

struct ws_events {
    struct ws_file *survey;
    const struct ws_select *select;
    uint64_t sums[WS_EVENTS_COUNTS];
    struct ws_stats_pes pes;
    struct ws_stats_axis axis;
    struct ws_stats_span span;
    /* Duration to which each sum applies. Parts of the stream may lack events or rollbacks, so that
     * durations differ. */
    struct ws_stats_span spans[WS_EVENTS_COUNTS];
    struct ws_stats_bins bins; /* events (a) and rollbacks (b) over time */
    struct ws_stats_list kps, lps;
    /* Number of events and of rollbacks, by index of the payload description; last element: no
     * payload description. */
    uint64_t (*types)[2];
    struct ws_histogram delay;  /* distribution of receive time - send time of events */
    struct ws_histogram late;   /* distribution of the virtual time by which stragglers were late */
    struct ws_histogram undone; /* distribution of the number of events that a rollback undid */
    uint32_t pe;
    struct ws_load load;
    bool no_memory;
};

struct ws_events *ws_events_gather(struct ws_file *survey, const struct ws_select *select,
                                   const struct ws_stats_options *options);
void ws_events_free(struct ws_events *events);
void ws_events_json(struct json_writer *json, const struct ws_events *events);

/* ---- Model values: stream model -------------------------------------------------------------- */

/* Value of a counter at one sampling point of a PE: the sum over its LPs. */
struct ws_model_point {
    uint64_t n;  /* number of LPs that have the counter */
    double time; /* virtual time of the point */
    double sum, most;
};

/* Values of a counter at the first and the last sampling point. */
struct ws_model_counter {
    /* Points of the current PE; n is 0 if there is none yet. */
    struct ws_model_point now, first, last;
    /* Sums over complete PEs at the first and last point; greatest value of an LP. */
    double at_first, at_last, most;
};

#define WS_MODEL_IDS        65536u /* most distinct values of a field */
#define WS_MODEL_IDS_BUFFER 256u

/* The distinct values of a field that is an identity, exact up to WS_MODEL_IDS values. */
struct ws_model_ids {
    struct ws_id_set ids;
    /* Owned; WS_MODEL_IDS_BUFFER values to be added; NULL before the first value. */
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
    struct ws_file *survey;
    const struct ws_select *select;
    /* Number of records, and number by reason of sampling (index 0: any other reason). */
    uint64_t records, kinds[4];
    /* Number of records by index of the payload description; last element: no payload
     * description. */
    uint64_t *types;
    struct ws_model_field *fields;
    size_t n_fields;
    size_t *first_field; /* index of the first field of each description; last element: n_fields */
    /* Time in which the stream recorded. For fields that state changes. */
    struct ws_stats_span span;
    /* Time for which ws_model_counted() counts. For counters, which also increase while the stream
     * is off. */
    struct ws_stats_span counted;
    bool whole; /* true if no range of times was chosen, so that counters began at 0 */
    struct {
        uint32_t pe; /* number of the current PE, plus 1; 0: none */
        uint64_t kind, sample;
        double time;
    } point;
    bool no_memory;
};

/* Returns the increase of a counter over the chosen range of time. */
double ws_model_counted(const struct ws_model *model, const struct ws_model_field *field);

/* Returns the time over which ws_model_counted() counts. */
static inline const struct ws_stats_span *ws_model_span(const struct ws_model *model,
                                                        const struct ws_model_field *field)
{
    return field->field->measure == FMT_COUNTER ? &model->counted : &model->span;
}

struct ws_model *ws_model_gather(struct ws_file *survey, const struct ws_select *select);
void ws_model_free(struct ws_model *model);
void ws_model_json(struct json_writer *json, const struct ws_model *model);

/* ---- Parts as JSON --------------------------------------------------------------------------- */

void ws_stats_dist_json(struct json_writer *json, const char *name,
                        const struct ws_histogram *dist);
void ws_stats_list_json(struct json_writer *json, const char *name,
                        const struct ws_stats_list *list, const char *key);
void ws_stats_axis_json(struct json_writer *json, const struct ws_stats_axis *axis);
/* Writes the parts of a stream and the gaps between them as JSON; nothing for a single file. */
void ws_stats_parts_json(struct json_writer *json, const struct ws_file *survey);
void ws_stats_span_json(struct json_writer *json, const struct ws_stats_span *span);

/* ---- Tracers: stream tracer ------------------------------------------------------------------ */

struct ws_tracer_sum {
    uint64_t tracer, places, begun, ended, open, occurrences, tasks;
    double busy, total;
};

struct ws_tracers {
    struct ws_intern names;     /* spec; or spec, zero, step */
    struct ws_tracer_sum *sums; /* owned; one for each name */
    uint64_t left_out;
};

/* Returns the step name of sum i; NULL if the sum belongs to a tracer. */
const char *ws_tracers_step(const struct ws_tracers *tracers, uint32_t i);
double ws_tracers_mean(const struct ws_tracer_sum *sum);

struct ws_tracers *ws_tracers_gather(struct ws_file *survey, const struct ws_select *select);
void ws_tracers_free(struct ws_tracers *tracers);
void ws_tracers_json(struct json_writer *json, const struct ws_tracers *tracers);

/* ---- A file ---------------------------------------------------------------------------------- */

#define WS_STATS_TOP 5u /* default number of entries in lists */

/* Prints one JSON object with all sums of an open file, readable or not. Returns false if out of
 * memory. */
bool ws_stats_file_json(struct json_writer *json, struct ws_file *survey, struct ws_select *select,
                        const struct ws_stats_options *options);

#endif
