/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * compare.h - compares recordings: how long their runs took, what they counted, and what findings say
 * of them, as one document for "warpscope stats --against" and "warpscope report".
 *
 * A side is a setting that was run once or several times. Side A is what the others are compared
 * with. Times and counts are those of whole runs, from their ends; the times of a run that did not
 * end by itself, or whose recording is damaged or incomplete, do not count.
 */
#ifndef WARPSCOPE_READER_COMPARE_COMPARE_H
#define WARPSCOPE_READER_COMPARE_COMPARE_H

#include "cli/args.h"
#include "cli/out.h"
#include "compare/noise.h"
#include "document/document.h"
#include "figures/over_time.h"
#include "findings/findings.h"

#define COMPARE_RUNS_MAX     NOISE_VALUES_MAX
#define COMPARE_SIDES_MAX    6u
#define COMPARE_SETTINGS_MAX 64u

/* In seconds; COMPARE_RATE in committed events per second. COMPARE_LOST: for which threads of the
 * run were ready, but others ran. */
enum compare_time { COMPARE_WALL, COMPARE_RATE, COMPARE_PROCESSOR, COMPARE_LOST, COMPARE_TIMES };
#define COMPARE_COUNTS 16u
enum { COMPARE_EFFICIENCY, COMPARE_COMMITTED }; /* the first counts */
enum { COMPARE_HOSTS, COMPARE_PROGRAM };        /* the first settings */

struct compare_run {
    uint32_t side;
    bool is_whole; /* true if its times count */
    const char *path, *covers, *start;
    struct {
        const char *name, *value;
    } settings[COMPARE_SETTINGS_MAX]; /* facts about the run, then the options that were given */
    uint32_t n_settings;
    double times[COMPARE_TIMES], counts[COMPARE_COUNTS]; /* NaN: unknown */
    struct ws_finding findings[WS_FINDINGS_MAX];
    size_t n_findings;
};

/* Must not be moved. The caller sets the first members, and zero-initialises the others. */
struct compare {
    const struct ws_usage *usage; /* of the command */
    struct ws_select *select;
    struct ws_outs *outs; /* files that replace none of the recordings; NULL: none */
    /* Called when the first run is open, before it is read; returns false after an error message, if the
     * output cannot be written. NULL: not called. name: that of the run. */
    bool (*may_write)(struct compare *c, const char *name);
    uint32_t keep; /* maximum number of elements of `kept` */

    struct compare_run runs[COMPARE_RUNS_MAX];
    uint32_t n, n_sides, first[COMPARE_SIDES_MAX + 1]; /* first run of each side */
    bool is_bad; /* true if a recording is damaged or incomplete */
    /* Owned; the figures of the first run of each side. */
    struct ws_figures *kept[COMPARE_SIDES_MAX];
    uint32_t n_kept;
    struct doc doc; /* owns all texts */
};

/* Names of the counts. */
extern const char *const compare_counts[COMPARE_COUNTS];

/* Reads the runs of `against` as side A and the operands as side B, or, if `against` is empty, the operands as
 * sides of runs with equal settings. An operand is a directory; files with the same prefix are one run.
 * Makes the document if there are several runs. Returns WS_EXIT_OK, or another exit status after
 * messages. */
int compare_read(struct compare *c, const struct ws_paths *against, const struct ws_args *args);
/* Returns true if two runs had the same settings; their hosts may differ. */
bool compare_is_same(const struct compare_run *a, const struct compare_run *b);
/* In compare/ only: makes the document. */
void compare_make(struct compare *c);
/* Writes the document as a JSON object. Returns false if out of memory. */
bool compare_json(struct json_writer *json, const char *key, const struct compare *c);
void compare_free(struct compare *c);

#endif
