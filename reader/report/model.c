/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model.c - computes the model's own values over virtual time, and finds the LPs with the largest
 * values; see report.h.
 *
 * For a field that is a level, a bin has the mean, minimum and maximum of its samples. For a
 * counter, a bin has the increase per unit of virtual time, summed over all LPs. The increase is
 * the difference between the sums over the LPs of a PE at two sampling points, if both points have
 * equally many LPs. Identities are omitted.
 */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/report.h"

#define LPS_OTHER UINT64_MAX /* a number of LPs that no sampling point has */

struct pass {
    struct report_run *run;
    const struct fmt_desc_set *descs;
    /* Owned; [d]: index of the first field of payload description d; last element: number of
     * fields. */
    uint32_t *first;
    struct {
        uint32_t pe; /* PE number plus 1; 0: none */
        uint32_t part;
        uint64_t kind, sample;
        double time, before;
    } point;
    const struct ws_file *stream;
};

static double as_number(struct fmt_value v)
{
    if (v.type == FMT_F32 || v.type == FMT_F64) {
        return v.as.f;
    }
    return v.type >= FMT_I8 && v.type <= FMT_I64 ? (double)v.as.i : (double)v.as.u;
}

/* Adds a value to the list of the largest values of a field, which has one entry per LP. An LP
 * leaves the full list when REPORT_WORST other LPs have exceeded its value. */
static void worst_add(struct report_field *f, uint64_t lp, double value)
{
    assert(f->n_worst <= REPORT_WORST);
    uint32_t at = 0;
    while (at < f->n_worst && f->worst[at].lp != lp) {
        at++;
    }
    if (at < f->n_worst && value <= f->worst[at].value) {
        return;
    }
    if (at == f->n_worst && f->n_worst < REPORT_WORST) {
        f->n_worst++;
    } else if (at == f->n_worst) {
        at--;
        if (value <= f->worst[at].value) {
            return;
        }
    }
    for (; at > 0 && f->worst[at - 1].value < value; at--) {
        f->worst[at] = f->worst[at - 1];
    }
    f->worst[at] = (struct report_worst){lp, value};
}

static void value_add(struct report_field *f, uint32_t bin, double v)
{
    assert(bin < REPORT_BINS);
    f->low[bin] = f->n[bin] == 0 || v < f->low[bin] ? v : f->low[bin];
    f->high[bin] = f->n[bin] == 0 || v > f->high[bin] ? v : f->high[bin];
    f->sum[bin] += v;
    f->n[bin]++;
}

static void field_add(const struct pass *p, struct report_field *f, const uint8_t *payload,
                      uint64_t lp)
{
    size_t size = fmt_type_size(f->field->type);
    uint32_t bin = ws_stats_bin(&p->run->axes[REPORT_VIRTUAL], p->point.time);
    double sum = 0.0, most = (double)NAN;
    for (uint32_t i = 0; i < f->field->count; i++) {
        double v = as_number(fmt_value_read(payload + f->field->offset + i * size, f->field->type));
        if (v != v || isinf(v)) {
            continue;
        }
        sum += v;
        most = most >= v ? most : v;
        if (f->field->measure != FMT_COUNTER) {
            value_add(f, bin, v);
        }
    }
    if (f->field->measure == FMT_COUNTER) {
        f->now += sum;
        f->lps_now++;
        most = sum;
    }
    if (most == most) {
        worst_add(f, lp, most);
    }
}

/* Completes the current sampling point of field f. If f is a counter, adds its increase since the
 * previous point to the bins. */
static void point_close(const struct pass *p, struct report_field *f)
{
    if (f->lps_now > 0 && f->field->measure == FMT_COUNTER) {
        bool comparable = f->lps_before == f->lps_now || f->lps_before == 0;
        double more = f->now - f->before;
        if (comparable && more > 0.0) {
            ws_stats_bins_spread(&p->run->axes[REPORT_VIRTUAL], f->sum, p->point.before,
                                 fmin(p->point.time, p->run->axes[REPORT_VIRTUAL].high), more);
        }
        f->before = f->now;
        f->lps_before = f->lps_now;
    }
    f->now = 0.0;
    f->lps_now = 0;
}

/* Returns true if the stream recorded nothing just before this part. The counters at the first
 * sampling point of the part then do not count as an increase. */
static bool begins_midway(const struct pass *p, uint32_t part)
{
    struct ws_cover gap;
    return part == 0 ? ws_part_cover(ws_stream_part(p->stream, 0)).virtual_from > 0.0
                     : ws_stream_gap(p->stream, part, NULL, &gap);
}

static void point_follow(struct pass *p, const struct fmt_block *block, uint64_t kind,
                         uint64_t sample, double time)
{
    bool new_pe = p->point.pe != block->pe + 1, new_part = new_pe || p->point.part != block->part;
    if (!new_part && p->point.kind == kind && p->point.sample == sample &&
        !(p->point.time < time) && !(p->point.time > time)) {
        return;
    }
    for (uint32_t i = 0; i < p->run->model.n_fields; i++) {
        struct report_field *f = &p->run->model.fields[i];
        point_close(p, f);
        if (new_pe) {
            f->before = 0.0;
            f->lps_before = 0;
        }
        if (new_part && begins_midway(p, block->part)) {
            f->lps_before = LPS_OTHER;
        }
    }
    p->point.before = new_pe ? p->run->axes[REPORT_VIRTUAL].low : p->point.time;
    p->point.pe = block->pe + 1;
    p->point.part = block->part;
    p->point.kind = kind;
    p->point.sample = sample;
    p->point.time = time;
}

