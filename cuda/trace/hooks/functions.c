/* SPDX-License-Identifier: BSD-3-Clause
 *
 * functions.c - see hooks.h. Entries are replaced but never removed.
 */
#include "trace/hooks/hooks.h"

#include <pthread.h>
#include <stdbool.h>

#define MAP(part) function_map##part
#define MAP_KEY   uint64_t
#include "store/map.h"

struct function {
    const char *name;
    const struct ws_traced_kernel *kernel; /* NULL: not searched yet, or not rewritten */
};

static struct {
    pthread_rwlock_t lock;
    struct function_map functions; /* key: pointer; value: struct function */
    const struct ws_traced_kernel **kernels;
    struct index by_name; /* finds the entries of kernels */
} table = {.lock = PTHREAD_RWLOCK_INITIALIZER};

static uint32_t name_hash(const char *name)
{
    return index_hash(ws_trace_hash(name));
}

/* Returns the entry of a kernel by its mangled name, or NULL. */
static const struct ws_traced_kernel **kernel_entry(const char *name)
{
    uint32_t hash = name_hash(name), i;
    for (uint32_t at = hash; index_next(&table.by_name, hash, &at, &i);) {
        if (strcmp(table.kernels[i]->name, name) == 0) {
            return &table.kernels[i];
        }
    }
    return NULL;
}

/* Adds or replaces the entry of a pointer. The caller holds the lock for writing. */
static void function_put(const void *pointer, const char *name)
{
    struct function *f = function_map_get(&table.functions, (uintptr_t)pointer);
    if (f == NULL && (f = malloc(sizeof *f)) != NULL &&
        !function_map_set(&table.functions, (uintptr_t)pointer, f)) {
        free(f);
        f = NULL;
    }
    if (f != NULL) {
        *f = (struct function){.name = name};
    }
}

void ws_function_note(const void *pointer, const char *name)
{
    if (pointer != NULL) {
        pthread_rwlock_wrlock(&table.lock);
        function_put(pointer, name);
        pthread_rwlock_unlock(&table.lock);
    }
}

void ws_function_copy(const void *pointer, const void *known)
{
    pthread_rwlock_wrlock(&table.lock);
    const struct function *f = function_map_get(&table.functions, (uintptr_t)known);
    if (pointer != NULL && f != NULL) {
        function_put(pointer, f->name);
    }
    pthread_rwlock_unlock(&table.lock);
}

const struct ws_traced_kernel *ws_function_find(const void *pointer)
{
    const struct ws_traced_kernel *found = NULL;
    pthread_rwlock_rdlock(&table.lock);
    struct function *f = function_map_get(&table.functions, (uintptr_t)pointer);
    if (f != NULL) {
        found = __atomic_load_n(&f->kernel, __ATOMIC_RELAXED);
        const struct ws_traced_kernel **entry = found == NULL ? kernel_entry(f->name) : NULL;
        if (entry != NULL) {
            found = *entry;
            __atomic_store_n(&f->kernel, found, __ATOMIC_RELAXED);
        }
    }
    pthread_rwlock_unlock(&table.lock);
    return found;
}

const struct ws_traced_kernel *ws_function_named(const char *name)
{
    pthread_rwlock_rdlock(&table.lock);
    const struct ws_traced_kernel **entry = kernel_entry(name), *found = NULL;
    if (entry != NULL) {
        found = *entry;
    }
    pthread_rwlock_unlock(&table.lock);
    return found;
}

void warpscope_traced_kernels(const struct ws_traced_kernel *kernels, size_t count)
{
    pthread_rwlock_wrlock(&table.lock);
    for (size_t i = 0; i < count; i++) {
        const struct ws_traced_kernel **entry = kernel_entry(kernels[i].name);
        uint32_t n = table.by_name.n;
        if (entry == NULL && array_append(&table.kernels, n, sizeof *entry) &&
            index_add(&table.by_name, name_hash(kernels[i].name), n)) {
            entry = &table.kernels[n];
        }
        if (entry != NULL) {
            *entry = &kernels[i];
        }
    }
    pthread_rwlock_unlock(&table.lock);
}
