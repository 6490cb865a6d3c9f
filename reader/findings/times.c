/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * times.c - rules about phases that take much of the run's time; see rules.h.
 */
#include <inttypes.h>
#include <math.h>

#include "findings/rules.h"

#define SECONDS_LEAST 0.05 /* minimum total time of a PE, in seconds, for the rules to apply */

/* Returns true if a PE spends at least the share `least` of its time in a phase, on what the words `on`
 * say, in a run on at least so many ranks. Sets weight, text and advice of f. */
static bool takes(const struct ws_evidence *e, struct ws_finding *f, enum ws_phase phase,
                  double least, uint32_t ranks, const char *on, const char *advice)
{
    double part;
    const struct ws_evidence_pe *worst = ws_evidence_worst(e, phase, &part);
    return worst != NULL && worst->seconds >= SECONDS_LEAST && part >= least && e->ranks >= ranks &&
           ws_found(f, ws_evidence_part(e, phase), advice,
                    "PE %" PRIu32 " spends %.0f %% of its time %s.", worst->pe, ws_percent(part),
                    on);
}

/* Compares the run with what its work would take on one rank, where no rank waits for another. Time
 * that other programs took is no reason for fewer ranks. */
static bool one_rank(const struct ws_evidence *e, struct ws_finding *f)
{
    if (e->ranks < 2 || !(e->run_seconds >= SECONDS_LEAST) ||
        !(e->alone_seconds < e->run_seconds * (1.0 - e->lost_part) / 1.2)) {
        return false;
    }
    return ws_found(f, 1.0 - e->alone_seconds / e->run_seconds,
                    "Run it with --synch=1, or use more ranks only for a larger problem; the other "
                    "findings name what the rest of the time went to.",
                    "One rank alone would need about %.2g s for handlers and queue; this run took "
                    "%.3g s on %" PRIu32 ".",
                    e->alone_seconds, e->run_seconds, e->ranks);
}

static bool shared(const struct ws_evidence *e, struct ws_finding *f)
{
    if (!(e->run_seconds >= SECONDS_LEAST && e->lost_most >= 0.1) ||
        (e->processors > 0 && e->ranks > e->processors)) { /* "crowded" then names the cause */
        return false;
    }
    return ws_found(f, e->lost_part,
                    "Use no more ranks than there are free processors. Times of this run say as "
                    "much about the other programs as about the model.",
                    "The machine was shared: PE %" PRIu32 " was ready to run, but had no "
                    "processor, for %.0f %% of its time; all PEs for %.0f %%.",
                    e->lost_pe, ws_percent(e->lost_most), ws_percent(e->lost_part));
}

static bool gvt_time(const struct ws_evidence *e, struct ws_finding *f)
{
    bool conservative = e->scheduler == WS_SCHED_CONSERVATIVE;
    return takes(e, f, WS_PHASE_GVT, 0.2, 0, "on GVT: computing it, and waiting for other PEs",
                 conservative
                     ? "Each window of a conservative run needs a GVT computation: a larger "
                       "--cons-lookahead, if the model allows it, fewer ranks, or --synch=3."
                     : "Compute GVT less often with a larger --gvt-interval, use fewer ranks, or "
                       "distribute the LPs more evenly, so that PEs arrive together.");
}

static bool gvt_often(const struct ws_evidence *e, struct ws_finding *f)
{
    double each = e->sum.processed / e->sum.gvts / (e->ranks > 0 ? e->ranks : (double)NAN);
    if (!(e->sum.gvts >= 100.0 && each < 64.0) || e->ranks < 2 ||
        e->scheduler == WS_SCHED_CONSERVATIVE) {
        return false;
    }
    return ws_found(f, 0.05 + 0.1 * (1.0 - each / 64.0),
                    "Leave --gvt-interval out, so that it adapts, or give a larger one; larger "
                    "problems or fewer ranks give each PE more to do in between.",
                    "GVT is computed very often: after every %.2g executed events of a PE.", each);
}

static bool gvt_rare(const struct ws_evidence *e, struct ws_finding *f)
{
    double each = e->sum.processed / e->sum.gvts / (e->ranks > 0 ? e->ranks : (double)NAN);
    if (!(e->sum.gvts >= 1.0 && each > 100000.0) || e->scheduler != WS_SCHED_OPTIMISTIC) {
        return false;
    }
    return ws_found(f, 0.05,
                    "A smaller --gvt-interval commits sooner, which saves memory and cache.",
                    "GVT is computed rarely: after every %.2g executed events of a PE, which stay "
                    "in memory until then.",
                    each);
}

static bool waiting(const struct ws_evidence *e, struct ws_finding *f)
{
    return takes(e, f, WS_PHASE_REST, 0.35, 2, "waiting and scheduling",
                 "Give it more work (map LPs to it), use fewer ranks, and bind each rank to "
                 "a core of its own.");
}

static bool crowded(const struct ws_evidence *e, struct ws_finding *f)
{
    if (e->processors == 0 || e->ranks <= e->processors) {
        return false;
    }
    ws_found(f, 0.5 * (1.0 - (double)e->processors / e->ranks), NULL,
             "%" PRIu32 " ranks shared %" PRIu32 " processor%s.", e->ranks, e->processors,
             e->processors == 1 ? "" : "s");
    ws_finding_advice(f,
                      "A rank without a core lets all others run ahead of it: use at most %" PRIu32
                      " rank%s on this host.",
                      e->processors, e->processors == 1 ? "" : "s");
    return true;
}

static bool network_time(const struct ws_evidence *e, struct ws_finding *f)
{
    return takes(e, f, WS_PHASE_NETWORK, 0.25, 2, "taking in messages",
                 "Map LPs that exchange many events to one PE; within a host, events travel "
                 "fastest with --transport=auto.");
}

static bool state_saving(const struct ws_evidence *e, struct ws_finding *f)
{
    return takes(e, f, WS_PHASE_STATES, 0.15, 0, "saving and restoring states",
                 "Each event of an LP without a reverse handler copies its state: write "
                 "reverse handlers for the types with large states.");
}

static bool recording_time(const struct ws_evidence *e, struct ws_finding *f)
{
    return takes(e, f, WS_PHASE_RECORDS, 0.1, 0, "writing records",
                 "Leave a core to --writer-thread=on, or record less: --trace-lps, a larger "
                 "--num-gvt or --real-time-samp, fewer records of LPs.");
}

static bool phases_exact(const struct ws_evidence *e, struct ws_finding *f)
{
    if (!e->phases_exact) {
        return false;
    }
    return ws_found(f, 0.02, "--phase-times=sampled estimates them at almost no cost.",
                    "All phases were timed exactly, which slows the run down.");
}

const struct ws_rule ws_time_rules[] = {
    {"one-rank", "phases", one_rank},         {"shared", "phases", shared},
    {"gvt-time", "phases", gvt_time},         {"gvt-often", "rates", gvt_often},
    {"gvt-rare", "rates", gvt_rare},          {"waiting", "phases", waiting},
    {"crowded", "phases", crowded},           {"network-time", "phases", network_time},
    {"state-saving", "phases", state_saving}, {"recording-time", "phases", recording_time},
    {"phases-exact", "phases", phases_exact}, {NULL, NULL, NULL},
};
