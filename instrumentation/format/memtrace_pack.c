/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * memtrace_pack.c - writes the packed form of memory traces, see memtrace_pack.h.
 *
 * Threads of a warp often access addresses at equal distances. The differences between successive
 * addresses are then often equal, and take little space. If addresses are random, plain addresses
 * take less space. For every TRIAL_PERIOD-th block, both are tried.
 *
 * Invariants
 *  P1  n <= MEMTRACE_BLOCK_RECORDS.
 *  P2  The columns have FMT_PACK_SLACK bytes of space after a full block.
 */
#include "format/memtrace_pack.h"

#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL /* faster than the library, which is compiled for any processor */
#include <xxhash.h>

#include "format/bytes.h"
#include "format/column/column.h"

#define TRIAL_PERIOD 16u
#define SLACK_WORDS  (FMT_PACK_SLACK / 4)
#define MOST         MEMTRACE_BLOCK_RECORDS

enum { ADDRESS = 2 }; /* the column of addresses */

struct memtrace_packer {
    uint32_t n;
    uint64_t sequence;
    uint64_t blocks; /* number of blocks with accesses so far */
    bool is_difference;
    struct fmt_column_memory *memory;
    struct fmt_column_state states[MEMTRACE_COLUMNS], difference_state;
    uint64_t address[MOST + SLACK_WORDS], cta[MOST + SLACK_WORDS];
    uint64_t difference[MOST + SLACK_WORDS];
    uint32_t sm[MOST + SLACK_WORDS], size_type[MOST + SLACK_WORDS];
    uint8_t out[MEMTRACE_BLOCK_BYTES_MAX + FMT_PACK_SLACK];
    uint8_t trial[8 * MOST + FMT_PACK_SLACK];
};

struct memtrace_packer *memtrace_packer_create(void)
{
    struct memtrace_packer *p = calloc(1, sizeof *p);
    if (p != NULL) {
        p->memory = fmt_column_memory_create(MOST, (size_t)8 * MOST);
    }
    if (p != NULL && p->memory == NULL) {
        free(p);
        p = NULL;
    }
    return p;
}

void memtrace_packer_destroy(struct memtrace_packer *p)
{
    if (p != NULL) {
        fmt_column_memory_destroy(p->memory);
        free(p);
    }
}

void memtrace_pack_header(uint8_t *to)
{
    memcpy(to, MEMTRACE_PACK_MAGIC, 8);
    fmt_put_u32(to + 8, MEMTRACE_PACK_VERSION);
    fmt_put_u32(to + 12, 0);
}

size_t memtrace_packer_add(struct memtrace_packer *p, const uint8_t *records, size_t n)
{
    uint32_t at = p->n;
    n = n < MOST - at ? n : MOST - at;
    for (size_t i = 0; i < n; i++, records += MEMTRACE_RECORD_SIZE) {
        p->size_type[at + i] = fmt_get_u32(records);
        p->sm[at + i] = fmt_get_u32(records + 4);
        p->address[at + i] = fmt_get_u64(records + 8);
        p->cta[at + i] = fmt_get_u64(records + 16);
    }
    p->n += (uint32_t)n;
    return n;
}

/* Writes the header of a block in front of its body, which is already in p->out. Returns the size
 * of the block in bytes. */
static size_t block_end(struct memtrace_packer *p, struct memtrace_block *b)
{
    uint8_t *raw = p->out;
    memset(raw, 0, MEMTRACE_BLOCK_HEADER);
    fmt_put_u32(raw, MEMTRACE_BLOCK_MAGIC);
    fmt_put_u32(raw + 4, b->kind);
    fmt_put_u64(raw + 16, p->sequence++);
    fmt_put_u32(raw + 24, b->n);
    fmt_put_u32(raw + 28, b->body);
    for (size_t c = 0; c < MEMTRACE_COLUMNS; c++) {
        raw[32 + c] = b->encoding[c];
        fmt_put_u32(raw + 40 + 4 * c, b->stored[c]);
    }
    raw[36] = b->is_difference;
    size_t size = MEMTRACE_BLOCK_HEADER + b->body;
    fmt_put_u64(raw + 8, XXH3_64bits(raw + 16, size - 16));
    return size;
}

static uint32_t column_write(struct memtrace_packer *p, const void *words, uint32_t width,
                             struct fmt_column_state *state, uint8_t *to, uint8_t *encoding)
{
    struct fmt_values v = {.words = words, .n = p->n, .width = width};
    uint32_t used;
    size_t size = fmt_column_write(p->memory, &v, state, to, (size_t)p->n * width, &used);
    *encoding = (uint8_t)used;
    return (uint32_t)size;
}

/* Writes the column of addresses to `to`, as plain addresses or as differences, and sets
 * b->encoding and b->is_difference. Every TRIAL_PERIOD-th block tries both; the smaller one is used
 * until the next trial. Returns the size in bytes. */
static uint32_t addresses_write(struct memtrace_packer *p, struct memtrace_block *b, uint8_t *to)
{
    bool is_trial = p->blocks++ % TRIAL_PERIOD == 0;
    uint32_t size = 0, other;
    uint8_t encoding;
    if (is_trial || p->is_difference) {
        p->difference[0] = p->address[0];
        for (uint32_t i = 1; i < p->n; i++) {
            p->difference[i] = p->address[i] - p->address[i - 1];
        }
        size = column_write(p, p->difference, 8, &p->difference_state, to, &b->encoding[ADDRESS]);
        b->is_difference = true;
    }
    if (is_trial || !p->is_difference) {
        other = column_write(p, p->address, 8, &p->states[ADDRESS], p->trial, &encoding);
        if (size == 0 || other < size) {
            memcpy(to, p->trial, other);
            b->encoding[ADDRESS] = encoding;
            b->is_difference = false;
            size = other;
        }
        p->is_difference = b->is_difference;
    }
    return size;
}

size_t memtrace_packer_accesses(struct memtrace_packer *p, const uint8_t **block)
{
    struct memtrace_block b = {.kind = MEMTRACE_BLOCK_ACCESSES, .n = p->n};
    uint8_t *to = p->out + MEMTRACE_BLOCK_HEADER;
    if (p->n == 0) {
        return 0;
    }
    const void *words[MEMTRACE_COLUMNS] = {p->sm, p->size_type, p->address, p->cta};
    for (int c = 0; c < (int)MEMTRACE_COLUMNS; c++) {
        b.stored[c] = c == ADDRESS ? addresses_write(p, &b, to)
                                   : column_write(p, words[c], memtrace_widths[c], &p->states[c],
                                                  to, &b.encoding[c]);
        to += b.stored[c];
        b.body += b.stored[c];
    }
    p->n = 0;
    *block = p->out;
    return block_end(p, &b);
}

size_t memtrace_packer_launch(struct memtrace_packer *p, const char *name, const uint8_t **block)
{
    size_t length = strlen(name);
    struct memtrace_block b = {.kind = MEMTRACE_BLOCK_LAUNCH, .body = (uint32_t)length};
    memcpy(p->out + MEMTRACE_BLOCK_HEADER, name, length);
    *block = p->out;
    return block_end(p, &b);
}

size_t memtrace_packer_end(struct memtrace_packer *p, const uint8_t **block)
{
    struct memtrace_block b = {.kind = MEMTRACE_BLOCK_END};
    *block = p->out;
    return block_end(p, &b);
}
