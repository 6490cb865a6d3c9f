/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * journey.h - reports packets as tasks, for tracers and --task-trace.
 *
 * Kinds:
 * - "journey" of a packet, added when it is delivered. The journey is the parent of the other
 *   tasks.
 * - "hop" over a link between sites and "access" over a line between a host and its router, from
 *   the arrival in the queue to the arrival at the far end.
 * - "transmission" within each hop and each access, during which the bits arrive at the far end.
 * - "drop" in place of a journey.
 *
 * The "what" of each task is the name of its flow, and the "where" the name of the line, if any.
 */
#ifndef NETSIM_JOURNEY_H
#define NETSIM_JOURNEY_H

#include "model.h"

/* Composes the names of links, such as "A > B"; of two parallel links, the second is "A > B
 * (2)". */
void ns_journey_init(struct ns_model *m);
void ns_journey_fini(struct ns_model *m);

/* Called when a packet has arrived over a line. */
void ns_trace_line(const struct ns_model *m, const struct ns_packet *packet, tw_lp *lp);
/* Called after ns_trace_line(), when the packet is at its host. */
void ns_trace_journey(const struct ns_model *m, const struct ns_packet *packet, tw_lp *lp);
/* Called when a router drops the packet because the output buffer of its next line is full. */
void ns_trace_drop(const struct ns_model *m, const struct ns_packet *packet, tw_lp *lp);

#endif
