/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * memtrace_read.c - reads memory traces, see memtrace.h.
 *
 * A buffer of MEMTRACE_BUFFER_SIZE bytes is filled from the file, and the items of a trace are
 * taken from the buffer. The file is not trusted: sizes, types and names are checked. Cost: one
 * pass over the bytes, and one copy.
 *
 * Invariants
 *  R1  buffer[at .. end) are the next bytes of the file; offset is the offset of buffer[at] in the
 *      file.
 *  R2  The state is FAILED from the first error on, and error has the text of that error.
 */
#include "format/memtrace.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "files/foreign.h"
#include "format/bytes.h"
#include "format/memtrace_pack.h"

enum state { AT_BEGIN, BETWEEN, IN_LAUNCH, AT_END, FAILED };

struct memtrace_reader {
    int fd;
    enum state state;
    bool file_end; /* true if the file has no bytes after those in the buffer */
    /* Value of errno if reading the bytes after those in the buffer failed; 0: no failure. */
    int read_errno;
    size_t at, end;  /* at: index in the buffer of the next byte; end: index after the last byte */
    uint64_t offset; /* offset of buffer[at] in the file */
    uint64_t launches;
    uint64_t blocks;                    /* number of blocks read so far; packed form only */
    struct memtrace_unpacker *unpacker; /* unpacker for the packed form; NULL for version 1 */
    uint8_t *buffer;
    char *path;
    char kernel[MEMTRACE_NAME_MAX + 1];
    char error[MEMTRACE_NAME_MAX + 512];
};

struct memtrace_reader *memtrace_reader_open(const char *path, char *error, size_t error_size)
{
    struct memtrace_reader *r = calloc(1, sizeof *r);
    if (r != NULL) {
        r->buffer = malloc(MEMTRACE_BUFFER_SIZE);
        r->path = strdup(path);
        bool has_memory = r->buffer != NULL && r->path != NULL;
        r->fd = has_memory ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    }
    if (r == NULL || r->fd < 0) {
        snprintf(error, error_size, "%s: cannot open: %s", path, strerror(errno));
        memtrace_reader_close(r);
        return NULL;
    }
    return r;
}

void memtrace_reader_close(struct memtrace_reader *r)
{
    if (r != NULL) {
        if (r->fd >= 0) {
            close(r->fd);
        }
        memtrace_unpacker_destroy(r->unpacker);
        free(r->buffer);
        free(r->path);
        free(r);
    }
}

const char *memtrace_reader_kernel(const struct memtrace_reader *r)
{
    return r->kernel;
}

uint64_t memtrace_reader_superstep(const struct memtrace_reader *r)
{
    return r->launches == 0 ? 0 : r->launches - 1;
}

uint64_t memtrace_reader_offset(const struct memtrace_reader *r)
{
    return r->offset;
}

const char *memtrace_reader_error(const struct memtrace_reader *r)
{
    return r->error;
}

static enum memtrace_item fail(struct memtrace_reader *r, const char *words, ...)
    __attribute__((format(printf, 2, 3)));

/* Sets the state of the reader to FAILED, and its error to a text with the reason `words` and
 * r->offset, where the invalid part begins. If reading the file failed, the text states that reason
 * instead. Returns MEMTRACE_ITEM_ERROR. */
static enum memtrace_item fail(struct memtrace_reader *r, const char *words, ...)
{
    char text[384];
    va_list args;
    va_start(args, words);
    vsnprintf(text, sizeof text, words, args);
    va_end(args);
    if (r->read_errno != 0) {
        snprintf(text, sizeof text, "cannot read: %s", strerror(r->read_errno));
    }
    if (r->read_errno == EISDIR) {
        snprintf(r->error, sizeof r->error, "%s: is a directory; name the traces in it, %s/*",
                 r->path, r->path);
    } else {
        snprintf(r->error, sizeof r->error, "%s: at byte %" PRIu64 ": %s", r->path, r->offset,
                 text);
    }
    r->state = FAILED;
    return MEMTRACE_ITEM_ERROR;
}

