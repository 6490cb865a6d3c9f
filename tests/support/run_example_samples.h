/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * run_example_samples.h - the samples of an artificial run; see run_example.h.
 */
#ifndef WARPSCOPE_TESTS_RUN_EXAMPLE_SAMPLES_H
#define WARPSCOPE_TESTS_RUN_EXAMPLE_SAMPLES_H

#include "support/run_example.h"

/* ---- Samples at GVT and by wall clock -------------------------------------------------------- */

/* Place and time of a sample. */
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

/* Initialisers of members that rows of all levels have: of a point, and of counts. */
#define RUN_AT(p) .pe = (p)->pe, .gvt = (p)->gvt, .real_time = (p)->real_time, .sample = (p)->sample
#define RUN_COUNTED(c)                                                                             \
    .events_processed = (c)->processed, .events_aborted = (c)->aborted,                            \
    .events_rolled_back = (c)->rolled_back, .network_sends = (c)->sends,                           \
    .network_recvs = (c)->recvs, .remote_events = (c)->sends, .efficiency = run_efficiency(c)

/* Further initialisers of rows of PEs. */
#define RUN_COUNTED_BY_PE(c)                                                                       \
    .all_reduce_count = 2, .event_ties = (c)->ties, .total_rollbacks = (c)->rollbacks,             \
    .secondary_rollbacks = (c)->secondary, .fossil_collects = 1, .num_gvt = 1,                     \
    .events_committed = (c)->committed, .pq_size = (c)->committed / 2,                             \
    .event_bytes = 128 * (c)->committed, .saved_bytes = 64 * (c)->processed,                       \
    .allocated_bytes = 1 << 21, .processor_wall_ns = (uint64_t)(1e9 * RUN_EXAMPLE_STEP),           \
    .processor_user_ns = 1000 * (c)->processed, .processor_system_ns = 100 * (c)->rollbacks,       \
    .processor_lost_ns = 300 * (c)->processed, .switches_involuntary = (c)->rollbacks,             \
    .page_faults = 1

/* Both streams have the same fields at these levels. */
static inline void run_kp_put(struct run_file *f, const struct run_point *p, uint32_t kind,
                              uint32_t kp, const struct run_counts *c)
{
    double ahead = (double)(run_bits(f->run->seed, p->sample, kp, 3) % 1000) / 100.0;
    struct fmt_gvt_kp_row row = {RUN_AT(p),
                                 .kp = kp,
                                 .total_rollbacks = c->rollbacks,
                                 .secondary_rollbacks = c->secondary,
                                 .time_ahead_gvt = ahead,
                                 RUN_COUNTED(c)};
    struct fmt_rt_ahead_row only = {RUN_AT(p), .kp = kp, .time_ahead_gvt = ahead};
    bool is_ahead = f->schemas[kind]->id == FMT_RECORD_RT_AHEAD;
    run_put(f, p->pe, kind, is_ahead ? (const void *)&only : &row, NULL, 0);
}

static inline void run_lp_put(struct run_file *f, const struct run_point *p, uint32_t kind,
                              uint64_t lp, const struct run_counts *c)
{
    struct fmt_gvt_lp_row row = {RUN_AT(p), .kp = run_kp_of(f->run, lp),
                                 .lp = f->run->first_lp + lp, RUN_COUNTED(c)};
    run_put(f, p->pe, kind, &row, NULL, 0);
}

static inline void run_gvt_pe_put(struct run_file *f, const struct run_point *p,
                                  const struct run_counts *c)
{
    struct fmt_gvt_pe_row row = {RUN_AT(p), RUN_COUNTED(c), RUN_COUNTED_BY_PE(c)};
    run_put(f, p->pe, 0, &row, NULL, 0);
}

static inline void run_rt_pe_put(struct run_file *f, const struct run_point *p,
                                 const struct run_counts *c)
{
    uint64_t step = (uint64_t)(RUN_EXAMPLE_STEP * RUN_EXAMPLE_TICKS), part = step / 100;
    uint64_t more = run_bits(f->run->seed, p->pe, p->sample, 4) % part;
    struct fmt_rt_pe_row row = {RUN_AT(p),
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
                                RUN_COUNTED(c),
                                RUN_COUNTED_BY_PE(c)};
    run_put(f, p->pe, 0, &row, NULL, 0);
}

/* Writes one sampling point of a PE, at all levels of the file. kps: scratch. */
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

/* ---- Samples at virtual times, and of the model ---------------------------------------------- */

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
                                        .lp = r->first_lp + lp,
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

/* Even LPs are routers, odd ones hosts without a payload. */
struct run_payload {
    double wait;
    uint32_t packets;
    uint16_t port;
    char kind[2];
};

static inline void run_describe(struct run_file *f, enum fmt_payload_kind kind)
{
    static const struct fmt_payload_field fields[] = {
        {"wait", "s", FMT_F64, 0, 1, 0, NULL},
        {"packets", "packets", FMT_U32, 8, 1, 0, NULL},
        {"port", "", FMT_U16, 12, 1, FMT_IDENTITY, NULL},
        {"what", "", FMT_CHAR, 14, 2, 0, NULL}};
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
                                           .lp = r->first_lp + lp,
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

#endif
