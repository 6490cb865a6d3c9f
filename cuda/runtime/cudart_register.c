/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Functions that are called by code that nvcc adds to programs: registration of device code, and
 * launches.
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
    (void)handle;
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
    (void)device_function, (void)thread_limit, (void)tid, (void)bid, (void)block, (void)grid,
        (void)warp;
    if (!gpu_kernel_add((struct gpu_module *)handle, host, name)) {
        gpu_say("no memory for the kernel %s", name);
    }
}

void __cudaRegisterVar(void **handle, char *host, char *device_address, const char *name,
                       int external, size_t size, int constant, int global)
{
    (void)device_address, (void)external, (void)size, (void)constant, (void)global;
    if (!gpu_variable_add((struct gpu_module *)handle, host, NULL, name)) {
        gpu_say("no memory for the variable %s", name);
    }
}

void __cudaRegisterManagedVar(void **handle, void **host, char *device_address, const char *name,
                              int external, size_t size, int constant, int global)
{
    (void)device_address, (void)external, (void)size, (void)constant, (void)global;
    if (!gpu_variable_add((struct gpu_module *)handle, host, host, name)) {
        gpu_say("no memory for the variable %s", name);
    }
}

void __cudaRegisterHostVar(void **handle, const char *name, char *host, size_t size)
{
    (void)handle, (void)name, (void)host, (void)size;
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
        return (unsigned)done(GPU_INVALID_CONFIGURATION);
    }
    configurations[configuration_count++] = (struct configuration){grid, block, shared, stream};
    return 0;
}

int __cudaPopCallConfiguration(struct gpu_dim3 *grid, struct gpu_dim3 *block, size_t *shared,
                               void *stream)
{
    if (configuration_count == 0) {
        return done(GPU_MISSING_CONFIGURATION);
    }
    const struct configuration *c = &configurations[--configuration_count];
    *grid = c->grid;
    *block = c->block;
    *shared = c->shared;
    *(void **)stream = c->stream;
    return GPU_OK;
}

static int launch(const void *symbol, struct gpu_launch *l, void **arguments, void *handle)
{
    struct gpu_stream *stream;
    void *none = NULL;
    struct gpu_kernel *kernel = gpu_kernel_of(symbol);
    int code = kernel ? gpu_stream_of(handle, &stream) : GPU_INVALID_FUNCTION;
    l->parameters = arguments ? arguments : &none;
    return done(code ? code : gpu_launch(kernel, stream, l));
}

#define LAUNCH(name, is_cooperative)                                                               \
    PER_THREAD(name, _ptsz,                                                                        \
               (const void *function, struct gpu_dim3 grid, struct gpu_dim3 block,                 \
                void **arguments, size_t shared, void *stream),                                    \
               (function, grid, block, arguments, shared, stream))                                 \
    {                                                                                              \
        struct gpu_launch l = {                                                                    \
            .grid = grid, .block = block, .shared = shared, .cooperative = is_cooperative};        \
        return launch(function, &l, arguments, stream);                                            \
    }

LAUNCH(cudaLaunchKernel, false)
LAUNCH(__cudaLaunchKernel, false)
LAUNCH(cudaLaunchCooperativeKernel, true)

PER_THREAD(cudaLaunchKernelExC, _ptsz,
           (const struct runtime_launch *c, const void *function, void **arguments),
           (c, function, arguments))
{
    if (!c) {
        return done(GPU_INVALID_VALUE);
    }
    struct gpu_launch l = {.grid = c->grid, .block = c->block, .shared = c->shared};
    gpu_launch_attributes(c->attributes, c->attribute_count, &l);
    return launch(function, &l, arguments, c->stream);
}

/* ---- Facts about kernels ------------------------------------------------------------------------------- */

int cudaGetKernel(void **kernel, const void *function)
{
    *kernel = gpu_kernel_of(function);
    return done(*kernel ? GPU_OK : GPU_INVALID_FUNCTION);
}

ALIAS(__cudaGetKernel, cudaGetKernel)
ALIAS(cudaGetFuncBySymbol, cudaGetKernel)

int cudaFuncGetAttributes(struct runtime_function_attributes *a, const void *function)
{
    struct gpu_kernel *k = gpu_kernel_of(function);
    int v[10] = {0}, code = k ? GPU_OK : GPU_INVALID_FUNCTION;
    for (int i = 0; i < 10 && !code; i++) {
        code = gpu_function_attribute(k, i, &v[i]);
    }
    if (code) {
        return done(code);
    }
    *a = (struct runtime_function_attributes){.max_threads = v[0],
                                              .shared = (size_t)v[1],
                                              .constant = (size_t)v[2],
                                              .local = (size_t)v[3],
                                              .registers = v[4],
                                              .ptx_version = v[5],
                                              .binary_version = v[6],
                                              .max_dynamic = v[8],
                                              .carveout = v[9]};
    return GPU_OK;
}

int cudaOccupancyAvailableDynamicSMemPerBlock(size_t *dynamic, const void *function, int ctas,
                                              int threads)
{
    const struct interp_kernel_facts *facts;
    struct gpu_kernel *k = gpu_kernel_of(function);
    int code = k ? gpu_kernel_facts(k, &facts) : GPU_INVALID_FUNCTION;
    if (!code && (ctas <= 0 || ctas > GPU_CTAS_SM || threads <= 0)) {
        code = GPU_INVALID_VALUE;
    }
    if (code) {
        return done(code);
    }
    size_t each = (size_t)GPU_SHARED_SM / (size_t)ctas - 1024;
    each = each < GPU_SHARED_DEFAULT ? each : GPU_SHARED_DEFAULT;
    *dynamic = each > facts->shared_bytes ? each - facts->shared_bytes : 0;
    return GPU_OK;
}
