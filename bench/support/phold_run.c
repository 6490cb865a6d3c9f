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

static void add_setup(struct program_args *args, const struct phold_setup *s)
{
    program_add(args, "--synch=%u", s->synch);
    program_add(args, "--nlp=%lu", s->lps / s->ranks);
    program_add(args, "--remote=%.17g", s->remote);
    program_add(args, "--lookahead=%.17g", s->lookahead);
    program_add(args, "--start-events=%lu", s->start_events);
    program_add(args, "--end=%.17g", s->end);
    if (s->synch == 2) {
        program_add(args, "--cons-lookahead=%.17g", s->lookahead);
    }
    if (s->gvt_interval != 0) {
        program_add(args, "--gvt-interval=%u", s->gvt_interval);
    }
}

void phold_run(const struct phold_programs *p, const struct phold_setup *s,
               struct phold_report *report)
{
    struct program_args args = {0};
    phold_add_start(&args, p, s->ranks);
    add_setup(&args, s);
    phold_add_end(&args, p);
    char *json = program_output(&args);
    *report = (struct phold_report){
        .net_events = program_number(json, "net_events"),
        .run_seconds = program_number(json, "run_seconds"),
        .event_rate = program_number(json, "event_rate"),
        .events_processed = program_number(json, "events_processed"),
        .gvt_rounds = program_number(json, "gvt_rounds"),
        .rss_bytes = program_number(json, "max_rss_bytes"),
    };
    free(json);
}
