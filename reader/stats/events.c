/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * events.c - sums of the records in an event trace; see stats.h.
 *
 * A record of an event counts for the LP that received the event, and for the KP of that LP. A
 * record of a rollback counts for the LP and KP that received the event that caused the rollback.
 * Only records of rollbacks have the field events_undone. Cost: some 30 ns per event in addition to
 * reading it; only the needed columns are decoded.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "data/known.h"
#include "stats/stats.h"

const char *const ws_events_names[WS_EVENTS_COUNTS] = {"events", "rollbacks", "events_undone",
                                                       "secondary"};

/* Indices of the fields in a kind of record; -1: no such field. */
struct fields {
    int32_t lp, kp, send_ts, recv_ts, real_time, type, kp_ts, undone, cause;
};

static struct fields fields_find(const struct fmt_schema *schema)
{
    return (struct fields){.lp = ws_field_find(schema, "dest_lp"),
                           .kp = ws_field_find(schema, "kp"),
                           .send_ts = ws_field_find(schema, "send_ts"),
                           .recv_ts = schema->role_field[FMT_ROLE_VIRTUAL_TIME],
                           .real_time = schema->role_field[FMT_ROLE_REAL_TIME],
                           .type = schema->role_field[FMT_ROLE_PAYLOAD_TYPE],
                           .kp_ts = ws_field_find(schema, "kp_ts"),
                           .undone = ws_field_find(schema, "events_undone"),
                           .cause = ws_field_find(schema, "cause")};
}

static void wanted_fill(const struct fmt_superblock *sb, struct fmt_wanted *wanted)
{
    for (uint32_t i = 0; i < sb->n_schemas; i++) {
        struct fields f = fields_find(sb->schemas[i]);
        const int32_t all[] = {f.lp,   f.kp,    f.send_ts, f.recv_ts, f.real_time,
                               f.type, f.kp_ts, f.undone,  f.cause};
        for (size_t k = 0; k < sizeof all / sizeof all[0]; k++) {
            if (all[k] >= 0) {
                fmt_wanted_add(&wanted[i], (uint32_t)all[k]);
            }
        }
    }
}

/* Prepares a list of KPs or LPs, ordered by the count that options->by names. If options->by is
 * NULL, the list is ordered by rollbacks, or by events if `rollbacks` is false, which means that
 * the trace has no rollbacks. */
static void list_init(struct ws_stats_list *list, const struct ws_stats_options *options,
                      bool rollbacks)
{
    uint32_t rank = rollbacks ? WS_EVENTS_ROLLBACKS : WS_EVENTS;
    for (uint32_t i = 0; options->by != NULL && i < WS_EVENTS_COUNTS; i++) {
        ws_known_add(options->by_known, WS_STATS_BY_MAX, ws_events_names[i]);
        if (strcmp(options->by, ws_events_names[i]) == 0) {
            rank = i;
            *options->by_found = true;
        }
    }
    *list = (struct ws_stats_list){.used = true};
    /* The count that determines the order comes first. */
    for (uint32_t i = 0, n = 1; i < WS_EVENTS_COUNTS; i++) {
        uint32_t place = i == rank ? 0 : n++;
        list->names[place] = ws_events_names[i];
        list->field[i] = (int32_t)place;
    }
    ws_top_k_init(&list->top, WS_EVENTS_COUNTS, 0, WS_STATS_KEYS, options->top);
}

/* ---- Sums ------------------------------------------------------------------------------------ */

/* Adds n loaded records to a list. keys[i]: KP or LP of record i. undone[i], cause[i]: fields of
 * record i if the records are of rollbacks; for records of events, both arrays are NULL. */
static void list_add(struct ws_stats_list *list, const uint64_t *keys, uint32_t n,
                     const uint64_t *undone, const uint64_t *cause)
{
    assert((undone == NULL) == (cause == NULL));
    for (uint32_t i = 0; i < n; i++) {
        uint64_t *values = ws_top_k_values(&list->top, keys[i]);
        if (values == NULL) {
            return;
        }
        if (undone == NULL) {
            values[list->field[WS_EVENTS]]++;
        } else {
            values[list->field[WS_EVENTS_ROLLBACKS]]++;
            values[list->field[WS_EVENTS_UNDONE]] += undone[i];
            values[list->field[WS_EVENTS_SECONDARY]] += cause[i] == 2;
        }
    }
}

