/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * slice.c - a slice of the L2 cache: set-associative, LRU, write-back, write-allocate.
 *
 * A request passes the port, then the tags. Both serve requests in the order of arrival, the tags
 * one request per cycle. The result of the look-up is known --l2-latency later. A hit is answered.
 * A miss takes an MSHR and requests the line from the channel; later misses of the same line join
 * the MSHR. The arriving line replaces the least recently used line of its set, which is written
 * back if it is dirty. The waiting requests are then answered, one per cycle. If no MSHR is free,
 * the request and all later requests are stalled until an MSHR is free. Replies leave through the
 * port one after another.
 *
 * Invariants:
 * 1. A request held by the slice is in exactly one list: that of the stalled requests, or that of
 *    an MSHR.
 * 2. While requests are stalled, a MS_RETRY is pending or all MSHRs are in use.
 * 3. No two MSHRs have the same line, unless at least one of them is draining.
 * 4. A line is in at most one way. If a line is in a way, only a draining MSHR can have the same
 *    line.
 *
 * ms_slice_check() checks these invariants.
 *
 * A reverse handler undoes the actions of its forward handler in reverse order, which also restores
 * the order of the stack of free places. It restores the old times, and computes from them the
 * values to subtract from the sums. Bits of an event:
 * - c0: the event sent another event of its own kind (MS_DRAIN or MS_RETRY)
 * - c1: the event sent a MS_RETRY to start the retries
 * - c2: the event freed the MSHR
 * - c3: the replaced way was dirty
 * - c4: the replaced way held a line
 * - c5: see slice_requests.c
 *
 * Cost: O(ways + MSHRs) per event.
 */
#include "slice.h"

#include <assert.h>

/* ---- Handling of requests -------------------------------------------------------------------- */

/* Returns the virtual time at which request r has passed the port. now: time at which the end of
 * the request reaches the port. The port works cut-through, so a request that need not wait has
 * passed the port at time `now`. */
static double port_passed(const struct ms_model *m, const struct ms_slice *s,
                          const struct ms_request *r, double now)
{
    return ROSS_MAX(now, s->in_free + ms_port_time(m, ms_request_bytes(r)));
}

static void request_receive(const struct ms_model *m, struct ms_slice *s, tw_bf *bf,
                            struct ms_message *msg, tw_lp *lp)
{
    (void)bf;
    const struct ms_request *r = &msg->request;
    double now = tw_now(lp);
    msg->undo.slice.port = s->in_free;
    msg->undo.slice.u.pipe_free = s->pipe_free;
    s->in_free = port_passed(m, s, r, now);
    double begin = ROSS_MAX(s->in_free, s->pipe_free);
    s->pipe_free = begin + m->cycle;
    s->wait += ms_ticks(begin - now);
    s->requests++;
    st_request_receive(lp, ms_request_task(m, r), ms_class_name(r->type));
    ms_send(lp->gid, begin - now + m->l2_latency,
            &(struct ms_message){.kind = MS_LOOKUP, .request = *r}, lp);
}

static void request_receive_undo(const struct ms_model *m, struct ms_slice *s, tw_bf *bf,
                                 struct ms_message *msg, tw_lp *lp)
{
    (void)bf;
    assert(s->requests > 0);
    double now = tw_now(lp);
    s->requests--;
    s->pipe_free = msg->undo.slice.u.pipe_free;
    s->in_free = msg->undo.slice.port;
    double begin = ROSS_MAX(port_passed(m, s, &msg->request, now), s->pipe_free);
    s->wait -= ms_ticks(begin - now);
}

static void lookup(const struct ms_model *m, struct ms_slice *s, tw_bf *bf, struct ms_message *msg,
                   tw_lp *lp)
{
    struct ms_slice_undo *undo = &msg->undo.slice;
    if (s->stalled.first != 0) {
        undo->outcome = MS_REFUSED;
        st_task_step(lp, st_request_in(ms_request_task(m, &msg->request), lp->gid), "stalled");
    } else {
        ms_request_try(m, s, bf, &msg->request, undo, lp);
    }
    if (undo->outcome == MS_REFUSED) {
        ms_list_append(m, s, &s->stalled, &msg->request, undo);
        s->stalls++;
    }
}

