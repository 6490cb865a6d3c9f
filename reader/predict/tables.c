/* SPDX-License-Identifier: BSD-3-Clause */
/* tables.c - what was predicted, in sentences and tables; see predict.h. */
#include <math.h>

#include "data/lp_names.h"
#include "predict/predict.h"

const char *const predict_schedulers[] = {[PREDICT_SEQUENTIAL] = "sequential",
                                          [PREDICT_CONSERVATIVE] = "conservative",
                                          [PREDICT_OPTIMISTIC] = "optimistic"};
static const char *const limits[PREDICT_LIMITS] = {
    "events",   "critical path", "busiest rank", "undone events",
    "messages", "computing GVT", "waiting"};
/* A range is stated where the runs of the machine differ by this factor, and by so many events. */
#define RANGE_WIDE   1.25
#define RANGE_EVENTS 100.0

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
                doc_count(best->ranks), doc_name(predict_schedulers[best->scheduler]),
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
    const struct doc_cell who = doc_name(predict_schedulers[scheduler]);
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
        wide |= row->undone_most > RANGE_EVENTS + RANGE_WIDE * row->undone_least;
    }
    if (!s->trace.times.is_timed) {
        doc_say(doc, "The times of handlers were not recorded: every event takes the same. "
                     "--event-times=1 records them.");
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

static void runs_table(struct doc *doc, const struct predict *p)
{
    struct doc_table *t = doc_table(
        doc, "predictions", "what the run would need",
        "ranks|scheduler|seconds=time|least|most|speed_up=speed|efficiency|limit=limited by");
    for (uint32_t i = 0; i < p->n; i++) {
        const struct predict_row *row = &p->rows[i];
        const double committed = fmax(1.0, (double)row->counts.committed);
        doc_row(t, doc_count(row->ranks), doc_name(predict_schedulers[row->scheduler]),
                doc_seconds(row->seconds), doc_seconds(row->least), doc_seconds(row->most),
                doc_real(row->speed_up),
                doc_measure(DOC_SHARE, 1.0 - (double)row->counts.undone / committed),
                doc_name(limits[row->limit]));
    }
    t = doc_table(doc, "counts", "counts",
                  "ranks|scheduler|undone|undone_least=least|undone_most=most|(rollbacks)|"
                  "remote|resent|rounds=GVTs|(reductions)|"
                  "(events_most)|bytes_per_rank=bytes/rank");
    t->note = "remote: committed events between ranks; resent: those that were cancelled\n  "
              "before; bytes/rank: events of the fullest rank";
    for (uint32_t i = 1; i < p->n; i++) {
        const struct predict_row *row = &p->rows[i];
        const struct wp_counts *c = &row->counts;
        doc_row(t, doc_count(row->ranks), doc_name(predict_schedulers[row->scheduler]),
                doc_count(c->undone), doc_count((uint64_t)row->undone_least),
                doc_count((uint64_t)row->undone_most), doc_count(c->primary + c->secondary),
                doc_count((uint64_t)row->remote), doc_count(c->antis),
                doc_count((uint64_t)row->rounds), doc_count((uint64_t)row->votes),
                doc_count((uint64_t)row->events_most),
                doc_count((uint64_t)(row->events_most * p->event_bytes)));
    }
}

static void times_table(struct doc *doc, const struct predict *p)
{
    struct doc_table *t = doc_table(doc, "times", "where the ranks' time goes",
                                    "ranks|scheduler|events|undone|messages|gvt=GVT|waiting");
    for (uint32_t i = 1; i < p->n; i++) {
        const struct predict_row *row = &p->rows[i];
        doc_row(t, doc_count(row->ranks), doc_name(predict_schedulers[row->scheduler]),
                doc_measure(DOC_SHARE, row->parts[PREDICT_BY_NOTHING]),
                doc_measure(DOC_SHARE, row->parts[PREDICT_BY_UNDONE]),
                doc_measure(DOC_SHARE, row->parts[PREDICT_BY_MESSAGES]),
                doc_measure(DOC_SHARE, row->parts[PREDICT_BY_GVT]),
                doc_measure(DOC_SHARE, row->parts[PREDICT_BY_WAITING]));
    }
    t = doc_table(doc, "bounds", "no run needs less than",
                  "ranks|path_seconds=path|path_lp=most on|path_part=share|"
                  "load_seconds=busiest|load_lp=most on|load_part=share");
    t->note = "path: the critical path, with its messages; busiest: the work of one rank";
    for (uint32_t i = 1; i < p->n; i++) {
        const struct predict_row *row = &p->rows[i], *before = row - 1;
        if (row->ranks == before->ranks && !(row->path_seconds > before->path_seconds) &&
            !(row->path_seconds < before->path_seconds)) {
            continue; /* the placement is the same */
        }
        doc_row(t, doc_count(row->ranks), doc_seconds(row->path_seconds), lp_cell(p, row->path_lp),
                doc_measure(DOC_SHARE, row->path_part), doc_seconds(row->load_seconds),
                lp_cell(p, row->load_lp), doc_measure(DOC_SHARE, row->load_part));
    }
}

void predict_document(struct doc *doc, const struct predict *p)
{
    fastest_find(doc, p);
    limit_say(doc, p, PREDICT_OPTIMISTIC);
    limit_say(doc, p, PREDICT_CONSERVATIVE);
    doubts_find(doc, p);
    runs_table(doc, p);
    times_table(doc, p);
    predict_costs_table(doc, &p->costs);
}
