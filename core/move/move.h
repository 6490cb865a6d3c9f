/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * move.h - --map=auto: LPs move once during the run, to a better placement.
 *
 * From the start each rank counts committed events by LP and by pair of LPs (counts.h). At a cut,
 * see engine/gvt.h, rank 0 gathers the counts and finds a placement (decide.c). If it promises
 * enough, the LPs move: like a checkpoint and a restart under another map, but in memory (parcel.c).
 * Since a restart commits the same events under every map, so does a run whose LPs move.
 *
 * Invariants
 *  M1  From the cut on nothing is counted, and no event costs more than in a run with --lp-map.
 *  M2  Until all ranks have written their LPs and events, nothing is changed: any rank may still
 *      prevent the move.
 *  M3  During a move no event is executed and no message is in transit.
 *
 * Cost: while events are counted, they commit in event order, and each updates an entry of a hash
 * table. The move stops the run as long as a checkpoint and a restart take, without the disk, and
 * needs memory for a second copy of states and events.
 */
#ifndef WARPSCOPE_MOVE_MOVE_H
#define WARPSCOPE_MOVE_MOVE_H

#include <stdio.h>

#include "engine/pe/pe.h"

struct json_writer;

/* Reads the options. Ends the program with status 2 if LPs cannot move. Call it when engine and LP
 * types are complete, before any file is written. Collective. */
void move_setup(struct pe *pe);
/* Begins to count events, and plans the move. Call it right before the first event. Collective. */
void move_begin(struct pe *pe);
/* Write the lines for the report, and the members for the report in JSON into the object that json
 * has open. Called on rank 0. */
void move_report_text(const struct pe *pe, FILE *out);
void move_report_json(const struct pe *pe, struct json_writer *json);
void move_fini(struct pe *pe);

#endif
