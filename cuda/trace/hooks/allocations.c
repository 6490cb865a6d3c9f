/* SPDX-License-Identifier: BSD-3-Clause
 *
 * allocations.c - hooks of the functions of CUDA's runtime that allocate and free memory, and that
 * register variables.
 */
#include <pthread.h>

#include "store/array.h"
#include "trace/hooks/cudart.h"
#include "trace/hooks/hooks.h"

#define ALLOCATION(name, parameters, arguments, address, bytes_)                                   \
    int __wrap_##name parameters                                                                   \
    {                                                                                              \
        int error = __real_##name arguments;                                                       \
        if (error == 0) {                                                                          \
            ws_tracer->memory_begins((uint64_t)(uintptr_t)(address), bytes_, #name, NULL);         \
        }                                                                                          \
        return error;                                                                              \
    }
CU_ALLOCATIONS(ALLOCATION)

#define FREE(name, parameters, arguments)                                                          \
    int __wrap_##name parameters                                                                   \
    {                                                                                              \
        ws_tracer->memory_ends((uint64_t)(uintptr_t)memory);                                       \
        return __real_##name arguments;                                                            \
    }
CU_FREES(FREE)

/* ---- Variables ------------------------------------------------------------------------------- */

enum { DEVICES_MAX = 64 };

static struct {
    pthread_mutex_t lock;
    struct variable {
        const void *host;
        const char *name;
    } * list;
    size_t n, noted[DEVICES_MAX]; /* noted: number of variables that are noted, by device */
} variables = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void variable_add(const void *host, const char *name)
{
    pthread_mutex_lock(&variables.lock);
    if (array_append(&variables.list, variables.n, sizeof *variables.list)) {
        variables.list[variables.n++] = (struct variable){host, name};
    }
    pthread_mutex_unlock(&variables.lock);
}

#define REGISTER(function)                                                                         \
    void __wrap_##function CU_VARIABLE_PARAMETERS                                                  \
    {                                                                                              \
        if (!constant) {                                                                           \
            variable_add(host, name);                                                              \
        }                                                                                          \
        __real_##function CU_VARIABLE_ARGUMENTS;                                                   \
    }
CU_VARIABLES(REGISTER)

void ws_variables_note(uint64_t device)
{
    pthread_mutex_lock(&variables.lock);
    if (device < DEVICES_MAX && variables.noted[device] < variables.n) {
        int mode = ws_runtime_calls.relax(WS_RELAXED), before = cudaPeekAtLastError();
        for (size_t i = variables.noted[device]; i < variables.n; i++) {
            const struct variable *v = &variables.list[i];
            void *address;
            size_t bytes;
            if (cudaGetSymbolAddress(&address, v->host) == 0 &&
                cudaGetSymbolSize(&bytes, v->host) == 0) {
                ws_tracer->memory_begins((uint64_t)(uintptr_t)address, bytes, "variable", v->name);
            } else if (before == 0) {
                cudaGetLastError(); /* the program must not see it */
            }
        }
        variables.noted[device] = variables.n;
        ws_runtime_calls.relax(mode);
    }
    pthread_mutex_unlock(&variables.lock);
}
