/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * recorder.h - the recorder of one PE, with all its streams, from set-up to the report.
 */
#ifndef WARPSCOPE_RECORD_RECORDER_H
#define WARPSCOPE_RECORD_RECORDER_H

#include "engine/probe.h"
#include "format/bytes.h"
#include "record/base/place.h"
#include "record/buffer/stream.h"
#include "record/describe/own_names.h"
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

/* Kinds of streams and of their files, in the order of the report. */
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

/* Selects all kinds; defined in context.c. */
extern const bool record_all_kinds[RECORD_FILES];

/* Data about one record file, over all ranks, for the report and the README. */
struct record_file {
    enum record_file_id kind;
    char *path; /* owned; path of the file; NULL: no file */
    bool in_use;
    bool is_new; /* true if this rank has marked the file as new, see files_begin() */
    /* True if files of ROSS 8 will replace the record file at the end of the run. */
    bool is_replaced;
    /* Kinds of records in the file, each an enum fmt_record. */
    uint32_t records[STREAM_CHANNELS_MAX];
    unsigned n_records;
    size_t row_bytes_max; /* size in bytes of the largest row, maximum over all ranks */
    /* Sums over all ranks, set at the end of the run. Of a file that has ended before, this rank's
     * totals until then. */
    struct stream_totals totals;
};

/* A file in a layout of ROSS 8. Rank 0 creates these files at the end of the run. */
struct ross8_made {
    char *path; /* owned; path of the file; NULL: not created */
    uint64_t records;
    uint64_t bytes;
};

struct recorder {
    struct event_trace trace; /* first member, because it is used most often */
    struct sampling sampling;
    struct vt_sampling vt;
    struct model_stats model;
    struct record_stream streams[RECORD_FILES];
    struct write_thread thread; /* writer thread for all streams, if it runs */
    bool running;               /* true from the set-up to the end of recording */
    struct record_limit limit;
    struct flight flight;

    struct record_options options;
    struct registry registry;
    struct lp_names names;
    struct own_names own_names;
    bool *traced;      /* owned; [i]: true if local LP i is traced; NULL: all LPs are traced */
    bool traced_later; /* true if --trace-lps has names that LPs may still get, before they start */
    struct payload_types trace_payloads;
    struct payload_types model_payloads;
    /* Payload types of samples made by sample_event_fn; they are in the same file as
     * model_payloads. */
    struct payload_types sample_payloads;
    uint64_t kps_per_pe; /* maximum number of KPs on a PE */
    size_t model_room;   /* size of the largest payload of a model sample, in bytes */
    struct record_file files[RECORD_FILES];
    unsigned n_had[RECORD_FILES]; /* [kind]: number of files of this kind that the run has had */
    /* Owned; files that ended during the run, because a request changed what is recorded, a flight
     * recorder was saved, or LPs moved; n_parts entries. All ranks have entries for the same files,
     * in the same order. */
    struct record_file *parts;
    size_t n_parts;
    /* Owned; changes of the run so far; n_changes entries; used on PE 0 only. */
    struct fmt_change *changes;
    size_t n_changes;
    /* While LPs move between ranks: callbacks that all local LPs had; NULL: none, or different
     * ones. */
    st_model_types *common;
    struct lps_move *move; /* owned; while LPs move between ranks, see change.h; otherwise NULL */
    /* Owned; [i]: what local LP i carries, in a run that continues, until samples at virtual times begin;
     * NULL: nothing. */
    struct vt_carried *vt_carried;
    struct ross8_made ross8_files[ROSS8_FILES];
    char *dir; /* owned; directory of the recording on this rank's disk; NULL: nothing is written */
    struct record_place place;
    /* Owned; facts at the start of the run; only on ranks that lead a place. */
    struct run_facts *facts;
};

/* Maximum size of all strings in a record of tasks or tracers, in bytes. */
#define RECORD_TASK_TEXTS_MAX (3u * 1024u)

/* Returns the enum fmt_stream for this kind of stream. */
uint32_t record_file_stream(enum record_file_id kind);
/* Returns a readable description of the contents of files of this kind. */
const char *record_file_text(enum record_file_id kind, const struct record_options *options);

/* Reads the options and registrations, creates the directory and the files, and adds functions to
 * the probes of table. Collective; all ranks return the same status. On failure, prints an error
 * message. */
enum tw_status recorder_setup(struct recorder *recorder, const tw_pe *pe,
                              struct probe_table *table);

/* Sets up the samples of models, after all LPs are initialised and before the first event.
 * Collective; all ranks return the same status. On failure, prints an error message. */
enum tw_status recorder_start(struct recorder *recorder, const tw_pe *pe,
                              struct probe_table *table);

/* Takes the last samples, writes the END blocks, and sums the totals over all ranks. Removes the
 * directory if the run has had no record file, unless dir_in_use is true because subscriber
 * libraries still write there. Collective. */
void recorder_finish(struct recorder *recorder, const tw_pe *pe, enum run_end why, bool dir_in_use);

