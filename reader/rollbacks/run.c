/* SPDX-License-Identifier: BSD-3-Clause */
/* run.c - examines a trace in all steps; see rollbacks.h. */
#include <stdlib.h>
#include <string.h>

#include "cli/messages.h"
#include "rollbacks/rollbacks.h"

bool rollbacks_no_memory(struct rollbacks *r)
{
    if (!r->failed) {
        ws_say(&ws_on_stderr, "out of memory");
    }
    r->failed = true;
    return false;
}

static bool refuse(const struct ws_file *file, const char *what, const char *remedy)
{
    ws_say(&ws_on_stderr, "%s: %s: %s", file->path, what, remedy);
    return false;
}

/* Adds the counters of a PE's END block to the totals. */
static bool end_read(struct ws_file *file, const struct fmt_block *block, void *ctx)
{
    struct rollbacks *r = ctx;
    struct fmt_end end = {0};
    if (block->kind != FMT_BLOCK_END ||
        fmt_block_read_end(file->reader, block, &end, NULL) != FMT_OK) {
        return true;
    }
    for (uint32_t i = 0; i < end.info.n_counters; i++) {
        const struct fmt_counter *c = &end.info.counters[i];
        r->engine.primary += strcmp(c->name, "primary_rollbacks") == 0 ? c->value : 0;
        r->engine.secondary += strcmp(c->name, "secondary_rollbacks") == 0 ? c->value : 0;
        r->engine.undone += strcmp(c->name, "events_rolled_back") == 0 ? c->value : 0;
    }
    r->engine.known &= end.info.n_counters > 0;
    fmt_end_free(&end);
    return false;
}

static void totals_read(struct rollbacks *r)
{
    r->engine.known = r->file->pes_ended == r->n_pes;
    for (uint32_t pe = 0; pe < r->n_pes; pe++) {
        ws_file_each(r->file, pe, end_read, r);
    }
}

/* Returns true if the file has rollbacks with the fields that trees need. */
static bool schema_find(struct rollbacks *r)
{
    static const struct {
        const char *name;
        uint32_t type;
    } needed[] = {{"number", FMT_U64},      {"cause_number", FMT_U64}, {"cause_pe", FMT_I32},
                  {"undone_time", FMT_I64}, {"src_pe", FMT_I32},       {"trigger", FMT_U32},
                  {"send_time", FMT_F64},   {"passed_time", FMT_F64},  {"events_undone", FMT_U64}};
    uint64_t n = 0;
    for (uint32_t i = 0; i < r->file->sb->n_schemas; i++) {
        if (r->file->sb->schemas[i]->id == FMT_RECORD_ROLLBACK) {
            r->schema = r->file->sb->schemas[i];
            n = r->file->kind_records[i];
        }
    }
    if (r->schema == NULL) {
        return refuse(r->file, "there are no rollbacks in it", "record with --event-trace=2");
    }
    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++) {
        int32_t field = ws_field_find(r->schema, needed[i].name);
        if (field < 0 || r->schema->fields[field].type != needed[i].type) {
            return refuse(r->file, "rollbacks do not name their causes",
                          "record with this version of Warpscope");
        }
    }
    if (n >= ROLLBACKS_NONE - 1) {
        return refuse(r->file, "there are more than 4 billion rollbacks", "record a shorter run");
    }
    r->n_nodes = (uint32_t)n;
    return true;
}

bool rollbacks_run(struct rollbacks *r, struct ws_file *file,
                   const struct rollbacks_options *options)
{
    *r = (struct rollbacks){.options = options, .file = file, .n_pes = file->sb->layout.n_pes};
    if (!schema_find(r)) {
        return false;
    }
    r->nodes = calloc((size_t)r->n_nodes + 1, sizeof *r->nodes);
    r->bases = calloc((size_t)r->n_pes + 1, sizeof *r->bases);
    if (r->nodes == NULL || r->bases == NULL) {
        return rollbacks_no_memory(r);
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
    index_fini(&r->lp_index);
    free(r->lp_of);
    free(r->lp_type);
    free(r->pes);
    free(r->largest);
    free(r->trees);
    free(r->nodes);
    free(r->bases);
}
