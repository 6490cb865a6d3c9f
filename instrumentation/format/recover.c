/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * recover.c - plans and performs the recovery of a record file, see recover.h.
 *
 * Invariants
 *  R1  A plan succeeds only if the blocks up to the checkpoint are those that the checkpoint
 *      counts, and every row of the journal can be decoded.
 *  R2  Nothing before the checkpoint is overwritten; without a journal, nothing before the end of
 *      the last valid block.
 */
#include "format/recover.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "format/clear.h"
#include "format/fail.h"
#include "format/reader.h"
#include "format/schema.h"
#include "format/seal.h"

static enum fmt_status damaged(const struct fmt_io *io, uint64_t offset, uint32_t pe,
                               struct fmt_error *error, const char *words)
{
    return fmt_fail(error, FMT_ERR_DAMAGED, (struct fmt_place){io->path, offset, pe}, 0, "%s",
                    words);
}

/* ---- The record file up to the position where writing continues ------------------------------ */

static struct fmt_position position_of(const struct fmt_scan *scan)
{
    return (struct fmt_position){.records = scan->next_record,
                                 .blocks = scan->next_sequence,
                                 .bytes = scan->bytes,
                                 .extent = scan->extent,
                                 .extent_pos = scan->pos};
}

static bool position_equal(const struct fmt_position *a, const struct fmt_position *b)
{
    return a->records == b->records && a->blocks == b->blocks && a->bytes == b->bytes &&
           a->extent == b->extent && a->extent_pos == b->extent_pos;
}

static void take_times(struct fmt_recovery *plan, const struct fmt_block *block)
{
    plan->gvt = block->gvt > plan->gvt ? block->gvt : plan->gvt;
    plan->real_time =
        block->max_real_time > plan->real_time ? block->max_real_time : plan->real_time;
}

/* Copies the number of lost records from the END block to the plan, if the block can be read. */
static void take_end(const struct fmt_reader *r, const struct fmt_block *block,
                     struct fmt_recovery *plan)
{
    struct fmt_end end = {0};
    if (fmt_block_read_end(r, block, &end, NULL) == FMT_OK) {
        plan->dropped = end.info.records_dropped;
        fmt_end_free(&end);
    }
}

/* Reads the blocks up to the checkpoint of the journal, and finds out if the END block is the next
 * block. */
static enum fmt_status walk_to_checkpoint(const struct fmt_reader *r,
                                          const struct fmt_journal *journal,
                                          struct fmt_recovery *plan, struct fmt_error *error)
{
    const struct fmt_position *at = &journal->checkpoint.at;
    struct fmt_scan scan;
    struct fmt_block block;
    fmt_scan_init(&scan, r, plan->pe);
    while (scan.blocks < at->blocks) {
        enum fmt_status status = fmt_scan_next(&scan, &block, error);
        if (status == FMT_OK && block.kind == FMT_BLOCK_END) {
            status = damaged(r->io, block.offset, plan->pe, error,
                             "an END block before the journal's checkpoint");
        } else if (scan.done) {
            status = damaged(r->io, scan.good_end, plan->pe, error,
                             "there are fewer blocks than the journal's checkpoint says");
        }
        if (status != FMT_OK) {
            return status;
        }
        take_times(plan, &block);
    }
    struct fmt_position reached = position_of(&scan);
    if (!position_equal(&reached, at)) {
        return damaged(r->io, scan.good_end, plan->pe, error,
                       "the blocks are not those that the journal's checkpoint counts");
    }
    plan->from = reached;
    plan->is_complete = fmt_scan_next(&scan, &block, NULL) == FMT_OK && block.kind == FMT_BLOCK_END;
    if (plan->is_complete) {
        take_end(r, &block, plan);
    }
    return FMT_OK;
}

