/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * private.h - the steps that make a timeline, shared by the files of timeline/ only.
 *
 *     read.c              the records of a PE, the last first; finds executions that were undone
 *        work->records    ... sorted by time
 *     layout.c            slices
 *     moments.c           input of work->moments
 *        work->joins      ... sorted by LP and time, for flows: flows.c
 *        work->moments    ... all moments sorted by PE and time: timeline.c
 *     tasks.c             tasks with all their data, sorted by place and beginning
 *     places.c            their tracks and slices; their steps and flows
 */
#ifndef WARPSCOPE_READER_TIMELINE_PRIVATE_H
#define WARPSCOPE_READER_TIMELINE_PRIVATE_H

#include <stddef.h>

#include "order/sorter.h"
#include "timeline/timeline.h"

#define SORTER_MEMORY ((size_t)16 << 20)

/* A record of an event or a rollback. */
struct tl_record {
    int64_t time;   /* time on the timeline */
    int64_t real;   /* wall clock, ns */
    uint64_t order; /* ordinal number of the record within the PE */
    uint64_t lp, src_lp, undone;
    double recv_ts, send_ts; /* send_ts of a rollback: kp_ts */
    uint32_t kp, name;
    uint8_t flags, cause;
    bool chosen; /* true if the user's options choose the record */
    uint32_t payload_size;
    const uint8_t *payload; /* borrowed; the model's values of the event, if they are described */
};
/*
 * Names of slices: events, undone events, and rollbacks. Those without a payload type come first;
 * then those of each description of the event trace, as many each.
 */
enum tl_name { TL_NAME_EVENT = 0, TL_NAME_UNDONE, TL_NAME_ROLLBACK, TL_NAMES };

/* Returns the number of a name; desc: number of the description from 1, 0 for none. */
static inline uint32_t tl_name(size_t desc, enum tl_name name)
{
    return (uint32_t)desc * TL_NAMES + (uint32_t)name;
}
/* Returns the number of the description that a name belongs to, from 1; 0 for none. */
static inline size_t tl_name_desc(uint32_t number)
{
    return number / TL_NAMES;
}

/* States of a PE's KPs, each of size bytes, zeroed on first use. */
struct tl_kps {
    void **states; /* owned */
    size_t n;
    size_t size;
};
#define TL_KPS_MAX ((uint32_t)1 << 20)
void tl_kps_init(struct tl_kps *kps, size_t size);
/* Returns NULL if out of memory, or for a KP number beyond TL_KPS_MAX. */
void *tl_kps_at(struct tl_kps *kps, uint32_t kp);
void tl_kps_free(struct tl_kps *kps);

struct ws_timeline_work {
    struct ws_sorter records; /* records of one PE */
    struct ws_sorter joins;
    struct ws_sorter moments;
    uint32_t pe;         /* current PE */
    int64_t longest;     /* longest slice of the PE, ns */
    uint64_t n_records;  /* records of the PE so far */
    uint64_t next_slice; /* number of the PE's next slice */
    struct tl_kps kps;
    struct group *group; /* state of layout.c */
    bool failed;         /* true after a message */
};

/* Prints "out of memory" once. Returns false. */
bool tl_no_memory(struct ws_timeline *t);

/* Sets work->longest. Puts the records of work->pe into work->records, or passes them to
 * tl_layout_take() if they are in order. */
bool tl_read_pe(struct ws_timeline *t);
/* Called before the first PE and after the last one. */
bool tl_layout_begin(struct ws_timeline *t);
void tl_layout_end(struct ws_timeline *t);
/* By wall clock: takes the next record. */
bool tl_layout_take(struct ws_timeline *t, const struct tl_record *record);
/* Reads work->records. Puts slices into work->moments and work->joins, including those of the last
 * records. */
