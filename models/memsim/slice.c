/*
 * slice.c - a slice of the L2 cache: set-associative, LRU, write-back, write-allocate.
 *
 * A request passes the port, then the tags, one per cycle, in order of arrival; what it finds is
 * known --l2-latency later. A hit is answered. A miss takes an MSHR and asks the channel for the
 * line; misses of the same line join it. When the line comes it replaces the least recently used
 * one of its set, which is written back if it is dirty, and those who wait are answered, one per
 * cycle. Without a free MSHR a request is stalled, and all behind it, until one is free.
 * Answers leave through the port one after the other.
 *
 * Invariants: 1. a request is in one list: stalled, or
 * waiting of one MSHR. 2. while requests are stalled, a MS_RETRY is under way or all MSHRs are in
 * use. 3. at most one MSHR that is not draining has a given line.
 *
 * Undoing goes in the opposite order of doing; places and MSHRs are given back in the order that
 * makes both stacks as they were. Bits of an event: c0 more to come of the same kind; c1 a MS_RETRY
 * was made; c2 the MSHR is free again; c3 the replaced way was dirty; c4 it held a line; c5 the
 * request that was merged is the first writer.
 *
 * Cost: O(ways + MSHRs) per request.
 */
#include "slice.h"

/* ---- Looking up ------------------------------------------------------------------------------ */

/* The way that holds the line, or the number of ways. */
static unsigned way_find(const struct ms_model *m, const struct ms_way *set, uint64_t line)
{
    unsigned way = 0;
    while (way < m->ways && set[way].word >> 1 != line + 1) {
        way++;
    }
    return way;
}

/* The MSHR that waits for the line (line + 1), or a free one (0); or their number. */
static unsigned mshr_find(const struct ms_model *m, struct ms_slice *s, uint64_t line_plus_1)
{
    const struct ms_mshr *mshrs = ms_mshrs(m, s);
    unsigned i = 0;
    while (i < m->mshrs && (mshrs[i].line != line_plus_1 || mshrs[i].draining)) {
        i++;
    }
    return i;
}

static void hit(const struct ms_model *m, struct ms_slice *s, struct ms_way *set, unsigned way,
                const struct ms_request *r, struct ms_slice_undo *undo, tw_lp *lp)
{
    undo->way = (uint16_t)way;
    undo->word = set[way].word;
    undo->u.stamp = set[way].stamp;
    set[way].word |= r->type != MEMTRACE_LOAD;
    set[way].stamp = ++s->clock;
    s->hits++;
    ms_reply(m, s, r, undo, lp);
}

static void miss(const struct ms_model *m, struct ms_slice *s, unsigned i,
                 const struct ms_request *r, struct ms_slice_undo *undo, tw_lp *lp)
{
    uint64_t line = r->address >> m->line_bits;
    struct ms_mshr *mshr = &ms_mshrs(m, s)[i];
    mshr->line = line + 1;
    mshr->dirty = r->type != MEMTRACE_LOAD;
    ms_list_append(m, s, &mshr->waiting, r, undo);
    s->mshrs_used++;
    s->misses++;
    unsigned slice = (unsigned)(lp->gid - ms_gid_of_slice(m, 0));
    tw_event *event;
    struct ms_message *read = ms_message_new(ms_gid_of_channel(m, ms_channel_of_slice(m, slice)),
                                             m->channel_latency, MS_READ, lp, &event);
    read->request.address = line;
    read->mshr = (uint16_t)i;
    read->slice = (uint16_t)slice;
    tw_event_send(event);
}

