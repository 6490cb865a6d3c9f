/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * observe.h - qnet's fields in the records of the instrumentation.
 */
#ifndef QNET_OBSERVE_H
#define QNET_OBSERVE_H

#include "ross.h"

/* Return the callbacks for stations and for the outside. They are static and read-only. */
st_model_types *qn_station_observers(void);
st_model_types *qn_outside_observers(void);

/* Registers names, types and units of all fields. Must be called before tw_run(). Not
 * collective. */
void qn_observers_describe(void);

#endif
