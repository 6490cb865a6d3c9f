/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cell.c - the actions of a telephone in a cell, and their reversal.
 *
 * A cell has --channels channels; a call in progress holds one. A call that finds no free channel
 * is blocked, or dropped if it came with a telephone from another cell. If the call is urgent, the
 * oldest call that is not urgent is cut instead. The telephone of a cut call detects this at its
 * next action, because its call is no longer in the list.
 *
 * Undo has three parts. tw_snapshot_restore() restores the counts, among them sums of times. The
 * reverse handler itself restores the list of calls; this is simple, because an event adds at most
 * one call and removes at most one. A removed call stays in memory until the event commits. The
 * event stores the number of draws from each random stream; the reverse handler undoes the same
 * number.
 *
 * Moves have their own random stream, and their times do not depend on calls. Therefore the options
 * about calls have no effect on the moves of telephones.
 *
 * Cost of an event: O(channels).
 */
#include "pcs.h"

#include <assert.h>

/* ---- Telephones ------------------------------------------------------------------------------ */

/* Sends the event for the next action of a telephone in the cell lp. */
static void phone_send_on(const struct pcs_phone *phone, tw_lp *lp)
{
    bool moves = phone->move_at < phone->call_at;
    double at = moves ? phone->move_at : phone->call_at;
    tw_event *event = tw_event_new(lp->gid, ROSS_MAX(at - tw_now(lp), 0.0), lp);
    struct pcs_message *m = tw_event_data(event);
    memset(m, 0, sizeof *m);
    m->phone = *phone;
    m->kind = moves ? PCS_LEAVE : phone->in_call ? PCS_HANG_UP : PCS_CALL;
    tw_event_send(event);
}

/* Returns the neighbour of a cell in direction `way`: 0 east, 1 north, 2 west, 3 south. Neighbours
 * wrap around at the edges of the grid. */
static tw_lpid cell_neighbour(tw_lpid gid, long way)
{
    assert(way >= 0 && way < 4);
    tw_lpid w = pcs_options.width;
    tw_lpid h = pcs_options.height;
    const tw_lpid dx[4] = {1, 0, w - 1, 0};
    const tw_lpid dy[4] = {0, h - 1, 0, 1};
    return (gid / w + dy[way]) % h * w + (gid % w + dx[way]) % w;
}

static void phone_send_away(struct pcs_phone *phone, tw_lp *lp)
{
    tw_lpid to = cell_neighbour(lp->gid, tw_rand_integer(&lp->rng[PCS_MOVES], 0, 3));
    tw_event *event = tw_event_new(to, pcs_options.handover, lp);
    struct pcs_message *m = tw_event_data(event);
    phone->move_at += pcs_options.handover;
    memset(m, 0, sizeof *m);
    m->phone = *phone;
    m->kind = PCS_ARRIVE;
    tw_event_send(event);
}

static void phone_stay(struct pcs_phone *phone, double from, tw_lp *lp)
{
    phone->move_at = pcs_options.stay > 0
                         ? from + tw_rand_exponential(&lp->rng[PCS_MOVES], pcs_options.stay)
                         : DBL_MAX;
}

static void phone_idle(struct pcs_phone *phone, double from, tw_lp *lp)
{
    assert(pcs_options.idle > 0);
    phone->in_call = 0;
    phone->is_urgent = 0;
    phone->call_at = from + tw_rand_exponential(&lp->rng[PCS_CALLS], pcs_options.idle);
}

/* ---- Channels -------------------------------------------------------------------------------- */

static void channels_change(struct pcs_counts *c, int by, const tw_lp *lp)
{
    assert((by == 1 || by == -1) && c->in_use <= pcs_options.channels);
    c->busy_time[c->in_use] += tw_now(lp) - c->changed_at;
    c->changed_at = tw_now(lp);
    c->in_use += (uint64_t)(int64_t)by;
}

/* Gives the telephone's call a free channel. If no channel is free and the call is urgent, cuts an
 * ordinary call and gives the channel of that call to the urgent one. Returns true if the
 * telephone's call got a channel. */
static bool channel_take(struct pcs_cell *cell, struct pcs_message *m,
                         const struct pcs_phone *phone, tw_bf *bf, const tw_lp *lp)
{
    struct pcs_counts *c = &cell->counts;
    if (c->in_use == pcs_options.channels && phone->is_urgent) {
        m->removed = call_list_remove_ordinary(&cell->calls);
        bf->c1 = bf->c2 = m->removed.call != NULL;
        if (bf->c2) {
            c->cut++;
            channels_change(c, -1, lp);
        }
    }
    bf->c0 = c->in_use < pcs_options.channels;
    if (bf->c0) {
        call_list_add(&cell->calls, phone->id, tw_now(lp), phone->is_urgent);
        channels_change(c, 1, lp);
    }
    return bf->c0;
}

/* Removes the telephone's call from the list of the cell. Returns true if the call was still in the
 * list, false if it had been cut. */
static bool channel_leave(struct pcs_cell *cell, struct pcs_message *m, tw_bf *bf, const tw_lp *lp)
{
    m->removed = call_list_remove(&cell->calls, m->phone.id);
    bf->c1 = m->removed.call != NULL;
    if (bf->c1) {
        channels_change(&cell->counts, -1, lp);
    }
    return bf->c1;
}

/* ---- Actions of telephones ------------------------------------------------------------------- */

