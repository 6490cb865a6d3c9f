/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * memtrace_pack.h - the packed form of memory traces (internal to format/). docs/memory-traces.md
 * defines its bytes.
 *
 * A file is a header of 16 bytes, followed by blocks. There are three kinds of blocks: the name of
 * a launch; accesses, stored column by column; and the end of the file.
 */
#ifndef WARPSCOPE_FORMAT_MEMTRACE_PACK_H
#define WARPSCOPE_FORMAT_MEMTRACE_PACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/memtrace.h"

#define MEMTRACE_PACK_MAGIC    "\x89WSM\r\n\x1a\n"
#define MEMTRACE_PACK_HEADER   16u /* size in bytes of the header of a file */
#define MEMTRACE_PACK_VERSION  1u
#define MEMTRACE_BLOCK_MAGIC   0x424d5357u /* the bytes "WSMB" */
#define MEMTRACE_BLOCK_HEADER  56u
#define MEMTRACE_BLOCK_RECORDS 32768u /* maximum number of accesses in a block */
/* Columns of a block: SM; type and size; address; CTA. */
#define MEMTRACE_COLUMNS 4u
#define MEMTRACE_BLOCK_BYTES_MAX                                                                   \
    (MEMTRACE_BLOCK_HEADER + MEMTRACE_BLOCK_RECORDS * MEMTRACE_RECORD_SIZE)

enum memtrace_block_kind {
    MEMTRACE_BLOCK_LAUNCH = 1, /* the body is the name of a kernel */
    MEMTRACE_BLOCK_ACCESSES = 2,
    MEMTRACE_BLOCK_END = 3
};

struct memtrace_block {
    uint32_t kind;
    uint32_t n; /* number of accesses */
    uint64_t sequence;
    uint32_t body; /* size in bytes of the body, which follows the header */
    uint8_t encoding[MEMTRACE_COLUMNS];
    /* True if each address is stored as its difference from the previous address. */
    bool is_difference;
    uint32_t stored[MEMTRACE_COLUMNS];
};

static const uint32_t memtrace_widths[MEMTRACE_COLUMNS] = {4, 4, 8, 8};

/* ---- Writing --------------------------------------------------------------------------------- */

struct memtrace_packer;

/* Creates a packer, which collects accesses and makes blocks. Returns NULL if memory is
 * exhausted. */
struct memtrace_packer *memtrace_packer_create(void);
void memtrace_packer_destroy(struct memtrace_packer *p);
void memtrace_pack_header(uint8_t *to);
/* Collects up to n records, which have the form of version 1, for the next block. Returns the
 * number of records collected; 0: the block is full. */
size_t memtrace_packer_add(struct memtrace_packer *p, const uint8_t *records, size_t n);
/* These functions make the next block, which has the collected accesses, the name of a launch, or
 * the end of the file. They return the size of the block in bytes, and set *block to its first
 * byte, in memory of the packer. memtrace_packer_accesses() returns 0 if no accesses have been
 * collected. */
size_t memtrace_packer_accesses(struct memtrace_packer *p, const uint8_t **block);
size_t memtrace_packer_launch(struct memtrace_packer *p, const char *name, const uint8_t **block);
size_t memtrace_packer_end(struct memtrace_packer *p, const uint8_t **block);

/* ---- Reading --------------------------------------------------------------------------------- */

struct memtrace_unpacker;

struct memtrace_unpacker *memtrace_unpacker_create(void);
void memtrace_unpacker_destroy(struct memtrace_unpacker *u);
/* Decodes the header of a block from MEMTRACE_BLOCK_HEADER bytes into *block. sequence: number that
 * the block must have. Returns NULL, or the reason why the header is invalid. */
const char *memtrace_block_read(const uint8_t *raw, uint64_t sequence,
                                struct memtrace_block *block);
/* Checks the body of a block and, for a block of accesses, decodes them. raw: the whole block, with
 * its header. Returns NULL, or the reason why the body is invalid. */
const char *memtrace_unpack(struct memtrace_unpacker *u, const struct memtrace_block *block,
                            const uint8_t *raw);
/* Moves up to n accesses from the last decoded block to the array `to`. Returns the number of
 * accesses moved. */
size_t memtrace_unpacker_take(struct memtrace_unpacker *u, struct memtrace_access *to, size_t n);

#endif
