/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * in_process.h - reports whether the handler of an event is running. For observers that test this
 * once per record; probe_now() (probe.h) returns the full context.
 */
#ifndef WARPSCOPE_ENGINE_IN_PROCESS_H
#define WARPSCOPE_ENGINE_IN_PROCESS_H

#include "event/event.h"

/* Returns true while the forward handler of the event runs, including in trial runs (rcheck.c). */
static inline bool event_is_in_process(const tw_event *event)
{
    return event->state.owner == EVENT_PROCESSING;
}

#endif
