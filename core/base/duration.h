/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * duration.h - times in options: "600s" means seconds of wall-clock time, "9.5" may be virtual
 * time.
 */
#ifndef WARPSCOPE_BASE_DURATION_H
#define WARPSCOPE_BASE_DURATION_H

#include <stdbool.h>

/* Parses a finite non-negative number with an optional suffix "s"; in_seconds is true with it.
 * Returns false for other text. */
bool duration_read(const char *text, double *value, bool *in_seconds);

#endif
