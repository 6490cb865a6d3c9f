/*
 * vt_timeline.h - the states of this PE's LPs at exact virtual times, in spite of rollback.
 *
 * Sampling point k is at the time k * interval, k = 1, 2, ... A sample there is the LP's state
 * after all its committed events before that time and before all others. Until it is final it is
 * kept with the LP (vt_capture.h).
 */
#ifndef WARPSCOPE_RECORD_VT_TIMELINE_H
#define WARPSCOPE_RECORD_VT_TIMELINE_H

#include "base/status.h"
#include "engine/probe.h"
#include "record/payload_types.h"
#include "record/vt_capture.h"

/* One LP: one cache line, of which an event reads two members and writes one. */
struct vt_lp {
    _Alignas(64) double next_ts; /* of point next; INFINITY: there is none */
    uint64_t events;             /* executed, those undone not counted */
    uint64_t next;               /* first point that the LP has not crossed */
    struct vt_queue captures;    /* of the points before, as far as they are not taken yet */
    uint64_t taken_events;       /* value of events at the point that was taken last */
    uint64_t held_first;         /* points taken from captures that were made before event number */
    uint64_t held_end;           /* taken_events + 1, see T4 */
};

/* What the model is asked for at each point. */
struct vt_source {
    const st_model_types *types; /* NULL: nothing */
    struct vt_pool *pool;        /* captures of the LP */
    uint32_t size;               /* bytes of the model, 0 when types is NULL */
    uint32_t payload_type;
    bool by_event; /* sample_event_fn, otherwise model_stat_fn */
};

/* A time at which all LPs are sampled. */
struct vt_point {
    uint64_t number;
    double ts;
};

struct vt_timeline {
    struct vt_lp *lps; /* by local number */
    double interval;
    uint64_t last;         /* last sampling point of the run */
    uint64_t awaited;      /* the point to be taken next */
    double awaited_ts;     /* of the least event before which it was captured; INFINITY: none */
    bool awaited_is_known; /* awaited_ts is right, else to be looked for */
    struct vt_source *sources;
    tw_lp *const *lp_list;
    tw_lpid n_lps;
    struct vt_pool *pools; /* one for each size */
    size_t n_pools;
    size_t bytes_max;       /* largest size of a source, padded */
    unsigned char *scratch; /* 2 * bytes_max */
    bool is_off;            /* memory has run out, see T6 */
};

/* What kind of data each LP gives; by local number, NULL: no LP gives any. */
struct vt_slots {
    const struct payload_slot *sample; /* of sample_event_fn: has precedence */
    const struct payload_slot *stat;   /* of model_stat_fn */
};

/*
 * For these LPs, points 1 to last. lps and what slots point to must outlive the timeline.
 * TW_ERR_MEMORY. Undo with vt_timeline_fini().
 */
enum tw_status vt_timeline_init(struct vt_timeline *timeline, tw_lp *const *lps, tw_lpid n_lps,
                                struct vt_slots slots, double interval, uint64_t last);

/* Sets the probes by which the LPs are followed. */
void vt_timeline_attach(struct vt_timeline *timeline, struct probe_table *table);

/* Number of the last point at or before ts, at most last. */
uint64_t vt_timeline_points_until(const struct vt_timeline *timeline, double ts);

static inline double vt_timeline_ts(const struct vt_timeline *timeline, uint64_t number)
{
    return (double)number * timeline->interval;
}

/* The next point that an LP has not crossed. */
static inline void vt_timeline_set_next(const struct vt_timeline *timeline, struct vt_lp *of,
                                        uint64_t next)
{
    of->next = next;
    of->next_ts = next <= timeline->last ? vt_timeline_ts(timeline, next) : (double)INFINITY;
}

/*
 * Has a LP executed an event at or past point number, the one to be taken next, and before gvt?
 * Then the point is before the last committed event of the run, whatever still happens.
 */
bool vt_timeline_is_passed(struct vt_timeline *timeline, uint64_t number, double gvt);

/* Last point that a LP of this PE has crossed and that was not taken from all; 0: there is none.
 * When is_off: or that one of its KPs has reached. */
uint64_t vt_timeline_crossed(const struct vt_timeline *timeline);

/* Has a LP executed events, not undone, that are in none of the points taken? */
bool vt_timeline_has_untaken_events(const struct vt_timeline *timeline);

/*
 * The state of a local LP at a point, which is final: no event before it can come any more, none is
 * undone. To be called once for each point in order, for each LP, unless is_off. bytes: 8-aligned,
 * room for the source's size padded to 8. Returns the events committed since the point before.
 */
uint64_t vt_timeline_take(struct vt_timeline *timeline, tw_lpid lp, const struct vt_point *at,
                          void *bytes);

/* Before anything is executed: points up to this one are past, nothing will be captured for them.
 */
void vt_timeline_begin_after(struct vt_timeline *timeline, uint64_t number);
void vt_timeline_fini(struct vt_timeline *timeline);

/* Aborts with a message when an invariant is broken; taken: number of the last point taken. */
void vt_timeline_check(const struct vt_timeline *timeline, uint64_t taken);

#endif
