/*
 * run_example.h - the files of a made-up run, with all kinds of records, of any size: for tests of
 * what the reader makes of them, and of its speed and memory.
 *
 * The numbers are plausible and always the same for the same options: LPs are dealt to PEs in
 * blocks, sums over LPs are those of their KPs and PE, cycle counters add up to the interval, and
 * the counters at the end are the sums of the samples. Committed events lie in order of time and do
 * not depend on the number of PEs.
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
    uint64_t samples;      /* sampling points in each mode */
    uint64_t events;       /* committed ones in the event trace */
    uint64_t rollbacks;    /* one record of a rollback for so many events; 0 for none */
    uint64_t seed, dropped;
    unsigned granularity; /* 0: PEs only, and time_ahead_gvt of KPs */
};

/* What a PE, KP or LP counted in one interval, or in the whole run. */
struct run_counts {
    uint64_t processed, rolled_back, aborted, committed, rollbacks, secondary, sends, recvs, ties;
};

/* splitmix64's finish: bits that depend on all four numbers. */
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

/* One LP in one interval. LPs of KP 1 roll back most. */
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

/* ---- Writing ----------------------------------------------------------------------------------
 */

#define RUN_ROWS_BYTES (256u << 10) /* rows of a kind that are kept before they are written */

/* One PE's part of a file. */
struct run_part {
    struct fmt_writer writer;
    uint8_t *rows[4]; /* by number of the kind of record */
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
    enum fmt_status status; /* FMT_OK until something fails */
};

static inline void run_facts_fill(struct fmt_text facts[12], char text[6][32],
                                  const struct run_example *r)
{
    snprintf(text[0], 32, "%u", r->n_pes);
    snprintf(text[1], 32, "%llu", (unsigned long long)r->n_lps);
    snprintf(text[2], 32, "%u", r->n_kps);
    snprintf(text[3], 32, "%.17g", RUN_EXAMPLE_END);
    snprintf(text[4], 32, "%.17g", RUN_EXAMPLE_TICKS);
    snprintf(text[5], 32, "%u", r->granularity);
    const struct fmt_text all[12] = {{"command", "example --synch=3"},
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
                                     {"option_granularity", text[5]}};
    memcpy(facts, all, sizeof all);
}

static inline void run_file_open(struct run_file *f, const struct run_example *r,
                                 const uint32_t *records, uint32_t n_records, size_t payload_max)
{
    char path[4096], text[6][32];
    struct fmt_text facts[12];
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
                                .n_run = 12,
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
    if (f->status == FMT_OK && part->used[kind] > 0) {
        f->status = fmt_writer_append(&part->writer, f->schemas[kind], part->rows[kind],
                                      part->used[kind], f->gvt, NULL, &f->error);
    }
    part->used[kind] = 0;
}

/* One record of a PE, of the file's kind number kind, with payload (size bytes). */
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

