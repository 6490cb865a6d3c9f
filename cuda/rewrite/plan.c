/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The first pass of the rewriter; see plan.h.
 */
#define _GNU_SOURCE /* required for memmem() */
#include "rewrite/plan.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rewrite/access.h"
#include "rewrite/rewrite.h"
#include "trace/slot.h"

/* ---- Limits that prevent tracing of kernels and functions ------------------------------------ */

enum {
    /* Maximum size in bytes of a kernel's parameters up to ISA 8.0. */
    PARAMETERS_MAX = 4352,
    /* maximum size in bytes of a kernel's parameters from ISA 8.1 on */
    LARGE_PARAMETERS_MAX = 32764,
    LARGE_PARAMETERS_VERSION = 81,
    STATIC_SHARED_MAX = 48 << 10,
    ABI_VERSION = 30, /* version that has calls with a stack */
    SHARED_BYTES = 16 /* size in bytes of DEVICE_SHARED */
};

/* Returns the reason why the kernel cannot have another parameter, or NULL. */
static const char *limits_of_parameters(const struct ptx_module *module,
                                        const struct ptx_function *kernel)
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

static void launched(struct plan *plan, const struct ptx_function *function)
{
    if (function != NULL && function->entry && function->body) {
        plan->functions[function->index].reason =
            "its address is taken, so kernels may launch it without a slot";
    }
}

static void look_at_operands(struct plan *plan, const struct ptx_operand *operands, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        launched(plan, operands[i].function);
        look_at_operands(plan, operands[i].parts, operands[i].part_count);
    }
}

/* Sets `reason` in the plan of each kernel whose address the module takes: other kernels may launch
 * it without the hidden parameter. */
static void limits_find_launched(struct plan *plan, const struct ptx_module *module)
{
    for (size_t i = 0; i < module->variable_count; i++) {
        const struct ptx_variable *variable = module->variables[i];
        for (size_t k = 0; k < variable->value_count; k++) {
            launched(plan, variable->values[k].function);
        }
    }
    for (size_t i = 0; i < module->function_count; i++) {
        const struct ptx_function *function = module->functions[i];
        for (size_t k = 0; k < function->statement_count; k++) {
            const struct ptx_instruction *instruction = function->statements[k].instruction;
            if (instruction != NULL) {
                look_at_operands(plan, instruction->operands, instruction->operand_count);
            }
        }
    }
}

/* ---- Shared memory ---------------------------------------------------------------------------- */

/* Returns `sum` plus the sizes in bytes of those of n variables that are in static shared memory, and of the padding
 * before each. Limits sizes and padding, so that the result cannot overflow. */
static uint64_t add_shared(uint64_t sum, struct ptx_variable *const *variables, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct ptx_variable *v = variables[i];
        uint64_t bytes = v->bytes > STATIC_SHARED_MAX ? STATIC_SHARED_MAX : v->bytes;
        uint64_t align = v->align == 0 ? 16 : v->align > 4096 ? 4096 : v->align;
        if (v->space == PTX_SHARED && v->linkage != PTX_EXTERN) {
            sum = (sum + align - 1) / align * align + bytes;
        }
    }
    return sum;
}

/* Returns false if a kernel that calls functions has too little static shared memory left for the
 * address of the slot. */
static bool limits_have_shared(const struct ptx_module *module, const struct plan *plan)
{
    /* total size in bytes of the shared variables that any kernel may use: those of the module and
     * of device functions */
    uint64_t common = add_shared(0, module->variables, module->variable_count);
    for (size_t i = 0; i < module->function_count; i++) {
        const struct ptx_function *f = module->functions[i];
        common = f->entry ? common : add_shared(common, f->variables, f->variable_count);
    }
    for (size_t i = 0; i < module->function_count; i++) {
        const struct ptx_function *f = module->functions[i];
        if (f->entry && plan->functions[i].calls &&
            add_shared(common, f->variables, f->variable_count) + SHARED_BYTES >
                STATIC_SHARED_MAX) {
            return false;
        }
    }
    return true;
}

/* ---- Functions ------------------------------------------------------------------------------- */

static bool ends_with(struct ptx_text text, const char *end)
{
    size_t length = strlen(end);
    return text.length >= length && memcmp(text.s + text.length - length, end, length) == 0;
}

bool plan_is_rewritten(const struct ptx_function *kernel)
{
    return kernel->entry && kernel->parameter_count > 0 &&
           ends_with(kernel->parameters[kernel->parameter_count - 1]->name, WS_HIDDEN_PARAMETER);
}

const struct ptx_operand *plan_callee(const struct ptx_instruction *call)
{
    uint32_t at = call->operand_count > 0 && call->operands[0].kind == PTX_LIST;
    return at < call->operand_count ? &call->operands[at] : NULL;
}

static bool is_supported(const struct ptx_module *module, char *error)
{
    if (module->address_bits != 64) {
        snprintf(error, PTX_ERROR_MAX,
                 "the module has addresses of 32 bits; only 64 bits can be traced");
        return false;
    }
    if (ptx_target_number(module->target) == 0) {
        int length = module->target.length < 40 ? (int)module->target.length : 40;
        snprintf(error, PTX_ERROR_MAX, "the module's target is %.*s; traces need sm_%d or later",
                 length, module->target.s, DEVICE_SM);
        return false;
    }
    return true;
}