bool tl_layout_pe(struct ws_timeline *t);
/* Joins senders and receivers. Puts the ends of flows into work->moments. */
bool tl_flows_join(struct ws_timeline *t);
/* Add the counters of all PEs, and those of the model's values, to work->moments. */
bool tl_counters_add(struct ws_timeline *t);
bool tl_values_add(struct ws_timeline *t);
/* Makes the names of counters. */
bool tl_counters_init(struct ws_timeline *t);
void tl_counters_fini(struct ws_timeline *t);
/* Number of the counter of a phase; TL_NO_COUNTER if the field has no counter. */
#define TL_NO_COUNTER UINT32_MAX
uint32_t tl_phase_counter(struct ws_timeline *t, const struct fmt_field *field);

/* Prepare the sorters. */
void tl_records_init(struct ws_timeline *t);
void tl_joins_init(struct ws_timeline *t);
void tl_moments_init(struct ws_timeline *t);

/* Decodes a record of work->records. The record borrows from data. */
void tl_record_read(struct tl_record *record, const uint8_t *data);

/* Adds a slice to work->moments, and to work->joins if it is an event. record: its contents. */
bool tl_slice_add(struct ws_timeline *t, const struct tl_record *record, uint64_t number,
                  int64_t begin, int64_t end);
bool tl_join_add(struct ws_timeline *t, const struct tl_record *record, const struct ws_moment *m);
/* Adds a counter, or an end of a flow. */
bool tl_moment_add(struct ws_timeline *t, const struct ws_moment *moment);
/* Decodes a moment of work->moments. The moment borrows from the data. *task: receives the data of
 * a task. */
struct ws_moment tl_moment_read(const struct ws_timeline *t, const uint8_t *key,
                                const uint8_t *data, struct ws_moment_task *task);
/* Adds a flow between the beginnings of two slices. Only pe, kp, time and id (number of the slice)
 * are used. */
bool tl_flow_add(struct ws_timeline *t, const struct ws_moment *sender,
                 const struct ws_moment *receiver);

/* ---- Tasks ----------------------------------------------------------------------------------- */

/* A task as bytes without pointers: its numbers, then its strings. Maximum size: */
#define TL_TASK_MAX (sizeof(struct ws_moment_task) + 4 * (WS_TASKS_TEXT + 1))
size_t tl_task_pack(uint8_t *to, const struct ws_moment_task *task);
/* The strings remain in `from`. */
void tl_task_unpack(struct ws_moment_task *task, const uint8_t *from);
/* Adds a slice (after tl_slice_add()) or step of a task to work->moments. sequence: orders steps of
 * one time and task. */
bool tl_task_moment_add(struct ws_timeline *t, const struct ws_moment *moment,
                        const struct ws_moment_task *task, uint32_t sequence);

/* The sorters of tasks. */
struct tl_tasking {
    struct ws_timeline *t;
    struct ws_sorter tasks;  /* by place and beginning; data: PE and task */
    struct ws_sorter joints; /* by task: its place, its steps, its children */
    uint64_t n;              /* entries of joints so far */
};
#define TL_PLACE_SIZE 44u /* bytes of the place in a key of tasks */
#define TL_TASKS_KEY  (TL_PLACE_SIZE + 32u)
#define TL_JOINTS_KEY 41u
enum tl_joint { TL_JOINT_PLACE = 0, TL_JOINT_STEP, TL_JOINT_CHILD };
struct tl_joint_data { /* the task of a step follows it */
    uint32_t pe, track;
    uint64_t number; /* number of the slice */
    int64_t time, end;
};
#define TL_JOINT_MAX (sizeof(struct tl_joint_data) + TL_TASK_MAX)
bool tl_joint_add(struct tl_tasking *w, struct ws_task_id id, enum tl_joint kind,
                  const struct tl_joint_data *data, const struct ws_moment_task *step);

/* Adds the trace of tasks, if there is one, to work->moments. */
bool tl_tasks_add(struct ws_timeline *t);
/* Reads slices from w->tasks, then steps and flows from w->joints. */
bool tl_places_layout(struct tl_tasking *w);
bool tl_joints_read(struct tl_tasking *w);

/* Converts a time to nanoseconds, scaled. Returns false if the result is out of range. */
bool tl_ns(double time, double unit_s, int64_t *ns);

#endif
