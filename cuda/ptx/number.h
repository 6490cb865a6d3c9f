/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Numbers and constant expressions of PTX (ISA, "Constants" and "Constant Expressions"). Errors end
 * ptx_parse() with a message.
 */
#ifndef WARPSCOPE_CUDA_PTX_NUMBER_H
#define WARPSCOPE_CUDA_PTX_NUMBER_H

#include "ptx/lexer.h"

struct ptx_constant {
    uint64_t bits; /* an integer of 64 bits, or the bit pattern of an f64 or f32 */
    bool real;
    bool single;      /* true for a real number that is an f32, such as 0f3F800000 */
    bool is_unsigned; /* true for an unsigned integer */
};

/* Reads the number at the current token, without a sign, and skips it. */
struct ptx_constant ptx_number(struct ptx_lexer *in);

/* Reads a constant expression and skips its tokens. */
struct ptx_constant ptx_expression(struct ptx_lexer *in);

/* Reads a part of an address that may stand between + and -: a product, but no sum. */
struct ptx_constant ptx_product(struct ptx_lexer *in);

/* Returns true if the current token can only begin a constant expression. */
bool ptx_begins_expression(const struct ptx_lexer *in);

/* Returns the value of a real number. */
double ptx_real(struct ptx_constant constant);

/* Reads an integer of at most max in a directive. `what` describes it in the message. */
uint64_t ptx_integer(struct ptx_lexer *in, uint64_t max, const char *what);

#endif
