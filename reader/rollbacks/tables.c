/* SPDX-License-Identifier: BSD-3-Clause */
/* tables.c - makes the tables of results; see rollbacks.h. */
#include "rollbacks/rollbacks.h"

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
    struct doc_table *t =
        doc_table(doc, "reasons", "why stragglers came late", "reason|" SUM_COLUMNS);
    for (enum rollbacks_reason reason = 0; reason < REASONS; reason++) {
        if (r->reasons[reason][SUM_ROOTS] > 0) {
            sum_row(t, r, doc_name(rollbacks_reason_words(reason)), doc_none(), r->reasons[reason]);
        }
    }
}

static void lateness_table(struct doc *doc, const struct rollbacks *r)
{
    struct doc_table *t =
        doc_table(doc, "lateness", "how late stragglers came",
                  "what=|stragglers|mean|median|below_90=90 % below|below_99=99 % below|largest");
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
    return doc_number(id_set_at(&r->lps, index));
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
                                    "from|to=to rollbacks|cascades|rollbacks|undone|share");
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
                doc_seconds(l->real_time), doc_number((uint64_t)l->src_pe), doc_number(l->src_lp),
                doc_number(l->dest_lp), doc_number(l->kp), doc_count(l->trigger),
                doc_count(tree->is_whole), doc_count(tree->rollbacks), doc_count(tree->depth),
                doc_count(tree->width), doc_count(tree->undone), seconds_or_none(r, tree->ns));
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
