/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * enable.h - what ROSS_TRACE_ENABLE in the environment says: may anybody listen?
 */
#ifndef WARPSCOPE_BUS_TABLES_ENABLE_H
#define WARPSCOPE_BUS_TABLES_ENABLE_H

#include <stdbool.h>

enum bus_switch { BUS_UNDECIDED, BUS_ON, BUS_OFF };

/* By the value (NULL: not set); BUS_UNDECIDED: it is no word that is understood. In any case,
 * 0, false, off and no switch off; 1, true, on, yes and nothing let subscribers decide. */
enum bus_switch enable_read(const char *value);

/* What is understood, for a message. */
#define ENABLE_WORDS "0, false, off or no; or 1, true, on or yes"
/* The message, of the value. */
#define ENABLE_COMPLAINT                                                                           \
    "warning: ROSS_TRACE_ENABLE=%.40s is not understood and changes nothing; give " ENABLE_WORDS   \
    "\n"

#endif
