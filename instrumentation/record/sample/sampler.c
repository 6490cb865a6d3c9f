/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sampler.c - takes samples of the engine's counters on one PE.
 *
 * A sample is the difference of two states of the counters; the last sample is taken at the end of
 * the run. The sums over the rows of a PE, KP or LP thus equal its counters exactly, whatever the
 * interval and however late a sample was.
 *
 * Invariants
 *  A1  The members `last` and last_kps are the counters at the last sample; only the sampler writes
 *      them.
 *  A2  The rows of one sampling point have the same number and times.
 * Cost: one pass over the KPs, the set of changed LPs (one bit for each LP) and the lines of these
 * LPs, in the order of addresses: a cache line and about 70 instructions per changed LP, besides
 * its row. A sample thus costs no more than the events since the sample before, however many LPs
 * the PE has.
 */
#include "record/sample/sampler.h"

#include <assert.h>
#include <stdlib.h>

#include "base/efficiency.h"

/* Distance, in words of 64 LPs each, between the LPs that are sampled and those whose counts are
 * prefetched. */
#define AHEAD_WORDS 8u

enum tw_status sampler_init(struct sampler *sampler, struct record_stream *stream,
                            struct lp_counters *counters, tw_kp *const *kps, tw_kpid n_kps,
                            bool all_lps)
{
    struct record_channel *gvt_pe = stream_channel(stream, FMT_RECORD_GVT_PE);
    struct record_channel *gvt_kp = stream_channel(stream, FMT_RECORD_GVT_KP);
    struct record_channel *gvt_lp = stream_channel(stream, FMT_RECORD_GVT_LP);
    struct record_channel *rt_pe = stream_channel(stream, FMT_RECORD_RT_PE);
    struct record_channel *rt_kp = stream_channel(stream, FMT_RECORD_RT_KP);
    struct record_channel *rt_lp = stream_channel(stream, FMT_RECORD_RT_LP);
    *sampler = (struct sampler){.pe_channel = rt_pe != NULL ? rt_pe : gvt_pe,
                                .kp_channel = rt_kp != NULL ? rt_kp : gvt_kp,
                                .lp_channel = rt_lp != NULL ? rt_lp : gvt_lp,
                                .ahead_channel = stream_channel(stream, FMT_RECORD_RT_AHEAD),
                                .has_cycles = rt_pe != NULL,
                                .has_all_lps = all_lps,
                                .is_first = true,
                                .pe = stream->pe,
                                .counters = counters,
                                .kps = kps,
                                .n_kps = n_kps};
    if (sampler->kp_channel == NULL && sampler->lp_channel == NULL) {
        return TW_OK;
    }
    assert(counters != NULL && counters->n_kps == n_kps);
    assert(sampler->lp_channel == NULL || counters->lps != NULL);
    sampler->last_kps = calloc(n_kps, sizeof(*sampler->last_kps));
    sampler->kp_sums = calloc(n_kps, sizeof(*sampler->kp_sums));
    if (sampler->last_kps == NULL || sampler->kp_sums == NULL) {
        sampler_fini(sampler);
        return TW_ERR_MEMORY;
    }
    if (counters->lps == NULL) {
        return TW_OK;
    }
    sampler->reads_lps = true;
    sampler->reader = rt_kp != NULL || rt_lp != NULL;
    enum tw_status status = lp_counters_join(counters, sampler->reader);
    if (status != TW_OK) {
        sampler_fini(sampler);
    }
    return status;
}

void sampler_begin(struct sampler *sampler, const tw_pe *pe)
{
    sampler->last = *pe_counters(pe);
    sampler->last_ticks = *pe_phase_ticks(pe);
    sampler->last_processor = run_processor_time(true);
    for (tw_kpid k = 0; sampler->last_kps != NULL && k < sampler->n_kps; k++) {
        const struct kp_line *line = &sampler->counters->kps[k];
        sampler->last_kps[k].counts = line->counts;
        memcpy(sampler->last_kps[k].rollbacks, line->rollbacks, sizeof(line->rollbacks));
    }
}

/* ---- Rows of the PE -------------------------------------------------------------------------- */

/* Fields that the rows of kinds gvt_pe and rt_pe have in common, under the same names. */
struct pe_counts {
#define X(name, type, role, unit, text) FMT_CTYPE_##type name;
    FMT_PE_COUNTS(X)
#undef X
};

