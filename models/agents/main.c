/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * main.c - the main program of the model "agents": options, checks, LPs, run.
 */
#include "agents.h"
#include "common/program.h"

static const tw_optdef options[] = {
    TWOPT_GROUP("agents: grazers on a grid (times in time units)"),
    TWOPT_UINT("width", ag_options.width, "<1..4096> cells from west to east"),
    TWOPT_UINT("height", ag_options.height, "<1..4096> cells from north to south"),
    TWOPT_UINT("agents", ag_options.agents, "<0..1000> agents per cell at the start"),
    TWOPT_ULONG("infected", ag_options.infected,
                "agents that are infected at the start, at most all"),
    TWOPT_DOUBLE(
        "energy", ag_options.energy,
        "<1e-6..1e9> of an agent at the start; with more than twice as much it has a child"),
    TWOPT_DOUBLE("appetite", ag_options.appetite,
                 "<0..1e9> most that an agent eats at a visit, energy"),
    TWOPT_DOUBLE("metabolism", ag_options.metabolism,
                 "<0..1e9> energy that an agent needs per time unit"),
    TWOPT_DOUBLE("grass", ag_options.grass, "<0..1e9> most that a cell has, energy"),
    TWOPT_DOUBLE("growth", ag_options.growth, "<0..1e9> of a cell's grass, energy per time unit"),
    TWOPT_DOUBLE("rest", ag_options.rest,
                 "<0..1e9> least time from visit to visit; the lookahead of --synch=2"),
    TWOPT_DOUBLE("wander", ag_options.wander, "<1e-6..1e9> mean time on top of that, exponential"),
    TWOPT_DOUBLE("infect", ag_options.infect,
                 "<0..1> probability that a visit to a cell with spores infects"),
    TWOPT_DOUBLE("ill", ag_options.ill, "<0..1e12> time that an infection lasts"),
    TWOPT_DOUBLE("spores", ag_options.spores,
                 "<0..1e12> time that spores last after an infected visitor"),
    TWOPT_UINT("overgrazed", ag_options.overgrazed,
               "visits that leave a cell bare until it is a desert (0: never)"),
    TWOPT_FLAG("lines", ag_options.lines, "print what happens to agents and cells"),
    TWOPT_END(),
};

static bool options_check(int argc, char **argv, struct model_error *error)
{
    return model_setup_check(1e-6, 1e12, argc, argv, error) &&
           (g_tw_synchronization_protocol != CONSERVATIVE || ag_options.rest != 0 ||
            model_fail(error, "--synch=2 needs a least time between visits, and --rest=0 leaves "
                              "none; use --synch=3"));
}

/* Each rank holds a block of whole rows. If there are more ranks than rows, each rank holds a block
 * of consecutive cells instead. */
tw_lpid ag_cells_before(unsigned rank)
{
    tw_lpid w = ag_options.width;
    tw_lpid h = ag_options.height;
    return tw_nnodes() <= h ? h * rank / tw_nnodes() * w : w * h * rank / tw_nnodes();
}

static void heading_print(void)
{
    const struct ag_options *o = &ag_options;
    const unsigned long agents = (unsigned long)o->width * o->height * o->agents;
    printf("agents: %ux%u cells, %u agents each, %lu of them infected\n", o->width, o->height,
           o->agents, ROSS_MIN(o->infected, agents));
    fflush(stdout);
}

static void types_set(void)
{
    for (tw_lpid i = 0; i < g_tw_nlp; i++) {
        tw_lp_settype(i, &ag_cell_type);
        st_model_settype(i, &ag_observers.types);
    }
}

static const tw_lp_moves moves = {.arrive = types_set};

int main(int argc, char **argv)
{
    g_tw_ts_end = 100;
    tw_opt_add(options);
    tw_init(&argc, &argv);
    struct model_error error;
    if (!options_check(argc, argv, &error)) {
        return model_end("agents", error.text, MODEL_REFUSED);
    }
    if (tw_ismaster()) {
        heading_print();
    }
    unsigned rank = (unsigned)g_tw_mynode;
    g_tw_lookahead = ag_options.rest;
    (void)tw_lp_map_allow();
    tw_lp_map_moves(&moves);
    tw_define_lps(ag_cells_before(rank + 1) - ag_cells_before(rank), sizeof(struct ag_visit));
    types_set();
    st_lptype_name(&ag_cell_type, "cell");
    model_observers_describe(&ag_observers);
    tw_run();
    ag_report_print(stdout);
    tw_end();
    return 0;
}
