/* SPDX-License-Identifier: BSD-3-Clause
 *
 * real.c - definitions of __real_X for programs that are linked without --wrap=X, see cudart.h. The
 * linker takes this file from the archive only for such programs. The file must not contain
 * anything else.
 */
#include "trace/hooks/cudart.h"

#define DEFINE(name, parameters, arguments)                                                        \
    int name parameters;                                                                           \
    int __real_##name parameters                                                                   \
    {                                                                                              \
        return name arguments;                                                                     \
    }

#define DEFINE_LAUNCH(name, parameters, arguments, handle)                                         \
    DEFINE(name, parameters, arguments) DEFINE(name##_ptsz, parameters, arguments)

#define DEFINE_ALLOCATION(name, parameters, arguments, address, size)                              \
    DEFINE(name, parameters, arguments)

CU_LAUNCHES(DEFINE_LAUNCH)
CU_ALLOCATIONS(DEFINE_ALLOCATION)
CU_OTHERS(DEFINE)

extern void __cudaRegisterFunction CU_REGISTER_PARAMETERS;

void __real___cudaRegisterFunction CU_REGISTER_PARAMETERS
{
    __cudaRegisterFunction CU_REGISTER_ARGUMENTS;
}

#define DEFINE_VARIABLE(name)                                                                      \
    extern void name CU_VARIABLE_PARAMETERS;                                                       \
    void __real_##name CU_VARIABLE_PARAMETERS                                                      \
    {                                                                                              \
        name CU_VARIABLE_ARGUMENTS;                                                                \
    }
CU_VARIABLES(DEFINE_VARIABLE)
