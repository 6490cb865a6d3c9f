/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tables_paths.c - makes the tables of critical path, parallelism and windows; see output.h.
 */
#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "analyze/output.h"

static const double ns = 1e-9;

bool analyze_is_time(const struct analyze *a, enum analyze_length length)
{
    return length == ANALYZE_TIME_LP || length == ANALYZE_TIME_RANK ||
           (length >= ANALYZE_LATENCY_LP && a->options->latency_time);
}

static double unit_of(const struct analyze *a, enum analyze_length length)
{
    assert(length < ANALYZE_LENGTHS);
    return analyze_is_time(a, length)     ? ns
           : length >= ANALYZE_LATENCY_LP ? 1.0 / ANALYZE_EVENT_UNITS
                                          : 1.0;
}

double analyze_length_of(const struct analyze *a, enum analyze_length length)
{
    assert(length < ANALYZE_LENGTHS);
    return (double)a->lengths[length] * unit_of(a, length);
}

double analyze_work_of(const struct analyze *a, enum analyze_length length)
{
    return analyze_is_time(a, length) ? (double)a->handler_time * ns : (double)a->events;
}

double analyze_speed_up(const struct analyze *a, enum analyze_length length)
{
    double l = analyze_length_of(a, length);
    return l > 0.0 ? analyze_work_of(a, length) / l : 0.0;
}

double analyze_busiest(const struct analyze *a, enum analyze_length length)
{
    assert(length < ANALYZE_LENGTHS);
    uint64_t most = 0;
    for (uint32_t pe = 0; pe < a->n_ranks; pe++) {
        uint64_t work = analyze_is_time(a, length) ? a->pes[pe].handler_time : a->pes[pe].events;
        most = work > most ? work : most;
    }
    return (double)most * (analyze_is_time(a, length) ? ns : 1.0);
}

double analyze_path_part(const struct analyze *a, uint64_t events, uint64_t time)
{
    if (a->path_of == ANALYZE_TIME_LP && a->path_time > 0) {
        return (double)time / (double)a->path_time;
    }
    return a->path_events > 0 ? (double)events / (double)a->path_events : 0.0;
}

static int by_path(const void *a, const void *b)
{
    const struct analyze_place *x = a, *y = b;
    if (x->path != y->path) {
        return x->path > y->path ? -1 : 1;
    }
    if (x->events != y->events) {
        return x->events > y->events ? -1 : 1;
    }
    return x->number < y->number ? -1 : x->number > y->number;
}

void analyze_places_sort(struct analyze_place *places, size_t n)
{
    if (n > 0) {
        qsort(places, n, sizeof *places, by_path);
    }
}

const char *analyze_type_name(const struct analyze *a, uint32_t type)
{
    assert(type <= a->types.n);
    return type == 0 ? "unknown" : a->types.names[type - 1];
}

/* ---- Lengths --------------------------------------------------------------------------------- */

static struct ws_result_cell measure(const struct analyze *a, enum analyze_length length, double v)
{
    return ws_result_real(analyze_is_time(a, length) ? WS_RESULT_SECONDS : WS_RESULT_REAL, v);
}

static void length_row(struct ws_results *tables, struct ws_result_table *t,
                       const struct analyze *a, enum analyze_length length)
{
    static const char *const orders[] = {"lp", "rank"};
    struct ws_result_cell *row = ws_result_row(tables, t);
    bool by_rank = length % 2 != 0;
    row[0] = ws_result_words(analyze_is_time(a, length) ? "handler time" : "events");
    row[1] = ws_result_words(orders[by_rank]);
    if (length >= ANALYZE_LATENCY_LP) {
        row[2] = measure(a, length, a->options->latency);
    } else {
        row[2] = measure(a, length, 0.0);
    }
    row[3] = measure(a, length, analyze_work_of(a, length));
    row[4] = measure(a, length, analyze_length_of(a, length));
    row[5] = ws_result_real(WS_RESULT_REAL, analyze_speed_up(a, length));
}

static void lengths_make(struct ws_results *tables, const struct analyze *a)
{
    static const struct ws_result_column columns[] = {
        {"weight", "weight"}, {"in_order_on", "in order on each"}, {"latency", "message cost"},
        {"work", "work"},     {"length", "longest path"},          {"speed_up", "speed-up"},
        {NULL, NULL}};
    struct ws_result_table *t = ws_result_begin(tables, "critical_paths", "critical path", columns);
    for (int i = 0; i < (int)ANALYZE_LENGTHS; i++) {
        bool has = i < ANALYZE_TIME_LP ||
                   (i < ANALYZE_LATENCY_LP ? a->trace.is_timed : a->options->has_latency);
        if (has && (i % 2 == 0 || a->n_ranks > 1)) {
            length_row(tables, t, a, (enum analyze_length)i);
        }
    }
}

