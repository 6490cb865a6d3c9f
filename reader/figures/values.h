/* SPDX-License-Identifier: BSD-3-Clause */
/* values.h - the accumulators of what models record: values of LPs, and results of tracers. See
 * figures.h. */
#ifndef WARPSCOPE_READER_FIGURES_VALUES_H
#define WARPSCOPE_READER_FIGURES_VALUES_H

#include "data/lp_names.h"
#include "figures/figures.h"

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

/* A field of one LP over virtual time: sums and numbers of samples of a level, or the increase of a counter. */
#define WS_MODEL_LPS 64u
struct ws_model_lp {
    uint64_t lp;
    double before, time; /* the previous sample of a counter */
    double from;         /* time before which the increase of a counter is not known */
    uint32_t part;       /* part of the previous sample, plus 1; 0: none */
    double sum[WS_BINS];
    uint32_t n[WS_BINS];
};

/* A field over virtual time, and the LPs with its largest values. */
struct ws_model_curve {
    /* Indexed by bin. For a level: sum, minimum and maximum of the values. For a counter: sum is
     * the increase in the bin. */
    double sum[WS_BINS], low[WS_BINS], high[WS_BINS];
    uint64_t n[WS_BINS];
    /* Used only if the field is a counter: its sum over the LPs of the PE at the previous sampling point,
     * and number of these LPs. */
    double before;
    double from; /* time before which the increase is not known */
    uint64_t lps_before;
    /* The largest values, at most one per LP, in descending order. */
    struct {
        uint64_t lp;
        double value;
    } worst[WS_MODEL_WORST];
    uint32_t n_worst;
    /* The first LPs with the field, up to WS_MODEL_LPS, each over time; owned. */
    struct ws_model_lp *lps;
    uint32_t n_lps, next; /* next: where the next sample's LP probably is */
    bool more_lps;
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
    struct ws_model_curve *curve; /* owned; NULL: not asked for, or the field is a name */
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
    size_t n_fields, n_curves;
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
        uint32_t part;
        uint64_t kind, sample;
        double time, before;
        bool is_midway; /* true if the stream recorded nothing just before the part */
    } point;
    struct ws_figures *over; /* the figures over time that are filled as well; NULL: none */
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

struct ws_model *ws_model_gather(struct ws_file *file, const struct ws_select *select,
                                 const struct ws_stats_options *options);
void ws_model_free(struct ws_model *model);

/* ---- Tracers: stream tracer ------------------------------------------------------------------ */

#define WS_TRACER_PLACES 50u
struct ws_tracer_place {
    uint64_t lp, begun, ended;
    double busy, total;
    char where[WS_TASKS_TEXT + 1];
};

struct ws_tracer_sum {
    uint64_t tracer, places, begun, ended, occurrences, tasks;
    double busy, total;
    /* Owned; the busiest places, in descending order of busy time; of equal ones, of total time. NULL:
     * not asked for, or the sum is of a step. */
    struct ws_tracer_place *busiest;
    uint32_t n_busiest;
};

struct ws_tracers {
    /* Names of the sums. For a tracer: its spec. For a step: the spec of its tracer, a zero byte,
     * and the name of the step. */
    struct ws_intern names;
    struct ws_tracer_sum *sums; /* owned; [i]: sum with name i */
    uint64_t left_out;
    bool over; /* true if the busiest places are listed as well */
    bool no_memory;
};

/* Returns the name of the step to which sum i belongs; NULL if the sum belongs to a whole
 * tracer. */
const char *ws_tracers_step(const struct ws_tracers *tracers, uint32_t i);
double ws_tracers_mean(const struct ws_tracer_sum *sum);

struct ws_tracers *ws_tracers_gather(struct ws_file *file, const struct ws_select *select,
                                     const struct ws_stats_options *options);
void ws_tracers_free(struct ws_tracers *tracers);

/* ---- A stream of any kind -------------------------------------------------------------------- */

/* The statistics of a stream of any kind: exactly one member is not NULL. */
struct ws_stats_sums {
    struct ws_counted *counted;
    struct ws_model *model;
    struct ws_tasks *tasks;
    struct ws_tracers *tracers;
};
/* Computes the statistics of the records that select chooses in an open file. Returns false if out
 * of memory; all members are then NULL. sums must be freed even after an error. */
bool ws_stats_gather(struct ws_stats_sums *sums, struct ws_file *file,
                     const struct ws_select *select, const struct ws_stats_options *options);
void ws_stats_sums_free(struct ws_stats_sums *sums);

#define WS_STATS_TOP 5u /* default number of entries in lists */

/* Prints one JSON object with all sums of an open file, even if the file cannot be read. Returns
 * false if out of memory. */
bool ws_stats_file_json(struct json_writer *json, struct ws_file *file, struct ws_select *select,
                        const struct ws_stats_options *options);

#endif
