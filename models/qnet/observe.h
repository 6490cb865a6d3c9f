/*
 * observe.h - what qnet adds to the instrumentation's records.
 */
#ifndef QNET_OBSERVE_H
#define QNET_OBSERVE_H

#include "ross.h"

/* The callbacks for stations and for the outside; static, unchanged. */
st_model_types *qn_station_observers(void);
st_model_types *qn_outside_observers(void);

/* Registers names, types and units of all fields. Before tw_run(). Not collective. */
void qn_observers_describe(void);

#endif
