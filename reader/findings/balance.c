/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * balance.c - rules about load, communication and completeness; see rules.h.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "findings/rules.h"

#define EVENTS_LEAST 1000.0 /* minimum number of events for statements about their distribution */

static bool imbalance(const struct ws_evidence *e, struct ws_finding *f)
{
    double sum = 0.0, most = 0.0;
    uint32_t at = 0;
    for (size_t i = 0; i < e->n_pes; i++) {
        sum += e->pes[i].sum.committed;
        if (e->pes[i].sum.committed > most) {
            most = e->pes[i].sum.committed;
            at = e->pes[i].pe;
        }
    }
    double ratio = most * (double)e->n_pes / sum;
    if (!(sum >= EVENTS_LEAST && ratio >= 1.25) || e->n_pes < 2) {
        return false;
    }
    return ws_found(f, 1.0 - 1.0 / ratio,
                    "Map LPs so that each PE has as many events, not as many LPs, as the "
                    "others.",
                    "The load is uneven: PE %" PRIu32 " commits %.2g times as many events as the "
                    "mean PE.",
                    at, ratio);
}

static bool busiest_lp(const struct ws_evidence *e, struct ws_finding *f)
{
    double part = e->lp_events / e->lps_events;
    if (!(e->lps_events >= EVENTS_LEAST && part >= 0.15) || e->lps < 10 ||
        part < 4.0 / (double)e->lps) {
        return false;
    }
    return ws_found(f, part,
                    "The events of an LP are executed one after another: divide this LP into "
                    "several, or let it get fewer, larger events.",
                    "LP %" PRIu64 " gets %.0f %% of all events, of %" PRIu64 " LPs.", e->lp,
                    ws_percent(part), e->lps);
}

static bool type_traffic(const struct ws_evidence *e, struct ws_finding *f)
{
    double part = e->types_most / e->types_all;
    if (!(e->types_all >= EVENTS_LEAST && part >= 0.4) || e->types < 2 || e->type_from == NULL ||
        e->type_to == NULL ||
        (e->sum.remote == e->sum.remote && e->sum.remote < 0.1 * e->sum.processed)) {
        return false;
    }
    double remote = e->sum.remote / e->sum.processed;
    return ws_found(f, 0.5 * part * (remote == remote ? fmin(1.0, remote) : 0.5),
                    "Map LPs of these types that exchange events to the same PE.",
                    "%.0f %% of remote events go from %.60s to %.60s.", ws_percent(part),
                    e->type_from, e->type_to);
}

static bool remote(const struct ws_evidence *e, struct ws_finding *f)
{
    double part = e->sum.remote / e->sum.processed;
    if (!(e->sum.processed >= EVENTS_LEAST && part >= 0.4) || e->ranks < 2) {
        return false;
    }
    return ws_found(f, 0.3 * part,
                    "Map LPs that exchange events to the same PE, or use fewer ranks: an event "
                    "within a rank costs a fraction of a remote one.",
                    "%.0f %% of the executed events came from another rank.", ws_percent(part));
}

static bool queue_grows(const struct ws_evidence *e, struct ws_finding *f)
{
    double ratio = e->queue_last / (e->queue_first > 1.0 ? e->queue_first : 1.0);
    if (!(e->queue_last >= 1000.0 && ratio >= 2.0 && e->queue_middle > 1.2 * e->queue_first &&
          e->queue_last > 1.2 * e->queue_middle)) {
        return false;
    }
    return ws_found(f, fmin(0.5, 0.05 * ratio),
                    "The model sends more events than it executes: check that what it starts "
                    "also ends. --max-memory=MIB bounds the memory of a rank.",
                    "The pending queue grows during the whole run: from %.3g to %.3g events per "
                    "PE.",
                    e->queue_first, e->queue_last);
}

static bool lookahead(const struct ws_evidence *e, struct ws_finding *f)
{
    double ratio = e->lookahead / e->offset_mean;
    if (e->scheduler != WS_SCHED_CONSERVATIVE || !(ratio < 0.1)) {
        return false;
    }
    ws_found(f, 0.5 * (1.0 - 10.0 * ratio), NULL,
             "The lookahead, %.3g, is small beside the mean offset of events, %.3g.", e->lookahead,
             e->offset_mean);
    if (e->offset_least > 2.0 * e->lookahead) {
        ws_finding_advice(f,
                          "The least offset recorded is %.3g: a greater --cons-lookahead may be "
                          "possible. Or try --synch=3, which does not depend on it.",
                          e->offset_least);
    } else {
        ws_finding_advice(f, "Conservative windows hold few events: try --synch=3, which does not "
                             "depend on lookahead.");
    }
    return true;
}

static bool records_lost(const struct ws_evidence *e, struct ws_finding *f)
{
    static const char *const damage =
        "The file was damaged after recording: take another copy, if there is one. \"warpscope "
        "verify\" lists all damage.";
    double lost = fmax(e->records_lost, 0.0), all = lost + fmax(e->records_damaged, 0.0);
    uint64_t blocks = e->blocks_damaged;
    const char *advice =
        lost > 0.0 || (!(all > 0.0) && blocks == 0)
            ? "--buffer-full=spill or block loses none while recording; check that "
              "the disk has room."
            : damage;
    if (all > 0.0) {
        return ws_found(f, 1.0, advice,
                        "%.0f records are missing in this recording: numbers are too small.", all);
    }
    if (blocks > 0) {
        return ws_found(f, 1.0, advice,
                        "%" PRIu64 " block%s of this recording cannot be read: numbers are too "
                        "small.",
                        blocks, blocks == 1 ? "" : "s");
    }
    return e->loss_unknown &&
           ws_found(f, 1.0, advice, "An unknown number of records is missing in this recording.");
}

static bool incomplete(const struct ws_evidence *e, struct ws_finding *f)
{
    bool damaged = e->records_damaged > 0.0 || e->blocks_damaged > 0;
    return e->pes_open > 0 &&
           ws_found(f, 1.0,
                    damaged ? "\"warpscope verify\" lists all damage. After a kill, \"warpscope "
                              "recover DIR\" adds what was not yet written."
                            : "After a kill, \"warpscope recover DIR\" adds what was not yet "
                              "written.",
                    "%" PRIu32 " PE%s did not end %s part: %s.", e->pes_open,
                    e->pes_open == 1 ? "" : "s", e->pes_open == 1 ? "its" : "their",
                    damaged ? "the file is damaged, the run was killed, or it still goes on"
                            : "the run was killed, or still goes on");
}

const struct ws_rule ws_loss_rules[] = {
    {"incomplete", "rates", incomplete},
    {"records-lost", "rates", records_lost},
    {NULL, NULL, NULL},
};

const struct ws_rule ws_balance_rules[] = {
    {"imbalance", "phases", imbalance},
    {"busiest-lp", "traffic", busiest_lp},
    {"type-traffic", "traffic", type_traffic},
    {"remote", "traffic", remote},
    {"queue-grows", "rates", queue_grows},
    {"lookahead", "offsets", lookahead},
    {NULL, NULL, NULL},
};
