/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * memtrace_write.c - writes memory traces, see memtrace.h.
 *
 * Records are collected in a buffer of MEMTRACE_BUFFER_SIZE bytes. Cost: one write() for each full
 * buffer.
 *
 * Invariants
 *  W1  used <= MEMTRACE_BUFFER_SIZE.
 *  W2  From the first failure on, error is not empty and nothing more is written.
 *  W3  temp is NULL, or names a file that only this writer uses.
 */
#define _GNU_SOURCE /* required for renameat2() and realpath() */
#include "format/memtrace.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files/trust.h"
#include "files/write_all.h"
#include "format/bytes.h"
#include "format/memtrace_pack.h"
#include "format/part_file.h"

struct memtrace_writer {
    int fd;
    bool in_launch;
    bool keep; /* true if writer_free() must keep the incomplete file */
    unsigned flags;
    size_t used;
    uint64_t written; /* number of bytes that have been written from the buffer to the file */
    uint64_t launches;
    uint8_t *buffer;
    struct memtrace_packer *packer; /* packer for the packed form; NULL for version 1 */
    /* Final name of the file, with symbolic links resolved. */
    char *path;
    /* Name of the incomplete file; NULL: the data are written directly to path. */
    char *temp;
    char error[256];
};

static void writer_free(struct memtrace_writer *w)
{
    int kept = errno;
    if (w->fd >= 0) {
        close(w->fd);
    }
    if (w->temp != NULL && !w->keep) {
        unlink(w->temp);
    }
    free(w->buffer);
    memtrace_packer_destroy(w->packer);
    free(w->path);
    free(w->temp);
    free(w);
    errno = kept;
}

/* Opens the file to be written. Resolves symbolic links first, because renaming would replace a
 * link instead of the file to which it leads. */
static bool writer_open(struct memtrace_writer *w, const char *path)
{
    struct stat st;
    char real[PATH_MAX], why[TRUST_WHY_MAX];
    if ((w->flags & MEMTRACE_NEW) != 0 && lstat(path, &st) == 0) {
        errno = EEXIST;
        return false;
    }
    if (!trust_check(TRUST_WRITE, path, real, &st, why, sizeof why)) {
        return false;
    }
    bool is_regular = st.st_mode == 0 || S_ISREG(st.st_mode);
    w->path = strdup(is_regular ? real : path);
    if (!is_regular) {
        w->fd = trust_open(TRUST_WRITE, path, O_WRONLY, 0, why, sizeof why);
        return w->path != NULL && w->fd >= 0;
    }
    unsigned mode = (w->flags & MEMTRACE_PRIVATE) != 0 ? 0600 : 0666;
    w->fd = w->path == NULL ? -1 : fmt_part_create(w->path, mode, &w->temp);
    return w->fd >= 0;
}

size_t memtrace_writer_leftovers(const char *path, char *name, size_t size)
{
    struct stat st;
    bool is_link = lstat(path, &st) == 0 && S_ISLNK(st.st_mode);
    char *real = is_link ? realpath(path, NULL) : NULL;
    size_t n = fmt_part_list(real == NULL ? path : real, name, size);
    free(real);
    return n;
}

struct memtrace_writer *memtrace_writer_create(const char *path)
{
    return memtrace_writer_create_as(path, 0);
}

struct memtrace_writer *memtrace_writer_create_as(const char *path, unsigned flags)
{
    struct memtrace_writer *w = calloc(1, sizeof *w);
    if (w == NULL) {
        return NULL;
    }
    w->fd = -1;
    w->flags = flags;
    bool is_packed = (flags & MEMTRACE_PACKED) != 0;
    w->buffer = malloc(MEMTRACE_BUFFER_SIZE);
    w->packer = is_packed ? memtrace_packer_create() : NULL;
    if (w->buffer == NULL || (is_packed && w->packer == NULL) || !writer_open(w, path)) {
        writer_free(w);
        return NULL;
    }
    if (is_packed) {
        memtrace_pack_header(w->buffer);
        w->used = MEMTRACE_PACK_HEADER;
    } else {
        w->buffer[w->used++] = MEMTRACE_RECORD_SIZE;
    }
    return w;
}

uint64_t memtrace_writer_offset(const struct memtrace_writer *w)
{
    return w->written + w->used;
}

