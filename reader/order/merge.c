/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * merge.c - returns the records of all PEs in one order; see merge.h.
 *
 * Invariants:
 * 1. Chunks before merge->chunk have been loaded.
 * 2. In phase STREAM the pool is sorted, and its first `ready` sort keys precede all records that
 *    are still to be loaded. This relies on the times in the block headers, and is checked.
 * 3. In phase SPILLED the pool is empty.
 */
#include "order/merge.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "access/stream.h"
#include "access/table.h"
#include "cli/messages.h"
#include "data/number.h"
#include "store/array.h"

/* ---- Index of blocks ------------------------------------------------------------------------- */

static bool is_chosen(const struct fmt_block *block, const struct fmt_schema *schema,
                      const struct ws_select *select)
{
    return block->kind == FMT_BLOCK_DATA && block->schema == schema &&
           (select == NULL || ws_select_block(select, block) != WS_SHARE_NONE);
}

/* Returns a lower bound of the virtual times of a block's records, converted by ws_time_order(). */
static uint64_t block_least(const struct fmt_block *block)
{
    double min = block->min_virtual_time;
    return ws_time_order(min == 0.0 ? -0.0 : min);
}

/* Adds a block. most: maximum number of blocks of an entry. Returns false if out of memory. */
static bool chunk_add(struct ws_chunks *chunks, const struct ws_walk *walk,
                      const struct fmt_block *block, uint64_t most)
{
    const uint64_t least = block_least(block);
    struct ws_chunk *last = chunks->n == 0 ? NULL : &chunks->list[chunks->n - 1];
    if (last != NULL && last->walk.pe == walk->pe && last->blocks < most) {
        last->blocks++;
        last->least = least < last->least ? least : last->least;
        return true;
    }
    if (!array_append(&chunks->list, chunks->n, sizeof *chunks->list)) {
        return false;
    }
    chunks->list[chunks->n++] = (struct ws_chunk){.least = least, .walk = *walk, .blocks = 1};
    return true;
}

static int by_least(const void *a, const void *b)
{
    const struct ws_chunk *x = a, *y = b;
    return x->least != y->least ? WS_ORDER(x->least, y->least) : WS_ORDER(x->walk.pe, y->walk.pe);
}

bool ws_chunks_init(struct ws_chunks *chunks, const struct ws_file *file,
                    const struct fmt_schema *schema, const struct ws_select *select, size_t n_max)
{
    assert(n_max > 0);
    const uint64_t most = 1 + file->blocks / n_max;
    *chunks = (struct ws_chunks){.n = 0};
    for (uint32_t pe = 0; pe < file->sb->layout.n_pes; pe++) {
        struct ws_walk walk, before;
        struct fmt_block block;
        enum fmt_status status;
        if (select != NULL && !ws_select_pe(select, pe)) {
            continue;
        }
        ws_walk_init(&walk, file, pe);
        for (before = walk; (status = ws_walk_next(&walk, &block)) != FMT_END; before = walk) {
            if (status == FMT_OK && is_chosen(&block, schema, select) &&
                !chunk_add(chunks, &before, &block, most)) {
                return false;
            }
        }
    }
    if (chunks->n > 0) {
        qsort(chunks->list, chunks->n, sizeof *chunks->list, by_least);
    }
    return true;
}

void ws_chunks_free(struct ws_chunks *chunks)
{
    free(chunks->list);
    *chunks = (struct ws_chunks){0};
}

bool ws_chunk_next(struct ws_chunk *chunk, const struct fmt_schema *schema,
                   const struct ws_select *select, struct fmt_block *block)
{
    enum fmt_status status = FMT_OK;
    while (chunk->blocks > 0 && status != FMT_END) {
        status = ws_walk_next(&chunk->walk, block);
        if (status == FMT_OK && is_chosen(block, schema, select)) {
            chunk->blocks--;
            return true;
        }
    }
    chunk->blocks = 0;
    return false;
}

/* ---- Merge ----------------------------------------------------------------------------------- */

/* Ends the merge because memory is exhausted. */
static void merge_fail(struct ws_merge *m)
{
    ws_no_memory(&m->failed);
    m->phase = WS_MERGE_DONE;
}

