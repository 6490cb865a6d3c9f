/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * traffic.c - who rolls whom back, and who sends to whom: events and rollbacks in cells of PEs, KPs and LP
 * types over wall-clock time; see over_time.h. A record names the LP that sent an event, whose PE and type
 * are known only after the records of all PEs were read once.
 */
#include <stdlib.h>

#include "figures/over_time.h"

struct pass {
    struct ws_figures *figures;
    struct ws_load load;
    uint64_t src[WS_LOAD_MAX], dest[WS_LOAD_MAX], kps[WS_LOAD_MAX];
    uint64_t undone[WS_LOAD_MAX], cause[WS_LOAD_MAX];
    double real_time[WS_LOAD_MAX];
};

static const char *const names[] = {"src_lp", "dest_lp", "kp", "cause", "events_undone"};

/* Returns the row of the PE of an LP. The row of unknown PEs follows that of the last PE. */
static uint32_t row_of(const struct ws_places *places, struct ws_lp lp)
{
    return lp.pe == 0 ? places->pe_rows : ws_pe_row(places, lp.pe - 1);
}

static void rollbacks_add(struct pass *p, uint32_t pe)
{
    struct ws_figures *f = p->figures;
    for (uint32_t i = 0; i < p->load.n; i++) {
        uint32_t to, bin = ws_stats_bin(&f->cell_axes[WS_WALL], p->real_time[i]);
        while (!ws_kp_row(&f->places, pe, p->kps[i], &to)) {
            ws_places_fold(f);
        }
        uint32_t from = row_of(&f->places, ws_lp_of(&f->lps, p->src[i]));
        struct ws_hit *hit = &f->traffic.hits[bin][from][to];
        f->places.kp_seen[to] = true;
        hit->count++;
        hit->undone += p->undone[i];
        hit->secondary += p->cause[i] == 2;
    }
}

static void events_add(struct pass *p, uint32_t pe)
{
    struct ws_figures *f = p->figures;
    uint32_t to = ws_pe_row(&f->places, pe);
    for (uint32_t i = 0; i < p->load.n; i++) {
        struct ws_lp src = ws_lp_of(&f->lps, p->src[i]), dest = ws_lp_of(&f->lps, p->dest[i]);
        uint32_t bin = ws_stats_bin(&f->cell_axes[WS_WALL], p->real_time[i]);
        f->traffic.pes[bin][row_of(&f->places, src)][to]++;
        f->traffic.types[bin][src.type][dest.type]++;
        if (src.pe > 0 && src.pe != pe + 1) {
            f->traffic.remote_types[src.type][dest.type]++;
        }
    }
}

static bool part_add(struct ws_file *stream, const struct ws_part *part, void *ctx)
{
    struct pass *p = ctx;
    const struct fmt_schema *schema = part->columns->schema;
    bool rollbacks = ws_field_find(schema, "events_undone") >= 0;
    (void)stream;
    if (rollbacks ? p->figures->traffic.hits == NULL : p->figures->traffic.pes == NULL) {
        /* The previous pass found no records of this kind, since a column that it needs could not
         * be decoded. */
        return true;
    }
    for (uint32_t row = 0; ws_load_next(&p->load, part, &row);) {
        uint64_t *const to[] = {p->src, p->dest, p->kps, p->cause, p->undone};
        ws_load_f64(&p->load, schema->role_field[FMT_ROLE_REAL_TIME], p->real_time);
        for (int i = 0; i < (rollbacks ? 5 : 2); i++) {
            ws_load_u64(&p->load, ws_field_find(schema, names[i]), to[i]);
        }
        if (rollbacks) {
            rollbacks_add(p, part->block->pe);
        } else {
            events_add(p, part->block->pe);
        }
    }
    return true;
}

static bool tables_make(struct ws_traffic *t, const struct ws_events *sums)
{
    if (sums->sums[WS_EVENTS_ROLLBACKS] > 0 &&
        (t->hits = calloc(WS_CELLS, sizeof *t->hits)) == NULL) {
        return false;
    }
    return sums->sums[WS_EVENTS] == 0 || ((t->pes = calloc(WS_CELLS, sizeof *t->pes)) != NULL &&
                                          (t->types = calloc(WS_CELLS, sizeof *t->types)) != NULL);
}

bool ws_traffic_gather(struct ws_figures *figures, struct ws_figures_file *file)
{
    struct fmt_wanted wanted[FMT_SCHEMAS_MAX] = {{{0}, false}};
    const struct fmt_superblock *sb = file->stream.sb;
    struct pass *p = calloc(1, sizeof *p);
    bool good = p != NULL && tables_make(&figures->traffic, file->sums.events);
    for (uint32_t s = 0; s < sb->n_schemas; s++) {
        int32_t time = sb->schemas[s]->role_field[FMT_ROLE_REAL_TIME];
        bool rollbacks = ws_field_find(sb->schemas[s], "events_undone") >= 0;
        ws_want(&wanted[s], time);
        for (int i = 0; i < (rollbacks ? 5 : 2); i++) {
            ws_want(&wanted[s], ws_field_find(sb->schemas[s], names[i]));
        }
    }
    if (good) {
        ws_select_file(figures->select, sb, &file->stream.descs);
        p->figures = figures;
        ws_scan(&file->stream, figures->select, wanted, part_add, p);
    }
    free(p);
    return good;
}
