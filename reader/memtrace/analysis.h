/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * analysis.h - communication in memory traces of one or several streams.
 *
 * Each file is a stream, numbered from 1 in the order given. Streams are read in lockstep: launch 0
 * of each, then launch 1 of each, and so on. The number of a launch in its file is its superstep.
 * Traces do not record the order of launches of different streams. For locations that several
 * streams touch, the result is valid for this order only; `wide` counts these locations.
 */
#ifndef WARPSCOPE_READER_MEMTRACE_ANALYSIS_H
#define WARPSCOPE_READER_MEMTRACE_ANALYSIS_H

#include "format/memtrace.h"
#include "memtrace/bytes.h"
#include "memtrace/exact.h"

/* Selection of the rows to compute. All zero: all rows. */
struct ws_memtrace_choice {
    const char *kernels; /* shell patterns for kernels, separated by commas; NULL: all kernels */
    struct ws_ranges *supersteps; /* supersteps to choose; NULL: all */
    struct ws_ranges *sms;        /* SMs to choose; NULL: all */
    bool cta_given[3];            /* true for each of x, y, z that the user gave */
    uint64_t cta[3];
    /* True if --address was given: accesses to other addresses are removed first. */
    bool addresses_given;
    uint64_t address_from, address_to; /* range of addresses, both inclusive */
};

struct ws_memtrace_stream {
    const char *path; /* borrowed; path of the file */
    struct memtrace_reader *reader;
    bool ended;
    uint64_t launches, records, bytes;
};

struct ws_memtrace_launch {
    uint32_t stream, superstep, kernel;
    uint64_t records[3], bytes[3]; /* number of records, and of their bytes, in each class */
};

enum ws_memtrace_depth {
    WS_MEMTRACE_COUNT, /* counts launches only */
    WS_MEMTRACE_COMMUNICATION,
    WS_MEMTRACE_LISTS /* also keeps the records of each address */
};

struct ws_memtrace {
    const struct ws_memtrace_choice *choice; /* borrowed; selection */
    enum ws_memtrace_depth depth;
    bool by_bytes;
    struct ws_book book;
    struct ws_exact exact;
    struct ws_bytes_map bytes_map;
    struct ws_memtrace_stream *streams;
    uint32_t n_streams;
    struct ws_memtrace_launch *launches; /* launches, in the order of reading */
    size_t n_launches, launches_room;
    uint64_t records, bytes;
    uint32_t last_superstep; /* greatest number of a superstep */
    /* Number of addresses or bytes that were written and touched by several streams. */
    uint64_t wide;
    /* Sums by (kernel, superstep, class, 0): bytes, bytes of communication. */
    struct ws_sums kernels;
    struct ws_sums flows; /* sums by (kernel, kernel, 0, 0): bytes, loads */
};

/* Reads n files and finds their communication. The caller sets choice, depth and by_bytes, and
 * zeroes the rest. Returns false after a line on stderr. Must be freed in any case. */
bool ws_memtrace_read(struct ws_memtrace *m, char **paths, uint32_t n);
void ws_memtrace_free(struct ws_memtrace *m);

/* Prints a note on stderr if the launch is a mark that records are missing. */
void ws_memtrace_note(const char *path, const char *kernel);

/* Size in bytes of an error message with a path of any length. */
#define WS_MEMTRACE_ERROR_MAX 4608

/* Return true if the selection includes this kernel (by its name or "STREAM:NAME"), or this CTA. */
bool ws_memtrace_has_kernel(const struct ws_memtrace_choice *choice, uint32_t stream,
                            const char *shown);
bool ws_memtrace_has_cta(const struct ws_memtrace_choice *choice, uint64_t cta);

static inline uint32_t ws_cta_part(uint64_t cta, int part)
{
    return part == 0 ? (uint32_t)(cta >> 32) : (uint32_t)(cta >> (part == 1 ? 16 : 0)) & 0xffffu;
}

/* Names of the classes: "load", "store", "atomic". */
extern const char *const ws_memtrace_classes[3];

#endif
