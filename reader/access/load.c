/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * load.c - loads the chosen records of a block; see load.h.
 */
#include "access/load.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "access/facts.h"
#include "format/bytes.h"

bool ws_load_next(struct ws_load *load, const struct ws_part *part, uint32_t *row)
{
    assert(*row <= part->columns->n_records);
    uint32_t n_records = part->columns->n_records;
    load->part = part;
    load->n = 0;
    uint32_t first = *row, most = n_records - first < WS_LOAD_MAX ? n_records - first : WS_LOAD_MAX;
    for (; part->all && load->n < most; load->n++) {
        load->rows[load->n] = first + load->n;
    }
    for (*row += load->n; *row < n_records && load->n < most; (*row)++) {
        if (ws_part_has(part, *row)) {
            load->rows[load->n++] = *row;
        }
    }
    return load->n > 0;
}

void ws_load_u64(const struct ws_load *load, int32_t field, uint64_t *to)
{
    assert(load->n <= WS_LOAD_MAX && field < (int32_t)load->part->columns->schema->n_fields);
    const struct fmt_columns *c = load->part->columns;
    if (field < 0) {
        memset(to, 0, load->n * sizeof *to);
        return;
    }
    const uint8_t *raw = c->values[field];
    switch (c->schema->fields[field].type) {
    case FMT_U32:
        for (uint32_t i = 0; i < load->n; i++) {
            to[i] = fmt_get_u32(raw + 4 * (size_t)load->rows[i]);
        }
        break;
    case FMT_U64:
        for (uint32_t i = 0; i < load->n; i++) {
            to[i] = fmt_get_u64(raw + 8 * (size_t)load->rows[i]);
        }
        break;
    default:
        for (uint32_t i = 0; i < load->n; i++) {
            to[i] = ws_whole_at(c, field, load->rows[i]);
        }
        break;
    }
}

void ws_load_f64(const struct ws_load *load, int32_t field, double *to)
{
    assert(load->n <= WS_LOAD_MAX && field < (int32_t)load->part->columns->schema->n_fields);
    const struct fmt_columns *c = load->part->columns;
    if (field < 0) {
        memset(to, 0, load->n * sizeof *to);
        return;
    }
    if (c->schema->fields[field].type == FMT_F64) {
        const uint8_t *raw = c->values[field];
        for (uint32_t i = 0; i < load->n; i++) {
            to[i] = fmt_get_f64(raw + 8 * (size_t)load->rows[i]);
        }
        return;
    }
    for (uint32_t i = 0; i < load->n; i++) {
        to[i] = ws_number_at(c, field, load->rows[i]);
    }
}

void ws_load_all(const struct ws_load *load, const struct ws_loaded *table, void *arrays)
{
    for (const struct ws_loaded *t = table; t->name != NULL; t++) {
        int32_t field = ws_field_find(load->part->columns->schema, t->name);
        void *array = (char *)arrays + t->array;
        if (t->is_real) {
            ws_load_f64(load, field, array);
        } else {
            ws_load_u64(load, field, array);
        }
    }
}

void ws_load_want(const struct ws_loaded *table, const struct fmt_schema *schema,
                  struct fmt_wanted *wanted)
{
    for (const struct ws_loaded *t = table; t->name != NULL; t++) {
        ws_want(wanted, ws_field_find(schema, t->name));
    }
}

/* ---- Numbers of LPs -------------------------------------------------------------------------- */

static const struct ws_loaded lp_fields[] = {
    {"dest_lp", 0, false}, {"src_lp", 0, false}, {"lp", 0, false}, {NULL, 0, false}};

struct lp_pass {
    struct id_set *lps;
    uint64_t total, largest;
    struct ws_load load;
    uint64_t numbers[WS_LOAD_MAX];
};

static bool lps_add(const struct ws_part *part, void *ctx)
{
    struct lp_pass *p = ctx;
    for (uint32_t row = 0; ws_load_next(&p->load, part, &row);) {
        for (const struct ws_loaded *f = lp_fields; f->name != NULL; f++) {
            int32_t field = ws_field_find(part->columns->schema, f->name);
            if (field < 0) {
                continue;
            }
            ws_load_u64(&p->load, field, p->numbers);
            size_t n = 0;
            for (uint32_t k = 0; k < p->load.n; k++) {
                bool is_new = k == 0 || p->numbers[k] != p->numbers[k - 1];
                p->numbers[n] = p->numbers[k];
                n += is_new && p->numbers[k] <= p->largest;
            }
            if (!id_set_add(p->lps, p->numbers, n) || p->lps->n > p->total) {
                return false;
            }
        }
    }
    return true;
}

bool ws_lps_read(struct id_set *lps, struct ws_file *file)
{
    struct fmt_wanted wanted[FMT_SCHEMAS_MAX] = {{{0}, false}};
    struct lp_pass *p = calloc(1, sizeof *p);
    *lps = (struct id_set){.n = 0};
    if (p == NULL) {
        return false;
    }
    p->lps = lps;
    p->total = ws_fact_u64(file->sb, "total_lps");
    p->largest = ws_fact_u64(file->sb, "largest_lp");
    for (uint32_t s = 0; s < file->sb->n_schemas; s++) {
        ws_load_want(lp_fields, file->sb->schemas[s], &wanted[s]);
    }
    bool good = ws_scan(file, NULL, wanted, lps_add, p) && id_set_index(lps);
    free(p);
    return good;
}
