/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Texts that the rewriter inserts into functions. No text contains a line feed. The functions
 * append a text to buffer, which already contains the source up to the place of the text.
 */
#ifndef WARPSCOPE_CUDA_REWRITE_INSERT_H
#define WARPSCOPE_CUDA_REWRITE_INSERT_H

#include "ptx/ptx.h"
#include "rewrite/access.h"
#include "rewrite/buffer.h"
#include "rewrite/plan.h"
#include <stdbool.h>

/* Returns the range of the version number after .version in the source. The range's line is not
 * set. */
struct ptx_range insert_find_version(const struct ptx_module *module);

/* Inserts the hidden parameter: at the end of the list of parameters if the kernel has one
 * (listed), else as a list after the name of the kernel. */
void insert_parameter(struct buffer *buffer, const struct ptx_function *kernel, bool listed);

/* Inserts code at the beginning of a function's body. The code declares registers and sets the
 * address of the slot. */
void insert_prologue(struct buffer *buffer, const struct ptx_function *function,
                     const struct plan_function *plan);

/* Inserts code before the instruction of an access. The code records the access. */
void insert_record(struct buffer *buffer, const struct ptx_instruction *instruction,
                   const struct access *access);

#endif
