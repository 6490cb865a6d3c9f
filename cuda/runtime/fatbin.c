/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/fatbin.h"
#include <assert.h>
#include <lz4.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef WARPSCOPE_ZSTD
#include <zstd.h>
#endif

enum { HEADER_BYTES = 16, ENTRY_BYTES = 64, KIND_PTX = 1 };
#define FLAG_LZ4  0x2000u
#define FLAG_ZSTD 0x8000u

/* An entry of a container. The entry's header and payload lie within the container. */
struct entry {
    const unsigned char *payload;
    uint64_t payload_bytes, compressed, original, flags;
    unsigned kind, version, architecture;
};

static uint64_t number(const unsigned char *at, unsigned bytes)
{
    uint64_t value = 0;
    assert(bytes <= sizeof value);
    for (unsigned i = bytes; i-- > 0;) {
        value = value << 8 | at[i];
    }
    return value;
}

static enum fatbin_result damaged(char *error, uint64_t at, const char *why)
{
    snprintf(error, FATBIN_ERROR_MAX, "the fat binary is damaged at byte %llu: %s",
             (unsigned long long)at, why);
    return FATBIN_DAMAGED;
}

/* Reads the entry at offset `at` of a container of `end` bytes into *e. Sets *next to the offset
 * after the entry. Returns false if the entry exceeds the container. */
static bool read_entry(const unsigned char *data, uint64_t end, uint64_t at, struct entry *e,
                       uint64_t *next)
{
    assert(at <= end);
    if (end - at < ENTRY_BYTES) {
        return false;
    }
    const unsigned char *p = data + at;
    uint64_t header = number(p + 4, 4);
    e->kind = (unsigned)number(p, 2);
    e->payload_bytes = number(p + 8, 8);
    e->compressed = number(p + 16, 4);
    e->version = (unsigned)(number(p + 26, 2) * 10 + number(p + 24, 2));
    e->architecture = (unsigned)number(p + 28, 4);
    e->flags = number(p + 40, 8);
    e->original = number(p + 56, 8);
    if (header < ENTRY_BYTES || header > end - at || e->payload_bytes > end - at - header) {
        return false;
    }
    e->payload = p + header;
    *next = at + header + e->payload_bytes;
    return true;
}

static bool is_better(const struct entry *e, const struct entry *best, unsigned architecture)
{
    if (!best->payload) {
        return true;
    }
    bool fits = e->architecture <= architecture, best_fits = best->architecture <= architecture;
    if (fits != best_fits) {
        return fits;
    }
    return fits ? e->architecture > best->architecture : e->architecture < best->architecture;
}

#ifdef WARPSCOPE_ZSTD
enum { HAS_ZSTD = 1 };

static bool zstd_decompress(char *text, size_t size, const struct entry *e)
{
    size_t n = ZSTD_decompress(text, size, e->payload, (size_t)e->compressed);
    return !ZSTD_isError(n) && n == size;
}
#else
enum { HAS_ZSTD = 0 };

static bool zstd_decompress(char *text, size_t size, const struct entry *e)
{
    (void)text, (void)size, (void)e;
    return false;
}
#endif

static enum fatbin_result unpack(const struct entry *e, uint64_t at, struct fatbin_ptx *ptx,
                                 char *error)
{
    assert(e->payload != NULL && e->kind == KIND_PTX);
    bool packed = (e->flags & (FLAG_LZ4 | FLAG_ZSTD)) != 0;
    uint64_t size = packed ? e->original : e->payload_bytes;
    if (size > FATBIN_TEXT_MAX) {
        return damaged(error, at, "the PTX would have more than 256 MiB");
    }
    if (packed && e->compressed > e->payload_bytes) {
        return damaged(error, at, "the compressed PTX is longer than its entry");
    }
    if (!HAS_ZSTD && (e->flags & FLAG_ZSTD)) {
        snprintf(error, FATBIN_ERROR_MAX,
                 "the PTX is compressed by zstd, which this build lacks: compile the program with "
                 "nvcc's --compress-mode=none");
        return FATBIN_UNSUPPORTED;
    }
    char *text = malloc((size_t)size + 1);
    if (!text) {
        snprintf(error, FATBIN_ERROR_MAX, "no memory for %llu bytes of PTX",
                 (unsigned long long)size);
        return FATBIN_NO_MEMORY;
    }
    bool whole = true;
    if (!packed) {
        memcpy(text, e->payload, (size_t)size);
    } else if (e->flags & FLAG_ZSTD) {
        whole = zstd_decompress(text, (size_t)size, e);
    } else {
        whole = LZ4_decompress_safe((const char *)e->payload, text, (int)e->compressed,
                                    (int)size) == (int)size;
    }
    if (!whole) {
        free(text);
        return damaged(error, at, "the compressed PTX cannot be decompressed");
    }
    text[size] = '\0';
    *ptx = (struct fatbin_ptx){text, strlen(text), e->version, e->architecture};
    return FATBIN_FOUND;
}

enum fatbin_result fatbin_ptx(const void *data, size_t size, unsigned architecture,
                              struct fatbin_ptx *ptx, char *error)
{
    const unsigned char *bytes = data;
    *ptx = (struct fatbin_ptx){0};
    error[0] = '\0';
    if (size < HEADER_BYTES) {
        return damaged(error, size, "its header is cut off");
    }
    if (number(bytes, 4) != FATBIN_MAGIC) {
        return damaged(error, 0, "it has no magic number 0xBA55ED50");
    }
    uint64_t header = number(bytes + 6, 2), length = number(bytes + 8, 8);
    if (header < HEADER_BYTES || header > size || length > size - header) {
        return damaged(error, 6, "its entries do not end within it");
    }
    uint64_t end = header + length, at = header, best_at = 0;
    struct entry best = {0}, e;
    while (at < end) {
        uint64_t next;
        if (!read_entry(bytes, end, at, &e, &next)) {
            return damaged(error, at, "an entry does not end within it");
        }
        assert(next > at && next <= end);
        if (e.kind == KIND_PTX && is_better(&e, &best, architecture)) {
            best = e;
            best_at = at;
        }
        at = next;
    }
    if (!best.payload) {
        return FATBIN_NO_PTX;
    }
    return unpack(&best, best_at, ptx, error);
}
