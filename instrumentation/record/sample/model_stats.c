/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model_stats.c - samples the states of LPs.
 *
 * At GVT, and by wall clock, an optimistic LP has possibly run ahead. Its state is then the one
 * after its last executed event, not the one at GVT, and that event may still be undone. Only the
 * last sample, taken when all events have committed, is exact under every scheduler. In a
 * sequential or conservative run all samples are exact.
 *
 * Invariants
 *  M1  An LP with data that is neither in `changed` nor in `always` has the data of its last record:
 *      its payload holds, and it has executed and undone nothing since.
 *  M2  Before the first sample, all LPs are in `changed`.
 *
 * The payload is zeroed before the callback: no undefined bytes reach the file. Cost: three
 * instructions per event; per sample, one bit of each set for each LP, and a 64-byte row and the
 * callback for each LP that is sampled. The caller reads the clock once per sampling point.
 */
#include "record/sample/model_stats.h"

#include <assert.h>
#include <stdlib.h>

#include "record/describe/payload_room.h"

static uint64_t words_of(const struct model_stats *stats)
{
    return (stats->n_lps + 63) / 64;
}

enum tw_status model_stats_init(struct model_stats *stats, struct record_channel *channel,
                                const struct payload_slot *slots, tw_lpid n_lps, uint32_t pe)
{
    *stats = (struct model_stats){
        .channel = channel, .slots = slots, .n_lps = n_lps, .pe = pe, .calls = stats->calls};
    stats->changed = malloc(words_of(stats) * sizeof(uint64_t) + 8);
    stats->always = calloc(words_of(stats) + 1, sizeof(uint64_t));
    if (stats->changed == NULL || stats->always == NULL) {
        model_stats_fini(stats);
        return TW_ERR_MEMORY;
    }
    memset(stats->changed, 0xff, words_of(stats) * sizeof(uint64_t));
    bool is_first = true; /* no LP before has a payload that holds */
    for (tw_lpid i = 0; i < n_lps; i++) {
        if (slots[i].size > 0 && (is_first || slots[i].holds == 0)) {
            stats->always[i / 64] |= 1ull << i % 64;
        }
        is_first = is_first && slots[i].holds == 0;
        stats->has_data |= slots[i].size > 0;
    }
    return TW_OK;
}

void model_stats_fini(struct model_stats *stats)
{
    free(stats->changed);
    free(stats->always);
    *stats = (struct model_stats){.calls = stats->calls};
}

/* ---- Events ---------------------------------------------------------------------------------- */

static inline void note(const struct model_stats *stats, const tw_lp *lp)
{
    assert(lp->id < stats->n_lps);
    stats->changed[lp->id / 64] |= 1ull << lp->id % 64;
}

static void event_executed(void *ctx, const tw_event *e, const tw_lp *ahead)
{
    (void)ahead;
    note(ctx, e->dest_lp);
}

static void event_undone(void *ctx, const tw_event *e, bool state_restored)
{
    (void)state_restored;
    note(ctx, e->dest_lp);
}

void model_stats_attach(struct model_stats *stats, struct probe_table *table)
{
    if (stats->has_data) {
        PROBE_ADD(table, event_executed, event_executed, stats);
        PROBE_ADD(table, event_undone, event_undone, stats);
    }
}

void model_stats_end(struct model_stats *stats, struct probe_table *table)
{
    if (stats->has_data) {
        PROBE_REMOVE(table, event_executed, event_executed, stats);
        PROBE_REMOVE(table, event_undone, event_undone, stats);
    }
    model_stats_fini(stats);
}

/* ---- Samples --------------------------------------------------------------------------------- */

static void sample_lp(struct model_stats *stats, tw_lp *lp, enum model_stats_kind kind,
                      const struct sample_point *at)
{
    const struct payload_slot *slot = &stats->slots[lp->id];
    assert(slot->types != NULL && slot->types->model_stat_fn != NULL);
    size_t bytes = fmt_row_bytes(sizeof(struct fmt_model_lp_row), slot->size);
    struct fmt_model_lp_row *row = channel_reserve(stats->channel, bytes);
    *row = (struct fmt_model_lp_row){.pe = stats->pe,
                                     .kp = (uint32_t)lp->kp->id,
                                     .lp = lp->gid,
                                     .gvt = at->gvt,
                                     .real_time = at->real_time,
                                     .kind = (uint32_t)kind,
                                     .payload_type = slot->id,
                                     .payload_size = slot->size,
                                     .sample = at->number,
                                     .lp_ts = lp->kp->last_time};
    void *room = payload_room_open(slot->size);
    slot->types->model_stat_fn(lp->cur_state, lp, room);
    payload_room_close(slot->size, lp, "model_stat_fn");
    payload_copy(row + 1, room, slot->size);
    channel_commit(stats->channel, bytes);
}

void model_stats_sample(struct model_stats *stats, tw_lp *const *lps, enum model_stats_kind kind,
                        const struct sample_point *at)
{
    for (uint64_t word = 0; word < words_of(stats); word++) {
        const uint64_t changed = stats->changed[word];
        uint64_t members = changed | stats->always[word];
        stats->changed[word] = 0;
        for (; members != 0; members &= members - 1) {
            const uint64_t i = word * 64 + (unsigned)__builtin_ctzll(members);
            if (i >= stats->n_lps || stats->slots[i].size == 0) {
                continue;
            }
            stats->calls.all += stats->slots[i].holds == 0;
            stats->calls.due += stats->slots[i].holds == 0 && (changed >> i % 64 & 1) != 0;
            sample_lp(stats, lps[i], kind, at);
        }
    }
}

_Static_assert(sizeof(struct fmt_model_lp_row) % 8 == 0, "payload follows the row");
