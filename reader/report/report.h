/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report.h - what "warpscope report" gathers of a run (inside report only).
 *
 * Everything is aggregated: REPORT_BINS steps of wall clock and of virtual time for curves,
 * REPORT_CELLS steps of the same ranges for pictures with cells. PEs and KPs beyond a limit share
 * rows. Numbers of the whole run are those of stats/. Memory does not depend on the number of
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

#define REPORT_BINS         240u
#define REPORT_CELLS        60u
#define REPORT_PE_ROWS      64u    /* rows of PEs */
#define REPORT_KP_ROWS      256u   /* rows of KPs */
#define REPORT_TYPES        24u    /* LP types; further ones are one */
#define REPORT_CELLS_MAX    20000u /* cells of a list, of one run; half of it for each of two */
#define REPORT_PHASES_MAX   16u
#define REPORT_MODEL_FIELDS 48u
#define REPORT_WORST        5u
#define REPORT_TASK_KINDS   50u
#define REPORT_PLACES       12u
#define REPORT_TRACER_ROWS  50u

/* ---- Places: rows of PEs and KPs ------------------------------------------------------------- */

/* PEs share rows by pe / pes_per_row. A row of PEs has kp_rows rows of KPs, and KPs share these by
 * kp >> kp_shift. The shift grows when a greater KP occurs; then arrays by row are folded. */
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
/* Returns the row of a KP if the rows reach that far. */
static inline bool report_kp_row(const struct report_places *places, uint32_t pe, uint64_t kp,
                                 uint32_t *row)
{
    uint64_t at = kp >> places->kp_shift;
    *row = report_pe_row(places, pe) * places->kp_rows + (uint32_t)at;
    return at < places->kp_rows;
}
/* Write {"pe":1,"kp":3}, or a label for a row of several. */
void report_pe_json(struct json_writer *json, const struct report_places *places, uint32_t row);
void report_kp_json(struct json_writer *json, const struct report_places *places, uint32_t row);
/* The same PEs as "pes": numbers, or texts. */
void report_pes_json(struct json_writer *json, const struct report_places *places);

/* ---- Curves ---------------------------------------------------------------------------------- */

/* A level over time: its sum over time and the time it is known for. */
struct report_level {
    double sum[REPORT_BINS], weight[REPORT_BINS];
};

enum report_clock { REPORT_WALL, REPORT_VIRTUAL, REPORT_CLOCKS };

/* Counts over both clocks. */
enum report_count {
    REPORT_COMMITTED,
    REPORT_EXECUTED,
    REPORT_UNDONE,
    REPORT_ROLLBACKS,
    REPORT_GVTS,
    REPORT_REMOTE,
    REPORT_EVENTS, /* records of events, from an event trace */
    REPORT_COUNTS
};

/* Levels over both clocks: means of the PEs. */
enum report_level_kind {
    REPORT_QUEUE,
    REPORT_MEMORY_EVENTS, /* bytes, as are all that follow */
    REPORT_MEMORY_SAVED,
    REPORT_MEMORY_ALLOCATED,
    REPORT_LEVELS
};

/* Records that a curve comes from: it has no values where the stream did not record them. NULL: none */
struct report_source {
    const struct ws_file *stream;
    const struct fmt_schema *kind; /* NULL: any */
};

struct report_curves {
    bool known[REPORT_COUNTS], level_known[REPORT_LEVELS];
    bool has_exact; /* committed events over virtual time come from samples at exact times */
    double counts[REPORT_CLOCKS][REPORT_COUNTS][REPORT_BINS];
    struct report_level levels[REPORT_CLOCKS][REPORT_LEVELS];
    struct report_source sources[REPORT_CLOCKS][REPORT_COUNTS];
};

/* ---- Distributions over time ----------------------------------------------------------------- */

/* Steps of a histogram that form the bars of a picture: from step `first` on, `width` steps each. */
struct report_bars {
    uint32_t first, width, n;
};
/* Returns bars for all numbers of a distribution: wide ones if they are whole or spread far. */
struct report_bars report_bars_of(const struct ws_histogram *dist, bool whole);

/* A distribution over REPORT_CELLS steps of a clock, with the bars of that of the whole run. */
struct report_spread {
    struct report_bars bars;
    uint32_t *cells; /* owned; [step][bar], the last bar of a step: numbers that count as 0 */
    double sum[REPORT_CELLS], least[REPORT_CELLS], most[REPORT_CELLS];
    uint32_t n[REPORT_CELLS];
};
/* Returns false if out of memory. */
bool report_spread_init(struct report_spread *s, struct report_bars bars);
/* Counts a number in a step. Numbers beyond the bars and NaN are left out. */
void report_spread_add(struct report_spread *s, uint32_t step, double v);
void report_spread_free(struct report_spread *s);

