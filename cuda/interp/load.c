/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Loading: links modules, allocates their variables, decodes their functions.
 */
#include "interp/decode.h"
#include "interp/machine.h"
#include "interp/rules.h"
#include "store/array.h"
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool no_memory(char *error)
{
    snprintf(error, INTERP_ERROR_MAX, "no memory to load a module");
    return false;
}

/* Adds the definition of a variable to the module. Returns false, with an error message in error,
 * if memory is exhausted. */
static bool add_variable(struct interp_module *module, uint32_t unit,
                         const struct ptx_variable *source, char *error)
{
    if (!array_append(&module->variables, module->variable_count, sizeof *module->variables)) {
        return no_memory(error);
    }
    struct variable *variable = &module->variables[module->variable_count];
    *variable = (struct variable){.name = strndup(source->name.s, source->name.length),
                                  .linkage = source->linkage,
                                  .space = source->space,
                                  .bytes = source->bytes,
                                  .unit = unit,
                                  .source = source};
    if (!variable->name) {
        return no_memory(error);
    }
    module->variable_count++;
    return true;
}

/* Merges a variable with the variable of the same name in another unit. Sets *found to the merged
 * variable, or to NULL if the name is new. A weak definition yields to a visible one; two visible
 * definitions are an error. */
static bool merge(struct interp_module *module, const struct ptx_variable *source,
                  struct variable **found, char *error)
{
    *found = NULL;
    if (source->linkage == PTX_STATIC) {
        return true;
    }
    for (size_t i = 0; i < module->variable_count; i++) {
        struct variable *other = &module->variables[i];
        if (other->linkage == PTX_STATIC || !ptx_is(source->name, other->name)) {
            continue;
        }
        if (other->linkage == PTX_VISIBLE && source->linkage == PTX_VISIBLE) {
            snprintf(error, INTERP_ERROR_MAX, "the variable %.200s is defined twice", other->name);
            return false;
        }
        *found = other;
        if (source->linkage == PTX_VISIBLE ||
            (other->linkage == PTX_COMMON && source->bytes > other->bytes)) {
            other->linkage = source->linkage;
            other->bytes = source->bytes;
            other->source = source;
        }
        return true;
    }
    return true;
}

/* Collects all definitions of variables, then finds for each variable of each unit the definition
 * to which it refers. */
static bool link_variables(struct interp_module *module, char *error)
{
    for (uint32_t u = 0; u < module->unit_count; u++) {
        const struct ptx_module *tree = module->units[u].tree;
        for (size_t i = 0; i < tree->variable_count; i++) {
            const struct ptx_variable *source = tree->variables[i];
            struct variable *same;
            bool dynamic = source->space == PTX_SHARED && source->bytes == 0;
            if (source->linkage == PTX_EXTERN && !dynamic) {
                continue;
            }
            if (!merge(module, source, &same, error) ||
                (!same && !add_variable(module, u, source, error))) {
                return false;
            }
        }
    }
    for (uint32_t u = 0; u < module->unit_count; u++) {
        struct unit *unit = &module->units[u];
        unit->variables = malloc((unit->tree->variable_count + 1) * sizeof *unit->variables);
        if (!unit->variables) {
            return no_memory(error);
        }
        for (size_t i = 0; i < unit->tree->variable_count; i++) {
            const struct ptx_variable *source = unit->tree->variables[i];
            const struct variable *found = module_variable(module, unit, NULL, source->name);
            if (!found) {
                snprintf(error, INTERP_ERROR_MAX,
                         "the variable %.*s is declared and nowhere defined",
                         (int)(source->name.length & 0xff), source->name.s);
                return false;
            }
            assert(found >= module->variables &&
                   found < module->variables + module->variable_count);
            unit->variables[i] = (uint32_t)(found - module->variables);
        }
    }
    return true;
}

