/* SPDX-License-Identifier: BSD-3-Clause */
/* phold_run.c - see phold_run.h. */
#include "support/phold_run.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/measure.h"

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
    ssize_t length = readlink("/proc/self/exe", p->folder, sizeof p->folder - 1);
    if (length <= 0) {
        measure_fail("/proc/self/exe: %s", strerror(errno));
    }
    p->folder[length] = '\0';
    *strrchr(p->folder, '/') = '\0';
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
        program_add(args, "-n");
        program_add(args, "%u", ranks);
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
    program_add_words(args, p->args);
    program_add(args, "--quiet");
    program_add(args, "--report-json=/dev/stdout");
}

static void add_command(struct program_args *args, const struct phold_programs *p,
                        const struct phold_setup *s)
{
    phold_add_start(args, p, s->ranks);
    program_add(args, "--synch=%u", s->synch);
    program_add(args, "--nlp=%lu", s->lps / s->ranks);
    program_add(args, "--remote=%.17g", s->remote);
    program_add(args, "--lookahead=%.17g", s->lookahead);
    program_add(args, "--hot-lps=%lu", s->hot_lps);
    program_add(args, "--end=%.17g", s->end);
    if (s->mean > 0) {
        program_add(args, "--mean=%.17g", s->mean);
    }
    if (s->start_events != 0) {
        program_add(args, "--start-events=%lu", s->start_events);
    }
    if (s->synch == 2) {
        program_add(args, "--cons-lookahead=%.17g", s->lookahead);
    }
    if (s->gvt_interval != 0) {
        program_add(args, "--gvt-interval=%u", s->gvt_interval);
    }
    program_add_words(args, s->args != NULL ? s->args : "");
    phold_add_end(args, p);
}

static struct phold_report read_report(const char *json)
{
    double processed = program_number(json, "events_processed");
    double seconds = program_number(json, "run_seconds");
    struct phold_report report = {
        .net_events = program_number(json, "net_events"),
        .event_rate = program_number(json, "event_rate"),
        .kept = 1.0,
        .rounds_per_s = program_number(json, "gvt_rounds") / seconds,
        .rss_bytes = program_number(json, "max_rss_bytes"),
        .event_bytes = program_number(json, "event_bytes_peak"),
    };
    report.kept = processed > 0.0 ? report.net_events / processed : 1.0;
    return report;
}

void phold_run(const struct phold_programs *p, const struct phold_setup *s,
               struct phold_report *report)
{
    struct program_args args = {0};
    add_command(&args, p, s);
    char *json = program_output(&args);
    *report = read_report(json);
    free(json);
}

enum program_outcome phold_try(const struct phold_programs *p, const struct phold_setup *s,
                               unsigned limit_s, struct phold_report *report)
{
    struct program_args args = {0};
    char *json;
    add_command(&args, p, s);
    enum program_outcome outcome = program_try(&args, limit_s, &json);
    *report = outcome == PROGRAM_FINE ? read_report(json) : (struct phold_report){0};
    free(json);
    return outcome;
}

struct phold_report phold_medians(const struct phold_report *runs, size_t n)
{
    struct phold_report medians;
    double *values = measure_alloc(n, sizeof *values), *median = (double *)&medians;
    for (size_t m = 0; m < sizeof medians / sizeof *median; m++) {
        for (size_t i = 0; i < n; i++) {
            values[i] = ((const double *)&runs[i])[m];
        }
        median[m] = measure_median(values, n);
    }
    free(values);
    return medians;
}
