/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * timeline.h - shows a recorded run as a timeline, for trace viewers. Each PE is a process, each KP
 * is a thread of its PE, and each execution (or commit) of an event is a slice. A flow connects the
 * slice that sent an event to the slice of the event. Rollbacks are slices, too. Values of the PE
 * are counters.
 *
 * By wall clock, a slice begins when the event was executed. Since the end of the execution is not
 * recorded, the slice ends when the next event of the PE begins, on any KP, but has a maximum
 * length (longest_us). A slice therefore includes the engine's work between two events. Events with
 * the same clock reading (event_trace.c) share the time up to the next reading evenly. By virtual
 * time, a slice begins at the receive time of the event, and ends at that of the KP's next event
 * that was not undone. The last slice of a KP has no length.
 *
 * The order of a KP's executions shows which of them were undone. An execution was undone if a
 * later one has an earlier time, or executes the same event again (for the limits of this rule, see
 * read.c). By virtual time, undone executions have no length. By wall clock, a rollback is a slice
 * around the executions that follow it: from the straggler until the KP has reached its former time
 * again. Rollbacks within this slice are nested. Records of rollbacks (--event-trace=2) are slices
 * of one microsecond per undone event, at most up to the next record of the PE. By virtual time,
 * they span the undone interval, but end no later than the rollback that encloses them.
 *
 * A flow leads from the execution of the sending event to that of the sent event. If the sending
 * event was executed several times, the flow begins at the last execution before that of the sent
 * event. By virtual time, it begins at the last execution that was not undone, if there is one. The
 * LP and the receive time identify the sending event. If several events of the LP have that time,
 * the choice among them is arbitrary.
 *
 * Tasks of the model (a trace of tasks) have only virtual times, and so appear only in timelines by
 * virtual time. The tasks on the LPs of a PE form an additional process, after the processes of the
 * PEs. Each place of an LP is a track, or several tracks if its tasks overlap (lanes.h): in a
 * track, the slice of a task contains only slices of its descendants. A task that has not ended
 * lasts until the end of the run. Flows go from a task to its children on other tracks. If a child
 * begins after the end of the previous child, its flow comes from the previous child: the hops of a
 * packet, for example, form one path. Steps are moments on the track of their task, at or after its
 * beginning.
 *
 * Invariants of the output:
 * 1. Moments are in ascending order of processes, and of times in each process.
 * 2. Slices of a thread nest: of any two, one contains the other or they do not overlap.
 * 3. Each BEGIN in a thread has an END.
 * 4. Both ends of a flow are at the beginning of a slice and follow its BEGIN directly. The
 *    sender's time is not later than the receiver's.
 *
 * Memory: three sorters of SORTER_MEMORY bytes and an index of the blocks of one PE (read.c). While
 * tasks are processed, one sorter of this size, three of half the size (tasks.c), and about 500
 * bytes for each open task. If events or tasks do not fit into memory, a temporary file takes about
 * 400 bytes per event and 1 KiB per task.
 */
#ifndef WARPSCOPE_READER_TIMELINE_TIMELINE_H
#define WARPSCOPE_READER_TIMELINE_TIMELINE_H

#include "access/record_file.h"
#include "access/select.h"
#include "figures/tasks.h"

enum ws_moment_kind {
    WS_MOMENT_BEGIN = 0, /* a slice begins; `duration` is set */
    WS_MOMENT_FLOW_OUT,  /* a flow leaves from the slice that has just begun */
    WS_MOMENT_FLOW_IN,   /* a flow arrives at the slice that has just begun */
    WS_MOMENT_END,       /* the thread's innermost slice ends */
    WS_MOMENT_COUNTER,
    WS_MOMENT_STEP /* a step of a task */
};

enum ws_moment_flags {
    WS_MOMENT_UNDONE = 1,   /* the execution was undone later */
    WS_MOMENT_ROLLBACK = 2, /* the slice is a rollback, not an event */
    /* Only with WS_MOMENT_ROLLBACK: the rollback has a record, so that the members `undone` and
     * `cause` are known. */
    WS_MOMENT_RECORD = 4,
    WS_MOMENT_TASK = 8,    /* the moment belongs to a task */
    WS_MOMENT_PAYLOAD = 16 /* the slice has a payload that is shown */
};

