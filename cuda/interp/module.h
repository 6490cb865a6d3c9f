/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Loaded modules, and their symbols while they are linked.
 */
#ifndef WARPSCOPE_CUDA_INTERP_MODULE_H
#define WARPSCOPE_CUDA_INTERP_MODULE_H

#include "interp/machine.h"

/* A variable at module level, of one or more translation units. */
struct variable {
    char *name;
    enum ptx_linkage linkage;
    enum ptx_space space; /* global, const or shared */
    uint64_t address;     /* of global and const ones */
    uint64_t bytes;
    uint32_t shared; /* number of a shared one */
    uint32_t unit;
    const struct ptx_variable *source;
};

/* One of the modules that are linked together. */
struct unit {
    const struct ptx_module *tree;
    uint32_t *variables; /* by index in the tree: number in module->variables, or UINT32_MAX */
    uint32_t *functions; /* by index in the tree: number in module->functions */
};

struct interp_module {
    struct interp *device;
    struct variable *variables;
    size_t variable_count, variable_room;
    struct interp_kernel **functions; /* kernels and functions */
    size_t function_count, function_room;
    struct shared_variable *shared;
    size_t shared_count, shared_room;
    struct unit *units; /* while it is loaded */
    size_t unit_count;
    uint64_t *extra; /* addresses of variables inside functions */
    size_t extra_count, extra_room;
    struct rule_table *rules;
};

/* Makes room for one more element of an array. Returns false without memory. */
bool grow(void *array, size_t count, size_t *room, size_t element);

/* The function that a symbol of the unit names, or NULL. */
struct function *module_function(const struct interp_module *module, const struct unit *unit,
                                 struct ptx_text name);
const struct variable *module_variable(const struct interp_module *module, const struct unit *unit,
                                       const struct ptx_variable *source, struct ptx_text name);

/* Adds a shared variable; returns its number, UINT32_MAX without memory. */
uint32_t module_add_shared(struct interp_module *module, uint64_t bytes, uint32_t align, bool tool);

/* Allocates and initialises a .global or .const variable inside a function. Returns its address, 0 without room. */
uint64_t module_add_variable(struct interp_module *module, const struct unit *unit,
                             const struct ptx_variable *source);

/* kernels.c: sets facts and shared memory of kernels, once functions are decoded. */
bool kernels_finish(struct interp_module *module, char *error);

/* Writes an initialiser to a variable's memory. Returns false with a message. */
bool module_initialise(const struct interp_module *module, const struct unit *unit,
                       const struct ptx_variable *source, uint64_t address, char *error);

#endif
