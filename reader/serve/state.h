/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * state.h - the contents of the live page of a run: its state as JSON, which is that of "warpscope top --json"
 * and what follows over the latest minutes.
 *
 * Heat maps have a column for each second of wall clock, which holds the figures of "warpscope top" at
 * that second, of the PEs and KPs. The findings of all records so far, and the model's fields of a chosen
 * LP, need a pass over the files. A process of its own makes it, with the lowest priority, so that
 * neither answers nor the run wait for it; passes take at most a twentieth of the time.
 */
#ifndef WARPSCOPE_READER_SERVE_STATE_H
#define WARPSCOPE_READER_SERVE_STATE_H

#include <sys/types.h>

#include "figures/figures.h"
#include "findings/findings.h"
#include "text/json.h"
#include "top/run.h"

/* ---- Heat maps ------------------------------------------------------------------------------- */

#define SERVE_COLUMNS 300 /* columns of a heat map, and of curves: five minutes */

/* Zero-initialised: empty. */
struct serve_heat {
    struct ws_places places; /* rows of PEs, and of KPs */
    unsigned followed;       /* top_run.followed of the run whose figures it has */
    int64_t first, latest;   /* first and latest column, as seconds of the run */
    float *cells;            /* owned; [map][row][column % SERVE_COLUMNS]; NULL: none yet */
};

/* Adds the figures of a run, after it was refreshed. */
void serve_heat_tick(struct serve_heat *heat, const struct top_run *run);
/* Writes the columns from number `from` on as the object "heat". */
void serve_heat_json(struct json_writer *json, const struct serve_heat *heat,
                     const struct top_run *run, int64_t from);
void serve_heat_free(struct serve_heat *heat);

/* ---- Passes over all records ----------------------------------------------------------------- */

/* Passes over the records of all runs of a server: one after another. */
struct serve_passes {
    bool is_busy;
    double next; /* time by date_clock() before which no pass begins */
};

/* Zero-initialised: nothing is known yet. */
struct serve_study {
    pid_t child;            /* process that makes a pass; 0: none */
    int from;               /* pipe from which its result is read */
    bool of_lp;             /* true if the pass is about an LP, false if it finds findings */
    char *result;           /* owned; what was read so far */
    size_t size, room;      /* its length and memory in bytes */
    double due;             /* time by date_clock() of the next pass that finds findings */
    struct ws_finding *all; /* owned; the findings of the latest pass; NULL: none was made */
    size_t n;
    bool has_lp,
        lp_known; /* an LP was chosen; its fields were read, from records up to now or before */
    uint64_t lp, reading_lp; /* the chosen LP, and that of the pass that is made now */
    double lp_due;           /* time by date_clock() when its fields are read again */
    char *fields;            /* owned; JSON with its fields; NULL: it has none */
};

/* Chooses the LP whose fields are read. */
void serve_study_choose(struct serve_study *study, uint64_t lp);
/* Begins a pass if one is due, and takes the result of one that has ended. Does not wait. Returns
 * true if one has ended. */
bool serve_study_tick(struct serve_study *study, struct serve_passes *passes,
                      const struct top_run *run);
/* Ends a pass, and forgets all results. */
void serve_study_free(struct serve_study *study, struct serve_passes *passes);

/* ---- Findings as they change ----------------------------------------------------------------- */

#define SERVE_CHANGES 24u

/* A finding since it was first made. */
struct serve_change {
    char subject[64]; /* rule, with the ranks, PEs, KPs or LPs that it is about */
    char text[WS_FINDING_TEXT];
    /* Dates in seconds since 1970. until: when it was last made, if it no longer is; 0: it is. */
    double since, seen, until;
    bool before; /* true if it was there when the run was first read: since is then that time */
};

/* ---- A run ----------------------------------------------------------------------------------- */

struct serve_live {
    struct serve_passes *passes; /* borrowed */
    bool control;                /* true if the page may send requests to the run */
    struct serve_heat heat;
    struct serve_study study;
    struct ws_finding findings[WS_FINDINGS_MAX];
    size_t n_findings;
    struct serve_change changes[SERVE_CHANGES];
    size_t n_changes;
    bool is_read; /* true once the findings were taken for the first time */
};

/* Takes over the state of a run, after each refresh. Returns true if a pass over its records has ended. */
bool serve_live_tick(struct serve_live *live, const struct top_run *run);
/* Writes the state of a run as members of the current JSON object. whole: all columns of heat maps;
 * otherwise the latest ones. lp: LP to choose; NULL: none. */
void serve_live_json(struct json_writer *json, struct serve_live *live, const struct top_run *run,
                     bool whole, const uint64_t *lp);
void serve_live_free(struct serve_live *live);

#endif
