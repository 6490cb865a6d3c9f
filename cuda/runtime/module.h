/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Modules: device code with its kernels and variables, as programs register it before main(), or load it.
 *
 * A module is linked and loaded on a device when it is first used there. A handle of a kernel (cudaKernel_t,
 * cudaFunction_t, CUfunction, CUkernel) is a struct gpu_kernel, the same for all devices.
 */
#ifndef WARPSCOPE_CUDA_MODULE_H
#define WARPSCOPE_CUDA_MODULE_H

#include "runtime/gpu.h"

struct gpu_text {
    char *text;
    size_t size;
};

struct gpu_kernel {
    struct gpu_kernel *next; /* of the module */
    struct gpu_module *module;
    char *name;
    const void *host; /* the program's function, or NULL */
    const struct interp_kernel *loaded[GPU_DEVICES_MAX];
    int max_dynamic; /* bytes of shared memory, or -1: the default */
    int carveout;
};

struct gpu_variable {
    struct gpu_variable *next;
    struct gpu_module *module;
    char *name;
    const void *host;
    void **managed; /* the program's pointer to a __managed__ variable, or NULL */
};

struct gpu_module {
    struct gpu_module *next;
    struct gpu_text *texts;
    size_t text_count;
    bool machine_code; /* there was code without PTX */
    bool rewritten;    /* it records its accesses itself */
    bool reported;     /* its error was reported */
    int code;          /* an error of the containers, or 0 */
    char why[INTERP_ERROR_MAX];
    struct interp_module *loaded[GPU_DEVICES_MAX];
    struct gpu_kernel *kernels;
    struct gpu_variable *variables;
};

struct gpu_module *gpu_module_new(void);
/* Adds PTX: a text that ends with a zero, a container, or a wrapper; what else it is gives an error. The module's
 * code and why have that error too. size is FATBIN_SIZE_UNKNOWN if the caller does not know it. */
int gpu_module_add(struct gpu_module *module, const void *image, size_t size);
int gpu_module_add_text(struct gpu_module *module, const char *text, size_t size);
/* Links and loads the module on a device, unless it is there. */
int gpu_module_load(struct gpu_module *module, struct gpu_device *device);
/* Removes the module and all its handles. */
void gpu_module_free(struct gpu_module *module);
/* Removes what the program registered; the code stays, since kernels may be running. */
void gpu_module_forget(struct gpu_module *module);
void gpu_modules_unload(struct gpu_device *device);

/* Adds a kernel, or returns that of the name; NULL without memory. */
struct gpu_kernel *gpu_kernel_add(struct gpu_module *module, const void *host, const char *name);
bool gpu_variable_add(struct gpu_module *module, const void *host, void **managed,
                      const char *name);

/* The kernel that a handle or the program's function means, or NULL. */
struct gpu_kernel *gpu_kernel_of(const void *symbol);
/* The kernel on a device, which loads its module. */
int gpu_kernel_get(struct gpu_kernel *kernel, struct gpu_device *device,
                   const struct interp_kernel **loaded);
int gpu_kernel_facts(struct gpu_kernel *kernel, const struct interp_kernel_facts **facts);
/* Offset and bytes of parameter `index`; size may be NULL. */
int gpu_kernel_parameter(struct gpu_kernel *kernel, size_t index, size_t *offset, size_t *size);
/* The variable on the current device. */
int gpu_symbol(const void *symbol, uint64_t *address, uint64_t *bytes);

struct gpu_launch {
    struct gpu_dim3 grid, block;
    size_t shared;
    bool cooperative;
    void **parameters;  /* an address for each, or NULL */
    const void *packed; /* all parameters, if parameters is NULL */
    size_t packed_bytes;
};

int gpu_launch(struct gpu_kernel *kernel, struct gpu_stream *stream,
               const struct gpu_launch *launch);
/* Reads the attributes of a launch that change it. */
int gpu_launch_attributes(const struct launch_attribute *attributes, unsigned count,
                          struct gpu_launch *launch);
/* CTAs of a kernel that fit an SM. */
int gpu_occupancy(struct gpu_kernel *kernel, int threads, size_t dynamic, int *ctas);
/* Value of a cudaFuncAttribute or CUfunction_attribute. */
int gpu_function_attribute(struct gpu_kernel *kernel, int attribute, int *value);
int gpu_function_set(struct gpu_kernel *kernel, int attribute, int value);

#endif