static void pes_make(struct ws_results *tables, const struct analyze *a)
{
    static const struct ws_result_column columns[] = {
        {"rank", "rank"},          {"events", "events"},
        {"events_share", "share"}, {"handler_time", "handlers"},
        {"time_share", "share"},   {NULL, NULL}};
    struct ws_result_table *t =
        ws_result_begin(tables, "ranks_of_run",
                        a->n_ranks < 2       ? NULL
                        : a->rank_of == NULL ? "work of the ranks as they were"
                                             : "work of the ranks of the map",
                        columns);
    t->n_text = 16;
    for (uint32_t pe = 0; pe < a->n_ranks; pe++) {
        struct ws_result_cell *row = ws_result_row(tables, t);
        const struct analyze_pe *p = &a->pes[pe];
        row[0] = ws_result_count(pe);
        row[1] = ws_result_count(p->events);
        row[2] = ws_result_real(WS_RESULT_SHARE, (double)p->events / (double)a->events);
        if (a->trace.is_timed) {
            row[3] = ws_result_real(WS_RESULT_SECONDS, (double)p->handler_time * ns);
            row[4] = ws_result_real(WS_RESULT_SHARE,
                                    (double)p->handler_time / fmax(1.0, (double)a->handler_time));
        }
    }
}

/* ---- On the path ----------------------------------------------------------------------------- */

static void types_make(struct ws_results *tables, const struct analyze *a)
{
    static const struct ws_result_column columns[] = {{"type", "type of LP"},
                                                      {"lps", "LPs"},
                                                      {"events", "events"},
                                                      {"handler_time", "handlers"},
                                                      {"path_events", "on the path"},
                                                      {"path_share", "of its length"},
                                                      {NULL, NULL}};
    struct ws_result_table *t =
        ws_result_begin(tables, "types", "types of LPs, and the critical path", columns);
    uint64_t n = a->types.n + 1;
    struct analyze_lp_more *sums = calloc(n, sizeof *sums);
    if (sums == NULL) {
        tables->no_memory = true;
        return;
    }
    for (uint64_t i = 0; i < a->n_lps; i++) {
        struct analyze_lp_more *sum = &sums[a->lps[i].type];
        sum->sent += a->lps[i].events;
        sum->sent_self += a->lps[i].handler_time;
        sum->destinations += a->lps[i].events > 0;
        sum->path_events += a->more[i].path_events;
        sum->path_time += a->more[i].path_time;
    }
    for (uint32_t i = 0; i < n; i++) {
        if (sums[i].sent == 0) {
            continue;
        }
        struct ws_result_cell *row = ws_result_row(tables, t);
        row[0] = ws_result_words(analyze_type_name(a, i));
        row[1] = ws_result_count(sums[i].destinations);
        row[2] = ws_result_count(sums[i].sent);
        if (a->trace.is_timed) {
            row[3] = ws_result_real(WS_RESULT_SECONDS, (double)sums[i].sent_self * ns);
        }
        row[4] = ws_result_count(sums[i].path_events);
        row[5] = ws_result_real(WS_RESULT_SHARE,
                                analyze_path_part(a, sums[i].path_events, sums[i].path_time));
    }
    free(sums);
}

/* Returns a sorted list of the field values that occur, and sets *n to its length. The member
 * `number` has the index of the field in its upper 32 bits, and the value in its lower 32 bits. The
 * caller frees the result. Returns NULL if out of memory. */
static struct analyze_place *values_sort(const struct analyze *a, size_t *n)
{
    struct analyze_place *places = malloc((a->n_values + 1) * sizeof *places);
    *n = 0;
    for (uint32_t i = 0; i < a->n_fields && places != NULL; i++) {
        const struct analyze_field *f = &a->fields[i];
        for (uint32_t v = 0; v < f->n && !f->is_number; v++) {
            const struct analyze_value *value = &a->values[f->first + v];
            if (value->events > 0) {
                uint64_t path =
                    a->path_of == ANALYZE_TIME_LP ? value->path_time : value->path_events;
                places[(*n)++] = (struct analyze_place){path, value->events, (uint64_t)i << 32 | v};
            }
        }
    }
    analyze_places_sort(places, *n);
    return places;
}

