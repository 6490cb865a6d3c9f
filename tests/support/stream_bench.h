/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stream_bench.h - a stream of records into a file in memory, on a disk that may be full, fail or
 * lose journals.
 */
#ifndef WARPSCOPE_TESTS_STREAM_BENCH_H
#define WARPSCOPE_TESTS_STREAM_BENCH_H

#include <CUnit/CUnit.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "support/fake_engine.h"
#include "support/read_back.h"
#include "support/room.h"
#include "support/stream_model.h"

#define PAGE      4096u
#define PAGES_MAX 4096u

/* A file in memory, on a disk of pages. Writes beyond limit fail with ENOSPC. Writes for which
 * there are too few pages fail in their middle. */
struct memory_file {
    bool has_page[PAGES_MAX];
    uint64_t pages_free; /* UINT64_MAX: no limit */
    unsigned char *bytes;
    size_t size;
    uint64_t limit;
    long delay_ns; /* of each write */
    unsigned writes;
};

static inline bool memory_take_page(struct memory_file *file, uint64_t page)
{
    bool there = file->has_page[page];
    if (!there && file->pages_free == 0) {
        return false;
    }
    file->pages_free -= there ? 0 : 1;
    file->has_page[page] = true;
    return true;
}

static inline void memory_put(struct memory_file *file, const void *data, size_t size,
                              uint64_t offset)
{
    if (offset + size > file->size) {
        file->bytes = room_for(file->bytes, file->size, offset + size);
        memset(file->bytes + file->size, 0, offset + size - file->size);
        file->size = offset + size;
    }
    if (size > 0) {
        memcpy(file->bytes + offset, data, size);
    }
}

static inline int memory_write_at(void *ctx, const void *data, size_t size, uint64_t offset)
{
    struct memory_file *file = ctx;
    if (file->delay_ns > 0) {
        nanosleep(&(struct timespec){.tv_nsec = file->delay_ns}, NULL);
    }
    while (file->pages_free != UINT64_MAX && size > 0) { /* page by page, while there are any */
        uint64_t page = offset / PAGE, left = (page + 1) * PAGE - offset;
        size_t part = size < left ? size : (size_t)left;
        if (!memory_take_page(file, page)) {
            return 28;
        }
        memory_put(file, data, part, offset);
        data = (const char *)data + part;
        offset += part;
        size -= part;
    }
    if (offset + size > file->limit) {
        return 28; /* ENOSPC */
    }
    memory_put(file, data, size, offset);
    file->writes++;
    return 0;
}

static inline int memory_reserve(void *ctx, uint64_t offset, uint64_t size)
{
    struct memory_file *file = ctx;
    uint64_t needed = 0;
    for (uint64_t page = offset / PAGE; page < (offset + size) / PAGE; page++) {
        needed += !file->has_page[page];
    }
    if (needed > file->pages_free) {
        return 28;
    }
    for (uint64_t page = offset / PAGE; page < (offset + size) / PAGE; page++) {
        memory_take_page(file, page);
    }
    return 0;
}

static inline int memory_read_at(void *ctx, void *data, size_t size, uint64_t offset, size_t *got)
{
    const struct memory_file *file = ctx;
    *got = offset >= file->size ? 0 : size < file->size - offset ? size : file->size - offset;
    if (*got > 0) {
        memcpy(data, file->bytes + offset, *got);
    }
    return 0;
}

static inline int memory_get_size(void *ctx, uint64_t *size)
{
    *size = ((const struct memory_file *)ctx)->size;
    return 0;
}

static inline struct fmt_io memory_io(struct memory_file *file)
{
    return (struct fmt_io){.ctx = file,
                           .path = "memory",
                           .write_at = memory_write_at,
                           .read_at = memory_read_at,
                           .get_size = memory_get_size};
}

/* Set-up of a bench. */
struct setting {
    uint64_t buffer_size;
    unsigned buffer_free;
    enum stream_full full;
    uint64_t limit;       /* bytes of the file; 0: none */
    uint64_t pages;       /* pages of the disk; 0: unlimited */
    bool blind;           /* the disk cannot reserve pages */
    uint64_t extent_size; /* 0: usual */
    unsigned n_channels;  /* 0: one */
    uint32_t n_pes;       /* of the file, whose first one the stream is; 0: one */
    bool thread;
    bool overwrites; /* a flight recorder */
    long delay_ns;
};

/* A stream of records of events, and optionally of rollbacks, into a file in memory. */
struct bench {
    struct memory_file file;
    struct fmt_io io;
    struct record_stream stream;
    struct write_thread thread;
    struct fmt_layout layout;
};

static inline void bench_begin(struct bench *b, const struct setting *s)
{
    char error[300] = "";
    unsigned n_channels = s->n_channels > 0 ? s->n_channels : 1;
    struct stream_buffers buffers = {.size = s->buffer_size,
                                     .free = s->buffer_free,
                                     .full = s->full,
                                     .overwrites = s->overwrites};
    const struct fmt_schema *schemas[2];
    size_t row_bytes_max = model_schemas(schemas, n_channels);
    *b = (struct bench){.file = {.limit = UINT64_MAX, .pages_free = UINT64_MAX}};
    b->io = memory_io(&b->file);
    fmt_layout_init(&b->layout, FMT_STREAM_EVTRACE, s->n_pes > 0 ? s->n_pes : 1, 7, row_bytes_max);
    b->layout.extent_size = s->extent_size > 0 ? s->extent_size : b->layout.extent_size;
    struct fmt_superblock sb = {.stream = FMT_STREAM_EVTRACE,
                                .n_schemas = n_channels,
                                .layout = b->layout,
                                .schemas = schemas};
    CU_ASSERT_EQUAL(fmt_superblock_write(&b->io, &sb, NULL), FMT_OK);
    if (s->pages > 0) {
        b->file.pages_free = s->pages + b->layout.extent_size / PAGE;
        b->io.reserve = s->blind ? NULL : memory_reserve;
    }
    CU_ASSERT_EQUAL(stream_init(&b->stream, 0, model_kinds, n_channels, &buffers, row_bytes_max),
                    TW_OK);
    CU_ASSERT_EQUAL(stream_connect(&b->stream, &b->io, "memory", &b->layout, row_bytes_max, error,
                                   sizeof(error)),
                    TW_OK);
    if (s->limit > 0) {
        b->file.limit = b->layout.first_extent + s->limit;
    }
    b->file.delay_ns = s->delay_ns;
    if (s->thread) {
        CU_ASSERT_EQUAL(write_thread_start(&b->thread), 0);
        write_queue_use_thread(&b->stream.queue, &b->thread);
    }
}

/* Ends the stream; the file remains. */
static inline struct stream_totals bench_finish(struct bench *b)
{
    struct fmt_end_info end = {.code = RUN_END_TIME, .text = "end"};
    stream_end(&b->stream, &end);
    write_thread_stop(&b->thread);
    CU_ASSERT(stream_check(&b->stream));
    return stream_totals(&b->stream);
}

static inline void bench_end(struct bench *b)
{
    write_thread_stop(&b->thread);
    stream_fini(&b->stream);
    free(b->file.bytes);
}

#endif
