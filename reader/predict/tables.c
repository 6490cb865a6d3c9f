/* SPDX-License-Identifier: BSD-3-Clause */
/* tables.c - what was predicted, in sentences and tables; see predict.h. */
#include <math.h>

#include "data/lp_names.h"
#include "predict/predict.h"

static const char *const schedulers[] = {[PREDICT_SEQUENTIAL] = "sequential",
                                         [PREDICT_CONSERVATIVE] = "conservative",
                                         [PREDICT_OPTIMISTIC] = "optimistic"};
static const char *const limits[PREDICT_LIMITS] = {
    "events",   "critical path", "busiest rank", "undone events",
    "messages", "computing GVT", "waiting"};
/* A range is stated where the runs of the machine differ by this factor, and by so many events. */
#define RANGE_WIDE   1.25
#define RANGE_EVENTS 100.0
#define SHORT_NS     200.0 /* shorter handlers are a doubt */

static struct doc_cell lp_cell(const struct predict *p, uint32_t lp)
{
    const struct analyze_trace *t = &p->source.trace;
    return ws_lp_cell(&t->file->descs, id_set_at(&t->lps, lp));
}

/* ---- Findings -------------------------------------------------------------------------------- */

/* Names the fewest ranks whose time is the least one, but for 5 %. */
static void fastest_find(struct doc *doc, const struct predict *p)
{
    const struct predict_row *least = &p->rows[0], *best = &p->rows[0];
    for (uint32_t i = 1; i < p->n; i++) {
        least = p->rows[i].seconds < least->seconds ? &p->rows[i] : least;
    }
    while (best->seconds > 1.05 * least->seconds ||
           (best->ranks == least->ranks && best != least)) {
        best++;
    }
    if (best->ranks == 1) {
        doc_say(doc, "One rank is the fastest: #.", doc_seconds(p->alone_seconds));
    } else {
        doc_say(doc, "#: # # ranks, which need #, # times the speed of one rank with #.",
                doc_name(best == least ? "The fastest" : "As fast as any, but for 5 %"),
                doc_count(best->ranks), doc_name(schedulers[best->scheduler]),
                doc_seconds(best->seconds), doc_real(best->speed_up),
                doc_seconds(p->alone_seconds));
    }
}

/* Says from how many ranks on something limits the runs with a scheduler. */
static void limit_say(struct doc *doc, const struct predict *p, enum predict_scheduler scheduler)
{
    const struct predict_row *from = NULL;
    for (uint32_t i = 1; i < p->n; i++) {
        const struct predict_row *row = &p->rows[i];
        if (row->scheduler == scheduler) {
            from = from != NULL && from->limit == row->limit ? from : row;
        }
    }
    if (from == NULL) {
        return;
    }
    const struct doc_cell ranks = doc_count(from->ranks);
    const struct doc_cell who = doc_name(schedulers[scheduler]);
    if (from->limit == PREDICT_BY_PATH) {
        doc_say(doc,
                "From # # ranks on, the critical path limits the run: # of it is on LP #, and no "
                "number of ranks needs less than #.",
                ranks, who, doc_measure(DOC_SHARE, from->path_part), lp_cell(p, from->path_lp),
                doc_seconds(from->path_seconds));
    } else if (from->limit == PREDICT_BY_LOAD) {
        doc_say(doc,
                "From # # ranks on, the busiest rank limits the run: # of its work is on LP #.",
                ranks, who, doc_measure(DOC_SHARE, from->load_part), lp_cell(p, from->load_lp));
    } else if (from->limit != PREDICT_BY_NOTHING) {
        doc_say(doc, "From # # ranks on, most time beside events goes to #: # of all.", ranks, who,
                doc_name(limits[from->limit]), doc_measure(DOC_SHARE, from->parts[from->limit]));
    }
}

static void doubts_find(struct doc *doc, const struct predict *p)
{
    const struct predict_source *s = &p->source;
    const uint32_t most = p->n_ranks > 0 ? p->ranks[p->n_ranks - 1] : 1;
    bool wide = false;
    for (uint32_t i = 1; i < p->n; i++) {
        const struct predict_row *row = &p->rows[i];
        wide |= (double)row->undone_most > RANGE_EVENTS + RANGE_WIDE * (double)row->undone_least;
    }
    if (!s->trace.times.is_timed) {
        doc_say(doc, "The times of handlers were not recorded: every event takes the same. "
                     "--event-times=1 records them.");
    }
    if (s->handlers_ns > 0.0 && s->handlers_ns < SHORT_NS * s->n) {
        doc_say(doc,
                "Handlers take # on average: to record them, and whatever else uses the caches, "
                "changes such short times by about a quarter, and so all times here.",
                doc_seconds(1e-9 * s->handlers_ns / s->n));
    }
    if (s->missing > 0) {
        doc_say(doc, "The causes of # events are not in the trace: these events begin at once.",
                doc_count(s->missing));
    }
    if (most > s->trace.lps.n) {
        doc_say(doc, "There are # LPs: more ranks stay empty.", doc_count(s->trace.lps.n));
    }
    if (p->costs.per_host >= most) {
        doc_finding_add(doc,
                        "All ranks are on one host: the latency between hosts does not count.");
    }
    if (wide) {
        doc_say(doc,
                "How many events are undone depends on chance: the least and the most are of # "
                "runs of the machine, which differ in what disturbs them.",
                doc_count(PREDICT_RUNS));
    }
    if (p->is_grouped) {
        doc_say(
            doc,
            "Conservative ranks have the lookahead #. LPs with lesser offsets, the least being #, "
            "share a rank, as \"warpscope partition --lookahead\" places them. With another map, "
            "or on more ranks than the # of the recording, the model may declare another "
            "lookahead: --lookahead predicts that.",
            doc_real(p->lookahead), doc_real(s->lookahead), doc_count(s->trace.n_pes));
    }
    if (p->no_windows != NULL && p->conservative) {
        doc_finding_add(doc, p->no_windows);
    }
    doc_finding_add(doc, p->costs.is_measured
                             ? "Costs of messages, undone events and GVT are those given or "
                               "measured; --save=- shows them."
                             : "Costs of messages, undone events and GVT are defaults, of one "
                               "machine with two cores: --calibrate takes those of a run here.");
}

