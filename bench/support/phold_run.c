/* SPDX-License-Identifier: BSD-3-Clause */
/* phold_run.c - see phold_run.h. */
#include "support/phold_run.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MIN_END 3.0 /* minimum end time; shorter runs would measure mainly the start-up */

/* ---- Locations of programs ------------------------------------------------------------------- */

static void require_program(const char *path, const char *what, const char *option)
{
    if (access(path, X_OK) != 0) {
        measure_fail("%s: %s, the %s: build it, or say where it is with --%s=FILE", path,
                     strerror(errno), what, option);
    }
}

static void set_path(char *path, const char *folder, const char *name)
{
    if (snprintf(path, PATH_MAX, "%s/%s", folder, name) >= PATH_MAX) {
        measure_fail("%s: the name is too long", folder);
    }
}

/* Ends the program with status 2 if --args contains an option that this program sets itself. */
static void check_args(const char *text)
{
    static const char taken[] = "--report-json";
    while (*(text += strspn(text, " ")) != '\0') {
        if (strncmp(text, taken, strlen(taken)) == 0) {
            measure_refuse("--args: %s is taken: this program reads the report", taken);
        }
        text += strcspn(text, " ");
    }
}

void phold_programs_find(struct phold_programs *p)
{
    const char *launcher = getenv("MPIEXEC");
    check_args(p->args);
    program_folder(p->folder);
    if (p->phold[0] == '\0') {
        set_path(p->phold, p->folder, "phold");
    }
    require_program(p->phold, "model", "phold");
    if (p->launcher[0] == '\0' && launcher != NULL && *launcher != '\0') {
        snprintf(p->launcher, sizeof p->launcher, "%s", launcher);
    } else if (p->launcher[0] == '\0') {
        set_path(p->launcher, p->folder, "../mpirun");
    }
    if (strchr(p->launcher, '/') != NULL) { /* a name without a slash is searched in $PATH */
        require_program(p->launcher, "MPI launcher", "launcher");
    }
}

/* ---- Runs of phold --------------------------------------------------------------------------- */

void phold_add_start(struct program_args *args, const struct phold_programs *p, unsigned ranks)
{
    if (ranks > 1) {
        program_add(args, "%s", p->launcher);
        program_add_words(args, "-n %u", ranks);
    }
    program_add(args, "%s", p->phold);
}

void phold_print_args(const struct phold_programs *p)
{
    if (p->args[0] != '\0') {
        printf("phold %s\n", p->args);
    }
}

void phold_add_end(struct program_args *args, const struct phold_programs *p)
{
    program_add_words(args, "%s --quiet --report-json=/dev/stdout", p->args);
}

static void add_command(struct program_args *args, const struct phold_programs *p,
                        const struct phold_setup *s)
{
    if (s->synch == PHOLD_LIMIT) {
        program_add(args, "%s/bench_phold_limit", p->folder);
        program_add_words(args, "--lps=%lu --runs=1 --json", s->lps);
    } else {
        phold_add_start(args, p, s->ranks);
        program_add_words(args, "--synch=%u --nlp=%lu --hot-lps=%lu", s->synch, s->lps / s->ranks,
                          s->hot_lps);
    }
    program_add_words(args, "--remote=%.17g --lookahead=%.17g --mean=%.17g --start-events=%lu",
                      s->remote, s->lookahead, s->mean, s->start_events);
    program_add_words(args, "--end=%.17g", s->end);
    if (s->synch == 2) {
        program_add_words(args, "--cons-lookahead=%.17g", s->lookahead);
    }
    if (s->gvt_interval != 0) {
        program_add_words(args, "--gvt-interval=%u", s->gvt_interval);
    }
    program_add_words(args, "%s", s->args != NULL ? s->args : "");
    if (s->synch != PHOLD_LIMIT) {
        phold_add_end(args, p);
    }
}

static struct phold_report read_report(const char *json, bool is_limit)
{
    struct phold_report report = {.net_events = program_number(json, "net_events"),
                                  .event_rate = program_number(json, "event_rate"),
                                  .kept = 1.0};
    if (!is_limit) {
        double processed = program_number(json, "events_processed");
        report.rounds_per_s =
            program_number(json, "gvt_rounds") / program_number(json, "run_seconds");
        report.rss_bytes = program_number(json, "max_rss_bytes");
        report.event_bytes = program_number(json, "event_bytes_peak");
        report.kept = processed > 0.0 ? report.net_events / processed : 1.0;
    }
    return report;
}

struct phold_result phold_run(const struct phold_programs *p, const struct phold_setup *s,
                              unsigned limit_s)
{
    struct program_args args = {0};
    struct phold_result result = {.outcome = PROGRAM_FINE};
    char *json;
    add_command(&args, p, s);
    if (limit_s == 0) {
        json = program_output(&args);
    } else {
        result.outcome = program_try(&args, limit_s, &json);
    }
    if (result.outcome == PROGRAM_FINE) {
        result.report = read_report(json, s->synch == PHOLD_LIMIT);
    }
    free(json);
    return result;
}

double phold_end(const struct phold_programs *p, struct phold_setup setup, double seconds)
{
    double events_per_time = (double)(setup.lps * setup.start_events) / setup.mean;
    setup.end = fmax(MIN_END, 0.1 * seconds * 5e6 / events_per_time);
    double rate = phold_run(p, &setup, 0).report.event_rate;
    return fmax(MIN_END, seconds * rate / events_per_time);
}

/* Returns the medians of each figure over the n runs, at least 1. */
static struct phold_report medians(const struct phold_report *runs, size_t n)
{
    struct phold_report of_all;
    double *values = measure_alloc(n, sizeof *values), *median = (double *)&of_all;
    for (size_t m = 0; m < sizeof of_all / sizeof *median; m++) {
        for (size_t i = 0; i < n; i++) {
            values[i] = ((const double *)&runs[i])[m];
        }
        median[m] = measure_median(values, n);
    }
    free(values);
    return of_all;
}

void phold_turns(const struct phold_programs *p, const struct phold_setup *setups, size_t n,
                 unsigned turns, unsigned limit_s, struct phold_result *rows)
{
    struct phold_report *reports = measure_alloc(n * turns, sizeof *reports);
    double expected = -1.0;
    for (size_t i = 0; i < n; i++) {
        rows[i].outcome = PROGRAM_FINE;
    }
    for (size_t run = 0; run < n * turns; run++) {
        size_t i = run % n;
        const struct phold_setup *s = &setups[i];
        if (rows[i].outcome == PROGRAM_FINE) {
            rows[i] = phold_run(p, s, limit_s);
        }
        reports[i * turns + run / n] = rows[i].report;
        if (rows[i].outcome != PROGRAM_FINE || (s->synch == PHOLD_LIMIT && p->args[0] != '\0')) {
            continue; /* the bare loop lacks what the arguments may choose */
        }
        if (expected >= 0.0 && rows[i].report.net_events != expected) {
            measure_fail("wrong: %s with --synch=%u on %u rank(s) committed %.0f events instead of "
                         "%.0f",
                         s->name, s->synch, s->ranks, rows[i].report.net_events, expected);
        }
        expected = rows[i].report.net_events;
    }
    for (size_t i = 0; i < n; i++) {
        rows[i].report = medians(&reports[i * turns], turns);
    }
    free(reports);
}
