/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Loading: links modules, allocates their variables, decodes their functions.
 */
#include "interp/decode.h"
#include "interp/machine.h"
#include "interp/rules.h"
#include "store/array.h"
#include <assert.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct loader {
    struct interp_module *module;
    char *error;
    jmp_buf escape;
};

/* Ends the loading with an error message. */
static _Noreturn void fail(struct loader *loader, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static _Noreturn void fail(struct loader *loader, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(loader->error, INTERP_ERROR_MAX, format, arguments);
    va_end(arguments);
    longjmp(loader->escape, 1);
}

/* Ends the loading unless memory was there. */
static void need(struct loader *loader, bool is_there)
{
    if (!is_there) {
        fail(loader, "no memory to load a module");
    }
}

/* Adds the definition of a variable to the module. */
static void add_variable(struct loader *loader, uint32_t unit, const struct ptx_variable *source)
{
    struct interp_module *module = loader->module;
    need(loader,
         array_append(&module->variables, module->variable_count, sizeof *module->variables));
    struct variable *variable = &module->variables[module->variable_count];
    *variable = (struct variable){.name = strndup(source->name.s, source->name.length),
                                  .linkage = source->linkage,
                                  .space = source->space,
                                  .bytes = source->bytes,
                                  .unit = unit,
                                  .source = source};
    need(loader, variable->name != NULL);
    module->variable_count++;
}

/* Merges a variable with the variable of the same name in another unit, and returns true; false: the
 * name is new. A weak definition yields to a visible one; two visible definitions are an error. */
static bool merge(struct loader *loader, const struct ptx_variable *source)
{
    for (size_t i = 0; source->linkage != PTX_STATIC && i < loader->module->variable_count; i++) {
        struct variable *other = &loader->module->variables[i];
        if (other->linkage == PTX_STATIC || !ptx_is(source->name, other->name)) {
            continue;
        }
        if (other->linkage == PTX_VISIBLE && source->linkage == PTX_VISIBLE) {
            fail(loader, "the variable %.200s is defined twice", other->name);
        }
        if (source->linkage == PTX_VISIBLE ||
            (other->linkage == PTX_COMMON && source->bytes > other->bytes)) {
            other->linkage = source->linkage;
            other->bytes = source->bytes;
            other->source = source;
        }
        return true;
    }
    return false;
}

/* Collects all definitions of variables, then finds for each variable of each unit the definition
 * to which it refers. */
static void link_variables(struct loader *loader)
{
    struct interp_module *module = loader->module;
    for (uint32_t u = 0; u < module->unit_count; u++) {
        const struct ptx_module *tree = module->units[u].tree;
        for (size_t i = 0; i < tree->variable_count; i++) {
            const struct ptx_variable *source = tree->variables[i];
            bool dynamic = source->space == PTX_SHARED && source->bytes == 0;
            if ((source->linkage != PTX_EXTERN || dynamic) && !merge(loader, source)) {
                add_variable(loader, u, source);
            }
        }
    }
    for (uint32_t u = 0; u < module->unit_count; u++) {
        struct unit *unit = &module->units[u];
        unit->variables = malloc((unit->tree->variable_count + 1) * sizeof *unit->variables);
        need(loader, unit->variables != NULL);
        for (size_t i = 0; i < unit->tree->variable_count; i++) {
            struct ptx_text name = unit->tree->variables[i]->name;
            const struct variable *found = module_variable(module, unit, NULL, name);
            if (!found) {
                fail(loader, "the variable %.*s is declared and nowhere defined",
                     (int)(name.length & 0xff), name.s);
            }
            unit->variables[i] = (uint32_t)(found - module->variables);
        }
    }
}

static void allocate_variables(struct loader *loader)
{
    struct interp_module *module = loader->module;
    for (size_t i = 0; i < module->variable_count; i++) {
        struct variable *variable = &module->variables[i];
        struct ptx_text name = {variable->name, (uint32_t)strlen(variable->name)};
        bool tool = decode_tool_name(name);
        assert(!variable->address && variable->source);
        if (variable->space == PTX_SHARED) {
            variable->shared =
                module_add_shared(module, variable->bytes, module_align(variable->source), tool);
            need(loader, variable->shared != UINT32_MAX);
        } else if (variable->space == PTX_GLOBAL || variable->space == PTX_CONST) {
            variable->address = device_alloc(module->device, module_arena(variable->space, name),
                                             variable->bytes ? variable->bytes : 1);
            if (!variable->address) {
                fail(loader, "no room on the device for the variable %.200s of %llu bytes",
                     variable->name, (unsigned long long)variable->bytes);
            }
        }
    }
    for (size_t i = 0; i < module->variable_count; i++) {
        const struct variable *variable = &module->variables[i];
        if (variable->address &&
            !module_initialise(module, &module->units[variable->unit], variable->source,
                               variable->address, loader->error)) {
            longjmp(loader->escape, 1);
        }
    }
}

static void add_function(struct loader *loader, uint32_t unit, const struct ptx_function *source)
{
    struct interp_module *module = loader->module;
    need(loader,
         array_append(&module->functions, module->function_count, sizeof *module->functions));
    struct interp_kernel *kernel = calloc(1, sizeof *kernel);
    need(loader, kernel != NULL);
    struct function *function = &kernel->function;
    function->number = (uint32_t)module->function_count;
    module->functions[module->function_count++] = kernel;
    function->module = module;
    function->unit = unit;
    function->linkage = source->linkage;
    function->source = source;
    function->entry = source->entry;
    function->tool = decode_tool_name(source->name);
    function->name = strndup(source->name.s, source->name.length);
    function->address = device_add_function(module->device, function);
    need(loader, function->name && function->address);
}

static void link_functions(struct loader *loader)
{
    struct interp_module *module = loader->module;
    for (uint32_t u = 0; u < module->unit_count; u++) {
        const struct ptx_module *tree = module->units[u].tree;
        for (size_t i = 0; i < tree->function_count; i++) {
            const struct ptx_function *source = tree->functions[i];
            const struct function *other = module_function(module, &module->units[u], source->name);
            if (source->body && other && other->linkage != PTX_WEAK &&
                source->linkage != PTX_WEAK && other->linkage != PTX_STATIC &&
                source->linkage != PTX_STATIC) {
                fail(loader, "the function %.200s is defined twice", other->name);
            }
            if (source->body) {
                add_function(loader, u, source);
            }
        }
    }
}

static void decode_functions(struct loader *loader)
{
    struct interp_module *module = loader->module;
    for (size_t i = 0; i < module->function_count; i++) {
        struct function *function = &module->functions[i]->function;
        struct unit *unit = &module->units[function->unit];
        const struct ptx_function *source = function->source;
        const uint32_t *n = source->threads;
        uint64_t product = n[0] <= 1024 && n[1] <= 1024 ? (uint64_t)n[0] * n[1] * n[2] : 0;
        assert(function->number == i && function->unit < module->unit_count);
        if (!decode_function(module, unit, source, function)) {
            fail(loader,
                 "no memory for the function %.200s: its registers or its local or parameter "
                 "memory are too large",
                 function->name);
        }
        function->facts.max_threads = product > 0 && product < 1024 ? (uint32_t)product : 1024;
        memcpy(function->facts.cluster, source->cluster, sizeof function->facts.cluster);
        function->facts.architecture = ptx_target_number(unit->tree->target);
    }
}

/* Returns false after an error. */
static bool load(struct loader *loader)
{
    if (setjmp(loader->escape) != 0) {
        return false;
    }
    link_variables(loader);
    link_functions(loader);
    allocate_variables(loader);
    decode_functions(loader);
    need(loader, kernels_finish(loader->module));
    return true;
}

static struct interp_module *begin(struct interp *device, const struct ptx_module *const *trees,
                                   size_t count)
{
    struct interp_module *module = calloc(1, sizeof *module);
    if (module) {
        module->device = device;
        module->unit_count = count;
        module->units = calloc(count + 1, sizeof *module->units);
        module->rules = rule_table_create();
    }
    if (!module || !module->units || !module->rules) {
        interp_unload(module);
        return NULL;
    }
    for (size_t i = 0; i < count; i++) {
        module->units[i].tree = trees[i];
    }
    return module;
}

static void free_units(struct interp_module *module)
{
    for (size_t i = 0; module->units && i < module->unit_count; i++) {
        free(module->units[i].variables);
    }
    free(module->units);
    free(module->rules);
    module->units = NULL;
    module->rules = NULL;
}

struct interp_module *interp_load(struct interp *device, const struct ptx_module *const *modules,
                                  size_t count, char *error)
{
    struct loader loader = {.module = begin(device, modules, count), .error = error};
    if (!loader.module) {
        snprintf(error, INTERP_ERROR_MAX, "no memory to load a module");
        return NULL;
    }
    if (!load(&loader)) {
        interp_unload(loader.module);
        return NULL;
    }
    free_units(loader.module);
    return loader.module;
}

static void free_function(struct interp *device, struct interp_kernel *kernel)
{
    struct function *function = &kernel->function;
    if (function->address) {
        device_remove_function(device, function->address);
    }
    chunks_free(function->memory.list);
    free(function->name);
    free(function->ops);
    free(function->constants);
    free(function->shared);
    free(function->callees);
    free(function->kernel_base);
    free(kernel);
}

void interp_unload(struct interp_module *module)
{
    if (!module) {
        return;
    }
    free_units(module);
    for (size_t i = 0; i < module->function_count; i++) {
        free_function(module->device, module->functions[i]);
    }
    for (size_t i = 0; i < module->variable_count; i++) {
        if (module->variables[i].address) {
            device_free(module->device, module->variables[i].address);
        }
        free(module->variables[i].name);
    }
    for (size_t i = 0; i < module->extra_count; i++) {
        device_free(module->device, module->extra[i]);
    }
    free(module->variables);
    free(module->functions);
    free(module->shared);
    free(module->extra);
    free(module);
}
