/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * corpus_raw.c - record files with uncompressed columns. Blocks are decoded, sealed again without
 * compression, and written one behind the other in extents of twice the size.
 */
#include "fuzz/corpus_raw.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/block.h"
#include "format/bytes.h"
#include "support/format_reseal.h"

#define ROWS_BYTES 16384u

void corpus_check(bool good, const char *what)
{
    if (!good) {
        fprintf(stderr, "make_corpus: %s\n", what);
        exit(EXIT_FAILURE);
    }
}

/* Decodes the stored columns of a block's body to out. Returns the number of bytes. */
static size_t body_decode(const uint8_t *block, const struct fmt_block_header *h, uint8_t *out)
{
    const uint8_t *from = block + h->header_size;
    static uint64_t values[ROWS_BYTES / 8], scratch[ROWS_BYTES];
    size_t used = 0;
    for (uint32_t i = 0; i < h->n_columns; i++) {
        struct fmt_column c;
        fmt_column_decode(block + FMT_BLOCK_FIXED + i * FMT_COLUMN_ENTRY, &c);
        struct fmt_stored stored = {from, c.stored_size, c.raw_size / c.width, c.width};
        corpus_check(c.raw_size <= ROWS_BYTES &&
                         fmt_column_read(c.encoding, &stored, values, scratch),
                     "a column cannot be decoded");
        memcpy(out + used, values, c.raw_size);
        used += c.raw_size;
        from += c.stored_size;
    }
    return used;
}

/* Writes the same block with raw columns to to. Returns its size. *bytes: sum of sizes so far. */
static size_t block_make_raw(uint8_t *to, const uint8_t *block, uint64_t *bytes)
{
    struct fmt_block_header h;
    fmt_block_header_decode(block, &h);
    memcpy(to, block, h.header_size);
    size_t size = body_decode(block, &h, to + h.header_size);
    for (uint32_t i = 0; i < h.n_columns; i++) {
        struct fmt_column c;
        uint8_t *entry = to + FMT_BLOCK_FIXED + i * FMT_COLUMN_ENTRY;
        fmt_column_decode(entry, &c);
        c.encoding = FMT_ENCODING_RAW;
        c.stored_size = c.raw_size;
        fmt_column_encode(entry, &c);
    }
    if (h.kind == FMT_BLOCK_END) {
        fmt_put_u64(to + h.header_size + 16, *bytes);
    }
    h.stored_size = size;
    h.body_hash = XXH3_64bits(to + h.header_size, size);
    fmt_block_header_encode(to, &h);
    *bytes += h.header_size + size;
    return h.header_size + size;
}

/* Rewrites the blocks of a PE in extents of extent bytes. */
static void pe_make_raw(struct memory_io *to, const struct memory_io *from, uint32_t pe,
                        uint64_t extent)
{
    static uint8_t block[4 * ROWS_BYTES];
    struct fmt_reader *reader = NULL;
    struct fmt_scan scan;
    struct fmt_block b;
    enum fmt_status status;
    uint64_t number = 0, pos = 0, bytes = 0;
    corpus_check(fmt_reader_open(&from->io, &reader, NULL) == FMT_OK, "a file cannot be read");
    const struct fmt_layout *l = &fmt_reader_superblock(reader)->layout;
    fmt_scan_init(&scan, reader, pe);
    while ((status = fmt_scan_next(&scan, &b, NULL)) != FMT_END) {
        if (status != FMT_OK) {
            continue; /* no END block */
        }
        size_t size = block_make_raw(block, from->bytes + b.offset, &bytes);
        corpus_check(size <= extent, "a block with raw columns is too large");
        if (pos + size > extent) {
            number++;
            pos = 0;
        }
        uint64_t offset = l->first_extent + (number * l->n_pes + pe) * extent + pos;
        corpus_check(to->io.write_at(to, block, size, offset) == 0, "out of memory");
        pos = fmt_align(pos + size, FMT_BLOCK_ALIGN);
    }
    fmt_reader_close(reader);
}

void file_make_raw(struct memory_io *m)
{
    struct memory_io raw;
    struct fmt_reader *reader = NULL;
    memory_io_init(&raw);
    corpus_check(fmt_reader_open(&m->io, &reader, NULL) == FMT_OK, "a file cannot be read");
    struct fmt_layout l = fmt_reader_superblock(reader)->layout;
    fmt_reader_close(reader);
    uint64_t extent = 2 * l.extent_size;
    corpus_check(raw.io.write_at(&raw, m->bytes, reseal_get(m->bytes + 12, 4), 0) == 0,
                 "out of memory");
    reseal_put(raw.bytes + 32, extent);
    for (uint32_t pe = 0; pe < l.n_pes; pe++) {
        pe_make_raw(&raw, m, pe, extent);
    }
    reseal_file(raw.bytes, raw.size);
    memory_io_fini(m);
    *m = raw;
    m->io.ctx = m;
}
