/*
 * duration.h - times in options: "600s" is seconds of wall clock, "9.5" may be virtual time.
 */
#ifndef WARPSCOPE_BASE_DURATION_H
#define WARPSCOPE_BASE_DURATION_H

#include <stdbool.h>

/* A finite number that is not negative, and whether an s stands behind it; false if text is
 * neither. */
bool duration_read(const char *text, double *value, bool *in_seconds);

#endif
