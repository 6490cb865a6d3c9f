/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * task_sums.c - computes the statistics of a task trace, and writes them as JSON; see tasks.h.
 *
 * The record of a task's end states all facts about the task, so no state per task is needed.
 * Within a PE, such records come in the order of time, and an LP is on one PE. Therefore the
 * intervals of each place come in ascending order of their ends, as ws_busy_add() requires.
 */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/cell.h"
#include "data/known.h"
#include "figures/tasks.h"
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

/* Returns the entry with this number, which ws_intern_add() has assigned. Creates the entry, of
 * size bytes, if it is new. Returns NULL if memory is exhausted. */
static void *entry_of(struct ws_tasks *t, struct ws_entries *entries, uint32_t number, size_t size)
{
    if (!array_reserve_zero(&entries->list, &entries->room, number + 1u, sizeof *entries->list)) {
        t->no_memory = true;
        return NULL;
    }
    assert(number < entries->room);
    if (entries->list[number] == NULL) {
        entries->list[number] = calloc(1, size);
        t->no_memory |= entries->list[number] == NULL;
    }
    return entries->list[number];
}

static void entries_free(struct ws_entries *entries)
{
    for (uint32_t i = 0; i < entries->room; i++) {
        free(entries->list[i]);
    }
    free(entries->list);
}

size_t ws_tasks_key(char key[WS_TASKS_KEY], const int64_t *lp, const char *kind, const char *text)
{
    size_t begin = lp == NULL ? 0 : sizeof *lp;
    if (lp != NULL) {
        memcpy(key, lp, begin);
    }
    return (size_t)(stpcpy(stpcpy(key + begin, kind) + 1, text) - key);
}

static struct ws_tasks_group *group_of(struct ws_tasks *t)
{
    char key[WS_TASKS_KEY];
    size_t size = ws_tasks_key(key, NULL, t->row.kind, t->row.what);
    uint32_t number = ws_intern_add(&t->names, key, size, WS_TASKS_GROUPS);
    return number == WS_NAMES_NONE ? &t->others
                                   : entry_of(t, &t->groups, number, sizeof(struct ws_tasks_group));
}

static struct ws_tasks_place *place_of(struct ws_tasks *t)
{
    char key[WS_TASKS_KEY];
    size_t size = ws_tasks_key(key, &t->row.id.lp, t->row.kind, t->row.where);
    uint32_t number = ws_intern_add(&t->place_names, key, size, WS_TASKS_PLACES);
    if (number == WS_NAMES_NONE) {
        t->left_out++;
        return NULL;
    }
    struct ws_tasks_place *place = entry_of(t, &t->places, number, sizeof(struct ws_tasks_place));
    if (place != NULL) {
        place->lp = t->row.id.lp;
    }
    return place;
}

/* Notes which texts there are, for the answer to a filter that chooses no task. */
static void texts_note(struct ws_tasks *t, const struct ws_task_row *row)
{
    const struct ws_tasks_filter filters[3] = {
        {.kind = t->filter->kind}, {.what = t->filter->what}, {.where = t->filter->where}};
    const char *const texts[3] = {row->kind, row->what, row->where};
    for (int i = 0; i < 3; i++) {
        bool given = filters[i].kind != NULL || filters[i].what != NULL || filters[i].where != NULL;
        if (given && !t->matched[i]) {
            t->matched[i] = ws_tasks_fits(&filters[i], row);
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
    struct ws_tasks_place *place = place_of(t);
    if (place != NULL) {
        place->ended++;
        place->total += row->vt - row->start;
        ws_busy_add(&place->busy, row->start > t->from ? row->start : t->from, row->vt);
    }
}

static bool part_add(struct ws_file *file, const struct ws_part *part, void *ctx)
{
    struct ws_tasks *t = ctx;
    (void)file;
    uint32_t row = 0;
    while (!t->no_memory && ws_task_row_next(&t->row, part, &row, t->descs, &t->unreadable)) {
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
    t->descs = &file->descs;
    t->to = ws_tasks_run_end(file);
    t->first = file->virtual_time.min;
    if (select->by_time) {
        t->from = select->from > 0.0 ? select->from : 0.0;
        t->to = select->has_to && select->to < t->to ? select->to : t->to;
    }
    ws_scan(file, select, NULL, part_add, t);
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
    entries_free(&t->groups);
    entries_free(&t->places);
    ws_intern_free(&t->names);
    ws_intern_free(&t->place_names);
    free(t);
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
    for (uint32_t i = 0; i < t->names.n && i < t->groups.room; i++) {
        if (t->groups.list[i] != NULL) {
            group_json(json, t->names.names[i], t->groups.list[i]);
        }
    }
    if (t->others.begun + t->others.ended > 0) {
        group_json(json, "(others)\0", &t->others);
    }
    json_array_close(json);
    json_array_open(json, "places");
    for (uint32_t i = 0; i < t->place_names.n && i < t->places.room; i++) {
        if (t->places.list[i] != NULL) {
            place_json(json, ws_tasks_place_kind(t, i), t->places.list[i]);
        }
    }
    json_array_close(json);
}
