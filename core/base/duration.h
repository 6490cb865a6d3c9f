/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * duration.h - values of options with an optional unit: "600s" is wall-clock time in seconds; the
 * option defines the unit of a plain "9.5", such as virtual time.
 */
#ifndef WARPSCOPE_BASE_DURATION_H
#define WARPSCOPE_BASE_DURATION_H

#include <stdbool.h>

/* Parses a finite non-negative number with an optional suffix "s"; *in_seconds is true if the
 * suffix is present. Returns false for other text. */
bool duration_read(const char *text, double *value, bool *in_seconds);

#endif
