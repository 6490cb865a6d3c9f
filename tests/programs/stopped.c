/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stopped - a small optimistic model with debug information of the engine's structures, for
 * test_debugger.sh. LPs pass events to each other; stop_here() is called once, in the handler of
 * the event at time 20.
 */
/* test: debug=yes */
#include "engine/pe/pe.h"
#include "event/pending_ladder.h"
#include "record/recorder.h"
#include "st.h"

/* Debug information about these structures, which no code below uses. */
struct pending_ladder *stopped_ladder;
struct recorder *stopped_recorder;
struct pe *stopped_pe;

struct message {
    int hops;
};

static bool has_stopped;
static unsigned int damage = 0; /* 1: the PE loses count of its events at time 20 */

static const tw_optdef options[] = {
    TWOPT_FLAG("damage", damage, "break an invariant of the PE in its count of events"),
    TWOPT_END()};

void stop_here(void);
__attribute__((noinline)) void stop_here(void)
{
    has_stopped = true;
}

static void start(void *state, tw_lp *lp)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        tw_event_send(tw_event_new(lp->gid, 1.0 + i, lp));
    }
}

static void pass_on(void *state, tw_bf *bf, void *msg, tw_lp *lp)
{
    (void)state;
    (void)bf;
    struct message *m = msg;
    if (tw_now(lp) >= 20.0 && !has_stopped) {
        stop_here();
        pe_self()->pool.in_use += damage;
    }
    tw_event *event = tw_event_new((lp->gid + 1) % 8, 1.0, lp);
    *(struct message *)tw_event_data(event) = (struct message){m->hops + 1};
    tw_event_send(event);
}

static void pass_back(void *state, tw_bf *bf, void *msg, tw_lp *lp)
{
    (void)state;
    (void)bf;
    (void)msg;
    (void)lp;
}

static void finish(void *state, tw_lp *lp)
{
    (void)state;
    (void)lp;
}

static tw_peid place(tw_lpid gid)
{
    (void)gid;
    return 0;
}

static tw_lptype types[] = {{start, NULL, pass_on, pass_back, NULL, finish, place, sizeof(int)},
                            {0}};

int main(int argc, char **argv)
{
    g_tw_ts_end = 40.0;
    tw_opt_add(options);
    tw_init(&argc, &argv);
    g_tw_nkp = 4;
    tw_define_lps(8, sizeof(struct message));
    for (tw_lpid i = 0; i < 8; i++) {
        tw_lp_settype(i, &types[0]);
    }
    tw_run();
    tw_end();
    return 0;
}
