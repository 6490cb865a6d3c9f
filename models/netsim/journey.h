/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * journey.h - reports the passages of packets as tasks, for tracers and --task-trace.
 *
 * Kinds of tasks:
 * - "journey" of a packet, added when the packet is delivered. The journey is the parent of the
 *   packet's other tasks, except transmissions.
 * - "hop" over a link between sites and "access" over a line between a host and its router, from
 *   the arrival in the queue to the arrival at the far end.
 * - "transmission" within each hop and each access: the time in which the bits arrive at the far
 *   end. Its parent is the hop or access.
 * - "drop" of a packet, added instead of its journey.
 *
 * The "what" of each task is the name of the packet's flow, and the "where" is the name of the
 * line, if any.
 */
#ifndef NETSIM_JOURNEY_H
#define NETSIM_JOURNEY_H

#include "model.h"

/* Composes m->arc_names, the names of links, such as "A > B". If several links are parallel, the
 * second one is named "A > B (2)", and so on. The caller frees the names by ns_journey_fini(). */
void ns_journey_init(struct ns_model *m);
void ns_journey_fini(struct ns_model *m);

/* Adds two tasks: the packet's passage over a line (hop or access), and the transmission within it.
 * Called when the packet has arrived at the end of the line. */
void ns_trace_line(const struct ns_model *m, const struct ns_packet *packet, tw_lp *lp);
/* Adds the task of the packet's journey. Called after ns_trace_line(), when the packet has arrived
 * at its host. */
void ns_trace_journey(const struct ns_model *m, const struct ns_packet *packet, tw_lp *lp);
/* Adds the task of a drop. Called when a router drops the packet because the output buffer of its
 * next line is full. */
void ns_trace_drop(const struct ns_model *m, const struct ns_packet *packet, tw_lp *lp);

#endif
