/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * memtrace_read.c - reads memory traces, see memtrace.h.
 *
 * A buffer of MEMTRACE_BUFFER_SIZE bytes is filled from the file, and the parts of a trace are
 * taken from it. The file is not trusted: sizes, types and names are checked. Cost: one pass over
 * the bytes, one copy.
 *
 * Invariants
 *  R1  buffer[at .. end) are the bytes that follow; offset is that of buffer[at] in the file.
 *  R2  The state is FAILED from the first error on, and error holds its text.
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

#include "format/bytes.h"

enum state { AT_BEGIN, BETWEEN, IN_LAUNCH, AT_END, FAILED };

struct memtrace_reader {
    int fd;
    enum state state;
    bool file_end;   /* true if the file ends behind the buffer */
    int read_errno;  /* errno value if reading failed behind the buffer; 0: no failure */
    size_t at, end;  /* indices in buffer: the next byte, and the end of the bytes */
    uint64_t offset; /* offset of buffer[at] in the file */
    uint64_t launches;
    uint8_t *buffer;
    char *path;
    char kernel[MEMTRACE_NAME_MAX + 1];
    char error[MEMTRACE_NAME_MAX + 512];
};

struct memtrace_reader *memtrace_reader_open(const char *path, char *error, size_t error_size)
{
    struct memtrace_reader *r = calloc(1, sizeof *r);
    uint8_t *buffer = malloc(MEMTRACE_BUFFER_SIZE);
    char *copy = strdup(path);
    int fd = -1;
    if (r != NULL && buffer != NULL && copy != NULL) {
        fd = open(path, O_RDONLY | O_CLOEXEC);
    }
    if (fd < 0) {
        snprintf(error, error_size, "%s: cannot open: %s", path, strerror(errno));
        free(r);
        free(buffer);
        free(copy);
        return NULL;
    }
    r->fd = fd;
    r->buffer = buffer;
    r->path = copy;
    return r;
}

void memtrace_reader_close(struct memtrace_reader *r)
{
    if (r != NULL) {
        close(r->fd);
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

/* Sets the error of the reader. words: reason; the invalid part begins at r->offset. */
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
    snprintf(r->error, sizeof r->error, "%s: at byte %" PRIu64 ": %s", r->path, r->offset, text);
    r->state = FAILED;
    return MEMTRACE_ITEM_ERROR;
}

/* Fills the buffer until it has n bytes (at most MEMTRACE_BUFFER_SIZE) or the file ends. Returns
 * the number of bytes. */
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

static void take(struct memtrace_reader *r, size_t n)
{
    r->at += n;
    r->offset += n;
}

/* ---- Launches -------------------------------------------------------------------------------- */

/* Reads the start of a launch: line feed, name, line feed. */
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
    if (r->launches == MEMTRACE_LAUNCH_MAX) {
        return fail(r, "more than %u launches of kernels", MEMTRACE_LAUNCH_MAX);
    }
    memcpy(r->kernel, p + 1, length);
    r->kernel[length] = '\0';
    take(r, length + 2);
    r->launches++;
    r->state = IN_LAUNCH;
    return MEMTRACE_ITEM_LAUNCH;
}

static enum memtrace_item between_read(struct memtrace_reader *r)
{
    if (r->state == AT_BEGIN) {
        if (fill(r, 1) == 0) {
            return fail(r, "the file is empty; a trace begins with the size of a record, %u",
                        MEMTRACE_RECORD_SIZE);
        }
        if (r->buffer[r->at] != MEMTRACE_RECORD_SIZE) {
            return fail(r, "the size of a record is %u instead of %u: no memory trace of version 1",
                        r->buffer[r->at], MEMTRACE_RECORD_SIZE);
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

/* Reports that the file ends within the 24 bytes of a record. */
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

size_t memtrace_reader_accesses(struct memtrace_reader *r, struct memtrace_access *accesses,
                                size_t n)
{
    if (r->state != IN_LAUNCH) {
        return 0;
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
