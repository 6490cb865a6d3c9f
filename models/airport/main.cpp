/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * main.cpp - airport as a program: options, checks, LPs, run, results.
 */
#include "airport.hpp"
#include "common/status.h"

#include <cstdio>
#include <string>

namespace
{

using airport::settings;

const tw_optdef options[] = {
    TWOPT_GROUP("airport: planes between airports (times in minutes)"),
    TWOPT_UINT("airports", settings.airports, "airports, on a square grid"),
    TWOPT_UINT("planes", settings.planes, "planes of each airport at the start"),
    TWOPT_UINT("runways", settings.runways, "runways of an airport, 1 to 8"),
    TWOPT_UINT("gates", settings.gates, "gates of an airport, 1 to 64"),
    TWOPT_DOUBLE("landing", settings.landing, "<TIME> time that a landing takes a runway"),
    TWOPT_DOUBLE(
        "takeoff", settings.takeoff,
        "<TIME> time that a take-off takes a runway; with --leg the lookahead of --synch=2"),
    TWOPT_DOUBLE("turnaround", settings.turnaround, "<TIME> least time at a gate"),
    TWOPT_DOUBLE("boarding", settings.boarding, "<TIME> mean time on top of that, exponential"),
    TWOPT_DOUBLE("leg", settings.leg,
                 "<TIME> flight time between neighbours on the grid; with --takeoff the lookahead "
                 "of --synch=2"),
    TWOPT_DOUBLE("storms", settings.storms,
                 "<TIME> mean time between storms at an airport (0: none)"),
    TWOPT_DOUBLE("storm", settings.storm, "<TIME> time that a storm closes the runways"),
    TWOPT_END(),
};

/* Returns a message about the first error in the options; empty: there is no error. */
std::string options_error(int argc, char **argv)
{
    struct Range {
        const char *option;
        double value, low, high;
        bool may_be_0 = false;
    };
    const Range ranges[] = {
        {"end", g_tw_ts_end, 1e-3, 1e9},
        {"airports", double(settings.airports), 2, 1e6},
        {"planes", double(settings.planes), 0, 1e4},
        {"runways", double(settings.runways), 1, double(airport::max_runways)},
        {"gates", double(settings.gates), 1, double(airport::max_gates)},
        {"landing", settings.landing, 0, 1e6},
        {"takeoff", settings.takeoff, 0, 1e6},
        {"turnaround", settings.turnaround, 1e-3, 1e6},
        {"boarding", settings.boarding, 0, 1e6},
        {"leg", settings.leg, 1e-3, 1e6},
        {"storms", settings.storms, 1e-3, 1e9, true},
        {"storm", settings.storm, 0, 1e6},
    };
    char text[200];
    if (argc > 1) {
        return "unexpected argument \"" + std::string(argv[1]) +
               "\"; options are written --name=value";
    }
    for (const auto &[option, value, low, high, may_be_0] : ranges) {
        const bool is_off = may_be_0 && value == 0;
        if (!is_off && !(value >= low && value <= high)) { /* NaN is out of range, too */
            std::snprintf(text, sizeof text, "--%s=%g is out of range: %s%g to %g", option, value,
                          may_be_0 ? "0, or " : "", low, high);
            return text;
        }
    }
    return "";
}

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
    const std::string error = options_error(argc, argv);
    if (!error.empty()) {
        return model_end("airport", error.c_str(), MODEL_REFUSED);
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
