/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Symbols of modules: the definition that a name stands for, and initial values of variables.
 */
#define _GNU_SOURCE /* for memmem() */
#include "interp/decode.h"
#include "interp/module.h"
#include "store/array.h"
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool decode_tool_name(struct ptx_text name)
{
    return memmem(name.s, name.length, "warpscope", 9) != NULL;
}

/* Returns how well a definition in `unit` serves a name in another one (`from`), or in the same: static
 * ones there first; 0: not at all. */
static int rank_of(enum ptx_linkage linkage, uint32_t unit, uint32_t from)
{
    return linkage == PTX_STATIC ? (unit == from ? 3 : 0) : linkage == PTX_VISIBLE ? 2 : 1;
}

static const struct variable *find_variable(const struct interp_module *module,
                                            const struct unit *unit, struct ptx_text name)
{
    const struct variable *found = NULL;
    int best = 0;
    for (size_t i = 0; i < module->variable_count; i++) {
        const struct variable *variable = &module->variables[i];
        int rank = rank_of(variable->linkage, variable->unit, (uint32_t)(unit - module->units));
        if (rank > best && ptx_is(name, variable->name)) {
            found = variable;
            best = rank;
        }
    }
    return found;
}

const struct variable *module_variable(const struct interp_module *module, const struct unit *unit,
                                       const struct ptx_variable *source, struct ptx_text name)
{
    if (!source) {
        return find_variable(module, unit, name);
    }
    assert(source->index < unit->tree->variable_count);
    uint32_t number = unit->variables[source->index];
    return number == UINT32_MAX ? NULL : &module->variables[number];
}

struct function *module_function(const struct interp_module *module, const struct unit *unit,
                                 struct ptx_text name)
{
    struct function *found = NULL;
    int best = 0;
    for (size_t i = 0; i < unit->tree->function_count; i++) {
        const struct ptx_function *alias = unit->tree->functions[i];
        if (alias->alias && ptx_same(name, alias->name)) {
            name = alias->aliasee;
            break;
        }
    }
    for (size_t i = 0; i < module->function_count; i++) {
        struct function *function = &module->functions[i]->function;
        int rank = rank_of(function->linkage, function->unit, (uint32_t)(unit - module->units));
        if (rank > best && ptx_is(name, function->name)) {
            found = function;
            best = rank;
        }
    }
    return found;
}

uint32_t module_add_shared(struct interp_module *module, uint64_t bytes, uint32_t align, bool tool)
{
    if (!array_append(&module->shared, module->shared_count, sizeof *module->shared)) {
        return UINT32_MAX;
    }
    module->shared[module->shared_count] = (struct shared_variable){bytes, align ? align : 1, tool};
    return (uint32_t)module->shared_count++;
}

uint32_t module_size(struct ptx_type type)
{
    return type.bits <= 8 ? 1 : type.bits / 8u;
}

uint32_t module_align(const struct ptx_variable *variable)
{
    uint32_t natural = module_size(variable->type) * (variable->vector ? variable->vector : 1);
    return variable->align > natural ? variable->align : natural;
}

enum arena_kind module_arena(enum ptx_space space, struct ptx_text name)
{
    return space == PTX_CONST       ? ARENA_CONSTANT
           : decode_tool_name(name) ? ARENA_APART
                                    : ARENA_VARIABLES;
}

uint64_t module_add_variable(struct interp_module *module, const struct unit *unit,
                             const struct ptx_variable *source)
{
    char error[INTERP_ERROR_MAX];
    uint64_t address = device_alloc(module->device, module_arena(source->space, source->name),
                                    source->bytes ? source->bytes : 1);
    if (!address || !array_append(&module->extra, module->extra_count, sizeof *module->extra)) {
        return 0;
    }
    module->extra[module->extra_count++] = address;
    return module_initialise(module, unit, source, address, error) ? address : 0;
}

static bool symbol_address(const struct interp_module *module, const struct unit *unit,
                           struct ptx_text name, uint64_t *address)
{
    const struct variable *variable = find_variable(module, unit, name);
    if (variable) {
        *address = variable->address;
        return variable->space != PTX_SHARED;
    }
    struct function *function = module_function(module, unit, name);
    if (function) {
        function->address_taken = true;
        *address = function->address;
    }
    return function != NULL;
}

bool module_initialise(const struct interp_module *module, const struct unit *unit,
                       const struct ptx_variable *source, uint64_t address, char *error)
{
    uint32_t size = module_size(source->type);
    for (size_t i = 0; i < source->value_count; i++) {
        const struct ptx_value *value = &source->values[i];
        uint64_t bits = value->bits;
        if (value->symbol.length) {
            if (!symbol_address(module, unit, value->symbol, &bits)) {
                snprintf(error, INTERP_ERROR_MAX, "line %u: %.*s in an initialiser is not defined",
                         source->range.line, (int)(value->symbol.length & 0xff), value->symbol.s);
                return false;
            }
            bits += (uint64_t)value->offset;
            if (value->mask_shift >= 0) {
                bits = bits >> value->mask_shift & 0xff;
            }
        }
        if ((i + 1) * size <= source->bytes) {
            memcpy((char *)(uintptr_t)address + i * size, &bits, size < 8 ? size : 8);
        }
    }
    return true;
}
