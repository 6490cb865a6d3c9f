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
 * Invariants of what comes out: (1) ascending by PE, then by time; (2) slices of a thread nest: of
 * any two, one contains the other or they do not overlap; (3) BEGIN and END of a thread are paired;
 * (4) both ends of a flow are at a slice's beginning, follow its BEGIN at once, and the sender's
 * time is not later.
 *
 * Memory: three sorters of SORTER_MEMORY and an index of the blocks of one PE (timeline_read.c); a
 * temporary file takes some 400 bytes per event where they do not fit.
 */
#ifndef WARPSCOPE_READER_TIMELINE_H
#define WARPSCOPE_READER_TIMELINE_H

#include "select.h"
#include "survey.h"

enum ws_moment_kind {
    WS_MOMENT_BEGIN = 0, /* of a slice; its duration is known */
    WS_MOMENT_FLOW_OUT,  /* from the slice that has just begun */
    WS_MOMENT_FLOW_IN,   /* to it */
    WS_MOMENT_END,       /* of the thread's innermost slice */
    WS_MOMENT_COUNTER
};

enum ws_moment_flags {
    WS_MOMENT_UNDONE = 1,   /* the execution was undone later */
    WS_MOMENT_ROLLBACK = 2, /* the slice is a rollback, not an event */
    WS_MOMENT_RECORD = 4    /* ... that was recorded as such: undone and cause are known */
};

enum ws_counter { WS_COUNTER_GVT = 0, WS_COUNTER_PENDING, WS_COUNTER_ROLLBACKS, WS_COUNTERS };
extern const char *const ws_counter_names[WS_COUNTERS];

/* Times in nanoseconds. */
struct ws_moment {
    int64_t time, duration;
    uint64_t
        id; /* of a slice: its number within its PE; of a flow: the same at both ends, from 1 */
    double value; /* of a counter */
    uint32_t pe, kp;
    uint32_t name; /* of a slice: number in the timeline's names */
    uint8_t kind, flags;
    uint8_t counter, cause;
    /* of slices only */
    uint64_t lp, src_lp, undone;
    double recv_ts, send_ts; /* as recorded; send_ts of a rollback: where the KP was before */
};

struct ws_timeline_options {
    bool is_virtual;   /* by virtual time */
    double unit_s;     /* virtual: seconds in the viewer for one unit of virtual time */
    double longest_us; /* wall clock: no slice is longer; 0: 8 times the PE's average */
};

/* Takes the moments in order; false ends. */
typedef bool (*ws_moment_f)(const struct ws_moment *moment, void *ctx);

struct ws_timeline {
    struct ws_timeline_options options;
    struct ws_select *select;  /* borrowed */
    struct ws_survey *evtrace; /* borrowed; gvt and rt may be NULL */
    struct ws_survey *gvt, *rt;
    const char **names; /* owned, as are the texts */
    uint32_t n_names;
    uint64_t left_out; /* records with times that cannot be shown */
    uint64_t slices, flows;
    struct ws_timeline_work *work; /* while it is made */
};

/* False: failed (which was said), interrupted, or fn ended it. Free in any case. */
bool ws_timeline_init(struct ws_timeline *timeline);
bool ws_timeline_run(struct ws_timeline *timeline, ws_moment_f fn, void *ctx);
void ws_timeline_free(struct ws_timeline *timeline);

#endif
