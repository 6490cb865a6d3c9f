/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model.c - statistics of model values, over all LPs of a type and all their samples. The
 * statistics depend on the measure of a field: mean, minimum and maximum of levels, increase of
 * counters, number of distinct identities.
 *
 * For a counter, only the last value of each LP is used. A PE writes the records of a sampling
 * point one after another, so the sum over its LPs is known when the next point begins. Memory does
 * not depend on the number of LPs. A point with fewer values than an earlier one, because of a kill
 * or damage, is ignored.
 *
 * In the curve of a level, a bin has the mean, minimum and maximum of its samples. In that of a counter, a
 * bin has the increase per unit of virtual time, summed over all LPs. The increase is the difference between
 * the sums over the LPs of a PE at two sampling points, if both points have equally many LPs.
 */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "figures/over_time.h"

/* Maximum number of fields in all descriptions; further fields are omitted. */
#define FIELDS_MAX 4096u

#define LPS_OTHER UINT64_MAX /* a number of LPs that no sampling point has */
#define LP_NONE   UINT64_MAX /* a record does not name its LP */

/* ---- Sums ------------------------------------------------------------------------------------ */

/* Adds the values in s->waiting to the set of distinct values. Returns false if out of memory. */
static bool ids_flush(struct ws_model_ids *s)
{
    bool good = s->n_waiting == 0 || id_set_add(&s->ids, s->waiting, s->n_waiting);
    s->n_waiting = 0;
    return good;
}

static bool ids_add(struct ws_model_ids *s, struct fmt_value v)
{
    assert(s->n_waiting < WS_MODEL_IDS_BUFFER);
    if (s->ids.n > WS_MODEL_IDS) {
        return true;
    }
    if (s->waiting == NULL) {
        s->waiting = malloc(WS_MODEL_IDS_BUFFER * sizeof *s->waiting);
    }
    if (s->waiting == NULL) {
        return false;
    }
    uint64_t bits = v.as.u;
    if (ws_type_is_real(v.type)) {
        memcpy(&bits, &v.as.f, sizeof bits);
    }
    s->waiting[s->n_waiting++] = bits;
    return s->n_waiting < WS_MODEL_IDS_BUFFER || ids_flush(s);
}

/* ---- Curves ---------------------------------------------------------------------------------- */

/* Adds a value to the list of the largest values of a field, which has one entry per LP. An LP
 * leaves the full list when WS_MODEL_WORST other LPs have exceeded its value. */
static void worst_add(struct ws_model_curve *f, uint64_t lp, double value)
{
    assert(f->n_worst <= WS_MODEL_WORST);
    uint32_t at = 0;
    while (at < f->n_worst && f->worst[at].lp != lp) {
        at++;
    }
    bool is_new = at == f->n_worst && f->n_worst < WS_MODEL_WORST;
    at = at == WS_MODEL_WORST ? at - 1 : at; /* a new one takes the place of the last */
    if (!is_new && value <= f->worst[at].value) {
        return;
    }
    f->n_worst += is_new;
    for (; at > 0 && f->worst[at - 1].value < value; at--) {
        f->worst[at] = f->worst[at - 1];
    }
    f->worst[at].lp = lp;
    f->worst[at].value = value;
}

static void value_add(struct ws_model_curve *f, uint32_t bin, double v)
{
    assert(bin < WS_BINS);
    f->low[bin] = f->n[bin] == 0 || v < f->low[bin] ? v : f->low[bin];
    f->high[bin] = f->n[bin] == 0 || v > f->high[bin] ? v : f->high[bin];
    f->sum[bin] += v;
    f->n[bin]++;
}

/* Returns the row of an LP, which it makes for the first ones; NULL for further LPs, or without memory. */
static struct ws_model_lp *lp_row(struct ws_model_curve *f, uint64_t lp, double start)
{
    for (uint32_t i = 0; i < f->n_lps && !(f->more_lps && lp > f->lps[f->n_lps - 1].lp); i++) {
        uint32_t at = (f->next + i) % f->n_lps;
        if (f->lps[at].lp == lp) {
            f->next = at + 1;
            return &f->lps[at];
        }
    }
    f->more_lps |= f->n_lps == WS_MODEL_LPS;
    if (f->lps == NULL) {
        f->lps = calloc(WS_MODEL_LPS, sizeof *f->lps);
    }
    if (f->more_lps || f->lps == NULL) {
        return NULL;
    }
    f->lps[f->n_lps].lp = lp;
    f->lps[f->n_lps].time = f->lps[f->n_lps].from = start;
    return &f->lps[f->n_lps++];
}