/* Reads all blocks of a PE that has no journal. Fails if a valid block follows damaged bytes. */
static enum fmt_status walk_to_end(const struct fmt_reader *r, struct fmt_recovery *plan,
                                   struct fmt_error *error)
{
    struct fmt_scan scan;
    struct fmt_block block, last = {0};
    struct fmt_columns scratch = {0};
    struct fmt_error fault = {0};
    struct fmt_position before = {0}; /* position before the last valid block */
    enum fmt_status status;
    bool some = false;
    fmt_scan_init(&scan, r, plan->pe);
    while ((status = fmt_scan_next(&scan, &block, &fault)) != FMT_END) {
        if (status == FMT_ERR_DAMAGED) {
            continue;
        }
        if (status != FMT_OK || scan.damaged) {
            *error = fault;
            return fault.status;
        }
        take_times(plan, &block);
        before = plan->from;
        plan->from = position_of(&scan);
        last = block;
        some = true;
    }
    plan->is_complete = scan.ended && !scan.damaged;
    if (scan.ended && scan.damaged) {
        *error = fault;
        return fault.status;
    }
    if (some && !plan->is_complete && fmt_block_check(r, &last, &scratch, NULL) != FMT_OK) {
        /* The body of the last block is truncated, so writing continues before it. */
        plan->from = before;
    }
    plan->dropped = FMT_DROPPED_UNKNOWN;
    if (plan->is_complete) {
        take_end(r, &last, plan);
    }
    fmt_columns_free(&scratch);
    return FMT_OK;
}

/* ---- Rows of the journal --------------------------------------------------------------------- */

/* State of a replay of a journal's rows. The replay writes the rows, or only counts them. */
struct replay {
    const struct fmt_reader *reader;
    const struct fmt_journal *journal;
    /* Plan for which rows are counted; NULL: rows are written. */
    struct fmt_recovery *plan;
    struct fmt_writer writer;
    uint8_t *window; /* buffer for the rows of one block */
    size_t window_size;
};

static enum fmt_status replay_begin(struct replay *p, const struct fmt_reader *reader,
                                    const struct fmt_journal *journal, uint32_t pe,
                                    struct fmt_recovery *plan, struct fmt_error *error)
{
    const struct fmt_superblock *sb = &reader->sb;
    *p = (struct replay){.reader = reader, .journal = journal, .plan = plan};
    size_t row_bytes_max = journal == NULL ? 0 : (size_t)journal->head.row_bytes_max;
    enum fmt_status status = fmt_writer_init(&p->writer, reader->io, sb->schemas, sb->n_schemas,
                                             &sb->layout, pe, row_bytes_max, error);
    if (status == FMT_OK) {
        p->window_size = p->writer.sealer->block_bytes;
        p->window = malloc(p->window_size);
        if (p->window == NULL) {
            status = fmt_fail(error, FMT_ERR_MEMORY,
                              (struct fmt_place){reader->io->path, FMT_NO_OFFSET, pe}, 0,
                              "out of memory");
        }
    }
    return status;
}

static void replay_end(struct replay *p)
{
    fmt_writer_fini(&p->writer);
    free(p->window);
}

static void count_rows(struct replay *p, const struct fmt_schema *schema)
{
    assert(p->plan != NULL);
    const struct fmt_sealer *s = p->writer.sealer;
    int32_t field = schema->role_field[FMT_ROLE_REAL_TIME];
    p->plan->records += s->n_rows;
    for (uint32_t i = 0; field >= 0 && i < s->n_rows; i++) {
        double v;
        memcpy(&v, p->window + fmt_sealer_row(s, i) + schema->fields[field].offset, sizeof v);
        p->plan->real_time = v > p->plan->real_time && v < INFINITY ? v : p->plan->real_time;
    }
}

/* Replays the rows of one sub-buffer, as many at a time as fit into a block. */
static enum fmt_status replay_segment(struct replay *p, const struct fmt_journal_segment *segment,
                                      struct fmt_error *error)
{
    const struct fmt_io *io = p->journal->io;
    const struct fmt_schema *schema = fmt_schema_find(&p->reader->sb, segment->schema_id);
    uint32_t pe = p->writer.pe;
    if (schema == NULL) {
        return damaged(io, segment->offset, pe, error,
                       "rows of a kind that the file does not know");
    }
    for (uint64_t pos = 0; pos < segment->used;) {
        uint64_t offset = segment->offset + pos, left = segment->used - pos;
        size_t want = left < p->window_size ? (size_t)left : p->window_size, got = 0;
        int err = io->read_at(io->ctx, p->window, want, offset, &got);
        if (err != 0) {
            return fmt_fail(error, FMT_ERR_IO, (struct fmt_place){io->path, offset, pe}, err,
                            "cannot read");
        }
        const char *wrong = NULL;
        size_t bytes =
            got < want ? 0 : fmt_sealer_choose(p->writer.sealer, schema, p->window, got, &wrong);
        if (bytes == 0) {
            return damaged(io, offset, pe, error, wrong == NULL ? "the journal is cut off" : wrong);
        }
        if (p->plan != NULL) {
            count_rows(p, schema);
        } else {
            enum fmt_status status =
                fmt_writer_append(&p->writer, schema, p->window, bytes, p->writer.gvt, NULL, error);
            if (status != FMT_OK) {
                return status;
            }
        }
        pos += bytes;
    }
    return FMT_OK;
}

