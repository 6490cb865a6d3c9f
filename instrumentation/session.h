/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * session.h - the end of the instrumentation, and its part that calls the bus at set-up.
 */
#ifndef WARPSCOPE_SESSION_H
#define WARPSCOPE_SESSION_H

/* Frees the recorder, the tasks and the bus, and sets all options and the globals of st.h to their
 * defaults. Another simulation can start after this call. Defined in st_extension.c. */
void session_reset(void);

/* Makes requests by st_flight_save() possible if the run has a flight recorder. Called when the bus is
 * set up. A request is a record on a stream of the bus, to which a committed subscriber listens. It
 * therefore waits for the commit of its event, and is withdrawn if the event is undone. Defined in
 * st_flight.c. */
void st_flight_begin(void);

#endif