static void lookup_undo(const struct ms_model *m, struct ms_slice *s, tw_bf *bf,
                        struct ms_message *msg, tw_lp *lp)
{
    if (msg->undo.slice.outcome == MS_REFUSED) {
        s->stalls--;
        ms_list_append_undo(m, s, &s->stalled, &msg->undo.slice);
    } else {
        ms_request_try_undo(m, s, bf, &msg->request, &msg->undo.slice, lp);
    }
}

/* Retries the first stalled request. Sets bit c0 if it sends an event to retry the next stalled
 * request. */
static void retry(const struct ms_model *m, struct ms_slice *s, tw_bf *bf, struct ms_message *msg,
                  tw_lp *lp)
{
    struct ms_slice_undo *undo = &msg->undo.slice;
    struct ms_request first = *ms_place(m, s, s->stalled.first);
    first.next = 0;
    s->retrying = 0;
    if (ms_mshr_find(m, s, 0) == m->mshrs) {
        undo->outcome = MS_REFUSED; /* no MS_RETRY here: the event that frees an MSHR sends one */
        return;
    }
    ms_list_pop(m, s, &s->stalled, undo);
    ms_request_try(m, s, bf, &first, undo, lp);
    bf->c0 = s->stalled.first != 0;
    if (bf->c0) {
        s->retrying = 1;
        ms_self_send(m->cycle, MS_RETRY, 0, lp);
    }
}

static void retry_undo(const struct ms_model *m, struct ms_slice *s, tw_bf *bf,
                       struct ms_message *msg, tw_lp *lp)
{
    const struct ms_slice_undo *undo = &msg->undo.slice;
    s->retrying = 1;
    if (undo->outcome != MS_REFUSED) {
        ms_request_try_undo(m, s, bf, &undo->popped, undo, lp);
        ms_list_pop_undo(m, s, &s->stalled, undo);
    }
}

/* ---- Lines from the channel ------------------------------------------------------------------ */

static unsigned way_oldest(const struct ms_model *m, const struct ms_way *set)
{
    unsigned oldest = 0;
    for (unsigned way = 1; way < m->ways; way++) {
        oldest = set[way].stamp < set[oldest].stamp ? way : oldest;
    }
    return oldest;
}

static void fill(const struct ms_model *m, struct ms_slice *s, tw_bf *bf, struct ms_message *msg,
                 tw_lp *lp)
{
    assert(msg->mshr < m->mshrs);
    struct ms_slice_undo *undo = &msg->undo.slice;
    uint64_t line = msg->request.address;
    struct ms_mshr *mshr = &ms_mshrs(m, s)[msg->mshr];
    struct ms_way *set = ms_slice_set(m, s, line);
    struct ms_way *way = &set[way_oldest(m, set)];
    undo->way = (uint16_t)(way - set);
    undo->word = way->word;
    undo->u.stamp = way->stamp;
    bf->c3 = way->word & 1;
    bf->c4 = way->word != 0;
    s->writebacks += bf->c3;
    s->evictions += bf->c4;
    if (bf->c3) {
        unsigned slice = (unsigned)(lp->gid - ms_gid_of_slice(m, 0));
        const struct ms_message write = {.kind = MS_WRITE, .request.address = (way->word >> 1) - 1};
        ms_send(ms_gid_of_channel(m, ms_channel_of_slice(m, slice)), m->channel_latency, &write,
                lp);
    }
    way->word = (line + 1) << 1 | mshr->dirty;
    way->stamp = ++s->clock;
    mshr->draining = 1;
    ms_self_send(0, MS_DRAIN, msg->mshr, lp);
}

static void fill_undo(const struct ms_model *m, struct ms_slice *s, tw_bf *bf,
                      struct ms_message *msg, tw_lp *lp)
{
    (void)lp;
    const struct ms_slice_undo *undo = &msg->undo.slice;
    struct ms_way *way = &ms_slice_set(m, s, msg->request.address)[undo->way];
    ms_mshrs(m, s)[msg->mshr].draining = 0;
    s->clock--;
    way->stamp = undo->u.stamp;
    way->word = undo->word;
    s->evictions -= bf->c4;
    s->writebacks -= bf->c3;
}

