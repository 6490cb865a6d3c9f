/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tables_paths.c - makes the tables of critical path, parallelism and windows; see analyze.h.
 */
#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "analyze/analyze.h"
#include "data/number.h"

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
    const uint64_t first[] = {y->path, y->events, x->number};
    return ws_order(first, (const uint64_t[]){x->path, x->events, y->number}, 3);
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

static struct doc_cell measure(const struct analyze *a, enum analyze_length length, double v)
{
    return doc_measure(analyze_is_time(a, length) ? DOC_SECONDS : DOC_REAL, v);
}

static void length_row(struct doc_table *t, const struct analyze *a, enum analyze_length length)
{
    double latency = length >= ANALYZE_LATENCY_LP ? a->options->latency : 0.0;
    doc_row(t, doc_name(analyze_is_time(a, length) ? "handler time" : "events"),
            doc_name(length % 2 != 0 ? "rank" : "lp"), measure(a, length, latency),
            measure(a, length, analyze_work_of(a, length)),
            measure(a, length, analyze_length_of(a, length)),
            doc_real(analyze_speed_up(a, length)));
}

static void lengths_make(struct doc *doc, const struct analyze *a)
{
    struct doc_table *t = doc_table(doc, "critical_paths", "critical path",
                                    "weight|in_order_on=in order on each|latency=message cost|work|"
                                    "length=longest path|speed_up=speed-up");
    for (int i = 0; i < (int)ANALYZE_LENGTHS; i++) {
        bool has = i < ANALYZE_TIME_LP ||
                   (i < ANALYZE_LATENCY_LP ? a->trace.times.is_timed : a->options->has_latency);
        if (has && (i % 2 == 0 || a->n_ranks > 1)) {
            length_row(t, a, (enum analyze_length)i);
        }
    }
}

static void pes_make(struct doc *doc, const struct analyze *a)
{
    struct doc_table *t =
        doc_table(doc, "ranks_of_run",
                  a->n_ranks < 2       ? NULL
                  : a->rank_of == NULL ? "work of the ranks as they were"
                                       : "work of the ranks of the map",
                  "rank|events|events_share=share|handler_time=handlers|time_share=share");
    t->n_text = 16;
    for (uint32_t pe = 0; pe < a->n_ranks; pe++) {
        const struct analyze_pe *p = &a->pes[pe];
        bool timed = a->trace.times.is_timed;
        doc_row(t, doc_number(pe), doc_count(p->events),
                doc_share((double)p->events, (double)a->events),
                doc_if(timed, doc_seconds((double)p->handler_time * ns)),
                doc_if(timed, doc_share((double)p->handler_time, (double)a->handler_time)));
    }
}

/* ---- On the path ----------------------------------------------------------------------------- */

