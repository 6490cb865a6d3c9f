/* SPDX-License-Identifier: BSD-3-Clause */
/* clinic - a model for advice.py: hospitals with a desk and wards each. Many wards send to few desks,
 * which have the first numbers of LPs and so share a rank. There are no reverse handlers. */
#include "ross.h"

static const unsigned int wards = 7; /* of a hospital, each with a patient at the start */
static unsigned int hospitals = 16;
static unsigned long desk_work;
static double hot = 1, walk = 0.5;

static void send(tw_lp *lp, tw_lpid to, double mean)
{
    tw_event_send(tw_event_new(to, walk + tw_rand_exponential(lp->rng, mean), lp));
}

static void ward_init(void *state, tw_lp *lp)
{
    (void)state;
    send(lp, lp->gid % hospitals, 10);
}

/* A desk sends a patient to a ward of its hospital, a ward to any desk; that of the first hospital
 * gets `hot` times as many as another. */
static void handle(void *state, tw_bf *bf, void *msg, tw_lp *lp)
{
    (void)bf;
    (void)msg;
    ++*(uint64_t *)state;
    if (lp->gid >= hospitals) {
        double place = tw_rand_unif(lp->rng) * (hospitals - 1 + hot) - hot;
        send(lp, place < 0 ? 0 : 1 + (tw_lpid)place, 10);
        return;
    }
    for (volatile unsigned long i = 0; i < desk_work; i++) {
    }
    send(lp, (tw_lpid)tw_rand_integer(lp->rng, 1, (long)wards) * hospitals + lp->gid, 3);
}

static tw_lptype desk = {.event = handle, .state_sz = sizeof(uint64_t)};
static tw_lptype ward = {.init = ward_init, .event = handle, .state_sz = sizeof(uint64_t)};

static const tw_optdef options[] = {
    TWOPT_GROUP("clinic"),
    TWOPT_UINT("hospitals", hospitals, "hospitals, a multiple of the ranks"),
    TWOPT_ULONG("desk-work", desk_work, "rounds of a loop at a desk, per patient"),
    TWOPT_DOUBLE("hot", hot, "patients of the first hospital, as a multiple of another's"),
    TWOPT_DOUBLE("walk", walk, "minimum offset of an event"),
    TWOPT_END(),
};

int main(int argc, char **argv)
{
    tw_opt_add(options);
    tw_init(&argc, &argv);
    g_tw_lookahead = walk;
    tw_lp_map_allow();
    tw_define_lps(hospitals / tw_nnodes() * (wards + 1), 0);
    for (tw_lpid i = 0; i < g_tw_nlp; i++) {
        tw_lp_settype(i, g_tw_lp[i]->gid < hospitals ? &desk : &ward);
    }
    tw_run();
    tw_end();
    return 0;
}
