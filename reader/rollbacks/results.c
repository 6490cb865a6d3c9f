/* SPDX-License-Identifier: BSD-3-Clause */
/* results.c - makes the tables of results, and states them in sentences, the most important ones
 * first; see rollbacks.h. */
#include <math.h>

#include "data/lp_names.h"
#include "rollbacks/rollbacks.h"

bool rollbacks_agree(const struct rollbacks *r)
{
    return r->engine.known && r->engine.primary == r->primary &&
           r->engine.secondary == r->secondary && r->engine.undone == r->undone;
}

static struct doc_cell seconds_or_none(const struct rollbacks *r, uint64_t ns)
{
    return doc_if(r->is_timed, doc_seconds((double)ns * 1e-9));
}

/* The last columns of a table; they show sums over trees. */
#define SUM_COLUMNS "primary|own_undone=its own|rollbacks|undone|share|undone_time=handler time"

/* Adds a row for a sum, with one or two cells before it. */
static void sum_row(struct doc_table *t, const struct rollbacks *r, struct doc_cell a,
                    struct doc_cell b, const uint64_t sum[SUMS])
{
    struct doc_cell *cells = doc_row(t, a, b) + (t->n_columns == 8 ? 2 : 1);
    for (int i = SUM_ROOTS; i <= SUM_UNDONE; i++) {
        cells[i] = doc_count(sum[i]);
    }
    cells[4] = doc_share((double)sum[SUM_UNDONE], (double)r->undone);
    cells[5] = seconds_or_none(r, sum[SUM_NS]);
}

static void totals_table(struct doc *doc, const struct rollbacks *r)
{
    struct doc_table *t =
        doc_table(doc, "totals", "totals", "what=|trace=in the trace|engine=in the engine");
    const struct {
        const char *name;
        uint64_t trace, engine;
    } rows[] = {{"primary rollbacks", r->primary, r->engine.primary},
                {"secondary rollbacks", r->secondary, r->engine.secondary},
                {"events undone", r->undone, r->engine.undone}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        doc_row(t, doc_name(rows[i].name), doc_count(rows[i].trace),
                doc_if(r->engine.known, doc_count(rows[i].engine)));
    }
}

static void reasons_table(struct doc *doc, const struct rollbacks *r)
{
    static const char *const words[REASONS] = {
        [REASON_MESSAGE] = "slow message", [REASON_RANK] = "slow rank",
        [REASON_AHEAD] = "too far ahead",  [REASON_LOCAL] = "own PE",
        [REASON_NONE] = "no straggler",    [REASON_UNKNOWN] = "not in the trace",
    };
    struct doc_table *t =
        doc_table(doc, "reasons", "why stragglers came late", "reason|" SUM_COLUMNS);
    for (enum rollbacks_reason reason = 0; reason < REASONS; reason++) {
        if (r->reasons[reason][SUM_ROOTS] > 0) {
            sum_row(t, r, doc_name(words[reason]), doc_none(), r->reasons[reason]);
        }
    }
}

static void lateness_table(struct doc *doc, const struct rollbacks *r)
{
    struct doc_table *t =
        doc_table(doc, "lateness", "how late stragglers came",
                  "what=|stragglers|mean|median|below_90=90 %|below_99=99 %|largest");
    doc_dist_row(t, "virtual time", &r->late, DOC_REAL);
    doc_dist_row(t, "under way", &r->travel, DOC_SECONDS);
    doc_dist_row(t, "sender late by", &r->lag, DOC_SECONDS);
}

static void bounds_table(struct doc *doc, const struct rollbacks *r)
{
    static const double parts[] = {0.25, 0.5, 0.75, 0.9};
    struct doc_table *t =
        doc_table(doc, "bounds",
                  "bounds on optimism, and what they avoid of primary rollbacks' undone "
                  "events",
                  "avoided|max_opt_lookahead=--max-opt-lookahead");
    for (size_t i = 0; i < sizeof parts / sizeof parts[0] && r->late.n > 0; i++) {
        double bound = rollbacks_bound(r, parts[i]);
        doc_row(t, doc_measure(DOC_SHARE, parts[i]), bound > 0.0 ? doc_real(bound) : doc_none());
    }
}

static struct doc_cell number_cell(const struct rollbacks *r, uint64_t part)
{
    (void)r;
    return doc_number(part);
}

static struct doc_cell type_cell(const struct rollbacks *r, uint64_t type)
{
    return doc_name(type == 0 || type > r->types.n ? "unknown" : r->types.names[type - 1]);
}

static struct doc_cell lp_cell(const struct rollbacks *r, uint64_t index)
{
    return ws_lp_cell(&r->file->descs, id_set_at(&r->lps, index));
}

/* Adds a row for each winner. The function `cell` shows a half of its key. */
static void winners_add(struct doc_table *t, const struct rollbacks *r, const struct ws_top_k *top,
                        struct doc_cell (*cell)(const struct rollbacks *r, uint64_t part))
{
    for (uint32_t i = 0; i < top->n_winners; i++) {
        const struct ws_top_k_entry *e = &top->winners[i];
        sum_row(t, r, cell(r, e->key >> 32), cell(r, e->key & UINT32_MAX), e->values);
    }
}

