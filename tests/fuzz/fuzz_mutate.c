/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Mutations of inputs that pass checksums, for fuzz_reader.c. Most change some bytes of an
 * important place without moving others, and correct the checksums afterwards.
 */
#include <stdlib.h>

#include "fuzz/fuzz_input.h"
#include "support/format_hostile.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size); /* of libFuzzer */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed);

struct region {
    size_t at, size;
};

/* A piece of a record file: the fixed part of the superblock, its sections, or the head, columns or
 * body of a block. */
static struct region file_region(const struct fuzz_part *part, uint64_t *seed)
{
    size_t superblock = (size_t)reseal_get(part->bytes + 12, 4), at = 0;
    if (superblock < 72 || superblock > part->size || random_below(seed, 4) == 0) {
        return (struct region){8, 56};
    }
    size_t tries = part->size / 64;
    at = (size_t)random_below(seed, tries + 1) * 64;
    while (tries > 0 && (at + 128 > part->size || memcmp(part->bytes + at, "WSBK", 4) != 0)) {
        at = at + 128 > part->size ? 0 : at + 64;
        tries--;
    }
    if (tries == 0 || random_below(seed, 4) == 0) {
        return (struct region){64, superblock - 72};
    }
    uint64_t head = reseal_get(part->bytes + at + 4, 4);
    uint64_t body = reseal_get(part->bytes + at + 112, 8), room = part->size - at;
    if (head < 128 || head > room || body > room - head || random_below(seed, 3) == 0) {
        return (struct region){at, 128};
    }
    if (body == 0 || random_below(seed, 3) == 0) {
        return (struct region){at + 128, (size_t)head - 128};
    }
    return (struct region){at + (size_t)head, (size_t)body};
}

/* A piece of a journal: the fixed head, its variable members, the checkpoints, the head of a
 * segment, rows. */
static struct region journal_region(const struct fuzz_part *part, uint64_t *seed)
{
    static const struct region fixed[] = {{8, 56},
                                          {FMT_JOURNAL_LIVE, 16},
                                          {FMT_JOURNAL_CHECKPOINT, 56},
                                          {FMT_JOURNAL_CHECKPOINT_2, 56}};
    uint64_t kind = random_below(seed, 8);
    uint64_t head = reseal_get(part->bytes + 32, 8), segment = reseal_get(part->bytes + 40, 8);
    if (kind < 4 || head >= part->size || segment <= FMT_SEGMENT_HEAD || segment > part->size) {
        return fixed[kind % 4];
    }
    uint64_t n = (part->size - head) / segment;
    size_t at = (size_t)(head + random_below(seed, n + 1) * segment);
    return kind < 6 ? (struct region){at, 24}
                    : (struct region){at + FMT_SEGMENT_HEAD, (size_t)segment - FMT_SEGMENT_HEAD};
}

/* Lets libFuzzer change the piece, whose size stays the same. */
static void region_change(struct fuzz_part *part, struct region r, uint64_t *seed)
{
    uint8_t piece[512];
    if (r.at >= part->size || r.size == 0) {
        return;
    }
    size_t room = part->size - r.at;
    r.size = r.size < room ? r.size : room;
    if (r.size > sizeof piece) {
        r.at += (size_t)random_below(seed, r.size - sizeof piece + 1);
        r.size = sizeof piece;
    }
    memcpy(piece, part->bytes + r.at, r.size);
    size_t size = LLVMFuzzerMutate(piece, r.size, r.size);
    memcpy(part->bytes + r.at, piece, size < r.size ? size : r.size);
}

static void part_change(struct fuzz_part *part, uint64_t *seed)
{
    if (part->size < 128) {
        return;
    }
    for (uint64_t n = 1 + random_below(seed, 3); n > 0; n--) {
        if (fuzz_part_is_journal(part)) {
            region_change(part, journal_region(part, seed), seed);
        } else if (random_below(seed, 3) == 0) {
            size_t size = part->size;
            hostile_change(seed, part->bytes, &size);
            if (size < part->size) { /* truncated: the rest may be zero as well */
                memset(part->bytes + size, 0, part->size - size);
            }
        } else {
            region_change(part, file_region(part, seed), seed);
        }
    }
}

/* fuzz_reader.c does little with more PEs. */
static void pes_bound(struct fuzz_part *part)
{
    if (part->size >= 44) {
        part->bytes[41] = part->bytes[42] = part->bytes[43] = 0;
        part->bytes[40] &= 31;
    }
}

/* Changes a record-sized piece of a memory trace, or truncates the trace. */
static size_t trace_change(uint8_t *data, size_t size, uint64_t *seed)
{
    struct fuzz_part all = {data, size};
    if (random_below(seed, 16) == 0) {
        return 1 + (size_t)random_below(seed, size);
    }
    for (uint64_t n = 1 + random_below(seed, 4); n > 0; n--) {
        size_t at = 1 + (size_t)random_below(seed, size);
        region_change(&all, (struct region){at, MEMTRACE_RECORD_SIZE}, seed);
    }
    if (random_below(seed, 8) > 0) {
        fuzz_trace_reseal(data, size);
    }
    return size;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
    uint64_t random = seed;
    if (fuzz_is_trace(data, size) && random_below(&random, 4) > 0) {
        return trace_change(data, size, &random);
    }
    struct fuzz_input in = fuzz_input_split(data, size);
    uint64_t how = random_below(&random, 16);
    if (how == 0 || size < 256) {
        return LLVMFuzzerMutate(data, size, max_size);
    }
    struct fuzz_part *part = &in.parts[in.parts[1].bytes != NULL && random_below(&random, 2)];
    if (how == 1) { /* another command */
        fuzz_file_id_set(&in, random_bits(&random));
        return size;
    }
    if (how == 2 && part->size > 0) { /* truncated; the second part moves up */
        size_t cut = (size_t)random_below(&random, part->size);
        if (part == &in.parts[1] || in.parts[1].bytes == NULL) {
            return size - (part->size - cut);
        }
    }
    part_change(part, &random);
    if (!fuzz_part_is_journal(part)) {
        pes_bound(part);
    }
    if (how > 3) {
        fuzz_part_reseal(part);
    }
    return size;
}
