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
#include <sys/stat.h>
#include <time.h>

#include "access/stream_files.h"
#include "cli/messages.h"
#include "data/cell.h"
#include "data/known.h"
#include "format/control_file.h"
#include "serve/alerts.h"
#include "text/date.h"
#include "text/text_new.h"

#define FIND_EVERY                                                                                 \
    2.0 /* seconds between searches for runs, and between looks at those that have ended */
#define SLICE  0.05 /* seconds for which the records of a run are read at once */
#define SLICES 0.1  /* the same for all runs */

/* ---- Texts ----------------------------------------------------------------------------------- */

struct serve_text *serve_text_make(char *bytes, size_t size)
{
    struct serve_text *text = bytes == NULL ? NULL : malloc(sizeof *text);
    if (text == NULL) {
        free(bytes);
        return NULL;
    }
    *text = (struct serve_text){.users = 1, .bytes = bytes, .size = size};
    return text;
}

void serve_text_drop(struct serve_text *text)
{
    if (text != NULL && --text->users == 0) {
        free(text->bytes);
        free(text);
    }
}

void serve_list_json(struct json_writer *json, const struct serve *serve)
{
    json_array_open(json, NULL);
    for (uint32_t i = 0; i < serve->n_runs; i++) {
        const struct top_run *run = &serve->runs[i]->top;
        const struct top_model *m = &run->model;
        struct top_rates r;
        top_rates_now(run, &r);
        ws_put_object(json, NULL,
                      "run|directory|state|gvt|end_time|elapsed|events_committed|"
                      "committed_per_second|efficiency|ranks|warning",
                      doc_count(i), doc_name(run->folder), doc_name(top_state_word(run)),
                      doc_real(m->gvt), doc_real(run->end_time), doc_real(run->elapsed),
                      doc_count(m->sum.committed), doc_real(r.of.committed),
                      doc_real(ws_efficiency(r.of.processed, r.of.undone)), doc_count(m->n_pes),
                      doc_name(run->warning[0] == '\0' ? NULL : run->warning));
    }
    json_array_close(json);
}

/* Returns an event with this name. write: writes its data, which have no line feeds. */
static struct serve_text *event_make(const char *name, struct serve *serve, struct serve_run *run)
{
    char *bytes = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&bytes, &size);
    struct json_writer json = {.out = out, .compact = true};
    if (out == NULL) {
        return NULL;
    }
    fprintf(out, "event: %s\ndata: ", name);
    if (run != NULL) {
        json_object_open(&json, NULL);
        serve_live_json(&json, &run->live, &run->top, false, NULL);
        json_object_close(&json);
    } else {
        serve_list_json(&json, serve);
    }
    fputc('\n', out); /* the document has ended its own line */
    return fclose(out) == 0 ? serve_text_make(bytes, size) : (free(bytes), NULL);
}

struct serve_text *serve_run_event(struct serve_run *run)
{
    if (run->text == NULL || run->text_version != run->version) {
        serve_text_drop(run->text);
        run->text = event_make("state", NULL, run);
        run->text_version = run->version;
    }
    return run->text;
}

bool serve_list_event(struct serve *serve)
{
    struct serve_text *before = serve->list, *after = event_make("runs", serve, NULL);
    if (after == NULL || (before != NULL && before->size == after->size &&
                          memcmp(before->bytes, after->bytes, after->size) == 0)) {
        serve_text_drop(after);
        return false;
    }
    serve_text_drop(before);
    serve->list = after;
    serve->list_version++;
    return true;
}

/* ---- Finding runs ---------------------------------------------------------------------------- */

static void run_add(struct serve *serve, const char *path, bool is_operand)
{
    for (uint32_t i = 0; i < serve->n_runs; i++) {
        if (strcmp(serve->runs[i]->found, path) == 0 ||
            strcmp(serve->runs[i]->top.folder, path) == 0) {
            return;
        }
    }
    struct serve_run *run = serve->n_runs < SERVE_RUNS_MAX ? calloc(1, sizeof *run) : NULL;
    if (run == NULL) {
        return;
    }
    run->found = strdup(path);
    run->is_operand = is_operand;
    run->live.passes = &serve->passes;
    run->live.control = serve->control;
    if (!top_run_init(&run->top, path) || run->found == NULL) {
        top_run_free(&run->top);
        free(run->found);
        free(run);
        return;
    }
    serve->runs[serve->n_runs++] = run;
}

