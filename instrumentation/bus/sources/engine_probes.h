/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * engine_probes.h - functions, one for each probe (engine/probe.h), that report to streams and
 * hooks what happens in the engine. Their argument ctx points to the struct engine_stream.
 */
#ifndef WARPSCOPE_BUS_SOURCES_ENGINE_PROBES_H
#define WARPSCOPE_BUS_SOURCES_ENGINE_PROBES_H

#include "engine/probe.h"

void engine_on_event_starting(void *ctx, const tw_event *e, const tw_lp *ahead);
void engine_on_event_executed(void *ctx, const tw_event *e, const tw_lp *ahead);
void engine_on_event_undone(void *ctx, const tw_event *e, bool state_restored);
void engine_on_event_committed(void *ctx, const tw_event *e, const tw_lp *ahead);
void engine_on_queue_pushed(void *ctx, const tw_event *e);
void engine_on_queue_popped(void *ctx, const tw_event *e);
void engine_on_event_sent(void *ctx, const tw_event *e);
void engine_on_rollback_begin(void *ctx, const tw_event *e, enum probe_rollback why);
void engine_on_rollback_end(void *ctx, tw_kp *kp, enum probe_rollback why, uint64_t events_undone);
void engine_on_message_sent(void *ctx, tw_lp *source, bool anti);
void engine_on_message_received(void *ctx, tw_lp *dest, bool anti);
void engine_on_gvt_started(void *ctx, const tw_pe *pe);
void engine_on_gvt_finished(void *ctx, const tw_pe *pe, tw_stime gvt);
void engine_on_fossils_collected(void *ctx, const tw_pe *pe, tw_stime gvt, uint64_t n);
void engine_on_lp_init(void *ctx, tw_lp *lp);
void engine_on_lp_final(void *ctx, tw_lp *lp);

#endif
