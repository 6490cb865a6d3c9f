/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * journey.c - reports the passages of packets as tasks, for tracers and --task-trace.
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
 *
 * The passage of a packet through a queue and over a line ends with a single event, at the far end
 * of the line. The handler of this event adds the tasks of the passage, each with its start and
 * end. The packet carries the time of its arrival at the queue. The start and end of its
 * transmission follow from its size and the line. A link that has packets to send is always busy,
 * so its transmissions show its busy time.
 *
 * The tasks within a journey are added before the journey. They can nevertheless name the journey
 * as their parent, because the id of the journey can be computed from the packet and its hosts.
 *
 * Names are composed only while tasks have a subscriber. Cost: at most two calls of the functions
 * ns_trace_...() per event.
 */
#include "model.h"

#include <assert.h>

/* Text that replaces all names while tasks have no subscriber. */
#define UNREAD "packet"

static const char *label_of(const struct ns_topology *t, uint32_t site)
{
    assert(site < t->n_sites);
    return t->sites[site].short_label;
}

void ns_journey_init(struct ns_model *m)
{
    const struct ns_topology *t = &m->topology;
    m->arc_names = tw_calloc(TW_LOC, "names of links", NS_NAME_SIZE, t->n_arcs);
    for (uint32_t a = 0; a < t->n_arcs; a++) {
        uint32_t parallel = 1;
        for (uint32_t b = t->arc_begin[t->arcs[a].from]; b < a; b++) {
            parallel += t->arcs[b].to == t->arcs[a].to;
        }
        char number[16] = "";
        if (parallel > 1) {
            snprintf(number, sizeof number, " (%" PRIu32 ")", parallel);
        }
        snprintf(m->arc_names[a], NS_NAME_SIZE, "%s > %s%s", label_of(t, t->arcs[a].from),
                 label_of(t, t->arcs[a].to), number);
    }
}

void ns_journey_fini(struct ns_model *m)
{
    free(m->arc_names);
    m->arc_names = NULL;
}

/* ---- Names of lines and hosts ---------------------------------------------------------------- */

static const char *flow_name(const struct ns_model *m, const struct ns_packet *packet, char *text)
{
    if (!st_task_listened()) {
        return UNREAD;
    }
    snprintf(text, NS_NAME_SIZE, "%s > %s", label_of(&m->topology, packet->from_site),
             label_of(&m->topology, packet->to_site));
    return text;
}

/* Returns the index of the sending host within its site. */
static uint32_t from_host(const struct ns_model *m, const struct ns_packet *packet)
{
    assert(m->layout.hosts > 0);
    return (uint32_t)((packet->id >> 40) % m->layout.hosts);
}

static const char *uplink_name(const struct ns_model *m, const struct ns_packet *packet, char *text)
{
    if (!st_task_listened()) {
        return UNREAD;
    }
    const char *site = label_of(&m->topology, packet->from_site);
    snprintf(text, NS_NAME_SIZE, "%s host %" PRIu32 " > %s", site, from_host(m, packet), site);
    return text;
}

static const char *downlink_name(const struct ns_model *m, const struct ns_packet *packet,
                                 char *text)
{
    if (!st_task_listened()) {
        return UNREAD;
    }
    const char *site = label_of(&m->topology, packet->to_site);
    snprintf(text, NS_NAME_SIZE, "%s > %s host %" PRIu16, site, site, packet->to_host);
    return text;
}

/* Returns the id of the task of the packet's journey, computed from the packet's id and hosts. */
static st_task_id journey_id(const struct ns_model *m, const struct ns_packet *packet)
{
    tw_lpid from = ns_gid_of_host(&m->layout, packet->from_site, from_host(m, packet));
    tw_lpid to = ns_gid_of_host(&m->layout, packet->to_site, packet->to_host);
    uint64_t number = (packet->id & (((uint64_t)1 << 40) - 1)) + 1;
    return st_request_in((st_task_id){from + 1, number, 0}, to);
}

/* ---- Passages over lines --------------------------------------------------------------------- */

static double clamp(double value, double low, double high)
{
    return ROSS_MIN(ROSS_MAX(value, low), high);
}

void ns_trace_line(const struct ns_model *m, const struct ns_packet *packet, tw_lp *lp)
{
    char flow_text[NS_NAME_SIZE];
    char line_text[NS_NAME_SIZE];
    const struct ns_line *line = &m->arc_lines[packet->arc];
    const char *where = m->arc_names[packet->arc];
    bool is_access = true;
    if (packet->kind == NS_DELIVER) {
        line = &m->downlink;
        where = downlink_name(m, packet, line_text);
    } else if (packet->hops == 1) {
        line = &m->uplink;
        where = uplink_name(m, packet, line_text);
    } else {
        is_access = false;
    }
    const char *flow = flow_name(m, packet, flow_text);
    /* The times are clamped, since rounding must not change their order. */
    double now_s = tw_now(lp);
    double taken_s = packet->size_bytes * line->s_per_byte;
    double sent_s = clamp(now_s - line->delay_s, packet->queued_s, now_s);
    double begun_s = clamp(sent_s - taken_s, packet->queued_s, sent_s);
    st_step steps[2] = {{begun_s, "sending"}, {sent_s, "sent"}};
    st_task_id id = {0, 0, 0};
    st_task_add(lp, &id, journey_id(m, packet), is_access ? "access" : "hop", flow, where,
                packet->queued_s, steps, 2);
    st_task_id none = {0, 0, 0};
    st_task_add(lp, &none, id, "transmission", flow, where, begun_s + (now_s - sent_s), NULL, 0);
}

void ns_trace_journey(const struct ns_model *m, const struct ns_packet *packet, tw_lp *lp)
{
    char flow_text[NS_NAME_SIZE];
    st_task_id id = journey_id(m, packet);
    st_task_add(lp, &id, (st_task_id){0, 0, 0}, "journey", flow_name(m, packet, flow_text), NULL,
                packet->sent_s, NULL, 0);
}

void ns_trace_drop(const struct ns_model *m, const struct ns_packet *packet, tw_lp *lp)
{
    char flow_text[NS_NAME_SIZE];
    st_task_id id = {0, 0, 0};
    st_task_add(lp, &id, journey_id(m, packet), "drop", flow_name(m, packet, flow_text), NULL,
                packet->sent_s, NULL, 0);
}
