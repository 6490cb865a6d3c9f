/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * recorder.h - the recording of one PE: all streams from set-up to the report.
 */
#ifndef WARPSCOPE_RECORD_RECORDER_H
#define WARPSCOPE_RECORD_RECORDER_H

#include "engine/probe.h"
#include "record/base/place.h"
#include "record/buffer/stream.h"
#include "record/describe/registry.h"
#include "record/flight.h"
#include "record/limit.h"
#include "record/options/options.h"
#include "record/sample/model_stats.h"
#include "record/sampling.h"
#include "record/trace/event_trace.h"
#include "record/vt/vt_sampling.h"
#include "ross8/layout.h"

struct json_writer;
struct run_facts;

/* Kinds of streams, in the order of the report. */
enum record_file_id {
    RECORD_GVT,
    RECORD_RT,
    RECORD_VT,
    RECORD_MODEL,
    RECORD_EVTRACE,
    RECORD_TASK,
    RECORD_TRACER,
    RECORD_FILES
};

/* One record file over all ranks, for report and README. */
struct record_file {
    char *path; /* owned; path of the file; NULL: no file */
    bool in_use;
    /* True if files of ROSS 8 will replace the record file at the end of the run. */
    bool is_replaced;
    uint32_t records[STREAM_CHANNELS_MAX]; /* kinds of its records, each an enum fmt_record */
    unsigned n_records;
    size_t row_bytes_max;        /* size of the largest row in bytes, over all ranks */
    struct stream_totals totals; /* totals over all ranks, set at the end of the run */
};

/* A file in the layout of ROSS 8. Rank 0 creates these files at the end of the run. */
struct ross8_made {
    char *path; /* owned; path of the file; NULL: not created */
    uint64_t records;
    uint64_t bytes;
};

/* A record file that ended during the run, because a request changed what is recorded. */
struct record_part {
    enum record_file_id kind;
    /* file.totals are those of this rank; after the end of the run, sums over all ranks. */
    struct record_file file;
};

struct recorder {
    struct event_trace trace; /* first member, because it is used most often */
    struct sampling sampling;
    struct vt_sampling vt;
    struct model_stats model;
    struct record_stream streams[RECORD_FILES];
    struct write_thread thread; /* writer thread for all streams, if it runs */
    bool running;               /* true between set-up and end */
    struct record_limit limit;
    struct flight flight;

    struct record_options options;
    struct registry registry;
    struct lp_names names;
    bool *traced; /* owned; for each local LP, true if it is traced; NULL: all LPs */
    struct payload_types trace_payloads;
    struct payload_types model_payloads;
    /* Payload types of samples by event, in the same file as model_payloads. */
    struct payload_types sample_payloads;
    uint64_t kps_per_pe; /* number of KPs of a PE, maximum over all PEs */
    size_t model_room;   /* largest payload of a model sample, in bytes */
    struct record_file files[RECORD_FILES];
    unsigned n_had[RECORD_FILES]; /* number of files that the run has had of each kind */
    struct record_part *parts;    /* owned; n_parts ended files, equal on all ranks */
    size_t n_parts;
    struct fmt_change *changes; /* owned; n_changes changes of the run so far; used on PE 0 only */
    size_t n_changes;
    /* Used while LPs move between ranks: the callbacks, if they are the same for all local LPs; the
     * change, for the files; and the kinds of files that begin anew. */
    st_model_types *common;
    struct fmt_change *move; /* owned */
    bool moving[RECORD_FILES];
    double causes_after; /* see struct change_extent */
    struct ross8_made ross8_files[ROSS8_FILES];
    char *dir; /* owned; directory of the recording on this rank's disk; NULL: nothing is written */
    struct record_place place;
    /* Owned; facts at the start of the run; only on ranks that lead a place. */
    struct run_facts *facts;
};

/* Greatest number of bytes of all strings in a record of tasks or tracers. */
#define RECORD_TASK_TEXTS_MAX (3u * 1024u)

/* Returns the enum fmt_stream of a kind. */
uint32_t record_file_stream(enum record_file_id kind);
/* Returns a readable description of a kind's file. */
const char *record_file_text(enum record_file_id kind, const struct record_options *options);

/* Reads the options and registrations, creates directory and files, and fills the probe table.
 * Collective; all ranks return the same status, and an error message is printed. */
enum tw_status recorder_setup(struct recorder *recorder, const tw_pe *pe,
                              struct probe_table *table);

/* Sets up the samples of models, once all LPs are initialised and before the first event.
 * Collective; all ranks return the same status, and an error message is printed. */
enum tw_status recorder_start(struct recorder *recorder, const tw_pe *pe,
                              struct probe_table *table);

/* Takes the last samples, writes the END blocks, and sums the totals over ranks. Removes the directory
 * if the run has had no record file; dir_in_use: not yet, since subscriber libraries write there.
 * Collective. */
void recorder_finish(struct recorder *recorder, const tw_pe *pe, enum run_end why, bool dir_in_use);

/* After a fatal error: writes the last changes of the counters and all buffers. A second call has
 * no effect. Not collective. */
void recorder_emergency(struct recorder *recorder);

/* Returns true if the stream of a kind is a flight recorder. The stream of tracers is never one,
 * since tracers write only at the end of the run. */
bool recorder_overwrites(const struct recorder *recorder, enum record_file_id kind);

/* recorder_has_request() returns true if this rank needs an action of all ranks. They carry it out in
 * recorder_answer(), after a GVT computation, if `asked` is true on any rank. Collective. */
bool recorder_has_request(struct recorder *recorder, const tw_pe *pe);
void recorder_answer(struct recorder *recorder, tw_pe *pe, struct probe_table *table);

/* Parts of the recorder that a change during the run needs, see change.h. recorder_start_buffers()
 * allocates buffers of those kinds in use that `wanted` names; returns TW_OK, or TW_ERR_MEMORY with
 * one line in error. recorder_end_info() returns the contents of this PE's END blocks; the result
 * refers to counters. */
#define X(name, text) +1
enum { RECORD_COUNTERS = 0 TW_COUNTER_LIST(X) };
#undef X
enum tw_status recorder_start_buffers(struct recorder *recorder, const tw_pe *pe,
                                      const bool wanted[RECORD_FILES], char *error, size_t size);
enum tw_status recorder_start_trace(struct recorder *recorder, char *error, size_t size);
void recorder_describe(struct record_stream *stream, const struct payload_types *types);
void recorder_set_models(struct recorder *recorder, const tw_pe *pe);
void recorder_listen_to_gvt(struct recorder *recorder, struct probe_table *table);
struct fmt_end_info recorder_end_info(const tw_pe *pe, enum run_end why,
                                      struct fmt_counter counters[RECORD_COUNTERS]);

/* Returns true if the run has had a record file. */
bool recorder_has_files(const struct recorder *recorder);

/* Print the part of the report about the files, after recorder_finish(). All ranks have the data,
 * so any rank may print. */
void recorder_report_text(const struct recorder *recorder, FILE *out);
void recorder_report_json(const struct recorder *recorder, struct json_writer *json);

/* Frees the contents of the recorder, not the recorder itself. */
void recorder_fini(struct recorder *recorder);

#endif
