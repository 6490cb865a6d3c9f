/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Common code of the functions of the driver interface.
 */
#ifndef WARPSCOPE_CUDA_DRIVER_H
#define WARPSCOPE_CUDA_DRIVER_H

#include "runtime/gpu.h"

/* Gets the device of the current context. Returns an error if no context is current: unlike the
 * runtime interface, the driver interface never makes one current by itself. */
int driver_device(struct gpu_device **device);
/* Gets the stream of a handle, in the current context. */
int driver_stream(void *handle, struct gpu_stream **stream);

#endif
