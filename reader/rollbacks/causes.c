/* SPDX-License-Identifier: BSD-3-Clause */
/* causes.c - runs the steps of the analysis, the last of which adds up the trees by the causes of their
 * roots; see rollbacks.h. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "rollbacks/rollbacks.h"

#define BOUND_STEPS  16 /* number of bins of lateness per factor of two */
#define BOUND_LOWEST (-64)

/* ---- Sums ------------------------------------------------------------------------------------ */

/* Adds a tree to the sums. own: number of events that its root undid. */
static void sum_add(uint64_t sum[SUMS], const struct rollbacks_tree *tree, uint64_t own)
{
    sum[SUM_ROOTS]++;
    sum[SUM_OWN] += own;
    sum[SUM_ROLLBACKS] += tree->rollbacks;
    sum[SUM_UNDONE] += tree->undone;
    sum[SUM_NS] += tree->ns;
}

static void top_add(struct ws_top_k *top, uint64_t key, const struct rollbacks_tree *tree,
                    uint64_t own)
{
    uint64_t *values = ws_top_k_values(top, key);
    if (values != NULL) {
        sum_add(values, tree, own);
    }
}

static void size_add(struct rollbacks *r, const struct rollbacks_tree *tree)
{
    struct rollbacks_size *size = &r->sizes[31u - (uint32_t)__builtin_clz(tree->rollbacks)];
    size->trees++;
    size->rollbacks += tree->rollbacks;
    size->undone += tree->undone;
}

/* Adds the events that a straggler undid to the sums from which rollbacks_bound() is computed.
 * late: virtual time by which the straggler came late. */
static void bound_add(struct rollbacks *r, double late, uint64_t undone)
{
    /* bound_all also counts events at the same time as the straggler, which no bound can avoid. */
    r->bound_all += (double)undone;
    if (late > 0.0 && isfinite(late)) {
        double bin = (log2(late) - BOUND_LOWEST) * BOUND_STEPS;
        uint32_t i = bin < 0.0                     ? 0
                     : bin >= ROLLBACKS_BOUND_BINS ? ROLLBACKS_BOUND_BINS - 1
                                                   : (uint32_t)bin;
        r->bound_n[i] += (double)undone;
        r->bound_rate[i] += (double)undone / late;
    }
}

/* Adds a tree to the sums for the reason why its straggler, which another PE sent, came late. The
 * reason follows from the time of sending. i: row of the root of the tree. */
static void remote_add(struct rollbacks_rows *rows, uint32_t i, const struct rollbacks_tree *tree)
{
    struct rollbacks *r = rows->r;
    ws_histogram_add(&r->travel, rows->real_time[i] - rows->sent[i], 1);
    if (rows->sent[i] < rows->passed[i]) {
        sum_add(r->reasons[REASON_MESSAGE], tree, rows->undone[i]);
        return;
    }
    ws_histogram_add(&r->lag, rows->sent[i] - rows->passed[i], 1);
    if (rows->src_pe[i] < r->n_pes) {
        sum_add(r->pes[rows->src_pe[i]].late, tree, rows->undone[i]);
        r->pes[rows->pe].suffered += tree->undone;
    }
}

static void root_add(struct rollbacks_rows *rows, uint32_t i, const struct rollbacks_tree *tree)
{
    struct rollbacks *r = rows->r;
    const uint64_t own = rows->undone[i], src = rows->src_lp[i], dest = rows->dest_lp[i];
    top_add(&r->pe_pairs, rows->src_pe[i] << 32 | rows->pe, tree, own);
    top_add(&r->kps, (uint64_t)rows->pe << 32 | (rows->kp[i] & UINT32_MAX), tree, own);
    top_add(&r->type_pairs, (uint64_t)rollbacks_lp_type(r, src) << 32 | rollbacks_lp_type(r, dest),
            tree, own);
    const size_t src_place = id_set_place(&r->lps, src), place = id_set_place(&r->lps, dest);
    if (src_place != ID_SET_NONE && place != ID_SET_NONE) {
        top_add(&r->lp_pairs, src_place << 32 | place, tree, own);
    }
    if (rows->trigger[i] != TRIGGER_LOCAL && rows->trigger[i] != TRIGGER_REMOTE) {
        sum_add(r->reasons[tree->is_whole ? REASON_NONE : REASON_UNKNOWN], tree, own);
        return;
    }
    ws_histogram_add(&r->late, rows->kp_ts[i] - rows->recv_ts[i], 1);
    bound_add(r, rows->kp_ts[i] - rows->recv_ts[i], own);
    if (rows->trigger[i] == TRIGGER_LOCAL) {
        sum_add(r->reasons[REASON_LOCAL], tree, own);
    } else {
        remote_add(rows, i, tree);
    }
}

