/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * history.c - keeps counts over the latest minutes of a run; see history.h.
 */
#include "top/history.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data/number.h"

#define SPANS        20 /* maximum number of time spans whose rates the estimate compares */
#define SPANS_MIN    4
#define SPAN_SECONDS 5.0 /* usual length of a time span in seconds */

static int64_t bin_of(double real_time)
{
    return (int64_t)(real_time / TOP_STEP) + 1;
}

struct top_step *top_history_at(struct top_history *h, double real_time)
{
    if (!(real_time >= 0 && real_time < 1e12)) {
        return NULL;
    }
    int64_t number = bin_of(real_time), latest = h->any ? bin_of(h->last) : number;
    if (number <= latest - TOP_STEPS) {
        h->first = real_time < h->first ? real_time : h->first;
        return NULL;
    }
    h->first = !h->any || real_time < h->first ? real_time : h->first;
    h->last = !h->any || real_time > h->last ? real_time : h->last;
    h->any = true;
    struct top_step *step = &h->steps[number % TOP_STEPS];
    if (step->number != number) {
        *step = (struct top_step){.number = number, .gvt = NAN};
    }
    return step;
}

void top_history_count(struct top_history *h, double from, double to,
                       const struct ws_counts *counts)
{
    if (!(from >= 0 && to >= from && to < 1e12)) {
        return;
    }
    h->counted = !h->counts || from < h->counted ? from : h->counted;
    h->counts = true;
    int64_t first = bin_of(from), last = bin_of(to);
    first = first > last - TOP_STEPS ? first : last - TOP_STEPS + 1;
    for (int64_t i = last; i >= first; i--) {
        double begin = (double)(i - 1) * TOP_STEP, end = begin + TOP_STEP;
        begin = begin > from ? begin : from;
        end = end < to ? end : to;
        double share = to > from ? (end - begin) / (to - from) : 1;
        struct top_step *step = top_history_at(h, i == last ? to : begin);
        for (int k = 0; step != NULL && k < WS_COUNTS; k++) {
            step->counts.each[k] += share * (double)counts->each[k];
        }
    }
}

void top_history_gvt(struct top_history *h, double real_time, double gvt)
{
    struct top_step *step = top_history_at(h, real_time);
    if (step != NULL && isfinite(gvt)) {
        step->gvt = step->gvt > gvt ? step->gvt : gvt;
    }
}

/* Returns the bin with this number; NULL if it is empty. */
static const struct top_step *step_get(const struct top_history *h, int64_t number)
{
    const struct top_step *step = number < 1 ? NULL : &h->steps[number % TOP_STEPS];
    return step != NULL && step->number == number ? step : NULL;
}

/* Returns the mean advance of GVT per second from bin number `from` to bin number `to`; NaN:
 * unknown. */
static double advance_between(const struct top_history *h, int64_t from, int64_t to)
{
    double first = NAN, last = NAN;
    int64_t first_at = 0, last_at = 0;
    for (int64_t i = from; i <= to; i++) {
        const struct top_step *step = step_get(h, i);
        if (step != NULL && !isnan(step->gvt)) {
            first_at = isnan(first) ? i : first_at;
            first = isnan(first) ? step->gvt : first;
            last_at = i;
            last = step->gvt;
        }
    }
    return last_at > first_at ? (last - first) / ((double)(last_at - first_at) * TOP_STEP) : NAN;
}

void top_history_rates(const struct top_history *h, double until, double seconds,
                       struct top_rates *r)
{
    assert(seconds > 0.0);
    double known = h->counts ? h->counted : h->first;
    int64_t to = bin_of(until), from = bin_of(until - seconds > 0 ? until - seconds : 0);
    int64_t begin = bin_of(known);
    from = from < begin ? begin : from;
    double begun = (double)(from - 1) * TOP_STEP;
    double span = until - (begun > known ? begun : known);
    bool is_known = h->any && h->counts && span > 0;
    *r = (struct top_rates){.advance = h->any ? advance_between(h, from, to) : NAN,
                            .seconds = is_known ? span : 0};
    for (int k = 0; k < WS_COUNTS; k++) {
        for (int64_t i = from; i <= to; i++) {
            const struct top_step *step = step_get(h, i);
            r->of.each[k] += step == NULL ? 0 : step->counts.each[k];
        }
        r->of.each[k] = is_known ? r->of.each[k] / span : NAN;
    }
}

