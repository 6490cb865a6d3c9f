/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * duration.h - reads times given as values of options. "600s" is wall-clock time in seconds. A
 * number without "s", such as "9.5", has a unit that the option defines, such as virtual time.
 */
#ifndef WARPSCOPE_BASE_DURATION_H
#define WARPSCOPE_BASE_DURATION_H

#include <stdbool.h>

/* Reads text as a finite non-negative number with an optional suffix "s". Sets *value to the
 * number, and *in_seconds to true if the suffix is present. Returns false if text does not have
 * this form. */
bool duration_read(const char *text, double *value, bool *in_seconds);

#endif
