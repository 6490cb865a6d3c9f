/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * typed_lp.hpp - LPs written as C++ classes. Each kind of event is a C++ type, so the model needs
 * no switch over kinds of events; draws of random numbers are undone automatically.
 *
 * State is the class of an LP's state, constructed by State(tw_lp *). After the run, the member
 * function finish() is called, then the destructor. Each event type is a plain struct with two
 * functions:
 *
 *     void forward(State &, Lp &);        // may draw and send
 *     void backward(State &, const Lp &); // undoes forward(), except draws and sends
 *
 * forward() stores the data for backward() in members of the event. backward() must restore these
 * members to the values with which the event was sent.
 *
 *     using AirportLp = warp::TypedLp<Airport, Approach, Landed>;
 *     tw_lptype type = AirportLp::lp_type();
 *     AirportLp::send(lp, destination, offset, Approach{...});
 *
 * A message holds the index of the event's type, the number of draws that forward() made (counted
 * by the random stream), and the event's bytes. A fold expression selects the type, so there is no
 * loop at run time.
 * Cost per event: comparisons of the index with those of the types, and two copies of the event.
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

/* Access to the current LP: the functions that a handler may call. */
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
        uint32_t draws; /* number of draws that forward() made */
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

    /* Returns the index of an event type among the template arguments. Message::kind holds such an
     * index. */
    template <class Event> static constexpr uint32_t kind_of()
    {
        static_assert((std::is_same_v<Event, Events> || ...), "one of this LP's events");
        uint32_t kind = 0;
        (void)((std::is_same_v<Event, Events> || (++kind, false)) || ...);
        return kind;
    }

    /* Copies the event out of the message, calls f with the copy, then stores the copy in the
     * message. */
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