static struct pe_counts changes_of_pe(const struct sampler *sampler, const tw_pe *pe,
                                      const struct processor_time *processor, uint64_t number)
{
    const struct tw_counters *now = pe_counters(pe);
    struct tw_counters d;
#define X(name, text) d.name = now->name - sampler->last.name;
    TW_COUNTER_LIST(X)
#undef X
    struct pe_memory memory = pe_memory_now(pe);
    struct pe_counts counts = {.all_reduce_count = d.all_reduces,
                               .events_processed = d.events_processed,
                               .events_aborted = d.events_aborted,
                               .events_rolled_back = d.events_rolled_back,
                               .event_ties = d.event_ties,
                               .total_rollbacks = d.primary_rollbacks + d.secondary_rollbacks,
                               .secondary_rollbacks = d.secondary_rollbacks,
                               .fossil_collects = d.fossil_collects,
                               .network_sends = d.network_sends,
                               .network_recvs = d.network_recvs,
                               .remote_events = d.remote_events,
                               .efficiency =
                                   efficiency_percent(d.events_processed, d.events_rolled_back),
                               .sample = number,
                               .num_gvt = d.gvt_rounds,
                               .events_committed = d.events_committed,
                               .anti_sends = d.anti_sends,
                               .pq_size = pe_pending_count(pe),
                               .event_bytes = memory.event_bytes,
                               .saved_bytes = memory.saved_bytes,
                               .allocated_bytes = memory.allocated_bytes};
#define X(name, text) counts.name = processor->name - sampler->last_processor.name;
    PROCESSOR_TIME_LIST(X)
#undef X
    return counts;
}

/* Copies the field called name to *row from *from, which has a member of that name. */
#define COPY_FIELD(name, type, role, unit, text) row->name = from->name;

static void sample_gvt_pe(struct sampler *sampler, const struct pe_counts *from,
                          const struct sample_point *at)
{
    assert(!sampler->has_cycles);
    struct fmt_gvt_pe_row *row = channel_reserve(sampler->pe_channel, sizeof(*row));
    row->pe = sampler->pe;
    row->gvt = at->gvt;
    row->real_time = at->real_time;
    FMT_PE_COUNTS(COPY_FIELD)
    channel_commit(sampler->pe_channel, sizeof(*row));
}

static struct tw_phase_ticks changes_of_ticks(struct sampler *sampler, const tw_pe *pe)
{
    const struct tw_phase_ticks *now = pe_phase_ticks(pe);
    struct tw_phase_ticks d;
    for (int phase = 0; phase < TW_PHASES; phase++) {
        d.of[phase] = now->of[phase] - sampler->last_ticks.of[phase];
    }
    sampler->last_ticks = *now;
    return d;
}

static void sample_rt_pe(struct sampler *sampler, const tw_pe *pe, const struct pe_counts *from,
                         const struct sample_point *at)
{
    assert(sampler->has_cycles);
    struct tw_phase_ticks d = changes_of_ticks(sampler, pe);
    struct fmt_rt_pe_row *row = channel_reserve(sampler->pe_channel, sizeof(*row));
    *row = (struct fmt_rt_pe_row){.pe = sampler->pe,
                                  .gvt = at->gvt,
                                  .real_time = at->real_time,
                                  .network_read_cc = d.network_read,
                                  .gvt_cc = d.gvt,
                                  .fossil_collect_cc = d.fossil_collect,
                                  .event_abort_cc = d.event_abort,
                                  .event_processing_cc = d.event_processing,
                                  .priority_queue_cc = d.priority_queue,
                                  .rollbacks_cc = d.rollbacks,
                                  .cancelq_cc = d.cancelq,
                                  .avl_cc = d.event_lookup,
                                  .buddy_cc = d.state_saving,
                                  .lz4_cc = d.recording,
                                  .other_cc = d.other + d.timing};
    FMT_PE_COUNTS(COPY_FIELD)
    channel_commit(sampler->pe_channel, sizeof(*row));
}

/* ---- Rows of KPs and LPs --------------------------------------------------------------------- */

/* Returns *now - *last, and sets *last to *now. */
static inline struct lp_counts take_change(struct lp_counts *last, const struct lp_counts *now)
{
    struct lp_counts change;
#define X(name)                                                                                    \
    change.name = now->name - last->name;                                                          \
    last->name = now->name;
    LP_COUNT_LIST(X)
#undef X
    return change;
}

#define COPY_COUNT(name) row->name = change->name;

static void sample_lp(struct sampler *sampler, const struct lp_line *lp,
                      const struct lp_counts *change, const struct sample_point *at)
{
    assert(sampler->lp_channel != NULL && lp->kp < sampler->n_kps);
    struct fmt_gvt_lp_row *row = channel_reserve(sampler->lp_channel, sizeof(*row));
    row->pe = sampler->pe;
    row->kp = lp->kp;
    row->lp = lp->gid;
    row->gvt = at->gvt;
    row->real_time = at->real_time;
    row->sample = at->number;
    LP_COUNT_LIST(COPY_COUNT)
    row->efficiency = efficiency_percent(change->events_processed, change->events_rolled_back);
    channel_commit(sampler->lp_channel, sizeof(*row));
}

/* Adds the changes of local LP i to the sample: to the sum of its KP, and as a row. */
static inline void take_lp(struct sampler *sampler, uint64_t i, const struct sample_point *at)
{
    assert(i < sampler->counters->n_lps);
    const struct lp_line *lp = &sampler->counters->lps[i];
    struct lp_counts change = lp_counters_take(sampler->counters, sampler->reader, i);
    if (sampler->kp_channel != NULL) {
        lp_counts_add(&sampler->kp_sums[lp->kp], &change);
    }
    if (sampler->lp_channel != NULL) {
        sample_lp(sampler, lp, &change, at);
    }
}

