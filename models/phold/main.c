/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * main.c - the main program of PHOLD: options, checks, LPs, run.
 */
#include "common/program.h"
#include "phold.h"

static const tw_optdef options[] = {
    TWOPT_GROUP("PHOLD Model"),
    TWOPT_DOUBLE("remote", phold_options.remote,
                 "<0..1> probability that an event goes to an LP drawn at random"),
    TWOPT_UINT("nlp", phold_options.nlp, "<1..> LPs per PE"),
    TWOPT_DOUBLE("mean", phold_options.mean,
                 "<1e-300..1e300> mean offset of an event, the lookahead included"),
    TWOPT_DOUBLE("mult", phold_options.mult, "no effect: event memory grows on demand"),
    TWOPT_DOUBLE("lookahead", phold_options.lookahead,
                 "<0..1> least offset of an event, at most the mean"),
    TWOPT_UINT("start-events", phold_options.start_events, "events of each LP at the start"),
    TWOPT_UINT("stagger", phold_options.stagger,
               "1: let LPs start at different times, spread over the simulated time"),
    TWOPT_UINT("memory", phold_options.memory, "no effect: event memory grows on demand"),
    TWOPT_UINT("payload", phold_options.payload,
               "<8..1048576> bytes of a message, checked on arrival"),
    TWOPT_ULONG("work", phold_options.work, "rounds of arithmetic per event, some 2 ns each"),
    TWOPT_CHAR("slow-rank", phold_options.slow_rank, "<RANK> rank that does the work, or all"),
    TWOPT_ULONG("hot-lps", phold_options.hot_lps,
                "only the first N LPs get events; 0: all of them"),
    TWOPT_CHAR("run", phold_options.run, "<NAME> of the run, printed at the start"),
    TWOPT_END(),
};

static void print_configuration(void)
{
    const struct phold_options *o = &phold_options;
    printf("PHOLD model: %s\n", o->run);
    printf("\t%-50s %11u\n", "<1..> LPs per PE", o->nlp);
    printf("\t%-50s %11g\n", "Probability of a random destination", o->remote);
    printf("\t%-50s %11g\n", "Mean offset", o->mean);
    printf("\t%-50s %11g\n", "Lookahead", o->lookahead);
    printf("\t%-50s %11u\n", "Start events per LP", o->start_events);
    printf("\t%-50s %11s\n", "Staggered start", o->stagger ? "yes" : "no");
    if (o->payload != sizeof(struct phold_message)) {
        printf("\t%-50s %11u\n", "Bytes of a message", o->payload);
    }
    if (o->work > 0) {
        printf("\t%-50s %11lu\n", "Rounds of arithmetic per event", o->work);
        printf("\t%-50s %11s\n", "Rank that does them", o->slow_rank);
    }
    if (o->hot_lps > 0) {
        printf("\t%-50s %11lu\n", "LPs that have events", o->hot_lps);
    }
    fflush(stdout);
}

static void types_set(void)
{
    for (tw_lpid i = 0; i < g_tw_nlp; i++) {
        tw_lp_settype(i, &phold_lp_type);
        st_model_settype(i, &phold_observers.types);
    }
}

static const tw_lp_moves moves = {.arrive = types_set};

int main(int argc, char **argv)
{
    tw_opt_add(options);
    tw_init(&argc, &argv);
    struct model_error error;
    /* All ranks have the same command line, so they reach the same result. */
    if (!model_arguments_check(argc, argv, &error) ||
        !phold_options_check(&phold_options, tw_nnodes(), &error)) {
        return model_end("phold", error.text, MODEL_REFUSED);
    }
    if (tw_ismaster()) {
        print_configuration();
    }
    phold_options_settle(&phold_options, (unsigned)g_tw_mynode, tw_nnodes());
    g_tw_lookahead = phold_options.lookahead;
    (void)tw_lp_map_allow();
    tw_lp_map_moves(&moves);
    tw_define_lps(phold_options.nlp, phold_options.payload);
    types_set();
    st_lptype_name(&phold_lp_type, "phold");
    model_observers_describe(&phold_observers);
    tw_run();
    tw_end();
    return 0;
}
