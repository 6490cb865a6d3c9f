/*
 * probe.h - how observation gets into the engine: a table of optional functions.
 *
 * The engine knows nothing of instrumentation. It calls the functions of this table where something
 * happens; a NULL entry costs one predictable branch. Whoever fills the table (instrumentation/) is
 * reached through one tw_extension object, chosen at link time: a program linked without
 * instrumentation gets core/engine/no_extension.c.
 *
 * Probe functions must not send events or draw random numbers.
 */
#ifndef WARPSCOPE_ENGINE_PROBE_H
#define WARPSCOPE_ENGINE_PROBE_H

#include "base/status.h"
#include "engine/counters.h"
#include "ross.h"

/* An event as a probe sees it. Valid during the call. */
struct probe_event {
    tw_event *event; /* for probe_attach() and nothing else */
    tw_lp *lp;       /* receiver */
    void *msg;       /* payload, g_tw_msg_sz bytes */
    tw_lpid src;     /* gid of the sender */
    tw_lpid dest;    /* gid of the receiver */
    tw_stime send_ts;
    tw_stime recv_ts;
    tw_stime prio;
    void *attachment; /* event_committed: what event_executed attached, or NULL */
    size_t attachment_size;
};

/* Why the run ended, for reports and files. */
enum run_end {
    RUN_END_NONE = 0,  /* still running */
    RUN_END_TIME,      /* reached the end time */
    RUN_END_NO_EVENTS, /* no events left */
    RUN_END_SIGNAL,    /* SIGINT or SIGTERM */
    RUN_END_ERROR      /* fatal error */
};
const char *run_end_text(enum run_end why); /* "reached the end time", ... */

struct probe_table {
    void *ctx; /* first argument of each function */
    /* Right after the forward handler (and again each time the event is re-executed). */
    void (*event_executed)(void *ctx, const struct probe_event *e);
    /* Exactly once per event that will never be undone, in event order within the PE. */
    void (*event_committed)(void *ctx, const struct probe_event *e);
    /* A straggler arrived: right before the rollback that it causes. */
    void (*straggler)(void *ctx, const struct probe_event *e);
    /* After each GVT computation and its fossil collection, in every scheduler; sequential runs
     * call it every batch * gvt-interval events. Not called after run_ended. */
    void (*gvt_advanced)(void *ctx, const tw_pe *pe, tw_stime gvt);
};

/* Keeps size bytes (uninitialised, 16-aligned) with an event until it commits or is rolled back.
 * From event_executed only, at most once per execution. NULL when size is 0. */
void *probe_attach(const struct probe_event *e, size_t size);

/* The PE's counters as of now. */
const struct tw_counters *pe_counters(const tw_pe *pe);
/* Events in the pending queue of the PE now. */
uint64_t pe_pending_count(const tw_pe *pe);
/* Seconds of wall clock since tw_run() began executing events (steady clock). */
double run_seconds(void);
/* Facts for files' headers. */
const char *run_command_line(void); /* as given to tw_init(), arguments joined by blanks, quoted */
const char *run_program_name(void); /* "netsim": messages begin with it */
bool run_is_quiet(void);            /* --quiet: say nothing but errors and the report */
const char *run_version(void);      /* "Warpscope 0.1.0" */
const char *run_scheduler_name(void); /* "sequential", "conservative", "optimistic" */

/* The one extension of the engine. Every function may be NULL. */
struct tw_extension {
    /* Option tables to add to the command line, NULL-terminated list. */
    const tw_optdef *const *(*option_tables)(void);
    /* Collective. After options, mapping and LP types are known, before any LP init; nothing has
     * been written yet. Fills table. A status other than TW_OK (agreed by all ranks, message
     * already printed) ends the run with exit status 2. */
    enum tw_status (*setup)(tw_pe *pe, struct probe_table *table);
    /* Collective, after the last commit and before LP final: emits what is left, closes files. */
    void (*finish)(tw_pe *pe, enum run_end why);
    /* On rank 0 only: add lines to the end-of-run report, and members to its JSON. */
    void (*report_text)(FILE *out);
    void (*report_json)(FILE *out); /* writes `"key": value` pairs, each preceded by ", " */
    /* A fatal error on some rank: flush what can be flushed, not collective, must not fail. */
    void (*emergency_flush)(void);
    /* tw_end(): frees everything, so that tw_init() can start afresh. */
    void (*fini)(void);
};
extern const struct tw_extension tw_extension;

#endif