static bool stop(struct memtrace_writer *w, const char *words)
{
    if (w->error[0] == '\0') {
        snprintf(w->error, sizeof w->error, "at byte %" PRIu64 ": %s", memtrace_writer_offset(w),
                 words);
    }
    return false;
}

static bool flush(struct memtrace_writer *w)
{
    int why = w->error[0] == '\0' ? write_all(w->fd, w->buffer, w->used) : 0;
    if (why != 0) {
        char words[200];
        snprintf(words, sizeof words, "cannot write: %s", strerror(why));
        return stop(w, words);
    }
    w->written += w->used;
    w->used = 0;
    return w->error[0] == '\0';
}

/* Reserves n bytes in the buffer, and returns their address. If the buffer has less space, first
 * writes its contents to the file. Returns NULL after an error. */
static uint8_t *room(struct memtrace_writer *w, size_t n)
{
    assert(w->used <= MEMTRACE_BUFFER_SIZE && n <= MEMTRACE_BUFFER_SIZE);
    if (w->error[0] != '\0' || (MEMTRACE_BUFFER_SIZE - w->used < n && !flush(w))) {
        return NULL;
    }
    uint8_t *p = w->buffer + w->used;
    w->used += n;
    return p;
}

/* Appends bytes to the buffer, of which none is written before the others. size: their number; may be 0. */
static bool add(struct memtrace_writer *w, const void *bytes, size_t size)
{
    uint8_t *p = room(w, size);
    if (p != NULL && size > 0) {
        memcpy(p, bytes, size);
    }
    return p != NULL;
}

/* Appends the accesses that the packer has collected to the buffer, as a block. */
static bool accesses_add(struct memtrace_writer *w)
{
    const uint8_t *block = NULL;
    size_t size = memtrace_packer_accesses(w->packer, &block);
    return add(w, block, size);
}

static bool launch_end(struct memtrace_writer *w)
{
    static const uint8_t mark[MEMTRACE_RECORD_SIZE];
    size_t size = w->in_launch ? sizeof mark : 0;
    w->in_launch = false;
    return w->packer != NULL ? accesses_add(w) : add(w, mark, size);
}

static bool name_add(struct memtrace_writer *w, const char *name, size_t length)
{
    const uint8_t *block = NULL;
    if (w->packer != NULL) {
        size_t size = memtrace_packer_launch(w->packer, name, &block);
        return add(w, block, size);
    }
    char line[MEMTRACE_NAME_MAX + 3];
    snprintf(line, sizeof line, "\n%s\n", name);
    return add(w, line, length + 2);
}

bool memtrace_writer_launch(struct memtrace_writer *w, const char *name)
{
    size_t length = strlen(name);
    if (w->error[0] != '\0') {
        return false;
    }
    if (length == 0 || length > MEMTRACE_NAME_MAX || strchr(name, '\n') != NULL) {
        return stop(w, "a kernel's name must have 1 to 4095 bytes and no line feed");
    }
    if (w->launches == MEMTRACE_LAUNCH_MAX) {
        return stop(w, "too many launches for one trace");
    }
    if (!launch_end(w) || !name_add(w, name, length)) {
        return false;
    }
    w->in_launch = true;
    w->launches++;
    return true;
}

static bool packed_add(struct memtrace_writer *w, const uint8_t *records, size_t n)
{
    while (n > 0 && w->error[0] == '\0') {
        size_t taken = memtrace_packer_add(w->packer, records, n);
        records += taken * MEMTRACE_RECORD_SIZE;
        n -= taken;
        if (taken == 0) {
            accesses_add(w);
        }
    }
    return w->error[0] == '\0';
}

bool memtrace_writer_add(struct memtrace_writer *w, const struct memtrace_access *access)
{
    if (access->size == 0 || access->size > MEMTRACE_SIZE_MAX || access->type > MEMTRACE_TYPE_MAX ||
        !w->in_launch) {
        return stop(w, !w->in_launch       ? "an access before the first launch"
                       : access->size == 0 ? "an access of size 0"
                                           : "an access of a size or type that is too great");
    }
    uint8_t record[MEMTRACE_RECORD_SIZE];
    uint8_t *p = w->packer != NULL ? record : room(w, MEMTRACE_RECORD_SIZE);
    if (p == NULL) {
        return false;
    }
    fmt_put_u64(p, (uint64_t)access->sm << 32 | (uint64_t)access->type << 28 | access->size);
    fmt_put_u64(p + 8, access->address);
    fmt_put_u64(p + 16, access->cta);
    return w->packer == NULL || packed_add(w, record, 1);
}

