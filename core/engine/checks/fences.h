/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fences.h - detects handlers that write beyond the end of their message, of a message that they
 * send, or of their state. For --synch=6.
 *
 * Each message has a fence behind it (event_pool_fence()), each state one in front and one behind
 * (lp_table.fence_bytes). The engine checks the fences before and after each call of a handler, and
 * when an event is sent. A damaged fence ends the run with status 3. If a handler crashes, a report
 * names the handler.
 */
#ifndef WARPSCOPE_ENGINE_CHECKS_FENCES_H
#define WARPSCOPE_ENGINE_CHECKS_FENCES_H

#include "engine/pe/pe.h"

/* Chooses the sizes of the fences and sets PROBE_ENGINE_FENCES. Call this function when the message
 * size, the LPs and their types are known, before events and states exist. */
void fences_plan(struct pe *pe);
/* Adds fences to the pool of events. Call this function after fences_plan() and
 * event_pool_init(). */
void fences_add_to_events(struct pe *pe);

/* At the end of the run: restores the signal actions. */
void fences_fini(const struct pe *pe);

/* Call fences_enter() before a handler runs and fences_leave() after it. handler: name of the
 * handler, such as "forward handler". event: event that the handler executes, undoes or commits;
 * NULL: none. Pairs of calls do not nest. */
void fences_enter(struct pe *pe, tw_lp *lp, tw_event *event, const char *handler);
void fences_leave(struct pe *pe);
/* Checks the fence behind the message of an event that the running handler sends. */
void fences_check_sent(struct pe *pe, const tw_event *event);

#endif
