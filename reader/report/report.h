/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report.h - the data that "warpscope report" gathers from a run (inside report only).
 *
 * Everything is aggregated: REPORT_BINS steps of wall clock and of virtual time for curves,
 * REPORT_CELLS steps of the same ranges for pictures with cells. PEs and KPs beyond a limit share
 * rows. Totals of the whole run are computed by stats/. Memory does not depend on the number of
 * records: some 30 MB, and 8 bytes per LP of an event trace.
 */
#ifndef WARPSCOPE_READER_REPORT_REPORT_H
#define WARPSCOPE_READER_REPORT_REPORT_H

#include "access/folder.h"
#include "access/stream.h"
#include "data/messages.h"
#include "findings/findings.h"
#include "stats/stats.h"
#include "tasks/tasks.h"

#define REPORT_RUNS_MAX 2u

#define REPORT_BINS    240u
#define REPORT_CELLS   60u
#define REPORT_PE_ROWS 64u  /* most rows of PEs in a picture */
#define REPORT_KP_ROWS 256u /* most rows of KPs in a picture */
#define REPORT_TYPES   24u  /* most LP types; all further types share one entry */
/* Most cells in a list, for a report about one run; half of it per run for two runs. */
#define REPORT_CELLS_MAX    20000u
#define REPORT_PHASES_MAX   16u
#define REPORT_MODEL_FIELDS 48u
#define REPORT_WORST        5u
#define REPORT_TASK_KINDS   50u
#define REPORT_PLACES       12u
#define REPORT_TRACER_ROWS  50u

/* ---- Places: rows of PEs and KPs ------------------------------------------------------------- */

/* Assigns rows of pictures to PEs and KPs. PE pe is in row pe / pes_per_row. Each row of PEs has
 * kp_rows rows of KPs; KP kp of a PE is in row kp >> kp_shift. If a KP is too great for that, the
 * shift grows by one, and pairs of rows in all arrays are merged (report_places_fold()). */
struct report_places {
    uint32_t n_pes, pes_per_row, pe_rows;
    uint32_t kp_rows; /* a power of two */
    uint32_t kp_shift;
    bool kp_seen[REPORT_KP_ROWS];
};

void report_places_init(struct report_places *places, uint32_t n_pes, uint64_t kps_per_pe);
static inline uint32_t report_pe_row(const struct report_places *places, uint32_t pe)
{
    uint32_t row = pe / places->pes_per_row;
    return row < places->pe_rows ? row : places->pe_rows - 1;
}
/* Returns true if a KP has a row with the current shift. Sets *row to its index. */
static inline bool report_kp_row(const struct report_places *places, uint32_t pe, uint64_t kp,
                                 uint32_t *row)
{
    uint64_t at = kp >> places->kp_shift;
    *row = report_pe_row(places, pe) * places->kp_rows + (uint32_t)at;
    return at < places->kp_rows;
}
/* Write the PE or KP of a row as {"pe":1,"kp":3}, or a label if the row sums up several. */
void report_pe_json(struct json_writer *json, const struct report_places *places, uint32_t row);
void report_kp_json(struct json_writer *json, const struct report_places *places, uint32_t row);
/* Writes all rows of PEs as the array "pes": numbers, or texts for rows of several PEs. */
void report_pes_json(struct json_writer *json, const struct report_places *places);

/* ---- Curves ---------------------------------------------------------------------------------- */

/* A level over time: per step, the integral of the level, and the time for which it is known. */
struct report_level {
    double sum[REPORT_BINS], weight[REPORT_BINS];
};

enum report_clock { REPORT_WALL, REPORT_VIRTUAL, REPORT_CLOCKS };

/* Counts that are drawn over both clocks. */
enum report_count {
    REPORT_COMMITTED,
    REPORT_EXECUTED,
    REPORT_UNDONE,
    REPORT_ROLLBACKS,
    REPORT_GVTS,
    REPORT_REMOTE,
    REPORT_EVENTS, /* number of events in an event trace */
    REPORT_COUNTS
};

