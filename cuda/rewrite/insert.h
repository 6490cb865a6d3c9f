/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Texts that the rewriter inserts into functions. No text contains a line feed. The functions
 * append a text to out, which already contains the source up to the place of the text.
 */
#ifndef WARPSCOPE_CUDA_REWRITE_INSERT_H
#define WARPSCOPE_CUDA_REWRITE_INSERT_H

#include "ptx/ptx.h"
#include "rewrite/access.h"
#include "rewrite/plan.h"
#include <stdbool.h>
#include <stdio.h>

/* Inserts the hidden parameter. listed: true if the kernel has a list of parameters, at whose end
 * the hidden one is inserted; otherwise, a list is inserted after the kernel's name. */
void insert_parameter(FILE *out, const struct ptx_function *kernel, bool listed);

/* Inserts code at the beginning of a function's body. The code declares registers and sets the
 * address of the slot. */
void insert_prologue(FILE *out, const struct ptx_function *function,
                     const struct plan_function *plan);

/* A traced access and its instruction. */
struct insert_access {
    const struct ptx_instruction *instruction;
    struct access access;
};
/* Returns the word of an access, with its maximum size (device.h). */
uint32_t insert_word(const struct access *access);
/* Inserts code that records n accesses, 1 to DEVICE_GROUP, by one call; several have codes, and a constant size. Registers of the program that
 * their addresses, sizes and predicates name must have the values that the accesses use. */
void insert_records(FILE *out, const struct insert_access *records, size_t n);

#endif
