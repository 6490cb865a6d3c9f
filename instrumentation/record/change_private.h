/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * change_private.h - functions that change what is recorded, called by change.c and, for LPs that
 * move, by move.c.
 */
#ifndef WARPSCOPE_RECORD_CHANGE_PRIVATE_H
#define WARPSCOPE_RECORD_CHANGE_PRIVATE_H

#include "record/files.h"

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