/* Data of a task. For a step of a task: `id` is the id of the task, and `what` is the text of the
 * step. */
struct ws_moment_task {
    struct ws_task_id id, parent;
    double start, end; /* virtual times as recorded */
    uint32_t pe;       /* the PE that recorded the task */
    uint32_t lane;     /* number of the track among the tracks of the task's place, from 0 */
    bool is_open;      /* true if the task has not ended; `end` is then the end of the run */
    const char *kind, *what, *where;
    const char *detail; /* details that the model added to the task; "": none */
};

/* Counters of every timeline. Counters for phases of the engine and for model values come after
 * them. There are at most WS_COUNTERS_MAX counters; further ones are omitted. */
enum ws_counter { WS_COUNTER_GVT = 0, WS_COUNTER_PENDING, WS_COUNTER_ROLLBACKS, WS_COUNTERS };
#define WS_COUNTERS_MAX 250u

/* A moment of the timeline. Times are in nanoseconds. */
struct ws_moment {
    int64_t time;
    /* Of a slice: its number in its process. Of a flow: its number, counted from 1, equal at both
     * ends. */
    uint64_t id;
    double value; /* value of a counter */
    uint32_t pe;  /* number of the process: the PE; for tasks, n_pes plus the PE */
    uint8_t kind, counter;
    /* The members from here to `undone` belong to slices; kp and flags to others as well. */
    int64_t duration;
    uint64_t lp, src_lp;
    /* Virtual times as recorded; for a rollback, send_ts is the time of the KP before it. */
    double recv_ts, send_ts;
    uint32_t kp;   /* number of the KP; for tasks, number of the track */
    uint32_t name; /* index of the slice's name in the names of struct ws_timeline */
    uint8_t flags, cause;
    uint64_t undone;
    /* Members that are valid only during the call of ws_moment_f. */
    const struct ws_moment_task *task;   /* data of the task, or of its step; NULL: no task */
    const struct fmt_payload_desc *desc; /* description of an event's payload; NULL: no payload */
    const uint8_t *payload;              /* payload of an event */
};

struct ws_timeline_options {
    bool is_virtual; /* true for a timeline by virtual time, false by wall clock */
    double unit_s;   /* for virtual time: seconds in the viewer per unit of virtual time */
    /* For wall clock: maximum length of a slice in us. 0: 8 times the mean time between the records
     * of the PE. */
    double longest_us;
    bool without_ends; /* true if the caller does not need the ENDs of slices */
};

/* Maximum size of a payload in bytes; larger payloads are not shown. */
#define WS_EVENT_PAYLOAD_MAX ((size_t)64 << 10)

/* Receives each moment, in order. Returns false to end the timeline. */
typedef bool (*ws_moment_f)(const struct ws_moment *moment, void *ctx);

struct ws_timeline {
    struct ws_timeline_options options;
    struct ws_select *select; /* borrowed; the user's selection of records */
    struct ws_file *base;     /* borrowed; record file from which the facts of the run are taken */
    /* Borrowed; the record file of each stream; NULL: missing. */
    struct ws_file *evtrace, *gvt, *rt, *task, *model;
    uint32_t n_pes;
    const char **names; /* owned, as are the strings; names of slices */
    uint32_t n_names;
    struct ws_intern counters; /* names of counters, beginning with those of enum ws_counter */
    /* Number of records that were omitted because their times are out of range. */
    uint64_t left_out;
    /* Number of tasks that were omitted because too many tasks of their place overlap. */
    uint64_t crowded;
    uint64_t slices, flows, steps;
    struct ws_timeline_work *work; /* state while the timeline is made */
};

/* Prepares the timeline. The caller must have set `options` and the borrowed members, and zeroed
 * the other members. Returns false after an error message. Call ws_timeline_free() at the end, also
 * after an error. */
bool ws_timeline_init(struct ws_timeline *timeline);
/* Makes the timeline and calls fn for each moment. Returns false after an error message, on an
 * interrupt, or if fn has ended the timeline. */
bool ws_timeline_run(struct ws_timeline *timeline, ws_moment_f fn, void *ctx);
void ws_timeline_free(struct ws_timeline *timeline);

#endif
