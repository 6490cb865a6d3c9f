/*
 * extension.h - what the engine calls of the one extension that is built with it, the
 * instrumentation; and not at events, for which there is the table of probes in probe.h.
 */
#ifndef WARPSCOPE_ENGINE_EXTENSION_H
#define WARPSCOPE_ENGINE_EXTENSION_H

#include <stdio.h>

#include "base/options.h"
#include "base/status.h"
#include "ross.h"

struct probe_table;

/* Why the run ended, for reports and files. */
enum run_end {
    RUN_END_NONE = 0,  /* still running */
    RUN_END_TIME,      /* reached the end time */
    RUN_END_NO_EVENTS, /* no events left */
    RUN_END_SIGNAL,    /* SIGINT or SIGTERM */
    RUN_END_ERROR,     /* fatal error */
    RUN_END_UNDONE = 6 /* --synch=4: all was rolled back (5 is taken, see format/common.h) */
};
const char *run_end_text(enum run_end why); /* "reached the end time", ... */

/* The one extension of the engine. Every function may be NULL. */
struct tw_extension {
    /* Option tables to add to the command line, NULL-terminated list. */
    const tw_optdef *const *(*option_tables)(void);
    /* Those of them that short help shows, and the title that they stand under. */
    const struct options_choice *most_used_options;
    /* Writes what tells this build of the program from others to out; "" if it is not known. */
    void (*build_id)(char *out, size_t size);
    /* Collective. After options, mapping and LP types are known, before any LP init; nothing has
     * been written yet. Fills table. A status other than TW_OK (agreed by all ranks, message
     * already printed) ends the run with exit status 2. */
    enum tw_status (*setup)(tw_pe *pe, struct probe_table *table);
    /* Collective, when all LPs are initialised, or restored, and no event has been executed. The
     * status as for setup. */
    enum tw_status (*start)(tw_pe *pe, struct probe_table *table);
    /* Collective, after the last commit and before LP final: emits what is left, closes files. */
    void (*finish)(tw_pe *pe, enum run_end why);
    /* Collective, after LP final and before the report. */
    void (*after_final)(tw_pe *pe);
    /* On rank 0 only: add lines to the end-of-run report, and members to its JSON. */
    void (*report_text)(FILE *out);
    void (*report_json)(FILE *out); /* writes `"key": value` pairs, each preceded by ", " */
    /* A fatal error on some rank: flush what can be flushed, not collective, must not fail. */
    void (*emergency_flush)(void);
    /* The name of an LP type, NULL if it has none; the folder that recover completes after a crash,
     * NULL if there is none. Also called in handlers of signals: they only read. */
    const char *(*lptype_name)(const tw_lptype *type);
    const char *(*recording_folder)(void);
    /* tw_end(): frees everything, so that tw_init() can start afresh. */
    void (*fini)(void);
};
extern const struct tw_extension tw_extension;

#endif
