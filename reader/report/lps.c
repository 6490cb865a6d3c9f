/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lps.c - finds the PE and the type of each LP; see lps.h.
 *
 * A PE writes only records about its own LPs: about the receiver of an event, or the LP that was
 * sampled. The type of that LP is the owner of the payload description of the record.
 */
#include "report/lps.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "store/array.h"

struct pass {
    struct report_lps *lps;
    struct report_run *run;
    struct ws_load load;
};

/* Returns the index of type `name` in e->type_names, after adding it there if it is new. Returns
 * REPORT_TYPES if there is no space for it. */
static uint32_t type_number(struct report_events *e, const char *name)
{
    assert(e->n_types <= REPORT_TYPES);
    for (uint32_t i = 0; i < e->n_types; i++) {
        if (strcmp(e->type_names[i], name) == 0) {
            return i;
        }
    }
    if (e->n_types == REPORT_TYPES) {
        return REPORT_TYPES;
    }
    e->type_names[e->n_types] = name;
    return e->n_types++;
}

struct report_lp *report_lps_find(const struct report_lps *lps, uint64_t lp)
{
    uint64_t number = lp / REPORT_LPS_PAGE;
    uint32_t hash = index_hash(number), i;
    for (uint32_t at = hash; index_next(&lps->index, hash, &at, &i);) {
        if (lps->pages[i].number == number) {
            return &lps->pages[i].lps[lp % REPORT_LPS_PAGE];
        }
    }
    return NULL;
}

/* Returns the entry of an LP, and creates it if it is new. Returns NULL if there are too many
 * pages, or if memory is exhausted (then sets lps->no_memory). */
static struct report_lp *place_of(struct report_lps *lps, uint64_t lp)
{
    if (lp < REPORT_LPS_DIRECT) {
        lps->no_memory |= !array_reserve_zero(&lps->list, &lps->room, lp + 1, sizeof *lps->list);
        return lps->no_memory ? NULL : &lps->list[lp];
    }
    struct report_lp *found = report_lps_find(lps, lp);
    if (found != NULL || lps->n_pages == REPORT_PAGES_MAX) {
        return found;
    }
    uint64_t number = lp / REPORT_LPS_PAGE;
    if (!array_reserve_zero(&lps->pages, &lps->pages_room, lps->n_pages + 1, sizeof *lps->pages) ||
        !index_add(&lps->index, index_hash(number), (uint32_t)lps->n_pages)) {
        lps->no_memory = true;
        return NULL;
    }
    lps->pages[lps->n_pages].number = number;
    return &lps->pages[lps->n_pages++].lps[lp % REPORT_LPS_PAGE];
}

static bool load_add(struct pass *p, const struct ws_file *stream, int32_t lp_field, uint32_t pe)
{
    uint64_t lps[WS_LOAD_MAX], ids[WS_LOAD_MAX], last_id = 0;
    uint32_t type = REPORT_TYPES;
    ws_load_u64(&p->load, lp_field, lps);
    ws_load_u64(&p->load, p->load.part->columns->schema->role_field[FMT_ROLE_PAYLOAD_TYPE], ids);
    for (uint32_t i = 0; i < p->load.n; i++) {
        struct report_lp *lp = place_of(p->lps, lps[i]);
        if (p->lps->no_memory) {
            return false;
        }
        if (lp == NULL) {
            p->lps->unplaced++;
            continue;
        }
        if (ids[i] != last_id) {
            const struct fmt_payload_desc *desc =
                fmt_desc_set_find(&stream->descs, (uint32_t)ids[i]);
            bool named = desc != NULL && desc->owner[0] != '\0';
            type = named ? type_number(&p->run->events, desc->owner) : REPORT_TYPES;
            last_id = ids[i];
        }
        if (lp->pe == 0) {
            *lp = (struct report_lp){pe + 1, REPORT_TYPES};
        }
        lp->type = ids[i] != 0 && lp->type == REPORT_TYPES ? type : lp->type;
    }
    return true;
}

static int32_t lp_field(const struct fmt_schema *schema)
{
    int32_t field = ws_field_find(schema, "dest_lp");
    return field >= 0 ? field : ws_field_find(schema, "lp");
}

static bool part_add(struct ws_file *stream, const struct ws_part *part, void *ctx)
{
    struct pass *p = ctx;
    int32_t field = lp_field(part->columns->schema);
    for (uint32_t row = 0; field >= 0 && ws_load_next(&p->load, part, &row);) {
        if (!load_add(p, stream, field, part->block->pe)) {
            return false;
        }
    }
    return true;
}

bool report_lps_gather(struct report_lps *lps, struct report_run *run)
{
    struct pass p = {.lps = lps, .run = run};
    for (size_t f = 0; f < run->n; f++) {
        struct ws_file *stream = &run->list[f].stream;
        struct fmt_wanted wanted[FMT_SCHEMAS_MAX] = {{{0}, false}};
        bool any = false;
        for (uint32_t i = 0; stream->pes != NULL && i < stream->sb->n_schemas; i++) {
            int32_t field = lp_field(stream->sb->schemas[i]);
            int32_t type = stream->sb->schemas[i]->role_field[FMT_ROLE_PAYLOAD_TYPE];
            if (field >= 0) {
                fmt_wanted_add(&wanted[i], (uint32_t)field);
                any = true;
            }
            if (type >= 0) {
                fmt_wanted_add(&wanted[i], (uint32_t)type);
            }
        }
        bool of_engine = stream->pes != NULL && stream->sb->stream <= FMT_STREAM_EVTRACE;
        if (any && of_engine && !lps->no_memory) {
            ws_select_file(run->select, stream->sb, &stream->descs);
            ws_scan(stream, run->select, wanted, part_add, &p);
        }
    }
    return !lps->no_memory;
}

void report_lps_free(struct report_lps *lps)
{
    free(lps->list);
    free(lps->pages);
    index_fini(&lps->index);
    *lps = (struct report_lps){0};
}
