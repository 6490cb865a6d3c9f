/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tasks_text.c - prints the statistics of a task trace as tables.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "render/plot.h"
#include "show/show.h"

static const struct ws_tasks_group *group_at(const struct ws_tasks *t, uint32_t i)
{
    return i < t->groups.room ? t->groups.list[i] : NULL;
}

static const struct ws_tasks_place *place_at(const struct ws_tasks *t, uint32_t i)
{
    return i < t->places.room ? t->places.list[i] : NULL;
}

/* ---- Groups ---------------------------------------------------------------------------------- */

/* A group of tasks, with the two strings that name it. */
struct named {
    const char *kind, *what;
    const struct ws_tasks_group *group;
};

/* Compares groups for qsort(): by kind; within a kind, groups with more ended tasks come first. */
static int by_kind(const void *a, const void *b)
{
    const struct named *x = a, *y = b;
    int order = strcmp(x->kind, y->kind);
    if (order != 0) {
        return order;
    }
    if (x->group->ended != y->group->ended) {
        return x->group->ended < y->group->ended ? 1 : -1;
    }
    return strcmp(x->what, y->what);
}

static void group_row(struct doc_table *t, const struct named *g, bool has_open)
{
    const struct ws_histogram *d = &g->group->durations;
    uint64_t open = g->group->begun + g->group->earlier - g->group->ended;
    bool known = d->n > 0;
    doc_row(t, doc_name(g->what), doc_count(g->group->ended),
            doc_real(known ? ws_histogram_mean(d) : (double)NAN),
            doc_real(known ? ws_histogram_quantile(d, 0.5) : (double)NAN),
            doc_real(known ? ws_histogram_quantile(d, 0.9) : (double)NAN),
            doc_real(known ? ws_histogram_quantile(d, 0.99) : (double)NAN),
            doc_real(known ? d->max : (double)NAN), doc_if(has_open && open > 0, doc_count(open)));
}

/* Prints a table of the groups that have the same kind as list[0] and follow it directly. Returns
 * the number of these groups. n: length of list; top: maximum number of rows. */
static uint32_t kind_print(FILE *out, const struct named *list, uint32_t n, bool has_open,
                           uint32_t top)
{
    struct doc doc = {.n = 0};
    struct doc_table *t =
        doc_table(&doc, "tasks", "", "kind|ended|mean|50 %|90 %|99 %|longest|not ended");
    uint32_t i = 0;
    t->columns[0].heading = list[0].kind;
    t->n_text = top;
    t->more = "--top=N";
    for (; i < n && strcmp(list[i].kind, list[0].kind) == 0; i++) {
        group_row(t, &list[i], has_open);
    }
    doc_print_free(out, &doc);
    return i;
}

static bool groups_print(FILE *out, const struct ws_tasks *t, uint32_t top)
{
    struct named *list = malloc((t->names.n + 1) * sizeof *list);
    uint32_t n = 0;
    if (list == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < t->names.n; i++) {
        const char *name = t->names.names[i];
        if (group_at(t, i) != NULL) {
            list[n++] = (struct named){name, name + strlen(name) + 1, group_at(t, i)};
        }
    }
    qsort(list, n, sizeof *list, by_kind);
    /* If only a part of the run is selected, the numbers of beginnings and ends in it count
     * different tasks. Their difference is then not the number of open tasks. */
    bool has_open = !t->select->by_time;
    for (uint32_t i = 0; i < n;) {
        i += kind_print(out, list + i, n - i, has_open, top);
    }
    struct named others = {"(others)", "more than 1024 kinds", &t->others};
    if (t->others.begun + t->others.ended > 0) {
        kind_print(out, &others, 1, has_open, top);
    }
    if (n == 0) {
        fputs("\n  no tasks\n", out);
    }
    free(list);
    return true;
}

/* ---- Places ---------------------------------------------------------------------------------- */

struct ranked {
    const char *kind, *where;
    double busy;
    const struct ws_tasks_place *place;
};

/* Compares places for qsort(): by kind; within a kind, places with a longer busy time come
 * first. */
static int by_busy(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    int order = strcmp(x->kind, y->kind);
    if (order != 0) {
        return order;
    }
    if (x->busy < y->busy || x->busy > y->busy) {
        return x->busy < y->busy ? 1 : -1;
    }
    if (x->place->lp != y->place->lp) {
        return (uint64_t)x->place->lp < (uint64_t)y->place->lp ? -1 : 1;
    }
    return strcmp(x->where, y->where);
}

/* Prints a table of the places that have the same kind as list[0] and follow it directly. Returns
 * the number of these places. n: length of list; top: maximum number of rows. */
static uint32_t places_of_kind(FILE *out, const struct ranked *list, uint32_t n, double length,
                               uint32_t top)
{
    char words[WS_TASKS_TEXT + 8];
    uint32_t i = 0;
    struct doc doc = {.n = 0};
    struct doc_table *t =
        doc_table(&doc, "places", "", "kind|lp=LP|ended|mean|bound=|busy|of time");
    snprintf(words, sizeof words, "%s at", list[0].kind);
    t->columns[0].heading = words;
    t->n_text = top;
    t->more = "--top=N";
    for (; i < n && strcmp(list[i].kind, list[0].kind) == 0; i++) {
        const struct ws_tasks_place *place = list[i].place;
        doc_row(t, doc_name(list[i].where), doc_number((uint64_t)place->lp),
                doc_count(place->ended), doc_real(place->total / (double)place->ended),
                doc_if(place->busy.at_least, doc_name(">")), doc_real(list[i].busy),
                doc_if(length > 0.0, doc_measure(DOC_PERCENT, 100.0 * list[i].busy / length)));
    }
    doc_print_free(out, &doc);
    return i;
}

static bool places_print(FILE *out, const struct ws_tasks *t, uint32_t top)
{
    struct ranked *list = malloc((t->place_names.n + 1) * sizeof *list);
    uint32_t n = 0;
    if (list == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < t->place_names.n; i++) {
        const struct ws_tasks_place *place = place_at(t, i);
        if (place != NULL) {
            const char *kind = ws_tasks_place_kind(t, i);
            list[n++] =
                (struct ranked){kind, kind + strlen(kind) + 1, ws_busy_length(&place->busy), place};
        }
    }
    qsort(list, n, sizeof *list, by_busy);
    for (uint32_t i = 0; i < n;) {
        i += places_of_kind(out, list + i, n - i, t->to - t->from, top);
    }
    free(list);
    return true;
}

void ws_tasks_text(FILE *out, const struct ws_tasks *t, uint32_t top)
{
    char number[WS_COUNT_MAX];
    if (!groups_print(out, t, top) || !places_print(out, t, top)) {
        fputs("warpscope: out of memory\n", stderr);
        return;
    }
    if (t->steps > 0) {
        fprintf(out, "\n  %s steps\n", ws_count_text(number, t->steps));
    }
    if (t->left_out > 0) {
        fprintf(out, "  %s tasks at further places are not in the tables of places\n",
                ws_count_text(number, t->left_out));
    }
    if (t->unreadable > 0) {
        fprintf(out, "  %s records have no texts that can be read\n",
                ws_count_text(number, t->unreadable));
    }
}
