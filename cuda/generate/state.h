/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The state of the generator of one module.
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
    GENERATE_LOOPS = 40,   /* counters %c */
    GENERATE_ADDRESSES = 6 /* registers %a and %ad */
};

struct generate_state {
    uint64_t random;
    FILE *out;
    unsigned labels;    /* used so far */
    unsigned loops;     /* of the function */
    unsigned callees;   /* functions f0, f1 ... that may be called */
    unsigned nesting;   /* of loops */
    bool top;           /* all threads of the CTA are here */
    bool kernel;        /* not a device function */
    unsigned addresses; /* the last address register that was used */
};

/* A number below n. */
unsigned generate_pick(struct generate_state *g, unsigned n);
/* One of several words. */
const char *generate_word(struct generate_state *g, const char *const *words, unsigned n);
/* Writes "@%p3 ", "@!%p3 " or nothing. */
void generate_guard(struct generate_state *g);
/* Writes one access to memory, with the computation of its address. */
void generate_access(struct generate_state *g);
/* Writes statements with their branches; budget counts statements. */
void generate_statements(struct generate_state *g, unsigned budget);

#endif
