/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fuzz_input.h - the inputs of the reader's fuzzer. An input is one of:
 *
 *   - a record file;
 *   - a head of 16 bytes (FUZZ_PAIR, u64 size of the first part), a record file, and a second part:
 *     another record file for a comparison, or the journal of its PE 0;
 *   - a memory trace, if the first byte is 24;
 *   - the text of a file of allocations, beginning with its first line.
 */
#ifndef WARPSCOPE_TESTS_FUZZ_INPUT_H
#define WARPSCOPE_TESTS_FUZZ_INPUT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <xxhash.h>

#include "format/journal.h"
#include "format/memtrace.h"
#include "format/memtrace_pack.h"
#include "support/format_reseal.h"

#define FUZZ_PAIR      "WSPAIR\r\n"
#define FUZZ_PAIR_HEAD 16u

struct fuzz_part {
    uint8_t *bytes;
    size_t size;
};

/* Parts of an input; without a second part its bytes are NULL. Borrowed from data. */
struct fuzz_input {
    struct fuzz_part parts[2];
};

static inline struct fuzz_input fuzz_input_split(uint8_t *data, size_t size)
{
    struct fuzz_input in = {.parts = {{data, size}, {NULL, 0}}};
    if (size >= FUZZ_PAIR_HEAD && memcmp(data, FUZZ_PAIR, 8) == 0) {
        uint64_t first = reseal_get(data + 8, 8), room = size - FUZZ_PAIR_HEAD;
        first = first < room ? first : room;
        in.parts[0] = (struct fuzz_part){data + FUZZ_PAIR_HEAD, (size_t)first};
        in.parts[1] = (struct fuzz_part){data + FUZZ_PAIR_HEAD + first, (size_t)(room - first)};
    }
    return in;
}

static inline bool fuzz_is_trace(const uint8_t *data, size_t size)
{
    return size > 0 && (data[0] == MEMTRACE_RECORD_SIZE ||
                        (size >= 8 && memcmp(data, MEMTRACE_PACK_MAGIC, 8) == 0));
}

static inline bool fuzz_is_memory(const uint8_t *data, size_t size)
{
    size_t length = strlen(MEMTRACE_MEMORY_HEAD);
    return size > length && memcmp(data, MEMTRACE_MEMORY_HEAD, length) == 0;
}

/* Corrects the numbers and checksums of the blocks of a packed memory trace. */
static inline void fuzz_trace_reseal(uint8_t *data, size_t size)
{
    uint64_t blocks = 0;
    for (size_t at = MEMTRACE_PACK_HEADER;
         data[0] != MEMTRACE_RECORD_SIZE && size > at && size - at >= MEMTRACE_BLOCK_HEADER;) {
        uint64_t body = reseal_get(data + at + 28, 4);
        if (body > size - at - MEMTRACE_BLOCK_HEADER) {
            break;
        }
        reseal_put(data + at + 16, blocks++);
        reseal_put(data + at + 8, XXH3_64bits(data + at + 16, MEMTRACE_BLOCK_HEADER - 16 + body));
        at += MEMTRACE_BLOCK_HEADER + (size_t)body;
    }
}

static inline bool fuzz_part_is_journal(const struct fuzz_part *part)
{
    return part->size >= 8 && memcmp(part->bytes, FMT_JOURNAL_MAGIC, 8) == 0;
}

/* Corrects the checksums of a part. */
static inline void fuzz_part_reseal(struct fuzz_part *part)
{
    static const size_t sealed[] = {0, FMT_JOURNAL_CHECKPOINT, FMT_JOURNAL_CHECKPOINT_2};
    if (!fuzz_part_is_journal(part)) {
        reseal_file(part->bytes, part->size);
        return;
    }
    for (size_t i = 0; i < sizeof sealed / sizeof sealed[0]; i++) {
        if (part->size >= sealed[i] + 64) {
            uint8_t *p = part->bytes + sealed[i];
            reseal_put(p + 56, XXH3_64bits(p, 56));
        }
    }
}

/* The file id, which every block repeats; readers accept any. Its lowest bits choose the command
 * that the fuzzer runs on the file. */
static inline uint64_t fuzz_file_id(const struct fuzz_part *part)
{
    return part->size < 24 ? 0 : reseal_get(part->bytes + 16, 8);
}

/* Changes the file id of the file, its blocks and its journal. */
static inline void fuzz_file_id_set(struct fuzz_input *in, uint64_t id)
{
    for (int i = 0; i < 2; i++) {
        struct fuzz_part *part = &in->parts[i];
        if (part->bytes == NULL || part->size < 24) {
            continue;
        }
        reseal_put(part->bytes + 16, id); /* also in journals */
        for (size_t at = 0; at + 128 <= part->size; at += 64) {
            if (memcmp(part->bytes + at, "WSBK", 4) == 0) {
                reseal_put(part->bytes + at + 120, id);
            }
        }
        fuzz_part_reseal(part);
    }
}

#endif
