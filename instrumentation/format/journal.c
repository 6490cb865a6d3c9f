/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * journal.c - writes and reads the journal of a PE, see journal.h.
 *
 * The writer and the reader use the same structs: the writer in mapped memory, the reader on copies
 * of bytes that it does not trust.
 */
#include "format/journal.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "format/clear.h"
#include "format/fail.h"

/* ---- Writing of journals --------------------------------------------------------------------- */

static uint64_t head_hash(const struct fmt_journal_head *head)
{
    return XXH3_64bits(head, offsetof(struct fmt_journal_head, hash));
}

static uint64_t checkpoint_hash(const struct fmt_checkpoint *c)
{
    return XXH3_64bits(c, offsetof(struct fmt_checkpoint, hash));
}

void fmt_journal_begin(void *memory, struct fmt_journal_head head)
{
    assert((uintptr_t)memory % 8 == 0);
    memcpy(head.magic, FMT_JOURNAL_MAGIC, sizeof head.magic);
    head.byte_order = FMT_JOURNAL_BYTE_ORDER;
    head.version = head.version == 0 ? FMT_JOURNAL_VERSION : head.version;
    head.hash = head_hash(&head);
    fmt_journal_checkpoint(memory, 0, &(struct fmt_position){0});
    memcpy((uint8_t *)memory + 8, (const uint8_t *)&head + 8, sizeof head - 8);
    atomic_thread_fence(memory_order_release);
    uint64_t magic;
    memcpy(&magic, head.magic, sizeof magic);
    atomic_store_explicit((_Atomic uint64_t *)memory, magic, memory_order_release);
}

void fmt_journal_checkpoint(void *memory, uint64_t order, const struct fmt_position *at)
{
    struct fmt_checkpoint *first = (void *)((uint8_t *)memory + FMT_JOURNAL_CHECKPOINT);
    struct fmt_checkpoint *second = (void *)((uint8_t *)memory + FMT_JOURNAL_CHECKPOINT_2);
    bool to_first = first->generation <= second->generation;
    uint64_t latest = to_first ? second->generation : first->generation;
    struct fmt_checkpoint c = {.generation = latest + 1, .order = order, .at = *at};
    c.hash = checkpoint_hash(&c);
    atomic_thread_fence(memory_order_release);
    memcpy(to_first ? first : second, &c, sizeof c);
    atomic_thread_fence(memory_order_release);
}

struct fmt_journal_live *fmt_journal_live(void *memory)
{
    return (void *)((uint8_t *)memory + FMT_JOURNAL_LIVE);
}

/* ---- Reading of journals --------------------------------------------------------------------- */

static enum fmt_status fail_at(const struct fmt_journal *j, enum fmt_status status, uint64_t offset,
                               struct fmt_error *error, const char *words)
{
    return fmt_fail(error, status, (struct fmt_place){j->io->path, offset, FMT_NO_PE}, 0, "%s",
                    words);
}

/* Reads exactly size bytes at offset of the journal into `to`. */
static enum fmt_status read_all(const struct fmt_journal *j, void *to, size_t size, uint64_t offset,
                                struct fmt_error *error)
{
    size_t got = 0;
    int err = j->io->read_at(j->io->ctx, to, size, offset, &got);
    if (err != 0) {
        return fmt_fail(error, FMT_ERR_IO, (struct fmt_place){j->io->path, offset, FMT_NO_PE}, err,
                        "cannot read");
    }
    return got == size ? FMT_OK
                       : fail_at(j, FMT_ERR_DAMAGED, offset, error, "the journal is cut off");
}

/* Returns the number of sub-buffers in a journal of `size` bytes. Counts a truncated sub-buffer as
 * well, because it possibly has rows. */
static uint64_t segments_count(const struct fmt_journal_head *head, uint64_t size)
{
    assert(head->head_size <= size && head->segment_size > FMT_SEGMENT_HEAD);
    uint64_t room = size - head->head_size;
    return room / head->segment_size + (room % head->segment_size >= FMT_SEGMENT_HEAD);
}

