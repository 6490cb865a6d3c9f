/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * places.h - the files MemTrace-memory beside traces: the allocations of the program, and the accesses
 * by lines of the source. docs/memory-traces.md describes these files.
 */
#ifndef WARPSCOPE_READER_MEMTRACE_PLACES_H
#define WARPSCOPE_READER_MEMTRACE_PLACES_H

#include "data/intern.h"
#include "store/spans.h"

struct ws_allocation {
    uint64_t address, bytes;
    const char *call; /* function that has made it */
    const char *name; /* of a variable; "": none */
    uint64_t ordinal; /* how many allocations of this call the file has up to this one */
};

/* An event: an allocation begins or ends, or `launches` launches of a trace file precede the next one. */
struct ws_places_event {
    enum { WS_PLACES_BEGIN, WS_PLACES_END, WS_PLACES_LAUNCHES } kind;
    uint64_t
        number; /* index of the allocation, address where one ends, or number of the trace file */
    uint64_t launches;
};

/* Accesses by a kernel, from a line of the source, to an allocation. */
struct ws_places_line {
    uint32_t file;   /* index of the file */
    uint32_t stream; /* number of the trace in the analysis; 0: it is not there */
    uint64_t trace;  /* number of the trace file */
    uint64_t accesses, bytes[3];
    uint64_t allocation;         /* its index, or WS_PLACES_UNKNOWN */
    const char *source, *kernel; /* source: PATH:LINE; kernel: its name in the trace */
};
#define WS_PLACES_UNKNOWN UINT32_MAX
#define WS_PLACES_MAX     (UINT32_C(1) << 26) /* maximum number of allocations, and of lines */

struct ws_places_file {
    char *path;        /* owned */
    size_t begin, end; /* its events */
    bool is_complete;  /* false: the program was killed, or still runs */
};

/* All files. Zero-initialise. Call ws_places_free() at the end, even after an error. */
struct ws_places {
    struct ws_places_file *files;
    struct ws_allocation *list; /* allocations of all files */
    struct ws_places_event *events;
    struct ws_places_line *lines;
    size_t n_files, n, n_events, n_lines;
    struct ws_intern texts;
    uint64_t *ordinals; /* [number of a text]: allocations of this call in the file that is read */
    size_t ordinals_room;
};

/* Reads a file, unless this was done before. Returns its index, or WS_PLACES_UNKNOWN if it does not
 * exist, or after an error. *error: "", or the message. */
#define WS_PLACES_ERROR_MAX 4608u
uint32_t ws_places_read(struct ws_places *places, const char *path,
                        char error[WS_PLACES_ERROR_MAX]);
void ws_places_free(struct ws_places *places);

/* The allocations at the time of a launch in a trace file. Zero-initialise. */
struct ws_places_time {
    uint32_t file;  /* index of the file, plus 1; 0: there is none */
    uint64_t trace; /* number of the trace file */
    size_t at, end; /* the next event, and the end of those of the file; equal if there is none */
    struct spans live; /* by index */
    struct span last;  /* that of the last access */
};

/* Goes to the launch with the number `step`, which must not be less than before. Returns false if memory
 * is exhausted. */
bool ws_places_step(const struct ws_places *places, struct ws_places_time *time, uint64_t step);
/* Returns the index of the allocation with an address, or WS_PLACES_UNKNOWN. */
static inline uint32_t ws_places_find(struct ws_places_time *time, uint64_t address)
{
    if (address - time->last.from >= time->last.bytes) {
        const struct span *found = spans_find(&time->live, address);
        time->last = found != NULL ? *found : (struct span){address, 1, WS_PLACES_UNKNOWN};
    }
    return (uint32_t)time->last.number;
}

#endif
