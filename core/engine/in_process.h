/*
 * in_process.h - is the handler of an event running? For observers that ask once per record, and
 * know from probe_now() (probe.h) what else the event's LP is doing.
 */
#ifndef WARPSCOPE_ENGINE_IN_PROCESS_H
#define WARPSCOPE_ENGINE_IN_PROCESS_H

#include "event/event.h"

/* Forwards, be it on trial. */
static inline bool event_is_in_process(const tw_event *event)
{
    return event->state.owner == EVENT_PROCESSING;
}

#endif
