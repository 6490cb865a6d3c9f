/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * move.h - --map=auto: LPs move once during the run, to a better placement.
 *
 * From the beginning of the run, each rank counts committed events per LP and per pair of LPs
 * (counts.c). At a cut (engine/gvt.h), rank 0 gathers the counts and computes a placement
 * (decide.c). If the predicted gain is large enough, the LPs move. A move works like a checkpoint
 * and a restart with another map, but in memory (parcel.c). A restart commits the same events with
 * every map, and so does a run whose LPs move.
 *
 * Invariants
 *  M1  After the cut, events are not counted, and an event costs no more than in a run with
 *      --lp-map.
 *  M2  Until all ranks have written their LPs and events to memory, the engine is unchanged: any
 *      rank may still prevent the move.
 *  M3  During a move no event is executed and no message is in transit.
 *
 * Cost: while events are counted, they commit in event order, and each event updates an entry of a
 * hash table. The move stops the run for as long as a checkpoint and a restart would, without disk
 * access. It needs memory for a second copy of states and events.
 */
#ifndef WARPSCOPE_MOVE_MOVE_H
#define WARPSCOPE_MOVE_MOVE_H

#include <stdio.h>

#include "engine/pe/pe.h"

struct json_writer;

/* Prepares the move if the options request it. Ends the program with status 2 if LPs cannot move.
 * Call it after the engine and the LP types are set up, and before any file is written.
 * Collective. */
void move_setup(struct pe *pe);
/* Begins to count events, and plans the move. Call it directly before the first event.
 * Collective. */
void move_begin(struct pe *pe);
/* Prints to out the report's section on the move. Called on rank 0. */
void move_report_text(const struct pe *pe, FILE *out);
/* Adds a member about the move to the object that is open in json. Called on rank 0. */
void move_report_json(const struct pe *pe, struct json_writer *json);
void move_fini(struct pe *pe);

#endif
