/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Functions of the runtime interface that the driver interface has as well (both.h), and others
 * about streams, events and kernels.
 */
#include "runtime/api.h"
#include <assert.h>
#include <stdio.h>

#define NAME(function)         cuda##function
#define NAME_V2(function)      cuda##function
#define CONTEXT(function)      cudaDevice##function
#define CURRENT(device)        gpu_current(device)
#define READY(device)          gpu_device_ready(device)
#define STREAM(handle, stream) gpu_stream_of(handle, stream)
#define END(code)              done(code)
#define NO_KERNEL              GPU_INVALID_FUNCTION
#include "runtime/both.h"

int cudaStreamCreate(void **handle)
{
    return cudaStreamCreateWithPriority(handle, 0, 0);
}

int cudaStreamCreateWithFlags(void **handle, unsigned flags)
{
    return cudaStreamCreateWithPriority(handle, flags, 0);
}

int cudaEventCreateWithFlags(void **handle, unsigned flags)
{
    return event_create(handle, flags);
}

int cudaEventCreate(void **handle)
{
    return event_create(handle, 0);
}

int cudaDeviceGetP2PAttribute(int *value, int attribute, int from, int to)
{
    (void)attribute;
    return cudaDeviceCanAccessPeer(value, from, to);
}
