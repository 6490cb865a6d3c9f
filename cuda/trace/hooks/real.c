/* SPDX-License-Identifier: BSD-3-Clause
 *
 * real.c - definitions of __real_X for programs that are linked without --wrap=X, see cudart.h. The
 * linker takes this file from the archive only for such programs. The file must not contain
 * anything else.
 */
#include "trace/hooks/cudart.h"

#define DEFINE(name, parameters, arguments)                                                        \
    extern cu_error name parameters;                                                               \
    cu_error __real_##name parameters                                                              \
    {                                                                                              \
        return name arguments;                                                                     \
    }

CU_LAUNCHES(DEFINE)
CU_OTHERS(DEFINE)

extern void __cudaRegisterFunction CU_REGISTER_PARAMETERS;

void __real___cudaRegisterFunction CU_REGISTER_PARAMETERS
{
    __cudaRegisterFunction CU_REGISTER_ARGUMENTS;
}
