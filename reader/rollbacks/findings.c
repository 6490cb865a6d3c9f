/* SPDX-License-Identifier: BSD-3-Clause */
/* findings.c - states the results in sentences, the most important ones first; see rollbacks.h. */
#include <math.h>

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

/* Returns the share of the undone events that were undone in cascades with this sum. */
static double share_of(const struct rollbacks *r, uint64_t undone)
{
    return (double)undone / fmax(1.0, (double)r->undone);
}

static void totals_find(struct doc *doc, const struct rollbacks *r)
{
    doc_say(doc, "# rollbacks in # cascades undid # events###.", doc_count(r->n_nodes),
            doc_count(r->n_trees), doc_count(r->undone), doc_name(r->is_timed ? ", " : ""),
            doc_if(r->is_timed, doc_seconds((double)r->ns * 1e-9)),
            doc_name(r->is_timed ? " of handler time" : ""));
    if (!r->engine.known) {
        doc_say(doc, "The file does not have the totals of the engine: the run did not end "
                     "in order, or its trace is of an earlier version.");
    } else if (rollbacks_agree(r)) {
        doc_say(doc, "The sums of the trace equal the totals of the engine.");
    } else {
        doc_say(doc,
                "The engine counted # rollbacks and # undone events: some rollbacks are "
                "not in the trace (--trace-lps, --trace-from, the model's callback, a change "
                "of the run), "
                "or a signal undid events without a rollback.",
                doc_count(r->engine.primary + r->engine.secondary), doc_count(r->engine.undone));
    }
}

static void broken_find(struct doc *doc, const struct rollbacks *r)
{
    if (r->broken > 0) {
        doc_say(doc, "# cascades begin with a secondary rollback, whose cause is not in the trace.",
                doc_count(r->broken));
    }
    if (r->disorder > 0) {
        doc_say(doc, "The numbers of # rollbacks are out of order: the file is damaged.",
                doc_count(r->disorder));
    }
}

static void rank_find(struct doc *doc, const struct rollbacks *r)
{
    for (uint32_t pe = 0; pe < r->n_pes; pe++) {
        double part = share_of(r, r->pes[pe].late[SUM_UNDONE]);
        if (rollbacks_lags(r, pe) && part >= 0.1) {
            doc_say(doc,
                    "PE # lags: stragglers that it sent after their receivers had passed their "
                    "time led to # of the undone events. Give it fewer events, or a processor of "
                    "its own.",
                    doc_number(pe), doc_measure(DOC_SHARE, part));
        }
    }
}

static void reasons_find(struct doc *doc, const struct rollbacks *r)
{
    double message = share_of(r, r->reasons[REASON_MESSAGE][SUM_UNDONE]);
    double ahead = share_of(r, r->reasons[REASON_AHEAD][SUM_UNDONE]);
    double none = share_of(r, r->reasons[REASON_NONE][SUM_UNDONE]);
    if (message >= 0.1) {
        doc_say(doc,
                "Slow messages led to # of the undone events: they were sent in time and then "
                "under way, for # in the median of all stragglers. Ranks look for messages after "
                "each batch (--batch).",
                doc_measure(DOC_SHARE, message),
                doc_seconds(ws_histogram_quantile(&r->travel, 0.5)));
    }
    if (ahead >= 0.1) {
        doc_say(doc,
                "Receivers that were too far ahead of ranks which do not lag led to # of the "
                "undone events.",
                doc_measure(DOC_SHARE, ahead));
    }
    if (none >= 0.01) {
        doc_say(doc,
                "Rollbacks without a straggler led to # of the undone events: "
                "--random-rollbacks, or returns to GVT for memory, checkpoints, requests "
                "or g_tw_gvt_hook.",
                doc_measure(DOC_SHARE, none));
    }
}

static void bound_find(struct doc *doc, const struct rollbacks *r)
{
    double half = rollbacks_bound(r, 0.5), most = rollbacks_bound(r, 0.9);
    if (half > 0.0 && most > 0.0) {
        doc_say(doc,
                "--max-opt-lookahead=# would have avoided half of the events that stragglers "
                "undid themselves, and # would have avoided 90 %. Ranks wait if a bound is too "
                "small.",
                doc_real(half), doc_real(most));
    } else if (half > 0.0) {
        doc_say(doc,
                "--max-opt-lookahead=# would have avoided half of the events that stragglers "
                "undid themselves. Ranks wait if a bound is too small.",
                doc_real(half));
    } else if (r->late.n > 0) {
        doc_say(doc, "No bound on optimism would have avoided half of the events that "
                     "stragglers undid themselves: most had the time of the straggler.");
    }
}

static void cascades_find(struct doc *doc, const struct rollbacks *r)
{
    if (r->secondary > 0) {
        doc_say(doc, "Secondary rollbacks undid # of the events; the deepest cascade has # levels.",
                doc_measure(DOC_SHARE, share_of(r, r->undone - r->own)), doc_count(r->deepest));
    }
}

static void kps_find(struct doc *doc, const struct rollbacks *r)
{
    if (r->kps.n_winners > 1) {
        const struct ws_top_k_entry *e = &r->kps.winners[0];
        double part = share_of(r, e->values[SUM_UNDONE]);
        if (part >= 0.2) {
            doc_say(doc, "Cascades that began in KP # of PE # undid # of the events.",
                    doc_number(e->key & UINT32_MAX), doc_number(e->key >> 32),
                    doc_measure(DOC_SHARE, part));
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
