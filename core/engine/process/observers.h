/* SPDX-License-Identifier: BSD-3-Clause */
/* observers.h - what the engine needs of probe.h: the numbers that LPs take, and the guard that
 * stops observers from calling the engine. */
#ifndef WARPSCOPE_ENGINE_PROCESS_OBSERVERS_H
#define WARPSCOPE_ENGINE_PROCESS_OBSERVERS_H

#include "engine/pe/pe.h"

/* Gives the LP of an undone event the numbers back that the event took. */
void engine_take_back_numbers(struct pe *pe, tw_event *event);
/* At a restart: sets the count of numbers that the LP has taken. */
void engine_restore_numbers(struct pe *pe, const tw_lp *lp, uint64_t numbers);
/* Ends the run if an observer is the caller, with the message "<observer>, called to observe,
 * <what>". */
void engine_refuse_observer(const struct pe *pe, const char *what);

#endif
