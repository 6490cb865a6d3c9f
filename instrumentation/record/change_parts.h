/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * change_parts.h - parts of a change of what is recorded, for change.c and for LPs that move
 * (move.c).
 */
#ifndef WARPSCOPE_RECORD_CHANGE_PARTS_H
#define WARPSCOPE_RECORD_CHANGE_PARTS_H

#include "record/files.h"

/* Streams and samples that a change affects. */
struct change_extent {
    struct files_wanted renewed; /* streams that end a file, begin a file, or both */
    struct sampling_kinds samples;
    bool vt;    /* true if sampling at virtual times ends, begins, or both */
    bool trace; /* true if the event trace ends, begins, or both */
    /* Time up to which the causes of events are unknown in the event trace that begins. */
    double trace_after;
};

/* Returns true if the change affects any stream. */
bool change_is_any(const struct change_extent *e);

/* Returns a recorder for the plan of these options. Registry, names, directory and facts are
 * borrowed. Free it with change_plan_free(). */
struct recorder *change_plan_make(const struct recorder *recorder, const struct record_options *to);
/* Frees the plan, except for what change_go_on() has moved to the recorder. */
void change_plan_free(struct recorder *next);

/* Ends the affected records and their files. why: the reason, for the END blocks. */
void change_stop(struct recorder *recorder, tw_pe *pe, struct probe_table *table,
                 const struct change_extent *e, const char *why);
/* Begins to record as planned, to the files that files_create_more() has created for this number.
 * Returns a status equal on all ranks. After a failure, error (size bytes) has one line, and
 * recording of the affected kinds has ended. Collective. */
enum tw_status change_go_on(struct recorder *recorder, struct recorder *next, tw_pe *pe,
                            struct probe_table *table, const struct change_extent *e,
                            uint64_t file_id, char *error, size_t size);
/* Frees the new streams, and clears the options that request them. Called on all ranks if one of
 * them lacks memory for a stream or cannot open a file. */
void change_give_up(struct recorder *recorder, const struct change_extent *e);

#endif
