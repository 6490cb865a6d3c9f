/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Common to the functions of the driver interface.
 */
#ifndef WARPSCOPE_CUDA_DRIVER_H
#define WARPSCOPE_CUDA_DRIVER_H

#include "runtime/gpu.h"

/* The device of the current context, which the driver interface never makes current by itself. */
int driver_device(struct gpu_device **device);
/* The stream of a handle, in the current context. */
int driver_stream(void *handle, struct gpu_stream **stream);

#endif
