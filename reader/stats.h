/*
 * stats.h - what "warpscope stats" adds up of a file (inside stats only).
 *
 * Memory is bounded whatever the file: numbers of the first WS_STATS_PES_MAX PEs, at most
 * WS_STATS_KEYS KPs or LPs of a PE at a time (exact up to there, see top.h), pictures of
 * WS_STATS_BINS places, some distributions. 48 MiB in all, and one block.
 */
#ifndef WARPSCOPE_READER_STATS_H
#define WARPSCOPE_READER_STATS_H

#include "dist.h"
#include "ids.h"
#include "json.h"
#include "load.h"
#include "top.h"

#define WS_STATS_PES_MAX    4096u
#define WS_STATS_KEYS       131072u
#define WS_STATS_BINS       60u
#define WS_STATS_COUNTS_MAX 48u

struct ws_stats_options {
    bool json, utf8;
    uint32_t top;   /* length of lists */
    const char *by; /* field that lists are ordered by; NULL: the usual one */
    bool *by_found; /* set when some list has it */
    char *by_known; /* WS_STATS_BY_MAX bytes: fields of the lists so far, "a, b" */
};
#define WS_STATS_BY_MAX 1024u

/* Counts in equal steps of a clock. Two at a time: a and b, what they are is the user's business.
 * What was counted over an interval is spread over its steps. */
struct ws_stats_bins {
    double a[WS_STATS_BINS], b[WS_STATS_BINS];
};

/* The clock's steps. */
struct ws_stats_axis {
    double low, high;
    uint32_t n; /* 1 to WS_STATS_BINS */
    bool virtual_time;
};

/* How long what was looked at took. */
struct ws_stats_span {
    double wall;                  /* seconds; 0 if not known */
    double virtual_from, virtual; /* beginning and length; 0 if not known */
};

/* What was counted on one PE. */
struct ws_stats_pe {
    uint32_t pe;
    uint64_t records;
    uint64_t sums[WS_STATS_COUNTS_MAX];
    struct ws_stats_bins bins;
};

/* PEs with records, by number; more than WS_STATS_PES_MAX are left out but counted. */
struct ws_stats_pes {
    struct ws_stats_pe *list; /* owned */
    uint32_t n, reserved;
    uint64_t left_out;
    uint32_t last; /* PE of the last record + 1 */
};

/* The fields of a kind of record that count something. */
struct ws_stats_counts {
    const struct fmt_schema *schema;
    uint32_t n;
    int32_t field[WS_STATS_COUNTS_MAX];
    bool collective[WS_STATS_COUNTS_MAX]; /* all PEs count the same: the largest is the total */
};

/* A list of KPs or LPs. */
struct ws_stats_list {
    bool used;
    const struct fmt_schema *schema;
    int32_t key; /* field */
    const char *names[WS_TOP_VALUES_MAX];
    int32_t field[WS_TOP_VALUES_MAX]; /* of samples, by place; of events, places by what it is */
    struct ws_top top;
};

/* ---- Parts that several kinds of files share ------------------------------------------------- */

/* The PE's numbers; NULL if there are too many PEs (or no memory: pes->left_out then). PEs must
 * come one after another. */
struct ws_stats_pe *ws_stats_pe_get(struct ws_stats_pes *pes, uint32_t pe);

/* All integer fields that are neither numbers of something nor states. */
void ws_stats_counts_find(struct ws_stats_counts *counts, const struct fmt_schema *schema);
/* Place of a field among the counts, -1 if it is not there. */
int32_t ws_stats_count_find(const struct ws_stats_counts *counts, const char *name);

/* From when to when the chosen records are: by the headers of their blocks, or if virtual time is
 * what chooses, by the records themselves. A run that ran out of events takes its last samples at
 * the end time, which may be far away: that time does not count. */
struct ws_stats_clocks {
    struct ws_range virtual_time, real_time;
};
void ws_stats_clocks_find(struct ws_stats_clocks *clocks, struct ws_survey *survey,
                          const struct ws_select *select);

/* Sets the axis to one of the clocks, with at most steps. whole: from 0 on. */
void ws_stats_axis_init(struct ws_stats_axis *axis, const struct ws_stats_clocks *clocks,
                        bool whole, bool virtual_time, uint64_t steps);
void ws_stats_span_find(struct ws_stats_span *span, const struct ws_stats_clocks *clocks,
                        const struct ws_survey *survey, bool whole);