static enum fmt_status head_check(const struct fmt_journal *j, uint64_t size,
                                  struct fmt_error *error)
{
    const struct fmt_journal_head *h = &j->head;
    if (memcmp(h->magic, FMT_JOURNAL_MAGIC, sizeof h->magic) != 0) {
        return fail_at(j, FMT_ERR_MAGIC, 0, error, "not a journal");
    }
    if (h->byte_order != FMT_JOURNAL_BYTE_ORDER) {
        return fail_at(j, FMT_ERR_VERSION, 8, error,
                       "made on a machine with another byte order, or damaged");
    }
    if (h->version != FMT_JOURNAL_VERSION && h->version != FMT_JOURNAL_VERSION_RING) {
        return fail_at(j, FMT_ERR_VERSION, 12, error, "of a version that this program cannot read");
    }
    if (h->hash != head_hash(h)) {
        return fail_at(j, FMT_ERR_DAMAGED, 0, error, "the checksum of the head is wrong");
    }
    if (h->head_size < FMT_JOURNAL_HEAD_MIN || h->head_size % 8 != 0 || h->head_size > size ||
        h->segment_size <= FMT_SEGMENT_HEAD || h->segment_size % 8 != 0 ||
        h->row_bytes_max > h->segment_size - FMT_SEGMENT_HEAD) {
        return fail_at(j, FMT_ERR_DAMAGED, 0, error, "the sizes in the head are not possible");
    }
    if (segments_count(h, size) > FMT_JOURNAL_SEGMENTS_MAX) {
        return fail_at(j, FMT_ERR_DAMAGED, 0, error, "more segments than possible");
    }
    return FMT_OK;
}

/* Copies the latest valid checkpoint in raw to j->checkpoint. Returns FMT_ERR_DAMAGED if neither
 * checkpoint is valid. */
static enum fmt_status checkpoint_choose(struct fmt_journal *j, const uint8_t *raw,
                                         struct fmt_error *error)
{
    struct fmt_checkpoint c[2];
    memcpy(&c[0], raw + FMT_JOURNAL_CHECKPOINT, sizeof c[0]);
    memcpy(&c[1], raw + FMT_JOURNAL_CHECKPOINT_2, sizeof c[1]);
    for (int i = 0; i < 2; i++) {
        if (c[i].generation > j->checkpoint.generation && c[i].hash == checkpoint_hash(&c[i])) {
            j->checkpoint = c[i];
        }
    }
    if (j->checkpoint.generation == 0) {
        return fail_at(j, FMT_ERR_DAMAGED, FMT_JOURNAL_CHECKPOINT, error,
                       "both checkpoints of the journal are damaged");
    }
    return FMT_OK;
}

enum fmt_status fmt_journal_open(struct fmt_journal *j, const struct fmt_io *io,
                                 struct fmt_error *error)
{
    uint8_t raw[FMT_JOURNAL_HEAD_MIN];
    uint64_t size = 0;
    *j = (struct fmt_journal){.io = io};
    int err = io->get_size(io->ctx, &size);
    if (err != 0) {
        return fmt_fail(error, FMT_ERR_IO, (struct fmt_place){io->path, FMT_NO_OFFSET, FMT_NO_PE},
                        err, "cannot determine the size");
    }
    if (size == 0) {
        return FMT_END;
    }
    memset(raw, 0, sizeof raw);
    size_t want = size < sizeof raw ? (size_t)size : sizeof raw;
    enum fmt_status status = read_all(j, raw, want, 0, error);
    /* The magic number is written last. If it is zero, the journal was never used. */
    if (status != FMT_OK || fmt_all_zero(raw, 8)) {
        return status != FMT_OK ? status : FMT_END;
    }
    memcpy(&j->head, raw, sizeof j->head);
    status = head_check(j, size, error);
    if (status == FMT_OK) {
        status = checkpoint_choose(j, raw, error);
    }
    if (status == FMT_OK) {
        j->n_segments = segments_count(&j->head, size);
        memcpy(&j->dropped, raw + FMT_JOURNAL_LIVE, sizeof j->dropped);
        memcpy(&j->gvt, raw + FMT_JOURNAL_LIVE + 8, sizeof j->gvt);
        if (j->head.version == FMT_JOURNAL_VERSION_RING) {
            memcpy(&j->overwritten, raw + FMT_JOURNAL_LIVE + 24, sizeof j->overwritten);
            memcpy(&j->kept_gvt, raw + FMT_JOURNAL_LIVE + 32, sizeof j->kept_gvt);
            memcpy(&j->kept_real_time, raw + FMT_JOURNAL_LIVE + 40, sizeof j->kept_real_time);
        }
    }
    return status;
}

