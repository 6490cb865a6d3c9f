/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * private.h - the steps that make a timeline, between the files timeline*.c.
 *
 *     timeline_read.c     the records of a PE, the last first; which executions were undone
 *        work->records    ... sorted by time
 *     timeline_layout.c   slices
 *     timeline_moments.c  what goes into work->moments
 *        work->joins      ... sorted by LP and time, for flows: timeline_flows.c
 *        work->moments    ... and everything sorted by PE and time: timeline.c
 *     timeline_tasks.c    tasks with all that is known of each, sorted by place and beginning
 *     timeline_places.c   their tracks and slices; their steps and flows
 */
#ifndef WARPSCOPE_READER_TIMELINE_PRIVATE_H
#define WARPSCOPE_READER_TIMELINE_PRIVATE_H

#include <stddef.h>

#include "order/sorter.h"
#include "timeline/timeline.h"

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
    uint32_t payload_size;
    const uint8_t *payload; /* borrowed; what the model recorded of the event, if it is described */
};
/* Names of slices: those that every timeline has, then two per payload type. */
#define TL_NAMES_OWN 3u /* "event", "event undone", "rollback" */

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
    struct group *group; /* of the layout */
    bool failed;         /* that was said */
};

/* Says "out of memory" once; false. */
bool tl_no_memory(struct ws_timeline *t);

/* Sets work->longest, and puts the records of work->pe into work->records, or hands them to
 * tl_layout_take() where they are in order. */
bool tl_read_pe(struct ws_timeline *t);
/* Around the others: */
bool tl_layout_begin(struct ws_timeline *t);
void tl_layout_end(struct ws_timeline *t);
/* By wall clock: the next record. */
bool tl_layout_take(struct ws_timeline *t, const struct tl_record *record);
/* Takes them from work->records, puts slices into work->moments and work->joins, and those of the
 * last records. */
bool tl_layout_pe(struct ws_timeline *t);
/* Joins; puts the ends of flows into work->moments. */
bool tl_flows_join(struct ws_timeline *t);
/* Counters of all PEs into work->moments; those of the model's values. */
bool tl_counters_add(struct ws_timeline *t);
bool tl_values_add(struct ws_timeline *t);
/* Names of counters. */
bool tl_counters_init(struct ws_timeline *t);
void tl_counters_fini(struct ws_timeline *t);
/* The counter of a phase; TL_NO_COUNTER: the field is none. */
#define TL_NO_COUNTER UINT32_MAX
uint32_t tl_phase_counter(struct ws_timeline *t, const struct fmt_field *field);

/* Begin the sorters. */
void tl_records_init(struct ws_timeline *t);
void tl_joins_init(struct ws_timeline *t);
void tl_moments_init(struct ws_timeline *t);

/* A record out of work->records, which it borrows. */
void tl_record_read(struct tl_record *record, const uint8_t *data);

/* A slice into work->moments, and into work->joins if it is an event; record: what it shows. */
bool tl_slice_add(struct ws_timeline *t, const struct tl_record *record, uint64_t number,
                  int64_t begin, int64_t end);
bool tl_join_add(struct ws_timeline *t, const struct tl_record *record, const struct ws_moment *m);
/* A counter, or an end of a flow. */
bool tl_moment_add(struct ws_timeline *t, const struct ws_moment *moment);
/* A moment out of work->moments, whose data it borrows; a task's things go to *task. */
struct ws_moment tl_moment_read(const struct ws_timeline *t, const uint8_t *key,
                                const uint8_t *data, struct ws_moment_task *task);
/* A flow between the beginnings of two slices, of which pe, kp, time and id (its number) are
 * used. */
bool tl_flow_add(struct ws_timeline *t, const struct ws_moment *sender,
                 const struct ws_moment *receiver);

/* ---- Tasks ----------------------------------------------------------------------------------- */

/* A task as a string of bytes without pointers: its numbers, then its texts. Of at most so many: */
#define TL_TASK_MAX (sizeof(struct ws_moment_task) + 4 * (WS_TASKS_TEXT + 1))
size_t tl_task_pack(uint8_t *to, const struct ws_moment_task *task);
/* The texts stay where they are. */
void tl_task_unpack(struct ws_moment_task *task, const uint8_t *from);
/* A slice (after tl_slice_add()) or step of a task into work->moments. sequence: steps of one time
 * and task are in the order of it. */
bool tl_task_moment_add(struct ws_timeline *t, const struct ws_moment *moment,
                        const struct ws_moment_task *task, uint32_t sequence);

/* The sorters that tasks go through. */
struct tl_tasking {
    struct ws_timeline *t;
    struct ws_sorter tasks;  /* by place and beginning; a PE and a task each */
    struct ws_sorter joints; /* by task: its place, its steps, its children */
    uint64_t n;              /* put into joints so far */
};
#define TL_PLACE_SIZE 44u /* bytes of a key of tasks that tell the place */
#define TL_TASKS_KEY  (TL_PLACE_SIZE + 32u)
#define TL_JOINTS_KEY 41u
enum tl_joint { TL_JOINT_PLACE = 0, TL_JOINT_STEP, TL_JOINT_CHILD };
struct tl_joint_data { /* a step's task follows it */
    uint32_t pe, track;
    uint64_t number; /* of the slice */
    int64_t time, end;
};
#define TL_JOINT_MAX (sizeof(struct tl_joint_data) + TL_TASK_MAX)
bool tl_joint_add(struct tl_tasking *w, struct ws_task_id id, enum tl_joint kind,
                  const struct tl_joint_data *data, const struct ws_moment_task *step);

/* The trace of tasks, if there is one, into work->moments. */
bool tl_tasks_add(struct ws_timeline *t);
/* Slices out of w->tasks; then steps and flows out of w->joints. */
bool tl_places_layout(struct tl_tasking *w);
bool tl_joints_read(struct tl_tasking *w);

/* A time as nanoseconds, scaled; false: it cannot be shown. */
bool tl_ns(double time, double unit_s, int64_t *ns);

#endif
