/* SPDX-License-Identifier: BSD-3-Clause */
/* run.c - runs the steps of the analysis one after another; see rollbacks.h. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "cli/messages.h"
#include "rollbacks/rollbacks.h"

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
    return rollbacks_trees(r) && rollbacks_causes(r);
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