/* ---- Cells ----------------------------------------------------------------------------------- */

struct report_phases {
    uint32_t n;
    char names[REPORT_PHASES_MAX][32], words[REPORT_PHASES_MAX][64];
    double cells[REPORT_PE_ROWS][REPORT_PHASES_MAX][REPORT_CELLS]; /* seconds */
};

/* Bytes per row of PEs over wall clock; in use are those of events and of what is saved with them. */
struct report_memory {
    double sum[REPORT_PE_ROWS][REPORT_CELLS], weight[REPORT_PE_ROWS][REPORT_CELLS]; /* in use */
    double peak[REPORT_PE_ROWS][REPORT_CELLS];      /* the most in use at a sample of one PE */
    double allocated[REPORT_PE_ROWS][REPORT_CELLS]; /* the most of one PE */
};

struct report_ahead {
    bool used;
    double sum[REPORT_CLOCKS][REPORT_KP_ROWS][REPORT_CELLS];
    double weight[REPORT_CLOCKS][REPORT_KP_ROWS][REPORT_CELLS];
};

struct report_hit { /* rollbacks */
    uint32_t count, secondary;
    uint64_t undone;
};

struct report_events {
    bool has_events, has_rollbacks;
    /* [bin][from][to]: from is a row of PEs, the last for unknown; to is a row of KPs. NULL:
     * none */
    struct report_hit (*hits)[REPORT_PE_ROWS + 1][REPORT_KP_ROWS];
    uint32_t (*traffic)[REPORT_PE_ROWS + 1][REPORT_PE_ROWS]; /* [bin][from][to] */
    uint32_t (*types)[REPORT_TYPES + 1][REPORT_TYPES + 1]; /* [bin][from][to]; the last: unknown */
    uint64_t remote_types[REPORT_TYPES + 1][REPORT_TYPES + 1]; /* of events between PEs */
    struct report_spread lengths, offsets;                     /* of rollbacks, of events */
    uint64_t unplaced; /* records whose LP has no place in the list of LPs, see lps.h */
    const char *type_names[REPORT_TYPES]; /* borrowed from descriptions */
    uint32_t n_types;
    double lowest[REPORT_BINS]; /* least receive time of the records in a step of wall clock */
};

/* ---- The model, tasks ------------------------------------------------------------------------ */

struct report_worst {
    uint64_t lp;
    double value;
};

struct report_field { /* one field of the model's samples */
    const struct fmt_payload_desc *desc;
    const struct fmt_payload_field *field;
    /* Levels: of the values in a step. Counters: sum is their increase. */
    double sum[REPORT_BINS], low[REPORT_BINS], high[REPORT_BINS];
    uint64_t n[REPORT_BINS];
    double now, before; /* counters: sums over the LPs of the PE at this point and the last one */
    uint64_t lps_now, lps_before;
    struct report_worst worst[REPORT_WORST]; /* the greatest values, of distinct LPs, descending */
    uint32_t n_worst;
};

struct report_model {
    struct report_field *fields; /* owned */
    uint32_t n_fields;
    uint32_t left_out; /* further fields */
    struct report_source source;
};

struct report_task_kind { /* tasks of one kind with one `what`, by the time of their end */
    uint32_t name;        /* its number in the names of the trace */
    struct report_spread durations;
};

struct report_place { /* busy time of a place */
    char text[160];
    double busy; /* part of the run */
    double bins[REPORT_BINS];
    uint32_t number;
    struct ws_busy state;
};

/* ---- A run ----------------------------------------------------------------------------------- */

struct report_file { /* a stream */
    struct ws_file survey;
    uint64_t first_faults;      /* known before records were decoded */
    struct ws_samples *samples; /* of the streams gvt, rt and vt; NULL: none */
    struct ws_events *events;
    struct ws_tasks *tasks;
};

struct report_run {
    const char *path; /* borrowed: the first operand */
    char name[128];
    struct ws_files files;
    struct report_file *list; /* owned; by file */
    size_t n;
    const struct report_file *first; /* the first readable file; NULL: none */
    struct ws_select *select;        /* borrowed */
    bool found;                      /* true if all files were found */

