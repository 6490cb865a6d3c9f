/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Modules, libraries and linking of the driver interface.
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

/* needs_context: false for libraries, which make a context current. */
static int load(struct call *c, void **module, const void *image, size_t size, bool needs_context)
{
    TRY(NEED(module && image) ?: needs_context ? call_ready(c) : gpu_current(&c->device));
    struct gpu_module *m = gpu_module_new();
    TRY(CHECK(m, GPU_OUT_OF_MEMORY));
    int code = gpu_module_add(m, image, size);
    if (!code || m->code) {
        code = gpu_module_load(m, c->device);
    }
    if (code) {
        gpu_module_free(m);
    } else {
        *module = m;
    }
    return code;
}

static int load_file(struct call *c, void **module, const char *path, bool needs_context)
{
    char *data;
    size_t size;
    TRY(read_file(path, &data, &size));
    int code = load(c, module, data, size, needs_context);
    free(data);
    return code;
}

static int unload(struct call *c, void *module)
{
    TRY(CHECK(gpu_handle_known(module, GPU_MODULE), GPU_INVALID_HANDLE));
    int code = call_current(c) ?: gpu_device_wait(c->device);
    gpu_module_free(module);
    return code;
}

/* Loads a module on the current device for a search by name. Sets *loaded to the loaded module.
 * valid: true if the other arguments of the search are valid. */
static int search(struct call *c, struct gpu_module *module, bool valid,
                  const struct interp_module **loaded)
{
    TRY(CHECK(gpu_handle_known(module, GPU_MODULE), GPU_INVALID_HANDLE)
            ?: NEED(valid) ?: call_current(c) ?: gpu_module_load(module, c->device));
    *loaded = module->loaded[c->device->number];
    assert(*loaded != NULL);
    return GPU_OK;
}

static int find_function(struct call *c, void **function, void *module, const char *name)
{
    const struct interp_module *all;
    const struct interp_kernel *loaded;
    TRY(search(c, module, function && name, &all)
            ?: CHECK(interp_kernel(all, name), GPU_NOT_FOUND));
    struct gpu_kernel *k = gpu_kernel_add(module, NULL, name);
    *function = k;
    return k ? gpu_kernel_get(k, c->device, &loaded) : GPU_OUT_OF_MEMORY;
}

static int find_variable(struct call *c, uint64_t *address, size_t *bytes, void *module,
                         const char *name)
{
    const struct interp_module *loaded;
    uint64_t at, size;
    return search(c, module, name != NULL, &loaded)
               ?: CHECK(interp_variable(loaded, name, &at, &size), GPU_NOT_FOUND)
               ?: GIVE(address, at) ?: GIVE(bytes, size);
}

#define MODULE(module) IS(module, GPU_MODULE)

DRIVER(cuModuleLoad, (void **module, const char *path), load_file(&c, module, path, true))
DRIVER(cuModuleLoadData, (void **module, const void *image),
       load(&c, module, image, FATBIN_SIZE_UNKNOWN, true))
DRIVER(cuModuleLoadDataEx,
       (void **module, const void *image, unsigned count, int *options, void **values),
       load(&c, module, image, FATBIN_SIZE_UNKNOWN, true))
DRIVER(cuModuleLoadFatBinary, (void **module, const void *image),
       load(&c, module, image, FATBIN_SIZE_UNKNOWN, true))
DRIVER(cuModuleUnload, (void *module), unload(&c, module))
DRIVER(cuModuleGetLoadingMode, (int *mode), PUT(mode, 2)) /* lazy loading */
DRIVER(cuModuleGetFunction, (void **function, void *module, const char *name),
       find_function(&c, function, module, name))
DRIVER(cuModuleGetGlobal_v2, (uint64_t * address, size_t *bytes, void *module, const char *name),
       find_variable(&c, address, bytes, module, name))

/* ---- Libraries: modules whose kernels do not need a context ---------------------------------- */

DRIVER(cuLibraryLoadData,
       (void **library, const void *code, int *options, void **values, unsigned count,
        int *library_options, void **library_values, unsigned library_count),
       load(&c, library, code, FATBIN_SIZE_UNKNOWN, false))
DRIVER(cuLibraryLoadFromFile,
       (void **library, const char *path, int *options, void **values, unsigned count,
        int *library_options, void **library_values, unsigned library_count),
       load_file(&c, library, path, false))
ALIAS(cuLibraryUnload, cuModuleUnload)
ALIAS(cuLibraryGetKernel, cuModuleGetFunction)
ALIAS(cuLibraryGetGlobal, cuModuleGetGlobal_v2)
DRIVER(cuLibraryGetModule, (void **module, void *library), SET(*module, library) ?: MODULE(library))

/* ---- Linking --------------------------------------------------------------------------------- */

static int link_create(void **state)
{
    struct gpu_link *l = call_new(sizeof *l, GPU_LINK);
    struct gpu_module *inputs = l ? gpu_module_new() : NULL;
    if (!inputs) {
        LOCKED((gpu_handle_remove(l), 0));
        free(l);
        return GPU_OUT_OF_MEMORY;
    }
    *l = (struct gpu_link){FATBIN_WRAPPER_MAGIC, inputs};
    return SET(*state, l);
}

static int link_add(struct gpu_link *l, const void *data, size_t size)
{
    size_t before = l->inputs->text_count;
    return NEED(data)
               ?: gpu_module_add(l->inputs, data, size)
               ?: CHECK(l->inputs->text_count > before, GPU_NO_BINARY);
}

static int link_add_file(struct gpu_link *l, const char *path)
{
    char *data;
    size_t size;
    int code = read_file(path, &data, &size);
    if (!code) {
        code = link_add(l, data, size);
        free(data);
    }
    return code;
}

static int link_complete(struct gpu_link *l, void **image, size_t *size)
{
    return GIVE(size, sizeof *l) ?: NEED(l->inputs->text_count > 0) ?: SET(*image, l);
}

static int link_destroy(struct gpu_link *l)
{
    LOCKED((gpu_handle_remove(l), 0));
    gpu_module_free(l->inputs);
    free(l);
    return GPU_OK;
}

#define LINK(state) IS(state, GPU_LINK)

DRIVER(cuLinkCreate_v2, (unsigned count, int *options, void **values, void **state),
       link_create(state))
DRIVER(cuLinkAddData_v2,
       (void *state, int type, void *data, size_t size, const char *name, unsigned count,
        int *options, void **values),
       LINK(state) ?: link_add(state, data, size))
DRIVER(cuLinkAddFile_v2,
       (void *state, int type, const char *path, unsigned count, int *options, void **values),
       LINK(state) ?: link_add_file(state, path))
DRIVER(cuLinkComplete, (void *state, void **image, size_t *size),
       LINK(state) ?: link_complete(state, image, size))
DRIVER(cuLinkDestroy, (void *state), LINK(state) ?: link_destroy(state))