enum holding { HOLDS_NONE, HOLDS_RUN, HOLDS_PART };

/* Returns what a directory holds: a run, or record files that are part of one. */
static enum holding holding_find(const char *folder)
{
    enum holding holding = HOLDS_NONE;
    DIR *dir = opendir(folder);
    const struct dirent *entry;
    while (dir != NULL && holding == HOLDS_NONE && (entry = readdir(dir)) != NULL) {
        struct ws_part_name name;
        if (ws_part_name_read(&name, entry->d_name)) {
            char *path = text_new("%s/%s", folder, entry->d_name);
            holding = path != NULL && ws_file_is_part(path) ? HOLDS_PART : HOLDS_RUN;
            free(path);
        } else if (ws_ends_with(entry->d_name, CONTROL_FILE_END)) {
            holding = HOLDS_RUN;
        }
    }
    if (dir != NULL) {
        closedir(dir);
    }
    return holding;
}

/* Adds the runs in the subdirectories of an operand. */
static void subfolders_find(struct serve *serve, const char *operand)
{
    struct dirent **entries = NULL;
    const char *before = strcmp(operand, ".") == 0 ? "" : operand;
    bool slash = before[0] != '\0' && before[strlen(before) - 1] != '/';
    int n = scandir(operand, &entries, NULL, alphasort);
    for (int i = 0; i < n; i++) {
        const char *name = entries[i]->d_name;
        char *path = name[0] == '.' ? NULL : text_new("%s%s%s", before, slash ? "/" : "", name);
        enum holding holding = path == NULL ? HOLDS_NONE : holding_find(path);
        if (holding != HOLDS_NONE) {
            run_add(serve, holding == HOLDS_PART ? operand : path, holding == HOLDS_PART);
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
        struct stat st;
        if (stat(operand, &st) != 0) {
            continue;
        }
        if (!S_ISDIR(st.st_mode) || holding_find(operand) != HOLDS_NONE) {
            run_add(serve, operand, true);
        } else {
            subfolders_find(serve, operand);
        }
    }
}

/* ---- Refreshes ------------------------------------------------------------------------------- */

static void run_refresh(struct serve *serve, struct serve_run *run)
{
    const bool was_over = run->is_settled && run->top.state == TOP_ENDED;
    const unsigned followed = run->top.followed;
    top_run_refresh(&run->top, SLICE, run->is_operand);
    if (run->top.state == TOP_READING) {
        run->due = date_clock();
        run->version += run->due - run->shown > serve->interval;
        run->shown = run->due - run->shown > serve->interval ? run->due : run->shown;
        return;
    }
    bool is_over = run->top.state == TOP_ENDED;
    run->version += serve_live_tick(&run->live, &run->top);
    if (!run->is_settled) {
        double began = (double)time(NULL) - (date_clock() - serve->began);
        run->was_over = (is_over || run->top.state == TOP_KILLED) &&
                        run->top.started + run->top.elapsed < began - 1;
        run->is_settled = true;
    }
    if (followed != run->top.followed) { /* another recording, which has events of its own */
        run->was_over = false;
        run->alerted = 0;
        memset(run->alert_at, 0, sizeof run->alert_at);
    }
    serve_alerts_check(serve->alerts, run);
    run->version += !(was_over && is_over && followed == run->top.followed);
    run->due =
        date_clock() + (is_over && serve->interval < FIND_EVERY ? FIND_EVERY : serve->interval);
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
    double left = next - date_clock();
    return left > 0 ? left : 0;
}

void serve_runs_free(struct serve *serve)
{
    for (uint32_t i = 0; i < serve->n_runs; i++) {
        serve_live_free(&serve->runs[i]->live);
        top_run_free(&serve->runs[i]->top);
        serve_text_drop(serve->runs[i]->text);
        free(serve->runs[i]->found);
        free(serve->runs[i]);
    }
    serve_text_drop(serve->list);
}
