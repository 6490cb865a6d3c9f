/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * enable.h - ROSS_TRACE_ENABLE in the environment: switches the bus on or off.
 */
#ifndef WARPSCOPE_BUS_TABLES_ENABLE_H
#define WARPSCOPE_BUS_TABLES_ENABLE_H

#include <stdbool.h>

enum bus_switch { BUS_UNDECIDED, BUS_ON, BUS_OFF };

/* Parses the value of ROSS_TRACE_ENABLE (NULL: not set). 0, false, off and no switch the bus off;
 * 1, true, on, yes, an empty value and an unset variable leave the bus on. Returns BUS_UNDECIDED
 * for any other value. */
enum bus_switch enable_read(const char *value);

/* List of the valid words, for a warning. */
#define ENABLE_WORDS "0, false, off or no; or 1, true, on or yes"
/* Format string of the warning about an invalid value. */
#define ENABLE_COMPLAINT                                                                           \
    "warning: ROSS_TRACE_ENABLE=%.40s is not understood and changes nothing; give " ENABLE_WORDS   \
    "\n"

#endif