/* Adds a sample of an LP to its row: the mean of a level's elements, or the sum of a counter's. */
static void lp_add(const struct ws_model *m, struct ws_model_curve *f, uint64_t lp, uint32_t bin,
                   double value, bool is_counter)
{
    const struct ws_stats_axis *axis = &m->over->axes[WS_VIRTUAL];
    struct ws_model_lp *row = lp_row(f, lp, axis->low);
    if (row == NULL) {
        return;
    }
    bool is_first = row->part != m->point.part + 1;
    bool is_known = is_first ? !m->point.is_midway && (row->part > 0 || m->whole) : true;
    if (!is_counter) {
        row->sum[bin] += value;
    } else if (is_known && value > row->before) {
        ws_stats_bins_spread(axis, row->sum, row->time, fmin(m->point.time, axis->high),
                             value - row->before);
    } else if (row->part == 0) {
        row->from = is_known ? row->from : m->point.time;
    }
    row->part = m->point.part + 1;
    row->n[bin]++;
    row->before = value;
    row->time = m->point.time;
}

/* Adds the values of a field in the payload of LP lp to the field's statistics, and to its curve. Returns
 * false if memory is exhausted. */
static bool field_add(const struct ws_model *m, struct ws_model_field *f, const uint8_t *payload,
                      uint64_t lp)
{
    assert(f->field->type != FMT_CHAR);
    size_t size = fmt_type_size(f->field->type);
    struct ws_model_point *now = &f->counter.now;
    struct ws_model_curve *curve = f->curve;
    uint32_t bin = curve == NULL ? 0 : ws_stats_bin(&m->over->axes[WS_VIRTUAL], m->point.time);
    bool is_counter = f->field->measure == FMT_COUNTER, good = true;
    double sum = 0.0, most = (double)NAN;
    for (uint32_t i = 0; i < f->field->count; i++) {
        struct fmt_value value =
            fmt_value_read(payload + f->field->offset + i * size, f->field->type);
        double v = ws_value_number(value);
        if (v == v) {
            f->min = f->n == 0 || v < f->min ? v : f->min;
            f->max = f->n == 0 || v > f->max ? v : f->max;
            f->sum += v;
            f->n++;
            sum += v;
        }
        if (curve != NULL && isfinite(v)) {
            most = most >= v ? most : v;
            if (!is_counter) {
                value_add(curve, bin, v);
            }
        }
        if (f->field->measure == FMT_IDENTITY && m->over == NULL) {
            good &= ids_add(&f->ids, value);
        }
    }
    now->most = now->n == 0 || sum > now->most ? sum : now->most;
    now->sum += sum;
    now->time = m->point.time;
    now->n++;
    most = is_counter ? sum : most;
    if (curve != NULL && isfinite(most)) {
        worst_add(curve, lp, most);
        lp_add(m, curve, lp, bin, is_counter ? sum : sum / f->field->count, is_counter);
    }
    return good;
}

/* Adds the increase of a counter since the previous sampling point to the bins of its curve. now: the
 * current point. */
static void curve_close(const struct ws_model *m, const struct ws_model_point *now,
                        struct ws_model_curve *curve)
{
    const struct ws_stats_axis *axis = &m->over->axes[WS_VIRTUAL];
    double more = now->sum - curve->before;
    if (now->n == 0) {
        return;
    }
    bool is_known = curve->lps_before != 0 || m->whole; /* counters began at 0 */
    curve->from = is_known ? curve->from : fmax(curve->from, m->point.time);
    if (is_known && (curve->lps_before == now->n || curve->lps_before == 0) && more > 0.0 &&
        isfinite(more)) {
        ws_stats_bins_spread(axis, curve->sum, m->point.before, fmin(m->point.time, axis->high),
                             more);
    }
    curve->before = now->sum;
    curve->lps_before = now->n;
}

/* Returns true if the stream recorded nothing just before this part. The counters at the first
 * sampling point of the part then do not count as an increase. */
static bool begins_midway(const struct ws_model *m, uint32_t part)
{
    struct ws_cover gap;
    return part == 0 ? ws_part_cover(ws_stream_part(m->file, 0)).virtual_from > 0.0
                     : ws_stream_gap(m->file, part, NULL, &gap);
}

