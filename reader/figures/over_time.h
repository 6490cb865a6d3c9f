/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * over_time.h - the figures of a run over time, and of all its streams together: what ws_figures_gather()
 * makes of a recording. See figures.h.
 */
#ifndef WARPSCOPE_READER_FIGURES_OVER_TIME_H
#define WARPSCOPE_READER_FIGURES_OVER_TIME_H

#include "figures/values.h"
#include "store/index.h"

/* ---- LPs ------------------------------------------------------------------------------------- */

/* A PE writes only records about its own LPs: about the receiver of an event, or the LP that was
 * sampled. The type of that LP is the owner of the payload description of the record. */

#define WS_LPS_DIRECT (8u << 20) /* LPs with smaller numbers than this are in a plain array */
/* Number of LPs in a page. LPs with numbers from WS_LPS_DIRECT on are in pages. */
#define WS_LPS_PAGE 64u
/* Maximum number of pages; LPs beyond them are not stored. */
#define WS_LPS_PAGES_MAX ((8u << 20) / 64)

struct ws_lp {
    uint32_t pe; /* number of the PE, plus 1; 0: unknown */
    /* Number of the LP type in ws_lps.types; WS_TYPES: unknown, or beyond the maximum number of
     * types. */
    uint32_t type;
};

struct ws_lp_page {
    uint64_t number; /* number of the page: the number of its first LP divided by WS_LPS_PAGE */
    struct ws_lp lps[WS_LPS_PAGE];
};

/* PE and type of all LPs. Memory: at most 140 MB. Must be zero-initialised. The caller must call
 * ws_lps_free(), even after an error. */
struct ws_lps {
    struct ws_lp *list; /* owned; indexed by LP number */
    size_t room;
    struct ws_lp_page *pages; /* owned */
    size_t n_pages, pages_room;
    struct index index;     /* finds a page by its number */
    uint64_t unplaced;      /* number of records about LPs that are not stored */
    struct ws_intern types; /* names of at most WS_TYPES types */
    bool no_memory;
};

/* Stores that PE pe has records about n LPs. types[i]: type of lps[i], as ws_lps_type() returns it; types
 * NULL: unknown. If memory is exhausted, sets lps->no_memory. */
void ws_lps_place(struct ws_lps *all, uint32_t pe, const uint64_t *lps, const uint32_t *types,
                  uint32_t n);
/* Returns the number of the type that owns a payload description; WS_TYPES: none, or beyond the
 * maximum number of types. desc: NULL: none. */
uint32_t ws_lps_type(struct ws_lps *lps, const struct fmt_payload_desc *desc);
/* Reads the LPs in the records of an event trace, with their PEs and types. Returns false if out of
 * memory. */
bool ws_lps_gather(struct ws_lps *lps, struct ws_file *trace, struct ws_select *select);
void ws_lps_free(struct ws_lps *lps);

/* Returns the entry of an LP with a number from WS_LPS_DIRECT on; NULL if there is none. */
struct ws_lp *ws_lps_find(const struct ws_lps *lps, uint64_t lp);

static inline struct ws_lp ws_lp_of(const struct ws_lps *lps, uint64_t lp)
{
    const struct ws_lp *found = lp >= WS_LPS_DIRECT ? ws_lps_find(lps, lp)
                                : lp < lps->room    ? &lps->list[lp]
                                                    : NULL;
    return found != NULL && found->pe > 0 ? *found : (struct ws_lp){0, WS_TYPES};
}

/* ---- Figures over time ----------------------------------------------------------------------- */

/* A level over time. sum: integral of the level over each bin; weight: length of time, in each bin,
 * for which the level is known; peak: its largest value of any PE in each bin. */
struct ws_level {
    double sum[WS_BINS], weight[WS_BINS], peak[WS_BINS];
};

/* Stream and kind of record from which a curve is computed. The curve has no values at times at
 * which the stream did not record that kind. If `stream` is NULL, the curve has values at all
 * times. */
struct ws_source {
    const struct ws_file *stream;
    const struct fmt_schema *kind; /* kind of record; NULL: any */
};
/* Returns true if the records of a source cover some part of bin i of the axis. */
bool ws_is_covered(const struct ws_source *source, const struct ws_stats_axis *axis, uint32_t i);

