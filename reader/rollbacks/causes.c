/* SPDX-License-Identifier: BSD-3-Clause */
/* causes.c - adds up the trees by the causes of their roots; see rollbacks.h. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rollbacks/rollbacks.h"
#include "store/array.h"

#define BOUND_STEPS  16 /* bins per factor of two */
#define BOUND_LOWEST (-64)

struct columns {
    uint64_t number[WS_LOAD_MAX], src_lp[WS_LOAD_MAX], dest_lp[WS_LOAD_MAX], kp[WS_LOAD_MAX],
        trigger[WS_LOAD_MAX], src_pe[WS_LOAD_MAX], undone[WS_LOAD_MAX], type[WS_LOAD_MAX];
    double kp_ts[WS_LOAD_MAX], recv_ts[WS_LOAD_MAX], real_time[WS_LOAD_MAX], sent[WS_LOAD_MAX],
        passed[WS_LOAD_MAX];
};

struct walk {
    struct rollbacks *r;
    uint32_t pe, at; /* number of the PE, and index of its next node */
    bool names;      /* true in the first pass, which only collects the types of LPs */
    struct ws_load load;
    struct columns c;
};

/* ---- Types of LPs ---------------------------------------------------------------------------- */

static uint32_t lp_item(const struct rollbacks *r, uint64_t lp)
{
    uint32_t hash = index_hash(lp), item;
    for (uint32_t at = hash; index_next(&r->lp_index, hash, &at, &item);) {
        if (r->lp_of[item] == lp) {
            return item;
        }
    }
    return ROLLBACKS_NONE;
}

/* Returns the index of an LP's type, plus 1; 0 if the LP has not rolled back, so that its type is
 * unknown. */
static uint32_t lp_type_of(const struct rollbacks *r, uint64_t lp)
{
    uint32_t item = lp_item(r, lp);
    return item == ROLLBACKS_NONE ? 0 : r->lp_type[item];
}

static uint32_t type_of_desc(struct rollbacks *r, uint64_t id)
{
    const struct fmt_payload_desc *desc = fmt_desc_set_find(&r->file->descs, (uint32_t)id);
    if (id == 0 || desc == NULL || desc->owner[0] == '\0') {
        return 0;
    }
    uint32_t type = ws_intern_add(&r->types, desc->owner, strlen(desc->owner), ROLLBACKS_TYPES_MAX);
    return type == WS_NAMES_NONE ? 0 : type + 1;
}

static bool lp_note(struct rollbacks *r, uint64_t lp, uint64_t desc)
{
    if (lp_item(r, lp) != ROLLBACKS_NONE || r->n_lps >= ROLLBACKS_NONE - 1) {
        return true;
    }
    if (!array_reserve(&r->lp_of, &r->lps_room, r->n_lps + 1, sizeof *r->lp_of) ||
        !array_reserve(&r->lp_type, &r->types_room, r->n_lps + 1, sizeof *r->lp_type) ||
        !index_add(&r->lp_index, index_hash(lp), (uint32_t)r->n_lps)) {
        return rollbacks_no_memory(r);
    }
    r->lp_of[r->n_lps] = lp;
    r->lp_type[r->n_lps++] = type_of_desc(r, desc);
    return true;
}

/* ---- Sums ------------------------------------------------------------------------------------ */

static void sum_add(struct rollbacks_sum *sum, const struct rollbacks_tree *tree, uint64_t own)
{
    sum->roots++;
    sum->own += own;
    sum->rollbacks += tree->rollbacks;
    sum->undone += tree->undone;
    sum->ns += tree->ns;
}

static void top_add(struct ws_top_k *top, uint64_t key, const struct rollbacks_tree *tree,
                    uint64_t own)
{
    uint64_t *values = ws_top_k_values(top, key);
    if (values != NULL) {
        values[0]++;
        values[1] += own;
        values[2] += tree->rollbacks;
        values[3] += tree->undone;
        values[4] += tree->ns;
    }
}

/* Adds the events that a straggler undid to the sums from which rollbacks_bound() is computed.
 * late: virtual time by which the straggler was late. */