/* Completes the current sampling point of a field; is_last: the last one of the current PE, whose values are
 * then added to the totals of a counter. */
static void field_close(const struct ws_model *m, struct ws_model_field *f, bool is_last)
{
    struct ws_model_counter *c = &f->counter;
    if (f->curve != NULL && f->field->measure == FMT_COUNTER) {
        curve_close(m, &c->now, f->curve);
    }
    if (c->now.n > 0 && (c->first.n == 0 || c->now.time < c->first.time)) {
        c->first = c->now;
    }
    if (c->now.n > 0 && c->now.n >= c->last.n && (c->last.n == 0 || c->now.time >= c->last.time)) {
        c->last = c->now;
    }
    c->now = (struct ws_model_point){0};
    if (is_last && c->last.n > 0) {
        c->at_first += c->first.sum;
        c->at_last += c->last.sum;
        c->most = c->last.most > c->most ? c->last.most : c->most;
    }
    if (is_last) {
        c->first = c->last = (struct ws_model_point){0};
    }
}

/* Makes the sampling point of a record the current one. If another point was current, completes
 * that point first. */
static void point_follow(struct ws_model *m, const struct fmt_block *block, uint64_t kind,
                         uint64_t sample, double time)
{
    bool new_pe = m->point.pe != block->pe + 1, new_part = new_pe || m->point.part != block->part;
    if (!new_part && m->point.kind == kind && m->point.sample == sample &&
        !(m->point.time < time) && !(m->point.time > time)) {
        return;
    }
    bool is_midway = m->over != NULL && new_part && begins_midway(m, block->part);
    for (size_t i = 0; i < m->n_fields; i++) {
        struct ws_model_curve *curve = m->fields[i].curve;
        field_close(m, &m->fields[i], new_pe);
        if (curve != NULL) {
            curve->before = new_pe ? 0.0 : curve->before;
            curve->lps_before = is_midway ? LPS_OTHER : new_pe ? 0 : curve->lps_before;
        }
    }
    m->point.before = new_pe && m->over != NULL ? m->over->axes[WS_VIRTUAL].low : m->point.time;
    m->point.pe = block->pe + 1;
    m->point.part = block->part;
    m->point.is_midway = is_midway || (!new_part && m->point.is_midway);
    m->point.kind = kind;
    m->point.sample = sample;
    m->point.time = time;
}

double ws_model_counted(const struct ws_model *m, const struct ws_model_field *f)
{
    if (f->field->measure == FMT_COUNTER) {
        return m->whole ? f->counter.at_last : f->counter.at_last - f->counter.at_first;
    }
    return f->sum;
}

/* Adds the values in the payload of record number `row` to the statistics. id: the record's payload
 * type; lp: its LP. */
static void record_add(struct ws_model *m, const struct fmt_columns *c, uint32_t row, uint64_t id,
                       uint64_t lp)
{
    assert(row < c->n_records);
    const struct fmt_desc_set *descs = &m->file->descs;
    size_t place = ws_desc_place(descs, id);
    const struct fmt_payload_desc *desc = place < descs->n ? &descs->descs[place] : NULL;
    m->types[place]++;
    if (m->over != NULL && lp != LP_NONE) {
        uint32_t type = ws_lps_type(&m->over->lps, desc);
        ws_lps_place(&m->over->lps, m->point.pe - 1, &lp, &type, 1);
    }
    if (desc == NULL || c->payload_offset == NULL ||
        c->payload_offset[row + 1] - c->payload_offset[row] != desc->size) {
        return;
    }
    for (size_t i = m->first_field[place]; i < m->first_field[place + 1]; i++) {
        m->no_memory |= !field_add(m, &m->fields[i], c->payload + c->payload_offset[row], lp);
    }
}

static bool model_part_add(const struct ws_part *part, void *ctx)
{
    struct ws_model *m = ctx;
    const struct fmt_columns *c = part->columns;
    int32_t type = c->schema->role_field[FMT_ROLE_PAYLOAD_TYPE];
    int32_t kind = ws_field_find(c->schema, "kind");
    int32_t sample = ws_field_find(c->schema, "sample");
    int32_t lp = m->over == NULL ? -1 : ws_field_find(c->schema, "lp");
    int32_t time = c->schema->role_field[FMT_ROLE_VIRTUAL_TIME];
    for (uint32_t row = 0; row < c->n_records; row++) {
        if (!ws_part_has(part, row)) {
            continue;
        }
        uint64_t why = ws_whole_at(c, kind, row);
        m->records++;
        m->kinds[why < 4 ? why : 0]++;
        point_follow(m, part->block, why, ws_whole_at(c, sample, row), ws_number_at(c, time, row));
        record_add(m, c, row, ws_whole_at(c, type, row),
                   lp < 0 ? LP_NONE : ws_whole_at(c, lp, row));
    }
    return !m->no_memory && (m->over == NULL || !m->over->lps.no_memory);
}

