/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * scan.c - iterates over the blocks of one PE in a file that may be damaged or truncated.
 *
 * In each extent of the PE, blocks follow one another at multiples of FMT_BLOCK_ALIGN, up to the
 * first multiple at which there are zeros. After damage, the scan tries each multiple until it
 * finds a valid header. After FMT_EMPTY_EXTENTS consecutive empty extents without an END block, the
 * iteration ends, so that its cost is bounded by the size of the file.
 *
 * Invariants
 *  S1  A returned block has a valid header, belongs to this PE and is the next in sequence.
 *  S2  Every gap, and a missing END block, is reported before FMT_END.
 */
#include <assert.h>
#include <inttypes.h>

#include "format/bytes.h"
#include "format/clear.h"
#include "format/fail.h"
#include "format/reader.h"
#include "format/superblock.h"

#define FMT_EMPTY_EXTENTS 64u

void fmt_scan_init(struct fmt_scan *scan, const struct fmt_reader *reader, uint32_t pe)
{
    assert(pe < reader->sb.layout.n_pes);
    const struct fmt_layout *l = &reader->sb.layout;
    *scan = (struct fmt_scan){
        .reader = reader, .pe = pe, .good_end = l->first_extent + pe * l->extent_size};
}

void fmt_scan_strict(struct fmt_scan *scan)
{
    assert(!scan->started);
    scan->strict = true;
}

static enum fmt_status damage(struct fmt_scan *s, uint64_t offset, struct fmt_error *error,
                              const char *words)
{
    s->damaged = true;
    return fmt_fail(error, FMT_ERR_DAMAGED, (struct fmt_place){s->reader->io->path, offset, s->pe},
                    0, "%s", words);
}

/* ---- Space without blocks (strict mode) ------------------------------------------------------ */

/* Checks that all bytes in [from, to) are zero; reports the first one that is not. */
static enum fmt_status zeros_check(struct fmt_scan *s, uint64_t from, uint64_t to,
                                   struct fmt_error *error)
{
    const struct fmt_reader *r = s->reader;
    uint8_t buffer[4096];
    if (to > r->file_size) {
        to = r->file_size;
    }
    while (from < to) {
        uint64_t data = from;
        if (r->io->next_data != NULL && r->io->next_data(r->io->ctx, from, &data) == 0 &&
            data > from) {
            from = data;
            continue;
        }
        size_t size = to - from < sizeof buffer ? (size_t)(to - from) : sizeof buffer;
        enum fmt_status status = fmt_reader_read(r, from, buffer, size, s->pe, error);
        if (status != FMT_OK) {
            s->damaged = true;
            return status;
        }
        size_t i = 0;
        while (!fmt_all_zero(buffer, size) && buffer[i] == 0) {
            i++;
        }
        if (!fmt_all_zero(buffer, size)) {
            return damage(s, from + i, error, "bytes where nothing should be");
        }
        from += size;
    }
    return FMT_OK;
}

/* Checks that all extents of the PE from s->extent on have only zeros. Skips holes. */
static enum fmt_status tail_check(struct fmt_scan *s, struct fmt_error *error)
{
    assert(s->strict && s->done);
    const struct fmt_reader *r = s->reader;
    const struct fmt_layout *l = &r->sb.layout;
    uint64_t at;
    while ((at = fmt_reader_offset(r, s->pe, s->extent, s->pos)) != FMT_NO_OFFSET) {
        uint64_t end = at + (l->extent_size - s->pos), data = at;
        if (r->io->next_data != NULL && r->io->next_data(r->io->ctx, at, &data) == 0 &&
            data >= end) {
            uint64_t extent = (data - l->first_extent) / (l->n_pes * l->extent_size);
            s->extent = extent > s->extent ? extent : s->extent + 1;
            s->pos = 0;
            continue;
        }
        enum fmt_status status = zeros_check(s, at, end, error);
        s->extent++;
        s->pos = 0;
        if (status != FMT_OK) {
            return status;
        }
    }
    return FMT_OK;
}

/* ---- Iteration ------------------------------------------------------------------------------- */

/* Checks that the totals in the END block agree with the blocks found. */
static enum fmt_status end_check(struct fmt_scan *s, const struct fmt_block *block,
                                 struct fmt_error *error)
{
    assert(block->kind == FMT_BLOCK_END);
    struct fmt_end end = {0};
    enum fmt_status status = fmt_block_read_end(s->reader, block, &end, error);
    if (status != FMT_OK) {
        s->damaged = true;
        return status;
    }
    if (end.info.records != block->first_record || end.info.blocks != block->sequence + 1 ||
        (!s->damaged && end.info.bytes != s->bytes)) {
        status = damage(s, block->offset, error,
                        "the totals in the END block are not those of the blocks before it");
    }
    fmt_end_free(&end);
    return status;
}

/* Checks that block is the next one in sequence. If blocks are missing, reports them once. */
static enum fmt_status order_check(struct fmt_scan *s, const struct fmt_block *block,
                                   struct fmt_error *error)
{
    struct fmt_place place = {s->reader->io->path, block->offset, s->pe};
    uint64_t sequence = s->next_sequence, record = s->next_record;
    if (block->sequence == sequence && block->first_record == record) {
        return FMT_OK;
    }
    s->damaged = true;
    if (block->sequence <= sequence || block->first_record < record) {
        s->pos += fmt_align(block->stored_size, FMT_BLOCK_ALIGN);
        return fmt_fail(error, FMT_ERR_DAMAGED, place, 0,
                        "block %" PRIu64 " with record %" PRIu64 " where block %" PRIu64
                        " with record %" PRIu64 " should be",
                        block->sequence, block->first_record, sequence, record);
    }
    s->missing_records += block->first_record - record;
    s->next_sequence = block->sequence;
    s->next_record = block->first_record;
    return fmt_fail(error, FMT_ERR_DAMAGED, place, 0,
                    "%" PRIu64 " block(s) with %" PRIu64 " records are missing before this one",
                    block->sequence - sequence, block->first_record - record);
}

