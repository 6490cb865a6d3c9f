/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * control.h - carries out requests of "warpscope ctl" to a running simulation: a change of what is
 * recorded, a checkpoint, the end of the run, its status.
 *
 * Rank 0 finds a request in the run's mailbox and votes for it in a GVT computation. After that
 * computation it sends the request to all ranks, which carry it out at the same GVT.
 */
#ifndef WARPSCOPE_CONTROL_CONTROL_H
#define WARPSCOPE_CONTROL_CONTROL_H

#include "engine/probe.h"

struct recorder;
struct control;
extern struct control *g_st_control; /* owned; NULL: no requests; defined in st_globals.c */

/* Creates the mailbox on rank 0, if the run records to a directory and --no-control was not
 * given. */
void control_begin(const struct recorder *recorder, const tw_pe *pe);
/* Returns true on rank 0 if there is a request. May be called often, since it checks the mailbox
 * only about ten times a second. */
bool control_has_request(void);
/* Carries out a request. Collective. */
void control_answer(tw_pe *pe, struct probe_table *table);
/* At the end of the run: refuses requests that have not been carried out, and removes the
 * mailbox. */
void control_end(const tw_pe *pe);
/* Removes the mailbox after a fatal error. */
void control_emergency(void);
void control_fini(void);

#endif
