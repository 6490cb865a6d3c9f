/* SPDX-License-Identifier: BSD-3-Clause */
/* probe_set.h - adds functions to probes or removes them, so that one list serves both. */
#ifndef WARPSCOPE_RECORD_BASE_PROBE_SET_H
#define WARPSCOPE_RECORD_BASE_PROBE_SET_H

#include "engine/probe.h"

/* Adds the function to the probe (PROBE_ADD()) if `on` is true; otherwise removes it. */
#define PROBE_SET(on, table, name, function, context)                                              \
    do {                                                                                           \
        if (on) {                                                                                  \
            PROBE_ADD(table, name, function, context);                                             \
        } else {                                                                                   \
            PROBE_REMOVE(table, name, function, context);                                          \
        }                                                                                          \
    } while (0)

#endif
