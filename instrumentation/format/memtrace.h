/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * memtrace.h - memory traces, version 1: accesses to global memory by the threads of a GPU.
 *
 * There is one file for each CUDA stream (a queue of kernel launches). A launch consists of the
 * name of a kernel and of its accesses, in order. The index of a launch in the file, from 0, is its
 * superstep. A file on disk:
 *
 *     byte 24 (the size of a record); then for each launch LF, name, LF, records, 24 zero bytes
 *
 * A record is three little-endian 64-bit words: SM << 32 | type << 28 | size; address; CTA x << 32
 * | y << 16 | z. docs/memory-traces.md defines the packed form of a file, which has the same
 * contents in blocks with checksums. Readers recognise the form of a file. Programs other than
 * Warpscope can write traces as follows:
 *
 *     struct memtrace_writer *w = memtrace_writer_create("MemTrace-pipe-1");
 *     memtrace_writer_launch(w, "stencil");
 *     memtrace_writer_add(w, &access);
 *     if (!memtrace_writer_close(w, error, sizeof error)) { ... }
 *
 * Only one thread at a time may use a reader or writer.
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
#define MEMTRACE_SIZE_MAX    0xfffffffu /* maximum size in bytes of an access */
/* Maximum length in bytes of the name of a kernel. A name contains no line feed and no zero
 * byte. */
#define MEMTRACE_NAME_MAX    4095u
#define MEMTRACE_LAUNCH_MAX  0x7fffffffu
#define MEMTRACE_BUFFER_SIZE ((size_t)1 << 20)

enum memtrace_type {
    MEMTRACE_LOAD = 0,
    MEMTRACE_STORE = 1,
    /* All types from here to MEMTRACE_TYPE_MAX are atomic operations. */
    MEMTRACE_ATOMIC = 2,
    MEMTRACE_TYPE_MAX = 14
};

/* Name of the file beside the traces of a process that has its allocations, and the first and the last
 * line of that file, which is text; docs/memory-traces.md describes it. */
#define MEMTRACE_MEMORY      "MemTrace-memory"
#define MEMTRACE_MEMORY_HEAD "warpscope memory 1"
#define MEMTRACE_MEMORY_TAIL "complete"

/* Beginnings of the names of launches that have no records and are notes. MEMTRACE_INCOMPLETE:
 * records are missing, and the rest of the name states why. MEMTRACE_UNTRACED: some accesses of a
 * kernel are not recorded. The rest of the name is then the name of the kernel, a colon, and either
 * a list of instructions and their numbers in the code, "tex.1d.v4.f32.s32 (2)", or a reason. */
#define MEMTRACE_INCOMPLETE "[trace incomplete]"
#define MEMTRACE_UNTRACED   "[not traced]"

/* A memory access of a kernel. */
struct memtrace_access {
    uint64_t address;
    /* CTA (thread block) of the thread: memtrace_cta(x, y, z). */
    uint64_t cta;
    uint32_t sm;   /* index of the streaming multiprocessor (SM) */
    uint32_t size; /* size of the access in bytes, 1 to MEMTRACE_SIZE_MAX */
    uint32_t type; /* type of the access: enum memtrace_type */
};

static inline uint64_t memtrace_cta(uint32_t x, uint32_t y, uint32_t z)
{
    return (uint64_t)x << 32 | (uint64_t)(y & 0xffffu) << 16 | (z & 0xffffu);
}

/* ---- Reading of memory traces ---------------------------------------------------------------- */

struct memtrace_reader;

enum memtrace_item {
    MEMTRACE_ITEM_LAUNCH, /* the beginning of a launch */
    MEMTRACE_ITEM_ACCESS,
    MEMTRACE_ITEM_END, /* the end of a complete file */
    /* An error, see memtrace_reader_error(). The rest of the file cannot be read. */
    MEMTRACE_ITEM_ERROR
};

/* Opens a trace for reading; path may be that of a pipe. Returns NULL after an error, with path and
 * reason in error (error_size bytes). The reader reads MEMTRACE_BUFFER_SIZE bytes at a time. */
struct memtrace_reader *memtrace_reader_open(const char *path, char *error, size_t error_size);
/* Reads the next item and returns its kind. If the item is an access, stores it in *access.
 * memtrace_reader_accesses() reads accesses faster. */
