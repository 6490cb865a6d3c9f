/* SPDX-License-Identifier: BSD-3-Clause */
/* date.c - see date.h. */
#define _POSIX_C_SOURCE 200809L /* required for gmtime_r(), clock_gettime() */
#include "text/date.h"

#include <time.h>

#define SECONDS_MAX 1e11 /* about three thousand years, in seconds */

void date_text(char out[DATE_MAX], double seconds)
{
    struct tm utc;
    out[0] = '\0';
    if (seconds >= 0.0 && seconds < SECONDS_MAX &&
        gmtime_r(&(time_t){(time_t)seconds}, &utc) != NULL &&
        strftime(out, DATE_MAX, "%Y-%m-%dT%H:%M:%SZ", &utc) == 0) {
        out[0] = '\0';
    }
}

double date_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}