/* What becomes of the request; MS_REFUSED: nothing has changed. */
static enum ms_outcome request_try(const struct ms_model *m, struct ms_slice *s, tw_bf *bf,
                                   const struct ms_request *r, struct ms_slice_undo *undo,
                                   tw_lp *lp)
{
    static const char *const steps[] = {"", "hit", "merged", "miss", "stalled"};
    uint64_t line = r->address >> m->line_bits;
    struct ms_way *set = ms_slice_set(m, s, line);
    unsigned way = way_find(m, set, line);
    unsigned i = way < m->ways ? 0 : mshr_find(m, s, line + 1);
    enum ms_outcome outcome = MS_HIT;
    if (way == m->ways) {
        outcome = i < m->mshrs ? MS_MERGED : MS_MISSED;
    }
    if (outcome == MS_MISSED) {
        i = mshr_find(m, s, 0);
        outcome = i < m->mshrs ? MS_MISSED : MS_REFUSED;
    }
    undo->outcome = (uint16_t)outcome;
    st_task_step(lp, st_request_in(ms_request_task(m, r), lp->gid), steps[outcome]);
    if (outcome == MS_HIT) {
        hit(m, s, set, way, r, undo, lp);
    } else if (outcome == MS_MERGED) {
        struct ms_mshr *mshr = &ms_mshrs(m, s)[i];
        bf->c5 = r->type != MEMTRACE_LOAD && !mshr->dirty;
        mshr->dirty = (uint16_t)(mshr->dirty | bf->c5);
        ms_list_append(m, s, &mshr->waiting, r, undo);
        s->merges++;
    } else if (outcome == MS_MISSED) {
        miss(m, s, i, r, undo, lp);
    }
    return outcome;
}

static void request_try_undo(const struct ms_model *m, struct ms_slice *s, const tw_bf *bf,
                             const struct ms_request *r, const struct ms_slice_undo *undo,
                             tw_lp *lp)
{
    uint64_t line = r->address >> m->line_bits;
    if (undo->outcome == MS_HIT) {
        struct ms_way *way = &ms_slice_set(m, s, line)[undo->way];
        ms_reply_undo(m, s, r, undo, lp);
        s->hits--;
        s->clock--;
        way->stamp = undo->u.stamp;
        way->word = undo->word;
        return;
    }
    if (undo->outcome == MS_REFUSED) {
        return;
    }
    struct ms_mshr *mshr = &ms_mshrs(m, s)[mshr_find(m, s, line + 1)];
    ms_list_append_undo(m, s, &mshr->waiting, undo);
    if (undo->outcome == MS_MERGED) {
        s->merges--;
        mshr->dirty = (uint16_t)(mshr->dirty ^ bf->c5);
    } else {
        s->misses--;
        s->mshrs_used--;
        *mshr = (struct ms_mshr){.line = 0};
    }
}

/* ---- Requests -------------------------------------------------------------------------------- */

static void request_receive(const struct ms_model *m, struct ms_slice *s, struct ms_message *msg,
                            tw_lp *lp)
{
    const struct ms_request *r = &msg->request;
    double now = tw_now(lp);
    msg->undo.slice.port = s->in_free;
    msg->undo.slice.u.pipe_free = s->pipe_free;
    s->in_free = ROSS_MAX(now, s->in_free + ms_port_time(m, ms_request_bytes(r)));
    double begin = ROSS_MAX(s->in_free, s->pipe_free);
    s->pipe_free = begin + m->cycle;
    s->wait += ms_ticks(begin - now);
    s->requests++;
    st_request_receive(lp, ms_request_task(m, r), ms_class_name(r->type));
    tw_event *event;
    ms_message_new(lp->gid, begin - now + m->l2_latency, MS_LOOKUP, lp, &event)->request = *r;
    tw_event_send(event);
}

static void request_receive_undo(const struct ms_model *m, struct ms_slice *s,
                                 const struct ms_message *msg, tw_lp *lp)
{
    s->requests--;
    s->wait -= ms_ticks(s->pipe_free - m->cycle - tw_now(lp));
    s->pipe_free = msg->undo.slice.u.pipe_free;
    s->in_free = msg->undo.slice.port;
}

static void lookup(const struct ms_model *m, struct ms_slice *s, tw_bf *bf, struct ms_message *msg,
                   tw_lp *lp)
{
    struct ms_slice_undo *undo = &msg->undo.slice;
    if (s->stalled.first != 0) {
        undo->outcome = MS_REFUSED;
        st_task_step(lp, st_request_in(ms_request_task(m, &msg->request), lp->gid), "stalled");
    } else {
        request_try(m, s, bf, &msg->request, undo, lp);
    }
    if (undo->outcome == MS_REFUSED) {
        ms_list_append(m, s, &s->stalled, &msg->request, undo);
        s->stalls++;
    }
}