enum memtrace_item memtrace_reader_next(struct memtrace_reader *r, struct memtrace_access *access);
/*
 * Reads up to n accesses of the current launch into accesses. Returns the number of accesses read.
 * 0: there is no further access; call memtrace_reader_next() for the next item.
 */
size_t memtrace_reader_accesses(struct memtrace_reader *r, struct memtrace_access *accesses,
                                size_t n);
/* These functions return the name of the current launch's kernel, and the superstep of the current
 * launch. The name is valid until the next launch begins. */
const char *memtrace_reader_kernel(const struct memtrace_reader *r);
uint64_t memtrace_reader_superstep(const struct memtrace_reader *r);
/* Returns the number of bytes that have been read so far, which is the offset of the next item in
 * the file. */
uint64_t memtrace_reader_offset(const struct memtrace_reader *r);
/* Returns the error as one line, "path: at byte 97: reason", valid until the reader is closed. The
 * byte is the first of the invalid item or, in a truncated file, of the incomplete item at its
 * end. */
const char *memtrace_reader_error(const struct memtrace_reader *r);
void memtrace_reader_close(struct memtrace_reader *r);

/* ---- Writing of memory traces ---------------------------------------------------------------- */

struct memtrace_writer;

/*
 * Creates or replaces the file path. The data are written to PATH.part-PID, which
 * memtrace_writer_close() renames to PATH, so that no reader finds an incomplete trace. Pipes and
 * devices are written directly. If PATH.part-PID exists, because another writer uses it or a killed
 * program has left it, the name PATH.part-PID-2 is used, and so on. Returns NULL after an error,
 * with errno set.
 */
struct memtrace_writer *memtrace_writer_create(const char *path);

enum memtrace_writer_flag {
    MEMTRACE_PACKED = 1,  /* writes the packed form instead of version 1 */
    MEMTRACE_PRIVATE = 2, /* creates the file with mode 0600: only its owner may read it */
    /* Makes it an error (EEXIST) if path exists when the writer is created or closed. */
    MEMTRACE_NEW = 4,
    /* Keeps the incomplete file PATH.part-PID after an error. */
    MEMTRACE_KEEP = 8
};
/* Variant of memtrace_writer_create() with flags: bitwise OR of enum memtrace_writer_flag
 * values. */
struct memtrace_writer *memtrace_writer_create_as(const char *path, unsigned flags);
/*
 * Returns the number of files PATH.part-... . Each of them is either still being written, or was
 * left by a killed program and can be deleted. Writes the first of their names in alphabetical
 * order to `name`, truncated to size bytes. If there are no such files, `name` is unchanged.
 */
size_t memtrace_writer_leftovers(const char *path, char *name, size_t size);
/* The functions below return false if this or an earlier call for the writer has failed.
 * memtrace_writer_close() reports the first error. */
/* Ends the current launch, if there is one, and begins the next. name: name of the kernel; not
 * empty, without a line feed. */
bool memtrace_writer_launch(struct memtrace_writer *w, const char *name);
bool memtrace_writer_add(struct memtrace_writer *w, const struct memtrace_access *access);
/* Adds n accesses to the current launch. records: n records of MEMTRACE_RECORD_SIZE bytes in the
 * form that version 1 has on disk. */
bool memtrace_writer_records(struct memtrace_writer *w, const void *records, size_t n);
/* Writes all buffered data to the file, which keeps them even if the program is killed. */
bool memtrace_writer_flush(struct memtrace_writer *w);
/* Returns the number of bytes of the file so far, including those in the buffer. */
uint64_t memtrace_writer_offset(const struct memtrace_writer *w);
/*
 * Ends the current launch and the file, gives the file its name, and frees w. Returns false after
 * an error, with path and reason in error (error_size bytes). Then there is no new file, and an
 * existing file is unchanged. A trace without a launch is an error.
 */
bool memtrace_writer_close(struct memtrace_writer *w, char *error, size_t error_size);
/* Frees w and removes its incomplete file. w may be NULL. */
void memtrace_writer_discard(struct memtrace_writer *w);

#ifdef __cplusplus
}
#endif

#endif