/* Levels that are drawn over both clocks, as means of the PEs. */
enum report_level_kind {
    REPORT_QUEUE,
    REPORT_MEMORY_EVENTS, /* this level and all that follow are in bytes */
    REPORT_MEMORY_SAVED,
    REPORT_MEMORY_ALLOCATED,
    REPORT_LEVELS
};

/* Origin of a curve. The curve has no values where this stream did not record this kind. stream
 * NULL: the curve has no origin. */
struct report_source {
    const struct ws_file *stream;
    const struct fmt_schema *kind; /* kind of record; NULL: any */
};

struct report_curves {
    bool known[REPORT_COUNTS], level_known[REPORT_LEVELS];
    /* True if committed events over virtual time come from samples at exact virtual times. */
    bool has_exact;
    double counts[REPORT_CLOCKS][REPORT_COUNTS][REPORT_BINS];
    struct report_level levels[REPORT_CLOCKS][REPORT_LEVELS];
    struct report_source sources[REPORT_CLOCKS][REPORT_COUNTS];
};

/* ---- Distributions over time ----------------------------------------------------------------- */

/* Bars of a picture, as groups of histogram steps: the first bar begins at step `first`, and each
 * bar has `width` steps. */
struct report_bars {
    uint32_t first, width, n;
};
/* Returns bars for all numbers of a distribution: wide bars if the numbers are whole or spread
 * far. */
struct report_bars report_bars_of(const struct ws_histogram *dist, bool whole);

/* A distribution over REPORT_CELLS steps of a clock. Its bars are those of the distribution over
 * the whole run. */
struct report_spread {
    struct report_bars bars;
    /* Owned; [step][bar]; the last bar of a step counts the numbers treated as 0. */
    uint32_t *cells;
    double sum[REPORT_CELLS], least[REPORT_CELLS], most[REPORT_CELLS];
    uint32_t n[REPORT_CELLS];
};
/* Returns false if out of memory. */
bool report_spread_init(struct report_spread *s, struct report_bars bars);
/* Counts a number in a step. Ignores NaN and numbers outside of the bars. */
void report_spread_add(struct report_spread *s, uint32_t step, double v);
void report_spread_free(struct report_spread *s);

/* ---- Cells ----------------------------------------------------------------------------------- */

struct report_phases {
    uint32_t n;
    char names[REPORT_PHASES_MAX][32], words[REPORT_PHASES_MAX][64];
    double cells[REPORT_PE_ROWS][REPORT_PHASES_MAX][REPORT_CELLS]; /* seconds */
};

/* Memory of the PEs in bytes, per row of PEs over wall-clock time. Memory in use is that of events
 * and of the data saved with them. */
struct report_memory {
    /* Memory in use: integral over time, and time for which it is known. */
    double sum[REPORT_PE_ROWS][REPORT_CELLS], weight[REPORT_PE_ROWS][REPORT_CELLS];
    /* Greatest peak of memory in use in a sample of one PE. */
    double peak[REPORT_PE_ROWS][REPORT_CELLS];
    double allocated[REPORT_PE_ROWS][REPORT_CELLS]; /* greatest allocated memory of one PE */
};

struct report_ahead {
    bool used;
    double sum[REPORT_CLOCKS][REPORT_KP_ROWS][REPORT_CELLS];
    double weight[REPORT_CLOCKS][REPORT_KP_ROWS][REPORT_CELLS];
};

struct report_hit { /* sums over rollbacks */
    uint32_t count, secondary;
    uint64_t undone;
};

struct report_events {
    bool has_events, has_rollbacks;
    /* Owned; [bin][from][to]: rollbacks by row of the PE that caused them (last row: unknown) and
     * row of the KP; NULL: not recorded. */
    struct report_hit (*hits)[REPORT_PE_ROWS + 1][REPORT_KP_ROWS];
    /* Events: [bin][row of the sender's PE][row of the receiver's PE]. */
    uint32_t (*traffic)[REPORT_PE_ROWS + 1][REPORT_PE_ROWS];
    /* Events: [bin][type of the sender][type of the receiver]; last index: unknown. */
    uint32_t (*types)[REPORT_TYPES + 1][REPORT_TYPES + 1];
    /* Events between PEs: [type of the sender][type of the receiver]. */
    uint64_t remote_types[REPORT_TYPES + 1][REPORT_TYPES + 1];
    /* Lengths of rollbacks, offsets of events. */
    struct report_spread lengths, offsets;
    uint64_t unplaced; /* number of records whose LP has no place in the list of LPs, see lps.h */
    const char *type_names[REPORT_TYPES]; /* borrowed from descriptions */
    uint32_t n_types;
    /* Least receive time of the records in each step of wall-clock time. */
    double lowest[REPORT_BINS];
};

