/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * timeline.h - a recorded run as a timeline, for viewers of traces: each PE a process, each KP one
 * of its threads, each execution (or commit) of an event a slice, with flows from the event that
 * sent it, rollbacks, and counters of the PE.
 *
 * By wall clock a slice begins when the event was executed. Its end is not recorded: it is the
 * beginning of the next event of the same PE, whichever KP that belongs to, but at most `longest`
 * later. So a slice includes what the engine did between two events. Events that share a clock
 * reading (event_trace.c) share the time up to the next reading evenly. By virtual time a slice
 * begins at the event's time of receipt and ends with the next event of the same KP that was not
 * undone; the last one has no length.
 *
 * That an execution was undone follows from the order of a KP's executions: one that comes later
 * with an earlier time, or the same event again (timeline_read.c: what cannot be told). By virtual
 * time such executions have no length. By wall clock a rollback is a slice around what follows it:
 * from the event that came too late until the KP has reached the time again at which it had been.
 * Rollbacks within it are nested. Records of rollbacks (--event-trace=2) are slices of one
 * microsecond per event undone, up to the next record of the PE; by virtual time they go from where
 * the KP went back to to where it was, cut off where the rollback around them ends.
 *
 * A flow goes from the execution of the sender that was the last before the receiver's execution
 * (by virtual time: that was not undone), to the receiver. Sender and time tell which execution;
 * where several events of one LP have the same time, it is one of them.
 *
 * Tasks of the model (a trace of tasks) have virtual times only, and are there by virtual time.
 * Those that live on the LPs of a PE are a process of their own, behind those of the PEs. Each
 * place of a LP is a track of it, or as many as there are tasks that overlap (lanes.h): a slice
 * contains what lies inside it only if it is the parent of that. A task that has not ended goes on
 * until the run ends. Flows go from a task to its children on other tracks; to a child that begins
 * when the one before it has ended, from that one: so the life of a packet, hop by hop, is one
 * path. Steps are moments on the track of their task, not before its beginning.
 *
 * Invariants of what comes out: (1) ascending by process, then by time; (2) slices of a thread
 * nest: of any two, one contains the other or they do not overlap; (3) BEGIN and END of a thread
 * are paired; (4) both ends of a flow are at a slice's beginning, follow its BEGIN at once, and the
 * sender's time is not later.
 *
 * Memory: three sorters of SORTER_MEMORY and an index of the blocks of one PE (timeline_read.c),
 * and later a sorter and three of half of it (timeline_tasks.c); some 500 bytes for each task that
 * is under way at a time. A temporary file takes some 400 bytes per event, and 1 KiB per task,
 * where they do not fit.
 */
#ifndef WARPSCOPE_READER_TIMELINE_TIMELINE_H
#define WARPSCOPE_READER_TIMELINE_TIMELINE_H

#include "access/record_file.h"
#include "access/select.h"
#include "tasks/tasks.h"

enum ws_moment_kind {
    WS_MOMENT_BEGIN = 0, /* of a slice; its duration is known */
    WS_MOMENT_FLOW_OUT,  /* from the slice that has just begun */
    WS_MOMENT_FLOW_IN,   /* to it */
    WS_MOMENT_END,       /* of the thread's innermost slice */
    WS_MOMENT_COUNTER,
    WS_MOMENT_STEP /* of a task */
};

enum ws_moment_flags {
    WS_MOMENT_UNDONE = 1,   /* the execution was undone later */
    WS_MOMENT_ROLLBACK = 2, /* the slice is a rollback, not an event */
    WS_MOMENT_RECORD = 4,   /* ... that was recorded as such: undone and cause are known */
    WS_MOMENT_TASK = 8      /* all moments of tasks */
};

/* What a task shows; of a step: id, and what is the step. */
struct ws_moment_task {
    struct ws_task_id id, parent;
    double start, end; /* virtual times as recorded */
    uint32_t lane;     /* of the tracks of the task's place, from 0 */
    bool is_open;      /* it has not ended; end: when the run did */
    const char *kind, *what, *where;
    const char *detail; /* what the model told besides */
};

/* The counters that every timeline has. Behind them come those of phases and of the model's
 * values, whose number is limited; what is beyond is left out. */
enum ws_counter { WS_COUNTER_GVT = 0, WS_COUNTER_PENDING, WS_COUNTER_ROLLBACKS, WS_COUNTERS };
#define WS_COUNTERS_MAX 250u

/* Times in nanoseconds. */
struct ws_moment {
    int64_t time, duration;
    uint64_t
        id; /* of a slice: its number within its PE; of a flow: the same at both ends, from 1 */
    double value;  /* of a counter */
    uint32_t pe;   /* number of the process: of tasks, n_pes and the PE */
    uint32_t kp;   /* or the number of the track of tasks */
    uint32_t name; /* of a slice: number in the timeline's names */
    uint8_t kind, flags;
    uint8_t counter, cause;
    /* of slices only */
    uint64_t lp, src_lp, undone;
    double recv_ts, send_ts; /* as recorded; send_ts of a rollback: where the KP was before */
    /* While the moment is handed out: */
    const struct ws_moment_task *task;   /* of tasks' slices and steps */
    const struct fmt_payload_desc *desc; /* of events: what the model recorded of them; NULL: it */
    const uint8_t *payload;              /* told nothing */
};

struct ws_timeline_options {
    bool is_virtual;   /* by virtual time */
    double unit_s;     /* virtual: seconds in the viewer for one unit of virtual time */
    double longest_us; /* wall clock: no slice is longer; 0: 8 times the PE's average */
};

#define WS_EVENT_PAYLOAD_MAX ((size_t)64 << 10) /* bytes; what is larger is not shown */

/* Takes the moments in order; false ends. */
typedef bool (*ws_moment_f)(const struct ws_moment *moment, void *ctx);

struct ws_timeline {
    struct ws_timeline_options options;
    struct ws_select *select; /* borrowed */
    struct ws_file *base;     /* borrowed; of which the facts of the run are taken */
    struct ws_file *evtrace, *gvt, *rt, *task, *model; /* borrowed; NULL where there is none */
    uint32_t n_pes;
    const char **names; /* owned, as are the texts */
    uint32_t n_names;
    char **counters; /* owned: their names, enum ws_counter first */
    uint32_t n_counters;
    uint64_t left_out; /* records with times that cannot be shown */
    uint64_t crowded;  /* tasks that overlap with too many others of their place */
    uint64_t slices, flows, steps;
    struct ws_timeline_work *work; /* while it is made */
};

/* False: failed (which was said), interrupted, or fn ended it. Free in any case. */
bool ws_timeline_init(struct ws_timeline *timeline);
bool ws_timeline_run(struct ws_timeline *timeline, ws_moment_f fn, void *ctx);
void ws_timeline_free(struct ws_timeline *timeline);

#endif