/* Prefetches the counts of those LPs that have changes and are in this word of the set. */
static inline void prefetch_lps(const struct lp_counters *counters, uint64_t word)
{
    for (uint64_t m = counters->changed[word]; m != 0; m &= m - 1) {
        __builtin_prefetch(&counters->lps[word * 64 + (unsigned)__builtin_ctzll(m)], 1);
    }
}

/* Takes the changes of all LPs into the sample. */
static void sample_lps(struct sampler *sampler, const struct sample_point *at)
{
    struct lp_counters *counters = sampler->counters;
    const uint64_t n_words = lp_counters_words(counters);
    const uint64_t wanted = sampler->has_all_lps || sampler->is_first ? UINT64_MAX : 0;
    for (uint64_t word = 0; word < n_words; word++) {
        if (word + AHEAD_WORDS < n_words) {
            prefetch_lps(counters, word + AHEAD_WORDS);
        }
        uint64_t members = lp_counters_take_word(counters, sampler->reader, word) | wanted;
        for (; members != 0; members &= members - 1) {
            uint64_t i = word * 64 + (unsigned)__builtin_ctzll(members);
            if (i < counters->n_lps) {
                take_lp(sampler, i, at);
            }
        }
    }
    sampler->is_first = false;
}

static double time_ahead(const tw_kp *kp, const struct sample_point *at)
{
    return kp->last_time > at->gvt ? kp->last_time - at->gvt : 0.0;
}

/* Adds the row of KP k to the sample. Called after sample_lps(). */
static void sample_kp(struct sampler *sampler, tw_kpid k, const struct sample_point *at)
{
    assert(k < sampler->n_kps);
    const struct kp_line *line = &sampler->counters->kps[k];
    struct kp_sample *last = &sampler->last_kps[k];
    const struct lp_counts *change = &sampler->kp_sums[k];
    uint64_t primary = line->rollbacks[0] - last->rollbacks[0];
    uint64_t secondary = line->rollbacks[1] - last->rollbacks[1];
    memcpy(last->rollbacks, line->rollbacks, sizeof(last->rollbacks));
    if (sampler->counters->lps == NULL) {
        sampler->kp_sums[k] = take_change(&last->counts, &line->counts);
    }
    struct fmt_gvt_kp_row *row = channel_reserve(sampler->kp_channel, sizeof(*row));
    row->pe = sampler->pe;
    row->kp = (uint32_t)k;
    row->gvt = at->gvt;
    row->real_time = at->real_time;
    row->sample = at->number;
    row->total_rollbacks = primary + secondary;
    row->secondary_rollbacks = secondary;
    row->time_ahead_gvt = time_ahead(sampler->kps[k], at);
    LP_COUNT_LIST(COPY_COUNT)
    row->efficiency = efficiency_percent(change->events_processed, change->events_rolled_back);
    channel_commit(sampler->kp_channel, sizeof(*row));
    sampler->kp_sums[k] = (struct lp_counts){0};
}

static void sample_ahead(struct sampler *sampler, tw_kpid k, const struct sample_point *at)
{
    assert(k < sampler->n_kps);
    struct fmt_rt_ahead_row *row = channel_reserve(sampler->ahead_channel, sizeof(*row));
    row->pe = sampler->pe;
    row->kp = (uint32_t)k;
    row->gvt = at->gvt;
    row->real_time = at->real_time;
    row->sample = at->number;
    row->time_ahead_gvt = time_ahead(sampler->kps[k], at);
    channel_commit(sampler->ahead_channel, sizeof(*row));
}

void sampler_sample(struct sampler *sampler, const tw_pe *pe, const struct sample_point *at)
{
    if (sampler->pe_channel != NULL) {
        const struct processor_time processor = run_processor_time(false);
        struct pe_counts counts = changes_of_pe(sampler, pe, &processor, at->number);
        if (sampler->has_cycles) {
            sample_rt_pe(sampler, pe, &counts, at);
        } else {
            sample_gvt_pe(sampler, &counts, at);
        }
        sampler->last = *pe_counters(pe);
        sampler->last_processor = processor;
    }
    if (sampler->reads_lps) {
        sample_lps(sampler, at);
    }
    for (tw_kpid k = 0; sampler->kp_channel != NULL && k < sampler->n_kps; k++) {
        sample_kp(sampler, k, at);
    }
    for (tw_kpid k = 0; sampler->ahead_channel != NULL && k < sampler->n_kps; k++) {
        sample_ahead(sampler, k, at);
    }
}

void sampler_fini(struct sampler *sampler)
{
    if (sampler->reads_lps && sampler->counters->is_read[sampler->reader]) {
        lp_counters_leave(sampler->counters, sampler->reader);
    }
    free(sampler->last_kps);
    free(sampler->kp_sums);
    *sampler = (struct sampler){0};
}

/* The rows for GVT and for wall clock have the same fields. sample_kp() and sample_lp() therefore
 * write both kinds of rows in the same way. */
_Static_assert(sizeof(struct fmt_gvt_kp_row) == sizeof(struct fmt_rt_kp_row), "same fields");
_Static_assert(sizeof(struct fmt_gvt_lp_row) == sizeof(struct fmt_rt_lp_row), "same fields");
