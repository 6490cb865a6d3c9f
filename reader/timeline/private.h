/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * private.h - declarations that only the files of timeline/ share. A timeline is made in these
 * stages:
 *
 *     read.c              reads the records of a PE, the last first; finds undone executions
 *        work->records    sorts the records, as moments without an end, by time
 *     layout.c            makes slices from the records
 *     moments.c           adds the slices to the sorters work->joins and work->moments
 *        work->joins      sorts the slices by LP and time, to make flows from them
 *        work->moments    sorts all moments by PE and time; timeline.c passes them to the caller
 *     tasks.c             collects the data of each task, and sorts tasks by place and beginning;
 *                         makes tracks and slices from the tasks, and their steps and flows
 */
#ifndef WARPSCOPE_READER_TIMELINE_PRIVATE_H
#define WARPSCOPE_READER_TIMELINE_PRIVATE_H

#include <stddef.h>

#include "cli/messages.h"
#include "order/sorter.h"
#include "timeline/timeline.h"

#define SORTER_MEMORY ((size_t)16 << 20)
/* Prepares a sorter, which sorts no more entries at once than caches hold: that is faster. */
static inline void tl_sorter_init(struct ws_sorter *sorter, uint32_t key_size, size_t data_max)
{
    ws_sorter_init(sorter, key_size, data_max, SORTER_MEMORY / 4);
    sorter->memory = SORTER_MEMORY;
}

/* Flag of a moment, beside enum ws_moment_flags: the user's selection excludes the record. Such
 * moments are not handed out. */
#define TL_LEFT_OUT 0x80u

/*
 * Kinds of names in ws_timeline.names: for events, undone events, and rollbacks. The first TL_NAMES
 * names are for slices without a payload description. Then each payload description has TL_NAMES
 * names.
 */
enum tl_name { TL_NAME_EVENT = 0, TL_NAME_UNDONE, TL_NAME_ROLLBACK, TL_NAMES };

/* Returns the index of a slice's name in ws_timeline.names. desc: number of the payload
 * description, counted from 1; 0: none. */
static inline uint32_t tl_name(size_t desc, enum tl_name name)
{
    return (uint32_t)desc * TL_NAMES + (uint32_t)name;
}
/* Returns the number, counted from 1, of the payload description to which the name with the index
 * `number` belongs; 0: none. */
static inline size_t tl_name_desc(uint32_t number)
{
    return number / TL_NAMES;
}

#define TL_KPS_MAX ((uint32_t)1 << 20) /* records of KPs from this number on are left out */

struct ws_timeline_work {
    struct ws_sorter records; /* sorts the records of one PE */
    struct ws_sorter joins;
    struct ws_sorter moments;
    uint32_t pe;         /* current PE */
    int64_t longest;     /* maximum length of a slice of the PE, in ns */
    uint64_t next_slice; /* number of the PE's next slice */
    struct kp *kps;      /* owned; [KP]: its state, for layout.c */
    size_t kps_room;
    struct group *group; /* owned; records that wait in layout.c */
    /* Owned; [description of model data * values_max + field]: number of the counter, for values.c. */
    uint32_t *value_counters;
    uint32_t values_max; /* maximum number of fields of a description */
    bool failed;         /* true after an error, for which a message was printed */
};

/* Reads the records of the PE work->pe, and sets work->longest. Adds the records to work->records,
 * or passes them to tl_layout_take() if they are in order already. Like the functions below,
 * returns false after an error message or on an interrupt. */
bool tl_read_pe(struct ws_timeline *t);
/* Prepares work->records, and allocates the state of layout.c, before the records of a PE are
 * read. */
bool tl_layout_begin(struct ws_timeline *t);
/* Frees what tl_layout_begin() made. Must be called after the layout of a PE, even after an error. */
void tl_layout_end(struct ws_timeline *t);
/* Processes the next record in the order of time, for a timeline by wall clock. */
bool tl_layout_take(struct ws_timeline *t, const struct ws_moment *record);
/* Completes the layout of a PE. Adds the slices of the records in work->records, and of the records
 * that wait, to work->moments and work->joins. */
