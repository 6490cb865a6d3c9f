/*
 * memtrace.h - memory traces, version 1: which bytes of global memory the threads of a GPU touch.
 *
 * A trace is one file per stream (a queue of kernel launches). A launch is a kernel's name and its
 * accesses, in their order; its number in the file, from 0, is its superstep. On disk:
 *
 *     byte 24 (the size of a record); then for each launch LF, name, LF, records, 24 zero bytes
 *
 * and a record is three little-endian 64-bit words: SM << 32 | type << 28 | size; address;
 * CTA x << 32 | y << 16 | z. Needs nothing but libc, so that other tools can write traces with it.
 *
 *     struct memtrace_writer *w = memtrace_writer_create("MemTrace-pipe-1");
 *     memtrace_writer_launch(w, "stencil");
 *     memtrace_writer_add(w, &access);
 *     if (!memtrace_writer_close(w, error, sizeof error)) { ... }
 *
 * None of this is safe for several threads on one reader or writer.
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
#define MEMTRACE_SIZE_MAX    0xfffffffu /* bytes of an access */
#define MEMTRACE_NAME_MAX    4095u      /* bytes of a kernel's name; no line feed or zero in it */
#define MEMTRACE_LAUNCH_MAX  0x7fffffffu
#define MEMTRACE_BUFFER_SIZE ((size_t)1 << 20)

enum memtrace_type {
    MEMTRACE_LOAD = 0,
    MEMTRACE_STORE = 1,
    MEMTRACE_ATOMIC = 2, /* and above, up to MEMTRACE_TYPE_MAX: kinds of atomics */
    MEMTRACE_TYPE_MAX = 14
};

/* One access. */
struct memtrace_access {
    uint64_t address;
    uint64_t cta;  /* memtrace_cta(x, y, z) */
    uint32_t sm;   /* streaming multiprocessor */
    uint32_t size; /* bytes, 1 .. MEMTRACE_SIZE_MAX */
    uint32_t type; /* enum memtrace_type */
};

static inline uint64_t memtrace_cta(uint32_t x, uint32_t y, uint32_t z)
{
    return (uint64_t)x << 32 | (uint64_t)(y & 0xffffu) << 16 | (z & 0xffffu);
}

/* ---- Reading --------------------------------------------------------------------------------- */

struct memtrace_reader;

enum memtrace_item {
    MEMTRACE_ITEM_LAUNCH, /* a kernel begins */
    MEMTRACE_ITEM_ACCESS,
    MEMTRACE_ITEM_END,  /* the file is complete and was read to its end */
    MEMTRACE_ITEM_ERROR /* memtrace_reader_error(): nothing more can be read */
};

/* Opens a file, which may be a pipe. NULL: error says why, with the path. Reads
 * MEMTRACE_BUFFER_SIZE bytes at a time. */
struct memtrace_reader *memtrace_reader_open(const char *path, char *error, size_t error_size);
/* The next item. MEMTRACE_ITEM_ACCESS fills *access; a batch is faster, see below. */
enum memtrace_item memtrace_reader_next(struct memtrace_reader *r, struct memtrace_access *access);
/*
 * Up to n accesses of the present launch into accesses; their number. 0: memtrace_reader_next()
 * says what follows.
 */
size_t memtrace_reader_accesses(struct memtrace_reader *r, struct memtrace_access *accesses,
                                size_t n);
/* The kernel's name and the superstep of the present launch. The name lasts until the next one. */
const char *memtrace_reader_kernel(const struct memtrace_reader *r);
uint64_t memtrace_reader_superstep(const struct memtrace_reader *r);
/* Bytes read so far: the offset of what comes next. */
uint64_t memtrace_reader_offset(const struct memtrace_reader *r);
/* One line: "path: at byte 97: what is wrong". Lasts until the reader is closed. The byte is
 * where what is wrong begins; a file that was cut has the place where its last, incomplete part
 * begins. */
const char *memtrace_reader_error(const struct memtrace_reader *r);
void memtrace_reader_close(struct memtrace_reader *r);

/* ---- Writing --------------------------------------------------------------------------------- */

struct memtrace_writer;

/*
 * A new file, or an old one anew. What is written goes to a file beside it, PATH.part-PID, which
 * takes its name in memtrace_writer_close(), so that nobody ever sees half a trace; pipes and
 * devices are written as they are. Where PATH.part-PID is there, of another writer or left by a
 * program that was killed, it stays, and the name is PATH.part-PID-2 and so on. NULL: errno says
 * why.
 */
struct memtrace_writer *memtrace_writer_create(const char *path);
/*
 * How many files PATH.part-... are there: others are writing them now, or were killed, in which
 * case these can go. The first one's name goes to name, cut to size; nothing if there is none.
 */
size_t memtrace_writer_leftovers(const char *path, char *name, size_t size);
/* The functions below return false from the first error on; memtrace_writer_close() tells it. */
/* Ends the present launch, if any, and begins another. name: not empty, without a line feed. */
bool memtrace_writer_launch(struct memtrace_writer *w, const char *name);
bool memtrace_writer_add(struct memtrace_writer *w, const struct memtrace_access *access);
/* Bytes written so far, those of the present launch included. */
uint64_t memtrace_writer_offset(const struct memtrace_writer *w);
/*
 * Ends the present launch and the file and frees w. False: there is no new file (what had its name
 * before is as it was); error says why, with the path. A trace without a launch is none.
 */
bool memtrace_writer_close(struct memtrace_writer *w, char *error, size_t error_size);
/* Frees w and leaves no file. NULL: nothing happens. */
void memtrace_writer_discard(struct memtrace_writer *w);

#ifdef __cplusplus
}
#endif

#endif