/* Adds count to the steps (from, to]; in parts as large as the steps' parts of it. */
void ws_stats_bins_spread(const struct ws_stats_axis *axis, double *bins, double from, double to,
                          double count);
/* The step that v is in. */
static inline uint32_t ws_stats_bin(const struct ws_stats_axis *axis, double v)
{
    double at = (v - axis->low) / (axis->high - axis->low) * (double)axis->n;
    return at >= 1.0 ? at < (double)axis->n ? (uint32_t)at : axis->n - 1 : 0;
}

/* As base/efficiency.h of the engine defines it. */
double ws_stats_efficiency(double processed, double rolled_back);

/* Ticks of the PEs' clocks per second, from the facts about the run; 0 if they do not say. */
double ws_stats_ticks_per_second(const struct fmt_superblock *sb);

/* The value of a fact about the run; NULL if it is not stated. */
const char *ws_stats_fact(const struct fmt_superblock *sb, const char *key);

/* The run that was described last; zeroed: none. */
struct ws_stats_run {
    char *facts; /* owned */
    size_t size;
};
/* Is the file of another run than the one before? Remembers it. */
bool ws_stats_run_changes(struct ws_stats_run *run, const struct fmt_superblock *sb);
void ws_stats_run_free(struct ws_stats_run *run);
/* Command, scheduler, ranks, and a blank line. */
void ws_stats_run_text(FILE *out, const struct fmt_superblock *sb);

/* Why there is nothing to show. */
void ws_stats_nothing_text(FILE *out, const struct ws_select *select);

/* "events processed" for "events_processed" */
const char *ws_stats_words(char *to, size_t size, const char *name);

/* ---- Samples: streams gvt, rt, vt ------------------------------------------------------------ */

struct ws_samples {
    struct ws_survey *survey;
    const struct ws_select *select;
    const struct fmt_schema *primary; /* the coarsest records that were chosen: of PEs, KPs, LPs */
    struct ws_stats_counts counts;    /* of the primary records */
    uint64_t records;
    uint64_t sums[WS_STATS_COUNTS_MAX];
    uint64_t own[WS_STATS_COUNTS_MAX]; /* collective counts of the PE at hand */
    struct ws_stats_pes pes;
    struct ws_stats_axis axis;
    struct ws_stats_span span;
    bool has_efficiency; /* bins: a executed, b undone; otherwise a committed */
    struct ws_stats_bins bins;
    struct ws_stats_list kps, lps;
    /* from records of PEs, if they are the primary ones */
    struct ws_dist gvt_wall, gvt_advance, queue;
    struct ws_dist ahead;            /* of KPs beyond GVT */
    double last_real_time, last_gvt; /* of the last sample with a GVT, on the PE at hand */
    bool has_gvt;
    bool has_last;
    double point, before; /* the sampling point at hand, and the one before it */
    uint32_t pe;          /* the PE at hand + 1; 0: none */
    struct ws_load load;
    bool no_memory;
};

/* NULL: out of memory. Faults of the survey may come up. Frees with ws_samples_free(). */
struct ws_samples *ws_samples_gather(struct ws_survey *survey, const struct ws_select *select,
                                     const struct ws_stats_options *options);
void ws_samples_free(struct ws_samples *samples);
void ws_samples_text(FILE *out, const struct ws_samples *samples,
                     const struct ws_stats_options *options);
void ws_samples_json(struct ws_json *json, const struct ws_samples *samples);

/* ---- Events: stream evtrace ------------------------------------------------------------------ */

/* Places in a ws_stats_pe's sums and in the lists. */
enum { WS_EVENTS, WS_EVENTS_ROLLBACKS, WS_EVENTS_UNDONE, WS_EVENTS_SECONDARY, WS_EVENTS_COUNTS };
extern const char *const ws_events_names[WS_EVENTS_COUNTS];

struct ws_events {
    struct ws_survey *survey;
    const struct ws_select *select;
    uint64_t sums[WS_EVENTS_COUNTS];
    struct ws_stats_pes pes;
    struct ws_stats_axis axis;
    struct ws_stats_span span;
    struct ws_stats_bins bins; /* a events, b rollbacks */
    struct ws_stats_list kps, lps;
    uint64_t (*types)[2];  /* by number of the description, the last for none: events, rollbacks */
    struct ws_dist delay;  /* receive time - send time, of events */
    struct ws_dist late;   /* how far behind its KP a straggler was */
    struct ws_dist undone; /* events that a rollback undid */
    uint32_t pe;
    struct ws_load load;
    bool no_memory;
};

