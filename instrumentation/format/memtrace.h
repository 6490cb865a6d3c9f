/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * memtrace.h - memory traces, version 1: accesses to global memory by the threads of a GPU.
 *
 * A trace is one file per stream (a queue of kernel launches). A launch is a kernel's name and its
 * accesses, in order; its number in the file, from 0, is its superstep. On disk:
 *
 *     byte 24 (the size of a record); then for each launch LF, name, LF, records, 24 zero bytes
 *
 * A record is three little-endian 64-bit words: SM << 32 | type << 28 | size; address; CTA x << 32
 * | y << 16 | z. docs/memory-traces.md defines the packed form, which has the same contents in
 * blocks with checksums. Readers recognise the form of a file. Other tools can write traces as
 * well.
 *
 *     struct memtrace_writer *w = memtrace_writer_create("MemTrace-pipe-1");
 *     memtrace_writer_launch(w, "stencil");
 *     memtrace_writer_add(w, &access);
 *     if (!memtrace_writer_close(w, error, sizeof error)) { ... }
 *
 * A reader or writer must not be used by several threads at once.
 */
#ifndef WARPSCOPE_FORMAT_MEMTRACE_H
#define WARPSCOPE_FORMAT_MEMTRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MEMTRACE_RECORD_SIZE 24u
#define MEMTRACE_SIZE_MAX    0xfffffffu /* greatest size of an access in bytes */
/* Greatest length in bytes of the name of a kernel, which contains no line feed or zero byte. */
#define MEMTRACE_NAME_MAX    4095u
#define MEMTRACE_LAUNCH_MAX  0x7fffffffu
#define MEMTRACE_BUFFER_SIZE ((size_t)1 << 20)

enum memtrace_type {
    MEMTRACE_LOAD = 0,
    MEMTRACE_STORE = 1,
    MEMTRACE_ATOMIC = 2, /* types from here to MEMTRACE_TYPE_MAX are atomic operations */
    MEMTRACE_TYPE_MAX = 14
};

/* A launch whose name begins with this has no records. The rest of the name states why records are
 * missing. */
#define MEMTRACE_INCOMPLETE "[trace incomplete]"

/* A memory access of a kernel. */
struct memtrace_access {
    uint64_t address;
    uint64_t cta;  /* cooperative thread array (thread block): memtrace_cta(x, y, z) */
    uint32_t sm;   /* number of the streaming multiprocessor */
    uint32_t size; /* size in bytes, 1 to MEMTRACE_SIZE_MAX */
    uint32_t type; /* type: enum memtrace_type */
};

static inline uint64_t memtrace_cta(uint32_t x, uint32_t y, uint32_t z)
{
    return (uint64_t)x << 32 | (uint64_t)(y & 0xffffu) << 16 | (z & 0xffffu);
}

/* ---- Reading of memory traces ---------------------------------------------------------------- */

struct memtrace_reader;

enum memtrace_item {
    MEMTRACE_ITEM_LAUNCH, /* a launch of a kernel begins */
    MEMTRACE_ITEM_ACCESS,
    MEMTRACE_ITEM_END, /* the end of a complete file */
    /* An error, see memtrace_reader_error(); the rest of the file cannot be read. */
    MEMTRACE_ITEM_ERROR
};

/* Opens a file, which may be a pipe. Returns NULL after an error, with path and reason in error.
 * Reads MEMTRACE_BUFFER_SIZE bytes at a time. */
struct memtrace_reader *memtrace_reader_open(const char *path, char *error, size_t error_size);
/* Returns the next item. MEMTRACE_ITEM_ACCESS fills *access; reading batches is faster, see
 * below. */
enum memtrace_item memtrace_reader_next(struct memtrace_reader *r, struct memtrace_access *access);
/*
 * Reads up to n accesses of the current launch. Returns their number; 0: memtrace_reader_next()
 * returns the next item.
 */
size_t memtrace_reader_accesses(struct memtrace_reader *r, struct memtrace_access *accesses,
                                size_t n);
/* Return the kernel's name of the current launch, and its superstep, the launch's number in the
 * file. The name is valid until the next launch. */
const char *memtrace_reader_kernel(const struct memtrace_reader *r);
uint64_t memtrace_reader_superstep(const struct memtrace_reader *r);
/* Returns the number of bytes read so far, which is the offset of the next item. */
uint64_t memtrace_reader_offset(const struct memtrace_reader *r);
/* Returns one line, "path: at byte 97: reason", valid until the reader is closed. The offset is
 * where the invalid part begins; in a truncated file, where its last, incomplete part begins. */
const char *memtrace_reader_error(const struct memtrace_reader *r);
void memtrace_reader_close(struct memtrace_reader *r);

/* ---- Writing of memory traces ---------------------------------------------------------------- */

struct memtrace_writer;

/*
 * Creates or replaces a file. The data are written to PATH.part-PID, which memtrace_writer_close()
 * renames, so that no reader finds an incomplete trace. Pipes and devices are written directly. If
 * another writer or a killed program has left PATH.part-PID, that file is kept, and the name is
 * PATH.part-PID-2 and so on. Returns NULL after an error, with errno set.
 */
struct memtrace_writer *memtrace_writer_create(const char *path);

enum memtrace_writer_flag {
    MEMTRACE_PACKED = 1,  /* write the packed form instead of version 1 */
    MEMTRACE_PRIVATE = 2, /* only the owner may read the file: mode 0600 */
    /* It is an error, EEXIST, if the file exists when the writer is created or closed. */
    MEMTRACE_NEW = 4,
    MEMTRACE_KEEP = 8 /* after an error, the incomplete file PATH.part-PID is kept */
};
/* Like memtrace_writer_create(). flags: a sum of enum memtrace_writer_flag. */
struct memtrace_writer *memtrace_writer_create_as(const char *path, unsigned flags);
/*
 * Returns the number of files PATH.part-... . Each is being written, or a killed program has left
 * it and it can be deleted. Stores the first of their names in name, truncated to size; name is
 * unchanged if there is none.
 */
size_t memtrace_writer_leftovers(const char *path, char *name, size_t size);
/* After an error, the functions below return false; memtrace_writer_close() reports the error. */
/* Ends the current launch, if any, and starts another. name: not empty, without a line feed. */
bool memtrace_writer_launch(struct memtrace_writer *w, const char *name);
bool memtrace_writer_add(struct memtrace_writer *w, const struct memtrace_access *access);
/* Adds n records of MEMTRACE_RECORD_SIZE bytes, in the form that version 1 has on disk. */
bool memtrace_writer_records(struct memtrace_writer *w, const void *records, size_t n);
/* Writes all data to the file. They are then kept even if the program is killed. */
bool memtrace_writer_flush(struct memtrace_writer *w);
/* Returns the number of bytes written so far, including the current launch. */
uint64_t memtrace_writer_offset(const struct memtrace_writer *w);
/*
 * Ends the current launch and the file, and frees w. Returns false after an error, with path and
 * reason in error: there is no new file, and an existing file is unchanged. A trace without a
 * launch is an error.
 */
bool memtrace_writer_close(struct memtrace_writer *w, char *error, size_t error_size);
/* Frees w and removes its file. w may be NULL. */
void memtrace_writer_discard(struct memtrace_writer *w);

#ifdef __cplusplus
}
#endif

#endif
