/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * big.h - integers that are large enough to divide any double exactly, for decimal.c.
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

/* Returns m * 2^twos * 10^tens. Negative exponents count as zero. */
struct big big_of(uint64_t m, int twos, int tens);
void big_multiply(struct big *a, uint32_t by);
/* Adds b to a. If subtract is true, subtracts b from a; b must then not be greater than a. */
void big_add(struct big *a, const struct big *b, bool subtract);
/* Divides a by b; a / b must be less than 2^32. Returns the quotient and leaves the remainder in
 * a. */
uint32_t big_divide(struct big *a, const struct big *b);
/* Returns a negative number, 0 or a positive number if a is less than, equal to or more than b. */
int big_compare(const struct big *a, const struct big *b);

#endif
