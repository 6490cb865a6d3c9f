/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tables.c - prints the statistics of a task trace as tables.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data/number.h"
#include "document/document.h"
#include "render/text.h"
#include "tasks/tasks.h"

/* A group of tasks or a place, which is a row of a table. Each kind of task has a table of its own. */
struct item {
    const char *kind, *name;
    double weight; /* rows with a larger weight come first */
    uint64_t lp;   /* of a place; then rows with a smaller one */
    const struct ws_tasks_group *group;
    const struct ws_tasks_place *place;
};

static int by_kind(const void *a, const void *b)
{
    const struct item *x = a, *y = b;
    int order = strcmp(x->kind, y->kind);
    order = order != 0 ? order : WS_ORDER(y->weight, x->weight);
    order = order != 0 ? order : WS_ORDER(x->lp, y->lp);
    return order != 0 ? order : strcmp(x->name, y->name);
}

static void group_row(struct doc_table *t, const struct item *item, const struct ws_tasks *tasks)
{
    const struct ws_tasks_group *g = item->group;
    const struct ws_histogram *d = &g->durations;
    uint64_t open = g->begun + g->earlier - g->ended;
    /* If only a part of the run is selected, the numbers of beginnings and ends in it count
     * different tasks. Their difference is then not the number of open tasks. */
    bool has_open = open > 0 && !tasks->select->by_time;
    struct doc_cell *cells = doc_row(t, doc_name(item->name), doc_count(g->ended));
    const double values[] = {ws_histogram_mean(d), ws_histogram_quantile(d, 0.5),
                             ws_histogram_quantile(d, 0.9), ws_histogram_quantile(d, 0.99), d->max};
    for (int i = 0; i < 5; i++) {
        cells[2 + i] = doc_real(d->n > 0 ? values[i] : (double)NAN);
    }
    cells[7] = doc_if(has_open, doc_count(open));
}

static void place_row(struct doc_table *t, const struct item *item, const struct ws_tasks *tasks)
{
    const struct ws_tasks_place *p = item->place;
    double length = tasks->to - tasks->from;
    doc_row(t, doc_name(item->name), doc_number(item->lp), doc_count(p->ended),
            doc_real(p->total / (double)p->ended), doc_if(p->busy.at_least, doc_name(">")),
            doc_real(item->weight),
            doc_if(length > 0.0, doc_measure(DOC_PERCENT, 100.0 * item->weight / length)));
}

/* Prints a table for each kind in the list, with at most `top` rows. Sorts the list. */
static void tables_print(FILE *out, const struct ws_tasks *tasks, struct item *list, uint32_t n,
                         uint32_t top)
{
    qsort(list, n, sizeof *list, by_kind);
    for (uint32_t i = 0; i < n;) {
        const struct item *first = &list[i];
        struct doc doc = {.n = 0};
        struct doc_table *t =
            first->place != NULL
                ? doc_table(&doc, "places", "", "kind|lp=LP|ended|mean|bound=|busy|of time")
                : doc_table(&doc, "tasks", "", "kind|ended|mean|50 %|90 %|99 %|longest|not ended");
        t->columns[0].heading =
            doc_text(&doc, first->place != NULL ? "%s at" : "%s", first->kind).as.text;
        t->n_text = top;
        t->more = "--top=N";
        for (; i < n && strcmp(list[i].kind, first->kind) == 0; i++) {
            (first->place != NULL ? place_row : group_row)(t, &list[i], tasks);
        }
        doc_print_free(out, &doc);
    }
}

/* Prints the groups of tasks, or the places. Returns false if out of memory. */
static bool list_print(FILE *out, const struct ws_tasks *t, bool places, uint32_t top)
{
    uint32_t n = places ? t->place_names.n : t->names.n;
    struct item *list = malloc((n + 1) * sizeof *list);
    for (uint32_t i = 0; list != NULL && i < n; i++) {
        const char *kind = places ? ws_tasks_place_kind(t, i) : t->names.names[i];
        list[i] = (struct item){.kind = kind, .name = kind + strlen(kind) + 1};
        if (places) {
            list[i].place = &t->places[i];
            list[i].weight = ws_busy_length(&t->places[i].busy);
            list[i].lp = (uint64_t)t->places[i].lp;
        } else {
            list[i].group = &t->groups[i];
            list[i].weight = (double)t->groups[i].ended;
        }
    }
    if (list != NULL) {
        tables_print(out, t, list, n, top);
        fputs(!places && n == 0 ? "\n  no tasks\n" : "", out);
    }
    free(list);
    return list != NULL;
}

void ws_tasks_text(FILE *out, const struct ws_tasks *t, uint32_t top)
{
    char number[WS_COUNT_MAX];
    struct item others = {.kind = "(others)", .name = "more than 1024 kinds", .group = &t->others};
    bool good = list_print(out, t, false, top);
    tables_print(out, t, &others, t->others.begun + t->others.ended > 0, top);
    if (!good || !list_print(out, t, true, top)) {
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
