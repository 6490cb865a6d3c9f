/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * main.cpp - airport as a program: options, checks, LPs, run, results.
 */
#include "airport.hpp"
#include "common/program.h"

#include <cstdio>

namespace
{

using airport::settings;

const tw_optdef options[] = {
    TWOPT_GROUP("airport: planes between airports (times in minutes)"),
    TWOPT_UINT("airports", settings.airports, "<2..1000000> airports, on a square grid"),
    TWOPT_UINT("planes", settings.planes, "<0..10000> planes of each airport at the start"),
    TWOPT_UINT("runways", settings.runways, "<1..8> runways of an airport"),
    TWOPT_UINT("gates", settings.gates, "<1..64> gates of an airport"),
    TWOPT_DOUBLE("landing", settings.landing, "<0..1e6> time that a landing takes a runway"),
    TWOPT_DOUBLE(
        "takeoff", settings.takeoff,
        "<0..1e6> time that a take-off takes a runway; with --leg the lookahead of --synch=2"),
    TWOPT_DOUBLE("turnaround", settings.turnaround, "<1e-3..1e6> least time at a gate"),
    TWOPT_DOUBLE("boarding", settings.boarding, "<0..1e6> mean time on top of that, exponential"),
    TWOPT_DOUBLE(
        "leg", settings.leg,
        "<1e-3..1e6> flight time between neighbours on the grid; with --takeoff the lookahead "
        "of --synch=2"),
    TWOPT_DOUBLE("storms", settings.storms,
                 "<0|1e-3..1e9> mean time between storms at an airport (0: none)"),
    TWOPT_DOUBLE("storm", settings.storm, "<0..1e6> time that a storm closes the runways"),
    TWOPT_END(),
};

tw_lpid airports_before(unsigned rank)
{
    return tw_lpid{settings.airports} * rank / tw_nnodes();
}

void heading_print()
{
    std::printf("airport: %u airports with %u runway%s and %u gate%s, %u planes each\n",
                settings.airports, settings.runways, settings.runways == 1 ? "" : "s",
                settings.gates, settings.gates == 1 ? "" : "s", settings.planes);
    std::fflush(stdout);
}

double mean_wait_minutes(uint64_t microseconds, uint64_t n)
{
    return n == 0 ? 0 : static_cast<double>(microseconds) / 60e6 / static_cast<double>(n);
}

void results_print()
{
    constexpr int n_sums = sizeof(airport::Totals) / sizeof(uint64_t);
    airport::Totals sums{};
    MPI_Reduce(&airport::local_totals(), &sums, n_sums, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_ROSS);
    if (!tw_ismaster()) {
        return;
    }
    std::printf("\nairport: after %g minutes\n", g_tw_ts_end);
    std::printf("  %-12s %12" PRIu64 "\n", "take-offs", sums.takeoffs);
    std::printf("  %-12s %12" PRIu64 "\n", "landings", sums.landings);
    std::printf("  %-12s %12" PRIu64 "\n", "storms", sums.storms);
    std::printf("  %-12s %12.6f minutes on average\n", "runway wait",
                mean_wait_minutes(sums.runway_wait_us, sums.takeoffs + sums.landings));
    std::printf("  %-12s %12.6f minutes on average\n", "gate wait",
                mean_wait_minutes(sums.gate_wait_us, sums.landings));
    std::fflush(stdout);
}

tw_lptype *airport_type()
{
    static tw_lptype type = airport::AirportLp::lp_type();
    return &type;
}

void types_set()
{
    for (tw_lpid i = 0; i < g_tw_nlp; i++) {
        tw_lp_settype(i, airport_type());
        st_model_settype(i, airport::observers());
    }
}

const tw_lp_moves moves = {nullptr, types_set};

} // namespace

int main(int argc, char **argv)
{
    g_tw_ts_end = 10000;
    tw_opt_add(options);
    tw_init(&argc, &argv);
    model_error error;
    if (!model_setup_check(1e-3, 1e9, argc, argv, &error)) {
        return model_end("airport", error.text, MODEL_REFUSED);
    }
    if (tw_ismaster()) {
        heading_print();
    }
    const auto rank = static_cast<unsigned>(g_tw_mynode);
    /* Minimum offset of an event between two airports. */
    g_tw_lookahead = settings.takeoff + settings.leg;
    (void)tw_lp_map_allow();
    tw_lp_map_moves(&moves);
    tw_define_lps(airports_before(rank + 1) - airports_before(rank),
                  sizeof(airport::AirportLp::Message));
    types_set();
    st_lptype_name(airport_type(), "airport");
    tw_run();
    results_print();
    tw_end();
    return 0;
}
