/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * private.h - declarations that only the files of timeline/ share. The steps are:
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
    int64_t real;   /* wall-clock time in ns */
    uint64_t order; /* ordinal number of the record within the PE */
    uint64_t lp, src_lp, undone;
    double recv_ts, send_ts; /* virtual times; in a rollback, send_ts is the field kp_ts */
    uint32_t kp, name;
    uint8_t flags, cause;
    bool chosen; /* true if the user's options choose the record */
    uint32_t payload_size;
    /* Borrowed; model values of the event, if a description exists; otherwise NULL. */
    const uint8_t *payload;
};
/*
 * Kinds of names of slices: for events, undone events, and rollbacks. The first TL_NAMES names are
 * for slices without a payload type; then each payload description has TL_NAMES names.
 */
enum tl_name { TL_NAME_EVENT = 0, TL_NAME_UNDONE, TL_NAME_ROLLBACK, TL_NAMES };

/* Returns the number of a slice's name. desc: number of the payload description, from 1 on; 0:
 * none. */
static inline uint32_t tl_name(size_t desc, enum tl_name name)
{
    return (uint32_t)desc * TL_NAMES + (uint32_t)name;
}
/* Returns the number of the description that a name belongs to, from 1 on; 0 if it belongs to
 * none. */
static inline size_t tl_name_desc(uint32_t number)
{
    return number / TL_NAMES;
}

/* State of each KP of a PE. A state has `size` bytes, zeroed on first use. */
struct tl_kps {
    void **states; /* owned; state by number of KP */
    size_t n;
    size_t size;
};
#define TL_KPS_MAX ((uint32_t)1 << 20)
void tl_kps_init(struct tl_kps *kps, size_t size);
/* Returns the state of a KP; NULL if memory is exhausted or kp exceeds TL_KPS_MAX. */
void *tl_kps_at(struct tl_kps *kps, uint32_t kp);
void tl_kps_free(struct tl_kps *kps);

struct ws_timeline_work {
    struct ws_sorter records; /* sorts the records of one PE */
    struct ws_sorter joins;
    struct ws_sorter moments;
    uint32_t pe;         /* current PE */
    int64_t longest;     /* longest slice of the PE, in ns */
    uint64_t n_records;  /* number of records of the PE so far */
    uint64_t next_slice; /* number of the PE's next slice */
    struct tl_kps kps;
    struct group *group; /* state of layout.c */
    bool failed;         /* true after an error, which was printed */
};

/* Prints "out of memory" once. Returns false. */
bool tl_no_memory(struct ws_timeline *t);

/* Reads the records of a PE. Sets work->longest. Puts the records of work->pe into work->records,
 * or passes them to tl_layout_take() if they are in order. */
bool tl_read_pe(struct ws_timeline *t);
/* Allocate and free the state of layout.c. Called before the first PE and after the last one. */
bool tl_layout_begin(struct ws_timeline *t);
void tl_layout_end(struct ws_timeline *t);
/* Processes the next record, for a timeline by wall clock. */
bool tl_layout_take(struct ws_timeline *t, const struct tl_record *record);
/* Lays out a PE: reads work->records, and puts slices into work->moments and work->joins, including
 * those of the last records. */
bool tl_layout_pe(struct ws_timeline *t);
/* Finds the sender of each received event. Puts the ends of flows into work->moments. */
bool tl_flows_join(struct ws_timeline *t);
/* Add the counters of all PEs, and counters for model values, to work->moments. */
bool tl_counters_add(struct ws_timeline *t);
bool tl_values_add(struct ws_timeline *t);
/* Sets the names of the counters. Returns false if memory is exhausted. */
bool tl_counters_init(struct ws_timeline *t);
void tl_counters_fini(struct ws_timeline *t);
/* Returns the number of the counter for the phase that a field measures; TL_NO_COUNTER if the field
 * has no counter. */
