/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Kernels of a loaded module: their facts, and the offsets of their shared variables.
 */
#include "interp/machine.h"
#include "interp/module.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Functions and shared variables that a kernel can reach by calls. */
struct reach {
    const struct interp_module *module;
    bool *functions, *shared;
    uint32_t *stack;
    size_t count;
    bool indirect;
};

static void visit(struct reach *reach, const struct function *function)
{
    assert(function->number < reach->module->function_count);
    if (!reach->functions[function->number]) {
        reach->functions[function->number] = true;
        reach->stack[reach->count++] = function->number;
    }
}

static void reach_all(struct reach *reach, const struct function *kernel)
{
    const struct interp_module *module = reach->module;
    visit(reach, kernel);
    while (reach->count) {
        const struct function *function =
            &module->functions[reach->stack[--reach->count]]->function;
        for (size_t i = 0; i < function->shared_count; i++) {
            assert(function->shared[i] < module->shared_count);
            reach->shared[function->shared[i]] = true;
        }
        for (size_t i = 0; i < function->callee_count; i++) {
            visit(reach, function->callees[i]);
        }
        if (function->calls_indirectly && !reach->indirect) {
            reach->indirect = true;
            for (size_t i = 0; i < module->function_count; i++) {
                if (module->functions[i]->function.address_taken) {
                    visit(reach, &module->functions[i]->function);
                }
            }
        }
    }
}

/* Writes the address of shared variable `number` to kernel->kernel_base: once per lane with 64
 * bits, and once per lane with 32 bits. */
static void set_shared(struct function *kernel, uint32_t number, uint64_t offset)
{
    assert(number < kernel->module->shared_count);
    char *at = kernel->kernel_base + (size_t)number * SHARED_STRIDE;
    uint64_t *wide = (uint64_t *)(void *)at;
    uint32_t *narrow = (uint32_t *)(void *)(at + WARP_LANES * sizeof *wide);
    for (unsigned i = 0; i < WARP_LANES; i++) {
        wide[i] = offset;
        narrow[i] = (uint32_t)offset;
    }
}

static uint64_t align_up(uint64_t offset, uint32_t align)
{
    assert(align > 0);
    return (offset + align - 1) / align * align;
}

/* Places the shared variables of a kernel: static variables in order, then static variables of
 * tools, then dynamic memory. */
static void place_shared(struct function *kernel, const struct reach *reach)
{
    const struct interp_module *module = reach->module;
    uint64_t offset = 0, dynamic;
    uint32_t most = 16;
    for (int tool = 0; tool < 2; tool++) {
        for (uint32_t i = 0; i < module->shared_count; i++) {
            const struct shared_variable *variable = &module->shared[i];
            if (reach->shared[i] && variable->bytes && variable->tool == (tool == 1)) {
                offset = align_up(offset, variable->align);
                set_shared(kernel, i, offset);
                offset += variable->bytes;
            } else if (reach->shared[i] && !variable->bytes && variable->align > most) {
                most = variable->align;
            }
        }
    }
    dynamic = align_up(offset, most);
    for (uint32_t i = 0; i < module->shared_count; i++) {
        if (reach->shared[i] && !module->shared[i].bytes) {
            set_shared(kernel, i, dynamic);
            offset = dynamic;
        }
    }
    kernel->facts.shared_bytes = (uint32_t)(offset < UINT32_MAX ? offset : UINT32_MAX);
}

bool kernels_finish(struct interp_module *module)
{
    struct reach reach = {.module = module};
    bool done = true;
    reach.functions = malloc(module->function_count + 1);
    reach.shared = malloc(module->shared_count + 1);
    reach.stack = malloc((module->function_count + 1) * sizeof *reach.stack);
    for (size_t i = 0; i < module->function_count && done; i++) {
        struct function *kernel = &module->functions[i]->function;
        if (!kernel->entry) {
            continue;
        }
        kernel->kernel_base = calloc(module->shared_count + 1, SHARED_STRIDE);
        done = kernel->kernel_base && reach.functions && reach.shared && reach.stack;
        if (done) {
            kernel->facts.name = kernel->name;
            memset(reach.functions, 0, module->function_count + 1);
            memset(reach.shared, 0, module->shared_count + 1);
            reach.indirect = false;
            reach_all(&reach, kernel);
            place_shared(kernel, &reach);
        }
    }
    free(reach.functions);
    free(reach.shared);
    free(reach.stack);
    return done;
}

struct interp_kernel *interp_kernel(const struct interp_module *module, const char *name)
{
    for (size_t i = 0; i < module->function_count; i++) {
        const struct function *function = &module->functions[i]->function;
        if (function->entry && strcmp(function->name, name) == 0) {
            return module->functions[i];
        }
    }
    return NULL;
}

const struct interp_kernel_facts *interp_kernel_facts(const struct interp_kernel *kernel)
{
    return &kernel->function.facts;
}

bool interp_variable(const struct interp_module *module, const char *name, uint64_t *address,
                     uint64_t *bytes)
{
    for (size_t i = 0; i < module->variable_count; i++) {
        const struct variable *variable = &module->variables[i];
        if (variable->address && strcmp(variable->name, name) == 0) {
            *address = variable->address;
            *bytes = variable->bytes;
            return true;
        }
    }
    return false;
}

bool interp_global(const struct interp_module *module, size_t index, const char **name,
                   uint64_t *address, uint64_t *bytes)
{
    if (index >= module->variable_count) {
        return false;
    }
    const struct variable *variable = &module->variables[index];
    bool is_ours = variable->space == PTX_GLOBAL && !strstr(variable->name, "warpscope");
    *name = variable->name;
    *address = is_ours ? variable->address : 0;
    *bytes = variable->bytes;
    return true;
}
