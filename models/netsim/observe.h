/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * observe.h - netsim's fields in the records of the instrumentation.
 */
#ifndef NETSIM_OBSERVE_H
#define NETSIM_OBSERVE_H

#include "ross.h"

/* Return the callbacks for routers and for hosts. They are static and read-only. */
st_model_types *ns_router_observers(void);
st_model_types *ns_host_observers(void);

/* Registers names, types and units of all fields. Must be called before tw_run(). Not
 * collective. */
void ns_observers_describe(void);

#endif
