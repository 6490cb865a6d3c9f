/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * analysis.h - finds the communication in memory traces of one or several streams.
 *
 * Each trace file is a stream, numbered from 1 in the order of the paths. Streams are read in
 * lockstep: launch 0 of each stream, then launch 1 of each stream, and so on. The number of a
 * launch in its file is its superstep. Traces do not record the order of launches of different
 * streams. For locations that several streams touch, the result therefore holds only for the
 * lockstep order; the member `wide` counts these locations.
 */
#ifndef WARPSCOPE_READER_MEMTRACE_ANALYSIS_H
#define WARPSCOPE_READER_MEMTRACE_ANALYSIS_H

#include "format/memtrace.h"
#include "memtrace/maps.h"
#include "memtrace/notes.h"
#include "memtrace/places.h"

struct ws_memtrace_stream {
    const char *path; /* borrowed; path of the trace file */
    struct memtrace_reader *reader;
    bool ended;
    uint64_t launches, records, bytes;
    struct ws_places_time memory;
};

struct ws_memtrace_launch {
    uint32_t stream, superstep, kernel;
    /* [class]. records: number of accesses; bytes: sum of their sizes in bytes. */
    uint64_t records[3], bytes[3];
};

enum ws_memtrace_depth {
    WS_MEMTRACE_COUNT,         /* only counts launches and accesses */
    WS_MEMTRACE_COMMUNICATION, /* also finds the communication */
    WS_MEMTRACE_LISTS          /* also keeps the list of records of each location */
};

struct ws_memtrace {
    enum ws_memtrace_depth depth;
    bool by_bytes;
    bool is_recording; /* true if error messages must name the subcommand "record" */
    bool wants_places; /* true to read the files of allocations and lines of the source */
    struct ws_book book;
    struct ws_exact exact;
    struct ws_bytes_map bytes_map;
    struct ws_memtrace_stream *streams;
    uint32_t n_streams;
    struct ws_memtrace_launch *launches; /* launches of all streams, in the order of reading */
    size_t n_launches, launches_room;
    struct ws_memtrace_notes notes;
    struct ws_places memory; /* empty without wants_places */
    uint64_t records, bytes;
    uint32_t last_superstep; /* largest number of a superstep in any stream */
    /* Number of locations that were written and that several streams touched. A location is a byte
     * if by_bytes is true, otherwise a start address. */
    uint64_t wide;
    uint32_t most_sm;                     /* largest number of an SM in the trace */
    bool has_sm;                          /* true if the selection includes the SM of an access */
    uint64_t least_address, most_address; /* only with addresses_given of the selection */
};

/* Reads the n trace files `paths` and finds the communication in them. The caller sets the members
 * depth, by_bytes, is_recording, wants_places, book.actors.choice and book.original of *m and zeroes the others. Returns false after an error message.
 * Call ws_memtrace_free() at the end, even after an error. */
bool ws_memtrace_read(struct ws_memtrace *m, char **paths, uint32_t n);
void ws_memtrace_free(struct ws_memtrace *m);

/* Prints one line on stderr: "warpscope memtrace: ", or "warpscope memtrace record: " if is_recording is true, then
 * `words`, which are formatted like those of printf(). Returns false. */
bool ws_memtrace_say(bool is_recording, const char *words, ...)
    __attribute__((format(printf, 2, 3)));

/* Size in bytes of a buffer that has space for an error message with the longest possible path. */
#define WS_MEMTRACE_ERROR_MAX 4608

/* Names of the classes of accesses: "load", "store", "atomic". */
extern const char *const ws_memtrace_classes[3];

#endif
