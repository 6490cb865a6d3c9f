/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One tracer for all copies of this code in a process: a program and its shared libraries may each
 * contain a copy.
 *
 * The first copy that is loaded stores the address of its functions in an environment variable,
 * where later copies find the address. A program and a library that it loads with dlopen() share no
 * other memory that both could find.
 */
#ifndef WARPSCOPE_CUDA_SHARE_H
#define WARPSCOPE_CUDA_SHARE_H

#include "trace/tracer.h"

/* Environment variable that leads to the tracer. Its value is PID:VERSION:ADDRESS, where ADDRESS is
 * the hexadecimal address of the tracer's struct ws_tracer_functions. */
#define WS_TRACER_VARIABLE "WARPSCOPE_MEMTRACE_TRACER"
/* Version of struct ws_tracer_functions and of the structures that its functions use. */
enum { WS_TRACER_VERSION = 2 };

/* Functions of the tracer in this copy of the code. */
extern const struct ws_tracer_functions ws_tracer_own;

#endif
