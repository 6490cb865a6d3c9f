/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Numbers and constant expressions of PTX (ISA, "Constants" and "Constant Expressions").
 */
#ifndef WARPSCOPE_CUDA_PTX_NUMBER_H
#define WARPSCOPE_CUDA_PTX_NUMBER_H

#include "ptx/lexer.h"

struct ptx_constant {
    uint64_t bits; /* an integer of 64 bits, or the pattern of an f64, or that of an f32 */
    bool real;
    bool single;      /* real: an f32, as 0f3F800000 is */
    bool is_unsigned; /* integers */
};

/* Reads the number that the lexer stands on, without a sign, and skips it. */
struct ptx_constant ptx_number(struct ptx_lexer *in);

/* Reads a constant expression. The last of its tokens is skipped. */
struct ptx_constant ptx_expression(struct ptx_lexer *in);

/* Reads what may stand between the signs of an address: products, but no sums. */
struct ptx_constant ptx_product(struct ptx_lexer *in);

/* Returns true if the token can only begin a constant expression. */
bool ptx_begins_expression(const struct ptx_lexer *in);

/* The value of a real number. */
double ptx_real(struct ptx_constant constant);

/* Reads an integer of at most max that stands in a directive. */
uint64_t ptx_integer(struct ptx_lexer *in, uint64_t max, const char *what);

#endif
