/*
 * observe.h - what netsim adds to the instrumentation's records.
 */
#ifndef NETSIM_OBSERVE_H
#define NETSIM_OBSERVE_H

#include "ross.h"

/* The callbacks for routers and for hosts; static, unchanged. */
st_model_types *ns_router_observers(void);
st_model_types *ns_host_observers(void);

/* Registers names, types and units of all fields. Before tw_run(). Not collective. */
void ns_observers_describe(void);

#endif