static void values_make(struct ws_results *tables, const struct analyze *a)
{
    static const struct ws_result_column columns[] = {{"type", "type of LP"},
                                                      {"field", "field"},
                                                      {"value", NULL},
                                                      {"name", "value"},
                                                      {"events", "events"},
                                                      {"events_share", "share"},
                                                      {"path_events", "on the path"},
                                                      {"path_share", "of its length"},
                                                      {NULL, NULL}};
    size_t n;
    struct analyze_place *places = values_sort(a, &n);
    struct ws_result_table *t = ws_result_begin(
        tables, "values", n > 0 ? "values of the model with most of the critical path" : NULL,
        columns);
    t->n_text = a->options->top;
    tables->no_memory |= places == NULL;
    for (size_t i = 0; i < n; i++) {
        uint32_t v = (uint32_t)places[i].number;
        const struct analyze_field *f = &a->fields[places[i].number >> 32];
        const struct analyze_value *value = &a->values[f->first + v];
        const char *name = f->field->names != NULL ? f->field->names[v] : "";
        struct ws_result_cell *row = ws_result_row(tables, t);
        row[0] = ws_result_words(f->desc->owner);
        row[1] = ws_result_words(f->field->name);
        row[2] = ws_result_count(v);
        row[3] = ws_result_words(name[0] != '\0' ? name : ws_result_text(tables, t, "%u", v));
        row[4] = ws_result_count(value->events);
        row[5] = ws_result_real(WS_RESULT_SHARE, (double)value->events / (double)a->events);
        row[6] = ws_result_count(value->path_events);
        row[7] = ws_result_real(WS_RESULT_SHARE,
                                analyze_path_part(a, value->path_events, value->path_time));
    }
    free(places);
}

/* ---- Parallelism ----------------------------------------------------------------------------- */

static void cycles_make(struct ws_results *tables, const struct analyze *a)
{
    static const struct ws_result_column columns[] = {{"from_cycle", NULL},
                                                      {"to_cycle", NULL},
                                                      {"virtual_time", NULL},
                                                      {"events_per_cycle", NULL},
                                                      {NULL, NULL}};
    const struct analyze_levels *l = &a->levels;
    struct ws_result_table *t = ws_result_begin(tables, "cycles", NULL, columns);
    size_t bins = l->n < ANALYZE_BINS ? l->n : ANALYZE_BINS;
    for (size_t b = 0; b < bins; b++) {
        size_t from = b * l->n / bins, to = (b + 1) * l->n / bins;
        double events = 0.0, times = 0.0;
        for (size_t i = from; i < to; i++) {
            events += l->counts[i];
            times += l->times[i];
        }
        uint64_t first = (uint64_t)from << l->shift, end = (uint64_t)to << l->shift;
        end = end < a->lengths[ANALYZE_EVENTS_LP] ? end : a->lengths[ANALYZE_EVENTS_LP];
        struct ws_result_cell *row = ws_result_row(tables, t);
        row[0] = ws_result_count(first + 1);
        row[1] = ws_result_count(end);
        row[2] = ws_result_real(WS_RESULT_REAL, times / fmax(events, 1.0));
        row[3] = ws_result_real(WS_RESULT_REAL, events / fmax((double)(end - first), 1.0));
    }
}

/* Adds the table of parallelism over virtual time. A cycle counts at the mean virtual time of its
 * events. */
static void parallelism_make(struct ws_results *tables, const struct analyze *a)
{
    static const struct ws_result_column columns[] = {{"from", NULL},
                                                      {"to", NULL},
                                                      {"cycles", NULL},
                                                      {"events", NULL},
                                                      {"events_per_cycle", NULL},
                                                      {NULL, NULL}};
    const struct analyze_levels *l = &a->levels;
    double events[ANALYZE_BINS] = {0}, cycles[ANALYZE_BINS] = {0};
    double step = (a->last_ts - a->first_ts) / ANALYZE_BINS;
    struct ws_result_table *t = ws_result_begin(tables, "parallelism", NULL, columns);
    if (!(step > 0.0) || !isfinite(step)) {
        return;
    }
    for (size_t i = 0; i < l->n; i++) {
        double at = (l->times[i] / fmax(l->counts[i], 1.0) - a->first_ts) / step;
        size_t b = at > 0.0 ? (at < ANALYZE_BINS ? (size_t)at : ANALYZE_BINS - 1) : 0;
        events[b] += l->counts[i];
        cycles[b] += (double)(1u << l->shift);
    }
    for (uint32_t b = 0; b < ANALYZE_BINS; b++) {
        struct ws_result_cell *row = ws_result_row(tables, t);
        row[0] = ws_result_real(WS_RESULT_REAL, a->first_ts + b * step);
        row[1] = ws_result_real(WS_RESULT_REAL, a->first_ts + (b + 1) * step);
        row[2] = ws_result_real(WS_RESULT_REAL, cycles[b]);
        row[3] = ws_result_real(WS_RESULT_REAL, events[b]);
        if (cycles[b] > 0.0) {
            row[4] = ws_result_real(WS_RESULT_REAL, events[b] / cycles[b]);
        }
    }
}

