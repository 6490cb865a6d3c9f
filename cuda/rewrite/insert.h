/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The texts that the rewriter inserts into functions. None has a line end.
 */
#ifndef WARPSCOPE_CUDA_REWRITE_INSERT_H
#define WARPSCOPE_CUDA_REWRITE_INSERT_H

#include "ptx/ptx.h"
#include "rewrite/access.h"
#include "rewrite/buffer.h"
#include "rewrite/plan.h"
#include <stdbool.h>

/* The number after .version in the source; the line is not set. */
struct ptx_range insert_find_version(const struct ptx_module *module);

/* The hidden parameter: at the end of a kernel's list (listed), or as a list of its own after the name. */
void insert_parameter(struct buffer *buffer, const struct ptx_function *kernel, bool listed);

/* At the begin of a body: declares registers, and finds the slot's address. */
void insert_prologue(struct buffer *buffer, const struct ptx_function *function,
                     const struct plan_function *plan);

/* Before an access: records it. */
void insert_record(struct buffer *buffer, const struct ptx_instruction *instruction,
                   const struct access *access);

#endif
