/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * run_example_streams.h - the event traces of an artificial run, and all its files; see
 * run_example.h.
 */
#ifndef WARPSCOPE_TESTS_RUN_EXAMPLE_STREAMS_H
#define WARPSCOPE_TESTS_RUN_EXAMPLE_STREAMS_H

#include "support/run_example_samples.h"

/* ---- Events ---------------------------------------------------------------------------------- */

/* number: of the rollback on its PE. Causes are on the next PE; some are in a circle or missing. */
static inline void run_rollback_put(struct run_file *f, const struct fmt_event_row *e,
                                    const struct run_payload *payload, uint64_t bits,
                                    uint64_t number, const struct run_example *r)
{
    const bool is_secondary = (bits >> 40 & 3) == 0;
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
                                   .cause = is_secondary ? 2 : 1,
                                   .trigger = is_secondary ? 4 : 2,
                                   .number = number,
                                   .cause_number = is_secondary ? number - bits % 2 : 0,
                                   .cause_pe =
                                       is_secondary ? (int32_t)((e->pe + 1) % r->n_pes) : -1,
                                   .src_pe = (int32_t)run_pe_of(r, e->src_lp - r->first_lp),
                                   .send_time = e->real_time - late * 1e-6,
                                   .passed_time = e->real_time - 1e-4,
                                   .undone_time = (int64_t)(bits % 9000)};
    run_put(f, e->pe, 1, &row, payload, e->payload_size);
}

static inline bool run_events_write(const struct run_example *r)
{
    static const uint32_t records[] = {FMT_RECORD_EVENT, FMT_RECORD_ROLLBACK};
    struct run_file f;
    struct run_counts *totals = calloc(r->n_pes, sizeof *totals);
    uint64_t *numbers = calloc(r->n_pes, sizeof *numbers);
    double step = RUN_EXAMPLE_END / (double)(r->events + 1);
    run_file_open(&f, r, records, r->rollbacks > 0 ? 2 : 1, sizeof(struct run_payload));
    run_describe(&f, FMT_PAYLOAD_EV);
    for (uint64_t i = 0; i < r->events && (r->cut == 0 || i < r->cut); i++) {
        uint64_t bits = run_bits(r->seed, i, 0, 6);
        uint64_t lp = bits % r->n_lps, from = (bits >> 24) % r->n_lps;
        double recv = step * ((double)i + (double)(bits >> 40) * 0x1p-24);
        double delay = 0.1 + (double)(bits >> 34 & 1023) / 1000.0;
        bool router = lp % 2 == 0;
        struct run_payload payload = run_payload_make(bits);
        struct fmt_event_row row = {.src_lp = r->first_lp + from,
                                    .dest_lp = r->first_lp + lp,
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
            run_rollback_put(&f, &row, &payload, other, ++numbers[row.pe], r);
        }
    }
    bool good = run_file_close(&f, totals);
    free(totals);
    free(numbers);
    return good;
}

/* Writes all five files of the run. */
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