/* ---- Tables ---------------------------------------------------------------------------------- */

static void bounds_add(struct doc_table *t, const struct predict *p, const struct predict_row *row)
{
    doc_row(t, doc_count(row->ranks), doc_seconds(row->path_seconds), lp_cell(p, row->path_lp),
            doc_measure(DOC_SHARE, row->path_part), doc_seconds(row->load_seconds),
            lp_cell(p, row->load_lp), doc_measure(DOC_SHARE, row->load_part));
}

static void counts_add(struct doc_table *t, const struct predict *p, const struct predict_row *row)
{
    const struct wp_result *run = &row->run;
    doc_row(t, doc_count(row->ranks), doc_name(schedulers[row->scheduler]),
            doc_count(run->sums.undone), doc_count(row->undone_least), doc_count(row->undone_most),
            doc_count(run->sums.primary + run->sums.secondary), doc_count(row->remote),
            doc_count(run->sums.antis), doc_count(run->rounds), doc_count(run->votes),
            doc_count(run->most_events),
            doc_count((uint64_t)((double)run->most_events * p->event_bytes)));
}

static void tables_make(struct doc *doc, const struct predict *p)
{
    struct doc_table *runs = doc_table(
        doc, "predictions", "what the run would need",
        "ranks|scheduler|seconds=time|least|most|speed_up=speed|efficiency|limit=limited by");
    struct doc_table *counts =
        doc_table(doc, "counts", "counts",
                  "ranks|scheduler|undone|undone_least=least|undone_most=most|(rollbacks)|"
                  "remote|resent|rounds=GVTs|(reductions)|"
                  "(events_most)|bytes_per_rank=bytes/rank");
    counts->note = "remote: committed events between ranks; resent: those that were cancelled\n  "
                   "before; bytes/rank: events of the fullest rank";
    struct doc_table *times = doc_table(doc, "times", "where the ranks' time goes",
                                        "ranks|scheduler|events|undone|messages|gvt=GVT|waiting");
    struct doc_table *bounds = doc_table(doc, "bounds", "no run needs less than",
                                         "ranks|path_seconds=path|path_lp=most on|path_part=share|"
                                         "load_seconds=busiest|load_lp=most on|load_part=share");
    bounds->note = "path: the critical path, with its messages; busiest: the work of one rank";
    for (const struct predict_row *row = p->rows; row < p->rows + p->n; row++) {
        const struct doc_cell ranks = doc_count(row->ranks);
        const struct doc_cell who = doc_name(schedulers[row->scheduler]);
        doc_row(runs, ranks, who, doc_seconds(row->seconds), doc_seconds(row->least),
                doc_seconds(row->most), doc_real(row->speed_up),
                doc_measure(DOC_SHARE, 1.0 - (double)row->run.sums.undone / p->source.n),
                doc_name(limits[row->limit]));
        if (row == p->rows) {
            continue; /* one rank */
        }
        counts_add(counts, p, row);
        doc_row(times, ranks, who, doc_measure(DOC_SHARE, row->parts[PREDICT_BY_NOTHING]),
                doc_measure(DOC_SHARE, row->parts[PREDICT_BY_UNDONE]),
                doc_measure(DOC_SHARE, row->parts[PREDICT_BY_MESSAGES]),
                doc_measure(DOC_SHARE, row->parts[PREDICT_BY_GVT]),
                doc_measure(DOC_SHARE, row->parts[PREDICT_BY_WAITING]));
        if (row->ranks != row[-1].ranks || row->path_seconds < row[-1].path_seconds ||
            row->path_seconds > row[-1].path_seconds) {
            bounds_add(bounds, p, row); /* with another placement */
        }
    }
}

void predict_document(struct doc *doc, const struct predict *p)
{
    fastest_find(doc, p);
    limit_say(doc, p, PREDICT_OPTIMISTIC);
    limit_say(doc, p, PREDICT_CONSERVATIVE);
    doubts_find(doc, p);
    tables_make(doc, p);
    predict_costs_table(doc, &p->costs);
}
