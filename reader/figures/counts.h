/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * counts.h - the counts, levels and phases of a run that every view shows, with their names, and the
 * efficiency that follows from counts. A count more in the list, or a level of memory, is a curve more in
 * reports; "warpscope stats" adds up every count that a recording has.
 */
#ifndef WARPSCOPE_READER_FIGURES_COUNTS_H
#define WARPSCOPE_READER_FIGURES_COUNTS_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

/* List of the counts, as X(NAME, member, name, words, unit, field, traced), in the order of reports. A
 * count has the number WS_NAME and the member of struct ws_counts.
 * name: name of its rate in a report; NULL: a report has no curve of it.
 * field: name of the field in samples; NULL: samples do not have it.
 * traced: name of the total in a report if an event trace states it; NULL: none does. */
#define WS_COUNT_LIST(X)                                                                           \
    X(COMMITTED, committed, "committed", "Events committed", "events", "events_committed", NULL)   \
    X(PROCESSED, processed, "executed", "Events executed", "events", "events_processed", NULL)     \
    X(TRACED, traced, "events", "Events in the trace", "events", NULL, "trace_events")             \
    X(UNDONE, undone, "undone", "Events undone", "events", "events_rolled_back",                   \
      "trace_events_undone")                                                                       \
    X(ROLLBACKS, rollbacks, "rollbacks", "Rollbacks", "rollbacks", "total_rollbacks",              \
      "trace_rollbacks")                                                                           \
    X(SECONDARY, secondary, NULL, "Secondary rollbacks", "rollbacks", "secondary_rollbacks",       \
      "trace_secondary")                                                                           \
    X(GVTS, gvts, "gvt_rate", "GVT computations", "computations", "num_gvt", NULL)                 \
    X(REMOTE, remote, "remote", "Remote events sent", "events", "remote_events", NULL)             \
    X(COVERED, covered, NULL, "Time of processors", "ns", "processor_wall_ns", NULL)               \
    X(LOST, lost, NULL, "Time lost to other threads", "ns", "processor_lost_ns", NULL)

#define WS_COUNT_NUMBER(NAME, ...)         WS_##NAME,
#define WS_COUNT_MEMBER(NAME, member, ...) uint64_t member;
#define WS_COUNT_REAL(NAME, member, ...)   double member;
enum ws_count { WS_COUNT_LIST(WS_COUNT_NUMBER) WS_COUNTS };

/* Names of a count, or of a level; see the lists. */
struct ws_count_name {
    const char *name, *words, *unit, *field, *traced;
};
extern const struct ws_count_name ws_count_names[WS_COUNTS];

/* The counts, by name or by number. */
struct ws_counts {
    union {
        struct {
            WS_COUNT_LIST(WS_COUNT_MEMBER)
        };
        uint64_t each[WS_COUNTS];
    };
};

/* The same as real numbers: rates, shares of counts, or totals; NaN: unknown. */
struct ws_reals {
    union {
        struct {
            WS_COUNT_LIST(WS_COUNT_REAL)
        };
        double each[WS_COUNTS];
    };
};

/* List of the levels in samples, as X(NAME, name, words, unit, field). A level has the number
 * WS_LEVEL_NAME. All but the first are of memory. */
#define WS_LEVEL_LIST(X)                                                                           \
    X(QUEUE, "queue", "Pending events per PE", "events", "pq_size")                                \
    X(EVENTS, "events", "Events", "bytes", "event_bytes")                                          \
    X(SAVED, "saved", "Saved states and other data", "bytes", "saved_bytes")                       \
    X(ALLOCATED, "allocated", "Allocated", "bytes", "allocated_bytes")

#define WS_LEVEL_NUMBER(NAME, ...) WS_LEVEL_##NAME,
enum ws_level_kind { WS_LEVEL_LIST(WS_LEVEL_NUMBER) WS_LEVELS };
extern const struct ws_count_name ws_level_names[WS_LEVELS];

/* Returns the efficiency in per cent as base/efficiency.h of the engine defines it, 100 * (1 - undone /
 * (processed - undone)): 100 if nothing was undone, 0 if everything was, and negative if more was
 * undone than kept. NaN if nothing was executed: there is nothing to judge then. */
static inline double ws_efficiency(double processed, double undone)
{
    if (!(processed > 0.0) && !(undone > 0.0)) {
        return (double)NAN;
    }
    if (!(undone > 0.0)) {
        return 100.0;
    }
    return processed > undone ? 100.0 * (1.0 - undone / (processed - undone)) : 0.0;
}

/* Returns the share of their time, in per cent, for which threads were ready but other threads ran; NaN if
 * it is not known. */
static inline double ws_lost_share(double lost, double covered)
{
    return covered > 0.0 ? fmin(100.0, 100.0 * lost / covered) : (double)NAN;
}

/* The fields of samples that measure processors: time covered, in the program, in the system, lost;
 * voluntary and involuntary switches, page faults. */
#define WS_PROCESSOR_FIELDS 7u
extern const char *const ws_processor_fields[WS_PROCESSOR_FIELDS];

/* ---- Phases of the time of a PE -------------------------------------------------------------- */

/* Phases, each of which is one or more fields of the samples. */
enum ws_phase {
    WS_PHASE_EXECUTE, /* executing events */
    WS_PHASE_QUEUE,   /* the pending queue */
    WS_PHASE_NETWORK, /* receiving messages */
    WS_PHASE_GVT,     /* computing GVT, including waits for other PEs */
    WS_PHASE_COMMIT,  /* committing events */
    WS_PHASE_UNDO,    /* undoing events */
    WS_PHASE_ANTI,    /* cancelling events of other PEs */
    WS_PHASE_STATES,  /* saving and restoring states */
    WS_PHASE_RECORDS, /* writing instrumentation data */
    WS_PHASE_REST,    /* waiting, scheduling */
    WS_PHASE_COUNT
};
struct ws_phase_name {
    char letter;
    const char *words, *json;
};
extern const struct ws_phase_name ws_phase_names[WS_PHASE_COUNT];

/* The fields of samples that measure time, with the counter at the end of a PE and the phase of each. */
#define WS_PHASE_FIELDS 12u
extern const struct ws_phase_field {
    const char *name, *end;
    enum ws_phase phase;
} ws_phase_fields[WS_PHASE_FIELDS];

/* Returns the phase whose ticks a field counts; WS_PHASE_COUNT if there is none. */
enum ws_phase ws_phase_of(const char *field);

/* ---- Words ----------------------------------------------------------------------------------- */

/* The words for counts in texts: one for each quantity, whatever its field or member is called. heading: a
 * shorter form for columns; NULL: none. Tables that have room for a few counts show those with headings,
 * in this order. */
#define WS_WORDS 20u
extern const struct ws_words {
    const char *name, *words, *heading;
} ws_words_of[WS_WORDS];

/* Stores the words for a name in `to`: those of the table, or the name with blanks. Returns `to`. */
const char *ws_words(char *to, size_t size, const char *name);

#endif