static void types_make(struct doc *doc, const struct analyze *a)
{
    struct doc_table *t = doc_table(doc, "types", "types of LPs, and the critical path",
                                    "type=type of LP|lps=LPs|events|handler_time=handlers|"
                                    "path_events=on the path|path_share=of its length");
    uint64_t n = a->types.n + 1;
    struct analyze_lp_more *sums = calloc(n, sizeof *sums);
    if (sums == NULL) {
        doc->no_memory = true;
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
        doc_row(
            t, doc_name(analyze_type_name(a, i)), doc_count(sums[i].destinations),
            doc_count(sums[i].sent),
            doc_if(a->trace.times.is_timed, doc_seconds((double)sums[i].sent_self * ns)),
            doc_count(sums[i].path_events),
            doc_measure(DOC_SHARE, analyze_path_part(a, sums[i].path_events, sums[i].path_time)));
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

static void values_make(struct doc *doc, const struct analyze *a)
{
    size_t n;
    struct analyze_place *places = values_sort(a, &n);
    struct doc_table *t = doc_table(
        doc, "values", n > 0 ? "values of the model with most of the critical path" : NULL,
        "type=type of LP|field|(value)|name=value|events|"
        "events_share=share|path_events=on the path|"
        "path_share=of its length");
    t->n_text = a->options->top;
    doc->no_memory |= places == NULL;
    for (size_t i = 0; i < n; i++) {
        uint32_t v = (uint32_t)places[i].number;
        const struct analyze_field *f = &a->fields[places[i].number >> 32];
        const struct analyze_value *value = &a->values[f->first + v];
        const char *name = f->field->names != NULL ? f->field->names[v] : "";
        doc_row(t, doc_name(f->desc->owner), doc_name(f->field->name), doc_count(v),
                name[0] != '\0' ? doc_name(name) : doc_text(doc, "%u", v), doc_count(value->events),
                doc_share((double)value->events, (double)a->events), doc_count(value->path_events),
                doc_measure(DOC_SHARE, analyze_path_part(a, value->path_events, value->path_time)));
    }
    free(places);
}

/* ---- Parallelism ----------------------------------------------------------------------------- */

static void cycles_make(struct doc *doc, const struct analyze *a)
{
    const struct analyze_levels *l = &a->levels;
    struct doc_table *t =
        doc_table(doc, "cycles", NULL, "(from_cycle)|(to_cycle)|(virtual_time)|(events_per_cycle)");
    size_t bins = l->n < ANALYZE_BINS ? l->n : ANALYZE_BINS;
    for (size_t b = 0; b < bins; b++) {
        size_t from = b * l->n / bins, to = (b + 1) * l->n / bins;
        double events = 0.0, times = 0.0;
        for (size_t i = from; i < to; i++) {
            events += l->list[i].events;
            times += l->list[i].times;
        }
        uint64_t first = (uint64_t)from << l->shift, end = (uint64_t)to << l->shift;
        end = end < a->lengths[ANALYZE_EVENTS_LP] ? end : a->lengths[ANALYZE_EVENTS_LP];
        doc_row(t, doc_count(first + 1), doc_count(end), doc_real(times / fmax(events, 1.0)),
                doc_real(events / fmax((double)(end - first), 1.0)));
    }
}

/* Adds the table of parallelism over virtual time. A cycle counts at the mean virtual time of its
 * events. */
static void parallelism_make(struct doc *doc, const struct analyze *a)
{
    const struct analyze_levels *l = &a->levels;
    double events[ANALYZE_BINS] = {0}, cycles[ANALYZE_BINS] = {0};
    double step = (a->last_ts - a->first_ts) / ANALYZE_BINS;
    struct doc_table *t =
        doc_table(doc, "parallelism", NULL, "(from)|(to)|(cycles)|(events)|(events_per_cycle)");
    if (!(step > 0.0) || !isfinite(step)) {
        return;
    }
    for (size_t i = 0; i < l->n; i++) {
        double at = (l->list[i].times / fmax(l->list[i].events, 1.0) - a->first_ts) / step;
        size_t b = at > 0.0 ? (at < ANALYZE_BINS ? (size_t)at : ANALYZE_BINS - 1) : 0;
        events[b] += l->list[i].events;
        cycles[b] += (double)(1u << l->shift);
    }
    for (uint32_t b = 0; b < ANALYZE_BINS; b++) {
        doc_row(t, doc_real(a->first_ts + b * step), doc_real(a->first_ts + (b + 1) * step),
                doc_real(cycles[b]), doc_real(events[b]),
                doc_if(cycles[b] > 0.0, doc_real(events[b] / cycles[b])));
    }
}

/* Adds the table of cycles, grouped by their number of events. Each row stands for the cycles whose
 * number of events is between two successive powers of two. */
static void widths_make(struct doc *doc, const struct analyze *a)
{
    const struct analyze_levels *l = &a->levels;
    uint64_t cycles[64] = {0}, events[64] = {0};
    struct doc_table *t = doc_table(doc, "widths", "events that could run at once",
                                    "from|to|cycles|cycles_share=share|events|events_share=share");
    for (size_t i = 0; i < l->n; i++) {
        uint64_t width = l->list[i].events >> l->shift;
        unsigned bin = width > 1 ? 63u - (unsigned)__builtin_clzll(width) : 0;
        cycles[bin] += (uint64_t)1 << l->shift;
        events[bin] += l->list[i].events;
    }
    for (unsigned bin = 0; bin < 64; bin++) {
        if (cycles[bin] == 0) {
            continue;
        }
        doc_row(t, doc_count((uint64_t)1 << bin), doc_count(((uint64_t)2 << bin) - 1),
                doc_count(cycles[bin]),
                doc_measure(DOC_SHARE, (double)cycles[bin] / (double)((uint64_t)l->n << l->shift)),
                doc_count(events[bin]), doc_share((double)events[bin], (double)a->events));
    }
}

static void windows_make(struct doc *doc, const struct analyze *a)
{
    struct doc_table *t = doc_table(
        doc, "windows", a->n_windows > 0 ? "windows of conservative execution" : NULL,
        "lookahead|windows|events|lps=LPs|widest|ones_share=of 1 event|speed_up=speed-up");
    t->note = "beyond the least offset between LPs: if the model had such a lookahead";
    for (uint32_t i = 0; i < a->n_windows; i++) {
        const struct analyze_window *w = &a->windows[i];
        double n = fmax(1.0, (double)w->windows);
        doc_row(t, doc_real(w->lookahead), doc_count(w->windows), doc_real((double)w->events / n),
                doc_real((double)w->lps / n), doc_count(w->widest),
                doc_measure(DOC_SHARE, (double)w->ones / n),
                doc_real(fmin((double)w->events / fmax(1.0, (double)w->steps),
                              analyze_speed_up(a, ANALYZE_EVENTS_LP))));
    }
}

void analyze_tables_paths(struct doc *doc, const struct analyze *a)
{
    lengths_make(doc, a);
    pes_make(doc, a);
    types_make(doc, a);
    values_make(doc, a);
    cycles_make(doc, a);
    parallelism_make(doc, a);
    widths_make(doc, a);
    windows_make(doc, a);
}
