/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tasks.c - computes the busy time of the busiest places and the durations of tasks over virtual
 * time; see over_time.h. The functions in tasks/ compute the sums over the whole run.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "figures/over_time.h"

struct pass {
    struct ws_figures *run;
    const struct ws_tasks *tasks;
    struct ws_task_row row;
};

/* Adds to the busy time of a place those parts of (start, end] in which the place was not yet
 * busy. */
static void busy_spread(const struct ws_stats_axis *axis, struct ws_busy_place *place, double start,
                        double end)
{
    assert(axis->n <= WS_BINS && place->state.n <= WS_TASKS_SPANS);
    const struct ws_busy *busy = &place->state;
    double at = busy->settled > 0.0 && start < busy->settled_to ? busy->settled_to : start;
    end = end < axis->high ? end : axis->high;
    for (uint32_t i = 0; i <= busy->n; i++) {
        double to = i < busy->n && busy->spans[i].start < end ? busy->spans[i].start : end;
        if (to > at) {
            ws_stats_bins_spread(axis, place->bins, at, to, to - at);
        }
        if (i < busy->n && busy->spans[i].end > at) {
            at = busy->spans[i].end;
        }
    }
}

/* Adds the duration of the task in p->row to the distribution of its kind. */
static void kinds_add(struct pass *p)
{
    char key[WS_TASKS_KEY];
    uint32_t number =
        ws_intern_find(&p->tasks->names, key, ws_tasks_key(key, NULL, p->row.kind, p->row.what));
    for (uint32_t i = 0; number != WS_NAMES_NONE && i < p->run->n_kinds; i++) {
        if (p->run->kinds[i].name == number) {
            ws_dists_add(&p->run->kinds[i].durations,
                         ws_stats_bin(&p->run->cell_axes[WS_VIRTUAL], p->row.vt),
                         p->row.vt - p->row.start);
            return;
        }
    }
}

static bool part_add(struct ws_file *stream, const struct ws_part *part, void *ctx)
{
    struct pass *p = ctx;
    char key[WS_TASKS_KEY];
    if (ws_task_schema(part->columns->schema) != WS_TASK_END) {
        return true;
    }
    uint64_t unreadable = 0; /* counted by ws_tasks_gather() */
    for (uint32_t i = 0; ws_task_row_next(&p->row, part, &i, &stream->descs, &unreadable);) {
        kinds_add(p);
        uint32_t number =
            ws_intern_find(&p->tasks->place_names, key,
                           ws_tasks_key(key, &p->row.id.lp, p->row.kind, p->row.where));
        for (uint32_t b = 0; number != WS_NAMES_NONE && b < p->run->n_busy; b++) {
            if (p->run->busy[b].number == number) {
                double start = p->row.start > p->tasks->from ? p->row.start : p->tasks->from;
                busy_spread(&p->run->axes[WS_VIRTUAL], &p->run->busy[b], start, p->row.vt);
                ws_busy_add(&p->run->busy[b].state, start, p->row.vt);
            }
        }
    }
    return true;
}

/* Returns the index of the unmarked kind of task with the largest number of ended tasks, and marks
 * it. Returns WS_NAMES_NONE if all kinds are marked. */
static uint32_t kind_next(const struct ws_tasks *tasks, bool *marked)
{
    uint32_t best = WS_NAMES_NONE;
    uint64_t most = 0;
    for (uint32_t i = 0; i < tasks->names.n && i < tasks->groups.room; i++) {
        const struct ws_tasks_group *group = tasks->groups.list[i];
        if (group != NULL && !marked[i] && (best == WS_NAMES_NONE || group->ended > most)) {
            best = i;
            most = group->ended;
        }
    }
    if (best != WS_NAMES_NONE) {
        marked[best] = true;
    }
    return best;
}

/* Chooses the kinds with the largest numbers of tasks. Returns false if out of memory. */
static bool kinds_find(struct ws_figures *run, const struct ws_tasks *tasks)
{
    bool marked[WS_TASKS_GROUPS] = {false}, good = true;
    uint32_t name;
    run->kinds = calloc(WS_TASK_KINDS, sizeof *run->kinds);
    while (run->kinds != NULL && good && run->n_kinds < WS_TASK_KINDS &&
           (name = kind_next(tasks, marked)) != WS_NAMES_NONE) {
        const struct ws_tasks_group *group = tasks->groups.list[name];
        struct ws_task_kind *kind = &run->kinds[run->n_kinds++];
        kind->name = name;
        struct ws_bars bars = ws_bars_of(&group->durations, false);
        /* Bars of one bucket each: wider ones can be computed from them. */
        good = ws_dists_init(&kind->durations, bars.first, bars.n * bars.width);
    }
    return run->kinds != NULL && good;
}

/* Inserts a place into the list of the busiest places, if it is one of the WS_BUSY_PLACES busiest so
 * far. */
static void busiest_add(struct ws_figures *run, const struct ws_busy_place *place)
{
    assert(run->n_busy <= WS_BUSY_PLACES);
    uint32_t at = run->n_busy;
    for (; at > 0 && run->busy[at - 1].busy < place->busy; at--) {
        run->busy[at] = run->busy[at - 1]; /* there is room for one more */
    }
    run->busy[at] = *place;
    run->n_busy += run->n_busy < WS_BUSY_PLACES;
}

static void busiest_find(struct ws_figures *run, const struct ws_tasks *tasks)
{
    double length = tasks->to - tasks->from;
    for (uint32_t i = 0; i < tasks->place_names.n && i < tasks->places.room; i++) {
        const struct ws_tasks_place *place = tasks->places.list[i];
        if (place == NULL || !(length > 0.0)) {
            continue;
        }
        const char *kind = ws_tasks_place_kind(tasks, i);
        struct ws_busy_place new = {.busy = ws_busy_length(&place->busy) / length, .number = i};
        snprintf(new.text, sizeof new.text, "%.60s: %.60s (LP %llu)", kind, kind + strlen(kind) + 1,
                 (unsigned long long)place->lp);
        busiest_add(run, &new);
    }
}

bool ws_tasks_over_time(struct ws_figures *run, struct ws_figures_file *file)
{
    run->busy = calloc(WS_BUSY_PLACES + 1, sizeof *run->busy);
    struct pass *p = calloc(1, sizeof *p);
    bool good = run->busy != NULL && p != NULL && kinds_find(run, file->sums.tasks);
    if (good) {
        p->run = run;
        p->tasks = file->sums.tasks;
        busiest_find(run, file->sums.tasks);
        ws_scan(&file->stream, run->select, NULL, part_add, p);
    }
    free(p);
    return good;
}
