/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * merged.c - returns the records of a file in the order of merge.h, as columns; see merged.h.
 */
#include "order/merged.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/messages.h"
#include "format/bytes.h"
#include "store/array.h"

#define BATCH_RECORDS 256u
/* A batch ends with the record that exceeds this number of payload bytes. */
#define BATCH_PAYLOAD ((size_t)1 << 20)

/* ---- View of the file ------------------------------------------------------------------------ */

/* Set of the kinds of records for which the file has selected blocks. */
struct presence {
    const struct ws_select *select;
    bool any, kinds[FMT_SCHEMAS_MAX];
};

static bool block_note(struct ws_file *s, const struct fmt_block *block, void *ctx)
{
    struct presence *p = ctx;
    if (block->kind == FMT_BLOCK_DATA &&
        (p->select == NULL || ws_select_block(p->select, block) != WS_SHARE_NONE)) {
        p->any = p->kinds[ws_schema_number(s->sb, block->schema)] = true;
    }
    return true;
}

static void presence_find(struct presence *p, struct ws_file *s)
{
    for (uint32_t pe = 0; pe < s->sb->layout.n_pes; pe++) {
        ws_file_each(s, pe, block_note, p);
    }
    for (uint32_t i = 0; !p->any && i < s->sb->n_schemas; i++) {
        p->kinds[i] = true;
    }
}

/* Inserts a kind of the file into m->originals, which is sorted by id. */
static void kind_insert(struct ws_merged *m, const struct fmt_schema *schema)
{
    assert(m->view.n_schemas < m->file->sb->n_schemas);
    uint32_t i = m->view.n_schemas++;
    for (; i > 0 && m->originals[i - 1]->id > schema->id; i--) {
        m->originals[i] = m->originals[i - 1];
    }
    m->originals[i] = schema;
}

bool ws_merged_init(struct ws_merged *m, struct ws_file *file, const struct ws_select *select)
{
    const struct fmt_superblock *sb = file->sb;
    const struct fmt_desc_set *descs = &file->descs;
    struct presence presence = {.select = select};
    *m = (struct ws_merged){.file = file, .select = select, .view = *sb};
    m->view.n_schemas = 0;
    m->schemas = calloc(sb->n_schemas, sizeof *m->schemas);
    m->originals = calloc(sb->n_schemas, sizeof *m->originals);
    m->forms = calloc(sb->n_schemas, sizeof *m->forms);
    bool good = ws_payload_types_init(&m->types, &descs, 1) && m->schemas != NULL &&
                m->originals != NULL && m->forms != NULL;
    presence_find(&presence, file);
    for (uint32_t i = 0; good && i < sb->n_schemas; i++) {
        if (presence.kinds[i]) {
            kind_insert(m, sb->schemas[i]);
        }
    }
    for (uint32_t i = 0; good && i < m->view.n_schemas; i++) {
        good = ws_sort_layout_init(&m->forms[i], m->originals[i], NULL, NULL);
        m->schemas[i] = &m->forms[i].view;
    }
    m->view.schemas = m->schemas;
    if (!good) {
        ws_no_memory(NULL);
    }
    return good;
}

void ws_merged_free(struct ws_merged *m)
{
    for (uint32_t i = 0; m->forms != NULL && i < m->view.n_schemas; i++) {
        ws_sort_layout_free(&m->forms[i]);
    }
    ws_payload_types_free(&m->types);
    free(m->forms);
    free(m->originals);
    free(m->schemas);
    *m = (struct ws_merged){0};
}

/* ---- Batches of records ---------------------------------------------------------------------- */

struct batch {
    struct fmt_columns columns; /* columns that own no memory: they point into `values` */
    uint8_t *values;            /* owned; n_fields arrays of 8 * BATCH_RECORDS bytes each */
    uint8_t *payload;
    size_t payload_used, payload_size;
};

static bool batch_init(struct batch *b, const struct ws_sort_layout *layout)
{
    uint32_t n = layout->view.n_fields;
    *b = (struct batch){.columns.schema = &layout->view};
    b->columns.values = calloc(n + 1, sizeof *b->columns.values);
    b->columns.payload_offset = calloc(BATCH_RECORDS + 1, sizeof *b->columns.payload_offset);
    b->values = calloc(n + 1, 8 * (size_t)BATCH_RECORDS);
    if (b->columns.values == NULL || b->columns.payload_offset == NULL || b->values == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < n; i++) {
        b->columns.values[i] = b->values + i * 8 * (size_t)BATCH_RECORDS;
    }
    return true;
}

static void batch_free(struct batch *b)
{
    free(b->columns.values);
    free(b->columns.payload_offset);
    free(b->values);
    free(b->payload);
}

/* Adds a record to the batch, with the id that its payload type has in the file. Returns false if
 * out of memory. */
static bool batch_add(struct batch *b, const struct ws_sort_layout *layout,
                      const struct ws_sort_key *item, const struct ws_payload_types *types)
{
    assert(b->columns.n_records < BATCH_RECORDS);
    uint32_t row = b->columns.n_records++;
    for (uint32_t i = 0; i < layout->n_parts; i++) {
        const struct ws_sort_key_part *part = &layout->parts[i];
        uint8_t bytes[8];
        ws_sort_key_store(layout, item, i, bytes);
        if ((int32_t)i == layout->type_part) {
            fmt_put_u64(bytes, ws_payload_types_id(types, 0, fmt_get_u32(bytes)));
        }
        memcpy(b->columns.values[part->view_field] + row * part->size, bytes, part->size);
    }
    if (!array_reserve(&b->payload, &b->payload_size, b->payload_used + item->payload_size + 1,
                       1)) {
        return false;
    }
    memcpy(b->payload + b->payload_used, ws_sort_key_payload(layout, item), item->payload_size);
    b->payload_used += item->payload_size;
    b->columns.payload = b->payload;
    b->columns.payload_offset[row + 1] = b->payload_used;
    return true;
}

/* ---- Walk over the records ------------------------------------------------------------------- */

static bool kind_walk(struct ws_merged *m, struct ws_merge *merge, struct batch *b, ws_columns_f fn,
                      void *ctx)
{
    const struct ws_sort_key *item;
    while ((item = ws_merge_next(merge)) != NULL) {
        if (!batch_add(b, &merge->layout, item, &m->types)) {
            return ws_no_memory(NULL);
        }
        if (b->columns.n_records == BATCH_RECORDS || b->payload_used > BATCH_PAYLOAD) {
            if (!fn(&b->columns, ctx)) {
                return false;
            }
            b->columns.n_records = 0;
            b->payload_used = 0;
        }
    }
    return (b->columns.n_records == 0 || fn(&b->columns, ctx)) && !merge->failed;
}

bool ws_merged_walk(struct ws_merged *m, size_t memory, ws_columns_f fn, void *ctx)
{
    bool good = true;
    for (uint32_t i = 0; good && i < m->view.n_schemas; i++) {
        struct ws_merge merge;
        struct batch batch = {0};
        struct ws_merge_source source = {.file = m->file,
                                         .schema = m->originals[i],
                                         .select = m->select,
                                         .types = &m->types,
                                         .payload_max = WS_ITEM_PAYLOAD_MAX};
        good = ws_merge_init(&merge, &source, memory);
        if (good && !batch_init(&batch, &m->forms[i])) {
            ws_no_memory(NULL);
            good = false;
        }
        good = good && kind_walk(m, &merge, &batch, fn, ctx);
        batch_free(&batch);
        ws_merge_free(&merge);
    }
    return good;
}
