/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * places.c - stores the PE and the type of each LP, as far as records contain them; assigns rows to PEs and
 * KPs, and merges pairs of neighbouring rows of KPs, so that KPs with larger numbers have rows. See
 * over_time.h and figures.h.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "figures/over_time.h"
#include "store/array.h"

/* ---- LPs ------------------------------------------------------------------------------------- */

uint32_t ws_lps_type(struct ws_lps *lps, const struct fmt_payload_desc *desc)
{
    const char *owner = desc == NULL ? "" : desc->owner;
    uint32_t type = owner[0] == '\0' ? WS_NAMES_NONE
                                     : ws_intern_add(&lps->types, owner, strlen(owner), WS_TYPES);
    lps->no_memory |= type == WS_NAMES_NONE && owner[0] != '\0' && lps->types.n < WS_TYPES;
    return type == WS_NAMES_NONE ? WS_TYPES : type;
}

struct ws_lp *ws_lps_find(const struct ws_lps *lps, uint64_t lp)
{
    uint64_t number = lp / WS_LPS_PAGE;
    uint32_t hash = index_hash(number), i;
    for (uint32_t at = hash; index_next(&lps->index, hash, &at, &i);) {
        if (lps->pages[i].number == number) {
            return &lps->pages[i].lps[lp % WS_LPS_PAGE];
        }
    }
    return NULL;
}

/* Returns the entry of an LP, and creates it if it is new. Returns NULL if there are too many
 * pages, or if memory is exhausted (then sets lps->no_memory). */
static struct ws_lp *place_of(struct ws_lps *lps, uint64_t lp)
{
    if (lp < WS_LPS_DIRECT) {
        lps->no_memory |= !array_reserve_zero(&lps->list, &lps->room, lp + 1, sizeof *lps->list);
        return lps->no_memory ? NULL : &lps->list[lp];
    }
    struct ws_lp *found = ws_lps_find(lps, lp);
    if (found != NULL || lps->n_pages == WS_LPS_PAGES_MAX) {
        return found;
    }
    uint64_t number = lp / WS_LPS_PAGE;
    if (!array_reserve_zero(&lps->pages, &lps->pages_room, lps->n_pages + 1, sizeof *lps->pages) ||
        !index_add(&lps->index, index_hash(number), (uint32_t)lps->n_pages)) {
        lps->no_memory = true;
        return NULL;
    }
    lps->pages[lps->n_pages].number = number;
    return &lps->pages[lps->n_pages++].lps[lp % WS_LPS_PAGE];
}

void ws_lps_place(struct ws_lps *all, uint32_t pe, const uint64_t *lps, const uint32_t *types,
                  uint32_t n)
{
    for (uint32_t i = 0; i < n && !all->no_memory; i++) {
        bool is_known = lps[i] < all->room && all->list[lps[i]].pe > 0;
        struct ws_lp *lp = is_known ? &all->list[lps[i]] : place_of(all, lps[i]);
        if (lp == NULL) {
            all->unplaced++;
            continue;
        }
        if (lp->pe == 0) {
            *lp = (struct ws_lp){pe + 1, WS_TYPES};
        }
        lp->type = types != NULL && lp->type == WS_TYPES ? types[i] : lp->type;
    }
}

/* A pass over an event trace for the places and types of the LPs. */
struct pass {
    struct ws_lps *lps;
    struct ws_load load;
    uint64_t ids[WS_LOAD_MAX], numbers[WS_LOAD_MAX];
    uint32_t types[WS_LOAD_MAX];
    uint32_t type_of[]; /* [d]: type of payload description d, plus 1; 0: not yet found */
};

static bool places_part_add(const struct ws_part *part, void *ctx)
{
    struct pass *p = ctx;
    const struct fmt_schema *schema = part->columns->schema;
    int32_t lp = ws_field_find(schema, "dest_lp");
    for (uint32_t row = 0; lp >= 0 && ws_load_next(&p->load, part, &row);) {
        ws_load_u64(&p->load, lp, p->numbers);
        ws_load_u64(&p->load, schema->role_field[FMT_ROLE_PAYLOAD_TYPE], p->ids);
        for (uint32_t i = 0; i < p->load.n; i++) {
            size_t place = ws_desc_place(&part->file->descs, p->ids[i]);
            uint32_t *type = &p->type_of[place];
            if (*type == 0) {
                *type = 1 + ws_lps_type(p->lps, place < part->file->descs.n
                                                    ? &part->file->descs.descs[place]
                                                    : NULL);
            }
            p->types[i] = *type - 1;
        }
        ws_lps_place(p->lps, part->block->pe, p->numbers, p->types, p->load.n);
    }
    return !p->lps->no_memory;
}

