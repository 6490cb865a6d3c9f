/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * launcher.c - starts the launches of a stream one after another.
 *
 * A launch starts on all SMs. The next launch of the stream begins when each SM has done its part
 * of the present launch and no request of that launch is in flight. A launch is thus a barrier for
 * its stream; streams are independent.
 *
 * A launcher has few events and a small state, so that it has no reverse handler: the engine saves its
 * state.
 *
 * Cost: O(SMs) per launch.
 */
#include "model.h"

#include <assert.h>

static void launch_begin(const struct ms_model *m, struct ms_launcher *l, tw_lp *lp)
{
    assert(lp->gid < m->n_streams && l->waiting == 0);
    unsigned stream = (unsigned)lp->gid;
    if (l->begun == ms_script()->streams[stream].n_launches) {
        return;
    }
    st_task_id id = {0, 0, 0};
    st_task_begin(lp, (st_task_id){0, 0, 0}, "kernel",
                  ms_script_name(ms_script(), stream, l->begun), NULL, &id);
    l->kernel = id.number;
    l->begun_at = tw_now(lp);
    l->waiting = m->sms;
    for (unsigned sm = 0; sm < m->sms; sm++) {
        const struct ms_message start = {
            .kind = MS_START, .launch = l->begun, .kernel = l->kernel, .stream = (uint16_t)stream};
        ms_send(ms_gid_of_sm(m, sm), m->launch_latency, &start, lp);
    }
    l->begun++;
}

void ms_launcher_init(void *state, tw_lp *lp)
{
    struct ms_launcher *l = state;
    l->input = ms_input_digest(ms_model(), ms_script());
    ms_send(lp->gid, 0, &(struct ms_message){.kind = MS_BEGIN}, lp);
}

void ms_launcher_event(void *state, tw_bf *bf, void *msg, tw_lp *lp)
{
    struct ms_launcher *l = state;
    const struct ms_message *message = msg;
    MS_IMPOSSIBLE(bf) = message->kind == MS_DONE && l->waiting == 0;
    if (MS_IMPOSSIBLE(bf) || (message->kind == MS_DONE && --l->waiting > 0)) {
        return;
    }
    if (message->kind == MS_DONE) {
        l->finished = tw_now(lp);
        l->ticks += ms_ticks(l->finished - l->begun_at);
        l->finished_launches++;
        st_task_end(lp, (st_task_id){lp->gid + 1, l->kernel, 0});
    }
    launch_begin(ms_model(), l, lp);
}
