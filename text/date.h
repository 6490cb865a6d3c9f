/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * date.h - date and time as text, in UTC; a clock.
 */
#ifndef WARPSCOPE_TEXT_DATE_H
#define WARPSCOPE_TEXT_DATE_H

#define DATE_MAX 32

/* Writes a time, given in seconds since 1970, to out in the form "2026-01-31T12:00:00Z". Writes ""
 * if the time is before 1970 or too large. */
void date_text(char out[DATE_MAX], double seconds);
/* Returns the time of a monotonic clock in seconds. */
double date_clock(void);

#endif
