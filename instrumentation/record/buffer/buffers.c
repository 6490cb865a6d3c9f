/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * buffers.c - sub-buffers in anonymous memory or in a mapped journal (format/journal.h).
 *
 * The first sub-buffers are contiguous in one mapping, after one page that holds the journal's
 * header. Each further sub-buffer has its own mapping, and follows the earlier ones in the journal.
 *
 * The space of a journal is allocated before it is mapped. With a sparse file, storing a row on a
 * full disk would end the program with SIGBUS.
 *
 * Invariants
 *  B1  capacity holds the largest row; capacity plus header <= stride.
 *  B2  The address of a sub-buffer in use never changes.
 *  B3  With a journal, all sub-buffers are in it.
 */
#define _GNU_SOURCE /* required for mremap() */
#include "record/buffer/buffers.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* Maximum size in bytes of the sub-buffers of a buffer that needs at most SUB_BUFFERS_MOST of them, and
 * their numbers at least and at most, which suffice for bursts of records. A sub-buffer of this size
 * becomes one block: its rows are then still cached, and sealing it delays the rank by less than it
 * may run ahead of others. */
#define SUB_BUFFER_BYTES  (142u << 10)
#define SUB_BUFFERS_LEAST 8u
#define SUB_BUFFERS_MOST  64u
/* Number of sub-buffers of a flight recorder, in addition to one per channel. The larger the
 * number, the fewer records are overwritten at once. */
#define SUB_BUFFERS_RING 32u
/* Maximum number of bytes that buffers_touch() writes; the rest of the buffer memory is possibly
 * never used. */
#define BUFFERS_TOUCH_MAX (1u << 20)

static size_t whole_pages(size_t size)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    return (size + page - 1) / page * page;
}

static unsigned char *map_memory(size_t size)
{
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

static struct sub_buffer *sub_buffer_add(struct buffers *b, unsigned char *memory)
{
    assert(b->n < b->n_max && (uintptr_t)memory % 8 == 0);
    struct sub_buffer *s = &b->sub_buffers[b->n];
    *s = (struct sub_buffer){.head = (struct fmt_segment_head *)(void *)memory,
                             .rows = memory + FMT_SEGMENT_HEAD,
                             .is_spill = b->n >= b->n_base};
    b->n++;
    return s;
}

/* Sets up the first n_base sub-buffers in b->memory. */
static void sub_buffers_place(struct buffers *b)
{
    b->n = 0;
    while (b->n < b->n_base) {
        sub_buffer_add(b, b->memory + b->head_size + b->n * b->stride);
    }
}

/* Allocates n sub-buffers with space for `capacity` bytes of rows each. Returns false if memory is
 * exhausted. */
static bool take_memory(struct buffers *b, size_t n, size_t capacity)
{
    b->capacity = (capacity + 7) & ~(size_t)7;
    b->stride = whole_pages(FMT_SEGMENT_HEAD + b->capacity);
    b->n_base = (unsigned)n;
    b->n_max = b->n_base * BUFFERS_GROWTH_MAX;
    b->head_size = whole_pages(1);
    b->memory_size = b->head_size + n * b->stride;
    b->memory = map_memory(b->memory_size);
    b->sub_buffers = calloc(b->n_max, sizeof(*b->sub_buffers));
    if (b->memory == NULL || b->sub_buffers == NULL) {
        return false;
    }
    sub_buffers_place(b);
    return true;
}

bool buffers_init(struct buffers *b, uint64_t size, unsigned n_channels, size_t row_bytes_max)
{
    assert(n_channels > 0 && row_bytes_max > 0);
    *b = (struct buffers){.journal = -1};
    if (size > SIZE_MAX / 4 || row_bytes_max > SIZE_MAX / 4) {
        return false;
    }
    size_t n = (size_t)size / row_bytes_max, usual = (size_t)size / SUB_BUFFER_BYTES + 1;
    usual = usual < SUB_BUFFERS_LEAST ? SUB_BUFFERS_LEAST : usual;
    usual = usual > SUB_BUFFERS_MOST ? SUB_BUFFERS_MOST : usual;
    n = n > usual ? usual : n;
    n = n < n_channels + 1 ? n_channels + 1 : n;
    size_t capacity = (size_t)size / n;
    return take_memory(b, n, capacity < row_bytes_max ? row_bytes_max : capacity);
}

bool buffers_init_ring(struct buffers *b, uint64_t size, unsigned n_channels, size_t row_bytes_max)
{
    assert(n_channels > 0 && row_bytes_max > 0);
    *b = (struct buffers){.journal = -1};
    if (size > SIZE_MAX / 4 || row_bytes_max > SIZE_MAX / 4) {
        return false;
    }
    /* A closed sub-buffer has at least capacity - row_bytes_max bytes of rows. Each channel has a
     * sub-buffer that is not closed. */
    return take_memory(b, SUB_BUFFERS_RING + n_channels,
                       (size_t)size / SUB_BUFFERS_RING + row_bytes_max + 8);
}

void buffers_fini(struct buffers *b)
{
    for (unsigned i = b->n_base; i < b->n; i++) {
        munmap(b->sub_buffers[i].head, b->stride);
    }
    if (b->memory != NULL) {
        munmap(b->memory, b->memory_size);
    }
    buffers_remove_journal(b);
    free(b->sub_buffers);
    *b = (struct buffers){.journal = -1};
}

/* ---- Journal --------------------------------------------------------------------------------- */

/* Extends the file fd by `size` bytes at offset `from`, and allocates their space on disk.
 * posix_fallocate() alone would take all space of a disk that is too small before it fails, so the
 * free space is checked first. Returns 0 or an errno value. */
static int journal_extend(int fd, size_t from, size_t size)
{
    struct statvfs fs;
    struct rlimit limit;
    if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
        from + size > limit.rlim_cur) {
        return EFBIG;
    }
    if (fstatvfs(fd, &fs) == 0 && fs.f_frsize > 0 && size / fs.f_frsize >= fs.f_bavail) {
        return ENOSPC;
    }
    int why;
    do {
        why = posix_fallocate(fd, (off_t)from, (off_t)size);
    } while (why == EINTR);
    return why;
}

