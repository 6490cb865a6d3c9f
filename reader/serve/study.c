/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * study.c - makes passes over all records of a run so far, in a process of its own; see state.h.
 *
 * That process is a copy of this one, so that findings can be passed as they are, with addresses of
 * constants. It holds no connection open, reads files as "warpscope report" does, and ends.
 */
#define _GNU_SOURCE /* for pipe2() */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "report/report.h"
#include "serve/state.h"
#include "store/array.h"
#include "text/date.h"

#define FDS_MAX 4096 /* more than a server has open */
#define SHARE   20   /* passes take one of so many parts of the time */
#define EVERY   10.0 /* least number of seconds between the same passes of a run */
#define CHUNK   65536u

/* ---- In the process of its own --------------------------------------------------------------- */

/* Opens the streams of a run for figures. stream: only this one; 0: all. */
static bool figures_open(struct ws_figures *figures, const struct top_run *run, uint32_t stream,
                         struct ws_select *select)
{
    const char *paths[TOP_FILES_MAX];
    int n = 0;
    for (size_t i = 0; i < run->n_files; i++) {
        if (stream == 0 || run->files[i].live->sb->stream == stream) {
            paths[n++] = run->files[i].path;
        }
    }
    return n > 0 && ws_figures_open(figures, paths, n, select, NULL) && ws_figures_gather(figures);
}

/* Writes the findings of all records, as they are in memory. */
static void findings_write(FILE *out, const struct top_run *run)
{
    struct ws_select select = {.by_time = false};
    struct ws_figures *figures = calloc(1, sizeof *figures);
    struct ws_finding *list = calloc(WS_FINDINGS_MAX, sizeof *list);
    if (figures != NULL && list != NULL && figures_open(figures, run, 0, &select)) {
        size_t n = ws_findings_find(&figures->evidence, list, WS_FINDINGS_MAX);
        fputc('!', out); /* the pass was complete */
        fwrite(list, sizeof *list, n, out);
    }
}

/* Writes the model's fields of an LP as a JSON object; nothing if none are recorded. */
static void fields_write(FILE *out, const struct top_run *run, uint64_t lp)
{
    char text[24];
    struct ws_select select = {.by_time = false};
    struct ws_select_bad bad;
    struct ws_figures *figures = calloc(1, sizeof *figures);
    snprintf(text, sizeof text, "%" PRIu64, lp);
    if (figures == NULL ||
        !ws_select_set(&select, &(struct ws_select_texts){.lps = text, .from = NAN, .to = NAN},
                       &bad) ||
        !figures_open(figures, run, FMT_STREAM_MODEL, &select)) {
        return;
    }
    struct json_writer json = {.out = out, .compact = true};
    const struct ws_stats_axis *axis = &figures->axes[WS_VIRTUAL];
    figures->n_runs = 1;
    json_object_open(&json, NULL);
    ws_put_array(&json, "virtual", doc_real(axis->low), doc_real(axis->high));
    report_model_json(&json, figures);
    json_object_close(&json);
    ws_select_free(&select);
}

static _Noreturn void child_run(int to, pid_t parent, const struct top_run *run, const uint64_t *lp)
{
    FILE *out = NULL;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setpriority(PRIO_PROCESS, 0, 19);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    signal(SIGINT, SIG_IGN);
    for (int fd = STDERR_FILENO + 1; fd < FDS_MAX; fd++) {
        if (fd != to) {
            close(fd);
        }
    }
    if (getppid() == parent && (out = fdopen(to, "w")) != NULL) {
        if (lp != NULL) {
            fields_write(out, run, *lp);
        } else {
            findings_write(out, run);
        }
    }
    _exit(out != NULL && fflush(out) == 0 ? EXIT_SUCCESS : EXIT_FAILURE);
}

/* ---- In the server --------------------------------------------------------------------------- */

void serve_study_choose(struct serve_study *s, uint64_t lp)
{
    if (!s->has_lp || s->lp != lp) {
        free(s->fields);
        s->fields = NULL;
        s->has_lp = true;
        s->lp_known = false;
        s->lp = lp;
        s->lp_due = 0;
    }
}

static void child_begin(struct serve_study *s, struct serve_passes *passes,
                        const struct top_run *run, bool of_lp)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) {
        return;
    }
    const pid_t parent = getpid(), child = fork();
    if (child == 0) {
        child_run(ends[1], parent, run, of_lp ? &s->lp : NULL);
    }
    close(ends[1]);
    if (child < 0) {
        close(ends[0]);
        return;
    }
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    s->child = child;
    s->from = ends[0];
    s->of_lp = of_lp;
    s->reading_lp = s->lp;
    s->size = 0;
    passes->is_busy = true;
}

/* Takes the result of a pass. */
static void result_take(struct serve_study *s)
{
    if (s->of_lp && s->has_lp && s->reading_lp == s->lp) {
        free(s->fields);
        s->fields = s->size > 0 ? strndup(s->result, s->size) : NULL;
        s->lp_known = true;
    } else if (!s->of_lp && s->size > 0 && (s->size - 1) % sizeof *s->all == 0) {
        free(s->all);
        s->all = malloc(s->size);
        s->n = s->all == NULL ? 0 : (s->size - 1) / sizeof *s->all;
        if (s->n > 0) {
            memcpy(s->all, s->result + 1, s->n * sizeof *s->all);
        }
    }
}

/* Reads what the process has written. Returns true if it has ended; *seconds is then the processor time
 * that it took. */
static bool child_read(struct serve_study *s, double *seconds)
{
    struct rusage used = {0};
    int status = 0;
    ssize_t got = 1;
    while (got > 0) {
        if (!array_reserve(&s->result, &s->room, s->size + CHUNK, 1)) {
            kill(s->child, SIGKILL);
            s->size = 0;
            break;
        }
        got = read(s->from, s->result + s->size, CHUNK);
        s->size += got > 0 ? (size_t)got : 0;
    }
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) {
        return false;
    }
    while (wait4(s->child, &status, 0, &used) < 0 && errno == EINTR) {
    }
    close(s->from);
    s->child = 0;
    s->size = WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS ? s->size : 0;
    *seconds = (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
               1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
    return true;
}

bool serve_study_tick(struct serve_study *s, struct serve_passes *passes, const struct top_run *run)
{
    double seconds, now = date_clock();
    const bool was = s->child != 0;
    if (s->child != 0) {
        if (!child_read(s, &seconds)) {
            return false;
        }
        result_take(s);
        passes->is_busy = false;
        passes->next = now + (SHARE - 1) * seconds;
    }
    if (passes->is_busy || run->n_files == 0 || run->state <= TOP_READING) {
        return was;
    }
    /* A chosen LP is waited for: its first pass does not wait for the time that others took. */
    if (s->has_lp && now >= s->lp_due && (now >= passes->next || !s->lp_known)) {
        s->lp_due = run->state == TOP_ENDED ? INFINITY : now + EVERY;
        child_begin(s, passes, run, true);
    } else if (now >= s->due && now >= passes->next) {
        s->due = run->state == TOP_ENDED ? INFINITY : now + EVERY;
        child_begin(s, passes, run, false);
    }
    return was;
}

void serve_study_free(struct serve_study *s, struct serve_passes *passes)
{
    if (s->child != 0) {
        kill(s->child, SIGKILL);
        while (waitpid(s->child, NULL, 0) < 0 && errno == EINTR) {
        }
        close(s->from);
        passes->is_busy = false;
    }
    free(s->result);
    free(s->all);
    free(s->fields);
    *s = (struct serve_study){.child = 0};
}
