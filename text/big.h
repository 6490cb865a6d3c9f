/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * big.h - integers with which decimal.c scales and divides any double exactly.
 */
#ifndef WARPSCOPE_TEXT_BIG_H
#define WARPSCOPE_TEXT_BIG_H

#include <stdbool.h>
#include <stdint.h>

#define BIG_WORDS 38 /* number of words; all integers of decimal.c are less than 2^1216 */

/* A non-negative integer, least significant word first. */
struct big {
    uint32_t words[BIG_WORDS];
};

/* Returns m * 2^twos * 10^tens. A negative exponent counts as zero. */
struct big big_of(uint64_t m, int twos, int tens);
void big_multiply(struct big *a, uint32_t by);
/* Adds b to a. If subtract is true, subtracts b from a instead; b must then be at most a. */
void big_add(struct big *a, const struct big *b, bool subtract);
/* Divides a by b; the quotient must be less than 2^32. Returns the quotient, and sets a to the
 * remainder. */
uint32_t big_divide(struct big *a, const struct big *b);
/* Returns a negative number if a is less than b, 0 if both are equal, and a positive number if a is
 * greater. */
int big_compare(const struct big *a, const struct big *b);

#endif
