/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sm.c - a streaming multiprocessor: issues the accesses of its CTAs and waits for the replies.
 *
 * The accesses of a launch are issued in the order of the trace, so the accesses of each CTA are in
 * order, too. The streams are served round robin. An access consists of one request per line that
 * it touches. Requests are issued one at a time. The time between two requests is one cycle or the
 * time that the port needs for a request, whichever is longer. At most --outstanding requests can
 * be unanswered. An access has a slot from its first request to its last reply.
 *
 * Invariants:
 * 1. in_flight is the sum of the members `pending` of all slots.
 * 2. In a free slot, all members except `next` are zero.
 * 3. While port_busy is set, a MS_PORT_FREE is pending. While it is not set, the SM has no request
 *    that it may issue.
 *
 * ms_sm_check() checks these invariants.
 *
 * Bits of an event:
 * - c0: a request was issued
 * - c1: the request was the first of its access
 * - c2: the request was the last of its access
 * - c3: the limit --outstanding prevented the issue of a request
 * - c4: the reply must wait for the port
 * - c5: a reply was taken from the port
 * - c6: the reply completed an access
 * - c7: this SM has done its part of the launch
 *
 * Cost: O(streams) per event.
 */
#include "model.h"

#include <assert.h>

static uint32_t sm_number(const struct ms_model *m, const tw_lp *lp)
{
    assert(lp->gid >= ms_gid_of_sm(m, 0) && lp->gid < ms_gid_of_slice(m, 0));
    return (uint32_t)(lp->gid - ms_gid_of_sm(m, 0));
}

/* Returns item i (from 0) of the SM in the stream. */
static struct ms_item item_of(const struct ms_model *m, unsigned stream, uint64_t i,
                              const tw_lp *lp)
{
    return *ms_script_item(ms_script(), stream, sm_number(m, lp), i);
}

void ms_sm_done(unsigned stream, uint64_t i, const tw_lp *lp)
{
    ms_script_done(ms_script(), stream, sm_number(ms_model(), lp), i);
}

/* ---- Slots ----------------------------------------------------------------------------------- */

static uint16_t slot_take(const struct ms_model *m, struct ms_sm *sm)
{
    assert(sm->free != 0 && sm->free <= ms_n_slots(m));
    uint16_t slot = (uint16_t)(sm->free - 1);
    sm->free = ms_slots(m, sm)[slot].next;
    ms_slots(m, sm)[slot].next = 0;
    return slot;
}

static void slot_give_back(const struct ms_model *m, struct ms_sm *sm, uint16_t slot)
{
    assert(slot < ms_n_slots(m));
    ms_slots(m, sm)[slot] = (struct ms_slot){.next = sm->free};
    sm->free = slot + 1u;
}

/* ---- Issuing requests ------------------------------------------------------------------------ */

/* Returns the index of the next stream, in round-robin order, that has a request to issue;
 * n_streams: there is none. */
static unsigned stream_pick(const struct ms_model *m, const struct ms_sm *sm)
{
    for (unsigned i = 0; i < m->n_streams; i++) {
        unsigned stream = (sm->turn + i) % m->n_streams;
        if (sm->tasks[stream].at < sm->tasks[stream].end) {
            return stream;
        }
    }
    return m->n_streams;
}

/* Sends request r to its slice. Also sends an event to the SM itself, for the time at which the
 * SM's outgoing port is free again. */
static void request_send(const struct ms_model *m, struct ms_sm *sm, struct ms_request *r,
                         const struct ms_task *task, unsigned stream, tw_lp *lp)
{
    st_task_id id = {0, 0, 0};
    st_request_initiate(lp, (st_task_id){stream + 1u, task->kernel, 0}, ms_class_name(r->type),
                        &id);
    r->number = id.number;
    double port = ms_port_time(m, ms_request_bytes(r));
    sm->port_ticks += ms_ticks(port);
    unsigned slice = ms_slice_of_line(m, r->address >> m->line_bits);
    ms_send(ms_gid_of_slice(m, slice), port + m->network_latency,
            &(struct ms_message){.kind = MS_REQUEST, .request = *r}, lp);
    ms_send(lp->gid, ROSS_MAX(m->cycle, port), &(struct ms_message){.kind = MS_PORT_FREE}, lp);
}