bool top_history_eta(const struct top_history *h, double gvt, double end, struct top_eta *eta)
{
    double rates[SPANS], left = end - gvt;
    unsigned n = 0;
    if (!h->any || !(left >= 0) || isinf(left)) {
        return false;
    }
    int64_t to = bin_of(h->last), begin = bin_of(h->first);
    begin = begin > to - TOP_STEPS + 1 ? begin : to - TOP_STEPS + 1;
    int64_t minute = to - (int64_t)(60 / TOP_STEP), span = (int64_t)(SPAN_SECONDS / TOP_STEP);
    int64_t least = (to - begin) / SPANS, most = (to - begin) / SPANS_MIN;
    span = span < least ? least : span > most ? most : span;
    double rate = advance_between(h, minute > begin ? minute : begin, to);
    if (!(rate > 0)) {
        return false;
    }
    span = span < 1 ? 1 : span;
    for (int64_t i = to - span; i >= begin && n < SPANS; i -= span) {
        double r = advance_between(h, i, i + span);
        if (r > 0) {
            rates[n++] = r;
        }
    }
    qsort(rates, n, sizeof *rates, ws_by_f64);
    eta->likely = left / rate;
    double fast = n >= SPANS_MIN ? rates[n - 1 - n / 10] : rate,
           slow = n >= SPANS_MIN ? rates[n / 10] : rate;
    eta->early = left / (fast > rate ? fast : rate);
    eta->late = left / (slow < rate ? slow : rate);
    return true;
}

/* Returns the mean over `each` bins from bin number `first` on; see top_history_values(). */
static double mean_of(const struct top_history *h, int what, int64_t first, int64_t each)
{
    struct ws_reals sum = {0};
    double gvt = NAN;
    bool any = false;
    for (int64_t i = first; i < first + each; i++) {
        const struct top_step *step = step_get(h, i);
        for (int k = 0; step != NULL && k < WS_COUNTS; k++) {
            sum.each[k] += step->counts.each[k];
        }
        gvt = step != NULL && !isnan(step->gvt) ? step->gvt : gvt;
        any |= step != NULL;
    }
    double share = ws_efficiency(sum.processed, sum.undone);
    return what == TOP_GVT              ? gvt
           : what != TOP_EFFICIENCY     ? sum.each[what] / ((double)each * TOP_STEP)
           : !any || sum.processed <= 0 ? NAN
                                        : fmax(share, 0);
}

void top_history_values(const struct top_history *h, int what, int64_t first, int64_t each,
                        double *values, unsigned n)
{
    assert(n > 0 && each > 0);
    int64_t to = h->any ? bin_of(h->last) - 1 : 0; /* the last bin is incomplete */
    int64_t begin = h->any ? bin_of(h->first) : 1;
    begin = begin > to - TOP_STEPS + 2 ? begin : to - TOP_STEPS + 2;
    for (unsigned i = 0; i < n; i++) {
        int64_t from = first + (int64_t)i * each, end = from + each - 1;
        values[i] = end < begin || end > to ? NAN : mean_of(h, what, from, each);
    }
}

double top_history_picture(const struct top_history *h, bool efficiency, double *values, unsigned n)
{
    assert(n > 0);
    int64_t to = h->any ? bin_of(h->last) - 1 : 0;
    int64_t begin = h->any ? bin_of(h->first) : 1;
    begin = begin > to - TOP_STEPS + 2 ? begin : to - TOP_STEPS + 2;
    int64_t each = to >= begin ? (to - begin + n) / n : 1;
    each = each < 1 ? 1 : each;
    top_history_values(h, efficiency ? TOP_EFFICIENCY : WS_COMMITTED, to - (int64_t)n * each + 1,
                       each, values, n);
    return (double)each * TOP_STEP;
}