struct ws_events *ws_events_gather(struct ws_survey *survey, const struct ws_select *select,
                                   const struct ws_stats_options *options);
void ws_events_free(struct ws_events *events);
void ws_events_text(FILE *out, const struct ws_events *events,
                    const struct ws_stats_options *options);
void ws_events_json(struct ws_json *json, const struct ws_events *events);

/* ---- The model's values: stream model -------------------------------------------------------- */

/* A counter at one sampling point of a PE, added up over its LPs. */
struct ws_model_point {
    uint64_t n;  /* LPs that gave it */
    double time; /* virtual time of the point */
    double sum, most;
};

/* A counter: what it was at the first and last sampling points. */
struct ws_model_counter {
    struct ws_model_point now, first, last; /* of the PE at hand; n 0: none yet */
    double at_first, at_last, most;         /* of the PEs that are complete; most: of an LP */
};

#define WS_MODEL_IDS        65536u /* different values of a field that are told apart */
#define WS_MODEL_IDS_BUFFER 256u

/* The different values of an identity, exact up to WS_MODEL_IDS. */
struct ws_model_ids {
    struct ws_ids ids;
    uint64_t *waiting; /* owned, WS_MODEL_IDS_BUFFER long; NULL before the first */
    size_t n_waiting;
};

/* One described number, over all LPs and samples. Which of the parts are used depends on the
 * measure of the field. */
struct ws_model_field {
    const struct fmt_payload_desc *desc;
    const struct fmt_payload_field *field;
    uint64_t n;
    double sum, min, max;
    struct ws_model_counter counter;
    struct ws_model_ids ids;
};

struct ws_model {
    struct ws_survey *survey;
    const struct ws_select *select;
    uint64_t records, kinds[4]; /* by why they were taken; 0: anything else */
    uint64_t *types;            /* records by number of the description, the last for none */
    struct ws_model_field *fields;
    size_t n_fields;
    size_t *first_field; /* by number of the description, n_fields at the end */
    struct ws_stats_span span;
    bool whole; /* counters began at 0: no times were chosen */
    struct {
        uint32_t pe; /* at hand + 1; 0: none */
        uint64_t kind, sample;
        double time;
    } point;
    bool no_memory;
};

/* What counters came to over the span. */
double ws_model_counted(const struct ws_model *model, const struct ws_model_field *field);

struct ws_model *ws_model_gather(struct ws_survey *survey, const struct ws_select *select);
void ws_model_free(struct ws_model *model);
void ws_model_text(FILE *out, const struct ws_model *model);
void ws_model_json(struct ws_json *json, const struct ws_model *model);

/* ---- Words ----------------------------------------------------------------------------------- */

/* "mean 5.0  median 4.9  90 % below 10.1  largest 20"; seconds: the numbers are times. */
void ws_stats_dist_text(FILE *out, const char *words, const struct ws_dist *dist, bool seconds);
/* A picture of the axis' bins, for words in front of it. NaN: blank. */
void ws_stats_line_text(FILE *out, const char *words, const double *values, uint32_t n, double low,
                        double high, bool utf8);
/* What the axis is. */
void ws_stats_axis_text(FILE *out, const char *words, const struct ws_stats_axis *axis);
/* The winners, n_shown values of each, in the order of shown (places among the values). */
void ws_stats_list_text(FILE *out, const struct ws_stats_list *list, const char *what,
                        bool with_pe);
void ws_stats_dist_json(struct ws_json *json, const char *name, const struct ws_dist *dist);
void ws_stats_list_json(struct ws_json *json, const char *name, const struct ws_stats_list *list,
                        const char *key);
void ws_stats_axis_json(struct ws_json *json, const struct ws_stats_axis *axis);
void ws_stats_span_json(struct ws_json *json, const struct ws_stats_span *span);

/* ---- Tracers: stream tracer ------------------------------------------------------------------ */

struct ws_tracers;
struct ws_tracers *ws_tracers_gather(struct ws_survey *survey, const struct ws_select *select);
void ws_tracers_free(struct ws_tracers *tracers);
void ws_tracers_text(FILE *out, const struct ws_tracers *tracers);
void ws_tracers_json(struct ws_json *json, const struct ws_tracers *tracers);

#endif