struct ws_curves {
    bool known[WS_COUNTS], level_known[WS_LEVELS];
    double counts[WS_CLOCKS][WS_COUNTS][WS_BINS];
    struct ws_level levels[WS_CLOCKS][WS_LEVELS];
    struct ws_source sources[WS_CLOCKS][WS_COUNTS];
};

struct ws_phases {
    uint32_t n;
    char names[WS_PHASES_MAX][32], words[WS_PHASES_MAX][64];
    /* [row of PEs][phase][bin]: seconds. */
    double cells[WS_PE_ROWS][WS_PHASES_MAX][WS_CELLS];
};

/* Memory of the PEs in bytes: [row of PEs][bin of wall-clock time]. Memory in use is that of events
 * and of the data saved with them. */
struct ws_memory_cells {
    /* Memory in use. sum: its integral over time in a bin; weight: length of time in the bin for
     * which it is known. */
    double sum[WS_PE_ROWS][WS_CELLS], weight[WS_PE_ROWS][WS_CELLS];
    /* Largest memory in use, and largest allocated memory, in any sample of a PE. */
    double peak[WS_PE_ROWS][WS_CELLS], allocated[WS_PE_ROWS][WS_CELLS];
};

struct ws_ahead {
    struct ws_source source; /* samples that state how far KPs are ahead of GVT; NULL: none */
    bool used;
    double sum[WS_CLOCKS][WS_KP_ROWS][WS_CELLS], weight[WS_CLOCKS][WS_KP_ROWS][WS_CELLS];
};

struct ws_hit { /* sums over the rollbacks in a cell */
    uint32_t count, secondary;
    uint64_t undone;
};

struct ws_traffic {
    /* Owned; [bin][row of the PE that caused the rollbacks][row of the KP that rolled back]. The
     * row after the last PE is for unknown causes. NULL: no rollbacks were recorded. */
    struct ws_hit (*hits)[WS_PE_ROWS + 1][WS_KP_ROWS];
    /* Owned; [bin][row of the sender's PE][row of the receiver's PE]: number of events. NULL: no events
     * were recorded. */
    uint32_t (*pes)[WS_PE_ROWS + 1][WS_PE_ROWS];
    /* Owned; [bin][type of the sender][type of the receiver]: number of events; WS_TYPES:
     * unknown. */
    uint32_t (*types)[WS_TYPES + 1][WS_TYPES + 1];
    /* [type of the sender][type of the receiver]: number of events between PEs. */
    uint64_t remote_types[WS_TYPES + 1][WS_TYPES + 1];
    /* lengths: distribution of the number of events that a rollback undid; offsets: distribution of
     * the offsets of events. Both are kept per bin of time. */
    struct ws_dists lengths, offsets;
    /* [bin of wall-clock time]: smallest receive time of the events recorded in the bin. */
    double lowest[WS_BINS];
};

/* The tasks of one kind that have the same `what`. A task counts in the bin of its end. */
struct ws_task_kind {
    uint32_t name; /* index of kind and `what` in ws_tasks.names */
    struct ws_dists durations;
};

struct ws_busy_place { /* busy time of one of the busiest places */
    char text[160];
    double busy; /* busy time of the place, divided by the length of the run */
    double bins[WS_BINS];
    uint32_t number;
    struct ws_busy state;
};

struct ws_figures_file { /* a stream of the run */
    struct ws_file stream;
    struct ws_stats_sums sums; /* the totals of the stream */
};

struct ws_figures {
    const char *path; /* borrowed; the first operand */
    char name[128];
    struct ws_files files;
    uint32_t n_runs; /* number of runs in the document; set by the caller, who shares limits out */
    struct ws_figures_file *list; /* owned; one element per stream */
    size_t n;
    const struct ws_figures_file *first; /* the first readable stream; NULL: none */
    struct ws_select *select;            /* borrowed */
    bool found;                          /* true if all files were found */

