/*
 * tasks_text.c - a trace of tasks as tables for people.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plot.h"
#include "tasks.h"
#include "text.h"

static const struct ws_tasks_group *group_at(const struct ws_tasks *t, uint32_t i)
{
    return i < t->groups.room ? t->groups.list[i] : NULL;
}

static const struct ws_tasks_place *place_at(const struct ws_tasks *t, uint32_t i)
{
    return i < t->places.room ? t->places.list[i] : NULL;
}

/* ---- Groups ------------------------------------------------------------------------------------
 */

/* A group with its name. */
struct named {
    const char *kind, *what;
    const struct ws_tasks_group *group;
};

static int by_kind(const void *a, const void *b)
{
    const struct named *x = a, *y = b;
    int order = strcmp(x->kind, y->kind);
    return order != 0 ? order : strcmp(x->what, y->what);
}

static void quantiles_print(FILE *out, const struct ws_dist *d)
{
    static const double parts[] = {0.5, 0.9, 0.99};
    char number[WS_COUNT_MAX];
    fprintf(out, " %9s", ws_number_fit(number, ws_dist_mean(d), 9));
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        fprintf(out, " %9s", ws_number_fit(number, ws_dist_quantile(d, parts[i]), 9));
    }
    fprintf(out, " %9s\n", ws_number_fit(number, d->n > 0 ? d->max : 0.0, 9));
}

static void group_print(FILE *out, const struct named *g, bool has_open)
{
    char number[WS_COUNT_MAX], words[64], text[2 * WS_TASKS_TEXT + 4];
    snprintf(text, sizeof text, "%s: %s", g->kind, g->what);
    ws_plain_text(words, 25, text);
    uint64_t open = g->group->begun - g->group->ended;
    fprintf(out, "  %-24s %9s", words, ws_count_fit(number, g->group->ended, 9));
    fprintf(out, " %7s", has_open ? ws_count_fit(number, open, 7) : "");
    quantiles_print(out, &g->group->durations);
}

static bool groups_print(FILE *out, const struct ws_tasks *t)
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
    /* Of a part of the run beginnings and ends are not of the same tasks. */
    bool has_open = !t->select->by_time;
    fprintf(out, "\n  %-24s %9s %7s %9s %9s %9s %9s %9s\n", "kind: what", "ended",
            has_open ? "open" : "", "mean", "50 %", "90 %", "99 %", "longest");
    for (uint32_t i = 0; i < n; i++) {
        group_print(out, &list[i], has_open);
    }
    struct named others = {"(others)", "more than 1024 kinds", &t->others};
    if (t->others.begun + t->others.ended > 0) {
        group_print(out, &others, has_open);
    }
    free(list);
    return true;
}

/* ---- Places ------------------------------------------------------------------------------------
 */

struct ranked {
    const char *where;
    double busy;
    const struct ws_tasks_place *place;
};

static int by_busy(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    if (x->busy < y->busy || x->busy > y->busy) {
        return x->busy < y->busy ? 1 : -1;
    }
    if (x->place->lp != y->place->lp) {
        return x->place->lp < y->place->lp ? -1 : 1;
    }
    return strcmp(x->where, y->where);
}

static void place_print(FILE *out, const struct ranked *r, double length)
{
    char number[WS_COUNT_MAX], words[64];
    ws_plain_text(words, 25, r->where);
    fprintf(out, "  %-24s %10" PRId64 " %9s", words, r->place->lp,
            ws_count_fit(number, r->place->ended, 9));
    fprintf(out, " %9s", ws_number_fit(number, r->place->total / (double)r->place->ended, 9));
    fprintf(out, " %c%9s", r->place->busy.at_least ? '>' : ' ', ws_number_fit(number, r->busy, 9));
    if (length > 0.0) {
        fprintf(out, " %8.2f %%", 100.0 * r->busy / length);
    }
    fputc('\n', out);
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
            list[n++] = (struct ranked){t->place_names.names[i] + sizeof(int64_t),
                                        ws_busy_length(&place->busy), place};
        }
    }
    qsort(list, n, sizeof *list, by_busy);
    if (n > 0) {
        fprintf(out, "\n  %-24s %10s %9s %9s %10s %10s\n", "where", "LP", "ended", "mean", "busy",
                "of time");
    }
    for (uint32_t i = 0; i < n && i < top; i++) {
        place_print(out, &list[i], t->to - t->from);
    }
    if (n > top) {
        fprintf(out, "  and %" PRIu32 " more places (--top=N)\n", n - top);
    }
    free(list);
    return true;
}

void ws_tasks_text(FILE *out, const struct ws_tasks *t, uint32_t top)
{
    char number[WS_COUNT_MAX];
    if (!groups_print(out, t) || !places_print(out, t, top)) {
        fputs("warpscope: out of memory\n", stderr);
        return;
    }
    if (t->steps > 0) {
        fprintf(out, "\n  %s steps\n", ws_count_text(number, t->steps));
    }
    if (t->left_out > 0) {
        fprintf(out, "  %s tasks at further places are not in the second table\n",
                ws_count_text(number, t->left_out));
    }
    if (t->unreadable > 0) {
        fprintf(out, "  %s records have no texts that can be read\n",
                ws_count_text(number, t->unreadable));
    }
}
