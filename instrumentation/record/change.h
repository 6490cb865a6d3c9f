/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * change.h - changes, during the run, to what is recorded.
 *
 * If a change affects the kinds of records of a stream, or their meaning, the stream ends its file
 * with the reason FMT_END_CHANGED and begins the next one: <prefix>-evtrace.bin,
 * <prefix>-2-evtrace.bin ... The facts in a file thus apply to all of its records. Intervals of
 * samples may change within a file.
 */
#ifndef WARPSCOPE_RECORD_CHANGE_H
#define WARPSCOPE_RECORD_CHANGE_H

#include "record/files.h"

/*
 * Begins to record what the options `to` request. Traces of committed events and samples at virtual
 * times are exact from the current GVT on. Writes `change` to all files.
 *
 * Returns TW_OK, or a status with one line in error (size bytes), equal on all ranks. After
 * TW_ERR_USAGE or TW_ERR_IO recording is unchanged. After TW_ERR_MEMORY it is unchanged, or
 * recording of the affected streams has ended; error states which. Collective; call it from
 * tw_extension.answer_request() only.
 */
enum tw_status recorder_change(struct recorder *recorder, tw_pe *pe, struct probe_table *table,
                               const struct record_options *to, const struct fmt_change *change,
                               char *error, size_t size);

/*
 * Completes the files of flight recorders at the current GVT, with the reason `text`, and begins
 * the next files with the same kinds of records. Returns TW_OK, or another status with one line in
 * error (size bytes), equal on all ranks; recording is then unchanged. A rank that cannot open a
 * new file prints a warning, and its records count as lost. Collective.
 */
enum tw_status recorder_begin_parts(struct recorder *recorder, const tw_pe *pe, const char *text,
                                    char *error, size_t size);

/* On PE 0, adds a change to the list of changes and writes it to all open files. Does nothing on
 * other PEs. Not collective. */
void recorder_add_change(struct recorder *recorder, const tw_pe *pe,
                         const struct fmt_change *change);

/* Returns the reason why LPs must not move between ranks (--map=auto, see tw_extension); NULL: they
 * may. */
const char *recorder_why_lps_stay(void);
/* Ends all files with records about LPs before LPs move, because such records contain the PE and KP
 * of the LP. text: description of the move. Collective. */
void recorder_lps_leave(struct recorder *recorder, tw_pe *pe, struct probe_table *table,
                        const char *text);
/* Begins the next files after LPs have moved. Collective. */
void recorder_lps_arrive(struct recorder *recorder, tw_pe *pe, struct probe_table *table);

/* ---- Functions of change.c for other files of record/ ------------------------------------------ */

/* Streams and samples that a change affects. */
struct change_extent {
    /* Kinds of streams that end their file, begin a new file, or both. */
    struct files_wanted renewed;
    struct sampling_kinds samples;
    bool vt;    /* true if the change ends sampling at virtual times, begins it, or both */
    bool trace; /* true if the change ends the event trace, begins one, or both */
    /* Virtual time up to which the causes of events are unknown in the event trace that begins. */
    double trace_after;
};

/* The move of LPs in progress: the change that it makes, and the description of this change. */
struct lps_move {
    struct change_extent extent;
    struct fmt_change change;
};

/* Returns the extent of a change that ends all records about LPs. Defined in ends.c, as is the
 * next function. */
struct change_extent recorder_extent_of_lps(const struct recorder *recorder);
/* Takes the last samples of the affected kinds, and removes the functions that add records of these
 * kinds to files. */
void recorder_detach(struct recorder *recorder, tw_pe *pe, struct probe_table *table,
                     const struct change_extent *e);

/* Returns true if the change affects at least one stream. */
bool change_is_any(const struct change_extent *e);

/* Returns an object that holds the plan for the recording that the options `to` request. It borrows
 * registry, names, directory and facts from recorder. Free it with change_plan_free(). */
struct recorder *change_plan_make(const struct recorder *recorder, const struct record_options *to);
/* Frees the plan `next`, except for what change_go_on() has moved to the recorder. */
void change_plan_free(struct recorder *next);

/* Ends recording of the affected kinds, and completes their files. why: reason for the END
 * blocks. */
void change_stop(struct recorder *recorder, tw_pe *pe, struct probe_table *table,
                 const struct change_extent *e, const char *why);
/* Begins to record what `next` plans, to the files that files_create_more() has created with this
 * file_id. Returns a status equal on all ranks. After a failure, error (size bytes) has one line,
 * and recording of the affected kinds has ended. Collective. */
enum tw_status change_go_on(struct recorder *recorder, struct recorder *next, tw_pe *pe,
                            struct probe_table *table, const struct change_extent *e,
                            uint64_t file_id, char *error, size_t size);
/* Frees the new streams of the affected kinds, and clears the options that request them. Called on
 * all ranks if any rank lacks memory for a stream or cannot open a file. */
void change_give_up(struct recorder *recorder, const struct change_extent *e);

#endif
