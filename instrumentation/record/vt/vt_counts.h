/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * vt_counts.h - numbers of committed events between sampling points, of each LP and KP.
 *
 * An event counts when it is retired, so no count is ever taken back. GVT may pass several points
 * at once, and KPs commit one after another. Events are therefore counted for the point that
 * follows them: point k has the events from point k - 1 on, its own time excluded. The counts of a
 * point have entries only for LPs with events, and none at all if only KPs are counted.
 */
#ifndef WARPSCOPE_RECORD_VT_VT_COUNTS_H
#define WARPSCOPE_RECORD_VT_VT_COUNTS_H

#include <stdbool.h>

#include "base/status.h"
#include "engine/probe.h"
#include "record/vt/vt_points.h"

/* Number of an LP's events before a point, since the point before. */
struct vt_count {
    uint64_t gid;
    uint64_t events;
    uint32_t lp;   /* local LP id */
    uint32_t rank; /* place of the LP in the order of gids */
    uint32_t kp;
};

/* Events before point `number`, since the point before. */
struct vt_count_set {
    struct vt_count_set *later;
    /* The set has the events with from <= receive time < to. */
    double from, to;
    uint64_t number;
    struct vt_count *lps; /* owned; n_lps entries: the LPs with events, if LPs are counted */
    uint32_t n_lps;
    size_t capacity;
    /* [k]: events of KP k; before vt_counts_take() only those that count for no LP. */
    uint64_t kps[];
};

/* The set to which an LP's last event was added. */
struct vt_cursor {
    uint32_t number; /* of the set, modulo 2^32; 0: none */
    uint32_t at;     /* index of the LP's entry */
};

/* Zero-initialised counts count nothing. */
struct vt_counts {
    struct vt_points points;
    uint64_t done;   /* number of the last point that was taken; earlier events do not count */
    uint64_t latest; /* largest number of a set so far; 0: none */
    struct vt_count_set *now;    /* set of the last event */
    struct vt_count_set *oldest; /* sets with events, in ascending order of `number` */
    struct vt_count_set *spare;  /* a set for the next point; NULL: none */
    struct vt_count_set *past;   /* set for events that do not count */
    tw_kpid n_kps;
    tw_lpid n_lps;
    struct vt_cursor *cursors; /* owned; [i]: local LP i; NULL: only KPs are counted */
    /* Not owned; [i]: place of local LP i in the order of gids; NULL: this is i. */
    const uint32_t *ranks;
    /* Owned; for sorting: an index for each rank, and bits of the ranks, all 0 between sorts. */
    uint32_t *places;
    uint64_t *seen;
    bool is_off; /* true after memory was exhausted; counts are incomplete then */
};

/* Initialises counts of n_kps KPs and, if by_lp is true, of n_lps LPs, with `ranks` as above. ranks
 * must outlive the counts. Returns TW_OK or TW_ERR_MEMORY. Release with vt_counts_fini(). */
enum tw_status vt_counts_init(struct vt_counts *counts, struct vt_points points, tw_kpid n_kps,
                              tw_lpid n_lps, const uint32_t *ranks, bool by_lp);
void vt_counts_fini(struct vt_counts *counts);

/* Adds the counting function to the probes of table; on == false: removes it. */
void vt_counts_attach(struct vt_counts *counts, struct probe_table *table, bool on);

/* Skips all points up to and including point `number`, before any event. */
void vt_counts_begin_after(struct vt_counts *counts, uint64_t number);

/* Adds n events to the next point, before any event: of an LP or, if of_kp is true, of its KP, for
 * which no LP counts. */
void vt_counts_add(struct vt_counts *counts, const tw_lp *lp, uint64_t n, bool of_kp);

/* Return the number of events of a local LP, or of those events of a KP that count for no LP, since
 * the point taken last. All events until now must be before the next point. */
uint64_t vt_counts_of_lp(const struct vt_counts *counts, tw_lpid lp);
uint64_t vt_counts_of_kp(const struct vt_counts *counts, tw_kpid kp);

/* Returns true if an event at or past point `number` has committed. number: the next point. */
static inline bool vt_counts_are_past(const struct vt_counts *counts, uint64_t number)
{
    return counts->latest > number;
}

/* Returns true if events have committed since the point taken last. */
static inline bool vt_counts_are_left(const struct vt_counts *counts)
{
    return counts->oldest != NULL;
}

/* Takes the next point, whose events have all committed. Returns its counts; NULL if there are no
 * events, or if is_off. in_order: puts the LPs into ascending order of gids. The counts are valid
 * until the next call. */
const struct vt_count_set *vt_counts_take(struct vt_counts *counts, bool in_order);

/* Returns true if the invariants hold. */
bool vt_counts_check(const struct vt_counts *counts);

#endif
