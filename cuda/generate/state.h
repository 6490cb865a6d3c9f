/* SPDX-License-Identifier: BSD-3-Clause
 *
 * State of the generator of one module.
 */
#ifndef WARPSCOPE_CUDA_GENERATE_STATE_H
#define WARPSCOPE_CUDA_GENERATE_STATE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum {
    GENERATE_WORDS = 16,  /* registers %r of 32 bits */
    GENERATE_DOUBLES = 8, /* registers %d of 64 bits */
    GENERATE_PREDICATES = 6,
    GENERATE_LOOPS = 40,   /* loop counters %c */
    GENERATE_ADDRESSES = 6 /* registers %a and %ad for addresses */
};

struct generate_state {
    uint64_t random;
    FILE *out;
    unsigned labels;    /* labels used so far */
    unsigned loops;     /* loops of the function so far */
    unsigned callees;   /* number of functions f0, f1 ... that may be called */
    unsigned nesting;   /* nesting of loops */
    bool top;           /* true if all threads of the CTA execute the current statement */
    bool kernel;        /* true in the kernel, false in a device function */
    unsigned addresses; /* number of the address register that was used last */
};

/* Returns a random number below n. */
unsigned generate_pick(struct generate_state *g, unsigned n);
/* Returns a random one of n words. */
const char *generate_word(struct generate_state *g, const char *const *words, unsigned n);
/* Writes a random guard: "@%p3 ", "@!%p3 " or nothing. */
void generate_guard(struct generate_state *g);
/* Writes a random memory access, and the computation of its address. */
void generate_access(struct generate_state *g);
/* Writes random statements with their branches; budget: number of statements. */
void generate_statements(struct generate_state *g, unsigned budget);

#endif
