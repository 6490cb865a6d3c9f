/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Limits that prevent tracing of kernels and functions; see limits.h.
 */
#include "rewrite/limits.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    /* Maximum size in bytes of a kernel's parameters up to ISA 8.0. */
    PARAMETERS_MAX = 4352,
    /* maximum size in bytes of a kernel's parameters from ISA 8.1 on */
    LARGE_PARAMETERS_MAX = 32764,
    LARGE_PARAMETERS_VERSION = 81,
    STATIC_SHARED_MAX = 48 << 10,
    SHARED_BYTES = 16 /* size in bytes of DEVICE_SHARED */
};

const char *limits_of_parameters(const struct ptx_module *module, const struct ptx_function *kernel)
{
    uint64_t most =
        module->version >= LARGE_PARAMETERS_VERSION ? LARGE_PARAMETERS_MAX : PARAMETERS_MAX;
    uint64_t bytes = 0;
    assert(kernel->entry);
    for (uint32_t i = 0; i < kernel->parameter_count; i++) {
        const struct ptx_variable *parameter = kernel->parameters[i];
        uint64_t align = parameter->align;
        if (parameter->hidden) {
            return "it has parameters with the attribute .hidden";
        }
        if (align == 0) {
            align = parameter->type.bits / 8U * (parameter->vector == 0 ? 1 : parameter->vector);
        }
        align = align == 0 ? 1 : align;
        bytes = (bytes + align - 1) / align * align;
        if (parameter->bytes > most || bytes + parameter->bytes > most) {
            return "its parameters leave no room for one more";
        }
        bytes += parameter->bytes;
    }
    bytes = (bytes + 7) / 8 * 8 + 8;
    return bytes > most ? "its parameters leave no room for one more" : NULL;
}

/* ---- Kernels that other kernels launch -------------------------------------------------------- */

/* Names of the kernels that the module defines, in order, and their plans. */
struct names {
    struct name {
        struct ptx_text text;
        struct plan_function *function;
    } * list;
    size_t count;
};

static int compare_texts(struct ptx_text a, struct ptx_text b)
{
    size_t length = a.length < b.length ? a.length : b.length;
    int order = memcmp(a.s, b.s, length);
    return order != 0 ? order : (a.length > b.length) - (a.length < b.length);
}

static int compare_names(const void *a, const void *b)
{
    const struct name *one = a, *other = b;
    return compare_texts(one->text, other->text);
}

static void launched(const struct names *names, struct ptx_text text)
{
    struct name key = {text, NULL};
    struct name *name =
        bsearch(&key, names->list, names->count, sizeof *names->list, compare_names);
    if (name != NULL) {
        name->function->reason = "its address is taken, so kernels may launch it without a slot";
    }
}

static void look_at_operands(const struct names *names, const struct ptx_operand *operands,
                             uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (operands[i].function != NULL && operands[i].function->entry) {
            launched(names, operands[i].function->name);
        }
        if (operands[i].part_count > 0) {
            look_at_operands(names, operands[i].parts, operands[i].part_count);
        }
    }
}

static void look_at_values(const struct names *names, const struct ptx_variable *variable)
{
    for (size_t i = 0; i < variable->value_count; i++) {
        if (variable->values[i].symbol.length > 0) {
            launched(names, variable->values[i].symbol);
        }
    }
}

bool limits_find_launched(struct plan *plan, const struct ptx_module *module)
{
    struct names names = {malloc((module->function_count + 1) * sizeof *names.list), 0};
    if (names.list == NULL) {
        return false;
    }
    for (size_t i = 0; i < module->function_count; i++) {
        if (module->functions[i]->entry && module->functions[i]->body) {
            names.list[names.count++] =
                (struct name){module->functions[i]->name, &plan->functions[i]};
        }
    }
    assert(names.count <= module->function_count);
    qsort(names.list, names.count, sizeof *names.list, compare_names);
    for (size_t i = 0; names.count > 0 && i < module->variable_count; i++) {
        look_at_values(&names, module->variables[i]);
    }
    for (size_t i = 0; names.count > 0 && i < module->function_count; i++) {
        const struct ptx_function *function = module->functions[i];
        for (size_t k = 0; k < function->statement_count; k++) {
            const struct ptx_instruction *instruction = function->statements[k].instruction;
            if (instruction != NULL) {
                look_at_operands(&names, instruction->operands, instruction->operand_count);
            }
        }
    }
    free(names.list);
    return true;
}

/* ---- Shared memory ---------------------------------------------------------------------------- */

static bool is_static_shared(const struct ptx_variable *variable)
{
    return variable->space == PTX_SHARED && variable->linkage != PTX_EXTERN;
}

/* Returns `sum` plus the size in bytes of the variable and of the padding before it. Limits the
 * size and the padding, so that the result cannot overflow. */
static uint64_t add_bytes(uint64_t sum, const struct ptx_variable *variable)
{
    uint64_t bytes = variable->bytes > STATIC_SHARED_MAX ? STATIC_SHARED_MAX : variable->bytes;
    uint64_t align = variable->align == 0 ? 16 : variable->align;
    align = align > 4096 ? 4096 : align;
    return (sum + align - 1) / align * align + bytes;
}

static uint64_t own_shared(uint64_t sum, const struct ptx_function *function)
{
    for (uint32_t i = 0; i < function->variable_count; i++) {
        if (is_static_shared(function->variables[i])) {
            sum = add_bytes(sum, function->variables[i]);
        }
    }
    return sum;
}

bool limits_have_shared(const struct ptx_module *module, const struct plan *plan)
{
    /* total size in bytes of the shared variables that any kernel may use: those of the module and
     * of device functions */
    uint64_t common = 0;
    for (size_t i = 0; i < module->variable_count; i++) {
        if (is_static_shared(module->variables[i])) {
            common = add_bytes(common, module->variables[i]);
        }
    }
    for (size_t i = 0; i < module->function_count; i++) {
        if (!module->functions[i]->entry) {
            common = own_shared(common, module->functions[i]);
        }
    }
    for (size_t i = 0; i < module->function_count; i++) {
        if (module->functions[i]->entry && plan->functions[i].calls &&
            own_shared(common, module->functions[i]) + SHARED_BYTES > STATIC_SHARED_MAX) {
            return false;
        }
    }
    return true;
}
