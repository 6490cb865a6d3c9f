/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pointing - a model with checkpoints whose states hold the values chosen by --pointers:
 *
 *     none     numbers only
 *     numbers  as none, but one LP's number looks like a pointer
 *     init     init sets a pointer to the heap in each LP but the first
 *     later    the first event past time 5 sets such a pointer in each LP
 *     io       as init, and the type has a tw_state_io
 *
 * All LPs are of the first type of g_tw_lp_types: there is no g_tw_lp_typemap.
 */
#include "ross.h"

#define LPS_PER_RANK 4

struct state {
    int events;
    union {
        void *block;
        uint64_t number;
    } held;
};

static char pointers[16] = "none";

static bool holds(const char *what)
{
    return strcmp(pointers, what) == 0;
}

static void **blocks; /* the last block; each holds the previous one, so that none leaks */

static void *block(void)
{
    void **made = tw_calloc(TW_LOC, "a block", sizeof *made, 1);
    *made = blocks;
    blocks = made;
    return made;
}

static void send(tw_lp *lp)
{
    tw_event *event = tw_event_new(lp->gid, 1.0, lp);
    *(uint64_t *)tw_event_data(event) = 0;
    tw_event_send(event);
}

static void init(void *sv, tw_lp *lp)
{
    struct state *state = sv;
    if ((holds("init") || holds("io")) && lp->id > 0) {
        state->held.block = block();
    } else if (holds("numbers")) {
        state->held.number = lp->id == 0 ? (uint64_t)(uintptr_t)&pointers : 7;
    }
    send(lp);
}

static void event(void *sv, tw_bf *bf, void *msg, tw_lp *lp)
{
    struct state *state = sv;
    (void)bf;
    (void)msg;
    state->events++;
    if (holds("later") && tw_now(lp) > 5.0 && state->held.block == NULL) {
        state->held.block = block();
    }
    send(lp);
}

static bool restore(void *sv, tw_lp *lp, const void *bytes, size_t size)
{
    struct state *state = sv;
    memcpy(state, bytes, size);
    state->held.block = lp->id > 0 ? block() : NULL;
    return true;
}

static tw_lptype types[] = {{.init = init, .event = event, .state_sz = sizeof(struct state)}};
static const tw_state_io io = {.restore = restore};

static const tw_lp_moves moves = {.arrive = NULL};

static const tw_optdef options[] = {
    TWOPT_GROUP("pointing"),
    TWOPT_CHAR("pointers", pointers, "none, numbers, init, later, io"),
    TWOPT_END(),
};

int main(int argc, char **argv)
{
    g_tw_lp_types = types;
    g_tw_lookahead = 1.0;
    tw_opt_add(options);
    tw_init(&argc, &argv);
    tw_define_lps(LPS_PER_RANK, sizeof(uint64_t));
    tw_lp_setup_types();
    tw_lp_map_moves(&moves);
    if (holds("io")) {
        tw_lptype_state_io(&types[0], &io);
    }
    tw_run();
    tw_end();
    return 0;
}