static bool allocate_variables(struct interp_module *module, char *error)
{
    for (size_t i = 0; i < module->variable_count; i++) {
        struct variable *variable = &module->variables[i];
        struct ptx_text name = {variable->name, (uint32_t)strlen(variable->name)};
        bool tool = decode_tool_name(name);
        assert(!variable->address && variable->source);
        if (variable->space == PTX_SHARED) {
            variable->shared =
                module_add_shared(module, variable->bytes, module_align(variable->source), tool);
            if (variable->shared == UINT32_MAX) {
                return no_memory(error);
            }
        } else if (variable->space == PTX_GLOBAL || variable->space == PTX_CONST) {
            variable->address = device_alloc(module->device, module_arena(variable->space, name),
                                             variable->bytes ? variable->bytes : 1);
            if (!variable->address) {
                snprintf(error, INTERP_ERROR_MAX,
                         "no room on the device for the variable %.200s of %llu bytes",
                         variable->name, (unsigned long long)variable->bytes);
                return false;
            }
        }
    }
    return true;
}

static bool initialise_variables(struct interp_module *module, char *error)
{
    for (size_t i = 0; i < module->variable_count; i++) {
        const struct variable *variable = &module->variables[i];
        if (variable->address && !module_initialise(module, &module->units[variable->unit],
                                                    variable->source, variable->address, error)) {
            return false;
        }
    }
    return true;
}

static bool add_function(struct interp_module *module, uint32_t unit,
                         const struct ptx_function *source, char *error)
{
    struct interp_kernel *kernel = calloc(1, sizeof *kernel);
    if (!kernel || !array_append(&module->functions, module->function_count, sizeof kernel)) {
        free(kernel);
        return no_memory(error);
    }
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
    if (!function->name || !function->address) {
        return no_memory(error);
    }
    return true;
}

static bool link_functions(struct interp_module *module, char *error)
{
    for (uint32_t u = 0; u < module->unit_count; u++) {
        const struct ptx_module *tree = module->units[u].tree;
        for (size_t i = 0; i < tree->function_count; i++) {
            const struct ptx_function *source = tree->functions[i];
            if (!source->body) {
                continue;
            }
            const struct function *other = module_function(module, &module->units[u], source->name);
            if (other && other->linkage != PTX_WEAK && source->linkage != PTX_WEAK &&
                other->linkage != PTX_STATIC && source->linkage != PTX_STATIC) {
                snprintf(error, INTERP_ERROR_MAX, "the function %.200s is defined twice",
                         other->name);
                return false;
            }
            if (!add_function(module, u, source, error)) {
                return false;
            }
        }
    }
    return true;
}

static bool decode_functions(struct interp_module *module, char *error)
{
    for (size_t i = 0; i < module->function_count; i++) {
        struct function *function = &module->functions[i]->function;
        assert(function->number == i && function->unit < module->unit_count);
        if (!decode_function(module, &module->units[function->unit], function->source, function)) {
            snprintf(error, INTERP_ERROR_MAX,
                     "no memory for the function %.200s: its registers or its local or parameter "
                     "memory are too large",
                     function->name);
            return false;
        }
    }
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
    struct interp_module *module = begin(device, modules, count);
    if (!module) {
        no_memory(error);
        return NULL;
    }
    if (!link_variables(module, error) || !link_functions(module, error) ||
        !allocate_variables(module, error) || !initialise_variables(module, error) ||
        !decode_functions(module, error) || (!kernels_finish(module) && !no_memory(error))) {
        interp_unload(module);
        return NULL;
    }
    for (size_t i = 0; i < module->function_count; i++) {
        struct function *function = &module->functions[i]->function;
        const uint32_t *n = function->source->threads;
        uint64_t product = n[0] <= 1024 && n[1] <= 1024 ? (uint64_t)n[0] * n[1] * n[2] : 0;
        function->facts.max_threads = product > 0 && product < 1024 ? (uint32_t)product : 1024;
        memcpy(function->facts.cluster, function->source->cluster, sizeof function->facts.cluster);
        function->facts.architecture =
            ptx_target_number(module->units[function->unit].tree->target);
    }
    free_units(module);
    return module;
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
