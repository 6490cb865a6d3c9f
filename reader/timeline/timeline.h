/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * timeline.h - a recorded run as a timeline, for trace viewers. Each PE is a process, each KP one
 * of its threads, and each execution (or commit) of an event a slice. Flows come from the event's
 * sender. Rollbacks are slices too, and values of the PE are counters.
 *
 * By wall clock a slice begins when the event was executed. Its end is not recorded: it is the
 * beginning of the next event of the PE, on any KP, but at most `longest` later. A slice therefore
 * includes the engine's work between two events. Events of one clock reading (event_trace.c) share
 * the time up to the next reading evenly. By virtual time a slice begins at the event's receive
 * time. It ends with the next event of the KP that was not undone; the last one has no length.
 *
 * The order of a KP's executions shows which were undone: a later execution has an earlier time, or
 * the event is executed again (limits: read.c). By virtual time such executions have no length. By
 * wall clock a rollback is a slice around the executions that follow it: from the straggler until
 * the KP has reached its former time again. Rollbacks within it are nested. Records of rollbacks
 * (--event-trace=2) are slices of one microsecond per undone event, up to the next record of the
 * PE. By virtual time they span the undone interval, cut off where the enclosing rollback ends.
 *
 * A flow goes to the receiver from the sender's last execution before the receiver's. By virtual
 * time that is the last one that was not undone. LP and time identify the sender's event. If
 * several events of one LP have that time, the choice among them is arbitrary.
 *
 * Tasks of the model (a trace of tasks) have virtual times only, and appear by virtual time only.
 * Tasks on the LPs of a PE form a process of their own, after the processes of the PEs. Each place
 * of a LP is a track, or several tracks if tasks overlap (lanes.h): a slice contains another only
 * if it is its parent. A task that has not ended lasts until the end of the run. Flows go from a
 * task to its children on other tracks. A child that begins after the previous child's end gets its
 * flow from that one: the hops of a packet, for example, form one path. Steps are moments on the
 * track of their task, not before its beginning.
 *
 * Invariants of the output:
 * 1. Moments ascend by process, then by time.
 * 2. Slices of a thread nest: of any two, one contains the other or they do not overlap.
 * 3. BEGIN and END of a thread are paired.
 * 4. Both ends of a flow are at a slice's beginning and follow its BEGIN directly. The sender's
 *    time is not later.
 *
 * Memory: three sorters of SORTER_MEMORY and an index of the blocks of one PE (read.c), later one
 * sorter and three of half the size (tasks.c), and some 500 bytes for each open task. A temporary
 * file takes some 400 bytes per event, and 1 KiB per task, if they do not fit into memory.
 */
#ifndef WARPSCOPE_READER_TIMELINE_TIMELINE_H
#define WARPSCOPE_READER_TIMELINE_TIMELINE_H

#include "access/record_file.h"
#include "access/select.h"
#include "tasks/tasks.h"

enum ws_moment_kind {
    WS_MOMENT_BEGIN = 0, /* a slice begins, of known duration */
    WS_MOMENT_FLOW_OUT,  /* a flow leaves from the slice that has just begun */
    WS_MOMENT_FLOW_IN,   /* a flow arrives at the slice that has just begun */
    WS_MOMENT_END,       /* the thread's innermost slice ends */
    WS_MOMENT_COUNTER,
    WS_MOMENT_STEP /* a step of a task */
};

enum ws_moment_flags {
    WS_MOMENT_UNDONE = 1,   /* the execution was undone later */
    WS_MOMENT_ROLLBACK = 2, /* the slice is a rollback, not an event */
    /* Only with WS_MOMENT_ROLLBACK: the rollback was recorded, so that `undone` and its cause are
     * known. */
    WS_MOMENT_RECORD = 4,
    WS_MOMENT_TASK = 8 /* set for all moments of tasks */
};

/* Data of a task. A step has the id of its task, and its text in `what`. */
struct ws_moment_task {
    struct ws_task_id id, parent;
    double start, end; /* virtual times as recorded */
    uint32_t lane;     /* lane among the tracks of the task's place, from 0 on */
    bool is_open;      /* true if the task has not ended; `end` is then the end of the run */
    const char *kind, *what, *where;
    const char *detail; /* details that the model added to the task */
};

/* Counters of every timeline. Counters of phases and of the model's values follow. Their number is
 * limited, and further ones are left out. */
enum ws_counter { WS_COUNTER_GVT = 0, WS_COUNTER_PENDING, WS_COUNTER_ROLLBACKS, WS_COUNTERS };
#define WS_COUNTERS_MAX 250u

/* A moment of the timeline. Times are in nanoseconds. */
struct ws_moment {
    int64_t time, duration;
    /* Number of a slice within its PE; number of a flow, from 1 on, equal at both ends. */
    uint64_t id;
    double value;  /* value of a counter */
    uint32_t pe;   /* number of the process: that of the PE; for tasks, n_pes plus that of the PE */
    uint32_t kp;   /* number of the KP; for tasks, number of the track */
    uint32_t name; /* number of a slice's name in the timeline's names */
    uint8_t kind, flags;
    uint8_t counter, cause;
    /* Members of slices only. */
    uint64_t lp, src_lp, undone;
    /* Virtual times as recorded; in a rollback, send_ts is the time of the KP before it. */
    double recv_ts, send_ts;
    /* Members that are valid only during the call of ws_moment_f. */
    const struct ws_moment_task *task;   /* task, for slices and steps of tasks */
    const struct fmt_payload_desc *desc; /* description of an event's payload; NULL: no payload */
    const uint8_t *payload;              /* payload of an event */
};

struct ws_timeline_options {
    bool is_virtual;   /* true for a timeline by virtual time, false by wall clock */
    double unit_s;     /* for virtual time: seconds in the viewer per unit of virtual time */
    double longest_us; /* for wall clock: longest slice in us; 0: 8 times the average of the PE */
};

/* Longest payload in bytes; longer ones are not shown. */
#define WS_EVENT_PAYLOAD_MAX ((size_t)64 << 10)

/* Called with each moment, in order. Returns false to end the timeline. */
typedef bool (*ws_moment_f)(const struct ws_moment *moment, void *ctx);

struct ws_timeline {
    struct ws_timeline_options options;
    struct ws_select *select; /* borrowed; selection of records */
    struct ws_file *base;     /* borrowed; file with the facts of the run */
    /* Borrowed; record files by stream; NULL: missing. */
    struct ws_file *evtrace, *gvt, *rt, *task, *model;
    uint32_t n_pes;
    const char **names; /* owned; names of slices, with their strings */
    uint32_t n_names;
    char **counters; /* owned; names of counters, first those of enum ws_counter */
    uint32_t n_counters;
    /* Number of records that were omitted because their times are out of range. */
    uint64_t left_out;
    /* Number of tasks without a lane, since too many tasks of their place overlap. */
    uint64_t crowded;
    uint64_t slices, flows, steps;
    struct ws_timeline_work *work; /* state while the timeline is made */
};

/* ws_timeline_init() prepares the timeline; ws_timeline_run() makes it and calls fn for each
 * moment. Both return false after an error, which was printed, on an interrupt, or if fn has ended
 * the timeline. The timeline must be freed in any case. */
bool ws_timeline_init(struct ws_timeline *timeline);
bool ws_timeline_run(struct ws_timeline *timeline, ws_moment_f fn, void *ctx);
void ws_timeline_free(struct ws_timeline *timeline);

#endif
