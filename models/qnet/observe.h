/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * observe.h - the fields that qnet adds to the records of the instrumentation.
 */
#ifndef QNET_OBSERVE_H
#define QNET_OBSERVE_H

#include "ross.h"

/* Returns the callbacks for stations, which are static and constant. */
st_model_types *qn_station_observers(void);
/* Returns the callbacks for the outside, which are static and constant. */
st_model_types *qn_outside_observers(void);

/* Registers names, types and units of all fields. Must be called before tw_run(). Not
 * collective. */
void qn_observers_describe(void);

#endif
