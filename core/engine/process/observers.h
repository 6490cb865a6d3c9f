/* SPDX-License-Identifier: BSD-3-Clause */
/* observers.h - the engine's side of two services of probe.h: record numbers of LPs, and the guard
 * that stops observers from changing the simulation. */
#ifndef WARPSCOPE_ENGINE_PROCESS_OBSERVERS_H
#define WARPSCOPE_ENGINE_PROCESS_OBSERVERS_H

#include "engine/pe/pe.h"

/* Returns to the event's LP the record numbers that the undone event took. */
void engine_take_back_numbers(struct pe *pe, tw_event *event);
/* At a restart: sets the last record number that the LP has taken. */
void engine_restore_numbers(struct pe *pe, const tw_lp *lp, uint64_t numbers);
/* Ends the run if an observer is running, with the error message "<observer>, called to observe,
 * <what>". */
void engine_refuse_observer(const struct pe *pe, const char *what);

#endif
