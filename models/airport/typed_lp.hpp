/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * typed_lp.hpp - LPs of C++ classes: a type per event instead of a switch, and automatic undo of
 * random numbers.
 *
 * State is the class of an LP, constructed by State(tw_lp *) and destroyed after the run. Each
 * event type is a plain struct with two functions:
 *
 *     void forward(State &, Lp &);        // may draw and send
 *     void backward(State &, const Lp &); // undoes all of it except draws and sends
 *
 * forward() keeps the data for backward() in members of the event. backward() must restore these
 * members to the values that were sent.
 *
 *     using AirportLp = warp::TypedLp<Airport, Approach, Landed>;
 *     tw_lptype type = AirportLp::lp_type();
 *     AirportLp::send(lp, destination, offset, Approach{...});
 *
 * The message holds the number of the event's type, the number of draws made by forward() (counted
 * by the stream), and the event's bytes. The compiler unrolls the dispatch over the types. Cost:
 * that of a switch, and two copies of the event.
 */
#ifndef AIRPORT_TYPED_LP_HPP
#define AIRPORT_TYPED_LP_HPP

#include "ross.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <type_traits>

namespace warp
{

/* The functions of the current LP that a handler may use. */
class Lp
{
  public:
    explicit Lp(tw_lp *lp) : lp_(lp)
    {
    }
    tw_stime now() const
    {
        return tw_now(lp_);
    }
    tw_lpid gid() const
    {
        return lp_->gid;
    }
    tw_lp *get() const
    {
        return lp_;
    }
    double exponential(double mean)
    {
        return tw_rand_exponential(lp_->rng, mean);
    }
    tw_lpid below(tw_lpid n)
    {
        return tw_rand_ulong(lp_->rng, 0, n - 1);
    }

  private:
    tw_lp *lp_;
};

template <class State, class... Events> class TypedLp
{
    static_assert((std::is_trivially_copyable_v<Events> && ...),
                  "events travel between ranks as bytes");
    static_assert(std::is_trivially_copyable_v<State>,
                  "states are saved, compared and restored as bytes; with a std::vector in it, use "
                  "tw_lptype_state_io() and crv_add_custom_state_checkpoint()");

  public:
    struct Message {
        uint32_t kind;
        uint32_t draws; /* number of draws of forward() */
        alignas(8) unsigned char body[std::max({sizeof(Events)...})];
    };

    template <class Event> static void send(Lp &lp, tw_lpid to, tw_stime offset, const Event &event)
    {
        tw_event *sent = tw_event_new(to, offset, lp.get());
        Message message{};
        message.kind = kind_of<Event>();
        std::memcpy(message.body, &event, sizeof event);
        std::memcpy(tw_event_data(sent), &message, sizeof message);
        tw_event_send(sent);
    }

    /* Returns the number of an event type in messages. */
    template <class Event> static constexpr uint32_t kind_of()
    {
        static_assert((std::is_same_v<Event, Events> || ...), "one of this LP's events");
        uint32_t kind = 0;
        (void)((std::is_same_v<Event, Events> || (++kind, false)) || ...);
        return kind;
    }

    /* Calls f with a copy of the message's event, then puts the copy back. */
    template <class Function> static void visit(Message &message, Function &&f)
    {
        (void)((message.kind == kind_of<Events>() && (with<Events>(message, f), true)) || ...);
    }

    static tw_lptype lp_type()
    {
        tw_lptype type{};
        type.init = init;
        type.event = forward;
        type.revent = backward;
        type.final = final;
        type.state_sz = sizeof(State);
        return type;
    }

  private:
    template <class Event, class Function> static void with(Message &message, Function &f)
    {
        Event event;
        std::memcpy(&event, message.body, sizeof event);
        f(event);
        std::memcpy(message.body, &event, sizeof event);
    }

    static State &state_of(void *state)
    {
        return *std::launder(static_cast<State *>(state));
    }

    static void init(void *state, tw_lp *lp)
    {
        new (state) State(lp);
    }

    static void forward(void *state, tw_bf *, void *msg, tw_lp *lp)
    {
        Message &message = *static_cast<Message *>(msg);
        Lp here(lp);
        const unsigned long before = lp->rng->count;
        visit(message, [&](auto &event) { event.forward(state_of(state), here); });
        message.draws = static_cast<uint32_t>(lp->rng->count - before);
    }

    static void backward(void *state, tw_bf *, void *msg, tw_lp *lp)
    {
        Message &message = *static_cast<Message *>(msg);
        const Lp here(lp);
        for (; message.draws > 0; message.draws--) {
            tw_rand_reverse_unif(lp->rng);
        }
        visit(message, [&](auto &event) { event.backward(state_of(state), here); });
    }

    static void final(void *state, tw_lp *lp)
    {
        state_of(state).finish(lp);
        state_of(state).~State();
    }
};

} // namespace warp

#endif
