/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * times.h - the times of handlers as weights of events: the one measure of load by time, which analyze,
 * advise and partition share.
 *
 * An event weighs what its handler took. If that was not measured, or the handler was interrupted, the
 * event weighs as much as the mean of the other events of its LP type and kind. The kind is the value of
 * the first field of the payload whose values have names. A handler was interrupted if it took more than
 * 20 times the median of its type and kind while the system gave the processor to another thread: the
 * recorder then marks the time by a negative number. Recordings of earlier versions have no marks; there,
 * a handler that took a millisecond or more, a usual time slice, counts as marked. In long traces, means
 * and medians come from some of the blocks of each PE, evenly spread, with some 4,000 times or more.
 *
 * Memory: 16 KiB per LP type and kind while the times are read.
 */
#ifndef WARPSCOPE_READER_ANALYZE_TIMES_H
#define WARPSCOPE_READER_ANALYZE_TIMES_H

#include "access/record_file.h"

/* Smallest sum of the times of handlers, in seconds, that is reliable. With less, events are counted
 * instead. */
#define ANALYZE_TIME_LEAST 0.02

/* The kinds of events of a payload description: groups first to first + n - 1. A zero-initialised one
 * stands for events without a description. */
struct analyze_kinds {
    const struct fmt_payload_desc *desc;
    const struct fmt_payload_field *field; /* states the kind; NULL: there is one kind */
    uint32_t first, n;
};

struct analyze_times {
    bool is_timed;   /* true if the times of some or all handlers were measured */
    bool is_sampled; /* true if the times of some handlers were not measured */
    bool is_long;    /* true if these sum up to at least ANALYZE_TIME_LEAST */
    bool is_typical; /* true to give each event the median of its type and kind */
    bool is_marked;  /* true if the recorder marked handlers that were possibly interrupted */
    int64_t least;   /* times from 0 to this are never replaced */
    bool has_kinds;  /* true if the weight of an event may depend on its payload */
    uint64_t
        interrupted; /* number of handlers that were interrupted, counted by analyze_event_time() */
    struct analyze_kinds
        *kinds; /* owned; [0]: events without a description; [1 + i]: description i */
    const struct fmt_desc_set *descs; /* borrowed */
    uint32_t n_groups;
    double *medians, *means; /* owned; [group]: in ns */
    /* Owned; [pe]: time of an event of the PE, relative to the median of its type and kind on all PEs; 0:
     * not known. NULL: not asked for. */
    double *pe_costs;
};

/* Reads the times in the events of an open file, `time` and `type` being the indices of the fields handler_time
 * and payload_type; -1: missing. typical: value for is_typical. pe_costs: true to find these. Returns
 * false if memory is exhausted. The caller must call analyze_times_free() in either case. */
bool analyze_times_find(struct analyze_times *times, struct ws_file *file,
                        const struct fmt_schema *schema, int32_t time, int32_t type, bool typical,
                        bool pe_costs);
void analyze_times_free(struct analyze_times *times);

/* The same for an event whose time may have to be replaced. */
uint64_t analyze_event_time_judge(struct analyze_times *times, int64_t time, uint32_t type,
                                  const uint8_t *payload, size_t payload_size);
/* Returns the median time of an event's LP type and kind in ns. times->has_kinds must be as
 * analyze_times_find() set it for `typical`. */
double analyze_event_typical(const struct analyze_times *times, uint32_t type,
                             const uint8_t *payload, size_t payload_size);
/* Returns the weight of an event in ns. time: its field handler_time. type: id of its payload description;
 * payload: NULL if has_kinds is false. times->is_timed must be true. */
static inline uint64_t analyze_event_time(struct analyze_times *times, int64_t time, uint32_t type,
                                          const uint8_t *payload, size_t payload_size)
{
    return time >= 0 && time < times->least
               ? (uint64_t)time
               : analyze_event_time_judge(times, time, type, payload, payload_size);
}

#endif