static void on_call(struct pcs_cell *cell, struct pcs_message *m, tw_bf *bf, tw_lp *lp)
{
    struct pcs_phone phone = m->phone;
    phone.is_urgent = tw_rand_unif(&lp->rng[PCS_URGENCY]) < pcs_options.urgent;
    cell->counts.calls++;
    cell->counts.urgent += phone.is_urgent;
    bf->c3 = 1;
    if (channel_take(cell, m, &phone, bf, lp)) {
        phone.in_call = 1;
        phone.call_at += tw_rand_exponential(&lp->rng[PCS_CALLS], pcs_options.call);
    } else {
        cell->counts.blocked++;
        phone_idle(&phone, phone.call_at, lp);
    }
    phone_send_on(&phone, lp);
}

static void on_hang_up(struct pcs_cell *cell, struct pcs_message *m, tw_bf *bf, tw_lp *lp)
{
    struct pcs_phone phone = m->phone;
    cell->counts.completed += channel_leave(cell, m, bf, lp);
    phone_idle(&phone, phone.call_at, lp);
    phone_send_on(&phone, lp);
}

static void on_leave(struct pcs_cell *cell, struct pcs_message *m, tw_bf *bf, tw_lp *lp)
{
    struct pcs_phone phone = m->phone;
    if (phone.in_call && !channel_leave(cell, m, bf, lp)) {
        phone_idle(&phone, phone.move_at, lp);
    }
    phone_send_away(&phone, lp);
}

static void on_arrive(struct pcs_cell *cell, struct pcs_message *m, tw_bf *bf, tw_lp *lp)
{
    struct pcs_counts *c = &cell->counts;
    struct pcs_phone phone = m->phone;
    double now = phone.move_at;
    c->moves++;
    phone_stay(&phone, now, lp);
    if (phone.in_call && phone.call_at <= now) { /* the call has ended during the move */
        c->completed++;
        phone_idle(&phone, now, lp);
    } else if (phone.in_call) {
        c->handovers++;
        if (!channel_take(cell, m, &phone, bf, lp)) {
            c->dropped++;
            phone_idle(&phone, now, lp);
        }
    } else if (phone.call_at < now) { /* the call was due during the move, so it begins now */
        phone.call_at = now;
    }
    phone_send_on(&phone, lp);
}

/* ---- Handlers -------------------------------------------------------------------------------- */

static void cell_init(void *state, tw_lp *lp)
{
    (void)state;
    for (unsigned i = 0; i < pcs_options.phones; i++) {
        struct pcs_phone phone = {.id = lp->gid * pcs_options.phones + i};
        phone_idle(&phone, 0, lp);
        phone_stay(&phone, 0, lp);
        phone_send_on(&phone, lp);
    }
}

static void cell_event(void *state, tw_bf *bf, void *msg, tw_lp *lp)
{
    struct pcs_cell *cell = state;
    struct pcs_message *m = msg;
    unsigned long before[PCS_N_STREAMS];
    for (int i = 0; i < PCS_N_STREAMS; i++) {
        before[i] = lp->rng[i].count;
    }
    tw_snapshot(lp, sizeof cell->counts);
    switch ((enum pcs_kind)m->kind) {
    case PCS_CALL:
        on_call(cell, m, bf, lp);
        break;
    case PCS_HANG_UP:
        on_hang_up(cell, m, bf, lp);
        break;
    case PCS_LEAVE:
        on_leave(cell, m, bf, lp);
        break;
    case PCS_ARRIVE:
        on_arrive(cell, m, bf, lp);
        break;
    }
    tw_snapshot_delta(lp, sizeof cell->counts);
    for (int i = 0; i < PCS_N_STREAMS; i++) {
        m->draws[i] = (uint8_t)(lp->rng[i].count - before[i]);
    }
}

static void cell_revent(void *state, tw_bf *bf, void *msg, tw_lp *lp)
{
    struct pcs_cell *cell = state;
    struct pcs_message *m = msg;
    for (int i = 0; i < PCS_N_STREAMS; i++) {
        for (; m->draws[i] > 0; m->draws[i]--) {
            tw_rand_reverse_unif(&lp->rng[i]);
        }
    }
    tw_snapshot_restore(lp, sizeof cell->counts);
    if (bf->c0) {
        call_list_undo_add(&cell->calls);
    }
    if (bf->c1) {
        call_list_undo_remove(m->removed);
    }
    m->removed = (struct removed_call){NULL, NULL};
}

/* Counts the committed event, and frees the call that the event removed. The removal can no longer
 * be undone. */
static void cell_commit(void *state, tw_bf *bf, void *msg, tw_lp *lp)
{
    (void)state;
    (void)lp;
    struct pcs_message *m = msg;
    pcs_live_commit(m, bf);
    free(m->removed.call);
}

static void cell_final(void *state, tw_lp *lp)
{
    (void)lp;
    struct pcs_cell *cell = state;
    struct pcs_counts *c = &cell->counts;
    if (g_tw_pe->GVT > c->changed_at) {
        c->busy_time[c->in_use] += ROSS_MIN(g_tw_pe->GVT, g_tw_ts_end) - c->changed_at;
    }
    pcs_report_add(c);
    call_list_free(&cell->calls);
}

tw_lptype pcs_cell_type = {
    .init = cell_init,
    .event = cell_event,
    .revent = cell_revent,
    .commit = cell_commit,
    .final = cell_final,
    .map = pcs_mapping_rank,
    .state_sz = sizeof(struct pcs_cell),
};
