/*
 * probe_event.h - an event as a probe sees it: the first part of the event itself, so that showing
 * one costs nothing.
 */
#ifndef WARPSCOPE_EVENT_PROBE_EVENT_H
#define WARPSCOPE_EVENT_PROBE_EVENT_H

#include "ross.h"

#define PROBE_EVENT_FIELDS                                                                         \
    tw_lpid src;  /* gid of the sender */                                                          \
    tw_lpid dest; /* gid of the receiver */                                                        \
    tw_stime send_ts;                                                                              \
    tw_stime recv_ts;                                                                              \
    tw_stime prio;                                                                                 \
    tw_lp *lp; /* receiver; NULL when it is on another rank, and in events for other ranks */

/* Valid during the call of the probe. */
struct probe_event {
    PROBE_EVENT_FIELDS
};

/* The event, whose address tells events apart that are alive; nothing but the engine looks into it.
 */
static inline tw_event *probe_event_whole(const struct probe_event *e)
{
    return (tw_event *)(uintptr_t)e;
}

/* The payload, g_tw_msg_sz bytes. */
static inline void *probe_event_message(const struct probe_event *e)
{
    return tw_event_data(probe_event_whole(e));
}

#endif
