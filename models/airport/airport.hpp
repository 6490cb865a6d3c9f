/*
 * airport.hpp - airports and the planes between them. README.md says what is modelled.
 *
 * An airport is an LP, a plane is an event. Nobody queues: a plane takes the runway or gate that is
 * free first, and as it is known how long each is needed, so is when (Kiefer and Wolfowitz, 1955).
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

/* The parameters, times in minutes; the same on all ranks, read-only while the simulation runs. */
struct Settings {
    unsigned airports = 64;
    unsigned planes = 8; /* per airport, at the start */
    unsigned runways = 2;
    unsigned gates = 6;
    double landing = 2;     /* that a runway is taken */
    double takeoff = 1;     /* that a runway is taken */
    double turnaround = 30; /* least time at the gate */
    double boarding = 15;   /* mean time on top of that, exponential */
    double leg = 20;        /* flight time between neighbours */
    double storms = 2000;   /* mean time between storms; 0: none */
    double storm = 60;      /* that a storm closes the runways */
};
extern Settings settings;

/* Sums over airports. Whole numbers, so that they are the same on any number of ranks. */
struct Totals {
    uint64_t landings;
    uint64_t takeoffs;
    uint64_t storms;
    uint64_t runway_wait_us; /* microseconds */
    uint64_t gate_wait_us;
};

/* Minutes to whole microseconds. */
uint64_t microseconds(double minutes);

/* Things of which the one that is free first is taken. */
template <std::size_t Max> class Pool
{
  public:
    /* What take() changed. */
    struct Taken {
        double was_free_at;
        uint32_t index;
        uint32_t unused;
    };

    /* Takes one of the first n for so long; when it starts. */
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

    /* None is free before that time. */
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
    void finish(const tw_lp *lp); /* adds to the totals of this rank */

    Pool<max_runways> runways;
    Pool<max_gates> gates;
    Totals totals{};
    uint64_t on_ground = 0;
};

/* ---- Events: what a plane does, and the weather ---------------------------------------------- */

struct Plane {
    uint64_t number;  /* from 1 */
    double taken_off; /* its last start; 0: none */
    uint32_t flights;
    uint32_t unused;
};

/* It comes near the airport and takes a runway. */
struct Approach {
    Plane plane;
    Pool<max_runways>::Taken runway;
    void forward(Airport &here, warp::Lp &lp);
    void backward(Airport &here, const warp::Lp &lp);
    uint64_t waited_us;
};

/* It leaves the runway and takes a gate. */
struct Landed {
    Plane plane;
    Pool<max_gates>::Taken gate;
    void forward(Airport &here, warp::Lp &lp);
    void backward(Airport &here, const warp::Lp &lp);
    uint64_t waited_us;
};

/* It leaves the gate, takes a runway, and flies somewhere else. */
struct Ready {
    Plane plane;
    Pool<max_runways>::Taken runway;
    void forward(Airport &here, warp::Lp &lp);
    void backward(Airport &here, const warp::Lp &lp);
    uint64_t waited_us;
};

/* All runways are closed for a while. */
struct Storm {
    Pool<max_runways> before;
    void forward(Airport &here, warp::Lp &lp);
    void backward(Airport &here, const warp::Lp &lp);
};

using AirportLp = warp::TypedLp<Airport, Approach, Landed, Ready, Storm>;

/* Flight time from one airport to another, minutes. */
double flight_time(tw_lpid from, tw_lpid to);

/* What all airports of this rank counted; complete when tw_run() has returned. */
const Totals &local_totals();

/* What is added to traces and samples; describes the bytes. */
st_model_types *observers();

} // namespace airport

#endif