/* Returns true for a function of the CUDA system, which does not call functions of the program. */
static bool is_system(struct ptx_text name)
{
    return ptx_is(name, "vprintf") || ptx_is(name, "malloc") || ptx_is(name, "free") ||
           ptx_is(name, "__assertfail");
}

/* Finds the calls in a function, and the accesses in it that can be traced. */
static void look_at(struct plan_function *mine, const struct ptx_function *function)
{
    for (size_t i = 0; i < function->statement_count; i++) {
        const struct ptx_instruction *instruction = function->statements[i].instruction;
        if (instruction == NULL) {
            continue;
        }
        struct access access = access_of(instruction);
        if (access.kind == ACCESS_TRACED) {
            mine->generic |= access.generic;
            mine->global |= !access.generic;
            mine->matrix |= access.matrix.lines > 0;
        } else if (access.kind == ACCESS_NONE && ptx_is(instruction->word, "call")) {
            const struct ptx_operand *callee = plan_callee(instruction);
            mine->calls |= callee != NULL && !is_system(callee->name);
        }
    }
}

const char rewrite_left_out[] = "it is not among the chosen kernels";

/* Returns true if a name contains a word of the list, or if the list is empty. */
static bool is_chosen(struct ptx_text name, const char *list)
{
    bool any = false;
    for (const char *word = list; word != NULL && *word != '\0'; word += *word == ',') {
        size_t length = strcspn(word, ",");
        any |= length > 0;
        if (length > 0 && memmem(name.s, name.length, word, length) != NULL) {
            return true;
        }
        word += length;
    }
    return !any;
}

/* Decides which kernels receive the hidden parameter. Counts all kernels that the module
 * defines. */
static void hide_parameters(struct plan *plan, const struct ptx_module *module, const char *kernels)
{
    for (size_t i = 0; i < module->function_count; i++) {
        const struct ptx_function *kernel = module->functions[i];
        struct plan_function *mine = &plan->functions[i];
        if (kernel->entry && kernel->body) {
            plan->kernel_count++;
            if (!is_chosen(kernel->name, kernels)) {
                mine->reason = rewrite_left_out;
            } else if (mine->reason == NULL) {
                mine->reason = limits_of_parameters(module, kernel);
            }
            mine->traced = mine->hidden = mine->reason == NULL;
        }
    }
}

/* Adds the hidden parameter to declarations of kernels whose definitions have it. */
static void hide_in_declarations(struct plan *plan, const struct ptx_module *module)
{
    for (size_t i = 0; i < module->function_count; i++) {
        const struct ptx_function *kernel = module->functions[i];
        for (size_t k = 0; kernel->entry && !kernel->body && k < module->function_count; k++) {
            if (plan->functions[k].traced && module->functions[k]->entry &&
                ptx_same(module->functions[k]->name, kernel->name)) {
                plan->functions[i].hidden = true;
            }
        }
    }
}

/* Decides which device functions are traced, and which kernels store the slot's address for device
 * functions. */
static void share_slot(struct plan *plan, const struct ptx_module *module)
{
    static const char full[] =
        "a kernel of the module that calls functions uses all static shared memory";
    bool room = limits_have_shared(module, plan);
    for (size_t i = 0; i < module->function_count; i++) {
        const struct ptx_function *function = module->functions[i];
        struct plan_function *mine = &plan->functions[i];
        if (!function->body) {
            continue;
        }
        bool accesses = mine->global || mine->generic;
        if (function->entry) {
            mine->stores = mine->calls && room;
        } else {
            mine->traced = accesses && room;
            mine->reason = accesses && !room ? full : NULL;
        }
        assert(!mine->traced || mine->reason == NULL);
        plan->uses.records |= mine->traced && accesses;
        plan->uses.generic |= mine->traced && mine->generic;
        plan->uses.shared |= mine->stores || (!function->entry && mine->traced);
    }
}

static void find_rewritten(struct plan *plan, const struct ptx_module *module)
{
    for (size_t i = 0; i < module->function_count; i++) {
        const struct ptx_function *function = module->functions[i];
        plan->already |= plan_is_rewritten(function) || ptx_is(function->name, DEVICE_RECORD);
    }
}

bool plan_make(struct plan *plan, const struct ptx_module *module, const char *kernels, char *error)
{
    *plan = (struct plan){0};
    find_rewritten(plan, module);
    if (!plan->already && !is_supported(module, error)) {
        return false;
    }
    plan->functions = calloc(module->function_count + 1, sizeof *plan->functions);
    if (plan->functions == NULL) {
        snprintf(error, PTX_ERROR_MAX, "out of memory");
        return false;
    }
    limits_find_launched(plan, module);
    for (size_t i = 0; i < module->function_count; i++) {
        if (module->functions[i]->body) {
            look_at(&plan->functions[i], module->functions[i]);
        }
    }
    hide_parameters(plan, module, kernels);
    hide_in_declarations(plan, module);
    share_slot(plan, module);
    for (size_t i = 0;
         plan->uses.records && module->version < ABI_VERSION && i < module->variable_count; i++) {
        const struct ptx_variable *v = module->variables[i];
        if (v->space == PTX_LOCAL) {
            snprintf(error, PTX_ERROR_MAX,
                     "line %u: variables in .local outside of functions end with PTX 3.0; traces "
                     "need PTX 6.3",
                     v->range.line);
            plan_free(plan);
            return false;
        }
    }
    return true;
}

void plan_free(struct plan *plan)
{
    free(plan->functions);
    plan->functions = NULL;
}
