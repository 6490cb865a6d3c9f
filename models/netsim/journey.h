/*
 * journey.h - what netsim tells of packets as tasks, for tracers and --task-trace.
 *
 * Kinds: "journey" of a packet, told when it is delivered; its parts, each with the journey as
 * parent: "hop" over a link between sites and "access" over a line between a host and its router,
 * from the arrival in the queue to the arrival at the other end; within each of them a
 * "transmission", during which the bits arrive at the other end; and "drop" in place of a journey.
 * What: the flow; where: the line.
 */
#ifndef NETSIM_JOURNEY_H
#define NETSIM_JOURNEY_H

#include "model.h"

/* Makes the names of links, "A > B"; the second of parallel ones is "A > B (2)". */
void ns_journey_init(struct ns_model *m);
void ns_journey_fini(struct ns_model *m);

/* When a packet has come over a line. */
void ns_tell_line(const struct ns_model *m, const struct ns_packet *packet, tw_lp *lp);
/* After that, when it is at its host. */
void ns_tell_journey(const struct ns_model *m, const struct ns_packet *packet, tw_lp *lp);
/* When the router drops it before a line. */
void ns_tell_drop(const struct ns_model *m, const struct ns_packet *packet, tw_lp *lp);

#endif