/* Accepts a block with a valid header at s->pos, or reports why it is not allowed there. */
static enum fmt_status block_take(struct fmt_scan *s, const struct fmt_block *block,
                                  struct fmt_error *error)
{
    s->searching = false;
    if (block->pe != s->pe) {
        s->pos += fmt_align(block->stored_size, FMT_BLOCK_ALIGN);
        return damage(s, block->offset, error, "a block of another PE");
    }
    enum fmt_status status = order_check(s, block, error);
    if (status != FMT_OK) {
        return status;
    }
    uint64_t end = s->pos + block->stored_size;
    s->good_end = block->offset + block->stored_size;
    s->pos = fmt_align(end, FMT_BLOCK_ALIGN);
    s->next_sequence++;
    s->next_record += block->n_records;
    s->blocks++;
    if (block->kind != FMT_BLOCK_END) {
        s->bytes += block->stored_size;
    } else {
        status = end_check(s, block, error);
        s->ended = status == FMT_OK;
    }
    s->gap_from = block->offset + block->stored_size;
    s->gap_to = s->gap_from + (s->pos - end);
    return status;
}

/* Moves to the PE's next extent, because this one has no further blocks. In strict mode, checks
 * that the rest of this extent has only zeros. offset: file offset of the rest. */
static enum fmt_status extent_leave(struct fmt_scan *s, uint64_t offset, struct fmt_error *error)
{
    assert(s->pos <= s->reader->sb.layout.extent_size);
    uint64_t rest = s->reader->sb.layout.extent_size - s->pos;
    bool searching = s->searching;
    s->empty_extents = s->pos == 0 ? s->empty_extents + 1 : 0;
    s->extent++;
    s->pos = 0;
    s->searching = false;
    if (s->strict && !searching && offset != FMT_NO_OFFSET) {
        return zeros_check(s, offset, offset + rest, error);
    }
    return FMT_OK;
}

/* Ends the iteration. Reports a missing END block once, before FMT_END. */
static enum fmt_status finish(struct fmt_scan *s, struct fmt_error *error)
{
    assert(!s->done);
    s->done = true;
    if (!s->ended) {
        s->damaged = true;
        return fmt_fail(
            error, FMT_ERR_DAMAGED, (struct fmt_place){s->reader->io->path, s->good_end, s->pe}, 0,
            "incomplete: no END block (%" PRIu64 " good blocks, %" PRIu64 " records before)",
            s->blocks, s->next_record - s->missing_records);
    }
    return s->strict ? tail_check(s, error) : FMT_OK;
}

/* Examines one position: a block, the end of an extent, or damage. *found is set to true if *block
 * holds the next block. */
static enum fmt_status scan_step(struct fmt_scan *s, struct fmt_block *block, bool *found,
                                 struct fmt_error *error)
{
    const struct fmt_reader *r = s->reader;
    uint64_t room = r->sb.layout.extent_size - s->pos;
    uint64_t offset = fmt_reader_offset(r, s->pe, s->extent, s->pos);
    uint8_t raw[FMT_HEADER_MAX];
    size_t got = 0;
    if (offset == FMT_NO_OFFSET || room < FMT_BLOCK_FIXED) {
        return extent_leave(s, offset, error);
    }
    enum fmt_status status = fmt_header_read(r, offset, room, s->pe, s->light, raw, &got, error);
    if (status != FMT_OK) {
        s->damaged = true;
        extent_leave(s, FMT_NO_OFFSET, NULL);
        return status;
    }
    if (!s->searching && fmt_all_zero(raw, got < 8 ? got : 8)) {
        return extent_leave(s, offset, error);
    }
    struct fmt_block_header header;
    const char *wrong = fmt_block_parse(r, raw, got, s->light, offset, room, &header, block);
    if (wrong == NULL) {
        status = block_take(s, block, error);
        *found = status == FMT_OK;
        s->empty_extents = 0;
        return status;
    }
    bool first = !s->searching;
    s->searching = true;
    s->pos += FMT_BLOCK_ALIGN;
    return first ? damage(s, offset, error, wrong) : FMT_OK;
}

enum fmt_status fmt_scan_next(struct fmt_scan *s, struct fmt_block *block, struct fmt_error *error)
{
    bool found = false;
    enum fmt_status status = FMT_OK;
    if (s->strict && s->pe == 0 && !s->started) {
        uint64_t mark = fmt_reader_is_new(s->reader) ? FMT_NEW_MARK_SIZE : 0;
        status =
            zeros_check(s, s->reader->sb_size, s->reader->sb.layout.first_extent - mark, error);
    }
    s->started = true;
    /* The space behind the previous block is checked only now, after that block was returned. */
    if (s->strict && status == FMT_OK) {
        status = zeros_check(s, s->gap_from, s->gap_to, error);
        s->gap_from = s->gap_to;
    }
    while (status == FMT_OK && !found && !s->done) {
        bool past = fmt_reader_offset(s->reader, s->pe, s->extent, 0) == FMT_NO_OFFSET;
        if (past || s->ended || s->empty_extents >= FMT_EMPTY_EXTENTS) {
            status = finish(s, error);
        } else {
            status = scan_step(s, block, &found, error);
        }
    }
    return status == FMT_OK && !found ? FMT_END : status;
}