static bool is_larger(const struct rollbacks_tree *tree, uint32_t number,
                      const struct rollbacks_largest *than)
{
    return tree->undone > than->tree.undone ||
           (tree->undone == than->tree.undone && number < than->number);
}

/* Inserts tree `number`, whose root has the record in row i, if it is one of the largest so far. */
static void largest_note(struct rollbacks_rows *rows, uint32_t i, uint32_t number,
                         const struct rollbacks_tree *tree)
{
    struct rollbacks *r = rows->r;
    struct rollbacks_largest *list = r->largest;
    uint32_t at = r->n_largest;
    if (at < r->options->top) {
        r->n_largest++;
    } else if (!is_larger(tree, number, &list[--at])) {
        return;
    }
    for (; at > 0 && is_larger(tree, number, &list[at - 1]); at--) {
        list[at] = list[at - 1];
    }
    list[at] = (struct rollbacks_largest){.number = number,
                                          .tree = *tree,
                                          .root = rows->number[i],
                                          .src_lp = rows->src_lp[i],
                                          .dest_lp = rows->dest_lp[i],
                                          .pe = rows->pe,
                                          .kp = rows->kp[i],
                                          .trigger = rows->trigger[i],
                                          .src_pe = (int64_t)rows->src_pe[i],
                                          .recv_ts = rows->recv_ts[i],
                                          .real_time = rows->real_time[i]};
}

/* ---- Reading --------------------------------------------------------------------------------- */

static const struct ws_loaded loaded[] = {WS_LOADED(rollbacks_rows, number, "number", false),
                                          WS_LOADED(rollbacks_rows, src_lp, "src_lp", false),
                                          WS_LOADED(rollbacks_rows, dest_lp, "dest_lp", false),
                                          WS_LOADED(rollbacks_rows, kp, "kp", false),
                                          WS_LOADED(rollbacks_rows, trigger, "trigger", false),
                                          WS_LOADED(rollbacks_rows, src_pe, "src_pe", false),
                                          WS_LOADED(rollbacks_rows, undone, "events_undone", false),
                                          WS_LOADED(rollbacks_rows, kp_ts, "kp_ts", true),
                                          WS_LOADED(rollbacks_rows, recv_ts, "recv_ts", true),
                                          WS_LOADED(rollbacks_rows, real_time, "real_time", true),
                                          WS_LOADED(rollbacks_rows, sent, "send_time", true),
                                          WS_LOADED(rollbacks_rows, passed, "passed_time", true),
                                          {NULL, 0, false}};

static void row_take(struct rollbacks_rows *rows, uint32_t i)
{
    struct rollbacks *r = rows->r;
    const struct rollbacks_node *node = ws_pages_get(&r->nodes, rows->at);
    const struct rollbacks_tree *tree = ws_pages_get(&r->trees, node->tree);
    if (tree->root == rows->at && tree->rollbacks > 0) {
        largest_note(rows, i, node->tree, tree);
        size_add(r, tree);
        root_add(rows, i, tree);
    }
}

/* Adds the trees of stragglers that a PE sent late to REASON_RANK if this PE lags, otherwise to
 * REASON_AHEAD. */
static void late_divide(struct rollbacks *r)
{
    for (uint32_t pe = 0; pe < r->n_pes; pe++) {
        for (int i = 0; i < SUMS; i++) {
            r->reasons[rollbacks_lags(r, pe) ? REASON_RANK : REASON_AHEAD][i] += r->pes[pe].late[i];
        }
    }
}

static bool causes_find(struct rollbacks *r)
{
    struct ws_top_k *const tops[] = {&r->pe_pairs, &r->kps, &r->lp_pairs, &r->type_pairs};
    for (size_t i = 0; i < sizeof tops / sizeof tops[0]; i++) {
        ws_top_k_init(tops[i], SUMS, SUM_UNDONE, 1u << 18, r->options->top);
    }
    r->pes = calloc((size_t)r->n_pes + 1, sizeof *r->pes);
    r->largest = calloc((size_t)r->options->top + 1, sizeof *r->largest);
    if (r->pes == NULL || r->largest == NULL) {
        return ws_no_memory(&r->failed);
    }
    rollbacks_read(r, loaded, row_take);
    for (size_t i = 0; i < sizeof tops / sizeof tops[0]; i++) {
        ws_top_k_close(tops[i], 0);
        r->failed |= tops[i]->failed && !ws_no_memory(&r->failed);
    }
    late_divide(r);
    return !r->failed;
}

/* ---- Steps ----------------------------------------------------------------------------------- */

