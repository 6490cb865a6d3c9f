/* SPDX-License-Identifier: BSD-3-Clause */
/* source.c - reads the events of a trace and their causes; see source.h. */
#include "predict/source.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "analyze/open_events.h"
#include "cli/messages.h"

#define NO_CAUSE     UINT32_MAX
#define EVENTS_LEAST 100u

/* The events of an LP so far. */
struct last {
    double at;      /* of the latest one */
    uint32_t order; /* its ordinal among the events of the LP at this time */
    uint32_t pe;    /* its PE, plus 1; 0: there was no event */
    uint32_t n;
    double taken, typical; /* sums of the times of their handlers, and of the medians, in ns */
};

struct pass {
    struct predict_source *s;
    struct analyze_opens opens;
    struct last *lasts; /* owned; [LP] */
    uint32_t *cause;    /* owned; [event]; NO_CAUSE: none in the trace */
    double taken;       /* sum of the times of handlers in ns */
};

static enum analyze_taken event_take(const struct analyze_event *e, bool must,
                                     const struct analyze_event *ahead, void *ctx)
{
    struct pass *p = ctx;
    struct predict_source *s = p->s;
    struct last *last = &p->lasts[e->lp];
    struct analyze_open *cause;
    if (ahead != NULL && ahead->send_order >= 0) {
        analyze_open_prefetch(&p->opens, ahead->src, ahead->send_ts, (uint32_t)ahead->send_order);
    }
    if (!analyze_cause_find(&p->opens, s->trace.n_pes, e, must, &p->lasts[e->src].pe, &cause)) {
        return ANALYZE_WAITS;
    }
    const bool is_first = last->pe == 0, in_order = is_first || !(e->ts < last->at);
    const bool is_tie = !is_first && analyze_same_time(last->at, e->ts);
    last->at = e->ts;
    last->order = is_tie ? last->order + 1 : 0;
    last->pe = e->pe + 1;
    last->n++;
    s->at[s->n] = e->ts;
    s->lp[s->n] = e->lp;
    if (s->trace.times.is_timed) {
        const double typical =
            analyze_event_typical(&s->trace.times, e->type, e->payload, e->payload_size);
        s->cost[s->n] = (float)typical;
        s->handlers_ns += typical;
        last->typical += typical;
        last->taken += (double)e->handler_time;
        p->taken += (double)e->handler_time;
    }
    p->cause[s->n] = cause == NULL ? NO_CAUSE : (uint32_t)cause->number;
    s->missing += cause == NULL && e->send_order >= 0;
    if (e->send_order >= 0 && e->src != e->lp) {
        s->lookahead = fmin(s->lookahead, e->ts - e->send_ts);
    }
    if (cause != NULL) {
        analyze_cause_leave(&p->opens, cause);
    }
    struct analyze_open now = {
        .ts = e->ts, .lp = e->lp, .order = last->order, .left = e->sent, .number = s->n++};
    if (e->sent > 0 && in_order && !analyze_open_add(&p->opens, &now)) {
        ws_no_memory(NULL);
        return ANALYZE_STOP;
    }
    return ANALYZE_TAKEN;
}

/* Sorts events by their causes. Returns false if memory is exhausted. */
static bool effects_find(struct predict_source *s, const uint32_t *cause)
{
    s->first = calloc((size_t)s->n + 3, sizeof *s->first);
    s->effects = malloc((size_t)s->n * sizeof *s->effects);
    if (s->first == NULL || s->effects == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < s->n; i++) {
        s->first[cause[i] < s->n ? cause[i] + 2 : s->n + 2]++;
    }
    for (uint32_t i = 2; i <= s->n + 1; i++) {
        s->most_effects = s->first[i] > s->most_effects ? s->first[i] : s->most_effects;
        s->first[i] += s->first[i - 1];
    }
    for (uint32_t i = 0; i < s->n; i++) {
        s->effects[s->first[cause[i] < s->n ? cause[i] + 1 : s->n + 1]++] = i;
    }
    return true;
}

/* LPs of a type differ: divides the medians of all events among the LPs as the times of their handlers are. An
 * LP with few events has too few times for that. */
static void costs_divide(struct predict_source *s, const struct pass *p)
{
    const double scale = p->taken > 0.0 ? s->handlers_ns / p->taken : 0.0;
    double sum = 0.0;
    for (uint32_t i = 0; i < s->n && scale > 0.0; i++) {
        const struct last *of = &p->lasts[s->lp[i]];
        s->cost[i] *= of->n >= EVENTS_LEAST ? (float)(scale * of->taken / of->typical) : 1.0f;
        sum += (double)s->cost[i];
    }
    s->handlers_ns = scale > 0.0 ? sum : s->handlers_ns;
}