/* ---- The model, tasks ------------------------------------------------------------------------ */

struct report_worst {
    uint64_t lp;
    double value;
};

struct report_field { /* one field of the model's samples */
    const struct fmt_payload_desc *desc;
    const struct fmt_payload_field *field;
    /* For levels: sum, least and greatest of the values in a step. For counters: sum is the
     * increase. */
    double sum[REPORT_BINS], low[REPORT_BINS], high[REPORT_BINS];
    uint64_t n[REPORT_BINS];
    /* Counters: sums over the LPs of the PE at the current and the previous sampling point. */
    double now, before;
    uint64_t lps_now, lps_before;
    /* The greatest values, at most one per LP, descending. */
    struct report_worst worst[REPORT_WORST];
    uint32_t n_worst;
};

struct report_model {
    struct report_field *fields; /* owned */
    uint32_t n_fields;
    uint32_t left_out; /* number of fields beyond the limit */
    struct report_source source;
};

/* Tasks of one kind with one `what`; a task counts at the time of its end. */
struct report_task_kind {
    uint32_t name; /* index in the names of the task trace */
    struct report_spread durations;
};

struct report_place { /* busy time of a place */
    char text[160];
    double busy; /* busy time as a share of the run */
    double bins[REPORT_BINS];
    uint32_t number;
    struct ws_busy state;
};

/* ---- A run ----------------------------------------------------------------------------------- */

struct report_file { /* a stream */
    struct ws_file survey;
    uint64_t first_faults;      /* number of faults that were known before records were decoded */
    struct ws_samples *samples; /* samples of the streams gvt, rt and vt; NULL: none */
    struct ws_events *events;
    struct ws_tasks *tasks;
};

struct report_run {
    const char *path; /* borrowed: the first operand */
    char name[128];
    struct ws_files files;
    struct report_file *list; /* owned; one element per stream */
    size_t n;
    const struct report_file *first; /* the first readable file; NULL: none */
    struct ws_select *select;        /* borrowed */
    bool found;                      /* true if all files were found */

    struct ws_stats_axis axes[REPORT_CLOCKS];      /* REPORT_BINS steps */
    struct ws_stats_axis cell_axes[REPORT_CLOCKS]; /* REPORT_CELLS steps */
    /* GVT at the edges of the steps of wall-clock time; NaN: unknown */
    double clock[REPORT_BINS + 1];
    bool has_clock;
    struct report_source clock_source;

    struct report_places places;
    struct report_curves curves;
    struct report_phases phases;
    struct report_memory memory;
    struct report_ahead ahead;
    struct report_events events;
    struct report_model model;
    struct report_task_kind *kinds; /* owned; by descending number of tasks */
    uint32_t n_kinds;
    struct report_place *busy; /* owned */
    uint32_t n_busy;

    struct ws_evidence evidence;
    struct ws_evidence_pe *pes; /* owned */
    struct ws_finding findings[WS_FINDINGS_MAX];
    size_t n_findings;
    bool no_memory;
};

/* Opens the files of a run, given as a directory or as files. Returns false after messages if there
 * are no files, or if they belong to several runs. Must be freed in any case. */
bool report_run_open(struct report_run *run, const char *const *operands, int n,
                     struct ws_select *select, const struct ws_messages *messages);
void report_run_free(struct report_run *run);
/* Computes all data of the report. Returns false if out of memory. */
bool report_run_gather(struct report_run *run);
/* Prints the number of faults that were not printed one by one. Returns true if all files are
 * complete and valid. */
bool report_run_good(struct report_run *run);

