/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/module.h"
#include "ptx/ptx.h"
#include "runtime/fatbin.h"
#include "trace/slot.h"
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct gpu_module *gpu_module_new(void)
{
    GPU_HOLD;
    struct gpu_module *m = gpu_handle_new(sizeof *m, GPU_MODULE);
    if (m) {
        m->next = gpu_state.modules;
        gpu_state.modules = m;
    }
    return m;
}

static int refuse(struct gpu_module *m, int code, const char *why)
{
    assert(code != GPU_OK);
    if (m->code == GPU_OK) {
        m->code = code;
        snprintf(m->why, sizeof m->why, "%s", why);
    }
    return code;
}

/* Adds a text to the module, which owns it from then on. If this fails, frees the text and returns
 * an error. */
static int keep_text(struct gpu_module *m, char *text, size_t size)
{
    assert(text[size] == '\0');
    if (!array_append(&m->texts, m->text_count, sizeof *m->texts)) {
        free(text);
        return refuse(m, GPU_OUT_OF_MEMORY, "no memory for its PTX");
    }
    m->texts[m->text_count++] = (struct gpu_text){.text = text, .size = size};
    m->rewritten = m->rewritten || strstr(text, WS_HIDDEN_PARAMETER);
    return GPU_OK;
}

static int add_text(struct gpu_module *module, const char *text, size_t size)
{
    char *copy = malloc(size + 1);
    if (!copy) {
        return refuse(module, GPU_OUT_OF_MEMORY, "no memory for its PTX");
    }
    memcpy(copy, text, size);
    copy[size] = '\0';
    while (size > 0 && copy[size - 1] == '\0') {
        size--;
    }
    return keep_text(module, copy, size);
}

static int add_container(struct gpu_module *m, const void *data, size_t size)
{
    static const int codes[] = {[FATBIN_DAMAGED] = GPU_INVALID_IMAGE,
                                [FATBIN_UNSUPPORTED] = GPU_NO_BINARY,
                                [FATBIN_NO_MEMORY] = GPU_OUT_OF_MEMORY};
    struct fatbin_ptx ptx;
    char error[FATBIN_ERROR_MAX];
    enum fatbin_result result = fatbin_ptx(data, size, GPU_MAJOR * 10 + GPU_MINOR, &ptx, error);
    if (result == FATBIN_FOUND) {
        return keep_text(m, ptx.text, ptx.size);
    }
    m->machine_code |= result == FATBIN_NO_PTX;
    return result == FATBIN_NO_PTX ? GPU_OK : refuse(m, codes[result], error);
}

static int add_wrapper(struct gpu_module *m, const struct fatbin_wrapper *wrapper)
{
    const void *const *data = wrapper->version >= 2 ? wrapper->more : NULL;
    TRY(wrapper->data ? add_container(m, wrapper->data, FATBIN_SIZE_UNKNOWN) : GPU_OK);
    for (; data && *data; data++) {
        TRY(add_container(m, *data, FATBIN_SIZE_UNKNOWN));
    }
    return GPU_OK;
}

static int add_link(struct gpu_module *m, const struct gpu_link *link)
{
    for (size_t i = 0; i < link->inputs->text_count; i++) {
        TRY(add_text(m, link->inputs->texts[i].text, link->inputs->texts[i].size));
    }
    return GPU_OK;
}

int gpu_module_add(struct gpu_module *module, const void *image, size_t size)
{
    const char *bytes = image;
    uint32_t magic = 0;
    if (gpu_handle_known(image, GPU_LINK)) {
        return add_link(module, image);
    }
    size_t known = size == FATBIN_SIZE_UNKNOWN ? strnlen(bytes, sizeof magic) : size;
    if (known >= sizeof magic || size == FATBIN_SIZE_UNKNOWN) {
        memcpy(&magic, image, known < sizeof magic ? known : sizeof magic);
    }
    if (magic == FATBIN_WRAPPER_MAGIC &&
        (size == FATBIN_SIZE_UNKNOWN || size >= sizeof(struct fatbin_wrapper))) {
        return add_wrapper(module, image);
    }
    if (magic == FATBIN_MAGIC) {
        return add_container(module, image, size);
    }
    if (known >= sizeof magic && memcmp(image, "\177ELF", sizeof magic) == 0) {
        module->machine_code = true;
        return GPU_OK;
    }
    return add_text(module, bytes, size == FATBIN_SIZE_UNKNOWN ? strlen(bytes) : size);
}

/* Reports the error of the module, unless this was done before. Returns the error's code. */
static int report(struct gpu_module *m)
{
    assert(m->code != GPU_OK);
    if (!m->reported) {
        gpu_say("device code cannot be run: %s", m->why);
    }
    m->reported = true;
    return m->code;
}

