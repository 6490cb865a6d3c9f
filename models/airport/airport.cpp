/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * airport.cpp - the events at an airport, and their undo.
 */
#include "airport.hpp"

#include <cmath>

namespace airport
{

Settings settings;

namespace
{
Totals rank_totals{};
} // namespace

const Totals &local_totals()
{
    return rank_totals;
}

uint64_t microseconds(double minutes)
{
    return static_cast<uint64_t>(std::llround(minutes * 60e6));
}

/* The airports form a square grid, with gids in ascending order row by row. */
double flight_time(tw_lpid from, tw_lpid to)
{
    const auto side = static_cast<tw_lpid>(std::ceil(std::sqrt(settings.airports)));
    const double dx = static_cast<double>(from % side) - static_cast<double>(to % side);
    const double dy = static_cast<double>(from / side) - static_cast<double>(to / side);
    return settings.leg * std::sqrt(dx * dx + dy * dy);
}

static void storm_send(warp::Lp &lp)
{
    if (settings.storms > 0) {
        AirportLp::send(lp, lp.gid(), lp.exponential(settings.storms), Storm{});
    }
}

Airport::Airport(tw_lp *lp)
{
    warp::Lp here(lp);
    for (unsigned i = 0; i < settings.planes; i++) {
        Ready ready{};
        ready.plane.number = lp->gid * settings.planes + i + 1;
        AirportLp::send(here, lp->gid, here.exponential(settings.turnaround), ready);
        on_ground++;
    }
    storm_send(here);
}

void Airport::finish(const tw_lp *)
{
    rank_totals.landings += totals.landings;
    rank_totals.takeoffs += totals.takeoffs;
    rank_totals.storms += totals.storms;
    rank_totals.runway_wait_us += totals.runway_wait_us;
    rank_totals.gate_wait_us += totals.gate_wait_us;
}

/* ---- Approach -------------------------------------------------------------------------------- */

void Approach::forward(Airport &here, warp::Lp &lp)
{
    const double start = here.runways.take(settings.runways, lp.now(), settings.landing, runway);
    waited_us = microseconds(start - lp.now());
    here.totals.runway_wait_us += waited_us;
    here.on_ground++;
    AirportLp::send(lp, lp.gid(), start - lp.now() + settings.landing, Landed{plane, {}, 0});
}

void Approach::backward(Airport &here, const warp::Lp &)
{
    here.on_ground--;
    here.totals.runway_wait_us -= waited_us;
    waited_us = 0;
    here.runways.give_back(runway);
}

/* ---- Landed ---------------------------------------------------------------------------------- */

static void flight_trace(const Plane &plane, warp::Lp &lp)
{
    st_task_id id{};
    st_task_add(lp.get(), &id, st_task_id{}, "flight", "plane", nullptr, plane.taken_off, nullptr,
                0);
}

void Landed::forward(Airport &here, warp::Lp &lp)
{
    const double stay = settings.turnaround + lp.exponential(settings.boarding);
    const double start = here.gates.take(settings.gates, lp.now(), stay, gate);
    waited_us = microseconds(start - lp.now());
    here.totals.gate_wait_us += waited_us;
    here.totals.landings++;
    flight_trace(plane, lp);
    AirportLp::send(lp, lp.gid(), start - lp.now() + stay, Ready{plane, {}, 0});
}

void Landed::backward(Airport &here, const warp::Lp &)
{
    here.totals.landings--;
    here.totals.gate_wait_us -= waited_us;
    waited_us = 0;
    here.gates.give_back(gate);
}

/* ---- Ready ----------------------------------------------------------------------------------- */

/* Draws the destination of a flight: any airport except this one. */
static tw_lpid destination_draw(warp::Lp &lp)
{
    const tw_lpid other = lp.below(settings.airports - 1);
    return other < lp.gid() ? other : other + 1;
}

void Ready::forward(Airport &here, warp::Lp &lp)
{
    const double start = here.runways.take(settings.runways, lp.now(), settings.takeoff, runway);
    waited_us = microseconds(start - lp.now());
    here.totals.runway_wait_us += waited_us;
    here.totals.takeoffs++;
    here.on_ground--;
    const tw_lpid to = destination_draw(lp);
    Approach approach{};
    approach.plane = plane;
    approach.plane.taken_off = start;
    approach.plane.flights++;
    AirportLp::send(lp, to, start - lp.now() + settings.takeoff + flight_time(lp.gid(), to),
                    approach);
}

void Ready::backward(Airport &here, const warp::Lp &)
{
    here.on_ground++;
    here.totals.takeoffs--;
    here.totals.runway_wait_us -= waited_us;
    waited_us = 0;
    here.runways.give_back(runway);
}

/* ---- Storm ----------------------------------------------------------------------------------- */

void Storm::forward(Airport &here, warp::Lp &lp)
{
    before = here.runways;
    here.runways.close_until(lp.now() + settings.storm);
    here.totals.storms++;
    storm_send(lp);
}

void Storm::backward(Airport &here, const warp::Lp &)
{
    here.totals.storms--;
    here.runways = before;
    before = {};
}

} // namespace airport