static enum fmt_status replay_all(struct replay *p, struct fmt_error *error)
{
    struct fmt_journal_segment *segments = NULL;
    size_t n = 0;
    enum fmt_status status = FMT_OK;
    if (p->journal != NULL) {
        status = fmt_journal_pending(p->journal, &segments, &n, error);
    }
    for (size_t i = 0; i < n && status == FMT_OK; i++) {
        status = replay_segment(p, &segments[i], error);
    }
    free(segments);
    return status;
}

/* ---- Plan and application -------------------------------------------------------------------- */

enum fmt_status fmt_recover_plan(const struct fmt_reader *reader, uint32_t pe,
                                 const struct fmt_journal *journal, struct fmt_recovery *plan,
                                 struct fmt_error *error)
{
    struct replay p;
    *plan = (struct fmt_recovery){.pe = pe, .has_journal = journal != NULL};
    enum fmt_status status = journal == NULL ? walk_to_end(reader, plan, error)
                                             : walk_to_checkpoint(reader, journal, plan, error);
    if (status != FMT_OK || plan->is_complete || journal == NULL) {
        return status;
    }
    plan->dropped = journal->dropped;
    plan->gvt = journal->gvt > plan->gvt ? journal->gvt : plan->gvt;
    plan->overwritten = journal->overwritten;
    plan->kept_gvt = journal->kept_gvt;
    plan->kept_real_time = journal->kept_real_time;
    status = replay_begin(&p, reader, journal, pe, plan, error);
    if (status == FMT_OK) {
        status = replay_all(&p, error);
    }
    replay_end(&p);
    return status;
}

/* Clears the PE's extents after the position of the writer. This step must precede writing: new
 * blocks may be shorter than those that the killed run left, and no zeros would follow them. */
static enum fmt_status clear_rest(const struct fmt_writer *w, struct fmt_error *error)
{
    assert(w->at.extent_pos <= w->layout.extent_size);
    const struct fmt_layout *l = &w->layout;
    uint64_t span = l->n_pes * l->extent_size, pos = w->at.extent_pos, size = 0;
    uint64_t offset = l->first_extent + w->pe * l->extent_size + w->at.extent * span + pos;
    int err = w->io->get_size(w->io->ctx, &size);
    while (err == 0 && offset < size) {
        uint64_t data = offset, end = offset + (l->extent_size - pos);
        if (w->io->next_data == NULL || w->io->next_data(w->io->ctx, offset, &data) != 0 ||
            data < end) {
            err = fmt_clear(w->io, offset, end - offset);
        }
        offset += span - pos;
        pos = 0;
    }
    return err == 0 ? FMT_OK
                    : fmt_fail(error, FMT_ERR_IO, (struct fmt_place){w->io->path, offset, w->pe},
                               err, "cannot write");
}

enum fmt_status fmt_recover_apply(const struct fmt_reader *reader,
                                  const struct fmt_journal *journal,
                                  const struct fmt_recovery *plan, struct fmt_error *error)
{
    assert(!plan->is_complete);
    struct replay p;
    const char *text = plan->has_journal ? "killed; what was in its buffers was recovered"
                       : plan->dropped == FMT_DROPPED_UNKNOWN
                           ? "killed; what was in its buffers is lost"
                           : "killed before it recorded anything";
    struct fmt_end_info end = {.code = FMT_END_KILLED,
                               .records_dropped = plan->dropped,
                               .gvt = plan->gvt,
                               .real_time = plan->real_time,
                               .text = text,
                               .overwritten = plan->overwritten,
                               .kept_gvt = plan->kept_gvt,
                               .kept_real_time = plan->kept_real_time};
    enum fmt_status status = replay_begin(&p, reader, journal, plan->pe, NULL, error);
    if (status == FMT_OK) {
        fmt_writer_resume(&p.writer, &plan->from);
        p.writer.gvt = plan->gvt;
        status = clear_rest(&p.writer, error);
    }
    if (status == FMT_OK) {
        status = replay_all(&p, error);
    }
    /* The END block comes last, because it marks the PE as complete. */
    if (status == FMT_OK) {
        status = fmt_writer_end(&p.writer, &end, error);
    }
    replay_end(&p);
    return status;
}
