/*
 * memtrace_analysis.h - communication in memory traces of one or several streams.
 *
 * Each file is a stream, numbered from 1 in the order given. Streams are read in lockstep: launch 0
 * of each, then launch 1 of each, and so on, a launch's number in its file being its superstep.
 * Nothing in traces says how the launches of several streams followed each other; what several
 * streams have touched is the result for this one order, and counted (wide).
 */
#ifndef WARPSCOPE_READER_MEMTRACE_ANALYSIS_H
#define WARPSCOPE_READER_MEMTRACE_ANALYSIS_H

#include "format/memtrace.h"
#include "memtrace_bytes.h"
#include "memtrace_exact.h"

/* Rows that are wanted. Zero: all. */
struct ws_memtrace_choice {
    const char *kernels;          /* shell patterns with commas between them; NULL: all */
    struct ws_ranges *supersteps; /* NULL: all */
    struct ws_ranges *sms;        /* NULL: all */
    bool cta_given[3];            /* x, y, z */
    uint64_t cta[3];
    bool addresses_given;              /* other accesses are left out before anything else */
    uint64_t address_from, address_to; /* both included */
};

struct ws_memtrace_stream {
    const char *path; /* borrowed */
    struct memtrace_reader *reader;
    bool ended;
    uint64_t launches, records, bytes;
};

struct ws_memtrace_launch {
    uint32_t stream, superstep, kernel;
    uint64_t records[3], bytes[3]; /* by class */
};

enum ws_memtrace_depth {
    WS_MEMTRACE_COUNT, /* launches only */
    WS_MEMTRACE_COMMUNICATION,
    WS_MEMTRACE_LISTS /* and each address's records */
};

struct ws_memtrace {
    const struct ws_memtrace_choice *choice; /* borrowed */
    enum ws_memtrace_depth depth;
    bool by_bytes;
    struct ws_book book;
    struct ws_exact exact;
    struct ws_bytes_map bytes_map;
    struct ws_memtrace_stream *streams;
    uint32_t n_streams;
    struct ws_memtrace_launch *launches; /* in the order of reading */
    size_t n_launches, launches_room;
    uint64_t records, bytes;
    uint32_t last_superstep; /* the greatest */
    uint64_t wide;           /* addresses, or bytes, written and touched by several streams */
    struct ws_sums kernels;  /* kernel, superstep, class, 0: bytes, bytes of communication */
    struct ws_sums flows;    /* kernel, kernel, 0, 0: bytes, loads */
};

/* Set choice, depth and by_bytes, the rest zero. False: that was said in one line on stderr. Free
 * in any case. */
bool ws_memtrace_read(struct ws_memtrace *m, char **paths, uint32_t n);
void ws_memtrace_free(struct ws_memtrace *m);

/* A path of any length and what is wrong with it. */
#define WS_MEMTRACE_ERROR_MAX 4608

/* Does the choice have this kernel (by its name or "STREAM:NAME"), CTA? */
bool ws_memtrace_has_kernel(const struct ws_memtrace_choice *choice, uint32_t stream,
                            const char *shown);
bool ws_memtrace_has_cta(const struct ws_memtrace_choice *choice, uint64_t cta);

static inline uint32_t ws_cta_part(uint64_t cta, int part)
{
    return part == 0 ? (uint32_t)(cta >> 32) : (uint32_t)(cta >> (part == 1 ? 16 : 0)) & 0xffffu;
}

/* "load", "store", "atomic" */
extern const char *const ws_memtrace_classes[3];

#endif
