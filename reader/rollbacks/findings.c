/* SPDX-License-Identifier: BSD-3-Clause */
/* findings.c - states the results in sentences, the most important ones first; see rollbacks.h. */
#include <inttypes.h>
#include <math.h>

#include "render/plot.h"
#include "rollbacks/rollbacks.h"

const char *rollbacks_reason_words(enum rollbacks_reason reason)
{
    static const char *const words[REASONS] = {
        [REASON_MESSAGE] = "slow message", [REASON_RANK] = "slow rank",
        [REASON_AHEAD] = "too far ahead",  [REASON_LOCAL] = "own PE",
        [REASON_NONE] = "no straggler",    [REASON_UNKNOWN] = "not in the trace",
    };
    return words[reason];
}

bool rollbacks_agree(const struct rollbacks *r)
{
    return r->engine.known && r->engine.primary == r->primary &&
           r->engine.secondary == r->secondary && r->engine.undone == r->undone;
}

static double share(uint64_t a, uint64_t b)
{
    return 100.0 * (double)a / fmax(1.0, (double)b);
}

static void totals_find(struct doc *doc, const struct rollbacks *r)
{
    char n[WS_COUNT_MAX], undone[WS_COUNT_MAX], time[WS_COUNT_MAX], roots[WS_COUNT_MAX];
    char times[2 * WS_COUNT_MAX] = "";
    if (r->is_timed) {
        snprintf(times, sizeof times, ", %s of handler time",
                 ws_seconds_text(time, (double)r->ns * 1e-9));
    }
    doc_say(doc, "%s rollbacks in %s cascades undid %s events%s.", ws_count_text(n, r->n_nodes),
            ws_count_text(roots, r->n_trees), ws_count_text(undone, r->undone), times);
    if (!r->engine.known) {
        doc_say(doc, "The file does not have the totals of the engine: the run did not end "
                     "in order, or its trace is of an earlier version.");
    } else if (rollbacks_agree(r)) {
        doc_say(doc, "The sums of the trace equal the totals of the engine.");
    } else {
        doc_say(doc,
                "The engine counted %s rollbacks and %s undone events: some rollbacks are "
                "not in the trace (--trace-lps, --trace-from, the model's callback, a change "
                "of the run), "
                "or a signal undid events without a rollback.",
                ws_count_text(n, r->engine.primary + r->engine.secondary),
                ws_count_text(undone, r->engine.undone));
    }
}

static void broken_find(struct doc *doc, const struct rollbacks *r)
{
    char n[WS_COUNT_MAX];
    if (r->broken > 0) {
        doc_say(doc,
                "%s cascades begin with a secondary rollback, whose cause is not in the "
                "trace.",
                ws_count_text(n, r->broken));
    }
    if (r->disorder > 0) {
        doc_say(doc, "The numbers of %s rollbacks are out of order: the file is damaged.",
                ws_count_text(n, r->disorder));
    }
}

static void rank_find(struct doc *doc, const struct rollbacks *r)
{
    for (uint32_t pe = 0; pe < r->n_pes; pe++) {
        double part = share(r->pes[pe].late[SUM_UNDONE], r->undone);
        if (rollbacks_lags(r, pe) && part >= 10.0) {
            doc_say(doc,
                    "PE %" PRIu32 " lags: stragglers that it sent after their receivers had "
                    "passed their time led to %.1f %% of the undone events. Give it fewer "
                    "events, or a processor of its own.",
                    pe, part);
        }
    }
}

static void reasons_find(struct doc *doc, const struct rollbacks *r)
{
    char median[WS_COUNT_MAX];
    double message = share(r->reasons[REASON_MESSAGE][SUM_UNDONE], r->undone);
    double ahead = share(r->reasons[REASON_AHEAD][SUM_UNDONE], r->undone);
    double none = share(r->reasons[REASON_NONE][SUM_UNDONE], r->undone);
    if (message >= 10.0) {
        doc_say(doc,
                "Slow messages led to %.1f %% of the undone events: they were sent in time "
                "and then under way, for %s in the median of all stragglers. Ranks look "
                "for messages after each batch (--batch).",
                message, ws_seconds_text(median, ws_histogram_quantile(&r->travel, 0.5)));
    }
    if (ahead >= 10.0) {
        doc_say(doc,
                "Receivers that were too far ahead of ranks which do not lag led to %.1f %% "
                "of the undone events.",
                ahead);
    }
    if (none >= 1.0) {
        doc_say(doc,
                "Rollbacks without a straggler led to %.1f %% of the undone events: "
                "--random-rollbacks, or returns to GVT for memory, checkpoints, requests "
                "or g_tw_gvt_hook.",
                none);
    }
}

static void bound_find(struct doc *doc, const struct rollbacks *r)
{
    double half = rollbacks_bound(r, 0.5), most = rollbacks_bound(r, 0.9);
    char a[WS_COUNT_MAX], b[WS_COUNT_MAX];
    if (half > 0.0 && most > 0.0) {
        doc_say(doc,
                "--max-opt-lookahead=%s would have avoided half of the events that "
                "stragglers undid themselves, and %s would have avoided 90 %%. Ranks wait "
                "if a bound is too small.",
                ws_number_text(a, half), ws_number_text(b, most));
    } else if (half > 0.0) {
        doc_say(doc,
                "--max-opt-lookahead=%s would have avoided half of the events that "
                "stragglers undid themselves. Ranks wait if a bound is too small.",
                ws_number_text(a, half));
    } else if (r->late.n > 0) {
        doc_say(doc, "No bound on optimism would have avoided half of the events that "
                     "stragglers undid themselves: most had the time of the straggler.");
    }
}

static void cascades_find(struct doc *doc, const struct rollbacks *r)
{
    char n[WS_COUNT_MAX];
    if (r->secondary > 0) {
        doc_say(doc,
                "Secondary rollbacks undid %.1f %% of the events; the deepest cascade has "
                "%s levels.",
                share(r->undone - r->own, r->undone), ws_count_text(n, r->deepest));
    }
}

static void kps_find(struct doc *doc, const struct rollbacks *r)
{
    if (r->kps.n_winners > 1) {
        const struct ws_top_k_entry *e = &r->kps.winners[0];
        double part = share(e->values[SUM_UNDONE], r->undone);
        if (part >= 20.0) {
            doc_say(doc,
                    "Cascades that began in KP %" PRIu64 " of PE %" PRIu64
                    " undid %.1f %% of the events.",
                    e->key & UINT32_MAX, e->key >> 32, part);
        }
    }
}

void rollbacks_findings(struct doc *doc, const struct rollbacks *r)
{
    totals_find(doc, r);
    broken_find(doc, r);
    if (r->n_nodes > 0) {
        rank_find(doc, r);
        reasons_find(doc, r);
        bound_find(doc, r);
        cascades_find(doc, r);
        kps_find(doc, r);
    }
}