static void bound_add(struct rollbacks *r, double late, uint64_t undone)
{
    /* Includes events at the straggler's own time, which no bound can avoid. */
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

/* Adds a straggler from another PE to the sums of its reason, which depends on when it was sent. */
static void remote_add(struct walk *w, uint32_t i, const struct rollbacks_tree *tree)
{
    struct rollbacks *r = w->r;
    const struct columns *c = &w->c;
    ws_histogram_add(&r->travel, c->real_time[i] - c->sent[i], 1);
    if (c->sent[i] < c->passed[i]) {
        sum_add(&r->reasons[REASON_MESSAGE], tree, c->undone[i]);
        return;
    }
    ws_histogram_add(&r->lag, c->sent[i] - c->passed[i], 1);
    if (c->src_pe[i] < r->n_pes) {
        sum_add(&r->pes[c->src_pe[i]].late, tree, c->undone[i]);
        r->pes[w->pe].suffered += tree->undone;
    }
}

static void root_add(struct walk *w, uint32_t i, const struct rollbacks_tree *tree)
{
    struct rollbacks *r = w->r;
    const struct columns *c = &w->c;
    const uint64_t own = c->undone[i], src = c->src_lp[i], dest = c->dest_lp[i];
    top_add(&r->pe_pairs, c->src_pe[i] << 32 | w->pe, tree, own);
    top_add(&r->kps, (uint64_t)w->pe << 32 | (c->kp[i] & UINT32_MAX), tree, own);
    top_add(&r->type_pairs, (uint64_t)lp_type_of(r, src) << 32 | lp_type_of(r, dest), tree, own);
    if (src <= UINT32_MAX && dest <= UINT32_MAX) {
        top_add(&r->lp_pairs, src << 32 | dest, tree, own);
    }
    if (c->trigger[i] != TRIGGER_LOCAL && c->trigger[i] != TRIGGER_REMOTE) {
        sum_add(&r->reasons[tree->is_whole ? REASON_NONE : REASON_UNKNOWN], tree, own);
        return;
    }
    ws_histogram_add(&r->late, c->kp_ts[i] - c->recv_ts[i], 1);
    bound_add(r, c->kp_ts[i] - c->recv_ts[i], own);
    if (c->trigger[i] == TRIGGER_LOCAL) {
        sum_add(&r->reasons[REASON_LOCAL], tree, own);
    } else {
        remote_add(w, i, tree);
    }
}

/* Stores the record of a root if its tree is one of the largest. */
static void largest_note(struct walk *w, uint32_t i, uint32_t tree)
{
    const struct columns *c = &w->c;
    for (uint32_t k = 0; k < w->r->n_largest; k++) {
        struct rollbacks_largest *l = &w->r->largest[k];
        if (l->tree == tree) {
            l->src_lp = c->src_lp[i];
            l->dest_lp = c->dest_lp[i];
            l->pe = w->pe;
            l->kp = c->kp[i];
            l->trigger = c->trigger[i];
            l->src_pe = (int64_t)c->src_pe[i];
            l->recv_ts = c->recv_ts[i];
            l->real_time = c->real_time[i];
        }
    }
}

/* ---- Reading --------------------------------------------------------------------------------- */

static void columns_load(struct walk *w)
{
    const struct fmt_schema *s = w->r->schema;
    struct columns *c = &w->c;
    const struct {
        const char *name;
        uint64_t *to;
    } whole[] = {{"number", c->number},        {"src_lp", c->src_lp},
                 {"dest_lp", c->dest_lp},      {"kp", c->kp},
                 {"trigger", c->trigger},      {"src_pe", c->src_pe},
                 {"events_undone", c->undone}, {"payload_type", c->type}};
    const struct {
        const char *name;
        double *to;
    } real[] = {{"kp_ts", c->kp_ts},
                {"recv_ts", c->recv_ts},
                {"real_time", c->real_time},
                {"send_time", c->sent},
                {"passed_time", c->passed}};
    for (size_t i = 0; i < sizeof whole / sizeof whole[0]; i++) {
        ws_load_u64(&w->load, ws_field_find(s, whole[i].name), whole[i].to);
    }
    for (size_t i = 0; i < sizeof real / sizeof real[0]; i++) {
        ws_load_f64(&w->load, ws_field_find(s, real[i].name), real[i].to);
    }
}

static bool part_read(struct ws_file *file, const struct ws_part *part, void *ctx)
{
    struct walk *w = ctx;
    struct rollbacks *r = w->r;
    uint32_t row = 0;
    (void)file;
    if (part->columns->schema != r->schema) {
        return true;
    }
    while (!r->failed && ws_load_next(&w->load, part, &row)) {
        columns_load(w);
        for (uint32_t i = 0; i < w->load.n && w->at < r->bases[w->pe + 1]; i++, w->at++) {
            const uint32_t tree = r->nodes[w->at].tree;
            if (w->names) {
                lp_note(r, w->c.dest_lp[i], w->c.type[i]);
            } else if (r->trees[tree].root == w->at) {
                largest_note(w, i, tree);
                root_add(w, i, &r->trees[tree]);
            }
        }
    }
    return !r->failed;
}

static void read_all(struct walk *w, bool names)
{
    struct ws_select all = {.sb = NULL};
    struct rollbacks *r = w->r;
    ws_select_file(&all, r->file->sb, &r->file->descs);
    w->names = names;
    for (uint32_t pe = 0; pe < r->n_pes && !r->failed; pe++) {
        w->pe = pe;
        w->at = r->bases[pe];
        ws_scan_pe(r->file, &all, NULL, pe, part_read, w);
    }
}

/* ---- The largest trees ----------------------------------------------------------------------- */

struct place {
    uint64_t undone;
    uint32_t tree;
};

static int by_size(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    if (x->undone != y->undone) {
        return x->undone > y->undone ? -1 : 1;
    }
    return (x->tree > y->tree) - (x->tree < y->tree);
}

static bool largest_find(struct rollbacks *r)
{
    struct place *order = calloc((size_t)r->n_trees + 1, sizeof *order);
    r->n_largest = r->n_trees < r->options->top ? r->n_trees : r->options->top;
    r->largest = calloc((size_t)r->n_largest + 1, sizeof *r->largest);
    if (order != NULL && r->largest != NULL) {
        for (uint32_t i = 0; i < r->n_trees; i++) {
            order[i] = (struct place){r->trees[i].undone, i};
        }
        qsort(order, r->n_trees, sizeof *order, by_size);
        for (uint32_t i = 0; i < r->n_largest; i++) {
            r->largest[i].tree = order[i].tree;
        }
    }
    bool good = order != NULL && r->largest != NULL;
    free(order);
    return good || rollbacks_no_memory(r);
}

/* Adds the stragglers that were sent late to REASON_RANK if their rank lags, otherwise to
 * REASON_AHEAD. */
static void late_divide(struct rollbacks *r)
{
    for (uint32_t pe = 0; pe < r->n_pes; pe++) {
        const struct rollbacks_sum *late = &r->pes[pe].late;
        struct rollbacks_sum *to = &r->reasons[rollbacks_lags(r, pe) ? REASON_RANK : REASON_AHEAD];
        to->roots += late->roots;
        to->own += late->own;
        to->rollbacks += late->rollbacks;
        to->undone += late->undone;
        to->ns += late->ns;
    }
}

bool rollbacks_causes(struct rollbacks *r)
{
    struct ws_top_k *const tops[] = {&r->pe_pairs, &r->kps, &r->lp_pairs, &r->type_pairs};
    struct walk *w = calloc(1, sizeof *w);
    for (size_t i = 0; i < sizeof tops / sizeof tops[0]; i++) {
        ws_top_k_init(tops[i], ROLLBACKS_SUM_VALUES, 3, 1u << 18, r->options->top);
    }
    r->pes = calloc((size_t)r->n_pes + 1, sizeof *r->pes);
    if (w == NULL || r->pes == NULL || !largest_find(r)) {
        free(w);
        return rollbacks_no_memory(r);
    }
    w->r = r;
    read_all(w, true);
    read_all(w, false);
    for (size_t i = 0; i < sizeof tops / sizeof tops[0]; i++) {
        ws_top_k_close(tops[i], 0);
        r->failed |= tops[i]->failed && !rollbacks_no_memory(r);
    }
    late_divide(r);
    free(w);
    return !r->failed;
}

/* ---- Conclusions ----------------------------------------------------------------------------- */

bool rollbacks_lags(const struct rollbacks *r, uint32_t pe)
{
    const struct rollbacks_pe *p = &r->pes[pe];
    return p->late.undone > 0 && p->late.undone / 2 >= p->suffered;
}

/* With a bound W, a KP executes no event beyond GVT + W, where GVT is at most the time of any
 * straggler still to come. Consider a straggler that is late by L. Without the bound, it undoes
 * events in the interval of length L after its time. With the bound, the events in that interval
 * beyond W are not executed. If events are spread evenly, the bound avoids the share 1 - W / L of
 * them. */
double rollbacks_bound(const struct rollbacks *r, double part)
{
    const double all = r->bound_all;
    double n = 0.0, rate = 0.0;
    for (uint32_t i = ROLLBACKS_BOUND_BINS; i-- > 0;) {
        if (!(r->bound_n[i] > 0.0)) {
            continue;
        }
        n += r->bound_n[i];
        rate += r->bound_rate[i];
        double next = 0.0; /* lateness of the next lower bin that has events */
        for (uint32_t k = i; k-- > 0 && next <= 0.0;) {
            next = r->bound_n[k] > 0.0 ? r->bound_n[k] / r->bound_rate[k] : 0.0;
        }
        if (n - next * rate >= part * all) {
            return (n - part * all) / rate;
        }
    }
    return 0.0;
}