/* Compares two sub-buffers for qsort(): closed ones come first, in the order of their numbers, then
 * open ones. */
static int by_order(const void *a, const void *b)
{
    const struct fmt_journal_segment *x = a, *y = b;
    /* Subtracting 1 turns the number 0 of open sub-buffers into the largest number, so that they
     * come last. */
    uint64_t rank_x = x->order - 1, rank_y = y->order - 1;
    if (rank_x != rank_y) {
        return rank_x < rank_y ? -1 : 1;
    }
    return (x->offset > y->offset) - (x->offset < y->offset);
}

/* Checks the n sub-buffers s, which are sorted by by_order(). The numbers of the closed sub-buffers
 * must be consecutive. The first of these numbers must be the one after that of the checkpoint; in
 * a ring, it may be larger. The open sub-buffers must have different kinds of records. */
static enum fmt_status pending_check(const struct fmt_journal *j,
                                     const struct fmt_journal_segment *s, size_t n,
                                     struct fmt_error *error)
{
    bool ring = j->head.version == FMT_JOURNAL_VERSION_RING;
    uint64_t first = ring && n > 0 ? s[0].order : j->checkpoint.order + 1;
    for (size_t i = 0; i < n; i++) {
        if (s[i].order != 0 && s[i].order != first + i) {
            return fail_at(j, FMT_ERR_DAMAGED, s[i].offset - FMT_SEGMENT_HEAD, error,
                           "a segment that should come before this one is missing, or there twice");
        }
        for (size_t k = 0; k < i && s[i].order == 0; k++) {
            if (s[k].order == 0 && s[k].schema_id == s[i].schema_id) {
                return fail_at(j, FMT_ERR_DAMAGED, s[i].offset - FMT_SEGMENT_HEAD, error,
                               "a second open segment of the same kind of records");
            }
        }
    }
    return FMT_OK;
}

enum fmt_status fmt_journal_pending(const struct fmt_journal *j,
                                    struct fmt_journal_segment **segments, size_t *n,
                                    struct fmt_error *error)
{
    assert(j->checkpoint.generation > 0);
    struct fmt_journal_segment *found = calloc((size_t)j->n_segments + 1, sizeof *found);
    enum fmt_status status = FMT_OK;
    *segments = found;
    *n = 0;
    if (found == NULL) {
        return fail_at(j, FMT_ERR_MEMORY, FMT_NO_OFFSET, error, "out of memory");
    }
    for (uint64_t i = 0; i < j->n_segments && status == FMT_OK; i++) {
        struct fmt_segment_head raw;
        uint64_t offset = j->head.head_size + i * j->head.segment_size;
        status = read_all(j, &raw, sizeof raw, offset, error);
        struct fmt_journal_segment s = {.offset = offset + FMT_SEGMENT_HEAD,
                                        .used = atomic_load(&raw.used),
                                        .order = atomic_load(&raw.order),
                                        .schema_id = raw.schema_id};
        bool is_open = s.order == 0;
        if (status != FMT_OK || s.used == 0 || (!is_open && s.order <= j->checkpoint.order)) {
            continue;
        }
        if (s.used % 8 != 0 || s.used > j->head.segment_size - FMT_SEGMENT_HEAD) {
            status = fail_at(j, FMT_ERR_DAMAGED, offset, error,
                             "a segment's number of bytes is not possible");
        }
        found[(*n)++] = s;
    }
    if (status == FMT_OK) {
        qsort(found, *n, sizeof *found, by_order);
        status = pending_check(j, found, *n, error);
    }
    if (status != FMT_OK) {
        free(found);
        *segments = NULL;
        *n = 0;
    }
    return status;
}
