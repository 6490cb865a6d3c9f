/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Functions that are called by code that nvcc adds to programs: registration of device code, and
 * configurations of launches. Their results are no error codes, so that they are not in the table.
 */
#include "runtime/api.h"
#include "runtime/fatbin.h"
#include <assert.h>
#include <stdlib.h>

/* Begins the registration of a module. Returns the module's address as its handle. */
void **__cudaRegisterFatBinary(void *fatbin)
{
    const struct fatbin_wrapper *wrapper = fatbin;
    struct gpu_module *m = gpu_module_new();
    if (!m) {
        gpu_say("no memory for the program's device code");
        abort();
    }
    if (wrapper->magic != FATBIN_WRAPPER_MAGIC) {
        m->code = GPU_INVALID_IMAGE;
        strcpy(m->why, "the program registers a fat binary of an unknown form");
    } else {
        gpu_module_add(m, fatbin, FATBIN_SIZE_UNKNOWN);
    }
    return (void **)m;
}

void __cudaRegisterFatBinaryEnd(void **handle)
{
}

void __cudaUnregisterFatBinary(void **handle)
{
    gpu_module_forget((struct gpu_module *)handle);
}

char __cudaInitModule(void **handle)
{
    struct gpu_device *device;
    return gpu_current(&device) == GPU_OK &&
           gpu_module_load((struct gpu_module *)handle, device) == GPU_OK;
}

void __cudaRegisterFunction(void **handle, const char *host, char *device_function,
                            const char *name, int thread_limit, void *tid, void *bid, void *block,
                            void *grid, int *warp)
{
    if (!gpu_kernel_add((struct gpu_module *)handle, host, name)) {
        gpu_say("no memory for the kernel %s", name);
    }
}

void __cudaRegisterVar(void **handle, char *host, char *device_address, const char *name,
                       int external, size_t size, int constant, int global)
{
    if (!gpu_variable_add((struct gpu_module *)handle, host, NULL, name)) {
        gpu_say("no memory for the variable %s", name);
    }
}

void __cudaRegisterManagedVar(void **handle, void **host, char *device_address, const char *name,
                              int external, size_t size, int constant, int global)
{
    if (!gpu_variable_add((struct gpu_module *)handle, host, host, name)) {
        gpu_say("no memory for the variable %s", name);
    }
}

void __cudaRegisterHostVar(void **handle, const char *name, char *host, size_t size)
{
}

/* ---- Launches by <<<>>> ---------------------------------------------------------------------------- */

struct configuration {
    struct gpu_dim3 grid, block;
    size_t shared;
    void *stream;
};

/* Maximum nesting depth of launches whose arguments launch other kernels. */
enum { CONFIGURATIONS_MAX = 32 };

static _Thread_local struct configuration configurations[CONFIGURATIONS_MAX];
static _Thread_local unsigned configuration_count;

unsigned __cudaPushCallConfiguration(struct gpu_dim3 grid, struct gpu_dim3 block, size_t shared,
                                     void *stream)
{
    assert(configuration_count <= CONFIGURATIONS_MAX);
    if (configuration_count == CONFIGURATIONS_MAX) {
        return GPU_INVALID_CONFIGURATION;
    }
    configurations[configuration_count++] = (struct configuration){grid, block, shared, stream};
    return 0;
}

static int pop_configuration(struct gpu_dim3 *grid, struct gpu_dim3 *block, size_t *shared,
                             void **stream)
{
    const struct configuration *top = &configurations[--configuration_count];
    *grid = top->grid;
    *block = top->block;
    *shared = top->shared;
    return SET(*stream, top->stream);
}

RUNTIME(__cudaPopCallConfiguration,
        (struct gpu_dim3 * grid, struct gpu_dim3 *block, size_t *shared, void **stream),
        CHECK(configuration_count > 0, GPU_MISSING_CONFIGURATION)
            ?: pop_configuration(grid, block, shared, stream))
