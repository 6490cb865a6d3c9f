/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * task_sums.c - computes the statistics of a task trace, of the whole run and over virtual time, and writes
 * them as JSON; see tasks.h and over_time.h.
 *
 * The record of a task's end states all facts about the task, so no state per task is needed.
 * Within a PE, such records come in the order of time, and an LP is on one PE. Therefore the
 * intervals of each place come in ascending order of their ends, as ws_busy_add() requires.
 */
#include <assert.h>
#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/cell.h"
#include "data/known.h"
#include "figures/over_time.h"
#include "store/array.h"

/* ---- Busy time ------------------------------------------------------------------------------- */

/* Settles the older half of the intervals, to make space for new ones. */
static void settle(struct ws_busy *busy)
{
    assert(busy->n == WS_TASKS_SPANS);
    uint32_t half = WS_TASKS_SPANS / 2;
    for (uint32_t i = 0; i < half; i++) {
        busy->settled += busy->spans[i].end - busy->spans[i].start;
    }
    busy->settled_to = busy->spans[half - 1].end;
    busy->n -= half;
    memmove(busy->spans, busy->spans + half, busy->n * sizeof *busy->spans);
}

void ws_busy_add(struct ws_busy *busy, double start, double end)
{
    bool is_first = busy->n == 0 && !(busy->settled > 0.0);
    if (!is_first && start < busy->settled_to && busy->settled > 0.0) {
        busy->at_least = true;
        start = busy->settled_to;
    }
    if (!(start <= end) || !isfinite(end - start) ||
        (busy->n > 0 && busy->spans[busy->n - 1].end > end)) {
        /* The interval is out of order: the file does not come from Warpscope. */
        busy->at_least |= !is_first;
        return;
    }
    while (busy->n > 0 && busy->spans[busy->n - 1].end >= start) {
        busy->n--;
        start = busy->spans[busy->n].start < start ? busy->spans[busy->n].start : start;
    }
    if (busy->n == WS_TASKS_SPANS) {
        settle(busy);
    }
    busy->spans[busy->n++] = (struct ws_busy_span){start, end};
}

double ws_busy_length(const struct ws_busy *busy)
{
    assert(busy->n <= WS_TASKS_SPANS);
    double length = busy->settled;
    for (uint32_t i = 0; i < busy->n; i++) {
        length += busy->spans[i].end - busy->spans[i].start;
    }
    return length;
}

/* ---- Statistics ------------------------------------------------------------------------------ */

/* Writes to key the name of a group, or with *lp that of a place, and returns its size in bytes. text:
 * `what` of the group, `where` of the place. */
#define KEY (sizeof(int64_t) + 2 * (WS_TASKS_TEXT + 1))
static size_t key_of(char key[KEY], const int64_t *lp, const char *kind, const char *text)
{
    size_t begin = lp == NULL ? 0 : sizeof *lp;
    if (lp != NULL) {
        memcpy(key, lp, begin);
    }
    return (size_t)(stpcpy(stpcpy(key + begin, kind) + 1, text) - key);
}

/* Returns the group of the current task; NULL if memory is exhausted. */
static struct ws_tasks_group *group_of(struct ws_tasks *t)
{
    char key[KEY];
    size_t size = key_of(key, NULL, t->row.kind, t->row.what);
    uint32_t number = ws_intern_add(&t->names, key, size, WS_TASKS_GROUPS);
    if (number == WS_NAMES_NONE) {
        return &t->others;
    }
    t->no_memory |=
        !array_reserve_zero(&t->groups, &t->groups_room, number + 1u, sizeof *t->groups);
    return t->no_memory ? NULL : &t->groups[number];
}

/* Returns the place of the current task; NULL if there are too many, or memory is exhausted. */
static struct ws_tasks_place *tasks_place_of(struct ws_tasks *t)
{
    char key[KEY];
    size_t size = key_of(key, &t->row.id.lp, t->row.kind, t->row.where);
    uint32_t number = ws_intern_add(&t->place_names, key, size, WS_TASKS_PLACES);
    if (number == WS_NAMES_NONE) {
        t->left_out++;
        return NULL;
    }
    t->no_memory |=
        !array_reserve_zero(&t->places, &t->places_room, number + 1u, sizeof *t->places);
    if (t->no_memory) {
        return NULL;
    }
    t->places[number].lp = t->row.id.lp;
    return &t->places[number];
}