bool ws_merge_init(struct ws_merge *m, const struct ws_merge_source *source, size_t memory)
{
    *m = (struct ws_merge){.source = *source};
    bool good = ws_sort_layout_init(&m->layout, source->schema, source->common, source->without);
    ws_sorter_begin(&m->sorter, &m->layout, source->payload_max, memory);
    for (uint32_t i = 0; i < ws_stream_parts(source->file); i++) {
        m->is_held |= ws_held_any(source->file, i, source->schema);
    }
    good =
        good &&
        ws_chunks_init(&m->chunks, source->file, source->schema, m->is_held ? NULL : source->select,
                       m->is_held ? 1 : WS_CHUNKS_BYTES / sizeof(struct ws_chunk)) &&
        (m->sum = malloc(ws_sort_key_size(&m->layout, 0))) != NULL;
    if (!good) {
        merge_fail(m);
    }
    return good;
}

void ws_merge_free(struct ws_merge *m)
{
    ws_sorter_free(&m->sorter);
    ws_chunks_free(&m->chunks);
    ws_sort_layout_free(&m->layout);
    ws_blocks_fini(&m->blocks);
    fmt_columns_free(&m->columns);
    free(m->sum);
    m->sum = NULL;
}

/* ---- Loading of records ---------------------------------------------------------------------- */

static void block_fault(const struct ws_merge *m, const char *words)
{
    if (!m->source.quiet) {
        ws_file_block_fault(m->source.file, &m->block, words);
    }
}

/* Returns true if the records of the current block's part are wanted. */
static bool part_is_wanted(const struct ws_merge *m)
{
    const struct ws_merge_source *src = &m->source;
    return src->part_is_wanted == NULL ||
           src->part_is_wanted(ws_stream_part(src->file, m->block.part));
}

/* Sets m->block and m->columns to the next block of samples that hold, in the current chunk. Returns
 * false if the chunk has no more. */
static bool held_next(struct ws_merge *m)
{
    struct ws_blocks *blocks = &m->blocks;
    struct ws_part part;
    if (blocks->file == NULL) {
        *blocks = (struct ws_blocks){.file = m->source.file,
                                     .select = m->source.select,
                                     .schema = m->source.schema,
                                     .columns = &m->columns,
                                     .walk = m->chunks.list[m->chunk].walk};
    }
    bool found = ws_blocks_next(blocks, &part);
    m->block = blocks->block;
    m->failed |= blocks->no_memory;
    if (!found) {
        ws_blocks_fini(blocks);
        blocks->file = NULL;
    }
    return found;
}

/* Decodes the next block whose records are wanted. Returns false if there is none. */
static bool block_load(struct ws_merge *m)
{
    struct fmt_error error = {0};
    const struct ws_merge_source *src = &m->source;
    while (m->chunk < m->chunks.n) {
        if (m->is_held) {
            bool found = held_next(m);
            m->chunk += !found;
            if (found && part_is_wanted(m)) {
                m->row = m->group.after = 0;
                return true;
            }
        } else if (!ws_chunk_next(&m->chunks.list[m->chunk], src->schema, src->select, &m->block)) {
            m->chunk++;
        } else if (!part_is_wanted(m)) {
            continue;
        } else if (ws_file_decode(src->file, &m->block, NULL, &m->columns, &error) == FMT_OK) {
            m->row = m->group.after = 0;
            return true;
        } else if (!src->quiet) {
            ws_file_fault(src->file, &error);
        }
    }
    m->columns.n_records = m->row = 0;
    return false;
}

/* Returns the number in `types` of the current record's payload type. size: size of the payload in
 * bytes. Reports a fault and returns 0 if the payload does not fit its type. */
static uint32_t payload_type(struct ws_merge *m, uint64_t size)
{
    assert(m->row < m->columns.n_records);
    int32_t field = m->layout.schema->role_field[FMT_ROLE_PAYLOAD_TYPE];
    uint32_t id =
        field < 0 ? 0 : (uint32_t)fmt_columns_value(&m->columns, (uint32_t)field, m->row).as.u;
    if (id == m->last_id && size == m->last_size && m->last_type != 0) {
        return m->last_type;
    }
    const char *wrong = ws_payload_check(&m->source.file->descs, id, size);
    if (wrong != NULL) {
        block_fault(m, wrong);
        return 0;
    }
    m->last_id = id;
    m->last_size = size;
    m->last_type = ws_payload_types_number(m->source.types, m->source.types_file, id);
    return m->last_type;
}

