/* SPDX-License-Identifier: BSD-3-Clause
 *
 * CUDA's runtime as the table of calls that tracing needs.
 */
#ifndef WARPSCOPE_CUDA_HOOKS_RUNTIME_CALLS_H
#define WARPSCOPE_CUDA_HOOKS_RUNTIME_CALLS_H

#include "trace/calls.h"

extern const struct ws_calls ws_runtime_calls;

#endif
