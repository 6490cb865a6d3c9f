/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * vt_models.c - the models' rows at sampling points; see vt_models.h.
 *
 * Invariant
 *  W1  The rows of a point are those of all LPs with data whose data do not hold, of the LPs with data
 *      and with events since the point before, and of the LP first_held. Point first_models, the first
 *      one of the file, has rows of all LPs with data.
 * Cost for each point: that of its rows and of the callbacks for them; and if data of any LP do not hold,
 * a cache line for each LP.
 */
#include "record/vt/vt_models.h"

#include <assert.h>

#include "record/buffer/channel_loss.h"

#define AHEAD 16u /* distance, in LPs, between a prefetch and its use */

/* Takes the sample of local LP i at a point, and writes a row of model data if the LP has any.
 * Returns the number of events since the sample before. */
static uint64_t record_model(struct vt_sampling *s, const struct vt_recording *r, tw_lpid i)
{
    const struct vt_source *source = &s->timeline.sources[i];
    if (source->size == 0) {
        return vt_timeline_take(&s->timeline, i, &r->at, NULL);
    }
    const tw_lp *lp = s->lps[i];
    size_t bytes = fmt_row_bytes(sizeof(struct fmt_model_lp_row), source->size);
    struct fmt_model_lp_row *row = channel_reserve(s->model_channel, bytes);
    *row = (struct fmt_model_lp_row){.pe = s->pe,
                                     .kp = (uint32_t)lp->kp->id,
                                     .lp = lp->gid,
                                     .gvt = r->at.ts,
                                     .real_time = r->real_time,
                                     .kind = MODEL_STATS_VIRTUAL_TIME,
                                     .payload_type = source->payload_type,
                                     .payload_size = source->size,
                                     .sample = r->at.number,
                                     .lp_ts = r->at.ts};
    const uint64_t events = vt_timeline_take(&s->timeline, i, &r->at, row + 1);
    channel_commit(s->model_channel, bytes);
    return events;
}

void vt_models_skip(struct vt_sampling *s, const struct vt_recording *r)
{
    for (tw_lpid i = 0; i < s->n_lps && !s->timeline.is_off; i++) {
        vt_timeline_take(&s->timeline, i, &r->at, s->unused);
    }
}

/* Prefetches what record_model() reads of the LPs that come AHEAD and 2 * AHEAD entries later. */
static inline __attribute__((always_inline)) void
prefetch(const struct vt_sampling *s, const struct vt_count_set *counts, uint32_t i)
{
    if (i + 2 * AHEAD < counts->n_lps) {
        const uint32_t later = counts->lps[i + 2 * AHEAD].lp;
        __builtin_prefetch(&s->timeline.lps[later], 1);
        __builtin_prefetch(&s->timeline.sources[later]);
        __builtin_prefetch(s->lps[later]);
    }
    if (i + AHEAD < counts->n_lps) {
        const tw_lp *lp = s->lps[counts->lps[i + AHEAD].lp];
        __builtin_prefetch(lp->cur_state);
        __builtin_prefetch(lp->kp);
    }
}

/* Records the LPs that executed events since the point before, and the first LP whose data hold. */
static void record_changed_models(struct vt_sampling *s, const struct vt_recording *r)
{
    record_model(s, r, s->first_held);
    for (uint32_t i = 0; r->counts != NULL && i < r->counts->n_lps; i++) {
        prefetch(s, r->counts, i);
        if (r->counts->lps[i].lp != s->first_held) {
            record_model(s, r, r->counts->lps[i].lp);
        }
    }
}

/* Records all LPs, or, if is_first is false, all LPs except those whose data hold. */
static void record_all_models(struct vt_sampling *s, const struct vt_recording *r, bool is_first)
{
    uint32_t next = 0; /* entry of the counts */
    for (tw_lpid n = 0; n < s->n_lps; n++) {
        const tw_lpid i = s->order != NULL ? s->order[n] : n;
        const struct vt_source *source = &s->timeline.sources[i];
        const bool is_held = s->holds && !is_first && source->holds;
        bool has_events =
            r->counts != NULL && next < r->counts->n_lps && r->counts->lps[next].lp == i;
        if (!is_held || has_events || i == s->first_held) {
            const uint64_t events = record_model(s, r, i);
            const bool is_counted =
                !is_held && !is_first && source->size > 0 && !source->by_event && s->calls != NULL;
            if (is_counted) {
                s->calls->all++;
                s->calls->due += events > 0;
            }
        }
        next += has_events;
    }
}

void vt_models_record(struct vt_sampling *s, const struct vt_recording *r)
{
    const bool is_first = r->at.number == s->first_models;
    if (s->timeline.is_off || (s->holds && s->counts.is_off)) {
        /* Memory was exhausted, and the point cannot be taken. */
        channel_lose(s->model_channel, s->n_models);
    } else if (s->holds_all && !is_first) {
        record_changed_models(s, r);
    } else {
        record_all_models(s, r, is_first);
    }
    s->timeline.taken = s->holds ? r->at.number : 0;
}

bool vt_models_find(struct vt_sampling *s)
{
    bool all = true;
    s->first_held = s->n_lps;
    for (tw_lpid n = 0; n < s->n_lps; n++) {
        const tw_lpid i = s->order != NULL ? s->order[n] : n;
        const struct vt_source *source = &s->timeline.sources[i];
        s->n_models += source->size != 0;
        all = all && source->holds;
        if (source->holds && source->size != 0 && s->first_held == s->n_lps) {
            s->first_held = i;
        }
    }
    s->holds = s->first_held < s->n_lps;
    s->holds_all = all && s->holds;
    for (tw_lpid i = 0; s->holds && i < s->n_lps; i++) {
        s->timeline.sources[i].lags = s->timeline.sources[i].holds && i != s->first_held;
    }
    return s->holds;
}
