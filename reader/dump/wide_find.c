/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wide_find.c - finds the kinds of records, the numbers of KPs and LPs, and the columns of the wide
 * layout.
 *
 * Invariant: at most IDS_MAX numbers of LPs and COLUMNS_MAX columns are kept. A file that needs
 * more is refused with an error message that suggests a remedy.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "access/record_scan.h"
#include "data/known.h"
#include "dump/wide.h"

#define IDS_MAX     ((size_t)2 << 20) /* maximum number of LPs; their numbers take 16 MiB */
#define COLUMNS_MAX ((size_t)1 << 20) /* maximum number of columns; their cells take 16 MiB */
#define BATCH       4096              /* maximum number of LPs or KPs processed together */

const enum ws_wide_level ws_wide_kind_level[WS_WIDE_KINDS] = {WS_WIDE_PE, WS_WIDE_KP, WS_WIDE_KP,
                                                              WS_WIDE_LP};

/* ---- Available memory ------------------------------------------------------------------------ */

static int32_t field_of_number(const struct fmt_schema *schema, const char *name)
{
    int32_t field = ws_field_find(schema, name);
    return field >= 0 && schema->fields[field].type <= FMT_U64 ? field : -1;
}

/* Prepares kind k: finds its schema, and the fields in it that supply the values of items and the
 * time of the sampling point. */
static void kind_init(struct ws_wide *w, int k)
{
    assert(k >= 0 && k < WS_WIDE_KINDS);
    static const char *const names[2][WS_WIDE_KINDS] = {{"gvt_pe", "gvt_kp", "", "gvt_lp"},
                                                        {"rt_pe", "rt_kp", "rt_ahead", "rt_lp"}};
    static const char *const numbers[] = {NULL, "kp", "lp"};
    struct ws_wide_kind *kind = &w->kinds[k];
    enum ws_wide_level level = ws_wide_kind_level[k];
    const struct fmt_superblock *sb = w->file->sb;
    *kind = (struct ws_wide_kind){.select = *w->select, .number = -1};
    kind->schema = ws_schema_named(sb, names[sb->stream == FMT_STREAM_RT][k]);
    if (kind->schema == NULL || !ws_wide_columns_use(&w->columns, level)) {
        kind->schema = NULL;
        return;
    }
    kind->select.kps.n = level == WS_WIDE_PE ? 0 : kind->select.kps.n;
    kind->select.lps.n = level == WS_WIDE_LP ? kind->select.lps.n : 0;
    kind->sample = field_of_number(kind->schema, "sample");
    kind->number = level == WS_WIDE_PE ? -1 : field_of_number(kind->schema, numbers[level]);
    if (kind->sample < 0 || (level != WS_WIDE_PE && kind->number < 0)) {
        kind->schema = NULL; /* records without these fields do not come from Warpscope */
        return;
    }
    ws_want(&kind->wanted, kind->sample);
    ws_want(&kind->wanted, kind->number);
    for (uint32_t i = 0; i < w->columns.n_items; i++) {
        const struct ws_wide_item *item = &w->columns.items[i];
        bool common = strcmp(item->field, "gvt") == 0 || strcmp(item->field, "real_time") == 0;
        kind->field[i] =
            common || item->level == level ? ws_field_find(kind->schema, item->field) : -1;
        ws_want(&kind->wanted, kind->field[i]);
    }
}

uint64_t ws_wide_records(const struct ws_file *s, const char *suffix)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < s->sb->n_schemas; i++) {
        n += ws_ends_with(s->sb->schemas[i]->name, suffix) ? s->kind_records[i] : 0;
    }
    return n;
}

/* ---- Numbers of KPs and LPs ------------------------------------------------------------------ */

static bool too_large(struct ws_wide *w, const char *what)
{
    fprintf(stderr,
            "warpscope: %s: too many %s for the wide layout; choose some with --lp or --pe, or use"
            " the long one\n",
            w->file->path, what);
    w->refused = true;
    return false;
}

static bool ids_add(struct ws_wide *w, struct id_set *ids, uint64_t *numbers, size_t n)
{
    if (!id_set_add(ids, numbers, n)) {
        ws_no_memory(NULL);
        w->refused = true;
    }
    return !w->refused;
}

/* Adds the numbers of the KPs or LPs in a block to a set. KPs of all PEs share one set; each PE has
 * a set of its own for its LPs. Returns false after an error message. */
