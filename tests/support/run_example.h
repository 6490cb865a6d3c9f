/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * run_example.h - the record files of an artificial run, with all kinds of records and of any size.
 * For tests of the reader's results, speed and memory. This header has the parts that all files
 * share; run_example_streams.h writes the files.
 *
 * The numbers are plausible, and equal for equal options. LPs are assigned to PEs in blocks. Sums
 * over LPs equal the values of their KPs and PE. Cycle counters add up to the interval. The
 * counters at the end are the sums of the samples. Committed events are in order of time and do not
 * depend on the number of PEs.
 */
#ifndef WARPSCOPE_TESTS_RUN_EXAMPLE_H
#define WARPSCOPE_TESTS_RUN_EXAMPLE_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/format.h"

#define RUN_EXAMPLE_END   1000.0 /* virtual time */
#define RUN_EXAMPLE_TICKS 1e9    /* per second */
#define RUN_EXAMPLE_STEP  0.01   /* seconds between two samples */

struct run_example {
    const char *folder, *prefix;
    uint32_t n_pes, n_kps; /* KPs of each PE */
    uint64_t n_lps;        /* of all PEs */
    uint64_t first_lp;     /* number of the first LP in the files */
    uint64_t samples;      /* sampling points in each mode */
    uint64_t events;       /* committed events in the event trace */
    uint64_t rollbacks;    /* events per record of a rollback; 0: no rollbacks */
    uint64_t seed, dropped;
    uint64_t cut;         /* number of the event before which the run ends; 0: runs to its end */
    uint32_t end_code;    /* reason of the end; 0: the end time was reached */
    uint32_t end_pe;      /* the only PE with this reason; no such PE: all have it */
    unsigned granularity; /* 0: records of PEs only, and time_ahead_gvt of KPs */
    uint32_t elsewhere;   /* number of first PEs whose records are on a disk of another host */
    bool has_times;       /* true: the ends of PEs have processor times, and times of phases */
};

/* Times in ns that the end of a PE has. */
struct run_times {
    uint64_t wall, lost, executing, queue;
};

/* Counts of a PE, KP or LP in one interval, or in the whole run. */
struct run_counts {
    uint64_t processed, rolled_back, aborted, committed, rollbacks, secondary, sends, recvs, ties;
};

