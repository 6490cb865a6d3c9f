/* SPDX-License-Identifier: BSD-3-Clause */
/* push.c - the slow path of engine_push(). */
#include "engine/engine.h"

__attribute__((noinline)) void engine_push_watched(struct pe *pe, tw_event *event)
{
    enum tw_phase before = phase_enter(&pe->phases, TW_PHASE_priority_queue);
    pending_push(pe->pending, event);
    phase_enter(&pe->phases, before);
    if (PROBE_IS_WANTED(&pe->probes, queue_pushed)) {
        PROBE_CALL(&pe->probes, queue_pushed, event);
    }
}
