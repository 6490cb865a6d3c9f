/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * st_flight.h - requests by models to save the flight recorder: st_flight_save() of st.h.
 *
 * A request is a record on a stream of the bus, to which a committed subscriber listens. The
 * request therefore waits for the commit of its event, and is withdrawn if the event is undone.
 */
#ifndef WARPSCOPE_ST_FLIGHT_H
#define WARPSCOPE_ST_FLIGHT_H

/* Makes requests possible if the run has a flight recorder. Called when the bus is set up. */
void st_flight_begin(void);

#endif
