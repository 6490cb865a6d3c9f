/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * channel.c - a DRAM channel: banks with a row buffer each, and a data bus.
 *
 * The channel serves requests in the order of arrival, and plans the times of each request when it
 * arrives. The column command of a request waits for the bank, which first closes and opens rows if
 * necessary. The data are ready --t-cl after the command, and then wait for the bus. A bank gets
 * ready while the bus carries data of other banks, so a bus that is always busy reaches its full
 * bandwidth. A plan is never changed. The scheduling policy FR-FCFS is not supported, because it
 * would change plans on later arrivals.
 *
 * A request changes the members before the banks, and its bank, of which the message keeps copies.
 *
 * Cost: O(1) per request.
 */
#include "model.h"

#include <assert.h>

/* Plans a request for a row of a bank. */
static void request_take(const struct ms_model *m, struct ms_channel *c, struct ms_bank *bank,
                         uint64_t row, double now)
{
    bool is_open = bank->row == row + 1, is_closed = bank->row == 0;
    double prepare = (is_open ? 0 : m->t_rcd + (is_closed ? 0 : m->t_rp)) + m->t_cl;
    double soonest = now + prepare; /* the transfer of the data could begin then without waiting */
    double data = ROSS_MAX(ROSS_MAX(now, bank->ready) + prepare, c->bus_free);
    c->bus_free = data + m->burst;
    bank->row = row + 1;
    bank->ready = c->bus_free - m->t_cl;
    c->row_hits += is_open;
    c->row_opens += is_closed;
    c->wait += ms_ticks(data - soonest);
}

void ms_channel_event(void *state, tw_bf *bf, void *msg, tw_lp *lp)
{
    (void)bf;
    const struct ms_model *m = ms_model();
    struct ms_channel *c = state;
    struct ms_message *message = msg;
    struct ms_dram_place place = ms_dram_place_of_line(m, message->request.address);
    assert(place.bank < m->banks);
    struct ms_bank *bank = &c->banks[place.bank];
    memcpy(message->undo.channel.head, c, sizeof message->undo.channel.head);
    message->undo.channel.bank = *bank;
    request_take(m, c, bank, place.row, tw_now(lp));
    if (message->kind == MS_WRITE) {
        c->writes++;
        return;
    }
    c->reads++;
    const struct ms_message filled = {
        .kind = MS_FILL, .request.address = message->request.address, .mshr = message->mshr};
    ms_send(ms_gid_of_slice(m, message->slice), c->bus_free - tw_now(lp) + m->channel_latency,
            &filled, lp);
}

void ms_channel_revent(void *state, tw_bf *bf, void *msg, tw_lp *lp)
{
    (void)bf;
    (void)lp;
    struct ms_channel *c = state;
    struct ms_message *message = msg;
    c->banks[ms_dram_place_of_line(ms_model(), message->request.address).bank] =
        message->undo.channel.bank;
    memcpy(c, message->undo.channel.head, sizeof message->undo.channel.head);
    memset(&message->undo, 0, sizeof message->undo);
}