/* Returns the file of a stream, or NULL. */
struct report_file *report_file_of(struct report_run *run, uint32_t stream);
/* Returns the text of a fact about the run, or NULL. */
const char *report_fact(const struct report_run *run, const char *key);
/* Returns the value of a fact that is a number; otherwise NaN. */
double report_fact_number(const struct report_run *run, const char *key);
/* Returns the samples that the totals come from, or NULL. */
const struct ws_samples *report_totals(const struct report_run *run);
/* Returns a total of the samples by its name; NaN if the samples lack it. */
double report_total(const struct ws_samples *samples, const char *name);

/* Increments kp_shift: each pair of neighbouring rows of KPs becomes one row, so that greater KPs
 * have rows. */
void report_places_fold(struct report_run *run);

/* Read all records of the files. Each function returns false if out of memory. */
bool report_samples_gather(struct report_run *run);
bool report_events_gather(struct report_run *run);
bool report_model_gather(struct report_run *run);
bool report_tasks_gather(struct report_run *run);
/* Computes the evidence and the findings. Call it after the functions above. */
bool report_evidence_gather(struct report_run *run);

/* Adds the memory in a load of samples of a PE. Sample i covers the wall-clock time (before[i],
 * at[i]]. */
void report_memory_add(struct report_run *run, uint32_t pe, const struct ws_load *load,
                       const double *before, const double *at);
/* Returns the number of the field in a kind of sample that holds a level; -1: none. */
int32_t report_level_field(const struct fmt_schema *schema, enum report_level_kind level);
/* Returns true if the records of a source cover some of step i of the axis. */
bool report_is_covered(const struct report_source *source, const struct ws_stats_axis *axis,
                       uint32_t i);

/* Adds a value to the steps of the interval (from, to]. An empty interval counts with a small
 * weight in the step of `to`. */
void report_level_spread(const struct ws_stats_axis *axis, double *sum, double *weight, double from,
                         double to, double value);

/* ---- Output ---------------------------------------------------------------------------------- */

/* Returns the reason why the page lacks the section about the model's parallelism (allows.c); NULL
 * if the page has it. */
const char *report_allows_absent(struct report_run *run);
/* Analyses the event trace, and writes the parallelism that the model allows as a member of the
 * current object. */
void report_allows_json(struct json_writer *json, struct report_run *run);

/* Writes the data of a run as a JSON object. n_runs: number of runs in the report, which share the
 * limits of sizes. */
void report_run_json(struct json_writer *json, struct report_run *run, uint32_t n_runs);
/* Writes the array "problems": what the recording lacks, a line each. */
void report_problems_json(struct json_writer *json, const struct report_run *run);
/* Write the sections for which the run has data, and the list of the sections that it lacks. */
void report_curves_json(struct json_writer *json, const struct report_run *run);
void report_memory_json(struct json_writer *json, const struct report_run *run);
void report_places_json(struct json_writer *json, const struct report_run *run);
void report_events_json(struct json_writer *json, struct report_run *run, uint32_t n_runs);
void report_model_json(struct json_writer *json, const struct report_run *run, uint32_t n_runs);
void report_tasks_json(struct json_writer *json, struct report_run *run, uint32_t n_runs);
void report_tracers_json(struct json_writer *json, struct report_run *run);
void report_absent_json(struct json_writer *json, struct report_run *run);

/* Write numbers rounded to `digits` significant digits; NaN becomes null. */
void report_put_number(struct json_writer *json, const char *key, double value, int digits);
void report_put_numbers(struct json_writer *json, const char *key, const double *values, size_t n,
                        int digits);
/* Writes the edges and counts of the bars of a distribution, and the number of its values treated
 * as 0. */
void report_dist_json(struct json_writer *json, const struct ws_histogram *dist,
                      const struct report_bars *bars);
/* Write a distribution over time: cells other than 0 as [step, bar, count], and the sum, least and
 * greatest value of each step. Each group of `join` neighbouring steps shares its cells. */
void report_spread_json(struct json_writer *json, const struct report_spread *s, uint32_t join);
/* Returns the number of cells that report_spread_json() writes. */
uint32_t report_spread_cells(const struct report_spread *s, uint32_t join);

#endif
