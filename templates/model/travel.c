/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * travel.c - a model to start from: travellers go from town to town.
 *
 * Each town is a logical process (LP). A traveller who arrives stays for a random time and goes on
 * to a town drawn at random. A town counts arrivals and remembers the longest stay.
 */
#include <ross.h>

struct town {
    long arrivals;
    double longest_stay;
};

/* The payload of an event. The last field saves an overwritten value for the reverse handler. */
struct traveller {
    long journeys;
    double longest_before;
};

static unsigned int towns = 64;
static double mean_stay = 1.0;

/* ---- LP functions ---------------------------------------------------------------------------- */

/* Sends the traveller on. Draws two random numbers: the stay, then the town. */
static double travel(long journeys, tw_lp *lp)
{
    double stay = tw_rand_exponential(lp->rng, mean_stay);
    tw_lpid next = tw_rand_ulong(lp->rng, 0, towns - 1);
    tw_event *event = tw_event_new(next, stay, lp);
    struct traveller *traveller = tw_event_data(event);
    traveller->journeys = journeys;
    traveller->longest_before = 0;
    tw_event_send(event);
    return stay;
}

static void town_init(void *state, tw_lp *lp)
{
    (void)state;
    travel(1, lp);
}

static void town_arrival(void *state, tw_bf *bits, void *message, tw_lp *lp)
{
    struct town *town = state;
    struct traveller *traveller = message;
    town->arrivals++;
    double stay = travel(traveller->journeys + 1, lp);
    if (stay > town->longest_stay) {
        bits->c0 = 1;
        traveller->longest_before = town->longest_stay;
        town->longest_stay = stay;
    }
}

/* Undoes the steps of town_arrival() in reverse order. The engine cancels the events that
 * town_arrival() sent. */
static void town_arrival_undo(void *state, tw_bf *bits, void *message, tw_lp *lp)
{
    struct town *town = state;
    struct traveller *traveller = message;
    if (bits->c0) {
        town->longest_stay = traveller->longest_before;
        traveller->longest_before = 0;
    }
    tw_rand_reverse_unif(lp->rng);
    tw_rand_reverse_unif(lp->rng);
    town->arrivals--;
}

static tw_lptype town_type = {
    .init = town_init,
    .event = town_arrival,
    .revent = town_arrival_undo,
    .state_sz = sizeof(struct town),
};

/* ---- Values recorded with --model-stats=1 ---------------------------------------------------- */

static void town_statistics(void *state, tw_lp *lp, char *buffer)
{
    (void)lp;
    memcpy(buffer, state, sizeof(struct town));
}

static st_model_types town_records = {
    .model_stat_fn = town_statistics,
    .mstat_sz = sizeof(struct town),
};

static const st_field town_fields[] = {
    {"arrivals", ST_I64, offsetof(struct town, arrivals), "travellers", 1, ST_COUNTER},
    {"longest_stay", ST_F64, offsetof(struct town, longest_stay), "days", 1, ST_LEVEL},
    {NULL, ST_U8, 0, NULL, 0, ST_UNSTATED},
};

/* ---- Main program ---------------------------------------------------------------------------- */

static const tw_optdef options[] = {
    TWOPT_GROUP("Travel"),
    TWOPT_UINT("towns", towns, "towns, on all ranks together"),
    TWOPT_DOUBLE("stay", mean_stay, "mean stay, days"),
    TWOPT_END(),
};

/* Returns the number of towns of this rank. The first ranks take the remainder. */
static tw_lpid towns_here(void)
{
    unsigned int ranks = tw_nnodes();
    return towns / ranks + ((unsigned int)g_tw_mynode < towns % ranks ? 1 : 0);
}

int main(int argc, char **argv)
{
    g_tw_ts_end = 365; /* end time in days; --end overrides it */
    tw_opt_add(options);
    tw_init(&argc, &argv);
    tw_opt_words_max(argc, argv, 0); /* allows only options on the command line */
    if (towns < tw_nnodes() || !(mean_stay > 0)) {
        if (tw_ismaster()) {
            fprintf(stderr, "travel: --towns must be at least the number of ranks, --stay > 0\n");
        }
        tw_end();
        return 2;
    }
    tw_define_lps(towns_here(), sizeof(struct traveller));
    for (tw_lpid i = 0; i < g_tw_nlp; i++) {
        tw_lp_settype(i, &town_type);
        st_model_settype(i, &town_records);
    }
    st_lptype_name(&town_type, "town");
    st_model_pure(&town_records);
    st_model_fields(&town_records, ST_PAYLOAD_MODEL, town_fields);
    tw_run();
    tw_end();
    return 0;
}
