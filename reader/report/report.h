/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report.h - the data that "warpscope report" gathers from a run. Used only in reader/.
 *
 * All data is aggregated. Curves have REPORT_BINS bins of wall-clock time and of virtual time;
 * pictures with cells have REPORT_CELLS bins of the same ranges. PEs and KPs beyond a limit share
 * rows. The functions in stats/ compute totals of the whole run. Memory does not depend on the
 * number of records: some 30 MB, and 8 bytes per LP of an event trace.
 */
#ifndef WARPSCOPE_READER_REPORT_REPORT_H
#define WARPSCOPE_READER_REPORT_REPORT_H

#include "access/covers.h"
#include "access/folder.h"
#include "access/stream.h"
#include "data/messages.h"
#include "findings/findings.h"
#include "stats/stats.h"
#include "tasks/tasks.h"

#define REPORT_RUNS_MAX 2u

#define REPORT_BINS    240u
#define REPORT_CELLS   60u
#define REPORT_PE_ROWS 64u  /* maximum number of rows of PEs in a picture */
#define REPORT_KP_ROWS 256u /* maximum number of rows of KPs in a picture */
#define REPORT_TYPES   24u  /* maximum number of LP types; all further types share one entry */
/* Maximum number of cells in a list. In a report about two runs, half of it applies to each run. */
#define REPORT_CELLS_MAX    20000u
#define REPORT_PHASES_MAX   16u
#define REPORT_MODEL_FIELDS 48u
#define REPORT_WORST        5u
#define REPORT_TASK_KINDS   50u
#define REPORT_PLACES       12u
#define REPORT_TRACER_ROWS  50u

/* ---- Places: rows of PEs and KPs ------------------------------------------------------------- */

/* Assigns PEs and KPs to rows of pictures. PE pe is in row pe / pes_per_row. Each row of PEs has
 * kp_rows rows of KPs; KP kp of a PE is in row kp >> kp_shift of them. If the number of a KP is too
 * large for that, kp_shift grows by one. Each pair of rows is then merged in all arrays
 * (report_places_fold()). */
struct report_places {
    uint32_t n_pes, pes_per_row, pe_rows;
    uint32_t kp_rows; /* number of rows of KPs per row of PEs, a power of two */
    uint32_t kp_shift;
    bool kp_seen[REPORT_KP_ROWS];
};

void report_places_init(struct report_places *places, uint32_t n_pes, uint64_t kps_per_pe);
static inline uint32_t report_pe_row(const struct report_places *places, uint32_t pe)
{
    uint32_t row = pe / places->pes_per_row;
    return row < places->pe_rows ? row : places->pe_rows - 1;
}
/* Sets *row to the index of the row of a KP. Returns false if the KP has no row with the current
 * kp_shift; *row is then not valid. */
static inline bool report_kp_row(const struct report_places *places, uint32_t pe, uint64_t kp,
                                 uint32_t *row)
{
    uint64_t at = kp >> places->kp_shift;
    *row = report_pe_row(places, pe) * places->kp_rows + (uint32_t)at;
    return at < places->kp_rows;
}
/* This function and the next write the PE or the KP of a row as an object, such as {"pe":1,"kp":3}.
 * If several PEs or KPs share the row, the object has a label instead. */
void report_pe_json(struct json_writer *json, const struct report_places *places, uint32_t row);
void report_kp_json(struct json_writer *json, const struct report_places *places, uint32_t row);
/* Writes all rows of PEs as the array "pes". An element is the number of the PE, or a text if
 * several PEs share the row. */
void report_pes_json(struct json_writer *json, const struct report_places *places);

/* ---- Curves ---------------------------------------------------------------------------------- */

/* A level over time. sum: integral of the level over each bin; weight: length of time, in each bin,
 * for which the level is known. */
struct report_level {
    double sum[REPORT_BINS], weight[REPORT_BINS];
};

enum report_clock { REPORT_WALL, REPORT_VIRTUAL, REPORT_CLOCKS };

/* Counts whose curves are drawn over both clocks. */
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

/* Levels whose means over all PEs are drawn as curves over both clocks. */
enum report_level_kind {
    REPORT_QUEUE,
    REPORT_MEMORY_EVENTS, /* this level and all that follow are in bytes */
    REPORT_MEMORY_SAVED,
    REPORT_MEMORY_ALLOCATED,
    REPORT_LEVELS
};

/* Stream and kind of record from which a curve is computed. The curve has no values at times at
 * which the stream did not record that kind. If `stream` is NULL, the curve has values at all
 * times. */
