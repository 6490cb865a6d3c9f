/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * times.c - finds typical times of handlers, for events whose handler was not timed; see trace.h.
 *
 * Memory: 16 KiB per payload description if medians are wanted.
 */
#include <stdlib.h>
#include <string.h>

#include "access/facts.h"
#include "access/load.h"
#include "analyze/trace.h"
#include "data/histogram.h"

/* Maximum number of payload descriptions for which medians are found; if there are more, means are
 * used. */
#define MEDIANS_MAX 4096u

struct sums {
    const struct analyze_trace *trace;
    /* Owned; [1 + i]: sum and number of the times of handlers with payload description i; [0]: of
     * those without one. */
    struct sum {
        double sum;
        uint64_t n;
    } * sums;
    /* Owned; distributions of the times, indexed like `sums`; NULL: medians are not wanted. */
    struct ws_histogram *times;
    uint64_t missing;
    double measured; /* sum of measured times in ns, until it suffices */
    struct ws_load load;
};

static bool part_add(struct ws_file *file, const struct ws_part *part, void *ctx)
{
    struct sums *s = ctx;
    double times[WS_LOAD_MAX];
    uint64_t types[WS_LOAD_MAX];
    for (uint32_t row = 0; ws_load_next(&s->load, part, &row);) {
        ws_load_f64(&s->load, s->trace->fields.handler_time, times);
        ws_load_u64(&s->load, s->trace->fields.type, types);
        for (uint32_t i = 0; i < s->load.n; i++) {
            const struct fmt_payload_desc *desc =
                types[i] == 0 ? NULL : fmt_desc_set_find(&file->descs, (uint32_t)types[i]);
            size_t at = desc == NULL ? 0 : (size_t)(desc - file->descs.descs) + 1;
            if (times[i] >= 0.0) {
                s->sums[at].sum += times[i];
                s->sums[at].n++;
                if (s->times != NULL) {
                    ws_histogram_add(&s->times[at], times[i], 1);
                }
            } else {
                s->missing++;
            }
        }
    }
    return true;
}

/* Sets t->means to the means or medians. A payload description without measured handlers gets the
 * mean of all handlers. */
static void means_find(struct analyze_trace *t, const struct sums *s)
{
    double sum = 0.0;
    uint64_t n = 0;
    for (size_t i = 0; i <= t->file->descs.n; i++) {
        sum += s->sums[i].sum;
        n += s->sums[i].n;
    }
    for (size_t i = 0; i <= t->file->descs.n && n > 0; i++) {
        const struct sum *own = &s->sums[i];
        t->means[i] = own->n > 0 ? own->sum / (double)own->n : sum / (double)n;
        if (s->times != NULL && own->n > 0) {
            t->means[i] = ws_histogram_quantile(&s->times[i], 0.5);
        }
    }
    t->is_timed = n > 0;
    t->is_sampled = n > 0 && s->missing > 0;
}

/* Adds up times until they suffice. */
static bool part_measure(struct ws_file *file, const struct ws_part *part, void *ctx)
{
    struct sums *s = ctx;
    double times[WS_LOAD_MAX];
    (void)file;
    for (uint32_t row = 0; ws_load_next(&s->load, part, &row);) {
        ws_load_f64(&s->load, s->trace->fields.handler_time, times);
        for (uint32_t i = 0; i < s->load.n; i++) {
            s->measured += times[i] > 0.0 ? times[i] : 0.0;
        }
    }
    return s->measured < 1e9 * ANALYZE_TIME_LEAST;
}

static bool is_long(const struct analyze_trace *t)
{
    struct fmt_wanted wanted = {.payload = false};
    struct sums *s = calloc(1, sizeof *s);
    if (s == NULL) {
        return false;
    }
    s->trace = t;
    fmt_wanted_add(&wanted, (uint32_t)t->fields.handler_time);
    ws_scan_kind(t->file, t->schema, &wanted, WS_ALL_PES, part_measure, s);
    bool suffices = s->measured >= 1e9 * ANALYZE_TIME_LEAST;
    free(s);
    return suffices;
}

bool analyze_times_find(struct analyze_trace *t)
{
    const char *fact = ws_fact(t->file->sb, "option_event_times");
    size_t n_descs = t->file->descs.n;
    t->means = calloc(n_descs + 1, sizeof *t->means);
    if (t->means == NULL) {
        return false;
    }
    if (t->fields.handler_time < 0 ||
        (fact == NULL && ws_fact(t->file->sb, "option_event_trace") != NULL)) {
        return true;
    }
    t->is_long = is_long(t);
    if (fact != NULL && strcmp(fact, "1") == 0 && !t->is_typical) {
        t->is_timed = true;
        return true;
    }
    struct sums *s = calloc(1, sizeof *s);
    if (s == NULL) {
        return false;
    }
    const bool medians = t->is_typical && n_descs < MEDIANS_MAX;
    s->trace = t;
    s->sums = calloc(n_descs + 1, sizeof *s->sums);
    s->times = medians ? calloc(n_descs + 1, sizeof *s->times) : NULL;
    bool good = s->sums != NULL && (s->times != NULL || !medians);
    if (good) {
        struct fmt_wanted wanted = {.payload = false};
        fmt_wanted_add(&wanted, (uint32_t)t->fields.handler_time);
        ws_want(&wanted, t->fields.type);
        ws_scan_kind(t->file, t->schema, &wanted, WS_ALL_PES, part_add, s);
        means_find(t, s);
    }
    free(s->sums);
    free(s->times);
    free(s);
    return good;
}
