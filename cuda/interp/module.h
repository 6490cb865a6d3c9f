/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Loaded modules, and the tables of their symbols while they are linked.
 */
#ifndef WARPSCOPE_CUDA_INTERP_MODULE_H
#define WARPSCOPE_CUDA_INTERP_MODULE_H

#include "interp/machine.h"

/* A variable at module level. Several units may declare it. */
struct variable {
    char *name;
    enum ptx_linkage linkage;
    enum ptx_space space; /* PTX_GLOBAL, PTX_CONST or PTX_SHARED */
    uint64_t address;     /* address of a global or const variable */
    uint64_t bytes;
    uint32_t shared; /* index of a shared variable in module->shared */
    uint32_t unit;
    const struct ptx_variable *source;
};

/* One of the PTX modules that are linked together. */
struct unit {
    const struct ptx_module *tree;
    /* [i]: index in module->variables of variable i of the syntax tree */
    uint32_t *variables;
};

struct interp_module {
    struct interp *device;
    struct variable *variables;
    size_t variable_count;
    struct interp_kernel **functions; /* kernels and other functions */
    size_t function_count;
    struct shared_variable *shared;
    size_t shared_count;
    struct unit *units; /* NULL once interp_load() has returned */
    size_t unit_count;
    uint64_t *extra; /* addresses of the .global and .const variables that functions declare */
    size_t extra_count;
    struct rule_table *rules;
};

/* Returns the function that a name refers to in the unit, or NULL. */
struct function *module_function(const struct interp_module *module, const struct unit *unit,
                                 struct ptx_text name);
/* Returns the module-level variable that a name refers to in the unit, or NULL. */
const struct variable *module_variable(const struct interp_module *module, const struct unit *unit,
                                       const struct ptx_variable *source, struct ptx_text name);

/* Adds a shared variable to the module. Returns its index in module->shared, or UINT32_MAX if
 * memory is exhausted. */
uint32_t module_add_shared(struct interp_module *module, uint64_t bytes, uint32_t align, bool tool);

/* Allocates and initialises a .global or .const variable that a function declares. Returns its
 * address, or 0 if memory is exhausted. */
uint64_t module_add_variable(struct interp_module *module, const struct unit *unit,
                             const struct ptx_variable *source);

/* kernels.c: computes the facts and the layout of shared memory of each kernel. All functions must
 * be decoded. Returns false if memory is exhausted. */
bool kernels_finish(struct interp_module *module);

/* Returns the arena of a .global or .const variable. */
enum arena_kind module_arena(enum ptx_space space, struct ptx_text name);
/* Returns the size in bytes of a variable's type, and the alignment of the variable. */
uint32_t module_size(struct ptx_type type);
uint32_t module_align(const struct ptx_variable *variable);

/* Writes the initial value of a variable to the variable's memory. Returns false, with an error
 * message in error, if the value is not supported. */
bool module_initialise(const struct interp_module *module, const struct unit *unit,
                       const struct ptx_variable *source, uint64_t address, char *error);

#endif