/* Counts the loaded records per payload description. which: 0 for events, 1 for rollbacks. */
static void types_add(struct ws_events *e, const struct fields *f, int which)
{
    assert(which == 0 || which == 1);
    uint64_t ids[WS_LOAD_MAX], last_id = 0;
    const struct fmt_desc_set *descs = &e->file->descs;
    size_t place = descs->n;
    ws_load_u64(&e->load, f->type, ids);
    for (uint32_t i = 0; i < e->load.n; i++) {
        if (i == 0 || ids[i] != last_id) {
            const struct fmt_payload_desc *desc = fmt_desc_set_find(descs, (uint32_t)ids[i]);
            place = desc == NULL ? descs->n : (size_t)(desc - descs->descs);
            last_id = ids[i];
        }
        e->types[place][which]++;
    }
}

static void bins_add(struct ws_events *e, const struct fields *f, struct ws_stats_pe *pe, bool b)
{
    double clock[WS_LOAD_MAX];
    ws_load_f64(&e->load, f->real_time, clock);
    for (uint32_t i = 0; i < e->load.n; i++) {
        uint32_t bin = ws_stats_bin(&e->axis, clock[i]);
        (b ? e->bins.b : e->bins.a)[bin]++;
        if (pe != NULL) {
            (b ? pe->bins.b : pe->bins.a)[bin]++;
        }
    }
}

static void dist_add(struct ws_histogram *dist, const struct ws_load *load, int32_t from,
                     int32_t to)
{
    double a[WS_LOAD_MAX], b[WS_LOAD_MAX];
    if (from < 0 || to < 0) {
        return;
    }
    ws_load_f64(load, from, a);
    ws_load_f64(load, to, b);
    for (uint32_t i = 0; i < load->n; i++) {
        ws_histogram_add(dist, b[i] - a[i], 1);
    }
}

/* Adds to the sums the fields that only records of rollbacks have. Also stores the fields in undone
 * and cause. */
static void rollbacks_add(struct ws_events *e, const struct fields *f, struct ws_stats_pe *pe,
                          uint64_t *undone, uint64_t *cause)
{
    assert(f->undone >= 0);
    uint64_t add[WS_EVENTS_COUNTS] = {[WS_EVENTS_ROLLBACKS] = e->load.n};
    double kp_ts[WS_LOAD_MAX], recv_ts[WS_LOAD_MAX];
    ws_load_u64(&e->load, f->undone, undone);
    ws_load_u64(&e->load, f->cause, cause);
    ws_load_f64(&e->load, f->kp_ts, kp_ts);
    ws_load_f64(&e->load, f->recv_ts, recv_ts);
    for (uint32_t i = 0; i < e->load.n; i++) {
        add[WS_EVENTS_UNDONE] += undone[i];
        add[WS_EVENTS_SECONDARY] += cause[i] == 2;
        ws_histogram_add(&e->undone, (double)undone[i], 1);
        if (cause[i] != 2 && f->kp_ts >= 0) {
            ws_histogram_add(&e->late, kp_ts[i] - recv_ts[i], 1);
        }
    }
    for (int i = 0; i < WS_EVENTS_COUNTS; i++) {
        e->sums[i] += add[i];
        if (pe != NULL) {
            pe->sums[i] += add[i];
        }
    }
}

static void load_add(struct ws_events *e, const struct fields *f, uint32_t pe_number)
{
    uint64_t keys[WS_LOAD_MAX], undone[WS_LOAD_MAX], cause[WS_LOAD_MAX];
    bool rollbacks = f->undone >= 0;
    struct ws_stats_pe *pe = ws_stats_pe_get(&e->pes, pe_number);
    if (rollbacks) {
        rollbacks_add(e, f, pe, undone, cause);
    } else {
        e->sums[WS_EVENTS] += e->load.n;
        if (pe != NULL) {
            pe->sums[WS_EVENTS] += e->load.n;
        }
        dist_add(&e->delay, &e->load, f->send_ts, f->recv_ts);
    }
    if (pe != NULL) {
        pe->records += e->load.n;
    }
    bins_add(e, f, pe, rollbacks);
    types_add(e, f, rollbacks);
    if (f->lp >= 0) {
        ws_load_u64(&e->load, f->lp, keys);
        list_add(&e->lps, keys, e->load.n, rollbacks ? undone : NULL, rollbacks ? cause : NULL);
    }
    if (f->kp >= 0) {
        ws_load_u64(&e->load, f->kp, keys);
        list_add(&e->kps, keys, e->load.n, rollbacks ? undone : NULL, rollbacks ? cause : NULL);
    }
}