/* Adds the record at m->row to the pool if it is wanted. Returns false if the pool is full. */
static bool row_load(struct ws_merge *m)
{
    assert(m->row < m->columns.n_records);
    const struct ws_merge_source *src = &m->source;
    if (src->select != NULL && !ws_select_row(src->select, &m->columns, m->row, &m->group)) {
        return true;
    }
    uint64_t size = m->columns.payload_offset[m->row + 1] - m->columns.payload_offset[m->row];
    if (size > src->payload_max) {
        block_fault(m, "a record has more payload than any can have; it is left out");
        return true;
    }
    struct ws_sort_key *item =
        ws_pool_room(&m->sorter.pool, m->layout.has_payload ? (size_t)size : 0);
    if (item == NULL) {
        return false;
    }
    ws_sort_key_encode(&m->layout, &m->columns, m->row, payload_type(m, size), item);
    if (src->item_is_wanted != NULL && !src->item_is_wanted(&m->layout, item, src->ctx)) {
        return true;
    }
    if (ws_sort_key_time(&m->layout, item) < m->gone && !m->disorder_said) {
        block_fault(m, "the times in the header are not those of the records");
        m->disorder_said = true;
    }
    ws_pool_add(&m->sorter.pool);
    return true;
}

/* Loads records into the pool. Returns true if the pool is full, and false if all records are
 * loaded. */
static bool pool_fill(struct ws_merge *m)
{
    do {
        for (; m->row < m->columns.n_records; m->row++) {
            if (!row_load(m)) {
                return true;
            }
        }
    } while (block_load(m));
    return false;
}

/* ---- Output of records ----------------------------------------------------------------------- */

/* Moves all remaining records to the temporary file, and prepares to read them back. */
static void all_spill(struct ws_merge *m)
{
    assert(m->at == 0 && m->ready == 0);
    while (ws_sorter_spill(&m->sorter) && pool_fill(m) && !m->sorter.pool.failed) {
    }
    m->phase = WS_MERGE_SPILLED;
    if (m->sorter.pool.failed) {
        merge_fail(m);
    } else {
        ws_sorter_ready(&m->sorter); /* otherwise item_next() finds no record */
    }
}

/* Loads and sorts more records, and determines how many sort keys are ready to be returned. Called
 * when all ready sort keys have been returned. */
static void pool_renew(struct ws_merge *m)
{
    assert(m->phase == WS_MERGE_STREAM && m->at == m->ready);
    ws_pool_drop(&m->sorter.pool, m->ready);
    m->ready = m->at = 0;
    bool more = pool_fill(m);
    ws_pool_sort(&m->sorter.pool);
    if (m->sorter.pool.failed) {
        merge_fail(m);
        return;
    }
    if (!more) {
        m->ready = m->sorter.pool.n;
        m->phase = m->ready == 0 ? WS_MERGE_DONE : WS_MERGE_STREAM;
        return;
    }
    uint64_t limit = m->chunks.list[m->chunk].least;
    assert(m->chunk < m->chunks.n);
    while (m->ready < m->sorter.pool.n && m->sorter.pool.entries[m->ready].time < limit) {
        m->ready++;
    }
    m->gone = limit > m->gone ? limit : m->gone;
    /* With few ready sort keys, sorting the others repeatedly would cost more than writing them
     * once. */
    if (m->ready < m->sorter.pool.n / 4) {
        m->ready = 0;
        all_spill(m);
    }
}

static const struct ws_sort_key *item_next(struct ws_merge *m)
{
    while (m->phase == WS_MERGE_STREAM && m->at == m->ready) {
        pool_renew(m);
    }
    if (m->phase == WS_MERGE_STREAM) {
        return ws_pool_item(&m->sorter.pool, m->at++);
    }
    const struct ws_sort_key *item =
        m->phase == WS_MERGE_SPILLED ? ws_sorter_item(&m->sorter) : NULL;
    if (item == NULL) {
        m->phase = WS_MERGE_DONE;
        m->failed |= m->sorter.failed;
    }
    return item;
}

/* Returns the sum of the records with the next virtual time and sample. */
static const struct ws_sort_key *sum_next(struct ws_merge *m)
{
    assert(m->layout.sums && !m->layout.has_payload);
    const struct ws_sort_key *first = m->ahead != NULL ? m->ahead : item_next(m), *item;
    m->ahead = NULL;
    if (first == NULL) {
        return NULL;
    }
    memcpy(m->sum, first, first->size);
    while ((item = item_next(m)) != NULL) {
        if (memcmp(item->bytes, m->sum->bytes, m->layout.sums_at) != 0) {
            m->ahead = item;
            break;
        }
        ws_sort_key_add(&m->layout, m->sum, item);
    }
    return m->sum;
}

const struct ws_sort_key *ws_merge_next(struct ws_merge *m)
{
    return m->layout.sums ? sum_next(m) : item_next(m);
}
