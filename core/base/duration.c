/* SPDX-License-Identifier: BSD-3-Clause */
/* duration.c - see duration.h. */
#include "base/duration.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

bool duration_read(const char *text, double *value, bool *in_seconds)
{
    char *end;
    *value = strtod(text, &end);
    *in_seconds = end != text && strcmp(end, "s") == 0;
    return end != text && (*end == '\0' || *in_seconds) && *value >= 0.0 && *value <= DBL_MAX;
}
