/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls of CUDA's driver by its own functions, which the preloaded library does not link.
 */
#ifndef WARPSCOPE_CUDA_PRELOAD_DRIVER_H
#define WARPSCOPE_CUDA_PRELOAD_DRIVER_H

#include "abi/abi.h"
#include "trace/calls.h"

/* Returns the driver's own function of that name. If there is none, prints a message and ends the
 * program. */
void *ws_driver_find(const char *name);
/* Like ws_driver_find(), but returns NULL if there is none. */
void *ws_driver_find_any(const char *name);

/* Calls a function of the driver, as in CU_CALL(cuCtxGetCurrent, (void **), (&context)). */
#define CU_CALL(name, types, arguments) (((int(*) types)(uintptr_t)ws_driver_find(#name))arguments)

/* Calls the driver's own function that a hook replaces, as in CU_REAL(cuModuleLoad)(module, path). The
 * file exports.map makes the linker export the hooks. */
#define CU_REAL(hook) ((__typeof__(&(hook)))(uintptr_t)ws_driver_find(#hook))

extern const struct ws_calls ws_driver_calls;

#endif
