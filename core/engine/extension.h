/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * extension.h - interface of the engine to its only extension, the instrumentation: calls at
 * set-up, end and report. Calls at events go through the probe table in probe.h.
 */
#ifndef WARPSCOPE_ENGINE_EXTENSION_H
#define WARPSCOPE_ENGINE_EXTENSION_H

#include <stdio.h>

#include "base/options.h"
#include "base/status.h"
#include "ross.h"

struct json_writer;
struct probe_table;

/* Reason for the end of the run, for reports and files. */
enum run_end {
    RUN_END_NONE = 0,  /* the run is still in progress */
    RUN_END_TIME,      /* the run has reached the end time */
    RUN_END_NO_EVENTS, /* no events were left */
    RUN_END_SIGNAL,    /* a signal such as SIGINT or SIGTERM ended the run */
    RUN_END_ERROR,     /* a fatal error ended the run */
    /* --synch=4: all events were undone. The value 5 has another meaning in format/common.h. */
    RUN_END_UNDONE = 6
};
const char *run_end_text(enum run_end why); /* returns a text such as "reached the end time" */

/* Numbers of samples that a run has taken; a restarted run continues with them. */
struct run_samples {
    uint64_t gvt;       /* number of samples at GVT */
    uint64_t rt;        /* number of samples by wall clock, the largest of all ranks */
    uint64_t vt;        /* number of the last sample at virtual times */
    double vt_interval; /* virtual time between these samples; 0: none are taken */
};

/* The extension of the engine. Every function may be NULL. */
struct tw_extension {
    /* Returns a NULL-terminated array of the option tables to add to the command line. */
    const tw_optdef *const *(*option_tables)(void);
    /* The most used options of the extension, with a title, for the short help. */
    const struct options_choice *most_used_options;
    /* Writes an identifier of this build of the program to `out`; "" if unknown. */
    void (*build_id)(char *out, size_t size);
    /* Fills the probe table. Called when options, mapping and LP types are known, before any LP
     * init and before any file is written. If the returned status is not TW_OK, the function has
     * printed an error message; the run then ends with exit status 2. All ranks return the same
     * status. Collective. */
    enum tw_status (*setup)(tw_pe *pe, struct probe_table *table);
    /* Called when all LPs are initialised or restored, before any event is executed. Returns a
     * status like setup(). Collective. */
    enum tw_status (*start)(tw_pe *pe, struct probe_table *table);
    /* Returns true if this rank has a request that all ranks must answer, such as one from outside
     * the program. Called before each GVT computation. */
    bool (*has_request)(void);
    /* Answers the requests of the ranks. Called on all ranks after each GVT computation at whose
     * beginning a rank had a request, unless the computation ended the run. See control.h for the
     * permitted actions. Collective. */
    void (*answer_request)(tw_pe *pe, struct probe_table *table);
    /* Called on all ranks, at GVT, after the run has printed its status because of a signal.
     * Collective. */
    void (*status_printed)(tw_pe *pe);
    /* Called on all ranks at each cut (gvt.h) before its users act: exactly the events before GVT have
     * been committed. is_last: the run has no event at GVT or later. Collective. */
    void (*cut)(tw_pe *pe, bool is_last);
    /* Called on all ranks when a checkpoint is written, after cut(): the state of each LP is that at
     * GVT, and the checkpoint contains the counters as they are now. Sets the numbers of the samples
     * that are taken; members of samples that do not apply stay. Not collective. */
    void (*checkpoint)(tw_pe *pe, struct run_samples *samples);
    /* For --map=auto: returns NULL, or the reason why LPs cannot move. Called at set-up, and again
     * right before LPs move. Collective. */
    const char *(*why_lps_stay)(void);
    /* Called on all ranks when LPs are about to move: no event is being executed, and no
     * message is in transit. text: one line that describes the move. Collective. */
    void (*lps_leave)(tw_pe *pe, struct probe_table *table, const char *text);
    /* Called on all ranks when the new LPs exist, before their states and records are restored. */
    void (*lps_made)(tw_pe *pe);
    /* Called on all ranks when the new LPs have their types and states. Collective. */
    void (*lps_arrive)(tw_pe *pe, struct probe_table *table);
    /* The four functions below let what observers know of an LP travel with the LP, in checkpoints
     * and to other ranks. They are not collective.
     *
     * lps_pack() prepares calls of lp_write() for all local LPs, at a cut: every executed event has
     * been committed. Returns false if memory is exhausted. lps_packed() ends these calls; it is
     * called in any case. */
    bool (*lps_pack)(void);
    void (*lps_packed)(void);
    /* Returns the number of bytes for lp; 0: nothing is known of it. If bytes is not NULL, writes
     * them to bytes, which has room for `size` bytes, the result of the call before. */
    size_t (*lp_write)(const tw_lp *lp, void *bytes, size_t size);
    /* Reads what lp_write() has written; size 0: nothing. If takes_over is false, only checks the
     * bytes; called so before setup(). Returns false if they are damaged. The numbers of the LP,
     * see probe_record_numbers(), have been restored before. */
    bool (*lp_read)(tw_lp *lp, const void *bytes, size_t size, bool takes_over);
    /* Called after the last commit and before LP final: delivers remaining records and closes
     * files. Collective. */
    void (*finish)(tw_pe *pe, enum run_end why);
    /* Called after LP final and before the report. Collective. */
    void (*after_final)(tw_pe *pe);
    /* report_text() adds lines to the report on `out`. report_json() adds members to the report in
     * JSON. Called on rank 0 only. */
    void (*report_text)(FILE *out);
    void (*report_json)(struct json_writer *json);
    /* Asserts the invariants of the extension's data, see self_check.h. Not collective. */
    void (*check)(const tw_pe *pe);
    /* Flushes records after a fatal error on any rank. Must not fail. Not collective. */
    void (*emergency_flush)(void);
    /* lptype_name() returns the name of an LP type, or NULL. recording_directory() returns the
     * directory that `warpscope recover` completes after a crash, or NULL. Both functions only
     * read, so signal handlers may call them. */
    const char *(*lptype_name)(const tw_lptype *type);
    const char *(*recording_directory)(void);
    /* Called by tw_end(): frees all memory, so that tw_init() can be called again. */
    void (*fini)(void);
};
extern const struct tw_extension tw_extension;

#endif