/* The finalizer of splitmix64: bits that depend on all four numbers. */
static inline uint64_t run_bits(uint64_t seed, uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t z = seed + a * 0x9e3779b97f4a7c15u + b * 0xbf58476d1ce4e5b9u + c * 0x94d049bb133111ebu;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static inline uint32_t run_pe_of(const struct run_example *r, uint64_t lp)
{
    return (uint32_t)(lp * r->n_pes / r->n_lps);
}

static inline uint64_t run_first_lp(const struct run_example *r, uint32_t pe)
{
    return (pe * r->n_lps + r->n_pes - 1) / r->n_pes;
}

static inline uint32_t run_kp_of(const struct run_example *r, uint64_t lp)
{
    return (uint32_t)((lp - run_first_lp(r, run_pe_of(r, lp))) % r->n_kps);
}

static inline struct run_times run_pe_times(const struct run_example *r, uint32_t pe)
{
    uint64_t bits = run_bits(r->seed, pe, 0, 7);
    struct run_times t = {.wall = 1000000000 + bits % 1000000000};
    t.lost = t.wall / 100 * (bits >> 32 & 63);
    t.executing = t.wall / 100 * (bits >> 40 & 31);
    t.queue = t.wall / 100 * (bits >> 48 & 7);
    return t;
}

/* Counts of one LP in one interval. LPs of KP 1 roll back most. */
static inline struct run_counts run_lp_counts(const struct run_example *r, uint64_t lp,
                                              uint64_t sample)
{
    uint64_t bits = run_bits(r->seed, lp, sample, 1);
    uint32_t kp = run_kp_of(r, lp);
    struct run_counts c = {.committed = 20 + bits % 40, .sends = bits >> 8 & 3};
    c.rolled_back = (bits >> 16 & 7) * (kp == 1 ? 3 : 1);
    c.processed = c.committed + c.rolled_back;
    c.aborted = c.rolled_back / 2;
    c.recvs = bits >> 24 & 3;
    c.ties = bits >> 32 & 1;
    c.rollbacks = c.rolled_back > 0 ? 1 + (c.rolled_back >> 2) : 0;
    c.secondary = c.rollbacks / 3;
    return c;
}

static inline void run_counts_add(struct run_counts *to, const struct run_counts *c)
{
    to->processed += c->processed;
    to->rolled_back += c->rolled_back;
    to->aborted += c->aborted;
    to->committed += c->committed;
    to->rollbacks += c->rollbacks;
    to->secondary += c->secondary;
    to->sends += c->sends;
    to->recvs += c->recvs;
    to->ties += c->ties;
}

static inline double run_efficiency(const struct run_counts *c)
{
    if (c->rolled_back == 0) {
        return 100.0;
    }
    return c->processed <= c->rolled_back
               ? 0.0
               : 100.0 * (1.0 - (double)c->rolled_back / (double)(c->processed - c->rolled_back));
}

/* ---- Writing --------------------------------------------------------------------------------- */

#define RUN_ROWS_BYTES (256u << 10) /* rows of a kind that are buffered before they are written */

/* One PE's part of a file. */
struct run_part {
    struct fmt_writer writer;
    uint8_t *rows[4]; /* by index of the kind of record in the file */
    size_t used[4];
};

struct run_file {
    const struct run_example *run;
    struct fmt_file file;
    struct fmt_layout layout;
    const struct fmt_schema *schemas[4];
    uint32_t n_schemas;
    double gvt;
    struct run_part *parts;
    struct fmt_error error;
    enum fmt_status status; /* FMT_OK until a call fails */
};

static inline void run_facts_fill(struct fmt_text facts[14], char text[7][32],
                                  const struct run_example *r)
{
    snprintf(text[0], 32, "%u", r->n_pes);
    snprintf(text[1], 32, "%llu", (unsigned long long)r->n_lps);
    snprintf(text[2], 32, "%u", r->n_kps);
    snprintf(text[3], 32, "%.17g", RUN_EXAMPLE_END);
    snprintf(text[4], 32, "%.17g", RUN_EXAMPLE_TICKS);
    snprintf(text[5], 32, "%u", r->granularity);
    snprintf(text[6], 32, "%u-%u", r->elsewhere, r->n_pes - 1);
    const struct fmt_text all[14] = {{"command", "example --synch=3"},
                                     {"version", "Warpscope 0.1.0"},
                                     {"scheduler", "optimistic"},
                                     {"start_date", "2026-01-31T12:00:00Z"},
                                     {"host", "node1"},
                                     {"prefix", r->prefix},
                                     {"ranks", text[0]},
                                     {"total_lps", text[1]},
                                     {"kps_per_pe", text[2]},
                                     {"end_time", text[3]},
                                     {"ticks_per_second", text[4]},
                                     {"phase_times", "sampled"},
                                     {"option_granularity", text[5]},
                                     {"recorded_pes", text[6]}};
    memcpy(facts, all, sizeof all);
}

static inline void run_file_open(struct run_file *f, const struct run_example *r,
                                 const uint32_t *records, uint32_t n_records, size_t payload_max)
{
    char path[4096], text[7][32];
    struct fmt_text facts[14];
    uint32_t stream = fmt_record_stream(records[0]);
    size_t row_max = 0;
    *f = (struct run_file){.run = r, .n_schemas = n_records};
    run_facts_fill(facts, text, r);
    for (uint32_t i = 0; i < n_records; i++) {
        f->schemas[i] = fmt_schema_builtin(records[i]);
        size_t bytes = fmt_row_bytes(f->schemas[i]->row_size, payload_max);
        row_max = bytes > row_max ? bytes : row_max;
    }
    fmt_layout_init(&f->layout, stream, r->n_pes, 1000 + stream, row_max);
    struct fmt_superblock sb = {.stream = stream,
                                .n_schemas = n_records,
                                .n_run = r->elsewhere > 0 ? 14 : 13,
                                .layout = f->layout,
                                .schemas = f->schemas,
                                .run = facts};
    snprintf(path, sizeof path, "%s/%s-%s.bin", r->folder, r->prefix, fmt_stream_name(stream));
    f->parts = calloc(r->n_pes, sizeof *f->parts);
    f->status = fmt_file_create(&f->file, strdup(path), &f->error);
    if (f->status == FMT_OK) {
        f->status = fmt_superblock_write(&f->file.io, &sb, &f->error);
    }
    for (uint32_t pe = 0; pe < r->n_pes && f->status == FMT_OK; pe++) {
        f->status = fmt_writer_init(&f->parts[pe].writer, &f->file.io, f->schemas, n_records,
                                    &f->layout, pe, row_max, &f->error);
        for (uint32_t i = 0; i < n_records; i++) {
            f->parts[pe].rows[i] = malloc(RUN_ROWS_BYTES);
        }
    }
}

static inline void run_part_flush(struct run_file *f, uint32_t pe, uint32_t kind)
{
    struct run_part *part = &f->parts[pe];
    if (f->status == FMT_OK && part->used[kind] > 0 && pe >= f->run->elsewhere) {
        f->status = fmt_writer_append(&part->writer, f->schemas[kind], part->rows[kind],
                                      part->used[kind], f->gvt, NULL, &f->error);
    }
    part->used[kind] = 0;
}

/* Writes one record of a PE with a payload (size bytes). kind: index of the kind in the file. */
static inline void run_put(struct run_file *f, uint32_t pe, uint32_t kind, const void *row,
                           const void *payload, size_t size)
{
    struct run_part *part = &f->parts[pe];
    size_t row_size = f->schemas[kind]->row_size;
    size_t bytes = fmt_row_bytes(row_size, size);
    if (f->status != FMT_OK) {
        return;
    }
    if (part->used[kind] + bytes > RUN_ROWS_BYTES) {
        run_part_flush(f, pe, kind);
    }
    uint8_t *to = part->rows[kind] + part->used[kind];
    memset(to, 0, bytes);
    memcpy(to, row, row_size);
    if (size > 0) {
        memcpy(to + row_size, payload, size);
    }
    part->used[kind] += bytes;
}

static inline double run_example_end(const struct run_example *r)
{
    double part = r->cut == 0 ? 1.0 : (double)r->cut / (double)(r->events + 1);
    return RUN_EXAMPLE_END * part;
}

/* Ends all PEs' parts; totals has one element per PE. Prints errors to stderr. */
static inline bool run_file_close(struct run_file *f, const struct run_counts *totals)
{
    for (uint32_t pe = 0; pe < f->run->n_pes; pe++) {
        struct run_part *part = &f->parts[pe];
        for (uint32_t i = 0; i < f->n_schemas; i++) {
            run_part_flush(f, pe, i);
            free(part->rows[i]);
        }
        const struct run_times times = run_pe_times(f->run, pe);
        const struct fmt_counter counters[] = {{"events_processed", totals[pe].processed},
                                               {"events_rolled_back", totals[pe].rolled_back},
                                               {"events_committed", totals[pe].committed},
                                               {"processor_wall_ns", times.wall},
                                               {"processor_lost_ns", times.lost},
                                               {"phase_event_processing_ns", times.executing},
                                               {"phase_priority_queue_ns", times.queue}};
        bool early =
            f->run->end_code != 0 && (f->run->end_pe >= f->run->n_pes || f->run->end_pe == pe);
        struct fmt_end_info end = {.code = early ? f->run->end_code : 1,
                                   .records_dropped = f->run->dropped,
                                   .n_counters = f->run->has_times ? 7 : 3,
                                   .counters = counters,
                                   .gvt = run_example_end(f->run),
                                   .real_time = (double)f->run->samples * RUN_EXAMPLE_STEP,
                                   .text = early ? "ended early" : "reached the end time"};
        if (f->status == FMT_OK && pe >= f->run->elsewhere) {
            f->status = fmt_writer_end(&part->writer, &end, &f->error);
        }
        fmt_writer_fini(&part->writer);
    }
    free(f->parts);
    free((char *)(uintptr_t)f->file.io.path);
    fmt_file_close(&f->file, f->status == FMT_OK ? &f->error : NULL);
    if (f->status != FMT_OK) {
        fprintf(stderr, "%s\n", f->error.text);
    }
    return f->status == FMT_OK;
}

#endif