bool tl_layout_pe(struct ws_timeline *t);
/* Finds the slice that sent the event of each slice in work->joins. Adds both ends of the flow
 * between the two slices to work->moments. */
bool tl_flows_join(struct ws_timeline *t);
/* Adds to work->moments the values that the engine's counters have on all PEs. */
bool tl_counters_add(struct ws_timeline *t);
/* Adds to work->moments the values that the counters of model data have on all PEs. */
bool tl_values_add(struct ws_timeline *t);
/* Sets the names of all counters. */
bool tl_counters_init(struct ws_timeline *t);
void tl_counters_fini(struct ws_timeline *t);
/* Size in bytes of the keys of work->records, and offset of the time in them. */
#define TL_RECORDS_KEY  20u
#define TL_RECORDS_TIME 4u
/* Prepares the sorters work->joins and work->moments. */
void tl_moments_init(struct ws_timeline *t);

/* Maximum size in bytes of the data of a slice in a sorter. */
#define TL_SLICE_MAX (sizeof(struct ws_moment) + WS_EVENT_PAYLOAD_MAX)
/* Adds the members of a slice from `duration` on, and its payload, to a sorter. */
bool tl_slice_put(struct ws_sorter *sorter, const uint8_t *key, const struct ws_moment *slice);
/* Sets these members of *slice from `data`, an entry that tl_slice_put() has made. The payload points
 * into the entry. */
void tl_slice_get(const struct ws_timeline *t, struct ws_moment *slice, const uint8_t *data);

/* Adds a slice of the current PE, whose other members are set, to work->moments, and to work->joins
 * if it is an event. Does nothing if the slice is to be left out. */
bool tl_slice_add(struct ws_timeline *t, struct ws_moment *slice, int64_t end);
/* Adds the value of a counter to work->moments, unless it is not finite. id: orders values at the same
 * time. */
bool tl_counter_add(struct ws_timeline *t, uint32_t pe, int64_t time, uint64_t id, uint32_t counter,
                    double value);
/* Returns the moment that an entry of work->moments encodes. The moment points into `data` and, if
 * it belongs to a task, to *task, which the function fills. */
struct ws_moment tl_moment_read(const struct ws_timeline *t, const uint8_t *key,
                                const uint8_t *data, struct ws_moment_task *task);
/* Adds a flow between the beginnings of two slices. Of sender and receiver, only the members pe,
 * kp, time and id (number of the slice) are used. */
bool tl_flow_add(struct ws_timeline *t, const struct ws_moment *sender,
                 const struct ws_moment *receiver);

/* ---- Tasks ----------------------------------------------------------------------------------- */

/* Maximum size in bytes of a packed task: its struct, then its strings. */
#define TL_TASK_MAX (sizeof(struct ws_moment_task) + 4 * (WS_TASKS_TEXT + 1))
/* Packs a task and its strings into bytes at `to`. Returns the number of bytes. */
size_t tl_task_pack(uint8_t *to, const struct ws_moment_task *task);
/* Unpacks the task that tl_task_pack() has stored at `from`. Its strings point into `from`. */
void tl_task_unpack(struct ws_moment_task *task, const uint8_t *from);
/* Adds the BEGIN of a task, or a step of a task, to work->moments. sequence: number of the step,
 * which orders steps of a task at the same time. */
bool tl_task_moment_add(struct ws_timeline *t, const struct ws_moment *moment,
                        const struct ws_moment_task *task, uint32_t sequence);

/* Adds the tasks of the run, if they were recorded, to work->moments. */
bool tl_tasks_add(struct ws_timeline *t);
/* Converts a time in units of unit_s seconds to nanoseconds. Returns false if the result is
 * negative or too large. */
bool tl_ns(double time, double unit_s, int64_t *ns);

#endif