static void issue(const struct ms_model *m, struct ms_sm *sm, tw_bf *bf, struct ms_message *msg,
                  tw_lp *lp)
{
    unsigned stream = sm->port_busy ? m->n_streams : stream_pick(m, sm);
    if (stream == m->n_streams) {
        return;
    }
    bf->c3 = sm->in_flight == m->outstanding;
    sm->blocked += bf->c3;
    if (bf->c3) {
        return;
    }
    struct ms_task *task = &sm->tasks[stream];
    struct ms_item item = item_of(m, stream, task->at, lp);
    struct ms_request r = {.address = item.address + task->bytes, .sm = item.sm};
    uint32_t rest = m->line - (uint32_t)(r.address & (m->line - 1));
    r.bytes = ROSS_MIN(item.size - task->bytes, rest);
    r.type = (uint16_t)item.type;
    bf->c0 = 1;
    bf->c1 = task->bytes == 0;
    bf->c2 = task->bytes + r.bytes == item.size;
    if (bf->c1) {
        task->slot = slot_take(m, sm);
        ms_slots(m, sm)[task->slot] = (struct ms_slot){
            .item = task->at, .issued = tw_now(lp), .stream = (uint16_t)stream, .used = 1};
        task->pending++;
    }
    struct ms_slot *slot = &ms_slots(m, sm)[task->slot];
    slot->pending++;
    slot->whole = bf->c2;
    r.slot = task->slot;
    msg->undo.sm.stream = (uint16_t)stream;
    msg->undo.sm.turn = sm->turn;
    msg->undo.sm.slot = task->slot;
    msg->undo.sm.bytes = task->bytes;
    msg->undo.sm.port_ticks = sm->port_ticks;
    task->at += bf->c2;
    task->bytes = bf->c2 ? 0 : task->bytes + r.bytes;
    task->slot = bf->c2 ? 0 : task->slot;
    sm->turn = (uint16_t)((stream + 1) % m->n_streams);
    sm->in_flight++;
    sm->requests++;
    sm->port_busy = 1;
    request_send(m, sm, &r, task, stream, lp);
}

static void issue_undo(const struct ms_model *m, struct ms_sm *sm, const tw_bf *bf,
                       const struct ms_message *msg)
{
    sm->blocked -= bf->c3;
    if (!bf->c0) {
        return;
    }
    const struct ms_sm_undo *undo = &msg->undo.sm;
    assert(undo->stream < m->n_streams && sm->in_flight > 0);
    struct ms_task *task = &sm->tasks[undo->stream];
    struct ms_slot *slot = &ms_slots(m, sm)[undo->slot];
    task->at -= bf->c2;
    task->bytes = undo->bytes;
    task->slot = bf->c1 ? 0 : undo->slot;
    slot->pending--;
    slot->whole = 0;
    if (bf->c1) {
        task->pending--;
        slot_give_back(m, sm, undo->slot);
    }
    sm->port_ticks = undo->port_ticks;
    sm->turn = undo->turn;
    sm->in_flight--;
    sm->requests--;
    sm->port_busy = 0;
}

/* ---- End of a launch ------------------------------------------------------------------------- */

static void done_send(const struct ms_model *m, struct ms_task *task, unsigned stream, tw_bf *bf,
                      tw_lp *lp)
{
    bf->c7 = task->active && task->at == task->end && task->pending == 0;
    if (bf->c7) {
        task->active = 0;
        ms_send(stream, m->launch_latency,
                &(struct ms_message){.kind = MS_DONE, .stream = (uint16_t)stream}, lp);
    }
}

static void start(const struct ms_model *m, struct ms_sm *sm, tw_bf *bf, struct ms_message *msg,
                  tw_lp *lp)
{
    assert(msg->stream < m->n_streams);
    struct ms_task *task = &sm->tasks[msg->stream];
    msg->undo.sm.u.start.end = task->end;
    msg->undo.sm.u.start.kernel = task->kernel;
    ms_script_span(ms_script(), msg->stream, sm_number(m, lp), msg->launch, &task->at, &task->end);
    task->kernel = msg->kernel;
    task->active = 1;
    done_send(m, task, msg->stream, bf, lp);
}

/* Undoes the start of a launch. When a launch starts, all items of the previous launch have been
 * issued, so the old value of `at` equals that of `end`. */
static void start_undo(struct ms_sm *sm, const struct ms_message *msg)
{
    assert(msg->stream < ms_model()->n_streams);
    struct ms_task *task = &sm->tasks[msg->stream];
    task->at = msg->undo.sm.u.start.end;
    task->end = msg->undo.sm.u.start.end;
    task->kernel = msg->undo.sm.u.start.kernel;
    task->active = 0;
}

/* ---- Replies --------------------------------------------------------------------------------- */

static void answer_take(const struct ms_model *m, struct ms_sm *sm, tw_bf *bf,
                        struct ms_message *msg, tw_lp *lp)
{
    assert(msg->request.slot < ms_n_slots(m) && sm->in_flight > 0);
    const struct ms_request *r = &msg->request;
    struct ms_slot *slot = &ms_slots(m, sm)[r->slot];
    bf->c5 = 1;
    st_request_finalize(lp, ms_request_task(m, r));
    sm->in_flight--;
    slot->pending--;
    bf->c6 = slot->whole && slot->pending == 0;
    if (bf->c6) {
        struct ms_item item = item_of(m, slot->stream, slot->item, lp);
        struct ms_task *task = &sm->tasks[slot->stream];
        sm->accesses[ms_class(item.type)]++;
        sm->bytes[ms_class(item.type)] += item.size;
        sm->latency += ms_ticks(tw_now(lp) - slot->issued);
        msg->undo.sm.u.slot = *slot;
        task->pending--;
        slot_give_back(m, sm, r->slot);
        done_send(m, task, msg->undo.sm.u.slot.stream, bf, lp);
    }
}

