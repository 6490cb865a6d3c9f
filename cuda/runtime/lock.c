/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The lock and handles.
 */
#include "runtime/gpu.h"
#include <assert.h>
#include <stdlib.h>

void gpu_lock(void)
{
    pthread_mutex_lock(&gpu_state.lock);
}

void gpu_unlock(void)
{
    pthread_mutex_unlock(&gpu_state.lock);
}

bool gpu_handle_add(void *handle, enum gpu_handle kind)
{
    assert(handle != NULL);
    return gpu_map_set(&gpu_state.handles, (uint64_t)(uintptr_t)handle, (void *)(uintptr_t)kind);
}

void *gpu_handle_new(size_t bytes, enum gpu_handle kind)
{
    void *handle = calloc(1, bytes);
    if (handle && !gpu_handle_add(handle, kind)) {
        free(handle);
        return NULL;
    }
    return handle;
}

bool gpu_handle_is(const void *handle, enum gpu_handle kind)
{
    return (uintptr_t)gpu_map_get(&gpu_state.handles, (uint64_t)(uintptr_t)handle) == kind;
}

bool gpu_handle_known(const void *handle, enum gpu_handle kind)
{
    GPU_HOLD;
    return handle && gpu_handle_is(handle, kind);
}

void gpu_handle_remove(const void *handle)
{
    gpu_map_remove(&gpu_state.handles, (uint64_t)(uintptr_t)handle);
}
