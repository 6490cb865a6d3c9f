/* SPDX-License-Identifier: BSD-3-Clause */
/* bounds.c - what no run with a placement needs less than; see predict.h. */
#include <stdlib.h>

#include "predict/predict.h"

struct lp {
    double ns;            /* length of the longest path to its latest event */
    uint32_t latest;      /* that event, plus 1; 0: there was none */
    double work, on_path; /* time of its events: of all, and of those on the critical path */
};

struct bounds {
    const struct predict *p;
    const uint32_t *rank_of;
    double *reach; /* owned; [event]: length of the longest path by its cause */
    /* owned; [event]: the one before it on the longest path to it, plus 1; 0: none */
    uint32_t *before;
    struct lp *lps; /* owned */
    double *work;   /* owned; [rank] */
    double path_ns;
    uint32_t path_end, busiest; /* last event of the critical path, plus 1; a rank */
};

static double event_ns(const struct bounds *pass, uint32_t i)
{
    return pass->p->source.cost[i] + pass->p->event_ns;
}

/* Takes the events. Returns the number of those that come from another rank. */
static uint64_t events_take(struct bounds *pass, double remote_ns)
{
    const struct predict_source *s = &pass->p->source;
    uint64_t remote = 0;
    for (uint32_t i = 0; i < s->n; i++) {
        struct lp *lp = &pass->lps[s->lp[i]];
        const uint32_t rank = pass->rank_of[s->lp[i]];
        const bool by_cause = pass->reach[i] > lp->ns;
        const double ns = event_ns(pass, i);
        pass->before[i] = by_cause ? pass->before[i] : lp->latest;
        lp->ns = (by_cause ? pass->reach[i] : lp->ns) + ns;
        lp->latest = i + 1;
        lp->work += ns;
        pass->work[rank] += ns;
        pass->busiest = pass->work[rank] > pass->work[pass->busiest] ? rank : pass->busiest;
        if (lp->ns > pass->path_ns) {
            pass->path_ns = lp->ns;
            pass->path_end = i + 1;
        }
        for (uint32_t k = s->first[i]; k < s->first[i + 1]; k++) {
            const uint32_t to = s->effects[k];
            const bool is_remote = pass->rank_of[s->lp[to]] != rank;
            pass->reach[to] = lp->ns + (is_remote ? remote_ns : 0);
            pass->before[to] = i + 1;
            remote += is_remote;
        }
    }
    return remote;
}

/* Finds the LPs that have most of the path, and most of the work of the busiest rank. */
static void holders_find(struct predict_row *row, const struct bounds *pass)
{
    const struct predict_source *s = &pass->p->source;
    double on_path = 0, work = 0;
    for (uint32_t i = pass->path_end; i > 0; i = pass->before[i - 1]) {
        pass->lps[s->lp[i - 1]].on_path += event_ns(pass, i - 1);
    }
    for (uint32_t i = 0; i < s->trace.lps.n; i++) {
        const struct lp *lp = &pass->lps[i];
        if (lp->on_path > on_path) {
            on_path = lp->on_path;
            row->path_lp = i;
        }
        if (pass->rank_of[i] == pass->busiest && lp->work > work) {
            work = lp->work;
            row->load_lp = i;
        }
    }
    row->path_part = pass->path_ns > 0 ? on_path / pass->path_ns : 0;
    row->load_part = work > 0 ? work / pass->work[pass->busiest] : 0;
}

bool predict_bounds_find(struct predict_row *row, const struct predict *p, const uint32_t *rank_of,
                         double remote_ns)
{
    const struct predict_source *s = &p->source;
    struct bounds pass = {.p = p,
                          .rank_of = rank_of,
                          .reach = calloc(s->n, sizeof *pass.reach),
                          .before = calloc(s->n, sizeof *pass.before),
                          .lps = calloc(s->trace.lps.n, sizeof *pass.lps),
                          .work = calloc(row->ranks, sizeof *pass.work)};
    const bool good =
        pass.reach != NULL && pass.before != NULL && pass.lps != NULL && pass.work != NULL;
    if (good) {
        row->remote = events_take(&pass, remote_ns);
        holders_find(row, &pass);
        row->path_seconds = 1e-9 * pass.path_ns;
        row->load_seconds = 1e-9 * pass.work[pass.busiest];
    }
    free(pass.reach);
    free(pass.before);
    free(pass.lps);
    free(pass.work);
    return good;
}
