/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * date.h - moments as text, in UTC.
 */
#ifndef WARPSCOPE_TEXT_DATE_H
#define WARPSCOPE_TEXT_DATE_H

#define DATE_MAX 32

/* Writes a moment, in seconds since 1970, as "2026-01-31T12:00:00Z"; writes "" if there is no such
 * date. */
void date_text(char out[DATE_MAX], double seconds);

#endif