static void answer_take_undo(const struct ms_model *m, struct ms_sm *sm, const tw_bf *bf,
                             const struct ms_message *msg, tw_lp *lp)
{
    const struct ms_request *r = &msg->request;
    struct ms_slot *slot = &ms_slots(m, sm)[r->slot];
    if (bf->c6) {
        sm->free = slot->next;
        *slot = msg->undo.sm.u.slot;
        struct ms_task *task = &sm->tasks[slot->stream];
        struct ms_item item = item_of(m, slot->stream, slot->item, lp);
        task->active = (uint16_t)(task->active | bf->c7);
        task->pending++;
        sm->latency -= ms_ticks(tw_now(lp) - slot->issued);
        sm->bytes[ms_class(item.type)] -= item.size;
        sm->accesses[ms_class(item.type)]--;
    }
    slot->pending++;
    sm->in_flight++;
}

/* Receives a reply whose end reaches the port at the present time. The reply is complete when its
 * end has passed the port, which works cut-through. */
static void reply_receive(const struct ms_model *m, struct ms_sm *sm, tw_bf *bf,
                          struct ms_message *msg, tw_lp *lp)
{
    double now = tw_now(lp);
    double done = sm->in_free + ms_port_time(m, ms_reply_bytes(&msg->request));
    msg->undo.sm.in_free = sm->in_free;
    bf->c4 = done > now;
    sm->in_free = bf->c4 ? done : now;
    if (!bf->c4) {
        answer_take(m, sm, bf, msg, lp);
        return;
    }
    sm->wait += ms_ticks(done - now);
    ms_send(lp->gid, done - now, &(struct ms_message){.kind = MS_ARRIVED, .request = msg->request},
            lp);
}

static void reply_receive_undo(struct ms_sm *sm, const tw_bf *bf, const struct ms_message *msg,
                               tw_lp *lp)
{
    sm->wait -= bf->c4 ? ms_ticks(sm->in_free - tw_now(lp)) : 0;
    sm->in_free = msg->undo.sm.in_free;
}

/* ---- Event handlers -------------------------------------------------------------------------- */

void ms_sm_init(void *state, tw_lp *lp)
{
    (void)lp;
    const struct ms_model *m = ms_model();
    struct ms_sm *sm = state;
    for (unsigned i = ms_n_slots(m); i > 0; i--) {
        slot_give_back(m, sm, (uint16_t)(i - 1));
    }
}

/* Returns false if an event is impossible, see MS_IMPOSSIBLE(). A reply that waits for the port is
 * checked a second time when it has passed the port. */
static bool is_possible(const struct ms_model *m, struct ms_sm *sm, const struct ms_message *msg)
{
    const struct ms_task *task = &sm->tasks[msg->stream];
    switch (msg->kind) {
    case MS_START:
        return !task->active && task->pending == 0 && task->at == task->end;
    case MS_PORT_FREE:
        return true;
    default:
        return ms_slots(m, sm)[msg->request.slot].pending > 0;
    }
}

void ms_sm_event(void *state, tw_bf *bf, void *msg, tw_lp *lp)
{
    const struct ms_model *m = ms_model();
    struct ms_sm *sm = state;
    struct ms_message *message = msg;
    MS_IMPOSSIBLE(bf) = !is_possible(m, sm, message);
    if (MS_IMPOSSIBLE(bf)) {
        return;
    }
    switch (message->kind) {
    case MS_START:
        start(m, sm, bf, message, lp);
        break;
    case MS_PORT_FREE:
        sm->port_busy = 0;
        break;
    case MS_REPLY:
        reply_receive(m, sm, bf, message, lp);
        break;
    default:
        answer_take(m, sm, bf, message, lp);
    }
    issue(m, sm, bf, message, lp);
}

void ms_sm_revent(void *state, tw_bf *bf, void *msg, tw_lp *lp)
{
    const struct ms_model *m = ms_model();
    struct ms_sm *sm = state;
    struct ms_message *message = msg;
    if (MS_IMPOSSIBLE(bf)) {
        return;
    }
    issue_undo(m, sm, bf, message);
    if (bf->c5) {
        answer_take_undo(m, sm, bf, message, lp);
    }
    if (message->kind == MS_START) {
        start_undo(sm, message);
    } else if (message->kind == MS_PORT_FREE) {
        sm->port_busy = 1;
    } else if (message->kind == MS_REPLY) {
        reply_receive_undo(sm, bf, message, lp);
    }
    memset(&message->undo, 0, sizeof message->undo);
}

/* Commit handler of an SM: marks the access that the event completed, if any. */
void ms_sm_commit(void *state, tw_bf *bf, void *msg, tw_lp *lp)
{
    const struct ms_message *message = msg;
    ms_commit_check(state, bf, msg, lp);
    if (bf->c6 && ms_settings()->trace_out[0] != '\0') {
        ms_sm_done(message->undo.sm.u.slot.stream, message->undo.sm.u.slot.item, lp);
    }
}