static void causes_tables(struct doc *doc, const struct rollbacks *r)
{
    winners_add(doc_table(doc, "pe_pairs", "causes by PE: of the sender, and that rolled back",
                          "src_pe=from PE|pe=to PE|" SUM_COLUMNS),
                r, &r->pe_pairs, number_cell);
    struct doc_table *types = doc_table(doc, "type_pairs", "causes by type of LP",
                                        "src_type=from type|dest_type=to type|" SUM_COLUMNS);
    if (r->types.n > 0) {
        winners_add(types, r, &r->type_pairs, type_cell);
    }
    winners_add(doc_table(doc, "kps", "KPs where cascades began", "pe=PE|kp=KP|" SUM_COLUMNS), r,
                &r->kps, number_cell);
    winners_add(
        doc_table(doc, "lp_pairs", "causes by LP", "src_lp=from LP|dest_lp=to LP|" SUM_COLUMNS), r,
        &r->lp_pairs, lp_cell);
}

static void sizes_table(struct doc *doc, const struct rollbacks *r)
{
    struct doc_table *t = doc_table(doc, "sizes", "cascades by size",
                                    "from=from size|to|cascades|rollbacks|undone|share");
    for (uint32_t i = 0; i < ROLLBACKS_SIZES; i++) {
        const struct rollbacks_size *size = &r->sizes[i];
        if (size->trees > 0) {
            doc_row(t, doc_count((uint64_t)1 << i), doc_count(((uint64_t)2 << i) - 1),
                    doc_count(size->trees), doc_count(size->rollbacks), doc_count(size->undone),
                    doc_share((double)size->undone, (double)r->undone));
        }
    }
}

static void largest_table(struct doc *doc, const struct rollbacks *r)
{
    struct doc_table *t = doc_table(doc, "cascades", "the largest cascades, by their roots",
                                    "pe=PE|number=no.|recv_ts=at time|(real_time)|(src_pe)|"
                                    "src_lp=from LP|dest_lp=to LP|(kp)|(trigger)|(whole)|rollbacks|"
                                    "depth|width|undone|undone_time=handlers");
    for (uint32_t i = 0; i < r->n_largest; i++) {
        const struct rollbacks_largest *l = &r->largest[i];
        const struct rollbacks_tree *tree = &l->tree;
        doc_row(t, doc_number(l->pe), doc_number(l->root), doc_real(l->recv_ts),
                doc_seconds(l->real_time), doc_number((uint64_t)l->src_pe),
                ws_lp_cell(&r->file->descs, l->src_lp), ws_lp_cell(&r->file->descs, l->dest_lp),
                doc_number(l->kp), doc_count(l->trigger), doc_count(tree->is_whole),
                doc_count(tree->rollbacks), doc_count(tree->depth), doc_count(tree->width),
                doc_count(tree->undone), seconds_or_none(r, tree->ns));
    }
}

void rollbacks_tables(struct doc *doc, const struct rollbacks *r)
{
    totals_table(doc, r);
    reasons_table(doc, r);
    lateness_table(doc, r);
    bounds_table(doc, r);
    causes_tables(doc, r);
    sizes_table(doc, r);
    largest_table(doc, r);
}

/* ---- Sentences ------------------------------------------------------------------------------- */

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

/* Says what a bound costs, which is more than what it avoids if it is tight. */
static void cost_find(struct doc *doc, struct ws_file *file, double bound)
{
    static const char *const names[] = {"gvt_rounds"};
    uint64_t gvts = 0;
    bool is_over = file->pes_ended > 0 && isfinite(file->end_gvt);
    double end = fmax(file->virtual_time.max, is_over ? file->end_gvt : 0.0);
    double span = end - fmin(file->virtual_time.min, 0.0);
    bool known = ws_file_counters(file, 0, names, &gvts, 1) && gvts > 0;
    doc_say(doc,
            known ? "Ranks wait at a bound: # ahead needs at least # GVT computations for # of "
                    "virtual time, where the run made #."
                  : "Ranks wait at a bound: # ahead needs at least # GVT computations for # of "
                    "virtual time.",
            doc_real(bound), doc_real(rint(span / bound)), doc_real(span), doc_count(gvts));
}

static void bound_find(struct doc *doc, const struct rollbacks *r)
{
    double half = rollbacks_bound(r, 0.5), most = rollbacks_bound(r, 0.9);
    if (half > 0.0 && most > 0.0) {
        doc_say(doc,
                "--max-opt-lookahead=# would have avoided half of the events that stragglers "
                "undid themselves, and # would have avoided 90 %.",
                doc_real(half), doc_real(most));
    } else if (half > 0.0) {
        doc_say(doc,
                "--max-opt-lookahead=# would have avoided half of the events that stragglers "
                "undid themselves.",
                doc_real(half));
    } else if (r->late.n > 0) {
        doc_say(doc, "No bound on optimism would have avoided half of the events that "
                     "stragglers undid themselves: most had the time of the straggler.");
    }
    if (half > 0.0) {
        cost_find(doc, r->file, half);
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