static void *map_journal(int fd, size_t from, size_t size)
{
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)from);
    return memory == MAP_FAILED ? NULL : memory;
}

int buffers_keep_journal(struct buffers *b, const char *path, struct fmt_journal_head head)
{
    assert(b->journal < 0 && b->n == b->n_base);
    char *name = strdup(path);
    int fd = name == NULL ? -1 : open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0) {
        free(name);
        return name == NULL ? ENOMEM : errno;
    }
    int why = journal_extend(fd, 0, b->memory_size);
    void *memory = why == 0 ? map_journal(fd, 0, b->memory_size) : NULL;
    if (memory == NULL) {
        why = why == 0 ? errno : why;
        unlink(path);
        close(fd);
        free(name);
        return why;
    }
    munmap(b->memory, b->memory_size);
    b->memory = memory;
    b->journal = fd;
    b->journal_path = name;
    sub_buffers_place(b);
    head.head_size = b->head_size;
    head.segment_size = b->stride;
    fmt_journal_begin(memory, head);
    return 0;
}

/* Returns true if journal_path still names the journal that this process created. The directory has
 * possibly been moved, and another run has possibly created a file of the same name. */
static bool journal_is_there(const struct buffers *b)
{
    struct stat named, ours;
    return stat(b->journal_path, &named) == 0 && fstat(b->journal, &ours) == 0 &&
           named.st_dev == ours.st_dev && named.st_ino == ours.st_ino;
}

void buffers_remove_journal(struct buffers *b)
{
    if (b->journal_path != NULL) {
        if (journal_is_there(b)) {
            unlink(b->journal_path);
        }
        close(b->journal);
    }
    free(b->journal_path);
    b->journal_path = NULL;
    b->journal = -1;
}

/*
 * Replaces memory (size bytes), which is mapped from the journal at offset `from`, by private
 * memory. If there is no memory for a copy, the mapping stays, and so does its disk space. If
 * mremap() fails after removing the old mapping, the journal is mapped again, since it still has
 * the contents. Returns false if nothing is mapped at these addresses.
 */
static bool copy_in_place(const struct buffers *b, unsigned char *memory, size_t size, size_t from)
{
    assert(b->journal >= 0);
    unsigned char *copy = map_memory(size);
    if (copy == NULL) {
        return true;
    }
    memcpy(copy, memory, size);
    if (mremap(copy, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, memory) != MAP_FAILED) {
        return true;
    }
    munmap(copy, size);
    return mmap(memory, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, b->journal,
                (off_t)from) != MAP_FAILED;
}

bool buffers_leave_journal(struct buffers *b)
{
    if (b->journal < 0) {
        return true;
    }
    bool mapped = copy_in_place(b, b->memory, b->memory_size, 0);
    for (unsigned i = b->n_base; i < b->n && mapped; i++) {
        mapped = copy_in_place(b, (unsigned char *)b->sub_buffers[i].head, b->stride,
                               b->head_size + i * b->stride);
    }
    buffers_remove_journal(b);
    if (!mapped) { /* the mapping is not removed: other mappings may use these addresses by now */
        b->memory = NULL;
        b->n = 0;
    }
    return mapped;
}

struct fmt_journal_live *buffers_live(const struct buffers *b)
{
    return b->journal >= 0 ? fmt_journal_live(b->memory) : NULL;
}

void buffers_checkpoint(struct buffers *b, uint64_t order, const struct fmt_position *at)
{
    if (b->journal >= 0) {
        fmt_journal_checkpoint(b->memory, order, at);
    }
}

/* ---- Sub-buffers ----------------------------------------------------------------------------- */

void buffers_touch(struct buffers *b)
{
    size_t size = b->memory_size < BUFFERS_TOUCH_MAX ? b->memory_size : BUFFERS_TOUCH_MAX;
    if (size > b->head_size) {
        memset(b->memory + b->head_size, 0, size - b->head_size);
    }
}

struct sub_buffer *buffers_take(struct buffers *b, bool rotate)
{
    assert(b->n <= b->n_max && (b->n == 0 || b->last < b->n));
    unsigned start = rotate ? b->last + 1 : 0;
    for (unsigned k = 0; k < b->n; k++) {
        unsigned i = (start + k) % b->n;
        if (!b->sub_buffers[i].in_use) {
            b->sub_buffers[i].in_use = true;
            b->last = i;
            return &b->sub_buffers[i];
        }
    }
    return NULL;
}

struct sub_buffer *buffers_grow(struct buffers *b)
{
    assert(b->n >= b->n_base && b->n <= b->n_max);
    unsigned char *memory = NULL;
    size_t from = b->head_size + b->n * b->stride;
    if (b->n < b->n_max && b->journal < 0) {
        memory = map_memory(b->stride);
    } else if (b->n < b->n_max && journal_extend(b->journal, from, b->stride) == 0) {
        memory = map_journal(b->journal, from, b->stride);
    }
    if (memory == NULL) {
        return NULL;
    }
    struct sub_buffer *s = sub_buffer_add(b, memory);
    s->in_use = true;
    return s;
}