    struct ws_stats_axis axes[REPORT_CLOCKS];      /* REPORT_BINS steps */
    struct ws_stats_axis cell_axes[REPORT_CLOCKS]; /* REPORT_CELLS steps */
    double clock[REPORT_BINS + 1];                 /* GVT at the edges; NaN: unknown */
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

/* Opens the files of a run: a directory, or files. Returns false after a line of messages if there is
 * none, or if they are of several runs. Must be freed in any case. */
bool report_run_open(struct report_run *run, const char *const *operands, int n,
                     struct ws_select *select, const struct ws_messages *messages);
void report_run_free(struct report_run *run);
/* Gathers everything. Returns false if out of memory. */
bool report_run_gather(struct report_run *run);
/* Prints the last faults. Returns true if all files are complete and valid. */
bool report_run_good(struct report_run *run);

/* Returns the file of a stream, or NULL. */
struct report_file *report_file_of(struct report_run *run, uint32_t stream);
/* Returns a fact about the run, or NULL. */
const char *report_fact(const struct report_run *run, const char *key);
/* Returns a fact that is a number; NaN if it is none. */
double report_fact_number(const struct report_run *run, const char *key);
/* Returns the samples that the totals come from, or NULL. */
const struct ws_samples *report_totals(const struct report_run *run);
/* Returns a total of samples; NaN: not there. */
double report_total(const struct ws_samples *samples, const char *name);

/* Halves the number of rows of KPs per row of PEs' range: the shift grows by one. */
void report_places_fold(struct report_run *run);

/* Passes over the files. Each returns false if out of memory. */
bool report_samples_gather(struct report_run *run);
bool report_events_gather(struct report_run *run);
bool report_model_gather(struct report_run *run);
bool report_tasks_gather(struct report_run *run);
/* Fills evidence and findings, after all passes. */
bool report_evidence_gather(struct report_run *run);

/* Adds the samples of a load, whose intervals on the wall clock are (before, at]. */
void report_memory_add(struct report_run *run, uint32_t pe, const struct ws_load *load,
                       const double *before, const double *at);
/* Returns the field of a kind of sample that states a level; -1: none. */
int32_t report_level_field(const struct fmt_schema *schema, enum report_level_kind level);
/* Returns true if the records of a source cover some of step i of the axis. */
bool report_is_covered(const struct report_source *source, const struct ws_stats_axis *axis,
                       uint32_t i);

/* Adds a value to the steps of (from, to]; one at a point counts in full in its step. */
void report_level_spread(const struct ws_stats_axis *axis, double *sum, double *weight, double from,
                         double to, double value);

/* ---- Output ---------------------------------------------------------------------------------- */

/* Returns the reason for which the page does not show what the model allows; NULL: it does. */
const char *report_allows_absent(struct report_run *run);
/* Analyses the event trace, and writes what the model allows as a member of an object. */
void report_allows_json(struct json_writer *json, struct report_run *run);

/* Writes the object of a run. n_runs: runs of the document, which share the limits of sizes. */
void report_run_json(struct json_writer *json, struct report_run *run, uint32_t n_runs);
/* Write the sections that the run has, and the list of those that it lacks. */
void report_curves_json(struct json_writer *json, const struct report_run *run);
void report_memory_json(struct json_writer *json, const struct report_run *run);
void report_places_json(struct json_writer *json, const struct report_run *run);
void report_events_json(struct json_writer *json, struct report_run *run, uint32_t n_runs);
void report_model_json(struct json_writer *json, const struct report_run *run, uint32_t n_runs);
void report_tasks_json(struct json_writer *json, struct report_run *run, uint32_t n_runs);
void report_tracers_json(struct json_writer *json, struct report_run *run);
void report_absent_json(struct json_writer *json, struct report_run *run);

/* Write numbers rounded to that many digits; NaN: null. */
void report_put_number(struct json_writer *json, const char *key, double value, int digits);
void report_put_numbers(struct json_writer *json, const char *key, const double *values, size_t n,
                        int digits);
/* Writes edges and counts of a distribution, and the number of its zeros. */
void report_dist_json(struct json_writer *json, const struct ws_histogram *dist,
                      const struct report_bars *bars);
/* Write a distribution over time: the cells that are not 0 as [step, bar, count], and sums, least
 * and greatest values by step. `join` steps that follow each other share a cell. */
void report_spread_json(struct json_writer *json, const struct report_spread *s, uint32_t join);
/* Returns the number of these cells. */
uint32_t report_spread_cells(const struct report_spread *s, uint32_t join);

#endif
