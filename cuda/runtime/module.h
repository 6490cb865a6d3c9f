/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Modules: device code with its kernels and variables. Programs register modules before main(), or
 * load them.
 *
 * A module is linked and loaded on a device when it is first used there. Handles of kernels
 * (cudaKernel_t, cudaFunction_t, CUfunction, CUkernel) are addresses of a struct gpu_kernel, the
 * same for all devices.
 */
#ifndef WARPSCOPE_CUDA_MODULE_H
#define WARPSCOPE_CUDA_MODULE_H

#include "runtime/gpu.h"
#include "trace/memory.h"

/* The instructions from a line of the PTX on, up to the next place, come from a line of the source. */
struct gpu_place {
    uint32_t line;
    uint32_t file; /* its number in the PTX; 0: the source is unknown */
    uint32_t source;
};

struct gpu_text {
    char *text;
    size_t size;
    struct gpu_place *places; /* owned; in order; none unless the PTX has .loc */
    size_t place_count;
    char **files; /* owned, with its elements; [number]: path of a file of the source, or NULL */
    size_t file_count;
};

struct gpu_kernel {
    struct gpu_kernel *next; /* next kernel of the module */
    struct gpu_module *module;
    char *name;
    const void *host; /* host function of the program that stands for the kernel; NULL: none */
    const struct interp_kernel *loaded[GPU_DEVICES_MAX];
    int max_dynamic; /* maximum size of dynamic shared memory in bytes; -1: the default */
    int carveout;
};

struct gpu_variable {
    struct gpu_variable *next;
    struct gpu_module *module;
    char *name;
    const void *host;
    /* the program's pointer to a __managed__ variable; NULL: the variable is not managed */
    void **managed;
};

struct gpu_module {
    struct gpu_module *next;
    struct gpu_text *texts;
    size_t text_count;
    bool machine_code; /* true if some of the module's code has no PTX */
    bool rewritten;    /* true if the code was rewritten, so that it records its accesses itself */
    bool reported;     /* true if gpu_say() has reported the module's error */
    int code;          /* code of the module's first error, or 0 */
    /* error message for `code` */
    char why[INTERP_ERROR_MAX];
    struct interp_module *loaded[GPU_DEVICES_MAX];
    struct gpu_kernel *kernels;
    struct gpu_variable *variables;
};

/* A link. A program also loads it as the image that results: the texts of the inputs stay apart, since
 * equal names of static functions and variables would clash in one text. */
struct gpu_link {
    uint32_t magic; /* that of fat binaries: the image is no text */
    struct gpu_module *inputs;
};

struct gpu_module *gpu_module_new(void);
/* Adds the PTX of an image to a module. image: PTX, a container, a wrapper, or a link. PTX of unknown size
 * ends with a zero byte. size: size of the image in bytes, or FATBIN_SIZE_UNKNOWN. Stores the first
 * error in module->code and module->why. */
int gpu_module_add(struct gpu_module *module, const void *image, size_t size);
/* Links the module and loads it on a device, unless it is loaded there. */
int gpu_module_load(struct gpu_module *module, struct gpu_device *device);
/* Removes the module and all its handles, and frees its memory. */
void gpu_module_free(struct gpu_module *module);
/* Removes the kernels and variables that the program registered. The code remains, since kernels
 * may be running. */
void gpu_module_forget(struct gpu_module *module);
void gpu_modules_unload(struct gpu_device *device);

/* Returns the module's kernel with this host function and name. Adds the kernel if it does not
 * exist. Returns NULL if memory is exhausted. */
struct gpu_kernel *gpu_kernel_add(struct gpu_module *module, const void *host, const char *name);
bool gpu_variable_add(struct gpu_module *module, const void *host, void **managed,
                      const char *name);

/* Returns the kernel that a handle or a host function of the program stands for, or NULL. */
struct gpu_kernel *gpu_kernel_of(const void *symbol);
/* Sets *loaded to the kernel on a device. Loads the kernel's module there if necessary. */
int gpu_kernel_get(struct gpu_kernel *kernel, struct gpu_device *device,
                   const struct interp_kernel **loaded);
int gpu_kernel_facts(struct gpu_kernel *kernel, const struct interp_kernel_facts **facts);
/* Sets *offset to the offset in bytes of parameter `index` and, unless size is NULL, *size to its
 * size in bytes. */
int gpu_kernel_parameter(struct gpu_kernel *kernel, size_t index, size_t *offset, size_t *size);
/* Sets *address and *bytes to the address and size of a variable on the current device. symbol:
 * host address of the variable. */
int gpu_symbol(const void *symbol, uint64_t *address, uint64_t *bytes);

struct gpu_launch {
    struct gpu_dim3 grid, block;
    size_t shared;
    bool cooperative;
    uint32_t cluster[3]; /* size of clusters in CTAs; 0: none */
    void **parameters;   /* addresses of the parameters, or NULL */
    const void *packed;  /* values of all parameters, packed; used if `parameters` is NULL */
    size_t packed_bytes;
};

int gpu_launch(struct gpu_kernel *kernel, struct gpu_stream *stream,
               const struct gpu_launch *launch);
/* Makes the work of a launch. Sets *work, or returns an error; sets *why to the reason if the interpreter
 * cannot run the kernel, otherwise to NULL. */
int gpu_launch_work(struct gpu_kernel *kernel, struct gpu_device *device,
                    const struct gpu_launch *launch, struct gpu_work **work, const char **why);
/* Returns the kernel that the work of a node launches, and sets *launch. */
struct gpu_kernel *gpu_launch_of(const struct gpu_work *work, struct gpu_launch *launch);
/* Sets the members of *launch that the attributes of a launch determine. */
void gpu_launch_attributes(const struct launch_attribute *attributes, unsigned count,
                           struct gpu_launch *launch);
/* Sets *ctas to the number of CTAs of a kernel that fit on an SM. threads: number of threads in a
 * CTA; dynamic: bytes of dynamic shared memory in a CTA. */
int gpu_occupancy(struct gpu_kernel *kernel, int threads, size_t dynamic, int *ctas);
/* Sets *value to the value of a cudaFuncAttribute or CUfunction_attribute. */
int gpu_function_attribute(struct gpu_kernel *kernel, int attribute, int *value);
int gpu_function_set(struct gpu_kernel *kernel, int attribute, int value);

/* ---- Recording: record.c --------------------------------------------------------------------- */

/* The accesses that the interpreter observes: each stream has a file in the directory that the
 * environment variable WARPSCOPE_MEMTRACE names (trace/options.h). Rewritten modules record
 * their accesses themselves, and are not observed. Only the thread of a stream calls these
 * functions, except gpu_record_order(). */

/* Sets the number of the stream's trace file at its first launch. Numbers follow the order of the
 * program's calls. Returns false if launches of the kernel are not recorded. */
bool gpu_record_order(struct gpu_stream *stream, const struct gpu_kernel *kernel);
/* Begins a launch in the trace file of the stream. Returns the observer of the launch, and sets
 * *user to the observer's argument. Returns NULL if the launch is not recorded. */
interp_observer gpu_record_begin(struct gpu_stream *stream, const struct gpu_kernel *kernel,
                                 void **user);
/* Adds to the trace file a note that a launch did not end, or could not run. */
void gpu_record_fault(struct gpu_stream *stream, const char *message);
/* Completes the trace file of the stream. */
void gpu_record_end(struct gpu_stream *stream);
/* Finds the places in a text, by which accesses are counted for lines of the source. */
void gpu_places_find(struct gpu_text *text);

#endif