static void totals_read(struct rollbacks *r)
{
    static const char *const names[] = {"primary_rollbacks", "secondary_rollbacks",
                                        "events_rolled_back"};
    uint64_t totals[3] = {0};
    r->engine.known = r->file->pes_ended == r->n_pes;
    for (uint32_t pe = 0; pe < r->n_pes; pe++) {
        r->engine.known &= ws_file_counters(r->file, pe, names, totals, 3);
    }
    r->engine.primary = totals[0];
    r->engine.secondary = totals[1];
    r->engine.undone = totals[2];
}

/* Finds the records of rollbacks, and sets r->schema and r->n_nodes. Prints an error message and
 * returns false if there are none, or if they lack fields that trees need. */
static bool schema_find(struct rollbacks *r)
{
    static const struct ws_binding needed[] = {
        {0, "number", FMT_U64, true},        {0, "cause_number", FMT_U64, true},
        {0, "cause_pe", FMT_I32, true},      {0, "undone_time", FMT_I64, true},
        {0, "src_pe", FMT_I32, true},        {0, "trigger", FMT_U32, true},
        {0, "send_time", FMT_F64, true},     {0, "passed_time", FMT_F64, true},
        {0, "events_undone", FMT_U64, true}, {0, NULL, 0, false}};
    int32_t any;
    r->schema = ws_schema_of(r->file->sb, FMT_RECORD_ROLLBACK);
    if (r->schema == NULL) {
        return ws_refuse(r->file->path, "there are no rollbacks in it",
                         "record with --event-trace=2");
    }
    if (!ws_bind(needed, r->schema, &any)) {
        return ws_refuse(r->file->path, "rollbacks do not name their causes",
                         "record with this version of Warpscope");
    }
    const uint64_t n = r->file->kind_records[ws_schema_number(r->file->sb, r->schema)];
    if (n >= ROLLBACKS_NONE - 1) {
        return ws_refuse(r->file->path, "there are more than 4 billion rollbacks",
                         "record a shorter run");
    }
    r->n_nodes = (uint32_t)n;
    return true;
}

bool rollbacks_run(struct rollbacks *r, struct ws_file *file,
                   const struct rollbacks_options *options)
{
    assert(file->pes != NULL && options != NULL);
    *r = (struct rollbacks){.options = options, .file = file, .n_pes = file->sb->layout.n_pes};
    if (!schema_find(r)) {
        return false;
    }
    r->bases = calloc((size_t)r->n_pes + 1, sizeof *r->bases);
    if (r->bases == NULL) {
        return ws_no_memory(&r->failed);
    }
    totals_read(r);
    return rollbacks_trees(r) && causes_find(r);
}

void rollbacks_free(struct rollbacks *r)
{
    ws_top_k_free(&r->pe_pairs);
    ws_top_k_free(&r->kps);
    ws_top_k_free(&r->lp_pairs);
    ws_top_k_free(&r->type_pairs);
    ws_intern_free(&r->types);
    free(r->pes);
    free(r->largest);
    ws_pages_free(&r->trees);
    ws_pages_free(&r->nodes);
    ws_pages_free(&r->lp_types);
    id_set_free(&r->lps);
    free(r->bases);
}

/* ---- Conclusions ----------------------------------------------------------------------------- */

bool rollbacks_lags(const struct rollbacks *r, uint32_t pe)
{
    assert(pe < r->n_pes);
    const struct rollbacks_pe *p = &r->pes[pe];
    return p->late[SUM_UNDONE] > 0 && p->late[SUM_UNDONE] / 2 >= p->suffered;
}

/* With a bound W, a KP executes no event beyond GVT + W, and GVT is at most the time of any later
 * straggler. Consider a straggler that is late by L. Without the bound, it undoes events in the
 * interval of length L after its time. With the bound, the events in that interval beyond W are not
 * executed. If events are spread evenly, the bound avoids the share 1 - W / L of them. The loop
 * adds up bins by descending L until a bound W above the next L avoids the wanted part. */
double rollbacks_bound(const struct rollbacks *r, double part)
{
    assert(part >= 0.0 && part <= 1.0);
    const double all = r->bound_all;
    double n = 0.0, rate = 0.0;
    for (uint32_t i = ROLLBACKS_BOUND_BINS; i-- > 0;) {
        if (!(r->bound_n[i] > 0.0)) {
            continue;
        }
        n += r->bound_n[i];
        rate += r->bound_rate[i];
        double next = 0.0; /* lateness in the next lower bin that has events */
        for (uint32_t k = i; k-- > 0 && next <= 0.0;) {
            next = r->bound_n[k] > 0.0 ? r->bound_n[k] / r->bound_rate[k] : 0.0;
        }
        if (n - next * rate >= part * all) {
            return (n - part * all) / rate;
        }
    }
    return 0.0;
}