/* Returns the number of records before the first invalid record, at most n. */
static size_t valid_count(const uint8_t *from, size_t n)
{
    size_t i = 0;
    for (; i < n; i++, from += MEMTRACE_RECORD_SIZE) {
        uint64_t word = fmt_get_u64(from);
        if ((word & MEMTRACE_SIZE_MAX) == 0 || (word >> 28 & 15u) > MEMTRACE_TYPE_MAX) {
            break;
        }
    }
    return i;
}

bool memtrace_writer_records(struct memtrace_writer *w, const void *records, size_t n)
{
    const uint8_t *from = records;
    if (!w->in_launch && n > 0) {
        return stop(w, "an access before the first launch");
    }
    size_t valid = valid_count(from, n);
    if (w->packer != NULL) {
        packed_add(w, from, valid);
    } else {
        enum { RECORDS = 1024 };
        for (size_t i = 0, k; i < valid && w->error[0] == '\0'; i += k) {
            k = valid - i < RECORDS ? valid - i : RECORDS;
            add(w, from + i * MEMTRACE_RECORD_SIZE, k * MEMTRACE_RECORD_SIZE);
        }
    }
    if (valid < n) {
        stop(w, "a record of size 0 or of an unknown type");
    }
    return w->error[0] == '\0';
}

bool memtrace_writer_flush(struct memtrace_writer *w)
{
    return (w->packer == NULL || accesses_add(w)) && flush(w);
}

/* Ends the last launch, and appends the end of the file to the buffer. */
static bool end_add(struct memtrace_writer *w)
{
    const uint8_t *block = NULL;
    if (!launch_end(w)) {
        return false;
    }
    size_t size = w->packer == NULL ? 0 : memtrace_packer_end(w->packer, &block);
    return add(w, block, size);
}

/* Renames the incomplete file to its final name. With MEMTRACE_NEW, never replaces an existing
 * file. */
static bool rename_part(const struct memtrace_writer *w)
{
    if ((w->flags & MEMTRACE_NEW) == 0) {
        return rename(w->temp, w->path) == 0;
    }
    if (renameat2(AT_FDCWD, w->temp, AT_FDCWD, w->path, RENAME_NOREPLACE) == 0) {
        return true;
    }
    /* Some file systems do not support renameat2(). */
    bool unknown = errno == EINVAL || errno == ENOSYS;
    return unknown && link(w->temp, w->path) == 0 && unlink(w->temp) == 0;
}

static bool name_give(struct memtrace_writer *w)
{
    assert(w->fd >= 0 && w->used == 0);
    int fd = w->fd;
    w->fd = -1;
    if (close(fd) != 0 || (w->temp != NULL && !rename_part(w))) {
        char words[200];
        snprintf(words, sizeof words, "cannot complete the file: %s", strerror(errno));
        return stop(w, words);
    }
    free(w->temp);
    w->temp = NULL;
    return true;
}

bool memtrace_writer_close(struct memtrace_writer *w, char *error, size_t error_size)
{
    assert(w->used <= MEMTRACE_BUFFER_SIZE);
    bool good = w->launches > 0 || w->error[0] != '\0' || stop(w, "no kernel was launched");
    good = good && end_add(w) && flush(w) && name_give(w);
    if (!good) {
        w->keep = (w->flags & MEMTRACE_KEEP) != 0 && w->launches > 0 && w->temp != NULL;
        snprintf(error, error_size, "%s: %s; the trace is incomplete%s%s", w->path, w->error,
                 w->keep           ? "; its beginning is in "
                 : w->temp != NULL ? " and was removed"
                                   : "",
                 w->keep ? w->temp : "");
    }
    writer_free(w);
    return good;
}

void memtrace_writer_discard(struct memtrace_writer *w)
{
    if (w != NULL) {
        writer_free(w);
    }
}
