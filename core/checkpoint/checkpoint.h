/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * checkpoint.h - checkpoints of the run on disk, to continue after a crash: --checkpoint-every,
 * --restart.
 *
 * A checkpoint at virtual time T holds the LPs in their states after all events before T, and the
 * events that these sent for T or later. It is thus the same under every scheduler and on any
 * number of ranks, and so is a run that continues from it. engine/gvt.h describes how the ranks
 * agree on the cut without waiting for each other. cut.c has the work of a rank at the cut,
 * format.h and folder.h the files, restart.c the restart.
 *
 * Invariants
 *  D1  At T no event at or after T is committed, or executed and not undone.
 *  D2  A checkpoint whose files all have their final names is complete and on disk.
 *  D3  No checkpoint is removed before `keep` newer ones are complete.
 *  D4  checkpoint_setup(), checkpoint_resume(), checkpoint_finish() and each cut are collective. At
 *      a cut the ranks agree whether the previous checkpoint is complete; then each writes on its
 *      own.
 *
 * Cost: none without the options. A checkpoint costs a rank two rounds of GVT, in which it executes
 * nothing past T, and a copy of its states and pending events (cut.c). A writer thread does the
 * rest. The copy occupies memory until the file is written.
 */
#ifndef WARPSCOPE_CHECKPOINT_CHECKPOINT_H
#define WARPSCOPE_CHECKPOINT_CHECKPOINT_H

#include <stdio.h>

#include "engine/pe/pe.h"

struct json_writer;

/* Reads the options. For a restart, finds the checkpoint and reads all of it. Ends the program
 * with status 2 on errors. Call it when engine and LP types are complete, before any event.
 * Collective. */
void checkpoint_setup(struct pe *pe);
/* Returns TW_OK if the present value of --checkpoint-every can take effect during the run, or
 * another status with one line in error. Gives the same result on all ranks. */
enum tw_status checkpoint_check_interval(const struct pe *pe, char *error, size_t size);
/* Makes a changed value of --checkpoint-every take effect. Called after a GVT computation, on all
 * ranks. */
void checkpoint_change_interval(struct pe *pe);
/* Returns true if this run is a restart. checkpoint_resume() then replaces LP init and pre_run. */
bool checkpoint_is_restart(const struct pe *pe);
/* Restores LPs, events and GVT. Collective. */
void checkpoint_resume(struct pe *pe);
/* Ends the program with status 2 if states are to be copied as bytes, to checkpoints or because LPs
 * move (pe->mover is set), and hold pointers. Call it
 * when LPs are initialised or resumed. Collective. */
void checkpoint_check_states(struct pe *pe);
/* Returns the seconds of wall-clock time that the run took before the restart. */
double checkpoint_seconds_before(const struct pe *pe);
/* Completes the last file, after the commit of the last event. Collective. */
void checkpoint_finish(struct pe *pe);
/* Write the lines for the report, and the members for the report in JSON into the object that json
 * has open. Called on rank 0 after checkpoint_finish(). */
void checkpoint_report_text(const struct pe *pe, FILE *out);
void checkpoint_report_json(const struct pe *pe, struct json_writer *json);
void checkpoint_fini(struct pe *pe);

#endif
