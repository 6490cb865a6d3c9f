/*
 * fences.h - in runs of --synch=6: which handler writes beyond the end of its message, of a message
 * that it sends, or of its state.
 *
 * Each message has a fence behind it (event_pool_fence()), each state one in front and one behind
 * (lp_table.fence_bytes). They are looked at before and after each call of a handler, and when an
 * event is sent. A change ends the run with status 3. A crash of a handler is told with its name.
 */
#ifndef WARPSCOPE_ENGINE_FENCES_H
#define WARPSCOPE_ENGINE_FENCES_H

#include "engine/pe.h"

/* Chooses the fences of this run and sets PROBE_ENGINE_FENCES. After the message size, the LPs and
 * their types are known, and before there are events and states. */
void fences_plan(struct pe *pe);
/* Then for the pool of events, right after event_pool_init(). */
void fences_add_to_events(struct pe *pe);

/* When the run is over: crashes are none of ours any more. */
void fences_fini(const struct pe *pe);

/* Around the call of a handler, who: "forward handler". event: the one that it is called for, or
 * NULL. Pairs do not nest. */
void fences_enter(struct pe *pe, tw_lp *lp, tw_event *event, const char *who);
void fences_leave(struct pe *pe);
/* An event that the handler sends. */
void fences_check_sent(struct pe *pe, const tw_event *event);

#endif