static void pe_close(struct ws_events *e, bool is_last)
{
    if (e->pe > 0) {
        ws_top_k_close(&e->kps.top, e->pe - 1);
    }
    if (e->pe > 0 && (is_last || !e->lps.moved)) {
        ws_top_k_close(&e->lps.top, e->pe - 1);
    }
    e->no_memory |= e->kps.top.failed || e->lps.top.failed;
}

static bool part_add(struct ws_file *file, const struct ws_part *part, void *ctx)
{
    struct ws_events *e = ctx;
    struct fields f = fields_find(part->columns->schema);
    (void)file;
    if (e->pe != part->block->pe + 1) {
        pe_close(e, false);
        e->pe = part->block->pe + 1;
    }
    if (e->lps.moved) {
        ws_top_k_enter(&e->lps.top, part->block->part, part->block->pe);
    }
    for (uint32_t row = 0; ws_load_next(&e->load, part, &row);) {
        load_add(e, &f, part->block->pe);
    }
    return !e->no_memory;
}

/* Finds the durations to which the sums apply. They differ only if a part of the stream lacks a
 * kind of record. */
static void spans_find(struct ws_events *e, const struct ws_stats_span *all)
{
    const struct fmt_superblock *sb = e->file->sb;
    e->span = *all;
    for (int i = 0; i < WS_EVENTS_COUNTS; i++) {
        e->spans[i] = *all;
    }
    for (uint32_t k = 0; sb->n_schemas > 1 && k < sb->n_schemas; k++) {
        struct ws_stats_clocks clocks;
        bool rollbacks = ws_field_find(sb->schemas[k], "events_undone") >= 0;
        ws_stats_clocks_find(&clocks, e->file, e->select, sb->schemas[k]);
        for (int i = 0; i < WS_EVENTS_COUNTS; i++) {
            e->spans[i] = rollbacks == (i != WS_EVENTS) ? clocks.span : e->spans[i];
        }
    }
}

struct ws_events *ws_events_gather(struct ws_file *file, const struct ws_select *select,
                                   const struct ws_stats_options *options)
{
    struct fmt_wanted wanted[FMT_SCHEMAS_MAX] = {{{0}, false}};
    struct ws_events *e = calloc(1, sizeof *e);
    struct ws_stats_clocks clocks;
    bool rollbacks = false;
    if (e == NULL || (e->types = calloc(file->descs.n + 1, sizeof *e->types)) == NULL) {
        ws_events_free(e);
        return NULL;
    }
    e->file = file;
    e->select = select;
    for (uint32_t i = 0; i < file->sb->n_schemas; i++) {
        rollbacks |=
            file->kind_records[i] > 0 && ws_field_find(file->sb->schemas[i], "events_undone") >= 0;
    }
    list_init(&e->kps, options, rollbacks);
    list_init(&e->lps, options, rollbacks);
    e->lps.moved = ws_stream_moved(file);
    ws_stats_clocks_find(&clocks, file, select, NULL);
    ws_stats_axis_init(&e->axis, &clocks, !select->by_time, false, WS_STATS_BINS);
    spans_find(e, &clocks.span);
    wanted_fill(file->sb, wanted);
    ws_scan(file, select, wanted, part_add, e);
    pe_close(e, true);
    if (e->no_memory) {
        ws_events_free(e);
        return NULL;
    }
    return e;
}

void ws_events_free(struct ws_events *e)
{
    if (e != NULL) {
        ws_top_k_free(&e->kps.top);
        ws_top_k_free(&e->lps.top);
        free(e->pes.list);
        free(e->types);
        free(e);
    }
}
