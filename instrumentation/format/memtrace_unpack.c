/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * memtrace_unpack.c - decodes blocks of the packed form of memory traces, see memtrace_pack.h. The
 * blocks are not trusted.
 *
 * Invariants
 *  U1  at <= n <= MEMTRACE_BLOCK_RECORDS, and the columns have the values of n valid accesses.
 */
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "format/bytes.h"
#include "format/column/column.h"
#include "format/memtrace_pack.h"

#define MOST MEMTRACE_BLOCK_RECORDS

struct memtrace_unpacker {
    uint32_t n, at;
    uint64_t address[MOST], cta[MOST];
    uint32_t sm[MOST], size_type[MOST];
    uint64_t scratch[(4 * 8 * MOST + 64) / 8];
};

_Static_assert(MEMTRACE_BLOCK_BYTES_MAX <= MEMTRACE_BUFFER_SIZE, "a reader's buffer holds a block");

struct memtrace_unpacker *memtrace_unpacker_create(void)
{
    return calloc(1, sizeof(struct memtrace_unpacker));
}

void memtrace_unpacker_destroy(struct memtrace_unpacker *u)
{
    free(u);
}

const char *memtrace_block_read(const uint8_t *raw, uint64_t sequence, struct memtrace_block *b)
{
    uint64_t sum = 0;
    b->kind = fmt_get_u32(raw + 4);
    b->sequence = fmt_get_u64(raw + 16);
    b->n = fmt_get_u32(raw + 24);
    b->body = fmt_get_u32(raw + 28);
    for (size_t c = 0; c < MEMTRACE_COLUMNS; c++) {
        b->encoding[c] = raw[32 + c];
        b->stored[c] = fmt_get_u32(raw + 40 + 4 * c);
        sum += b->stored[c];
    }
    b->is_difference = raw[36] == 1;
    if (fmt_get_u32(raw) != MEMTRACE_BLOCK_MAGIC) {
        return "no block begins here";
    }
    if (b->kind < MEMTRACE_BLOCK_LAUNCH || b->kind > MEMTRACE_BLOCK_END) {
        return "a block of an unknown kind";
    }
    bool is_accesses = b->kind == MEMTRACE_BLOCK_ACCESSES;
    uint32_t body_max = is_accesses ? MEMTRACE_BLOCK_BYTES_MAX - MEMTRACE_BLOCK_HEADER
                        : b->kind == MEMTRACE_BLOCK_LAUNCH ? MEMTRACE_NAME_MAX
                                                           : 0;
    if (b->body > body_max || (is_accesses ? sum != b->body : sum != 0) ||
        (is_accesses ? b->n == 0 || b->n > MOST : b->n != 0) || raw[36] > 1) {
        return "the header of a block is invalid";
    }
    if (b->sequence != sequence) {
        return "a block has another number than the next one";
    }
    return NULL;
}

/* Returns true if the sizes and types of all accesses are valid. */
static bool accesses_valid(const struct memtrace_unpacker *u)
{
    uint32_t bad = 0;
    for (uint32_t i = 0; i < u->n; i++) {
        bad |= (u->size_type[i] & MEMTRACE_SIZE_MAX) == 0;
        bad |= u->size_type[i] >> 28 > MEMTRACE_TYPE_MAX;
    }
    return bad == 0;
}

const char *memtrace_unpack(struct memtrace_unpacker *u, const struct memtrace_block *b,
                            const uint8_t *raw)
{
    void *columns[MEMTRACE_COLUMNS] = {u->sm, u->size_type, u->address, u->cta};
    const uint8_t *from = raw + MEMTRACE_BLOCK_HEADER;
    u->n = u->at = 0;
    if (fmt_get_u64(raw + 8) != XXH3_64bits(raw + 16, MEMTRACE_BLOCK_HEADER - 16 + b->body)) {
        return "the checksum of a block is wrong";
    }
    if (b->kind != MEMTRACE_BLOCK_ACCESSES) {
        return NULL;
    }
    for (size_t c = 0; c < MEMTRACE_COLUMNS; c++) {
        struct fmt_stored stored = {
            .bytes = from, .size = b->stored[c], .n = b->n, .width = memtrace_widths[c]};
        if (!fmt_column_read(b->encoding[c], &stored, columns[c], u->scratch)) {
            return "a column of a block is invalid";
        }
        from += b->stored[c];
    }
    for (uint32_t i = 1; i < b->n && b->is_difference; i++) {
        u->address[i] += u->address[i - 1];
    }
    u->n = b->n;
    if (!accesses_valid(u)) {
        u->n = 0;
        return "a block has an access of size 0 or of an unknown type";
    }
    return NULL;
}

size_t memtrace_unpacker_take(struct memtrace_unpacker *u, struct memtrace_access *to, size_t n)
{
    n = n < u->n - u->at ? n : u->n - u->at;
    for (size_t i = 0; i < n; i++) {
        size_t k = u->at + i;
        to[i] = (struct memtrace_access){.address = u->address[k],
                                         .cta = u->cta[k],
                                         .sm = u->sm[k],
                                         .size = u->size_type[k] & MEMTRACE_SIZE_MAX,
                                         .type = u->size_type[k] >> 28};
    }
    u->at += (uint32_t)n;
    return n;
}
