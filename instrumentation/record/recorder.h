/*
 * recorder.h - one PE's recording: all streams from set-up to the report.
 */
#ifndef WARPSCOPE_RECORD_RECORDER_H
#define WARPSCOPE_RECORD_RECORDER_H

#include "engine/probe.h"
#include "record/event_trace.h"
#include "record/model_stats.h"
#include "record/options.h"
#include "record/registry.h"
#include "record/sampling.h"
#include "record/stream.h"
#include "record/vt_sampling.h"
#include "ross8/layout.h"

/* The streams that exist, in the order of the report. */
enum record_kind {
    RECORD_GVT,
    RECORD_RT,
    RECORD_VT,
    RECORD_MODEL,
    RECORD_EVTRACE,
    RECORD_TASK,
    RECORD_TRACER,
    RECORD_KINDS
};

/* One stream over all ranks, and what report and README say of it. */
struct record_file {
    char *path; /* owned; NULL while there is no file */
    bool in_use;
    bool is_replaced;                   /* by files of ROSS 8: removed at the end of the run */
    uint32_t records[STREAM_LANES_MAX]; /* kinds in it, enum fmt_record */
    unsigned n_records;
    size_t row_bytes_max;        /* over all ranks */
    struct stream_totals totals; /* over all ranks, once the run has ended */
};

/* A file in the layout of ROSS 8. Rank 0 makes them when the run ends. */
struct ross8_made {
    char *path; /* owned; NULL: not made */
    uint64_t records;
    uint64_t bytes;
};

struct recorder {
    struct event_trace trace; /* first: the hottest */
    struct sampling sampling;
    struct vt_sampling vt;
    struct model_stats model;
    struct record_stream streams[RECORD_KINDS];
    struct drain_thread thread; /* writes for all of them, if it runs */
    bool running;               /* set up and not ended */

    struct record_options options;
    struct registry registry;
    struct lp_names names;
    bool *traced; /* owned; by local LP, NULL: all of them */
    struct payload_types trace_payloads;
    struct payload_types model_payloads;
    struct payload_types sample_payloads; /* in the same file as model_payloads */
    uint64_t kps_per_pe;                  /* the most that a PE has */
    size_t model_room;                    /* bytes that a sample of a model may have */
    struct record_file files[RECORD_KINDS];
    struct ross8_made ross8_files[ROSS8_FILES];
    char *dir; /* owned; NULL when nothing is written */
};

/* Texts of a record of the streams of tasks and tracers, in bytes. */
#define RECORD_TASK_TEXTS_MAX (3u * 1024u)

/* enum fmt_stream of a kind. */
uint32_t record_kind_stream(enum record_kind kind);
/* What a kind's file holds, for people. */
const char *record_kind_text(enum record_kind kind, const struct record_options *options);

/* Takes up the options and the registrations, makes directory and files, fills the table.
 * Collective; the status is agreed, the message printed. */
enum tw_status recorder_setup(struct recorder *recorder, const tw_pe *pe,
                              struct probe_table *table);

/* The rest of it, when all LPs are initialised and no event has been executed: samples of models.
 * Collective; the status is agreed, the message printed. */
enum tw_status recorder_start(struct recorder *recorder, const tw_pe *pe,
                              struct probe_table *table);

/* Last samples, END blocks, totals over ranks. Collective. */
void recorder_finish(struct recorder *recorder, const tw_pe *pe, enum run_end why);

/* Writes what there is and the last changes of the counters, after a fatal error. Not collective;
 * does nothing the second time. */
void recorder_emergency(struct recorder *recorder);

/* Lines and members about all files: the same on every rank, after recorder_finish(). */
void recorder_report_text(const struct recorder *recorder, FILE *out);
void recorder_report_json(const struct recorder *recorder, FILE *out);

/* Frees what the recorder holds, not the recorder. */
void recorder_fini(struct recorder *recorder);

#endif
