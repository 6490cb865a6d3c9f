/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The names of all functions of both interfaces. A function that no other file defines has a weak
 * stub here, which reports its name and fails.
 */
#include "runtime/api.h"

#include <assert.h>

int gpu_refuse(const char *name, const char *why, bool *said)
{
    if (!__atomic_exchange_n(said, true, __ATOMIC_RELAXED)) {
        gpu_say("%s() %s, and fails; a program that needs it runs with a GPU only", name, why);
    }
    return GPU_NOT_SUPPORTED;
}

/* Defines the stub of a function. Callers pass arguments, which the stub does not read. */
#define GPU_NAME(name)                                                                             \
    __attribute__((weak)) int name(void)                                                           \
    {                                                                                              \
        static bool said;                                                                          \
        gpu_thread()->error = GPU_NOT_SUPPORTED;                                                   \
        return gpu_refuse(#name, "is not part of the CUDA library of the PTX interpreter", &said); \
    }
#define GPU_CURRENT(base, form)
#include "runtime/cuda_names.def"
#include "runtime/cudart_names.def"
#undef GPU_NAME
#undef GPU_CURRENT

struct named {
    const char *name;
    int (*function)(void);
};

static const struct named functions[] = {
#define GPU_NAME(name) {#name, name},
#define GPU_CURRENT(base, form)
#include "runtime/cuda_names.def"
#include "runtime/cudart_names.def"
#undef GPU_NAME
#undef GPU_CURRENT
};

struct form {
    const char *base, *newest;
};

static const struct form forms[] = {
#define GPU_NAME(name)
#define GPU_CURRENT(base, form) {#base, #form},
#include "runtime/cuda_names.def"
#undef GPU_NAME
#undef GPU_CURRENT
};

void *gpu_function_named(const char *name, bool newest)
{
    void *address = NULL;
    assert(name != NULL);
    for (size_t i = 0; newest && i < sizeof forms / sizeof *forms; i++) {
        if (strcmp(forms[i].base, name) == 0) {
            name = forms[i].newest;
            break;
        }
    }
    for (size_t i = 0; i < sizeof functions / sizeof *functions && !address; i++) {
        if (strcmp(functions[i].name, name) == 0) {
            memcpy(&address, &functions[i].function, sizeof address);
        }
    }
    return address;
}