/* Reads from the file until the buffer has at least n bytes (at most MEMTRACE_BUFFER_SIZE) or the
 * file ends. Returns the number of bytes in the buffer. */
static size_t fill(struct memtrace_reader *r, size_t n)
{
    if (r->end - r->at >= n || r->file_end) {
        return r->end - r->at;
    }
    memmove(r->buffer, r->buffer + r->at, r->end - r->at);
    r->end -= r->at;
    r->at = 0;
    while (r->end < n) {
        ssize_t got = read(r->fd, r->buffer + r->end, MEMTRACE_BUFFER_SIZE - r->end);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            r->file_end = true;
            r->read_errno = got < 0 ? errno : 0;
            break;
        }
        r->end += (size_t)got;
    }
    return r->end - r->at;
}

/* Returns what the file is that begins in the buffer, see foreign_name(). */
static const char *foreign(struct memtrace_reader *r)
{
    size_t size = fill(r, FOREIGN_HEAD);
    return foreign_name(r->buffer + r->at, size);
}

static void take(struct memtrace_reader *r, size_t n)
{
    r->at += n;
    r->offset += n;
}

/* ---- Launches -------------------------------------------------------------------------------- */

/* Begins a launch. name: name of its kernel, `length` bytes in the buffer. size: number of bytes to
 * take from the buffer, including the name. */
static enum memtrace_item launch_begin(struct memtrace_reader *r, const uint8_t *name,
                                       size_t length, size_t size)
{
    if (r->launches == MEMTRACE_LAUNCH_MAX) {
        return fail(r, "more than %u launches of kernels", MEMTRACE_LAUNCH_MAX);
    }
    memcpy(r->kernel, name, length);
    r->kernel[length] = '\0';
    take(r, size);
    r->launches++;
    r->state = IN_LAUNCH;
    return MEMTRACE_ITEM_LAUNCH;
}

/* Reads the beginning of a launch in version 1: line feed, name, line feed. */
static enum memtrace_item launch_read(struct memtrace_reader *r)
{
    size_t room = fill(r, MEMTRACE_NAME_MAX + 2);
    const uint8_t *p = r->buffer + r->at;
    if (p[0] != '\n') {
        return fail(r, "a line feed and a kernel's name must follow here, not the byte 0x%02x",
                    p[0]);
    }
    size_t length = 0;
    while (1 + length < room && p[1 + length] != '\n' && p[1 + length] != '\0') {
        length++;
    }
    if (length > MEMTRACE_NAME_MAX) {
        return fail(r, "a kernel's name of more than %u bytes", MEMTRACE_NAME_MAX);
    }
    if (1 + length == room) {
        return fail(r, "the file is truncated: it ends inside a kernel's name");
    }
    if (p[1 + length] == '\0' || length == 0) {
        return fail(r, length == 0 && p[1] == '\n' ? "a kernel's name is empty"
                                                   : "a kernel's name has a zero byte");
    }
    return launch_begin(r, p + 1, length, length + 2);
}

/* ---- The packed form ------------------------------------------------------------------------- */

/* Begins the launch whose name is the body of the block, after a check of the name. */
static enum memtrace_item name_block(struct memtrace_reader *r, const struct memtrace_block *b)
{
    const uint8_t *name = r->buffer + r->at + MEMTRACE_BLOCK_HEADER;
    if (b->body == 0 || memchr(name, '\n', b->body) != NULL || memchr(name, 0, b->body) != NULL) {
        return fail(r, "a kernel's name is empty, or has a line feed or a zero byte");
    }
    return launch_begin(r, name, b->body, MEMTRACE_BLOCK_HEADER + b->body);
}

/* Reads the next block of the packed form. Returns the kind of its first item. If that is
 * MEMTRACE_ITEM_ACCESS, the accesses of the block have been decoded. */
