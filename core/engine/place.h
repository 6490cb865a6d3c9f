/*
 * place.h - where a rank is in the model, for messages that must not wait for anything: from
 * handlers of signals, and from the thread that watches for stalls.
 */
#ifndef WARPSCOPE_ENGINE_PLACE_H
#define WARPSCOPE_ENGINE_PLACE_H

#include "base/safe_text.h"
#include "engine/pe.h"

/* LP types may have no names: the type's number from 1 on, in the order in which LPs of this rank
 * have them, and how many there are. At most 64. */
unsigned place_type_number(const tw_lptype *type, unsigned *n_types);

/* "phold: warning: rank 1: "; a line of its own behind the progress line. */
void place_add_program(struct safe_text *t, const struct pe *pe, const char *kind);
/* "LP 3 (router)", or "LP 3 (type 2 of 3)". */
void place_add_lp(struct safe_text *t, const tw_lp *lp);
/* " at time 10.5, KP 1, event from LP 7", of the handler that is running. */
void place_add_event(struct safe_text *t, const struct pe *pe, const struct probe_now *now);

#endif
