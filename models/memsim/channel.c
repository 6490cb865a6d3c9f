/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * channel.c - a DRAM channel: banks with a row buffer each, and a data bus.
 *
 * The channel serves requests in the order of arrival, and plans the times of each request when it
 * arrives. The column command of a request waits for the bank, which first closes and opens rows if
 * necessary. The data are ready --t-cl after the command, and then wait for the bus. A bank gets
 * ready while the bus carries data of other banks, so a bus that is always busy reaches its full
 * bandwidth. A plan is never changed, so a few old values suffice to undo it. The scheduling policy
 * FR-FCFS is not supported, because it would change plans on later arrivals.
 *
 * The reverse handler restores the old times and computes the plan again, so that it subtracts from
 * the sums exactly the values that the forward handler added. Bits of an event:
 * - c0: the row of the request was open
 * - c1: no row of the bank was open
 *
 * Cost: O(1) per request.
 */
#include "model.h"

#include <assert.h>

/* Plan for a request. data: virtual time at which the transfer of its data on the bus begins;
 * soonest: virtual time at which the transfer would begin if the request did not have to wait. */
struct plan {
    double soonest, data;
};

static struct plan request_plan(const struct ms_model *m, const struct ms_channel *c,
                                const struct ms_bank *bank, const tw_bf *bf, double now)
{
    double prepare = (bf->c0 ? 0 : m->t_rcd + (bf->c1 ? 0 : m->t_rp)) + m->t_cl;
    return (struct plan){now + prepare,
                         ROSS_MAX(ROSS_MAX(now, bank->ready) + prepare, c->bus_free)};
}

static void request_take(const struct ms_model *m, struct ms_channel *c, tw_bf *bf,
                         struct ms_message *msg, tw_lp *lp)
{
    struct ms_dram_place place = ms_dram_place_of_line(m, msg->request.address);
    assert(place.bank < m->banks);
    struct ms_bank *bank = &c->banks[place.bank];
    msg->undo.channel = (struct ms_channel_undo){bank->row, bank->ready, c->bus_free, 0};
    bf->c0 = bank->row == place.row + 1;
    bf->c1 = bank->row == 0;
    struct plan plan = request_plan(m, c, bank, bf, tw_now(lp));
    c->bus_free = plan.data + m->burst;
    bank->row = place.row + 1;
    bank->ready = c->bus_free - m->t_cl;
    c->row_hits += bf->c0;
    c->row_opens += bf->c1;
    c->row_conflicts += !bf->c0 && !bf->c1;
    c->bus_ticks += ms_ticks(m->burst);
    c->wait += ms_ticks(plan.data - plan.soonest);
}

static void request_take_undo(const struct ms_model *m, struct ms_channel *c, const tw_bf *bf,
                              const struct ms_message *msg, tw_lp *lp)
{
    const struct ms_channel_undo *undo = &msg->undo.channel;
    struct ms_bank *bank = &c->banks[ms_dram_place_of_line(m, msg->request.address).bank];
    bank->row = undo->row;
    bank->ready = undo->ready;
    c->bus_free = undo->bus_free;
    struct plan plan = request_plan(m, c, bank, bf, tw_now(lp));
    c->wait -= ms_ticks(plan.data - plan.soonest);
    c->bus_ticks -= ms_ticks(m->burst);
    c->row_conflicts -= !bf->c0 && !bf->c1;
    c->row_opens -= bf->c1;
    c->row_hits -= bf->c0;
}

void ms_channel_event(void *state, tw_bf *bf, void *msg, tw_lp *lp)
{
    const struct ms_model *m = ms_model();
    struct ms_channel *c = state;
    struct ms_message *message = msg;
    request_take(m, c, bf, message, lp);
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
    const struct ms_model *m = ms_model();
    struct ms_channel *c = state;
    struct ms_message *message = msg;
    request_take_undo(m, c, bf, message, lp);
    c->reads -= message->kind == MS_READ;
    c->writes -= message->kind == MS_WRITE;
    memset(&message->undo, 0, sizeof message->undo);
}
