/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * runs.c - finds the runs of the operands, and reads their new records; see serve.h.
 *
 * An operand is a run if it is a file, has record files or takes requests. Each of its subdirectories with
 * record files is a run otherwise, unless they are parts of one recording: then the operand is.
 */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "access/stream_files.h"
#include "data/known.h"
#include "format/control_file.h"
#include "serve/serve.h"
#include "text/text_new.h"

#define FIND_EVERY 2.0  /* seconds between searches for runs, and looks at those that have ended */
#define SLICE      0.05 /* seconds for which the records of a run are read at once */
#define SLICES     0.1  /* the same for all runs */

/* ---- Finding runs ---------------------------------------------------------------------------- */

static bool run_is_listed(const struct serve *serve, const char *path)
{
    bool is = false;
    for (uint32_t i = 0; i < serve->n_runs; i++) {
        is |= strcmp(serve->runs[i]->found, path) == 0 ||
              strcmp(serve->runs[i]->top.folder, path) == 0;
    }
    return is;
}

static void run_add(struct serve *serve, const char *path, bool is_operand)
{
    struct serve_run *run = serve->n_runs < SERVE_RUNS_MAX ? calloc(1, sizeof *run) : NULL;
    if (run != NULL && top_run_init(&run->top, path) && (run->found = strdup(path)) != NULL) {
        run->is_operand = is_operand;
        run->top.rows_seen = serve_heat_add;
        run->top.rows_to = &run->heat;
        serve->runs[serve->n_runs++] = run;
    } else if (run != NULL) {
        free(run->top.folder);
        free(run);
    }
}

/* Returns true if a path is a record file, or a directory with the files of a run: record files, parts of them
 * in its subdirectories, or the file for requests. */
static bool is_run(const char *path)
{
    struct ws_files files;
    int error;
    bool is = false;
    if (ws_files_gather(&files, &path, 1, NULL)) {
        char *first = files.paths[0];
        is = (size_t)(ws_path_name(first) - first) <= strlen(path) + 1 || ws_file_is_part(first);
    }
    ws_files_free(&files);
    char *requests = is ? NULL : ws_find_ending(path, CONTROL_FILE_END, &error);
    is |= requests != NULL;
    free(requests);
    return is;
}

/* Adds the runs in the subdirectories of an operand. */
static void subfolders_find(struct serve *serve, const char *operand)
{
    struct dirent **entries = NULL;
    const char *slash = ws_ends_with(operand, "/") ? "" : "/";
    int n = scandir(operand, &entries, NULL, alphasort);
    for (int i = 0; i < n; i++) {
        const char *name = entries[i]->d_name;
        char *path = name[0] == '.' ? NULL : text_new("%s%s%s", operand, slash, name);
        if (path != NULL && !run_is_listed(serve, path) && is_run(path)) {
            run_add(serve, path, false);
        }
        free(path);
        free(entries[i]);
    }
    free(entries);
}

void serve_runs_find(struct serve *serve)
{
    double now = date_clock();
    if (serve->searched > 0 && now - serve->searched < FIND_EVERY) {
        return;
    }
    serve->searched = now;
    for (int i = 0; i < serve->n_operands; i++) {
        const char *operand = serve->operands[i];
        if (!run_is_listed(serve, operand) && is_run(operand)) {
            run_add(serve, operand, true);
        } else if (!run_is_listed(serve, operand)) {
            subfolders_find(serve, operand);
        }
    }
}

/* ---- Refreshes ------------------------------------------------------------------------------- */

/* Forgets what is known of a run, in whose place there is another recording. */
static void run_forget(struct serve *serve, struct serve_run *run)
{
    for (int kind = 0; kind < SERVE_KINDS; kind++) {
        serve_pass_forget(serve, run, (enum serve_kind)kind);
    }
    run->was_over = run->is_settled = false;
    memset(run->since, 0, sizeof run->since);
    memset(run->given, 0, sizeof run->given);
}

static void run_refresh(struct serve *serve, struct serve_run *run)
{
    const bool was_ended = run->is_settled && run->top.state == TOP_ENDED;
    const unsigned followed = run->top.followed;
    top_run_refresh(&run->top, SLICE, run->is_operand);
    const double now = date_clock(), date = (double)time(NULL);
    const bool is_ended = run->top.state == TOP_ENDED;
    if (followed != run->top.followed) {
        run_forget(serve, run);
    }
    if (run->top.state == TOP_READING) { /* reads on at once */
        run->due = now;
    } else {
        run->due = now + (is_ended ? fmax(serve->interval, FIND_EVERY) : serve->interval);
        serve_state_take(run, date);
        if (!run->is_settled && run->top.n_files > 0) {
            run->was_over = run->top.followed == 0 && (is_ended || run->top.state == TOP_KILLED) &&
                            run->top.started + run->top.elapsed < date - (now - serve->began) - 1;
            run->is_settled = true;
        }
        serve_alerts_check(serve, run);
    }
    if (run->top.state == TOP_READING ? now - run->shown > 1 : !(was_ended && is_ended)) {
        run->version++;
        run->shown = now;
    }
}

double serve_runs_refresh(struct serve *serve)
{
    double begin = date_clock(), next = begin + FIND_EVERY;
    for (uint32_t i = 0, at = serve->first; i < serve->n_runs; i++) {
        struct serve_run *run = serve->runs[(at + i) % serve->n_runs];
        if (run->due <= begin && date_clock() - begin < SLICES) {
            run_refresh(serve, run);
            serve->first = (at + i + 1) % serve->n_runs;
        }
        next = run->due < next ? run->due : next;
    }
    return fmax(next - date_clock(), 0);
}

void serve_runs_free(struct serve *serve)
{
    for (uint32_t i = 0; i < serve->n_runs; i++) {
        run_forget(serve, serve->runs[i]);
        serve_heat_free(&serve->runs[i]->heat);
        top_run_free(&serve->runs[i]->top);
        free(serve->runs[i]->found);
        free(serve->runs[i]);
    }
}