/* Notes which texts there are, for the answer to a filter that chooses no task. */
static void texts_note(struct ws_tasks *t, const struct ws_task_row *row)
{
    const char *const patterns[3] = {t->filter->kind, t->filter->what, t->filter->where};
    const char *const texts[3] = {row->kind, row->what, row->where};
    for (int i = 0; i < 3; i++) {
        if (patterns[i] != NULL && !t->matched[i]) {
            t->matched[i] = fnmatch(patterns[i], texts[i], 0) == 0;
            ws_known_add(t->known[i], sizeof t->known[i], texts[i]);
        }
    }
}

static void row_add(struct ws_tasks *t)
{
    const struct ws_task_row *row = &t->row;
    if (row->what_is == WS_TASK_STEP) {
        t->steps += !row->detail;
        return;
    }
    t->rows++;
    texts_note(t, row);
    struct ws_tasks_group *group = ws_tasks_fits(t->filter, row) ? group_of(t) : NULL;
    if (group == NULL) {
        return;
    }
    /* A whole task that reaches back before the first record has both records. */
    const bool is_earlier = row->start < t->first;
    if (row->what_is == WS_TASK_BEGIN) {
        group->begun++;
        group->earlier -= is_earlier;
        return;
    }
    group->ended++;
    group->earlier += is_earlier;
    ws_histogram_add(&group->durations, row->vt - row->start, 1);
    struct ws_tasks_place *place = tasks_place_of(t);
    if (place != NULL) {
        place->ended++;
        place->total += row->vt - row->start;
        ws_busy_add(&place->busy, row->start > t->from ? row->start : t->from, row->vt);
    }
}

static bool tasks_part_add(const struct ws_part *part, void *ctx)
{
    struct ws_tasks *t = ctx;
    uint32_t row = 0;
    while (!t->no_memory && ws_task_row_next(&t->row, part, &row, &t->unreadable)) {
        row_add(t);
    }
    return !t->no_memory;
}

double ws_tasks_run_end(const struct ws_file *file)
{
    double end = file->virtual_time.max;
    return file->pes_ended > 0 && !(end >= file->end_gvt) ? file->end_gvt : end;
}

struct ws_tasks *ws_tasks_gather(struct ws_file *file, const struct ws_select *select,
                                 const struct ws_tasks_filter *filter)
{
    struct ws_tasks *t = calloc(1, sizeof *t);
    if (t == NULL) {
        return NULL;
    }
    t->filter = filter;
    t->select = select;
    t->to = ws_tasks_run_end(file);
    t->first = file->virtual_time.min;
    if (select->by_time) {
        t->from = select->from > 0.0 ? select->from : 0.0;
        t->to = select->has_to && select->to < t->to ? select->to : t->to;
    }
    ws_scan(file, select, NULL, tasks_part_add, t);
    if (t->no_memory) {
        ws_tasks_free(t);
        return NULL;
    }
    return t;
}

void ws_tasks_free(struct ws_tasks *t)
{
    if (t == NULL) {
        return;
    }
    free(t->groups);
    free(t->places);
    ws_intern_free(&t->names);
    ws_intern_free(&t->place_names);
    free(t);
}

/* ---- Over time ------------------------------------------------------------------------------- */

