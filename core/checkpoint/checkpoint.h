/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * checkpoint.h - checkpoints of the run on disk, from which a run continues after a crash:
 * --checkpoint-every, --restart.
 *
 * A checkpoint at virtual time T holds the LPs in their states after all events before T. It also
 * holds the events for T or later that these events sent. A checkpoint is thus the same under every
 * scheduler and on any number of ranks, and so is a run that continues from it. engine/gvt.h
 * describes how the ranks agree on the cut without waiting for each other. cut.c implements the
 * work of a rank at the cut, format.h and writer.h describe the files, and restart.c implements the
 * restart.
 *
 * Invariants
 *  D1  When a checkpoint at T is made, each executed event at or after T has been undone.
 *  D2  A checkpoint whose files all have their final names is complete and on disk.
 *  D3  No checkpoint is removed before `keep` newer checkpoints are complete.
 *  D4  checkpoint_setup(), checkpoint_resume(), checkpoint_finish() and each cut are collective. At
 *      a cut the ranks agree whether the previous checkpoint is complete; then each rank writes its
 *      file independently.
 *
 * Cost: none without the options. A checkpoint costs a rank two rounds of GVT without execution
 * past T, and a copy of its states and pending events (cut.c). A writer thread does the rest. The
 * copy occupies memory until the file is written.
 */
#ifndef WARPSCOPE_CHECKPOINT_CHECKPOINT_H
#define WARPSCOPE_CHECKPOINT_CHECKPOINT_H

#include <stdio.h>

#include "engine/pe/pe.h"

struct json_writer;

/* Prepares checkpoints as the options require. For a restart, finds the checkpoint and checks all
 * of it. Ends the program with status 2 on errors. Call it when the engine and the LP types are
 * complete, and before any event. Collective. */
void checkpoint_setup(struct pe *pe);
/* Returns TW_OK if the present value of --checkpoint-every can take effect during the run.
 * Otherwise writes one line to error (size bytes) and returns another status. Returns the same
 * status on all ranks. */
enum tw_status checkpoint_check_interval(const struct pe *pe, char *error, size_t size);
/* Makes a changed value of --checkpoint-every take effect. All ranks call it after the same GVT
 * computation. */
void checkpoint_change_interval(struct pe *pe);
/* Returns true if this run is a restart. checkpoint_resume() then replaces init and pre_run of all
 * LPs. */
bool checkpoint_is_restart(const struct pe *pe);
/* Restores LPs, events and GVT from the checkpoint. Collective. */
void checkpoint_resume(struct pe *pe);
/* Ends the program with status 2 if a state that is to be copied as bytes holds a pointer.
 * Checkpoints copy states as bytes, and so do moves of LPs (pe->mover is set). Call it when all LPs
 * are initialised or restored. Collective. */
void checkpoint_check_states(struct pe *pe);
/* Returns the seconds of wall-clock time that the run took before the restart; 0: no restart. */
double checkpoint_seconds_before(const struct pe *pe);
/* Completes the last checkpoint, after the commit of the last event, and sums the statistics over
 * the ranks. Collective. */
void checkpoint_finish(struct pe *pe);
/* Prints to out the report's section on checkpoints. Called on rank 0 after checkpoint_finish(). */
void checkpoint_report_text(const struct pe *pe, FILE *out);
/* Adds members about checkpoints to the object that is open in json. Called on rank 0 after
 * checkpoint_finish(). */
void checkpoint_report_json(const struct pe *pe, struct json_writer *json);
void checkpoint_fini(struct pe *pe);

#endif
