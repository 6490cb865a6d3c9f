/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * observe.cpp - the fields that the model adds to the records of the instrumentation. Event records
 * contain the kind of the event and the plane; samples contain the counts of an airport.
 */
#include "airport.hpp"

namespace airport
{
namespace
{

struct PlaneRecord {
    uint64_t plane; /* identity of the plane; 0: the event is a storm */
    uint32_t kind;
    uint32_t flights;
};

struct AirportRecord {
    uint64_t landings;
    uint64_t takeoffs;
    uint64_t on_ground;
    double runway_wait; /* total waiting time for runways in seconds */
};

/* Names of the event types, in the order of the template arguments of AirportLp. */
const char *const event_kinds[] = {"approach", "landed", "ready", "storm", nullptr};

const st_field plane_fields[] = {
    {"plane", ST_U64, offsetof(PlaneRecord, plane), "", 1, ST_IDENTITY},
    {"kind", ST_U32, offsetof(PlaneRecord, kind), "", 1, ST_IDENTITY, event_kinds},
    {"flights", ST_U32, offsetof(PlaneRecord, flights), "", 1, ST_LEVEL},
    {nullptr, ST_U8, 0, nullptr, 0, ST_UNSTATED},
};

const st_field airport_fields[] = {
    {"landings", ST_U64, offsetof(AirportRecord, landings), "planes", 1, ST_COUNTER},
    {"takeoffs", ST_U64, offsetof(AirportRecord, takeoffs), "planes", 1, ST_COUNTER},
    {"on_ground", ST_U64, offsetof(AirportRecord, on_ground), "planes", 1, ST_LEVEL},
    {"runway_wait", ST_F64, offsetof(AirportRecord, runway_wait), "s", 1, ST_COUNTER},
    {nullptr, ST_U8, 0, nullptr, 0, ST_UNSTATED},
};

void event_trace(void *msg, tw_lp *, char *buffer, int *)
{
    auto &message = *static_cast<AirportLp::Message *>(msg);
    PlaneRecord record{0, message.kind, 0};
    AirportLp::visit(message, [&](const auto &event) {
        if constexpr (!std::is_same_v<std::decay_t<decltype(event)>, Storm>) {
            record.plane = event.plane.number;
            record.flights = event.plane.flights;
        }
    });
    std::memcpy(buffer, &record, sizeof record);
}

void airport_sample(void *state, tw_lp *, char *buffer)
{
    const auto &here = *static_cast<const Airport *>(state);
    const AirportRecord record{here.totals.landings, here.totals.takeoffs, here.on_ground,
                               static_cast<double>(here.totals.runway_wait_us) / 1e6};
    std::memcpy(buffer, &record, sizeof record);
}

st_model_types make_types()
{
    st_model_types types{};
    types.rbev_trace = event_trace;
    types.rbev_sz = sizeof(PlaneRecord);
    types.ev_trace = event_trace;
    types.ev_sz = sizeof(PlaneRecord);
    types.model_stat_fn = airport_sample;
    types.mstat_sz = sizeof(AirportRecord);
    return types;
}

} // namespace

st_model_types *observers()
{
    static st_model_types types = make_types();
    st_model_fields(&types, ST_PAYLOAD_RBEV, plane_fields);
    st_model_fields(&types, ST_PAYLOAD_EV, plane_fields);
    st_model_fields(&types, ST_PAYLOAD_MODEL, airport_fields);
    st_model_pure(&types);
    return &types;
}

} // namespace airport
