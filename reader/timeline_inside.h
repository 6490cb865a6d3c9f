/*
 * timeline_inside.h - the steps that make a timeline, between the files timeline*.c.
 *
 *     timeline_read.c     the records of a PE, the last first; which executions were undone
 *        work->records    ... sorted by time
 *     timeline_layout.c   slices
 *        work->joins      ... sorted by LP and time, for flows: timeline_flows.c
 *        work->moments    ... and everything sorted by PE and time: timeline.c
 */
#ifndef WARPSCOPE_READER_TIMELINE_INSIDE_H
#define WARPSCOPE_READER_TIMELINE_INSIDE_H

#include <stddef.h>

#include "sorter.h"
#include "timeline.h"

#define SORTER_MEMORY ((size_t)16 << 20)

/* A record of an event or a rollback. */
struct tl_record {
    int64_t time;   /* on the timeline */
    int64_t real;   /* wall clock, ns */
    uint64_t order; /* of its recording within the PE */
    uint64_t lp, src_lp, undone;
    double recv_ts, send_ts; /* of a rollback: kp_ts */
    uint32_t kp, name;
    uint8_t flags, cause;
    bool chosen; /* by the user's selection */
};

/* States of a PE's KPs, each of size bytes, zeroed when it is met first. */
struct tl_kps {
    void **states; /* owned */
    uint32_t n;
    size_t size;
};
#define TL_KPS_MAX ((uint32_t)1 << 20)
void tl_kps_init(struct tl_kps *kps, size_t size);
/* NULL: no memory, or a number that no run has. */
void *tl_kps_at(struct tl_kps *kps, uint32_t kp);
void tl_kps_free(struct tl_kps *kps);

struct ws_timeline_work {
    struct ws_sorter records; /* of one PE */
    struct ws_sorter joins;
    struct ws_sorter moments;
    uint32_t pe;         /* at hand */
    int64_t longest;     /* ns; of its slices */
    uint64_t n_records;  /* of the PE so far */
    uint64_t next_slice; /* number of the PE's next one */
    struct tl_kps kps;
    bool failed; /* that was said */
};

/* Says "out of memory" once; false. */
bool tl_no_memory(struct ws_timeline *t);

/* Puts the records of work->pe into work->records, and sets work->longest. */
bool tl_read_pe(struct ws_timeline *t);
/* Takes them from there, and puts slices into work->moments and work->joins. */
bool tl_layout_pe(struct ws_timeline *t);
/* Joins; puts the ends of flows into work->moments. */
bool tl_flows_join(struct ws_timeline *t);
/* Counters of all PEs into work->moments. */
bool tl_counters_add(struct ws_timeline *t);

/* A slice into work->moments, and into work->joins if it is an event; record: what it shows. */
bool tl_slice_add(struct ws_timeline *t, const struct tl_record *record, uint64_t number,
                  int64_t begin, int64_t end);
bool tl_join_add(struct ws_timeline *t, const struct tl_record *record, const struct ws_moment *m);
bool tl_moment_add(struct ws_timeline *t, const struct ws_moment *moment);

/* A time as nanoseconds, scaled; false: it cannot be shown. */
bool tl_ns(double time, double unit_s, int64_t *ns);

#endif
