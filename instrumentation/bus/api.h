/*
 * api.h - the table of functions that subscriber libraries get.
 */
#ifndef WARPSCOPE_BUS_API_H
#define WARPSCOPE_BUS_API_H

#include "st_bus.h"

extern const st_api bus_api;

#endif
