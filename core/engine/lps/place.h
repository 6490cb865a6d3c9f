/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * place.h - the position of a rank in the model, for messages from signal handlers and from the
 * stall watchdog. These functions never block.
 */
#ifndef WARPSCOPE_ENGINE_LPS_PLACE_H
#define WARPSCOPE_ENGINE_LPS_PLACE_H

#include "engine/pe/pe.h"
#include "text/safe_text.h"

/* Returns the number of an LP type, from 1 on, in the order of the first LPs of this rank that have
 * it. Identifies types that have no name. Sets *n_types to the number of types, at most 64. */
unsigned place_type_number(const tw_lptype *type, unsigned *n_types);

/* Adds the prefix "phold: warning: rank 1: ", on a new line if a progress line is shown. */
void place_add_program(struct safe_text *t, const struct pe *pe, const char *kind);
/* Adds "LP 3 (router)" or "LP 3 (type 2 of 3)". */
void place_add_lp(struct safe_text *t, const tw_lp *lp);
/* Adds " at time 10.5, KP 1, event from LP 7" for the current handler. */
void place_add_event(struct safe_text *t, const struct pe *pe, const struct probe_now *now);

#endif