/* Creates an entry in m->fields for each numeric field of a payload description. Returns false if
 * memory is exhausted. */
static bool fields_make(struct ws_model *m)
{
    const struct fmt_desc_set *descs = &m->file->descs;
    m->first_field = calloc(descs->n + 2, sizeof *m->first_field);
    m->types = calloc(descs->n + 1, sizeof *m->types);
    m->fields = calloc(FIELDS_MAX, sizeof *m->fields);
    if (m->first_field == NULL || m->types == NULL || m->fields == NULL) {
        return false;
    }
    for (size_t d = 0; d < descs->n; d++) {
        const struct fmt_payload_desc *desc = &descs->descs[d];
        m->first_field[d] = m->n_fields;
        for (uint32_t i = 0; i < desc->n_fields && m->n_fields < FIELDS_MAX; i++) {
            const struct fmt_payload_field *field = &desc->fields[i];
            bool is_name = field->measure == FMT_IDENTITY || field->names != NULL;
            if (field->type == FMT_CHAR) {
                continue;
            }
            struct ws_model_field *to = &m->fields[m->n_fields++];
            *to = (struct ws_model_field){.desc = desc, .field = field};
            if (m->over != NULL && !is_name && m->n_curves < WS_MODEL_CURVES) {
                m->n_curves++;
                if ((to->curve = calloc(1, sizeof *to->curve)) == NULL) {
                    return false;
                }
            }
        }
    }
    m->first_field[descs->n] = m->first_field[descs->n + 1] = m->n_fields;
    return true;
}

struct ws_model *ws_model_gather(struct ws_file *file, const struct ws_select *select,
                                 const struct ws_stats_options *options)
{
    struct fmt_wanted wanted[FMT_SCHEMAS_MAX] = {{{0}, false}};
    struct ws_model *m = calloc(1, sizeof *m);
    struct ws_stats_clocks clocks;
    if (m == NULL) {
        return NULL;
    }
    m->file = file;
    m->select = select;
    m->whole = !select->by_time;
    m->over = options->over;
    m->no_memory = !fields_make(m);
    for (uint32_t i = 0; i < file->sb->n_schemas; i++) {
        const struct fmt_schema *schema = file->sb->schemas[i];
        wanted[i].payload = schema->role_field[FMT_ROLE_PAYLOAD_SIZE] >= 0;
        ws_want(&wanted[i], schema->role_field[FMT_ROLE_PAYLOAD_TYPE]);
        ws_want(&wanted[i], schema->role_field[FMT_ROLE_VIRTUAL_TIME]);
        ws_want(&wanted[i], ws_field_find(schema, "kind"));
        ws_want(&wanted[i], ws_field_find(schema, "sample"));
        ws_want(&wanted[i], m->over == NULL ? -1 : ws_field_find(schema, "lp"));
    }
    if (!m->no_memory) {
        ws_stats_clocks_find(&clocks, file, select, NULL);
        m->span = m->counted = clocks.span;
        for (int c = 0; c < WS_CLOCKS; c++) {
            double began = m->whole ? fmin(0.0, m->span.from[c]) : m->span.from[c];
            m->counted.length[c] = m->span.to[c] - began;
        }
        ws_scan(file, select, wanted, model_part_add, m);
        for (size_t i = 0; i < m->n_fields; i++) {
            field_close(m, &m->fields[i], true);
            m->no_memory |= !ids_flush(&m->fields[i].ids);
        }
    }
    if (m->no_memory) {
        ws_model_free(m);
        return NULL;
    }
    return m;
}

void ws_model_free(struct ws_model *m)
{
    if (m == NULL) {
        return;
    }
    for (size_t i = 0; i < m->n_fields; i++) {
        id_set_free(&m->fields[i].ids.ids);
        free(m->fields[i].ids.waiting);
        free(m->fields[i].curve != NULL ? m->fields[i].curve->lps : NULL);
        free(m->fields[i].curve);
    }
    free(m->first_field);
    free(m->types);
    free(m->fields);
    free(m);
}