bool predict_source_read(struct predict_source *s, struct ws_file *file)
{
    struct pass p = {.s = s};
    *s = (struct predict_source){.lookahead = HUGE_VAL};
    if (!analyze_trace_init(&s->trace, file, ANALYZE_NEEDS, true, false)) {
        return false;
    }
    if (s->trace.n_events > PREDICT_EVENTS_MAX) {
        return ws_refuse(file->path, "the trace has more than 134,217,728 events",
                         "record a shorter run of the model, with a smaller --end");
    }
    s->trace.times.is_typical =
        false; /* handler_time is what a handler took, but the medians were found */
    const size_t room = (size_t)s->trace.n_events + 1;
    s->at = malloc(room * sizeof *s->at);
    s->lp = malloc(room * sizeof *s->lp);
    s->cost = malloc(room * sizeof *s->cost);
    p.cause = malloc(room * sizeof *p.cause);
    p.lasts = calloc(s->trace.lps.n + 1, sizeof *p.lasts);
    bool good =
        (s->at != NULL && s->lp != NULL && s->cost != NULL && p.cause != NULL && p.lasts != NULL) ||
        ws_no_memory(NULL);
    good = good &&
           analyze_trace_walk(&s->trace, ANALYZE_READ_TIMES | ANALYZE_READ_CAUSES, event_take, &p);
    if (good && s->n == 0) {
        good = ws_refuse(file->path, "no event has a valid LP and valid times", NULL);
    }
    good = good && (effects_find(s, p.cause) || ws_no_memory(NULL));
    if (good) {
        costs_divide(s, &p);
    }
    analyze_opens_free(&p.opens);
    free(p.lasts);
    free(p.cause);
    return good;
}

void predict_source_free(struct predict_source *s)
{
    analyze_trace_free(&s->trace);
    free(s->at);
    free(s->lp);
    free(s->cost);
    free(s->first);
    free(s->effects);
    *s = (struct predict_source){.n = 0};
}

/* ---- Paths ----------------------------------------------------------------------------------- */

/* The longest path to the latest event of an LP. */
struct end {
    double ns;
    uint32_t event; /* that event, plus 1; 0: there was none */
};

/* Finds the LP that has the greatest part of the path that ends with `event`. before: [event]: the one
 * before it on its path, plus 1. */
static void holder_find(struct predict_path *path, const struct predict_source *s, double engine_ns,
                        const uint32_t *before, uint32_t event, struct end *ends)
{
    for (size_t lp = 0; lp < s->trace.lps.n; lp++) {
        ends[lp].ns = 0;
    }
    for (uint32_t i = event + 1; i > 0; i = before[i - 1]) {
        struct end *of = &ends[s->lp[i - 1]];
        of->ns += s->cost[i - 1] + engine_ns;
        path->lp = of->ns > ends[path->lp].ns ? s->lp[i - 1] : path->lp;
    }
    path->share = path->ns > 0 ? ends[path->lp].ns / path->ns : 0;
}

bool predict_path_find(struct predict_path *path, const struct predict_source *s, double engine_ns,
                       const uint32_t *rank_of, double remote_ns)
{
    double *reach = calloc(s->n, sizeof *reach); /* [event]: length of the path by its cause */
    uint32_t *before = calloc(s->n, sizeof *before);
    struct end *ends = calloc(s->trace.lps.n, sizeof *ends);
    const bool good = reach != NULL && before != NULL && ends != NULL;
    uint32_t last = 0;
    *path = (struct predict_path){.lp = good ? s->lp[0] : 0};
    for (uint32_t i = 0; good && i < s->n; i++) {
        struct end *end = &ends[s->lp[i]];
        const bool by_cause = reach[i] > end->ns;
        before[i] = by_cause ? before[i] : end->event;
        *end = (struct end){(by_cause ? reach[i] : end->ns) + s->cost[i] + engine_ns, i + 1};
        if (end->ns > path->ns) {
            path->ns = end->ns;
            last = i;
        }
        for (uint32_t k = s->first[i]; k < s->first[i + 1]; k++) {
            const uint32_t to = s->effects[k];
            const bool is_remote = rank_of != NULL && rank_of[s->lp[i]] != rank_of[s->lp[to]];
            reach[to] = end->ns + (is_remote ? remote_ns : 0);
            before[to] = i + 1;
        }
    }
    if (good) {
        holder_find(path, s, engine_ns, before, last, ends);
    }
    free(reach);
    free(before);
    free(ends);
    return good;
}