/* Ends all PEs' parts; totals: one per PE. Says what went wrong on stderr. */
static inline bool run_file_close(struct run_file *f, const struct run_counts *totals)
{
    for (uint32_t pe = 0; pe < f->run->n_pes; pe++) {
        struct run_part *part = &f->parts[pe];
        for (uint32_t i = 0; i < f->n_schemas; i++) {
            run_part_flush(f, pe, i);
            free(part->rows[i]);
        }
        const struct fmt_counter counters[] = {{"events_processed", totals[pe].processed},
                                               {"events_rolled_back", totals[pe].rolled_back},
                                               {"events_committed", totals[pe].committed}};
        struct fmt_end_info end = {.code = 1,
                                   .records_dropped = f->run->dropped,
                                   .n_counters = 3,
                                   .counters = counters,
                                   .gvt = RUN_EXAMPLE_END,
                                   .real_time = (double)f->run->samples * RUN_EXAMPLE_STEP,
                                   .text = "reached the end time"};
        if (f->status == FMT_OK) {
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

/* ---- Samples at GVT and by wall clock ---------------------------------------------------------
 */

/* Where and when a sample is taken. */
struct run_point {
    uint32_t pe;
    uint64_t sample;
    double gvt, real_time;
};

static inline struct run_point run_point_at(const struct run_example *r, uint32_t pe, uint64_t i)
{
    double part = (double)(i + 1) / (double)r->samples;
    return (struct run_point){pe, i, RUN_EXAMPLE_END * part * part,
                              (double)(i + 1) * RUN_EXAMPLE_STEP +
                                  1e-6 * (double)(run_bits(r->seed, pe, i, 2) % 1000)};
}

/* Both streams have the same fields at these levels. */
static inline void run_kp_put(struct run_file *f, const struct run_point *p, uint32_t kind,
                              uint32_t kp, const struct run_counts *c)
{
    double ahead = (double)(run_bits(f->run->seed, p->sample, kp, 3) % 1000) / 100.0;
    struct fmt_gvt_kp_row row = {.pe = p->pe,
                                 .kp = kp,
                                 .gvt = p->gvt,
                                 .real_time = p->real_time,
                                 .sample = p->sample,
                                 .total_rollbacks = c->rollbacks,
                                 .secondary_rollbacks = c->secondary,
                                 .time_ahead_gvt = ahead,
                                 .events_processed = c->processed,
                                 .events_aborted = c->aborted,
                                 .events_rolled_back = c->rolled_back,
                                 .network_sends = c->sends,
                                 .network_recvs = c->recvs,
                                 .remote_events = c->sends,
                                 .efficiency = run_efficiency(c)};
    struct fmt_rt_ahead_row only = {.pe = p->pe,
                                    .kp = kp,
                                    .gvt = p->gvt,
                                    .real_time = p->real_time,
                                    .sample = p->sample,
                                    .time_ahead_gvt = ahead};
    bool is_ahead = f->schemas[kind]->id == FMT_RECORD_RT_AHEAD;
    run_put(f, p->pe, kind, is_ahead ? (const void *)&only : &row, NULL, 0);
}

static inline void run_lp_put(struct run_file *f, const struct run_point *p, uint32_t kind,
                              uint64_t lp, const struct run_counts *c)
{
    struct fmt_gvt_lp_row row = {.pe = p->pe,
                                 .kp = run_kp_of(f->run, lp),
                                 .lp = lp,
                                 .gvt = p->gvt,
                                 .real_time = p->real_time,
                                 .sample = p->sample,
                                 .events_processed = c->processed,
                                 .events_aborted = c->aborted,
                                 .events_rolled_back = c->rolled_back,
                                 .network_sends = c->sends,
                                 .network_recvs = c->recvs,
                                 .remote_events = c->sends,
                                 .efficiency = run_efficiency(c)};
    run_put(f, p->pe, kind, &row, NULL, 0);
}

static inline void run_gvt_pe_put(struct run_file *f, const struct run_point *p,
                                  const struct run_counts *c)
{
    struct fmt_gvt_pe_row row = {.pe = p->pe,
                                 .gvt = p->gvt,
                                 .real_time = p->real_time,
                                 .all_reduce_count = 2,
                                 .events_processed = c->processed,
                                 .events_aborted = c->aborted,
                                 .events_rolled_back = c->rolled_back,
                                 .event_ties = c->ties,
                                 .total_rollbacks = c->rollbacks,
                                 .secondary_rollbacks = c->secondary,
                                 .fossil_collects = 1,
                                 .network_sends = c->sends,
                                 .network_recvs = c->recvs,
                                 .remote_events = c->sends,
                                 .efficiency = run_efficiency(c),
                                 .sample = p->sample,
                                 .num_gvt = 1,
                                 .events_committed = c->committed,
                                 .pq_size = c->committed / 2};
    run_put(f, p->pe, 0, &row, NULL, 0);
}

static inline void run_rt_pe_put(struct run_file *f, const struct run_point *p,
                                 const struct run_counts *c)
{
    uint64_t step = (uint64_t)(RUN_EXAMPLE_STEP * RUN_EXAMPLE_TICKS), part = step / 100;
    uint64_t more = run_bits(f->run->seed, p->pe, p->sample, 4) % part;
    struct fmt_rt_pe_row row = {.pe = p->pe,
                                .gvt = p->gvt,
                                .real_time = p->real_time,
                                .network_read_cc = 4 * part,
                                .gvt_cc = 7 * part + more,
                                .fossil_collect_cc = 5 * part,
                                .event_abort_cc = part,
                                .event_processing_cc = 52 * part - more,
                                .priority_queue_cc = 14 * part,
                                .rollbacks_cc = 6 * part,
                                .cancelq_cc = 2 * part,
                                .avl_cc = part,
                                .lz4_cc = 2 * part,
                                .other_cc = step - 94 * part,
                                .all_reduce_count = 2,
                                .events_processed = c->processed,
                                .events_aborted = c->aborted,
                                .events_rolled_back = c->rolled_back,
                                .event_ties = c->ties,
                                .total_rollbacks = c->rollbacks,
                                .secondary_rollbacks = c->secondary,
                                .fossil_collects = 1,
                                .network_sends = c->sends,
                                .network_recvs = c->recvs,
                                .remote_events = c->sends,
                                .efficiency = run_efficiency(c),
                                .sample = p->sample,
                                .num_gvt = 1,
                                .events_committed = c->committed,
                                .pq_size = c->committed / 2};
    run_put(f, p->pe, 0, &row, NULL, 0);
}

/* One sampling point of a PE, of all levels that the file has. kps: scratch. */
static inline void run_sample(struct run_file *f, uint32_t pe, uint64_t sample,
                              struct run_counts *kps, struct run_counts *total)
{
    const struct run_example *r = f->run;
    struct run_point p = run_point_at(r, pe, sample);
    struct run_counts all = {0};
    memset(kps, 0, r->n_kps * sizeof *kps);
    f->gvt = p.gvt;
    for (uint64_t lp = run_first_lp(r, pe); lp < run_first_lp(r, pe + 1); lp++) {
        struct run_counts c = run_lp_counts(r, lp, sample);
        run_counts_add(&all, &c);
        run_counts_add(&kps[run_kp_of(r, lp)], &c);
        if (f->n_schemas > 2) {
            run_lp_put(f, &p, 2, lp, &c);
        }
    }
    for (uint32_t kp = 0; f->n_schemas > 1 && kp < r->n_kps; kp++) {
        run_kp_put(f, &p, 1, kp, &kps[kp]);
    }
    if (f->schemas[0]->id == FMT_RECORD_GVT_PE) {
        run_gvt_pe_put(f, &p, &all);
    } else {
        run_rt_pe_put(f, &p, &all);
    }
    run_counts_add(total, &all);
}

static inline bool run_samples_write(const struct run_example *r, const uint32_t *records,
                                     uint32_t n_records)
{
    struct run_file f;
    struct run_counts *kps = calloc(r->n_kps, sizeof *kps);
    struct run_counts *totals = calloc(r->n_pes, sizeof *totals);
    run_file_open(&f, r, records, n_records, 0);
    for (uint64_t sample = 0; sample < r->samples; sample++) {
        for (uint32_t pe = 0; pe < r->n_pes; pe++) {
            run_sample(&f, pe, sample, kps, &totals[pe]);
        }
    }
    bool good = run_file_close(&f, totals);
    free(kps);
    free(totals);
    return good;
}

/* ---- Samples at virtual times, and of the model -----------------------------------------------
 */

static inline bool run_vt_write(const struct run_example *r)
{
    static const uint32_t records[] = {FMT_RECORD_VT_PE, FMT_RECORD_VT_KP, FMT_RECORD_VT_LP};
    struct run_file f;
    struct run_counts *totals = calloc(r->n_pes, sizeof *totals);
    uint64_t *kps = calloc(r->n_kps, sizeof *kps);
    run_file_open(&f, r, records, r->granularity == 0 ? 1 : 3, 0);
    for (uint64_t i = 0; i < r->samples * r->n_pes; i++) {
        uint32_t pe = (uint32_t)(i % r->n_pes);
        uint64_t sample = i / r->n_pes, committed = totals[pe].committed;
        double real_time = (double)(sample + 1) * RUN_EXAMPLE_STEP;
        f.gvt = RUN_EXAMPLE_END * (double)(sample + 1) / (double)r->samples;
        memset(kps, 0, r->n_kps * sizeof *kps);
        for (uint64_t lp = run_first_lp(r, pe); lp < run_first_lp(r, pe + 1); lp++) {
            struct run_counts c = run_lp_counts(r, lp, sample);
            uint32_t kp = run_kp_of(r, lp);
            struct fmt_vt_lp_row row = {.pe = pe,
                                        .kp = kp,
                                        .lp = lp,
                                        .vt = f.gvt,
                                        .real_time = real_time,
                                        .sample = sample + 1,
                                        .events_committed = c.committed};
            if (r->granularity > 0) {
                run_put(&f, pe, 2, &row, NULL, 0);
            }
            kps[kp] += c.committed;
            run_counts_add(&totals[pe], &c);
        }
        for (uint32_t kp = 0; r->granularity > 0 && kp < r->n_kps; kp++) {
            struct fmt_vt_kp_row row = {.pe = pe,
                                        .kp = kp,
                                        .vt = f.gvt,
                                        .real_time = real_time,
                                        .sample = sample + 1,
                                        .events_committed = kps[kp]};
            run_put(&f, pe, 1, &row, NULL, 0);
        }
        struct fmt_vt_pe_row row = {.pe = pe,
                                    .vt = f.gvt,
                                    .real_time = real_time,
                                    .sample = sample + 1,
                                    .events_committed = totals[pe].committed - committed};
        run_put(&f, pe, 0, &row, NULL, 0);
    }
    bool good = run_file_close(&f, totals);
    free(totals);
    free(kps);
    return good;
}

/* Even LPs are routers, odd ones hosts that say nothing. */
struct run_payload {
    double wait;
    uint32_t packets;
    uint16_t port;
    char kind[2];
};

static inline void run_describe(struct run_file *f, enum fmt_payload_kind kind)
{
    static const struct fmt_payload_field fields[] = {{"wait", "s", FMT_F64, 0, 1},
                                                      {"packets", "packets", FMT_U32, 8, 1},
                                                      {"port", "", FMT_U16, 12, 1},
                                                      {"what", "", FMT_CHAR, 14, 2}};
    const struct fmt_payload_desc descs[] = {{1, kind, 16, 4, "router", fields},
                                             {2, kind, 0, 0, "host", NULL}};
    for (uint32_t pe = 0; pe < f->run->n_pes && f->status == FMT_OK; pe++) {
        f->status = fmt_writer_meta(&f->parts[pe].writer, descs, 2, &f->error);
    }
}

static inline struct run_payload run_payload_make(uint64_t bits)
{
    return (struct run_payload){(double)(bits % 100000) / 1e6,
                                (uint32_t)(bits >> 20 & 63),
                                (uint16_t)(bits >> 30 & 7),
                                {"xy"[bits >> 40 & 1], '\0'}};
}

static inline bool run_model_write(const struct run_example *r)
{
    static const uint32_t records[] = {FMT_RECORD_MODEL_LP};
    struct run_file f;
    struct run_counts *totals = calloc(r->n_pes, sizeof *totals);
    run_file_open(&f, r, records, 1, sizeof(struct run_payload));
    run_describe(&f, FMT_PAYLOAD_MODEL);
    for (uint64_t sample = 0; sample < r->samples; sample++) {
        for (uint64_t lp = 0; lp < r->n_lps; lp++) {
            struct run_point p = run_point_at(r, run_pe_of(r, lp), sample);
            struct run_payload payload = run_payload_make(run_bits(r->seed, lp, sample, 5));
            bool router = lp % 2 == 0;
            struct fmt_model_lp_row row = {.pe = p.pe,
                                           .kp = run_kp_of(r, lp),
                                           .lp = lp,
                                           .gvt = p.gvt,
                                           .real_time = p.real_time,
                                           .kind = 1,
                                           .payload_type = router ? 1 : 2,
                                           .payload_size = router ? sizeof payload : 0,
                                           .sample = sample,
                                           .lp_ts = p.gvt + payload.wait};
            f.gvt = p.gvt;
            run_put(&f, p.pe, 0, &row, &payload, row.payload_size);
        }
    }
    bool good = run_file_close(&f, totals);
    free(totals);
    return good;
}

/* ---- Events -----------------------------------------------------------------------------------
 */

static inline void run_rollback_put(struct run_file *f, const struct fmt_event_row *e,
                                    const struct run_payload *payload, uint64_t bits)
{
    double late = (double)(1 + bits % 1000) * (double)(1 + (bits >> 10) % 1000) * 1e-5;
    struct fmt_rollback_row row = {.src_lp = e->src_lp,
                                   .dest_lp = e->dest_lp,
                                   .send_ts = e->send_ts,
                                   .recv_ts = e->recv_ts,
                                   .prio = e->prio,
                                   .real_time = e->real_time,
                                   .pe = e->pe,
                                   .kp = e->kp,
                                   .payload_type = e->payload_type,
                                   .payload_size = e->payload_size,
                                   .kp_ts = e->recv_ts + late,
                                   .events_undone = 1 + (bits >> 20) % 12,
                                   .cause = bits >> 40 & 3 ? 1 : 2};
    run_put(f, e->pe, 1, &row, payload, e->payload_size);
}

static inline bool run_events_write(const struct run_example *r)
{
    static const uint32_t records[] = {FMT_RECORD_EVENT, FMT_RECORD_ROLLBACK};
    struct run_file f;
    struct run_counts *totals = calloc(r->n_pes, sizeof *totals);
    double step = RUN_EXAMPLE_END / (double)(r->events + 1);
    run_file_open(&f, r, records, r->rollbacks > 0 ? 2 : 1, sizeof(struct run_payload));
    run_describe(&f, FMT_PAYLOAD_EV);
    for (uint64_t i = 0; i < r->events; i++) {
        uint64_t bits = run_bits(r->seed, i, 0, 6);
        uint64_t lp = bits % r->n_lps, from = (bits >> 24) % r->n_lps;
        double recv = step * ((double)i + (double)(bits >> 40) * 0x1p-24);
        double delay = 0.1 + (double)(bits >> 34 & 1023) / 1000.0;
        bool router = lp % 2 == 0;
        struct run_payload payload = run_payload_make(bits);
        struct fmt_event_row row = {.src_lp = from,
                                    .dest_lp = lp,
                                    .send_ts = recv > delay ? recv - delay : 0.0,
                                    .recv_ts = recv,
                                    .real_time = (double)i * 1e-6 + (double)(bits & 1023) * 1e-9,
                                    .pe = run_pe_of(r, lp),
                                    .kp = run_kp_of(r, lp),
                                    .payload_type = router ? 1 : 2,
                                    .payload_size = router ? sizeof payload : 0};
        f.gvt = recv;
        run_put(&f, row.pe, 0, &row, &payload, row.payload_size);
        totals[row.pe].committed++;
        uint64_t other = run_bits(r->seed, i, 0, 7);
        if (r->rollbacks > 0 && (other >> 44) % r->rollbacks == 0) {
            run_rollback_put(&f, &row, &payload, other);
        }
    }
    bool good = run_file_close(&f, totals);
    free(totals);
    return good;
}

/* All five files of the run. */
static inline bool run_example_write(const struct run_example *r)
{
    static const uint32_t gvt[] = {FMT_RECORD_GVT_PE, FMT_RECORD_GVT_KP, FMT_RECORD_GVT_LP};
    static const uint32_t rt[] = {FMT_RECORD_RT_PE, FMT_RECORD_RT_KP, FMT_RECORD_RT_LP};
    static const uint32_t rt_pe[] = {FMT_RECORD_RT_PE, FMT_RECORD_RT_AHEAD};
    return run_samples_write(r, gvt, r->granularity == 0 ? 1 : 3) &&
           run_samples_write(r, r->granularity == 0 ? rt_pe : rt, r->granularity == 0 ? 2 : 3) &&
           run_vt_write(r) && run_model_write(r) && run_events_write(r);
}

#endif