static void lookup_undo(const struct ms_model *m, struct ms_slice *s, const tw_bf *bf,
                        const struct ms_message *msg, tw_lp *lp)
{
    if (msg->undo.slice.outcome == MS_REFUSED) {
        s->stalls--;
        ms_list_append_undo(m, s, &s->stalled, &msg->undo.slice);
    } else {
        request_try_undo(m, s, bf, &msg->request, &msg->undo.slice, lp);
    }
}

/* Another try of the first stalled request; c0: and of the next one. */
static void retry(const struct ms_model *m, struct ms_slice *s, tw_bf *bf, struct ms_message *msg,
                  tw_lp *lp)
{
    struct ms_slice_undo *undo = &msg->undo.slice;
    struct ms_request first = *ms_place(m, s, s->stalled.first);
    first.next = 0;
    s->retrying = 0;
    if (mshr_find(m, s, 0) == m->mshrs) {
        undo->outcome = MS_REFUSED; /* who frees one will see to it */
        return;
    }
    ms_list_pop(m, s, &s->stalled, undo);
    request_try(m, s, bf, &first, undo, lp);
    bf->c0 = s->stalled.first != 0;
    if (bf->c0) {
        s->retrying = 1;
        ms_self_send(m->cycle, MS_RETRY, 0, lp);
    }
}

static void retry_undo(const struct ms_model *m, struct ms_slice *s, const tw_bf *bf,
                       const struct ms_message *msg, tw_lp *lp)
{
    const struct ms_slice_undo *undo = &msg->undo.slice;
    s->retrying = 1;
    if (undo->outcome != MS_REFUSED) {
        request_try_undo(m, s, bf, &undo->popped, undo, lp);
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
        tw_event *event;
        ms_message_new(ms_gid_of_channel(m, ms_channel_of_slice(m, slice)), m->channel_latency,
                       MS_WRITE, lp, &event)
            ->request.address = (way->word >> 1) - 1;
        tw_event_send(event);
    }
    way->word = (line + 1) << 1 | mshr->dirty;
    way->stamp = ++s->clock;
    mshr->draining = 1;
    ms_self_send(0, MS_DRAIN, msg->mshr, lp);
}

static void fill_undo(const struct ms_model *m, struct ms_slice *s, const tw_bf *bf,
                      const struct ms_message *msg)
{
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

static void drain_undo(const struct ms_model *m, struct ms_slice *s, const tw_bf *bf,
                       const struct ms_message *msg, tw_lp *lp)
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

/* ---- Events ---------------------------------------------------------------------------------- */

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

/* See MS_IMPOSSIBLE(). */
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
    const struct ms_model *m = ms_model();
    struct ms_slice *s = state;
    struct ms_message *message = msg;
    MS_IMPOSSIBLE(bf) = !is_possible(m, s, message);
    if (MS_IMPOSSIBLE(bf)) {
        return;
    }
    switch (message->kind) {
    case MS_REQUEST:
        request_receive(m, s, message, lp);
        break;
    case MS_LOOKUP:
        lookup(m, s, bf, message, lp);
        break;
    case MS_FILL:
        fill(m, s, bf, message, lp);
        break;
    case MS_DRAIN:
        drain(m, s, bf, message, lp);
        break;
    default:
        retry(m, s, bf, message, lp);
    }
}

void ms_slice_revent(void *state, tw_bf *bf, void *msg, tw_lp *lp)
{
    const struct ms_model *m = ms_model();
    struct ms_slice *s = state;
    struct ms_message *message = msg;
    if (MS_IMPOSSIBLE(bf)) {
        return;
    }
    switch (message->kind) {
    case MS_REQUEST:
        request_receive_undo(m, s, message, lp);
        break;
    case MS_LOOKUP:
        lookup_undo(m, s, bf, message, lp);
        break;
    case MS_FILL:
        fill_undo(m, s, bf, message);
        break;
    case MS_DRAIN:
        drain_undo(m, s, bf, message, lp);
        break;
    default:
        retry_undo(m, s, bf, message, lp);
    }
    memset(&message->undo, 0, sizeof message->undo);
}
