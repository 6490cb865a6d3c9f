/* SPDX-License-Identifier: BSD-3-Clause
 *
 * functions.c - see functions.h. Two hash tables with open addressing, at most half full. Entries
 * are replaced but never removed.
 */
#include "trace/hooks/functions.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct function {
    const void *pointer;
    const char *name;
    const struct ws_traced_kernel *kernel; /* NULL: not searched yet, or not rewritten */
};

static struct {
    pthread_rwlock_t lock;
    struct function *functions;
    size_t n_functions, function_slots;
    const struct ws_traced_kernel **kernels;
    size_t n_kernels, kernel_slots;
} table = {.lock = PTHREAD_RWLOCK_INITIALIZER};

static size_t pointer_hash(const void *pointer)
{
    return (size_t)((uint64_t)(uintptr_t)pointer * UINT64_C(0x9e3779b97f4a7c15) >> 20);
}

static size_t name_hash(const char *name)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    for (; *name != '\0'; name++) {
        h = (h ^ (uint8_t)*name) * UINT64_C(0x100000001b3);
    }
    return (size_t)(h ^ h >> 32);
}

/* Returns the entry of `pointer`, or the free entry where it belongs. n: number of entries in the
 * table `slots`, a power of two. */
static struct function *function_slot(struct function *slots, size_t n, const void *pointer)
{
    size_t i = pointer_hash(pointer) & (n - 1);
    while (slots[i].pointer != NULL && slots[i].pointer != pointer) {
        i = (i + 1) & (n - 1);
    }
    return &slots[i];
}

/* Like function_slot(), for the mangled name of a kernel. */
static const struct ws_traced_kernel **kernel_slot(const struct ws_traced_kernel **slots, size_t n,
                                                   const char *name)
{
    size_t i = name_hash(name) & (n - 1);
    while (slots[i] != NULL && strcmp(slots[i]->name, name) != 0) {
        i = (i + 1) & (n - 1);
    }
    return &slots[i];
}

static bool functions_grow(void)
{
    size_t n = table.function_slots == 0 ? 64 : 2 * table.function_slots;
    struct function *more = calloc(n, sizeof *more);
    for (size_t i = 0; more != NULL && i < table.function_slots; i++) {
        if (table.functions[i].pointer != NULL) {
            *function_slot(more, n, table.functions[i].pointer) = table.functions[i];
        }
    }
    if (more != NULL) {
        free(table.functions);
        table.functions = more;
        table.function_slots = n;
    }
    return more != NULL;
}

static bool kernels_grow(void)
{
    size_t n = table.kernel_slots == 0 ? 64 : 2 * table.kernel_slots;
    const struct ws_traced_kernel **more = calloc(n, sizeof *more);
    for (size_t i = 0; more != NULL && i < table.kernel_slots; i++) {
        if (table.kernels[i] != NULL) {
            *kernel_slot(more, n, table.kernels[i]->name) = table.kernels[i];
        }
    }
    if (more != NULL) {
        free(table.kernels);
        table.kernels = more;
        table.kernel_slots = n;
    }
    return more != NULL;
}

/* Adds or replaces the entry of a pointer in table.functions. The caller holds the lock for
 * writing. */
static void function_put(const void *pointer, const char *name)
{
    if (2 * table.n_functions >= table.function_slots && !functions_grow()) {
        return;
    }
    struct function *f = function_slot(table.functions, table.function_slots, pointer);
    table.n_functions += f->pointer == NULL;
    *f = (struct function){.pointer = pointer, .name = name};
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
    if (pointer != NULL && table.function_slots > 0) {
        const struct function *f = function_slot(table.functions, table.function_slots, known);
        if (f->pointer != NULL) {
            function_put(pointer, f->name);
        }
    }
    pthread_rwlock_unlock(&table.lock);
}

const struct ws_traced_kernel *ws_function_find(const void *pointer)
{
    const struct ws_traced_kernel *found = NULL;
    pthread_rwlock_rdlock(&table.lock);
    if (pointer != NULL && table.function_slots > 0 && table.kernel_slots > 0) {
        struct function *f = function_slot(table.functions, table.function_slots, pointer);
        found = __atomic_load_n(&f->kernel, __ATOMIC_RELAXED);
        if (found == NULL && f->pointer != NULL) {
            found = *kernel_slot(table.kernels, table.kernel_slots, f->name);
            __atomic_store_n(&f->kernel, found, __ATOMIC_RELAXED);
        }
    }
    pthread_rwlock_unlock(&table.lock);
    return found;
}

const struct ws_traced_kernel *ws_function_named(const char *name)
{
    pthread_rwlock_rdlock(&table.lock);
    const struct ws_traced_kernel *found =
        table.kernel_slots == 0 ? NULL : *kernel_slot(table.kernels, table.kernel_slots, name);
    pthread_rwlock_unlock(&table.lock);
    return found;
}

void warpscope_cuda_kernels(const struct ws_traced_kernel *kernels, size_t count)
{
    pthread_rwlock_wrlock(&table.lock);
    for (size_t i = 0; i < count; i++) {
        if (2 * table.n_kernels >= table.kernel_slots && !kernels_grow()) {
            break;
        }
        const struct ws_traced_kernel **slot =
            kernel_slot(table.kernels, table.kernel_slots, kernels[i].name);
        table.n_kernels += *slot == NULL;
        *slot = &kernels[i];
    }
    pthread_rwlock_unlock(&table.lock);
}