#define TL_NO_COUNTER UINT32_MAX
uint32_t tl_phase_counter(struct ws_timeline *t, const struct fmt_field *field);

/* Prepare the sorters of records and of moments. */
void tl_records_init(struct ws_timeline *t);
void tl_joins_init(struct ws_timeline *t);
void tl_moments_init(struct ws_timeline *t);

/* Decodes a record of work->records. The record points into data. */
void tl_record_read(struct tl_record *record, const uint8_t *data);

/* Adds a slice to work->moments, and to work->joins if it is an event. record: contents of the
 * slice. */
bool tl_slice_add(struct ws_timeline *t, const struct tl_record *record, uint64_t number,
                  int64_t begin, int64_t end);
bool tl_join_add(struct ws_timeline *t, const struct tl_record *record, const struct ws_moment *m);
/* Adds a moment to work->moments: a counter, or an end of a flow. */
bool tl_moment_add(struct ws_timeline *t, const struct ws_moment *moment);
/* Decodes a moment of work->moments. The moment points into data and *task. *task: receives the
 * data of a task. */
struct ws_moment tl_moment_read(const struct ws_timeline *t, const uint8_t *key,
                                const uint8_t *data, struct ws_moment_task *task);
/* Adds a flow between the beginnings of two slices. sender, receiver: only pe, kp, time and id
 * (number of the slice) are used. */
bool tl_flow_add(struct ws_timeline *t, const struct ws_moment *sender,
                 const struct ws_moment *receiver);

/* ---- Tasks ----------------------------------------------------------------------------------- */

/* Largest size of a task as bytes without pointers: its numbers, then its strings. */
#define TL_TASK_MAX (sizeof(struct ws_moment_task) + 4 * (WS_TASKS_TEXT + 1))
size_t tl_task_pack(uint8_t *to, const struct ws_moment_task *task);
/* Reads a task from these bytes. Its strings point into `from`. */
void tl_task_unpack(struct ws_moment_task *task, const uint8_t *from);
/* Adds a slice (after tl_slice_add()) or step of a task to work->moments. sequence: orders the
 * steps of a task at one time. */
bool tl_task_moment_add(struct ws_timeline *t, const struct ws_moment *moment,
                        const struct ws_moment_task *task, uint32_t sequence);

/* The sorters for tasks. */
struct tl_tasking {
    struct ws_timeline *t;
    struct ws_sorter tasks;  /* tasks by place and beginning; data: PE and task */
    struct ws_sorter joints; /* for each task: its place, its steps, its children */
    uint64_t n;              /* number of entries of joints so far */
};
#define TL_PLACE_SIZE 44u /* bytes of the place in a key of `tasks` */
#define TL_TASKS_KEY  (TL_PLACE_SIZE + 32u)
#define TL_JOINTS_KEY 41u
enum tl_joint { TL_JOINT_PLACE = 0, TL_JOINT_STEP, TL_JOINT_CHILD };
struct tl_joint_data { /* The task of a step follows this struct. */
    uint32_t pe, track;
    uint64_t number; /* number of the slice of the task */
    int64_t time, end;
};
#define TL_JOINT_MAX (sizeof(struct tl_joint_data) + TL_TASK_MAX)
bool tl_joint_add(struct tl_tasking *w, struct ws_task_id id, enum tl_joint kind,
                  const struct tl_joint_data *data, const struct ws_moment_task *step);

/* Adds the tasks of the run, if they were recorded, to work->moments. */
bool tl_tasks_add(struct ws_timeline *t);
/* Lays out all tasks: reads slices from w->tasks, then steps and flows from w->joints. */
bool tl_places_layout(struct tl_tasking *w);
bool tl_joints_read(struct tl_tasking *w);

/* Converts a time to nanoseconds, of unit_s seconds per unit. Returns false if the result does not
 * fit. */
bool tl_ns(double time, double unit_s, int64_t *ns);

#endif
