/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * observe.h - the fields that netsim adds to the records of the instrumentation.
 */
#ifndef NETSIM_OBSERVE_H
#define NETSIM_OBSERVE_H

#include "ross.h"

/* Returns the callbacks for routers: a static table that must not be changed or freed. */
st_model_types *ns_router_observers(void);
/* Returns the callbacks for hosts: a static table that must not be changed or freed. */
st_model_types *ns_host_observers(void);

/* Registers names, types and units of all fields. Must be called before tw_run(). Not
 * collective. */
void ns_observers_describe(void);

#endif
