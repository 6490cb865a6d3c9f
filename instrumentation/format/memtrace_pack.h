/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * memtrace_pack.h - the packed form of memory traces (internal to format/). docs/memory-traces.md defines its bytes.
 *
 * A file is a header of 16 bytes and blocks: names of launches, records by column, and the end.
 */
#ifndef WARPSCOPE_FORMAT_MEMTRACE_PACK_H
#define WARPSCOPE_FORMAT_MEMTRACE_PACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/memtrace.h"

#define MEMTRACE_PACK_MAGIC    "\x89WSM\r\n\x1a\n"
#define MEMTRACE_PACK_HEADER   16u /* size of the file's header in bytes */
#define MEMTRACE_PACK_VERSION  1u
#define MEMTRACE_BLOCK_MAGIC   0x424d5357u /* the bytes "WSMB" */
#define MEMTRACE_BLOCK_HEADER  56u
#define MEMTRACE_BLOCK_RECORDS 32768u /* greatest number of records of a block */
#define MEMTRACE_COLUMNS       4u     /* SM; type and size; address; CTA */
#define MEMTRACE_BLOCK_BYTES_MAX                                                                   \
    (MEMTRACE_BLOCK_HEADER + MEMTRACE_BLOCK_RECORDS * MEMTRACE_RECORD_SIZE)

enum memtrace_block_kind {
    MEMTRACE_BLOCK_LAUNCH = 1, /* the body is the name of a kernel */
    MEMTRACE_BLOCK_ACCESSES = 2,
    MEMTRACE_BLOCK_END = 3
};

struct memtrace_block {
    uint32_t kind;
    uint32_t n; /* number of records */
    uint64_t sequence;
    uint32_t body; /* size of the body, which follows the header, in bytes */
    uint8_t encoding[MEMTRACE_COLUMNS];
    bool is_difference; /* true if each address is stored as its difference from the previous one */
    uint32_t stored[MEMTRACE_COLUMNS];
};

static const uint32_t memtrace_widths[MEMTRACE_COLUMNS] = {4, 4, 8, 8};

/* ---- Writing --------------------------------------------------------------------------------- */

struct memtrace_packer;

/* Returns NULL if memory is exhausted. */
struct memtrace_packer *memtrace_packer_create(void);
void memtrace_packer_destroy(struct memtrace_packer *p);
void memtrace_pack_header(uint8_t *to);
/* Collects up to n records in the form of version 1. Returns their number; 0 if the block is
 * full. */
size_t memtrace_packer_add(struct memtrace_packer *p, const uint8_t *records, size_t n);
/* Each function returns the size of the next block, and sets *block to its bytes.
 * memtrace_packer_accesses() returns 0 if there are no records. */
size_t memtrace_packer_accesses(struct memtrace_packer *p, const uint8_t **block);
size_t memtrace_packer_launch(struct memtrace_packer *p, const char *name, const uint8_t **block);
size_t memtrace_packer_end(struct memtrace_packer *p, const uint8_t **block);

/* ---- Reading --------------------------------------------------------------------------------- */

struct memtrace_unpacker;

struct memtrace_unpacker *memtrace_unpacker_create(void);
void memtrace_unpacker_destroy(struct memtrace_unpacker *u);
/* Decodes the header of a block, of MEMTRACE_BLOCK_HEADER bytes. sequence: number that the block
 * must have. Returns NULL, or the reason why the header is invalid. */
const char *memtrace_block_read(const uint8_t *raw, uint64_t sequence,
                                struct memtrace_block *block);
/* Checks the body of a block, and decodes its accesses. Returns NULL, or the reason why the body is
 * invalid. */
const char *memtrace_unpack(struct memtrace_unpacker *u, const struct memtrace_block *block,
                            const uint8_t *raw);
/* Takes up to n of the accesses of the last decoded block. Returns their number. */
size_t memtrace_unpacker_take(struct memtrace_unpacker *u, struct memtrace_access *to, size_t n);

#endif
