/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * vt_timeline.h - the states of this PE's LPs at exact virtual times, in spite of rollback.
 *
 * The sample of an LP at a sampling point (vt_points.h) is the LP's state after exactly its
 * committed events before that time. Until the sample is final, it waits in a queue of the LP
 * (vt_capture.h).
 */
#ifndef WARPSCOPE_RECORD_VT_VT_TIMELINE_H
#define WARPSCOPE_RECORD_VT_VT_TIMELINE_H

#include "base/status.h"
#include "engine/probe.h"
#include "record/describe/payload_types.h"
#include "record/vt/vt_capture.h"
#include "record/vt/vt_points.h"

/* Data of the timeline about one LP, in one cache line. An event reads two of the members and
 * writes one. */
struct vt_lp {
    _Alignas(64) double next_ts; /* virtual time of point `next`; INFINITY: no further point */
    /* Number of events that the LP has executed, not counting undone events. */
    uint64_t events;
    uint64_t next;               /* ordinal number of the first point that the LP has not crossed */
    struct vt_undo_log captures; /* captures for points that have not been taken */
    uint64_t taken_events;       /* value of `events` at the last point that was taken */
    /* Ordinal number of the first held point, see T4 in vt_timeline.c. */
    uint64_t held_first;
    /* 1 + ordinal number of the last held point; equal to held_first if no point is held. */
    uint64_t held_end;
};

/* Source of the data that the model supplies for an LP at each point. */
struct vt_source {
    const st_model_types *types; /* callbacks of the model; NULL: no data */
    struct vt_pool *pool;        /* pool for captures of the LP */
    uint32_t size;               /* size of the model's data in bytes; 0 if types is NULL */
    uint32_t payload_type;
    bool by_event; /* true if sample_event_fn supplies the data, false if model_stat_fn does */
    /* True if the data are those of the point before, unless the LP has executed events since that
     * point, and if there are no data. */
    bool holds;
    /* True if, once `taken` is set, points before which the LP has committed no events since the point
     * before are left out. Only if the data hold; set by the caller, before any event. */
    bool lags;
};

/* A virtual time at which all LPs are sampled. */
struct vt_point {
    uint64_t number;
    double ts;
};

struct vt_timeline {
    struct vt_lp *lps; /* owned; [i]: state of local LP i */
    struct vt_points points;
    /* Owned; [i]: source of the data of local LP i. */
    struct vt_source *sources;
    /* Not owned; [i]: local LP i. */
    tw_lp *const *lp_list;
    tw_lpid n_lps;
    struct vt_pool *pools; /* owned; n_pools entries, one for each size of captures */
    size_t n_pools;
    size_t bytes_max;       /* maximum size of an LP's data in bytes, padded to a multiple of 8 */
    unsigned char *scratch; /* owned; temporary memory for two payloads of bytes_max bytes */
    bool is_off;            /* true after memory was exhausted, see T5 in vt_timeline.c */
    /* Points between which the latest event that crossed one lies, and number of the later one. */
    double from, to;
    uint64_t after;
    /* Ordinal number of the point taken last; 0: until all LPs were taken at a point, none is left
     * out. Set by the caller. */
    uint64_t taken;
};

/* Payload slots of the local LPs. Each array is indexed by local LP id; NULL: no payloads. */
struct vt_slots {
    const struct payload_slot *sample; /* payloads of sample_event_fn, which takes precedence */
    const struct payload_slot *stat;   /* payloads of model_stat_fn */
};

/*
 * Creates a timeline for the n_lps LPs in lps. `lps` and the arrays of `slots` must outlive the
 * timeline. Returns TW_OK or TW_ERR_MEMORY. Release with vt_timeline_fini().
 */
enum tw_status vt_timeline_init(struct vt_timeline *timeline, tw_lp *const *lps, tw_lpid n_lps,
                                struct vt_slots slots, struct vt_points points);

/* Adds to the probes of table the functions that follow the LPs; on == false: removes them. */
void vt_timeline_attach(struct vt_timeline *timeline, struct probe_table *table, bool on);

/* Makes point `next` the first point that the LP `of` has not crossed. */
static inline void vt_timeline_set_next(const struct vt_timeline *timeline, struct vt_lp *of,
                                        uint64_t next)
{
    assert(next >= 1);
    of->next = next;
    of->next_ts =
        next <= timeline->points.last ? vt_points_ts(&timeline->points, next) : (double)INFINITY;
}

/*
 * Takes the state of a local LP at the final point `at`, before which no event can arrive or be
 * undone any more. Must be called once for each point and LP, in order of points, except that points
 * of LPs that lag are left out, see struct vt_source. Must not be called if is_off. bytes: 8-aligned
 * space for the LP's payload and its padding to a multiple of 8. Returns the number of events that the
 * LP has committed since the previous call.
 */
uint64_t vt_timeline_take(struct vt_timeline *timeline, tw_lpid lp, const struct vt_point *at,
                          void *bytes);

/* Skips all points up to and including point `number`. Must be called before any event is
 * executed. */
void vt_timeline_begin_after(struct vt_timeline *timeline, uint64_t number);
void vt_timeline_fini(struct vt_timeline *timeline);

/* Returns true if the invariants hold. taken: ordinal number of the point taken last. */
bool vt_timeline_check(const struct vt_timeline *timeline, uint64_t taken);

#endif
