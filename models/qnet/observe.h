/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * observe.h - the fields that qnet adds to the records of the instrumentation.
 */
#ifndef QNET_OBSERVE_H
#define QNET_OBSERVE_H

#include "ross.h"

/* Returns the callbacks for stations: a static table that must not be changed or freed. */
st_model_types *qn_station_observers(void);
/* Returns the callbacks for the outside: a static table that must not be changed or freed. */
st_model_types *qn_outside_observers(void);

/* Registers names, types and units of all fields. Must be called before tw_run(). Not
 * collective. */
void qn_observers_describe(void);

#endif
