/* SPDX-License-Identifier: BSD-3-Clause */
/* big.c - see big.h. The basic operations process all BIG_WORDS words of the integers. */
#include "text/big.h"

#include <assert.h>

__extension__ typedef unsigned __int128 u128;

void big_multiply(struct big *a, uint32_t by)
{
    uint64_t carry = 0;
    for (int i = 0; i < BIG_WORDS; i++) {
        carry += (uint64_t)a->words[i] * by;
        a->words[i] = (uint32_t)carry;
        carry >>= 32;
    }
    assert(carry == 0);
}

struct big big_of(uint64_t m, int twos, int tens)
{
    struct big a = {{(uint32_t)m, (uint32_t)(m >> 32)}};
    for (; tens >= 9; tens -= 9) {
        big_multiply(&a, 1000000000);
    }
    for (; tens > 0; tens--) {
        big_multiply(&a, 10);
    }
    for (; twos > 0; twos -= 31) {
        big_multiply(&a, (uint32_t)1 << (twos < 31 ? twos : 31));
    }
    return a;
}

int big_compare(const struct big *a, const struct big *b)
{
    int i = BIG_WORDS - 1;
    while (i > 0 && a->words[i] == b->words[i]) {
        i--;
    }
    return (a->words[i] > b->words[i]) - (a->words[i] < b->words[i]);
}

void big_add(struct big *a, const struct big *b, bool subtract)
{
    int64_t carry = 0;
    for (int i = 0; i < BIG_WORDS; i++) {
        carry += (int64_t)a->words[i] + (subtract ? -(int64_t)b->words[i] : (int64_t)b->words[i]);
        a->words[i] = (uint32_t)carry;
        carry >>= 32;
    }
    assert(carry == 0);
}

uint32_t big_divide(struct big *a, const struct big *b)
{
    int top = BIG_WORDS - 2;
    while (top > 1 && b->words[top] == 0) {
        top--;
    }
    /* The quotient of the leading words of both integers is at most a few units too small. */
    uint64_t divisor = (uint64_t)b->words[top] << 32 | b->words[top - 1];
    u128 dividend = (u128)a->words[top + 1] << 64 | (uint64_t)a->words[top] << 32;
    uint32_t quotient = (uint32_t)((dividend | a->words[top - 1]) / ((u128)divisor + (top > 1)));
    uint64_t carry = 0;
    for (int i = 0; i < BIG_WORDS; i++) {
        carry += (uint64_t)quotient * b->words[i];
        uint32_t low = (uint32_t)carry;
        carry = (carry >> 32) + (a->words[i] < low);
        a->words[i] -= low;
    }
    for (; big_compare(a, b) >= 0; quotient++) {
        big_add(a, b, true);
    }
    return quotient;
}