struct tasks_pass {
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
static void kinds_add(struct tasks_pass *p)
{
    char key[KEY];
    uint32_t number =
        ws_intern_find(&p->tasks->names, key, key_of(key, NULL, p->row.kind, p->row.what));
    for (uint32_t i = 0; number != WS_NAMES_NONE && i < p->run->n_kinds; i++) {
        if (p->run->kinds[i].name == number) {
            ws_dists_add(&p->run->kinds[i].durations,
                         ws_stats_bin(&p->run->cell_axes[WS_VIRTUAL], p->row.vt),
                         p->row.vt - p->row.start);
            return;
        }
    }
}

static bool again_add(const struct ws_part *part, void *ctx)
{
    struct tasks_pass *p = ctx;
    char key[KEY];
    if (ws_task_schema(part->columns->schema) != WS_TASK_END) {
        return true;
    }
    uint64_t unreadable = 0; /* counted by ws_tasks_gather() */
    for (uint32_t i = 0; ws_task_row_next(&p->row, part, &i, &unreadable);) {
        kinds_add(p);
        uint32_t number = ws_intern_find(&p->tasks->place_names, key,
                                         key_of(key, &p->row.id.lp, p->row.kind, p->row.where));
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

/* Chooses the kinds with the largest numbers of tasks. Returns false if out of memory. */
static bool kinds_find(struct ws_figures *run, const struct ws_tasks *tasks)
{
    bool marked[WS_TASKS_GROUPS] = {false}, good = true;
    run->kinds = calloc(WS_TASK_KINDS, sizeof *run->kinds);
    for (uint32_t k = 0; run->kinds != NULL && good && k < WS_TASK_KINDS && k < tasks->names.n;
         k++) {
        uint32_t best = WS_NAMES_NONE;
        for (uint32_t i = 0; i < tasks->names.n; i++) {
            if (!marked[i] &&
                (best == WS_NAMES_NONE || tasks->groups[i].ended > tasks->groups[best].ended)) {
                best = i;
            }
        }
        struct ws_task_kind *kind = &run->kinds[run->n_kinds++];
        struct ws_bars bars = ws_bars_of(&tasks->groups[best].durations, false);
        marked[best] = true;
        kind->name = best;
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
    for (uint32_t i = 0; length > 0.0 && i < tasks->place_names.n; i++) {
        const struct ws_tasks_place *place = &tasks->places[i];
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
    struct tasks_pass *p = calloc(1, sizeof *p);
    bool good = run->busy != NULL && p != NULL && kinds_find(run, file->sums.tasks);
    if (good) {
        p->run = run;
        p->tasks = file->sums.tasks;
        busiest_find(run, file->sums.tasks);
        ws_scan(&file->stream, run->select, NULL, again_add, p);
    }
    free(p);
    return good;
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void group_json(struct json_writer *json, const char *name,
                       const struct ws_tasks_group *group)
{
    const struct ws_histogram *d = &group->durations;
    const double none = (double)NAN; /* of a kind of which no task has ended */
    json_line(json);
    ws_put_object(json, NULL, "kind|what|begun|ended|mean|p50|p90|p99|longest", doc_name(name),
                  doc_name(name + strlen(name) + 1), doc_count(group->begun),
                  doc_count(group->ended), doc_real(d->n > 0 ? ws_histogram_mean(d) : none),
                  doc_real(d->n > 0 ? ws_histogram_quantile(d, 0.5) : none),
                  doc_real(d->n > 0 ? ws_histogram_quantile(d, 0.9) : none),
                  doc_real(d->n > 0 ? ws_histogram_quantile(d, 0.99) : none),
                  doc_real(d->n > 0 ? d->max : none));
}

static void place_json(struct json_writer *json, const char *kind,
                       const struct ws_tasks_place *place)
{
    json_line(json);
    ws_put_object(json, NULL, "kind|where|lp|ended|mean|busy|busy_is_exact", doc_name(kind),
                  doc_name(kind + strlen(kind) + 1), doc_count((uint64_t)place->lp),
                  doc_count(place->ended),
                  doc_real(place->ended > 0 ? place->total / (double)place->ended : 0.0),
                  doc_real(ws_busy_length(&place->busy)), doc_bool(!place->busy.at_least));
}

void ws_tasks_json(struct json_writer *json, const struct ws_tasks *t)
{
    json_put_u64(json, "steps", t->steps);
    json_put_u64(json, "tasks_without_place", t->left_out);
    json_array_open(json, "kinds");
    for (uint32_t i = 0; i < t->names.n; i++) {
        group_json(json, t->names.names[i], &t->groups[i]);
    }
    if (t->others.begun + t->others.ended > 0) {
        group_json(json, "(others)\0", &t->others);
    }
    json_array_close(json);
    json_array_open(json, "places");
    for (uint32_t i = 0; i < t->place_names.n; i++) {
        place_json(json, ws_tasks_place_kind(t, i), &t->places[i]);
    }
    json_array_close(json);
}
