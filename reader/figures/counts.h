/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * counts.h - the counts of a run that every view shows, with their names, and the efficiency that
 * follows from them. A row more in the table of counts.c is a count more in reports and in "warpscope
 * top"; "warpscope stats" adds up every count that a recording has.
 */
#ifndef WARPSCOPE_READER_FIGURES_COUNTS_H
#define WARPSCOPE_READER_FIGURES_COUNTS_H

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

enum ws_count {
    WS_COMMITTED,
    WS_PROCESSED,
    WS_TRACED, /* events in an event trace */
    WS_UNDONE,
    WS_ROLLBACKS,
    WS_SECONDARY,
    WS_GVTS,
    WS_REMOTE,
    WS_COUNTS
};

struct ws_count_name {
    /* name: name of the rate in a report; NULL: a report has no curve of it. */
    const char *name, *words, *unit;
    const char *field;  /* name of the field in samples; NULL: samples do not have it */
    const char *traced; /* name of the total in a report if an event trace states it; NULL: none */
};
extern const struct ws_count_name ws_count_names[WS_COUNTS];

/* The counts, by name or by number. */
struct ws_counts {
    union {
        struct {
            uint64_t committed, processed, traced, undone, rollbacks, secondary, gvts, remote;
        };
        uint64_t each[WS_COUNTS];
    };
};
_Static_assert(sizeof(struct ws_counts) == WS_COUNTS * sizeof(uint64_t), "each count has a name");

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

/* The fields of samples that measure time, with the phase of each. */
#define WS_PHASE_FIELDS 12u
extern const struct ws_phase_field {
    const char *name;
    enum ws_phase phase;
} ws_phase_fields[WS_PHASE_FIELDS];

/* Returns the phase whose ticks a field counts; WS_PHASE_COUNT if there is none. */
enum ws_phase ws_phase_of(const char *field);

#endif
