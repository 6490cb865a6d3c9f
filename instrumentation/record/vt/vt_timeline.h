/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * vt_timeline.h - the states of this PE's LPs at exact virtual times, in spite of rollback.
 *
 * Sampling point k is at the time k * interval, k = 1, 2, ... A sample there is the LP's state
 * after exactly its committed events before that time. Until the sample is final, it is kept with
 * the LP (vt_capture.h).
 */
#ifndef WARPSCOPE_RECORD_VT_VT_TIMELINE_H
#define WARPSCOPE_RECORD_VT_VT_TIMELINE_H

#include <assert.h>

#include "base/status.h"
#include "engine/probe.h"
#include "record/describe/payload_types.h"
#include "record/vt/vt_capture.h"

/* State of one LP, in one cache line. An event reads two of these members and writes one. */
struct vt_lp {
    _Alignas(64) double next_ts; /* virtual time of point `next`; INFINITY: no further point */
    uint64_t events;             /* number of events executed, without undone ones */
    uint64_t next;               /* first point that the LP has not crossed */
    struct vt_undo_log captures; /* captures of points that are not taken yet */
    uint64_t taken_events;       /* value of `events` at the last point that was taken */
    uint64_t held_first;         /* number of the first held point, see T4 in vt_timeline.c */
    uint64_t held_end;           /* number after that of the last held point */
};

/* The source of the data that a model supplies for an LP at each point. */
struct vt_source {
    const st_model_types *types; /* callbacks of the model; NULL: no data */
    struct vt_pool *pool;        /* pool for captures of the LP */
    uint32_t size;               /* size of the model's data in bytes; 0 if types is NULL */
    uint32_t payload_type;
    bool by_event; /* true: sample_event_fn supplies the data; false: model_stat_fn */
};

/* A virtual time at which all LPs are sampled. */
struct vt_point {
    uint64_t number;
    double ts;
};

struct vt_timeline {
    struct vt_lp *lps; /* [n_lps] states of the local LPs */
    double interval;
    uint64_t last;    /* number of the last sampling point of the run */
    uint64_t awaited; /* number of the point to be taken next */
    /* Least receive time of the events that caused captures of point `awaited`; INFINITY: none. */
    double awaited_ts;
    bool awaited_is_known; /* true if awaited_ts is up to date */
    struct vt_source *sources;
    tw_lp *const *lp_list;
    tw_lpid n_lps;
    struct vt_pool *pools; /* one pool for each size of captures */
    size_t n_pools;
    size_t bytes_max;       /* largest size of a model's data in bytes, padded to a multiple of 8 */
    unsigned char *scratch; /* temporary memory for two payloads of bytes_max bytes */
    bool is_off;            /* true after memory was exhausted, see T6 in vt_timeline.c */
};

/* Payload slots of the local LPs, indexed by local LP id; NULL: no payloads. */
struct vt_slots {
    const struct payload_slot *sample; /* payloads of sample_event_fn, which takes precedence */
    const struct payload_slot *stat;   /* payloads of model_stat_fn */
};

/*
 * Creates a timeline of points 1 to last for these LPs. lps and the arrays of slots must outlive
 * the timeline. Returns TW_OK or TW_ERR_MEMORY. Release with vt_timeline_fini().
 */
enum tw_status vt_timeline_init(struct vt_timeline *timeline, tw_lp *const *lps, tw_lpid n_lps,
                                struct vt_slots slots, double interval, uint64_t last);

/* Adds functions to the probes that follow the LPs. */
void vt_timeline_attach(struct vt_timeline *timeline, struct probe_table *table);

/* Removes the functions of vt_timeline_attach() from the probes. */
void vt_timeline_detach(struct vt_timeline *timeline, struct probe_table *table);

/* Returns the number of the last point at or before ts, at most last. */
uint64_t vt_timeline_points_until(const struct vt_timeline *timeline, double ts);

static inline double vt_timeline_ts(const struct vt_timeline *timeline, uint64_t number)
{
    return (double)number * timeline->interval;
}

/* Sets the next point that an LP has not crossed. */
static inline void vt_timeline_set_next(const struct vt_timeline *timeline, struct vt_lp *of,
                                        uint64_t next)
{
    assert(next >= 1);
    of->next = next;
    of->next_ts = next <= timeline->last ? vt_timeline_ts(timeline, next) : (double)INFINITY;
}

/*
 * Returns true if an LP of this PE has executed an event at or past point `number`, which is the
 * next to be taken, and before gvt. That event is committed, so the run does not end before the
 * point.
 */
bool vt_timeline_is_passed(struct vt_timeline *timeline, uint64_t number, double gvt);

/* Returns the latest point that an LP of this PE has crossed and that has not been taken from all
 * LPs; 0 if there is none. If is_off, the times that the KPs of this PE have reached count as
 * well. */
uint64_t vt_timeline_crossed(const struct vt_timeline *timeline);

/* Returns true if an LP has executed events, not undone, after the last point taken from it. */
bool vt_timeline_has_untaken_events(const struct vt_timeline *timeline);

/*
 * Takes the state of a local LP at a final point, before which no event can arrive or be undone any
 * more. Call it once per point and LP, in order of points, unless is_off. bytes: 8-aligned space
 * for the LP's payload and its padding to a multiple of 8. Returns the number of events committed
 * since the previous point.
 */
uint64_t vt_timeline_take(struct vt_timeline *timeline, tw_lpid lp, const struct vt_point *at,
                          void *bytes);

/* Skips all points up to `number`. Call it before any event is executed. */
void vt_timeline_begin_after(struct vt_timeline *timeline, uint64_t number);
void vt_timeline_fini(struct vt_timeline *timeline);

/* Aborts with a message if an invariant is violated. taken: number of the last point taken. For
 * tests. */
void vt_timeline_check(const struct vt_timeline *timeline, uint64_t taken);

#endif
