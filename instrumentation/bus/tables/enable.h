/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * enable.h - ROSS_TRACE_ENABLE in the environment: switches the bus on or off.
 */
#ifndef WARPSCOPE_BUS_TABLES_ENABLE_H
#define WARPSCOPE_BUS_TABLES_ENABLE_H

#include <stdbool.h>

enum bus_switch { BUS_UNDECIDED, BUS_ON, BUS_OFF };

/* Parses the value (NULL: not set). 0, false, off and no switch the bus off; 1, true, on, yes and
 * an unset variable let subscriptions decide. Returns BUS_UNDECIDED for any other value. */
enum bus_switch enable_read(const char *value);

/* The valid words, for a message. */
#define ENABLE_WORDS "0, false, off or no; or 1, true, on or yes"
/* The message about an invalid value. */
#define ENABLE_COMPLAINT                                                                           \
    "warning: ROSS_TRACE_ENABLE=%.40s is not understood and changes nothing; give " ENABLE_WORDS   \
    "\n"

#endif
