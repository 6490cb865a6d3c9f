/* SPDX-License-Identifier: BSD-3-Clause
 *
 * State of the generator of one module.
 */
#ifndef WARPSCOPE_TESTS_GENERATE_STATE_H
#define WARPSCOPE_TESTS_GENERATE_STATE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum {
    GENERATE_WORDS = 16,  /* number of 32-bit registers, %r0 and so on */
    GENERATE_DOUBLES = 8, /* number of 64-bit registers, %d0 and so on */
    GENERATE_PREDICATES = 6,
    /* maximum number of loops in a function; each loop has a counter, %c0 and so on */
    GENERATE_LOOPS = 40,
    GENERATE_ADDRESSES = 6 /* number of registers for addresses, %a0 and %ad0 and so on */
};

struct generate_state {
    uint64_t random;
    FILE *out;
    unsigned labels;    /* number of labels written so far */
    unsigned loops;     /* number of loops written in the current function so far */
    unsigned callees;   /* number of functions f0, f1 ... that may be called */
    unsigned nesting;   /* current nesting depth of loops */
    bool top;           /* true if all threads of the CTA execute the current statement */
    bool kernel;        /* true in the kernel, false in a device function */
    bool copies;        /* true if cp.async may be used, which needs sm_80 and PTX 7.0 */
    unsigned addresses; /* index of the address register that was used last */
};

/* Returns a random number below n. */
unsigned generate_pick(struct generate_state *g, unsigned n);
/* Returns one of n words, chosen at random. */
const char *generate_word(struct generate_state *g, const char *const *words, unsigned n);
#define PICK(g, words) generate_word(g, words, sizeof(words) / sizeof *(words))
/* Writes a random guard: "@%p3 ", "@!%p3 " or nothing. */
void generate_guard(struct generate_state *g);
/* Writes a random memory access, and before it the computation of its address. */
void generate_access(struct generate_state *g);
/* Writes random statements, including those nested in branches. budget: number of all these
 * statements. */
void generate_statements(struct generate_state *g, unsigned budget);

#endif
