/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * vt_timeline_setup.c - creates, frees and checks timelines; see also vt_timeline.c.
 */
#include <assert.h>

#include "record/vt/vt_timeline.h"
#include "store/check.h"

/* Returns the pool for captures with `bytes` bytes of data. Adds the pool if necessary; the array
 * timeline->pools has space for it. */
static struct vt_pool *find_pool(struct vt_timeline *timeline, size_t bytes)
{
    assert(bytes % 8 == 0);
    size_t i = 0;
    while (i < timeline->n_pools && timeline->pools[i].bytes != bytes) {
        i++;
    }
    if (i == timeline->n_pools) {
        vt_pool_init(&timeline->pools[i], bytes);
        timeline->n_pools++;
    }
    return &timeline->pools[i];
}

static void fill_source(struct vt_source *source, struct vt_slots slots, tw_lpid lp)
{
    const struct payload_slot *slot = slots.sample != NULL ? &slots.sample[lp] : NULL;
    source->by_event = slot != NULL && slot->size != 0;
    if (!source->by_event && slots.stat != NULL) {
        slot = &slots.stat[lp];
    }
    if (slot != NULL && slot->size != 0) {
        source->types = slot->types;
        source->size = slot->size;
        source->payload_type = slot->id;
    }
    source->holds = source->size == 0 || (!source->by_event && slot->holds != 0);
}

/* Fills timeline->sources and sets bytes_max. Returns an upper bound of the number of different
 * sizes of captures. */
static size_t fill_sources(struct vt_timeline *timeline, struct vt_slots slots)
{
    size_t n_sizes = 1;
    size_t before = 0;
    for (tw_lpid i = 0; i < timeline->n_lps; i++) {
        struct vt_source *source = &timeline->sources[i];
        fill_source(source, slots, i);
        size_t bytes = ((size_t)source->size + 7) & ~(size_t)7;
        n_sizes += bytes != before;
        before = bytes;
        timeline->bytes_max = bytes > timeline->bytes_max ? bytes : timeline->bytes_max;
    }
    return n_sizes;
}

enum tw_status vt_timeline_init(struct vt_timeline *timeline, tw_lp *const *lps, tw_lpid n_lps,
                                struct vt_slots slots, struct vt_points points)
{
    assert(points.interval > 0.0);
    *timeline = (struct vt_timeline){.points = points, .lp_list = lps, .n_lps = n_lps};
    timeline->lps = aligned_alloc(64, (n_lps + 1) * sizeof(*timeline->lps));
    timeline->sources = calloc(n_lps + 1, sizeof(*timeline->sources));
    if (timeline->lps == NULL || timeline->sources == NULL) {
        vt_timeline_fini(timeline);
        return TW_ERR_MEMORY;
    }
    memset(timeline->lps, 0, (n_lps + 1) * sizeof(*timeline->lps));
    timeline->pools = calloc(fill_sources(timeline, slots), sizeof(*timeline->pools));
    timeline->scratch = malloc(2 * timeline->bytes_max + 8);
    if (timeline->pools == NULL || timeline->scratch == NULL) {
        vt_timeline_fini(timeline);
        return TW_ERR_MEMORY;
    }
    for (tw_lpid i = 0; i < n_lps; i++) {
        struct vt_source *source = &timeline->sources[i];
        source->pool = find_pool(timeline, ((size_t)source->size + 7) & ~(size_t)7);
        vt_timeline_set_next(timeline, &timeline->lps[i], 1);
    }
    return TW_OK;
}

void vt_timeline_begin_after(struct vt_timeline *timeline, uint64_t number)
{
    for (tw_lpid i = 0; i < timeline->n_lps; i++) {
        assert(timeline->lps[i].captures.oldest == NULL); /* no event has been executed yet */
        vt_timeline_set_next(timeline, &timeline->lps[i], number + 1);
    }
}

void vt_timeline_fini(struct vt_timeline *timeline)
{
    for (size_t i = 0; i < timeline->n_pools; i++) {
        vt_pool_fini(&timeline->pools[i]);
    }
    free(timeline->lps);
    free(timeline->sources);
    free(timeline->pools);
    free(timeline->scratch);
    *timeline = (struct vt_timeline){0};
}

bool vt_timeline_check(const struct vt_timeline *timeline, uint64_t taken)
{
    if (timeline->is_off) {
        return true;
    }
    uint64_t in_use = 0, queued = 0, n;
    for (tw_lpid i = 0; i < timeline->n_lps; i++) {
        const struct vt_lp *of = &timeline->lps[i];
        const struct vt_capture *oldest = of->captures.oldest;
        const struct vt_capture *youngest = of->captures.youngest;
        HOLDS(vt_undo_log_check(&of->captures, timeline->sources[i].pool, &n));
        queued += n;
        HOLDS((oldest != NULL ? oldest->first : of->next) == taken + 1 || /* T1, old end */
              (timeline->sources[i].lags && timeline->taken > 0));
        HOLDS(youngest == NULL || youngest->first + youngest->count == of->next); /* T1 */
        HOLDS(youngest == NULL ||
              vt_points_ts(&timeline->points, of->next - 1) <= youngest->event_ts); /* T2 */
        HOLDS(youngest == NULL || youngest->events < of->events);                   /* T3 */
        HOLDS(of->held_first <= of->held_end && of->held_end <= taken + 1);         /* T4 */
        HOLDS(of->taken_events <= of->events);
    }
    for (size_t i = 0; i < timeline->n_pools; i++) {
        in_use += timeline->pools[i].in_use;
    }
    HOLDS(in_use == queued);
    return true;
}

_Static_assert(sizeof(struct vt_lp) == 64, "one cache line");
