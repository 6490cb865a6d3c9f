/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The lock, handles and messages.
 */
#include "runtime/gpu.h"
#include <assert.h>
#include <stdio.h>

void gpu_lock(void)
{
    pthread_mutex_lock(&gpu_state.lock);
}

void gpu_unlock(void)
{
    pthread_mutex_unlock(&gpu_state.lock);
}

void gpu_say(const char *words, ...)
{
    char line[INTERP_ERROR_MAX + 512];
    va_list arguments;
    va_start(arguments, words);
    vsnprintf(line, sizeof line, words, arguments);
    va_end(arguments);
    fprintf(stderr, "warpscope: %s\n", line);
}

bool gpu_handle_add(void *handle, enum gpu_handle kind)
{
    assert(handle != NULL);
    return gpu_map_set(&gpu_state.handles, (uint64_t)(uintptr_t)handle, (void *)(uintptr_t)kind);
}

bool gpu_handle_is(const void *handle, enum gpu_handle kind)
{
    return (uintptr_t)gpu_map_get(&gpu_state.handles, (uint64_t)(uintptr_t)handle) == kind;
}

bool gpu_handle_known(const void *handle, enum gpu_handle kind)
{
    gpu_lock();
    bool known = handle && gpu_handle_is(handle, kind);
    gpu_unlock();
    return known;
}

void gpu_handle_remove(const void *handle)
{
    gpu_map_remove(&gpu_state.handles, (uint64_t)(uintptr_t)handle);
}
