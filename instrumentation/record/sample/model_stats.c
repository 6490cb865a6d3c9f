/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model_stats.c - samples the states of LPs.
 *
 * At GVT, and by wall clock, an optimistic LP has possibly run ahead. Its state is then the one
 * after its last executed event, not the one at GVT, and that event may still be undone. Only the
 * last sample, taken when all events have committed, is exact under every scheduler. In a
 * sequential or conservative run all samples are exact.
 *
 * The payload is zeroed before the callback: no undefined bytes reach the file. Cost: one 64-byte
 * row and the callback per LP; the caller reads the clock once per sampling point.
 */
#include "record/sample/model_stats.h"

#include <assert.h>

#include "record/describe/payload_room.h"

size_t model_stats_row_bytes(size_t payload_max)
{
    return fmt_row_bytes(sizeof(struct fmt_model_lp_row), payload_max);
}

void model_stats_sample(struct model_stats *stats, tw_lp *const *lps, enum model_stats_kind kind,
                        const struct sample_point *at)
{
    for (tw_lpid i = 0; i < stats->n_lps; i++) {
        const struct payload_slot *slot = &stats->slots[i];
        if (slot->size == 0) {
            continue;
        }
        tw_lp *lp = lps[i];
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
}

_Static_assert(sizeof(struct fmt_model_lp_row) % 8 == 0, "payload follows the row");