static enum memtrace_item block_read(struct memtrace_reader *r)
{
    struct memtrace_block b;
    size_t room = fill(r, MEMTRACE_BLOCK_HEADER);
    if (room < MEMTRACE_BLOCK_HEADER) {
        return fail(r, room == 0 ? "the file is truncated: its last block is missing"
                                 : "the file is truncated: it ends inside a block");
    }
    const char *reason = memtrace_block_read(r->buffer + r->at, r->blocks, &b);
    if (reason == NULL &&
        fill(r, MEMTRACE_BLOCK_HEADER + b.body) < MEMTRACE_BLOCK_HEADER + b.body) {
        reason = "the file is truncated: it ends inside a block";
    }
    reason = reason != NULL ? reason : memtrace_unpack(r->unpacker, &b, r->buffer + r->at);
    if (reason == NULL && b.kind == MEMTRACE_BLOCK_ACCESSES && r->launches == 0) {
        reason = "accesses without a launch";
    }
    if (reason != NULL) {
        return fail(r, "%s", reason);
    }
    r->blocks++;
    if (b.kind == MEMTRACE_BLOCK_LAUNCH) {
        return name_block(r, &b);
    }
    take(r, MEMTRACE_BLOCK_HEADER + b.body);
    if (b.kind == MEMTRACE_BLOCK_ACCESSES) {
        return MEMTRACE_ITEM_ACCESS;
    }
    if (r->launches == 0 || fill(r, 1) > 0) {
        return fail(r, r->launches == 0 ? "the file has no kernel"
                                        : "there are bytes after the last block");
    }
    r->state = AT_END;
    return MEMTRACE_ITEM_END;
}

/* Reads the header of a file in the packed form. Returns false after an error. */
static enum memtrace_item pack_open(struct memtrace_reader *r)
{
    size_t room = fill(r, MEMTRACE_PACK_HEADER);
    const uint8_t *p = r->buffer + r->at;
    if (memcmp(p, MEMTRACE_PACK_MAGIC, room < 8 ? room : 8) != 0) {
        return fail(r, "no memory trace of the packed form%s", foreign(r));
    }
    if (room < MEMTRACE_PACK_HEADER) {
        return fail(r, "the file is truncated: it ends inside its header");
    }
    if (fmt_get_u32(p + 8) != MEMTRACE_PACK_VERSION || fmt_get_u32(p + 12) != 0) {
        return fail(r, "the packed form has version %u; this program reads version %u",
                    fmt_get_u32(p + 8), MEMTRACE_PACK_VERSION);
    }
    r->unpacker = memtrace_unpacker_create();
    if (r->unpacker == NULL) {
        return fail(r, "out of memory");
    }
    take(r, MEMTRACE_PACK_HEADER);
    return block_read(r);
}

static enum memtrace_item between_read(struct memtrace_reader *r)
{
    if (r->state == AT_BEGIN) {
        if (fill(r, 1) == 0) {
            return fail(r, "the file is empty; a trace begins with the size of a record, %u",
                        MEMTRACE_RECORD_SIZE);
        }
        if (r->buffer[r->at] == (uint8_t)MEMTRACE_PACK_MAGIC[0]) {
            return pack_open(r);
        }
        if (r->buffer[r->at] != MEMTRACE_RECORD_SIZE) {
            const char *what = foreign(r);
            return fail(r,
                        "the size of a record is %u instead of %u: no memory trace of version 1%s",
                        r->buffer[r->at], MEMTRACE_RECORD_SIZE, what);
        }
        take(r, 1);
        r->state = BETWEEN;
    }
    if (fill(r, 1) > 0) {
        return launch_read(r);
    }
    if (r->launches == 0 || r->read_errno != 0) {
        return fail(r, "the file has no kernel");
    }
    r->state = AT_END;
    return MEMTRACE_ITEM_END;
}

/* ---- Accesses -------------------------------------------------------------------------------- */

static bool is_zero(const uint8_t *p, size_t n)
{
    while (n > 0 && p[n - 1] == 0) {
        n--;
    }
    return n == 0;
}