struct report_source {
    const struct ws_file *stream;
    const struct fmt_schema *kind; /* kind of record; NULL: any */
};

struct report_curves {
    bool known[REPORT_COUNTS], level_known[REPORT_LEVELS];
    /* True if the curve of committed events over virtual time comes from samples at exact virtual
     * times. */
    bool has_exact;
    double counts[REPORT_CLOCKS][REPORT_COUNTS][REPORT_BINS];
    struct report_level levels[REPORT_CLOCKS][REPORT_LEVELS];
    struct report_source sources[REPORT_CLOCKS][REPORT_COUNTS];
};

/* ---- Distributions over time ----------------------------------------------------------------- */

/* Bars of a picture, each for some neighbouring buckets of a histogram. The first bar begins at
 * bucket `first`, and each bar has `width` buckets. n: number of bars. */
struct report_bars {
    uint32_t first, width, n;
};
/* Returns bars that show all numbers of a distribution. The bars are wide if the numbers cover a
 * wide range, or if `whole` is true. whole: true if the numbers are whole numbers. */
struct report_bars report_bars_of(const struct ws_histogram *dist, bool whole);

/* One distribution per bin, for REPORT_CELLS bins of a clock. All have the same bars as the
 * distribution over the whole run. */
struct report_spread {
    struct report_bars bars;
    /* Owned; [bin][bar]: count of numbers. The last bar of a bin counts the numbers treated as
     * 0. */
    uint32_t *cells;
    double sum[REPORT_CELLS], least[REPORT_CELLS], most[REPORT_CELLS];
    uint32_t n[REPORT_CELLS];
};
/* Initialises *s without any numbers. Returns false if out of memory. */
bool report_spread_init(struct report_spread *s, struct report_bars bars);
/* Counts number v in a bin. bin: index of the bin. Ignores NaN, and numbers outside of the
 * bars. */
void report_spread_add(struct report_spread *s, uint32_t bin, double v);
void report_spread_free(struct report_spread *s);

/* ---- Cells ----------------------------------------------------------------------------------- */

struct report_phases {
    uint32_t n;
    char names[REPORT_PHASES_MAX][32], words[REPORT_PHASES_MAX][64];
    /* [row of PEs][phase][bin]: seconds. */
    double cells[REPORT_PE_ROWS][REPORT_PHASES_MAX][REPORT_CELLS];
};

/* Memory of the PEs in bytes: [row of PEs][bin of wall-clock time]. Memory in use is that of events
 * and of the data saved with them. */
struct report_memory {
    /* Memory in use. sum: its integral over time in a bin; weight: length of time in the bin for
     * which it is known. */
    double sum[REPORT_PE_ROWS][REPORT_CELLS], weight[REPORT_PE_ROWS][REPORT_CELLS];
    /* Largest memory in use in any sample of a PE. */
    double peak[REPORT_PE_ROWS][REPORT_CELLS];
    /* Largest allocated memory in any sample of a PE. */
    double allocated[REPORT_PE_ROWS][REPORT_CELLS];
};

struct report_ahead {
    bool used;
    double sum[REPORT_CLOCKS][REPORT_KP_ROWS][REPORT_CELLS];
    double weight[REPORT_CLOCKS][REPORT_KP_ROWS][REPORT_CELLS];
};

struct report_hit { /* sums over the rollbacks in a cell */
    uint32_t count, secondary;
    uint64_t undone;
};

struct report_events {
    bool has_events, has_rollbacks;
    /* Owned; [bin][row of the PE that caused the rollbacks][row of the KP that rolled back]. The
     * row after the last PE is for unknown causes. NULL: no rollbacks were recorded. */
    struct report_hit (*hits)[REPORT_PE_ROWS + 1][REPORT_KP_ROWS];
    /* Owned; [bin][row of the sender's PE][row of the receiver's PE]: number of events. */
    uint32_t (*traffic)[REPORT_PE_ROWS + 1][REPORT_PE_ROWS];
    /* Owned; [bin][type of the sender][type of the receiver]: number of events; REPORT_TYPES:
     * unknown. */
    uint32_t (*types)[REPORT_TYPES + 1][REPORT_TYPES + 1];
    /* [type of the sender][type of the receiver]: number of events between PEs. */
    uint64_t remote_types[REPORT_TYPES + 1][REPORT_TYPES + 1];
    /* lengths: distribution of the number of events that a rollback undid; offsets: distribution of
     * the offsets of events. Both are kept per bin of time. */
    struct report_spread lengths, offsets;
    uint64_t unplaced; /* number of records about LPs that are not stored, see lps.h */
    const char *type_names[REPORT_TYPES]; /* borrowed from payload descriptions */
    uint32_t n_types;
    /* [bin of wall-clock time]: smallest receive time of the events recorded in the bin. */
    double lowest[REPORT_BINS];
};

