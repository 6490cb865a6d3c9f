/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Modules, libraries, linking and launches of the driver interface.
 */
#include "ptx/ptx.h"
#include "runtime/api.h"
#include "runtime/fatbin.h"
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

/* Reads a whole file into *data, which the caller frees, and adds a zero byte. Sets *size to the
 * size in bytes, without the zero byte. */
static int read_file(const char *path, char **data, size_t *size)
{
    *data = path ? ptx_read(fopen(path, "rb"), size) : NULL;
    if (!path || (!*data && errno == ENOENT)) {
        return GPU_FILE_NOT_FOUND;
    }
    return *data ? GPU_OK : errno == ENOMEM ? GPU_OUT_OF_MEMORY : GPU_OS_ERROR;
}

static int load(void **module, const void *image, size_t size)
{
    struct gpu_device *device;
    if (!module || !image) {
        return GPU_INVALID_VALUE;
    }
    int code = driver_device(&device);
    struct gpu_module *m = code ? NULL : gpu_module_new();
    if (!m) {
        return code ? code : GPU_OUT_OF_MEMORY;
    }
    code = gpu_module_add(m, image, size);
    if (!code || m->code) {
        code = gpu_module_load(m, device);
    }
    if (code) {
        gpu_module_free(m);
    } else {
        *module = m;
    }
    return code;
}

static int load_file(void **module, const char *path)
{
    char *data;
    size_t size;
    int code = read_file(path, &data, &size);
    if (code) {
        return code;
    }
    code = load(module, data, size);
    free(data);
    return code;
}

ALIAS(cuModuleLoad, load_file)

int cuModuleLoadData(void **module, const void *image)
{
    return load(module, image, FATBIN_SIZE_UNKNOWN);
}

int cuModuleLoadDataEx(void **module, const void *image, unsigned count, int *options,
                       void **values)
{
    (void)count, (void)options, (void)values;
    return load(module, image, FATBIN_SIZE_UNKNOWN);
}

ALIAS(cuModuleLoadFatBinary, cuModuleLoadData)

int cuModuleUnload(void *module)
{
    struct gpu_device *device;
    if (!gpu_handle_known(module, GPU_MODULE)) {
        return GPU_INVALID_HANDLE;
    }
    int code = driver_device(&device);
    if (!code) {
        code = gpu_device_wait(device);
    }
    gpu_module_free(module);
    return code;
}

CONSTANT(cuModuleGetLoadingMode, 2) /* lazy loading */

/* Loads a module on the current device for a search by name. Sets *device to that device, and
 * *loaded to the loaded module. valid: true if the other arguments of the search are valid. */
static int begin_search(void *module, bool valid, struct gpu_device **device,
                        const struct interp_module **loaded)
{
    if (!gpu_handle_known(module, GPU_MODULE)) {
        return GPU_INVALID_HANDLE;
    }
    int code = valid ? driver_device(device) : GPU_INVALID_VALUE;
    if (!code) {
        code = gpu_module_load(module, *device);
    }
    if (!code) {
        *loaded = ((struct gpu_module *)module)->loaded[(*device)->number];
        assert(*loaded != NULL);
    }
    return code;
}

int cuModuleGetFunction(void **function, void *module, const char *name)
{
    struct gpu_device *device;
    const struct interp_module *all;
    const struct interp_kernel *loaded;
    int code = begin_search(module, function && name, &device, &all);
    if (code) {
        return code;
    }
    if (!interp_kernel(all, name)) {
        return GPU_NOT_FOUND;
    }
    struct gpu_kernel *k = gpu_kernel_add(module, NULL, name);
    code = k ? gpu_kernel_get(k, device, &loaded) : GPU_OUT_OF_MEMORY;
    *function = k;
    return driver(code);
}

int cuModuleGetGlobal_v2(uint64_t *address, size_t *bytes, void *module, const char *name)
{
    struct gpu_device *device;
    const struct interp_module *loaded;
    uint64_t at, size;
    int code = begin_search(module, name != NULL, &device, &loaded);
    if (code) {
        return code;
    }
    if (!interp_variable(loaded, name, &at, &size)) {
        return GPU_NOT_FOUND;
    }
    if (address) {
        *address = at;
    }
    if (bytes) {
        *bytes = size;
    }
    return GPU_OK;
}

