/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * control.h - carries out the requests that "warpscope ctl" sends to a running simulation. A
 * request changes what is recorded, makes a checkpoint, saves the flight recorder, ends the run, or
 * asks for its status.
 *
 * Rank 0 finds a request in the run's mailbox and announces it by its vote in the next GVT
 * computation. After that computation, rank 0 sends the request to all ranks, which carry it out at
 * the same GVT.
 */
#ifndef WARPSCOPE_CONTROL_CONTROL_H
#define WARPSCOPE_CONTROL_CONTROL_H

#include "engine/probe.h"

struct recorder;
struct control;
/* Owned; NULL: this rank has no mailbox. Defined in st_globals.c. */
extern struct control *g_st_control;

/* Creates the mailbox on rank 0, if the run records to a directory and --no-control was not given.
 * On failure, prints a warning; the run then goes on without requests. */
void control_begin(const struct recorder *recorder, const tw_pe *pe);
/* Returns true if this rank is rank 0 and its mailbox has a request. May be called often, since it
 * checks the files of the mailbox only about ten times a second. */
bool control_has_request(void);
/* Carries out the request that rank 0 has found, if there is one, and answers it. Collective. */
void control_answer(tw_pe *pe, struct probe_table *table);
/* Refuses the requests that have not been carried out, and removes the mailbox. Called at the end
 * of the run. */
void control_end(const tw_pe *pe);
/* Removes the mailbox. Called after a fatal error. */
void control_emergency(void);
void control_fini(void);

#endif
