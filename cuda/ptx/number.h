/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Numbers and constant expressions of PTX (ISA, "Constants" and "Constant Expressions"). An error
 * ends ptx_parse() with an error message.
 */
#ifndef WARPSCOPE_CUDA_PTX_NUMBER_H
#define WARPSCOPE_CUDA_PTX_NUMBER_H

#include "ptx/lexer.h"

struct ptx_constant {
    uint64_t bits; /* a 64-bit integer, or the bit pattern of an f64 or f32 */
    bool real;
    bool single;      /* true for a real number in single precision, such as 0f3F800000 */
    bool is_unsigned; /* true for an unsigned integer */
};

/* Reads the number at the current token, without a sign, and skips it. */
struct ptx_constant ptx_number(struct ptx_lexer *in);

/* Reads a constant expression and skips its tokens. */
struct ptx_constant ptx_expression(struct ptx_lexer *in);

/* Reads one term of an address offset and skips its tokens. A term is a product such as 4 * 8, or a
 * single value; a + or - ends it. */
struct ptx_constant ptx_product(struct ptx_lexer *in);

/* Returns true if the current token begins a constant expression. */
bool ptx_begins_expression(const struct ptx_lexer *in);

/* Returns the value of an integer or real constant as a double. */
double ptx_real(struct ptx_constant constant);

/* Reads and skips an integer in a directive. An integer above max is an error. `what` names the
 * integer in the error message. */
uint64_t ptx_integer(struct ptx_lexer *in, uint64_t max, const char *what);

#endif