/* ---- Libraries: modules whose kernels do not need a context ---------------------------------- */

int cuLibraryLoadData(void **library, const void *code, int *options, void **values, unsigned count,
                      int *library_options, void **library_values, unsigned library_count)
{
    struct gpu_device *device;
    (void)options, (void)values, (void)count, (void)library_options, (void)library_values,
        (void)library_count;
    int error = gpu_current(&device);
    return error ? error : load(library, code, FATBIN_SIZE_UNKNOWN);
}

int cuLibraryLoadFromFile(void **library, const char *path, int *options, void **values,
                          unsigned count, int *library_options, void **library_values,
                          unsigned library_count)
{
    struct gpu_device *device;
    (void)options, (void)values, (void)count, (void)library_options, (void)library_values,
        (void)library_count;
    int error = gpu_current(&device);
    return error ? error : load_file(library, path);
}

ALIAS(cuLibraryUnload, cuModuleUnload)
ALIAS(cuLibraryGetKernel, cuModuleGetFunction)

int cuLibraryGetModule(void **module, void *library)
{
    *module = library;
    return gpu_handle_known(library, GPU_MODULE) ? GPU_OK : GPU_INVALID_HANDLE;
}

ALIAS(cuLibraryGetGlobal, cuModuleGetGlobal_v2)

int cuKernelGetFunction(void **function, void *kernel)
{
    *function = gpu_kernel_of(kernel);
    return *function ? GPU_OK : GPU_INVALID_HANDLE;
}

/* ---- Linking ---------------------------------------------------------------------------------------------------- */

int cuLinkCreate_v2(unsigned count, int *options, void **values, void **state)
{
    (void)count, (void)options, (void)values;
    struct gpu_link *l = calloc(1, sizeof *l);
    struct gpu_module *inputs = l ? gpu_module_new() : NULL;
    if (!inputs) {
        free(l);
        return GPU_OUT_OF_MEMORY;
    }
    *l = (struct gpu_link){FATBIN_WRAPPER_MAGIC, inputs};
    gpu_lock();
    gpu_handle_add(l, GPU_LINK);
    gpu_unlock();
    *state = l;
    return GPU_OK;
}

static struct gpu_link *link_of(void *state)
{
    return gpu_handle_known(state, GPU_LINK) ? state : NULL;
}

int cuLinkAddData_v2(void *state, int type, void *data, size_t size, const char *name,
                     unsigned count, int *options, void **values)
{
    (void)type, (void)name, (void)count, (void)options, (void)values;
    struct gpu_link *l = link_of(state);
    if (!l || !data) {
        return l ? GPU_INVALID_VALUE : GPU_INVALID_HANDLE;
    }
    size_t before = l->inputs->text_count;
    int code = gpu_module_add(l->inputs, data, size);
    return !code && l->inputs->text_count == before ? GPU_NO_BINARY : code;
}

int cuLinkAddFile_v2(void *state, int type, const char *path, unsigned count, int *options,
                     void **values)
{
    char *data;
    size_t size;
    int code = read_file(path, &data, &size);
    if (code) {
        return code;
    }
    code = cuLinkAddData_v2(state, type, data, size, path, count, options, values);
    free(data);
    return code;
}

int cuLinkComplete(void *state, void **image, size_t *size)
{
    struct gpu_link *l = link_of(state);
    if (!l || l->inputs->text_count == 0) {
        return l ? GPU_INVALID_VALUE : GPU_INVALID_HANDLE;
    }
    *image = l;
    if (size) {
        *size = sizeof *l;
    }
    return GPU_OK;
}

int cuLinkDestroy(void *state)
{
    struct gpu_link *l = link_of(state);
    if (!l) {
        return GPU_INVALID_HANDLE;
    }
    gpu_lock();
    gpu_handle_remove(l);
    gpu_unlock();
    gpu_module_free(l->inputs);
    free(l);
    return GPU_OK;
}
