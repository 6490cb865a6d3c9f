/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * place.h - texts about the handler that a rank is executing, for messages from signal handlers and
 * from the stall watchdog. These functions never block.
 */
#ifndef WARPSCOPE_ENGINE_LPS_PLACE_H
#define WARPSCOPE_ENGINE_LPS_PLACE_H

#include "engine/pe/pe.h"
#include "text/safe_text.h"

/* Returns a number that identifies an LP type without a name; 0: unknown type. Types are numbered
 * from 1, in the order of their first LPs on this rank. Sets *n_types to the count of types, at
 * most 64. */
unsigned place_type_number(const tw_lptype *type, unsigned *n_types);

/* Adds a prefix such as "phold: warning: rank 1: " to t, on a new line if a progress line is shown.
 * kind: "warning: " or "error: ". */
void place_add_program(struct safe_text *t, const struct pe *pe, const char *kind);
/* Adds a text such as "LP 3 (router)" or "LP 3 (type 2 of 3)" to t. */
void place_add_lp(struct safe_text *t, const tw_lp *lp);
/* Adds to t a text about the running handler, such as " at time 10.5, KP 1, event from LP 7". */
void place_add_event(struct safe_text *t, const struct pe *pe, const struct probe_now *now);

#endif