bool ws_lps_gather(struct ws_lps *lps, struct ws_file *trace, struct ws_select *select)
{
    struct fmt_wanted wanted[FMT_SCHEMAS_MAX] = {{{0}, false}};
    struct pass *p = calloc(1, sizeof *p + (trace->descs.n + 1) * sizeof p->type_of[0]);
    for (uint32_t i = 0; i < trace->sb->n_schemas; i++) {
        ws_want(&wanted[i], ws_field_find(trace->sb->schemas[i], "dest_lp"));
        ws_want(&wanted[i], trace->sb->schemas[i]->role_field[FMT_ROLE_PAYLOAD_TYPE]);
    }
    if (p != NULL) {
        p->lps = lps;
        ws_select_file(select, trace->sb, &trace->descs);
        ws_scan(trace, select, wanted, places_part_add, p);
    }
    bool good = p != NULL && !lps->no_memory;
    free(p);
    return good;
}

void ws_lps_free(struct ws_lps *lps)
{
    free(lps->list);
    free(lps->pages);
    index_fini(&lps->index);
    ws_intern_free(&lps->types);
    *lps = (struct ws_lps){.list = NULL};
}

/* ---- Rows ------------------------------------------------------------------------------------ */

void ws_places_init(struct ws_places *p, uint32_t n_pes, uint64_t kps_per_pe)
{
    assert(n_pes > 0);
    *p = (struct ws_places){.n_pes = n_pes, .kp_rows = 1};
    p->pes_per_row = (n_pes + WS_PE_ROWS - 1) / WS_PE_ROWS;
    p->pe_rows = (n_pes + p->pes_per_row - 1) / p->pes_per_row;
    while (2 * p->kp_rows * p->pe_rows <= WS_KP_ROWS) {
        p->kp_rows *= 2;
    }
    while (kps_per_pe > 0 && (kps_per_pe - 1) >> p->kp_shift >= p->kp_rows) {
        p->kp_shift++;
    }
}

/* Moves n numbers to others, to which they are added. */
static void cells_move(double *to, double *from, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        double v = from[i];
        from[i] = 0.0; /* both may be the same */
        to[i] += v;
    }
}

static void hit_move(struct ws_hit *to, struct ws_hit *from)
{
    const struct ws_hit v = *from;
    *from = (struct ws_hit){0, 0, 0};
    to->count += v.count;
    to->secondary += v.secondary;
    to->undone += v.undone;
}

void ws_places_fold(struct ws_figures *run)
{
    struct ws_places *p = &run->places;
    assert(p->kp_shift < 63 && p->pe_rows * p->kp_rows <= WS_KP_ROWS);
    for (uint32_t r = 0; r < p->pe_rows * p->kp_rows; r++) {
        uint32_t to = r / p->kp_rows * p->kp_rows + r % p->kp_rows / 2; /* not after r */
        bool seen = p->kp_seen[r];
        p->kp_seen[r] = false;
        p->kp_seen[to] |= seen;
        for (int c = 0; run->ahead.used && c < WS_CLOCKS; c++) {
            cells_move(run->ahead.sum[c][to], run->ahead.sum[c][r], WS_CELLS);
            cells_move(run->ahead.weight[c][to], run->ahead.weight[c][r], WS_CELLS);
        }
        for (uint32_t i = 0; run->traffic.hits != NULL && i < WS_CELLS * (p->pe_rows + 1); i++) {
            struct ws_hit *row = run->traffic.hits[i / (p->pe_rows + 1)][i % (p->pe_rows + 1)];
            hit_move(&row[to], &row[r]);
        }
    }
    p->kp_shift++;
}