/* Reports that the file ends inside a record or an end marker, after `room` of its 24 bytes. */
static enum memtrace_item cut_fail(struct memtrace_reader *r, size_t room)
{
    const char *part = is_zero(r->buffer + r->at, room) ? "end marker" : "record";
    if (room == 0) {
        return fail(r,
                    "the file is truncated: the end marker of the last kernel (%u zero bytes) "
                    "is missing",
                    MEMTRACE_RECORD_SIZE);
    }
    return fail(r, "the file is truncated: it ends inside %s %s, after %zu of %u bytes",
                part[0] == 'e' ? "the" : "a", part, room, MEMTRACE_RECORD_SIZE);
}

static inline bool access_decode(const uint8_t *p, struct memtrace_access *a)
{
    uint64_t word = fmt_get_u64(p);
    a->size = (uint32_t)word & MEMTRACE_SIZE_MAX;
    a->type = (uint32_t)(word >> 28) & 15u;
    a->sm = (uint32_t)(word >> 32);
    a->address = fmt_get_u64(p + 8);
    a->cta = fmt_get_u64(p + 16);
    return a->size != 0 && a->type <= MEMTRACE_TYPE_MAX;
}

/* Takes up to n accesses from the current block or, if it has no more, from the next block. Returns
 * the number of accesses taken. If the next block has a launch or the end of the file, returns 0;
 * memtrace_reader_next() then reads that block. */
static size_t packed_accesses(struct memtrace_reader *r, struct memtrace_access *accesses, size_t n)
{
    size_t taken = memtrace_unpacker_take(r->unpacker, accesses, n);
    if (taken == 0 && n > 0 && fill(r, MEMTRACE_BLOCK_HEADER) >= MEMTRACE_BLOCK_HEADER &&
        fmt_get_u32(r->buffer + r->at + 4) == MEMTRACE_BLOCK_ACCESSES &&
        block_read(r) == MEMTRACE_ITEM_ACCESS) {
        taken = memtrace_unpacker_take(r->unpacker, accesses, n);
    }
    return taken;
}

size_t memtrace_reader_accesses(struct memtrace_reader *r, struct memtrace_access *accesses,
                                size_t n)
{
    if (r->state != IN_LAUNCH) {
        return 0;
    }
    if (r->unpacker != NULL) {
        return packed_accesses(r, accesses, n);
    }
    size_t room = fill(r, MEMTRACE_RECORD_SIZE) / MEMTRACE_RECORD_SIZE, i = 0;
    const uint8_t *p = r->buffer + r->at;
    for (n = n < room ? n : room; i < n && access_decode(p, &accesses[i]); i++) {
        p += MEMTRACE_RECORD_SIZE;
    }
    take(r, i * MEMTRACE_RECORD_SIZE);
    return i;
}

enum memtrace_item memtrace_reader_next(struct memtrace_reader *r, struct memtrace_access *access)
{
    if (r->state == FAILED) {
        return MEMTRACE_ITEM_ERROR;
    }
    if (r->state == AT_END) {
        return MEMTRACE_ITEM_END;
    }
    if (r->state != IN_LAUNCH) {
        return between_read(r);
    }
    if (memtrace_reader_accesses(r, access, 1) == 1) {
        return MEMTRACE_ITEM_ACCESS;
    }
    if (r->unpacker != NULL) {
        return r->state == FAILED ? MEMTRACE_ITEM_ERROR : block_read(r);
    }
    size_t room = fill(r, MEMTRACE_RECORD_SIZE);
    const uint8_t *p = r->buffer + r->at;
    struct memtrace_access a;
    if (room < MEMTRACE_RECORD_SIZE) {
        return cut_fail(r, room);
    }
    if (is_zero(p, MEMTRACE_RECORD_SIZE)) {
        take(r, MEMTRACE_RECORD_SIZE);
        r->state = BETWEEN;
        return between_read(r);
    }
    access_decode(p, &a);
    if (a.type > MEMTRACE_TYPE_MAX) {
        return fail(r, "a record of the unknown type %u; types are 0 to %u", a.type,
                    MEMTRACE_TYPE_MAX);
    }
    return fail(r, "a record of size 0 that is not the end marker");
}
