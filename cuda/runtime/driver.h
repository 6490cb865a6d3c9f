/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Common code of the functions of the driver interface.
 */
#ifndef WARPSCOPE_CUDA_DRIVER_H
#define WARPSCOPE_CUDA_DRIVER_H

#include "runtime/gpu.h"

/* Sets *device to the device of the current context. Returns an error if no context is current:
 * unlike the runtime interface, the driver interface never makes one current by itself. */
int driver_device(struct gpu_device **device);
/* Sets *stream to the stream that a handle refers to in the current context. */
int driver_stream(void *handle, struct gpu_stream **stream);

#endif