static void drain(const struct ms_model *m, struct ms_slice *s, tw_bf *bf, struct ms_message *msg,
                  tw_lp *lp)
{
    assert(msg->mshr < m->mshrs && s->mshrs_used > 0);
    struct ms_slice_undo *undo = &msg->undo.slice;
    struct ms_mshr *mshr = &ms_mshrs(m, s)[msg->mshr];
    ms_list_pop(m, s, &mshr->waiting, undo);
    ms_reply(m, s, &undo->popped, undo, lp);
    bf->c0 = mshr->waiting.first != 0;
    bf->c2 = !bf->c0;
    if (bf->c0) {
        ms_self_send(m->cycle, MS_DRAIN, msg->mshr, lp);
        return;
    }
    undo->word = mshr->line << 1 | mshr->dirty;
    *mshr = (struct ms_mshr){.line = 0};
    s->mshrs_used--;
    bf->c1 = s->stalled.first != 0 && !s->retrying;
    if (bf->c1) {
        s->retrying = 1;
        ms_self_send(m->cycle, MS_RETRY, 0, lp);
    }
}

static void drain_undo(const struct ms_model *m, struct ms_slice *s, tw_bf *bf,
                       struct ms_message *msg, tw_lp *lp)
{
    const struct ms_slice_undo *undo = &msg->undo.slice;
    struct ms_mshr *mshr = &ms_mshrs(m, s)[msg->mshr];
    s->retrying = bf->c1 ? 0 : s->retrying;
    if (bf->c2) {
        s->mshrs_used++;
        *mshr = (struct ms_mshr){
            .line = undo->word >> 1, .draining = 1, .dirty = (uint16_t)(undo->word & 1)};
    }
    ms_reply_undo(m, s, &undo->popped, undo, lp);
    ms_list_pop_undo(m, s, &mshr->waiting, undo);
}

/* ---- Event handlers -------------------------------------------------------------------------- */

void ms_slice_init(void *state, tw_lp *lp)
{
    (void)lp;
    const struct ms_model *m = ms_model();
    struct ms_slice *s = state;
    s->held = ms_places(m);
    for (uint32_t place = ms_places(m); place > 0; place--) {
        ms_place_give_back(m, s, place);
    }
}

typedef void (*handler_f)(const struct ms_model *m, struct ms_slice *s, tw_bf *bf,
                          struct ms_message *msg, tw_lp *lp);
/* The forward and the reverse handler of each kind of message. */
static const handler_f handlers[][2] = {[MS_REQUEST] = {request_receive, request_receive_undo},
                                        [MS_LOOKUP] = {lookup, lookup_undo},
                                        [MS_FILL] = {fill, fill_undo},
                                        [MS_DRAIN] = {drain, drain_undo},
                                        [MS_RETRY] = {retry, retry_undo}};

/* Returns false if an event is impossible, see MS_IMPOSSIBLE(). */
static bool is_possible(const struct ms_model *m, struct ms_slice *s, const struct ms_message *msg)
{
    if (msg->kind == MS_LOOKUP) {
        return s->free != 0;
    }
    const struct ms_mshr *mshr = &ms_mshrs(m, s)[msg->mshr];
    return msg->kind != MS_FILL || (mshr->line == msg->request.address + 1 && !mshr->draining);
}

void ms_slice_event(void *state, tw_bf *bf, void *msg, tw_lp *lp)
{
    const struct ms_message *message = msg;
    MS_IMPOSSIBLE(bf) = !is_possible(ms_model(), state, message);
    if (!MS_IMPOSSIBLE(bf)) {
        handlers[message->kind][0](ms_model(), state, bf, msg, lp);
    }
}

void ms_slice_revent(void *state, tw_bf *bf, void *msg, tw_lp *lp)
{
    struct ms_message *message = msg;
    if (!MS_IMPOSSIBLE(bf)) {
        handlers[message->kind][1](ms_model(), state, bf, msg, lp);
        memset(&message->undo, 0, sizeof message->undo);
    }
}
