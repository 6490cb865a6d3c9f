/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Limits that prevent tracing of kernels and functions.
 */
#ifndef WARPSCOPE_CUDA_REWRITE_LIMITS_H
#define WARPSCOPE_CUDA_REWRITE_LIMITS_H

#include "ptx/ptx.h"
#include "rewrite/plan.h"
#include <stdbool.h>

/* Returns the reason why the kernel cannot have another parameter, or NULL. */
const char *limits_of_parameters(const struct ptx_module *module,
                                 const struct ptx_function *kernel);

/* Sets `reason` in the plan of each kernel whose address the module takes: other kernels may launch
 * it without the hidden parameter. Returns false if memory is exhausted. */
bool limits_find_launched(struct plan *plan, const struct ptx_module *module);

/* Returns false if a kernel that calls functions has too little static shared memory left for the
 * address of the slot. */
bool limits_have_shared(const struct ptx_module *module, const struct plan *plan);

#endif
