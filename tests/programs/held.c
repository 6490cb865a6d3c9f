/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * held - a model whose samples are pure functions of the state, and which tells what each sample would
 * have if all LPs were asked. The first LP of a rank is asked at each sampling point; its callback
 * writes a line "RANK LP COUNT HASH" for each LP of the rank to the file WITNESS.RANK.
 *
 * Few LPs have events at a time: a token goes from LP to LP, and LPs far from it rest. Samples at
 * virtual times have no witness.
 */
#include <errno.h>
#include <inttypes.h>

#include "ross.h"
#include "st.h"
#include "support/even_ranks.h"

struct message {
    uint64_t count, hash; /* of the state before the event */
};

struct state {
    uint64_t count, hash;
};

static unsigned int n_lps = 20; /* per rank */
static char witness[512] = "";
static unsigned int declares = 1;
static unsigned int has_hook = 0;
static FILE *out;

static void send(tw_lp *lp)
{
    tw_lpid dest = (lp->gid + (tw_lpid)tw_rand_integer(lp->rng, 0, 2)) % g_tw_total_lps;
    double offset = g_tw_lookahead + tw_rand_exponential(lp->rng, 1.0);
    tw_event_send(tw_event_new(dest, offset, lp));
}

static void init(void *sv, tw_lp *lp)
{
    (void)sv;
    if (lp->gid % 10 == 0) {
        send(lp);
    }
}

static void forward(void *sv, tw_bf *bf, void *msg, tw_lp *lp)
{
    struct state *s = sv;
    struct message *m = msg;
    (void)bf;
    *m = (struct message){s->count, s->hash};
    s->count++;
    s->hash = (s->hash ^ lp->gid) * 0x9e3779b97f4a7c15u + s->count;
    send(lp);
}

static void reverse(void *sv, tw_bf *bf, void *msg, tw_lp *lp)
{
    struct state *s = sv;
    const struct message *m = msg;
    (void)bf;
    s->count = m->count;
    s->hash = m->hash;
    tw_rand_reverse_unif(lp->rng);
    tw_rand_reverse_unif(lp->rng);
}

static void sample(void *sv, tw_lp *lp, char *buffer)
{
    memcpy(buffer, sv, sizeof(struct state));
    for (tw_lpid i = 0; out != NULL && lp->id == 0 && i < g_tw_nlp; i++) {
        const struct state *s = g_tw_lp[i]->cur_state;
        fprintf(out, "%u %u %" PRIu64 " %" PRIu64 "\n", (unsigned)g_tw_mynode,
                (unsigned)g_tw_lp[i]->gid, s->count, s->hash);
    }
}

/* Changes a state without an event. */
static void hook(tw_pe *pe, bool past_end_time)
{
    struct state *s = g_tw_lp[g_tw_nlp - 1]->cur_state;
    (void)pe, (void)past_end_time;
    s->hash++;
}

static tw_lptype type = {
    .init = init,
    .event = forward,
    .revent = reverse,
    .map = rank_of,
    .state_sz = sizeof(struct state),
};

static st_model_types sampled = {.model_stat_fn = sample, .mstat_sz = sizeof(struct state)};
static const st_field fields[] = {
    {"count", ST_U64, offsetof(struct state, count), "events", 1, ST_COUNTER},
    {"hash", ST_U64, offsetof(struct state, hash), "", 1, ST_LEVEL},
    {NULL, ST_U8, 0, NULL, 0}};

static const tw_optdef options[] = {
    TWOPT_GROUP("held"),
    TWOPT_UINT("nlp", n_lps, "LPs per rank"),
    TWOPT_CHAR("witness", witness, "beginning of the names of the files with all samples"),
    TWOPT_UINT("pure", declares, "1: declare that samples are pure functions of the state"),
    TWOPT_UINT("hook", has_hook, "1: change a state in g_tw_gvt_hook"),
    TWOPT_END(),
};

int main(int argc, char **argv)
{
    char path[600];
    g_tw_ts_end = 100;
    g_tw_lookahead = 0.1;
    tw_opt_add(options);
    tw_init(&argc, &argv);
    snprintf(path, sizeof(path), "%s.%u", witness, (unsigned)g_tw_mynode);
    if (witness[0] != '\0' && (out = fopen(path, "w")) == NULL) {
        tw_error(TW_LOC, "%s: %s", path, strerror(errno));
    }
    tw_define_lps(n_lps, sizeof(struct message));
    for (tw_lpid i = 0; i < g_tw_nlp; i++) {
        tw_lp_settype(i, &type);
        st_model_settype(i, &sampled);
    }
    st_model_fields(&sampled, ST_PAYLOAD_MODEL, fields);
    if (declares != 0) {
        st_model_pure(&sampled);
    }
    if (has_hook != 0) {
        g_tw_gvt_hook = hook;
        tw_trigger_gvt_hook_every(7);
    }
    tw_run();
    if (out != NULL) {
        fclose(out);
    }
    tw_end();
    return 0;
}