/* ---- The model, tasks ------------------------------------------------------------------------ */

struct report_worst {
    uint64_t lp;
    double value;
};

struct report_field { /* a payload field of the model's samples */
    const struct fmt_payload_desc *desc;
    const struct fmt_payload_field *field;
    /* Indexed by bin. For a level: sum, minimum and maximum of the values. For a counter: sum is
     * the increase in the bin. */
    double sum[REPORT_BINS], low[REPORT_BINS], high[REPORT_BINS];
    uint64_t n[REPORT_BINS];
    /* Used only if the field is a counter. now, before: sum of the counter over the LPs of the PE
     * at the current and at the previous sampling point; lps_now, lps_before: number of LPs in
     * these sums. */
    double now, before;
    uint64_t lps_now, lps_before;
    /* The largest values, at most one per LP, in descending order. */
    struct report_worst worst[REPORT_WORST];
    uint32_t n_worst;
};

struct report_model {
    struct report_field *fields; /* owned */
    uint32_t n_fields;
    uint32_t left_out; /* number of fields beyond the maximum */
    struct report_source source;
};

/* The tasks of one kind that have the same `what`. A task counts in the bin of its end. */
struct report_task_kind {
    uint32_t name; /* index of kind and `what` in ws_tasks.names */
    struct report_spread durations;
};

struct report_place { /* busy time of one of the busiest places */
    char text[160];
    double busy; /* busy time of the place, divided by the length of the run */
    double bins[REPORT_BINS];
    uint32_t number;
    struct ws_busy state;
};

/* ---- A run ----------------------------------------------------------------------------------- */

struct report_file { /* a stream of the run */
    struct ws_file stream;
    uint64_t first_faults; /* number of faults that were found before records were decoded */
    /* Sums over the samples of the stream; NULL for streams other than gvt, rt and vt. */
    struct ws_samples *samples;
    struct ws_events *events;
    struct ws_tasks *tasks;
};

struct report_run {
    const char *path; /* borrowed; the first operand */
    char name[128];
    struct ws_files files;
    struct report_file *list; /* owned; one element per stream */
    size_t n;
    const struct report_file *first; /* the first readable stream; NULL: none */
    struct ws_select *select;        /* borrowed */
    bool found;                      /* true if all files were found */

    struct ws_stats_axis axes[REPORT_CLOCKS]; /* axes of the curves, with REPORT_BINS bins */
    /* Axes of the pictures with cells, with REPORT_CELLS bins. */
    struct ws_stats_axis cell_axes[REPORT_CLOCKS];
    /* GVT at the edges of the bins of wall-clock time; NaN: unknown. */
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
    struct report_task_kind *kinds; /* owned; in descending order of their numbers of tasks */
    uint32_t n_kinds;
    struct report_place *busy; /* owned; in descending order of busy time */
    uint32_t n_busy;

    struct ws_evidence evidence;
    struct ws_evidence_pe *pes; /* owned; memory of evidence.pes */
    struct ws_finding findings[WS_FINDINGS_MAX];
    size_t n_findings;
    bool no_memory;
};

/* Opens the files of a run, which is given as a directory or as files. Returns false after error
 * messages if there are no readable files, or if they belong to several runs. The caller must call
 * report_run_free(), even after an error. */
bool report_run_open(struct report_run *run, const char *const *operands, int n,
                     struct ws_select *select, const struct ws_messages *messages);
void report_run_free(struct report_run *run);
/* Reads the records, and computes all data of the report. run->first must not be NULL. Returns false
 * if out of memory. */
bool report_run_gather(struct report_run *run);
/* Returns what the files of the run cover. */
struct ws_covers report_run_covers(const struct report_run *run);
/* Prints the number of faults that were not printed one by one. Returns true if all files are
 * complete and valid, and cover the run as far as the user chose. */
bool report_run_good(struct report_run *run);