static int link_texts(struct gpu_module *m, struct gpu_device *device)
{
    char error[INTERP_ERROR_MAX] = "";
    assert(m->text_count > 0 && !m->loaded[device->number]);
    struct ptx_module **trees = calloc(m->text_count, sizeof *trees);
    if (!trees) {
        return refuse(m, GPU_OUT_OF_MEMORY, "no memory for its PTX");
    }
    int code = GPU_OK;
    for (size_t i = 0; i < m->text_count && !code; i++) {
        trees[i] = ptx_parse(m->texts[i].text, m->texts[i].size, error);
        if (!m->rewritten && m->texts[i].place_count == 0) { /* not loaded on another device */
            gpu_places_find(&m->texts[i]);
        }
        if (!trees[i]) {
            code =
                strstr(error, "is not supported") ? GPU_UNSUPPORTED_PTX_VERSION : GPU_INVALID_PTX;
        }
    }
    if (!code) {
        m->loaded[device->number] = interp_load(
            device->interp, (const struct ptx_module *const *)trees, m->text_count, error);
        if (!m->loaded[device->number]) {
            code = GPU_INVALID_PTX;
        }
    }
    for (size_t i = 0; i < m->text_count; i++) {
        if (trees[i]) {
            ptx_free(trees[i]);
        }
    }
    free(trees);
    return code ? refuse(m, code, error) : GPU_OK;
}

/* Sets the program's pointers to managed variables. The first device that loads the module provides
 * the memory of these variables. */
static void set_managed(struct gpu_module *m, const struct interp_module *loaded)
{
    uint64_t address, bytes;
    for (struct gpu_variable *v = m->variables; v; v = v->next) {
        if (v->managed && interp_variable(loaded, v->name, &address, &bytes)) {
            *v->managed = (void *)(uintptr_t)address;
        }
    }
}

/* Returns true for a variable of the compiler, FUNCTION$NUMBER, which a program cannot name. */
static bool is_of_compiler(const char *name)
{
    const char *dollar = strrchr(name, '$');
    return dollar && dollar[1] && strspn(dollar + 1, "0123456789") == strlen(dollar + 1);
}

/* Lets the allocations of a module's variables begin, or end. */
static void note_variables(const struct interp_module *loaded, bool begin)
{
    const char *name;
    uint64_t address, bytes;
    for (size_t i = 0; interp_global(loaded, i, &name, &address, &bytes); i++) {
        if (!begin) {
            ws_memory_ends(address);
        } else if (!is_of_compiler(name)) {
            ws_memory_begins(address, bytes, "variable", name);
        }
    }
}

static void unload(struct interp_module *loaded)
{
    if (loaded) {
        note_variables(loaded, false);
        interp_unload(loaded);
    }
}

int gpu_module_load(struct gpu_module *module, struct gpu_device *device)
{
    pthread_mutex_lock(&gpu_state.load_lock);
    int code = module->code;
    bool first = true;
    for (int i = 0; i < GPU_DEVICES_MAX; i++) {
        first = first && !module->loaded[i];
    }
    if (!code && !module->loaded[device->number]) {
        if (module->text_count == 0) {
            code = refuse(
                module, GPU_NO_BINARY,
                "the program has machine code alone, and the interpreter needs PTX: compile with "
                "nvcc's option -gencode arch=compute_75,code=compute_75");
        } else {
            code = link_texts(module, device);
        }
        if (!code) {
            note_variables(module->loaded[device->number], true);
        }
        if (!code && first) {
            set_managed(module, module->loaded[device->number]);
        }
    }
    if (code) {
        report(module);
    }
    pthread_mutex_unlock(&gpu_state.load_lock);
    return code;
}

struct gpu_kernel *gpu_kernel_add(struct gpu_module *module, const void *host, const char *name)
{
    GPU_HOLD;
    struct gpu_kernel *k = module->kernels;
    while (k && (strcmp(k->name, name) != 0 || k->host != host)) {
        k = k->next;
    }
    if (!k && (k = gpu_handle_new(sizeof *k, GPU_KERNEL)) != NULL) {
        k->module = module;
        k->host = host;
        k->name = strdup(name);
        k->max_dynamic = -1;
        k->carveout = -1;
        k->next = module->kernels;
        module->kernels = k;
        if (host) {
            gpu_map_set(&gpu_state.symbols, (uint64_t)(uintptr_t)host, k);
        }
    }
    return k && k->name ? k : NULL;
}

bool gpu_variable_add(struct gpu_module *module, const void *host, void **managed, const char *name)
{
    struct gpu_variable *v = calloc(1, sizeof *v);
    char *copy = strdup(name);
    if (!v || !copy) {
        free(v);
        free(copy);
        return false;
    }
    GPU_HOLD;
    *v = (struct gpu_variable){module->variables, module, copy, host, managed};
    module->variables = v;
    return gpu_map_set(&gpu_state.variables, (uint64_t)(uintptr_t)host, v);
}