static bool part_numbers(struct ws_file *s, const struct ws_part *part, void *ctx)
{
    struct ws_wide *w = ctx;
    uint64_t numbers[BATCH];
    for (int k = WS_WIDE_KIND_KP; k < WS_WIDE_KINDS; k++) {
        const struct ws_wide_kind *kind = &w->kinds[k];
        if (kind->schema != part->columns->schema) {
            continue;
        }
        bool is_lp = ws_wide_kind_level[k] == WS_WIDE_LP;
        struct id_set *ids = is_lp ? &w->lps[part->block->pe] : &w->columns.numbers[WS_WIDE_KP];
        size_t before = ids->n;
        for (uint32_t row = 0; row < part->block->n_records;) {
            size_t n = 0;
            for (; n < BATCH && row < part->block->n_records; row++) {
                numbers[n++] = fmt_columns_value(part->columns, (uint32_t)kind->number, row).as.u;
            }
            if (!ids_add(w, ids, numbers, n)) {
                return false;
            }
        }
        w->n_lps += is_lp ? ids->n - before : 0;
        if (w->n_lps > IDS_MAX || w->columns.numbers[WS_WIDE_KP].n > IDS_MAX) {
            return too_large(w, is_lp ? "LPs" : "KPs");
        }
    }
    (void)s;
    return true;
}

/* Collects the numbers for which LP columns are needed: the positions that selected LPs have among
 * the LPs of their PE. Returns false after an error message. */
static bool lp_columns_make(struct ws_wide *w)
{
    assert(w->lps != NULL);
    uint64_t numbers[BATCH];
    const struct ws_ranges *chosen = &w->select->lps;
    for (uint32_t pe = 0; pe < w->file->sb->layout.n_pes; pe++) {
        for (size_t i = 0; i < w->lps[pe].n;) {
            size_t n = 0;
            for (; n < BATCH && i < w->lps[pe].n; i++) {
                if (chosen->n == 0 || ws_ranges_have(chosen, w->lps[pe].ids[i])) {
                    numbers[n++] = i;
                }
            }
            if (!ids_add(w, &w->columns.numbers[WS_WIDE_LP], numbers, n)) {
                return false;
            }
        }
    }
    return true;
}

static bool kp_columns_choose(struct ws_wide *w)
{
    struct id_set *ids = &w->columns.numbers[WS_WIDE_KP];
    size_t kept = 0;
    for (size_t i = 0; i < ids->n; i++) {
        if (w->select->kps.n == 0 || ws_ranges_have(&w->select->kps, ids->ids[i])) {
            ids->ids[kept++] = ids->ids[i];
        }
    }
    ids->n = kept;
    return true;
}

/* Reads the numbers of the KPs and LPs on all selected PEs, assigns the columns, and allocates the
 * cells. Returns false after an error message. */
static bool columns_make(struct ws_wide *w)
{
    struct fmt_wanted wanted[FMT_SCHEMAS_MAX] = {{{0}, false}};
    struct ws_select pes_only = *w->select;
    uint64_t pe_number = 0;
    pes_only.kps.n = pes_only.lps.n = 0;
    pes_only.by_time = false;
    pes_only.seen = NULL; /* these records are not the answer */
    for (int k = WS_WIDE_KIND_KP; k < WS_WIDE_KINDS; k++) {
        const struct ws_wide_kind *kind = &w->kinds[k];
        if (kind->schema != NULL) {
            fmt_wanted_add(&wanted[ws_schema_number(w->file->sb, kind->schema)],
                           (uint32_t)kind->number);
        }
    }
    ws_scan(w->file, &pes_only, wanted, part_numbers, w);
    if (w->refused || !ids_add(w, &w->columns.numbers[WS_WIDE_PE], &pe_number, 1) ||
        !lp_columns_make(w) || !kp_columns_choose(w)) {
        return false;
    }
    ws_wide_columns_place(&w->columns);
    if (w->columns.n_columns > COLUMNS_MAX) {
        return too_large(w, "columns");
    }
    w->cells = calloc(w->columns.n_columns, sizeof *w->cells);
    if (w->cells == NULL) {
        ws_no_memory(NULL);
    }
    return w->cells != NULL;
}

bool ws_wide_prepare(struct ws_wide *w)
{
    w->lps = calloc(w->file->sb->layout.n_pes, sizeof *w->lps);
    for (int k = 0; k < WS_WIDE_KINDS; k++) {
        kind_init(w, k);
    }
    if (w->lps == NULL) {
        ws_no_memory(NULL);
    }
    return w->lps != NULL && columns_make(w);
}
