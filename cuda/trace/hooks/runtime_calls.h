/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The table of calls that tracing needs, made of functions of CUDA's runtime.
 */
#ifndef WARPSCOPE_CUDA_HOOKS_RUNTIME_CALLS_H
#define WARPSCOPE_CUDA_HOOKS_RUNTIME_CALLS_H

#include "trace/calls.h"

extern const struct ws_calls ws_runtime_calls;

#endif