struct gpu_kernel *gpu_kernel_of(const void *symbol)
{
    if (!symbol) {
        return NULL;
    }
    GPU_HOLD;
    struct gpu_kernel *k = gpu_map_get(&gpu_state.symbols, (uint64_t)(uintptr_t)symbol);
    return !k && gpu_handle_is(symbol, GPU_KERNEL) ? (struct gpu_kernel *)(uintptr_t)symbol : k;
}

int gpu_kernel_get(struct gpu_kernel *kernel, struct gpu_device *device,
                   const struct interp_kernel **loaded)
{
    TRY(gpu_module_load(kernel->module, device));
    assert(kernel->module->loaded[device->number] != NULL);
    GPU_HOLD;
    const struct interp_kernel **place = &kernel->loaded[device->number];
    if (!*place) {
        *place = interp_kernel(kernel->module->loaded[device->number], kernel->name);
    }
    *loaded = *place;
    return *loaded ? GPU_OK : GPU_INVALID_FUNCTION;
}

int gpu_kernel_facts(struct gpu_kernel *kernel, const struct interp_kernel_facts **facts)
{
    struct gpu_device *device;
    const struct interp_kernel *loaded;
    TRY(gpu_current(&device) ?: gpu_kernel_get(kernel, device, &loaded));
    *facts = interp_kernel_facts(loaded);
    return GPU_OK;
}

int gpu_kernel_parameter(struct gpu_kernel *kernel, size_t index, size_t *offset, size_t *size)
{
    const struct interp_kernel_facts *facts;
    TRY(gpu_kernel_facts(kernel, &facts));
    TRY(NEED(offset && index < facts->parameter_count));
    *offset = facts->parameters[index].offset;
    if (size) {
        *size = facts->parameters[index].bytes;
    }
    return GPU_OK;
}

int gpu_symbol(const void *symbol, uint64_t *address, uint64_t *bytes)
{
    struct gpu_device *device;
    TRY(gpu_current(&device));
    gpu_lock();
    const struct gpu_variable *v = gpu_map_get(&gpu_state.variables, (uint64_t)(uintptr_t)symbol);
    gpu_unlock();
    TRY(CHECK(v, GPU_INVALID_SYMBOL));
    TRY(gpu_module_load(v->module, device));
    return CHECK(interp_variable(v->module->loaded[device->number], v->name, address, bytes),
                 GPU_INVALID_SYMBOL);
}

void gpu_module_forget(struct gpu_module *module)
{
    GPU_HOLD;
    for (struct gpu_kernel *k = module->kernels; k; k = k->next) {
        uint64_t key = (uint64_t)(uintptr_t)k->host;
        if (gpu_map_get(&gpu_state.symbols, key) == k) {
            gpu_map_remove(&gpu_state.symbols, key);
        }
        gpu_handle_remove(k);
    }
    for (struct gpu_variable *v = module->variables; v; v = v->next) {
        uint64_t key = (uint64_t)(uintptr_t)v->host;
        if (gpu_map_get(&gpu_state.variables, key) == v) {
            gpu_map_remove(&gpu_state.variables, key);
        }
        v->managed = NULL;
    }
    gpu_handle_remove(module);
}

void gpu_module_free(struct gpu_module *module)
{
    gpu_module_forget(module);
    gpu_lock();
    struct gpu_module **link = &gpu_state.modules;
    while (*link && *link != module) {
        link = &(*link)->next;
    }
    if (*link) {
        *link = module->next;
    }
    gpu_unlock();
    for (int i = 0; i < GPU_DEVICES_MAX; i++) {
        unload(module->loaded[i]);
    }
    for (struct gpu_kernel *k = module->kernels, *next; k; k = next) {
        next = k->next;
        free(k->name);
        free(k);
    }
    for (struct gpu_variable *v = module->variables, *next; v; v = next) {
        next = v->next;
        free(v->name);
        free(v);
    }
    for (size_t i = 0; i < module->text_count; i++) {
        free(module->texts[i].text);
        free(module->texts[i].places);
        for (size_t f = 0; f < module->texts[i].file_count; f++) {
            free(module->texts[i].files[f]);
        }
        free(module->texts[i].files);
    }
    free(module->texts);
    free(module);
}

void gpu_modules_unload(struct gpu_device *device)
{
    pthread_mutex_lock(&gpu_state.load_lock);
    gpu_lock();
    for (struct gpu_module *m = gpu_state.modules; m; m = m->next) {
        for (struct gpu_kernel *k = m->kernels; k; k = k->next) {
            k->loaded[device->number] = NULL;
        }
        unload(m->loaded[device->number]);
        m->loaded[device->number] = NULL;
    }
    gpu_unlock();
    pthread_mutex_unlock(&gpu_state.load_lock);
}
