/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * airport.hpp - airports and the planes between them. README.md describes the model.
 *
 * An airport is an LP; a plane is an event. There are no queues: a plane takes the runway or gate
 * that becomes free earliest. Since the duration of each use is known at its start, the start of
 * the next use is known, too (Kiefer and Wolfowitz, 1955).
 */
#ifndef AIRPORT_AIRPORT_HPP
#define AIRPORT_AIRPORT_HPP

#include "typed_lp.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace airport
{

inline constexpr std::size_t max_runways = 8;
inline constexpr std::size_t max_gates = 64;

/* Parameters of the model, times in minutes. They are equal on all ranks and constant during the
 * run. */
struct Settings {
    unsigned airports = 64;
    unsigned planes = 8; /* number of planes per airport at the start */
    unsigned runways = 2;
    unsigned gates = 6;
    double landing = 2;     /* time for which a landing occupies a runway */
    double takeoff = 1;     /* time for which a take-off occupies a runway */
    double turnaround = 30; /* minimum time of a plane at a gate */
    double boarding = 15;   /* mean of an exponential random time at a gate, added to turnaround */
    double leg = 20;        /* flight time between neighbours on the grid */
    double storms = 2000;   /* mean time between two storms at an airport; 0: no storms */
    double storm = 60;      /* time for which a storm closes all runways */
};
extern Settings settings;

/* Sums over airports. The members are integers, so that their sums do not depend on the number of
 * ranks. */
struct Totals {
    uint64_t landings;
    uint64_t takeoffs;
    uint64_t storms;
    /* Total waiting time of planes for runways, in microseconds. */
    uint64_t runway_wait_us;
    uint64_t gate_wait_us;
};

/* Converts minutes to whole microseconds. */
uint64_t microseconds(double minutes);

/* A set of Max resources, for example runways. A user takes the resource that becomes free
 * earliest. */
template <std::size_t Max> class Pool
{
  public:
    /* Old values that take() stores, so that give_back() can undo the call. */
    struct Taken {
        double was_free_at;
        uint32_t index;
        uint32_t unused;
    };

    /* Takes one of the resources 0 to n - 1, the one that becomes free earliest, for the time
     * `duration`. Stores the old values in `taken`. Returns the time at which the use starts, which
     * is `now` or later. */
    double take(std::size_t n, double now, double duration, Taken &taken)
    {
        const auto first = std::min_element(free_at_.begin(), free_at_.begin() + n);
        taken.was_free_at = *first;
        taken.index = static_cast<uint32_t>(first - free_at_.begin());
        const double start = std::max(now, *first);
        *first = start + duration;
        return start;
    }

    void give_back(Taken &taken)
    {
        free_at_[taken.index] = taken.was_free_at;
        taken = Taken{};
    }

    /* Keeps all resources busy until at least `time`. */
    void close_until(double time)
    {
        for (double &free_at : free_at_) {
            free_at = std::max(free_at, time);
        }
    }

  private:
    std::array<double, Max> free_at_{};
};

/* ---- State ----------------------------------------------------------------------------------- */

struct Airport {
    explicit Airport(tw_lp *lp);
    void finish(const tw_lp *lp); /* adds the airport's totals to those of this rank */

    Pool<max_runways> runways;
    Pool<max_gates> gates;
    Totals totals{};
    uint64_t on_ground = 0;
};

/* ---- Events: the actions of a plane, and the weather ----------------------------------------- */

struct Plane {
    uint64_t number;  /* identity of the plane, from 1 */
    double taken_off; /* virtual time of the plane's last take-off; 0: none */
    uint32_t flights;
    uint32_t unused;
};

/* The plane approaches the airport and takes a runway. */
struct Approach {
    Plane plane;
    Pool<max_runways>::Taken runway;
    void forward(Airport &here, warp::Lp &lp);
    void backward(Airport &here, const warp::Lp &lp);
    uint64_t waited_us;
};

/* The plane leaves the runway and takes a gate. */
struct Landed {
    Plane plane;
    Pool<max_gates>::Taken gate;
    void forward(Airport &here, warp::Lp &lp);
    void backward(Airport &here, const warp::Lp &lp);
    uint64_t waited_us;
};

/* The plane leaves the gate, takes a runway, and flies to another airport. */
struct Ready {
    Plane plane;
    Pool<max_runways>::Taken runway;
    void forward(Airport &here, warp::Lp &lp);
    void backward(Airport &here, const warp::Lp &lp);
    uint64_t waited_us;
};

/* All runways are closed until the end of the storm. */
struct Storm {
    Pool<max_runways> before;
    void forward(Airport &here, warp::Lp &lp);
    void backward(Airport &here, const warp::Lp &lp);
};

using AirportLp = warp::TypedLp<Airport, Approach, Landed, Ready, Storm>;

/* Returns the flight time between two airports in minutes. */
double flight_time(tw_lpid from, tw_lpid to);

/* Returns the sums over all airports of this rank. They are complete after tw_run(). */
const Totals &local_totals();

/* Returns the callbacks for traces and samples, and registers the descriptions of the fields that
 * they write. */
st_model_types *observers();

} // namespace airport

#endif