static uint64_t value_u64(const struct fmt_columns *c, int32_t field, uint32_t row)
{
    return field < 0 ? 0 : fmt_columns_value(c, (uint32_t)field, row).as.u;
}

static bool part_add(struct ws_file *stream, const struct ws_part *part, void *ctx)
{
    struct pass *p = ctx;
    const struct fmt_columns *c = part->columns;
    int32_t type = c->schema->role_field[FMT_ROLE_PAYLOAD_TYPE];
    int32_t kind = ws_field_find(c->schema, "kind"), lp = ws_field_find(c->schema, "lp");
    int32_t sample = ws_field_find(c->schema, "sample");
    int32_t time = c->schema->role_field[FMT_ROLE_VIRTUAL_TIME];
    (void)stream;
    for (uint32_t row = 0; time >= 0 && c->payload_offset != NULL && row < c->n_records; row++) {
        if (!ws_part_has(part, row)) {
            continue;
        }
        point_follow(p, part->block, value_u64(c, kind, row), value_u64(c, sample, row),
                     fmt_columns_value(c, (uint32_t)time, row).as.f);
        const struct fmt_payload_desc *desc =
            fmt_desc_set_find(p->descs, (uint32_t)value_u64(c, type, row));
        uint64_t size = c->payload_offset[row + 1] - c->payload_offset[row];
        if (desc == NULL || desc->size != size) {
            continue;
        }
        size_t place = (size_t)(desc - p->descs->descs);
        for (uint32_t i = p->first[place]; i < p->first[place + 1]; i++) {
            field_add(p, &p->run->model.fields[i], c->payload + c->payload_offset[row],
                      value_u64(c, lp, row));
        }
    }
    return true;
}

/* Creates an entry in run->model for each numeric field of the payload descriptions. Returns false
 * if out of memory. */
static bool fields_make(struct pass *p)
{
    struct report_model *m = &p->run->model;
    p->first = calloc(p->descs->n + 1, sizeof *p->first);
    m->fields = calloc(REPORT_MODEL_FIELDS, sizeof *m->fields);
    if (p->first == NULL || m->fields == NULL) {
        return false;
    }
    for (size_t d = 0; d < p->descs->n; d++) {
        const struct fmt_payload_desc *desc = &p->descs->descs[d];
        p->first[d] = m->n_fields;
        for (uint32_t i = 0; i < desc->n_fields; i++) {
            const struct fmt_payload_field *field = &desc->fields[i];
            if (field->type == FMT_CHAR || field->measure == FMT_IDENTITY || field->names != NULL) {
                continue;
            }
            if (m->n_fields == REPORT_MODEL_FIELDS) {
                m->left_out++;
                continue;
            }
            m->fields[m->n_fields].desc = desc;
            m->fields[m->n_fields++].field = field;
        }
        p->first[d + 1] = m->n_fields;
    }
    return true;
}

bool report_model_gather(struct report_run *run)
{
    struct report_file *file = report_file_of(run, FMT_STREAM_MODEL);
    struct fmt_wanted wanted[FMT_SCHEMAS_MAX] = {{{0}, false}};
    static const char *const names[] = {"kind", "sample", "lp"};
    static const enum fmt_role roles[] = {FMT_ROLE_VIRTUAL_TIME, FMT_ROLE_PAYLOAD_TYPE};
    if (file == NULL) {
        return true;
    }
    struct pass p = {.run = run, .descs = &file->stream.descs, .stream = &file->stream};
    run->model.source.stream = &file->stream;
    bool good = fields_make(&p);
    for (uint32_t s = 0; s < file->stream.sb->n_schemas; s++) {
        const struct fmt_schema *schema = file->stream.sb->schemas[s];
        wanted[s].payload = schema->role_field[FMT_ROLE_PAYLOAD_SIZE] >= 0;
        for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
            int32_t field = ws_field_find(schema, names[i]);
            if (field >= 0) {
                fmt_wanted_add(&wanted[s], (uint32_t)field);
            }
        }
        for (size_t i = 0; i < sizeof roles / sizeof roles[0]; i++) {
            if (schema->role_field[roles[i]] >= 0) {
                fmt_wanted_add(&wanted[s], (uint32_t)schema->role_field[roles[i]]);
            }
        }
    }
    if (good) {
        ws_select_file(run->select, file->stream.sb, &file->stream.descs);
        ws_scan(&file->stream, run->select, wanted, part_add, &p);
        for (uint32_t i = 0; i < run->model.n_fields; i++) {
            point_close(&p, &run->model.fields[i]);
        }
    }
    free(p.first);
    return good;
}