/* Returns the data of a stream (enum fmt_stream); NULL if the run does not have the stream. */
struct report_file *report_file_of(struct report_run *run, uint32_t stream);
/* Returns the text of a fact about the run; NULL if the recording does not state it. */
const char *report_fact(const struct report_run *run, const char *key);
/* Returns the value of a fact that is a number; NaN if the fact is not stated or is not a
 * number. */
double report_fact_number(const struct report_run *run, const char *key);
/* Returns the samples from which the totals come; NULL if there are none. */
const struct ws_samples *report_totals(const struct report_run *run);
/* Returns a total of the samples by its name; NaN if the samples lack it. */
double report_total(const struct ws_samples *samples, const char *name);

/* Increments run->places.kp_shift: merges each pair of neighbouring rows of KPs into one row, so
 * that KPs with larger numbers have rows. */
void report_places_fold(struct report_run *run);

/* This function and the next three read the records of the streams. Each returns false if out of
 * memory. */
bool report_samples_gather(struct report_run *run);
bool report_events_gather(struct report_run *run);
bool report_model_gather(struct report_run *run);
bool report_tasks_gather(struct report_run *run);
/* Computes the evidence and the findings. Must be called after the functions above. Returns false
 * if out of memory. */
bool report_evidence_gather(struct report_run *run);

/* Adds to run->memory the figures for memory in the loaded samples of a PE. Sample i covers the
 * wall-clock time (before[i], at[i]]. */
void report_memory_add(struct report_run *run, uint32_t pe, const struct ws_load *load,
                       const double *before, const double *at);
/* Returns the index of the field that holds a level in samples of this schema; -1: none. */
int32_t report_level_field(const struct fmt_schema *schema, enum report_level_kind level);
/* Returns true if the records of a source cover some part of bin i of the axis. */
bool report_is_covered(const struct report_source *source, const struct ws_stats_axis *axis,
                       uint32_t i);

/* Adds a level, which held during (from, to], to the bins that overlap this interval: the integral
 * over the overlap to `sum`, the length of the overlap to `weight`. If the interval is empty, the
 * level counts with a small weight in the bin of `to`. */
void report_level_spread(const struct ws_stats_axis *axis, double *sum, double *weight, double from,
                         double to, double value);

/* ---- Output ---------------------------------------------------------------------------------- */

/* Returns the reason why the page lacks the section about the model's parallelism (allows.c); NULL
 * if the page has it. */
const char *report_allows_absent(struct report_run *run);
/* Analyses the event trace, and writes the parallelism that the model allows as a member of the
 * current JSON object. */
void report_allows_json(struct json_writer *json, struct report_run *run);

/* Writes the data of a run as a JSON object. n_runs: number of runs in the report; each run may use
 * 1 / n_runs of each size limit. */
void report_run_json(struct json_writer *json, struct report_run *run, uint32_t n_runs);
/* Writes the array "problems": one string for each thing that the recording lacks. */
void report_problems_json(struct json_writer *json, const struct report_run *run);
/* The following functions write the sections for which the run has data. The last one writes the
 * list of the sections that the page lacks. */
void report_curves_json(struct json_writer *json, const struct report_run *run);
void report_memory_json(struct json_writer *json, const struct report_run *run);
void report_places_json(struct json_writer *json, const struct report_run *run);
void report_events_json(struct json_writer *json, struct report_run *run, uint32_t n_runs);
void report_model_json(struct json_writer *json, const struct report_run *run, uint32_t n_runs);
void report_tasks_json(struct json_writer *json, struct report_run *run, uint32_t n_runs);
void report_tracers_json(struct json_writer *json, struct report_run *run);
void report_absent_json(struct json_writer *json, struct report_run *run);

/* This function and the next write numbers rounded to `digits` significant digits. NaN becomes
 * null. */
void report_put_number(struct json_writer *json, const char *key, double value, int digits);
void report_put_numbers(struct json_writer *json, const char *key, const double *values, size_t n,
                        int digits);
/* Writes the edges and the counts of the bars of a distribution, and the number of its values
 * treated as 0. */
void report_dist_json(struct json_writer *json, const struct ws_histogram *dist,
                      const struct report_bars *bars);
/* Writes the distributions in the bins of a clock: the cells that are not 0 as [bin, bar, count],
 * then the sum, minimum and maximum of each bin. join: number of neighbouring bins that share
 * cells. */
void report_spread_json(struct json_writer *json, const struct report_spread *s, uint32_t join);
/* Returns the number of cells that report_spread_json() writes. */
uint32_t report_spread_cells(const struct report_spread *s, uint32_t join);

#endif