/* After a fatal error: takes the last samples of the engine's counters, and writes all buffers. A
 * second call has no effect. Not collective. */
void recorder_emergency(struct recorder *recorder);

/* Begins samples at virtual times, with the events that recorder_lp_read() has read. after: the virtual
 * time before which all executed events are, see vt_sampling_begin_after(); NULL: none was executed.
 * Returns TW_OK or TW_ERR_MEMORY. Defined in carried.c, as are the next two functions. */
enum tw_status recorder_begin_vt(struct recorder *recorder, const double *after);
/* Writes what travels with a local LP; nothing if there is nothing. Callable at a cut. */
void recorder_lp_write(const struct recorder *recorder, const tw_lp *lp, struct fmt_out *out);
/* Reads what recorder_lp_write() has written, before recorder_begin_vt(). If takes_over is false, only
 * checks the bytes; recorder may then be NULL. Returns false if they are damaged. */
bool recorder_lp_read(struct recorder *recorder, const tw_lp *lp, struct fmt_in *in,
                      bool takes_over);

/* Prepares the samples for a cut, see vt_sampling_cut() and sampling_cut(). Collective. */
void recorder_cut(struct recorder *recorder, const tw_pe *pe, bool is_last);
/* Takes samples when a checkpoint is written, see sampling_checkpoint(), and sets the numbers of
 * samples in *samples. */
void recorder_checkpoint(struct recorder *recorder, const tw_pe *pe, struct run_samples *samples);

/* Returns true if streams of this kind are flight recorders. The stream of tracers is never a
 * flight recorder, since tracers write only at the end of the run. */
bool recorder_overwrites(const struct recorder *recorder, enum record_file_id kind);

/* Returns true if this rank requests an action that all ranks must carry out together in
 * recorder_answer(). */
bool recorder_has_request(struct recorder *recorder, const tw_pe *pe);
/* Carries out the actions that any rank has requested, after a GVT computation. Collective. */
void recorder_answer(struct recorder *recorder, tw_pe *pe, struct probe_table *table);

/* Maximum number of counters in an END block: one of the lookahead, and two of handlers. */
#define X(name, text) +1
enum { RECORD_COUNTERS = 3 TW_COUNTER_LIST(X) PROCESSOR_END_LIST(X) TW_PHASE_LIST(X) };
#undef X
/* Allocates buffers for those streams in use whose kinds are wanted. Returns TW_OK, or
 * TW_ERR_MEMORY with one line in error (size bytes). This function and those up to
 * recorder_end_info() also serve changes during the run (change.h). */
enum tw_status recorder_start_buffers(struct recorder *recorder, const tw_pe *pe,
                                      const bool wanted[RECORD_FILES], char *error, size_t size);
/* Initialises the event trace if the options request it. Returns TW_OK, or TW_ERR_MEMORY with one
 * line in error (size bytes). */
enum tw_status recorder_start_trace(struct recorder *recorder, char *error, size_t size);
/* Writes the descriptions of all payload types in `types` to the stream's file. */
void recorder_describe(struct record_stream *stream, const struct payload_types *types);
/* Writes the names of the local LPs to those files that have records about LPs and whose kinds are
 * wanted. */
void recorder_name_lps(struct recorder *recorder, const bool wanted[RECORD_FILES]);
/* Writes the descriptions of the models' payloads to their file, and begins recorder->model. Returns
 * TW_OK or TW_ERR_MEMORY. */
enum tw_status recorder_set_models(struct recorder *recorder, const tw_pe *pe,
                                   struct probe_table *table);
/* Makes the recorder's function the last function of the probe gvt_advanced in table. */
void recorder_listen_to_gvt(struct recorder *recorder, struct probe_table *table);
/* Returns the contents of this PE's END blocks. Fills `counters`, to which the result refers. */
struct fmt_end_info recorder_end_info(const struct recorder *recorder, const tw_pe *pe,
                                      enum run_end why,
                                      struct fmt_counter counters[RECORD_COUNTERS]);

/* Returns the next file that the run uses or has ended, from index *i, which it moves on; NULL after
 * the last. */
struct record_file *recorder_next_file(const struct recorder *recorder, size_t *i);
/* Returns true if the run has had a record file. */
bool recorder_has_files(const struct recorder *recorder);

/* Prints to `out` the part of the report that is about the files. Called after recorder_finish().
 * All ranks have the data, so any rank may print. */
void recorder_report_text(const struct recorder *recorder, FILE *out);
/* Adds to `json` the part of the report that is about the files. Called after recorder_finish(). */
void recorder_report_json(const struct recorder *recorder, struct json_writer *json);

/* Prints on stderr, for each stream: its mode, its channels, the number of bytes used in their
 * sub-buffers, and the write queue. For use from a debugger; see engine/checks/dump.h. */
void ws_dump_streams(void);

/* Frees the contents of the recorder, not the recorder itself. */
void recorder_fini(struct recorder *recorder);

#endif
