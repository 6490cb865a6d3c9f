/* SPDX-License-Identifier: BSD-3-Clause */
/* source.c - reads the events of a trace and their causes; see predict.h. */
#include <math.h>
#include <stdlib.h>

#include "analyze/open_events.h"
#include "cli/messages.h"
#include "predict/predict.h"

#define NO_CAUSE     UINT32_MAX
#define EVENTS_LEAST 100u

/* The handlers of an LP: their number, and sums of their times and of the medians, in ns. */
struct handlers {
    uint32_t n;
    double taken, typical;
};

struct pass {
    struct predict_source *s;
    struct handlers *lps; /* owned; [LP] */
    uint32_t *cause;      /* owned; [event]; NO_CAUSE: none in the trace */
    double taken;         /* sum of the times of handlers in ns */
};

static void event_take(const struct analyze_event *e, const struct analyze_open *cause,
                       struct analyze_open *now, void *ctx)
{
    struct pass *p = ctx;
    struct predict_source *s = p->s;
    s->at[s->n] = e->ts;
    s->lp[s->n] = e->lp;
    if (s->trace.times.is_timed) {
        const double typical =
            analyze_event_typical(&s->trace.times, e->type, e->payload, e->payload_size);
        struct handlers *of = &p->lps[e->lp];
        s->cost[s->n] = (float)typical;
        s->handlers_ns += typical;
        of->n++;
        of->typical += typical;
        of->taken += (double)e->handler_time;
        p->taken += (double)e->handler_time;
    }
    p->cause[s->n] = cause == NULL ? NO_CAUSE : (uint32_t)cause->number;
    if (e->send_order >= 0 && e->src != e->lp) {
        s->lookahead = fmin(s->lookahead, e->ts - e->send_ts);
    }
    now->number = s->n++;
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
        const struct handlers *of = &p->lps[s->lp[i]];
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
    p.lps = calloc(s->trace.lps.n + 1, sizeof *p.lps);
    bool good =
        (s->at != NULL && s->lp != NULL && s->cost != NULL && p.cause != NULL && p.lps != NULL) ||
        ws_no_memory(NULL);
    good = good && analyze_causes_walk(&s->trace, event_take, &p, &s->missing);
    if (good && s->n == 0) {
        good = ws_refuse(file->path, "no event has a valid LP and valid times", NULL);
    }
    good = good && (effects_find(s, p.cause) || ws_no_memory(NULL));
    if (good) {
        costs_divide(s, &p);
    }
    free(p.lps);
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
