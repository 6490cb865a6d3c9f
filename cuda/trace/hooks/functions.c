/* SPDX-License-Identifier: BSD-3-Clause
 *
 * functions.c - see hooks.h. Two hash tables with open addressing, at most half full. Entries
 * are replaced but never removed.
 */
#include "trace/hooks/hooks.h"

#include <assert.h>
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
    size_t n_functions, function_room; /* numbers of used entries and of all entries */
    const struct ws_traced_kernel **kernels;
    size_t n_kernels, kernel_room;
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

/* Returns the entry of `pointer`, or the free entry where it belongs. n: number of entries, a power
 * of two. */
static struct function *function_entry(struct function *entries, size_t n, const void *pointer)
{
    assert(n > 0 && (n & (n - 1)) == 0);
    size_t i = pointer_hash(pointer) & (n - 1);
    while (entries[i].pointer != NULL && entries[i].pointer != pointer) {
        i = (i + 1) & (n - 1);
    }
    return &entries[i];
}

/* Like function_entry(), for the mangled name of a kernel. */
static const struct ws_traced_kernel **kernel_entry(const struct ws_traced_kernel **entries,
                                                    size_t n, const char *name)
{
    assert(n > 0 && (n & (n - 1)) == 0);
    size_t i = name_hash(name) & (n - 1);
    while (entries[i] != NULL && strcmp(entries[i]->name, name) != 0) {
        i = (i + 1) & (n - 1);
    }
    return &entries[i];
}

static bool functions_grow(void)
{
    size_t n = table.function_room == 0 ? 64 : 2 * table.function_room;
    struct function *more = calloc(n, sizeof *more);
    for (size_t i = 0; more != NULL && i < table.function_room; i++) {
        if (table.functions[i].pointer != NULL) {
            *function_entry(more, n, table.functions[i].pointer) = table.functions[i];
        }
    }
    if (more != NULL) {
        free(table.functions);
        table.functions = more;
        table.function_room = n;
    }
    return more != NULL;
}

static bool kernels_grow(void)
{
    size_t n = table.kernel_room == 0 ? 64 : 2 * table.kernel_room;
    const struct ws_traced_kernel **more = calloc(n, sizeof *more);
    for (size_t i = 0; more != NULL && i < table.kernel_room; i++) {
        if (table.kernels[i] != NULL) {
            *kernel_entry(more, n, table.kernels[i]->name) = table.kernels[i];
        }
    }
    if (more != NULL) {
        free(table.kernels);
        table.kernels = more;
        table.kernel_room = n;
    }
    return more != NULL;
}

/* Adds or replaces the entry of a pointer in table.functions. The caller holds the lock for
 * writing. */
static void function_put(const void *pointer, const char *name)
{
    if (2 * table.n_functions >= table.function_room && !functions_grow()) {
        return;
    }
    assert(table.n_functions < table.function_room); /* a search ends at a free entry */
    struct function *f = function_entry(table.functions, table.function_room, pointer);
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
    if (pointer != NULL && table.function_room > 0) {
        const struct function *f = function_entry(table.functions, table.function_room, known);
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
    if (pointer != NULL && table.function_room > 0 && table.kernel_room > 0) {
        struct function *f = function_entry(table.functions, table.function_room, pointer);
        found = __atomic_load_n(&f->kernel, __ATOMIC_RELAXED);
        if (found == NULL && f->pointer != NULL) {
            found = *kernel_entry(table.kernels, table.kernel_room, f->name);
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
        table.kernel_room == 0 ? NULL : *kernel_entry(table.kernels, table.kernel_room, name);
    pthread_rwlock_unlock(&table.lock);
    return found;
}

void warpscope_traced_kernels(const struct ws_traced_kernel *kernels, size_t count)
{
    pthread_rwlock_wrlock(&table.lock);
    for (size_t i = 0; i < count; i++) {
        if (2 * table.n_kernels >= table.kernel_room && !kernels_grow()) {
            break;
        }
        assert(table.n_kernels < table.kernel_room);
        const struct ws_traced_kernel **entry =
            kernel_entry(table.kernels, table.kernel_room, kernels[i].name);
        table.n_kernels += *entry == NULL;
        *entry = &kernels[i];
    }
    pthread_rwlock_unlock(&table.lock);
}