/* Adds the table of cycles, grouped by their number of events. Each row stands for the cycles whose
 * number of events is between two successive powers of two. */
static void widths_make(struct ws_results *tables, const struct analyze *a)
{
    static const struct ws_result_column columns[] = {
        {"from", "from"},     {"to", "to"},
        {"cycles", "cycles"}, {"cycles_share", "share"},
        {"events", "events"}, {"events_share", "share"},
        {NULL, NULL}};
    const struct analyze_levels *l = &a->levels;
    uint64_t cycles[64] = {0}, events[64] = {0};
    struct ws_result_table *t =
        ws_result_begin(tables, "widths", "events that could run at once", columns);
    for (size_t i = 0; i < l->n; i++) {
        uint64_t width = l->counts[i] >> l->shift;
        unsigned bin = width > 1 ? 63u - (unsigned)__builtin_clzll(width) : 0;
        cycles[bin] += (uint64_t)1 << l->shift;
        events[bin] += l->counts[i];
    }
    for (unsigned bin = 0; bin < 64; bin++) {
        if (cycles[bin] == 0) {
            continue;
        }
        struct ws_result_cell *row = ws_result_row(tables, t);
        row[0] = ws_result_count((uint64_t)1 << bin);
        row[1] = ws_result_count(((uint64_t)2 << bin) - 1);
        row[2] = ws_result_count(cycles[bin]);
        row[3] = ws_result_real(WS_RESULT_SHARE,
                                (double)cycles[bin] / (double)((uint64_t)l->n << l->shift));
        row[4] = ws_result_count(events[bin]);
        row[5] = ws_result_real(WS_RESULT_SHARE, (double)events[bin] / (double)a->events);
    }
}

static void windows_make(struct ws_results *tables, const struct analyze *a)
{
    static const struct ws_result_column columns[] = {
        {"lookahead", "lookahead"}, {"windows", "windows"},
        {"events", "events"},       {"lps", "LPs"},
        {"widest", "widest"},       {"ones_share", "of 1 event"},
        {"speed_up", "speed-up"},   {NULL, NULL}};
    struct ws_result_table *t = ws_result_begin(
        tables, "windows", a->n_windows > 0 ? "windows of conservative execution" : NULL, columns);
    t->note = "beyond the least offset between LPs: if the model had such a lookahead";
    for (uint32_t i = 0; i < a->n_windows; i++) {
        const struct analyze_window *w = &a->windows[i];
        struct ws_result_cell *row = ws_result_row(tables, t);
        double n = fmax(1.0, (double)w->windows);
        row[0] = ws_result_real(WS_RESULT_REAL, w->lookahead);
        row[1] = ws_result_count(w->windows);
        row[2] = ws_result_real(WS_RESULT_REAL, (double)w->events / n);
        row[3] = ws_result_real(WS_RESULT_REAL, (double)w->lps / n);
        row[4] = ws_result_count(w->widest);
        row[5] = ws_result_real(WS_RESULT_SHARE, (double)w->ones / n);
        row[6] =
            ws_result_real(WS_RESULT_REAL, fmin((double)w->events / fmax(1.0, (double)w->steps),
                                                analyze_speed_up(a, ANALYZE_EVENTS_LP)));
    }
}

void analyze_tables_paths(struct ws_results *tables, const struct analyze *a)
{
    lengths_make(tables, a);
    pes_make(tables, a);
    types_make(tables, a);
    values_make(tables, a);
    cycles_make(tables, a);
    parallelism_make(tables, a);
    widths_make(tables, a);
    windows_make(tables, a);
}