    struct ws_stats_axis axes[WS_CLOCKS];      /* axes of the curves, with WS_BINS bins */
    struct ws_stats_axis cell_axes[WS_CLOCKS]; /* the same ranges in WS_CELLS bins */
    /* GVT at the edges of the bins of wall-clock time; NaN: unknown. */
    double clock[WS_BINS + 1];
    bool has_clock;
    struct ws_source clock_source;
    /* Streams from which curves come: those at exact virtual times, which have committed events over
     * virtual time, and those of all others. NULL: none. */
    const struct ws_file *exact, *sampled;

    struct ws_places places;
    struct ws_lps lps;
    struct ws_curves curves;
    struct ws_phases phases;
    struct ws_memory_cells memory;
    struct ws_ahead ahead;
    struct ws_traffic traffic;
    struct ws_task_kind *kinds; /* owned; in descending order of their numbers of tasks */
    uint32_t n_kinds;
    struct ws_busy_place *busy; /* owned; in descending order of busy time */
    uint32_t n_busy;

    struct ws_evidence evidence;
};

/* Opens the files of a run, which is given as a directory or as files. Returns false after error
 * messages if there are no readable files, or if they belong to several runs. The caller must call
 * ws_figures_free(), even after an error. */
bool ws_figures_open(struct ws_figures *figures, const char *const *operands, int n,
                     struct ws_select *select, const struct ws_messages *messages);
void ws_figures_free(struct ws_figures *figures);
/* Reads the records, and computes all figures. figures->first must not be NULL. Returns false if out of
 * memory. */
bool ws_figures_gather(struct ws_figures *figures);
/* Returns what the files of the run cover. */
struct ws_covers ws_figures_covers(const struct ws_figures *figures);
/* Prints the number of faults that were not printed one by one. Returns true if all files are
 * complete and valid, and cover the run as far as the user chose. */
bool ws_figures_good(struct ws_figures *figures);

/* Returns the stream that states the most severe end of the run; NULL if none states an end. */
const struct ws_file *ws_figures_end(const struct ws_figures *figures);
/* Returns the data of a stream (enum fmt_stream); NULL if the run does not have the stream. */
struct ws_figures_file *ws_figures_file_of(const struct ws_figures *figures, uint32_t stream);
/* Returns the text of a fact about the run; NULL if the recording does not state it. */
const char *ws_figures_fact(const struct ws_figures *figures, const char *key);
/* Returns the samples from which the totals come; NULL if there are none. */
const struct ws_counted *ws_figures_totals(const struct ws_figures *figures);
/* Returns a total of the samples by its name; NaN if the samples lack it. */
double ws_figures_total(const struct ws_counted *samples, const char *name);

/* ---- In figures/ only ------------------------------------------------------------------------ */

/* Sets the axes of a run, which include the records of all streams. */
void ws_figures_axes(struct ws_figures *figures);

/* The intervals of the loaded samples, on both clocks. */
struct ws_intervals {
    double before[WS_CLOCKS][WS_LOAD_MAX], at[WS_CLOCKS][WS_LOAD_MAX];
};
/* Finds what a stream of samples adds to the figures over time, and sets the members of *samples for it. */
void ws_over_init(struct ws_counted *samples, struct ws_figures *over);
/* Adds the values of count number i to its curves, or to the cells of its phase. */
void ws_over_count(struct ws_counted *samples, uint32_t pe, uint32_t i,
                   const struct ws_intervals *in, const uint64_t *values);
/* Adds the levels in the loaded samples, and the GVT that they state. */
void ws_over_levels(struct ws_counted *samples, uint32_t pe, const struct ws_intervals *in);
/* Adds the times by which KPs are ahead of GVT. */
void ws_over_ahead(struct ws_counted *samples, uint32_t pe, const struct ws_intervals *in,
                   const uint64_t *kps, const double *values);

/* Reads a task trace again: for the busiest places and the commonest kinds. Returns false if out of
 * memory. */
bool ws_tasks_over_time(struct ws_figures *figures, struct ws_figures_file *file);
/* Computes the evidence from all other figures. Returns false if out of memory. */
bool ws_figures_evidence(struct ws_figures *figures);

#endif
