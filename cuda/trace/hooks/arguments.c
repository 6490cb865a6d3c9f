/* SPDX-License-Identifier: BSD-3-Clause
 *
 * arguments.c - see hooks.h.
 */
#include "trace/hooks/hooks.h"

#include <stdlib.h>
#include <string.h>

#include "trace/say.h"

void ws_arguments_make(struct ws_arguments *a, void *const *given, uint32_t count, uint64_t slot)
{
    a->slot = slot;
    a->many = count < WS_ARGUMENTS_FEW ? NULL : malloc((count + 1) * sizeof *a->many);
    a->all = a->many == NULL ? a->few : a->many;
    if (count >= WS_ARGUMENTS_FEW && a->many == NULL) {
        ws_trace_say("out of memory for the arguments of a kernel");
        abort(); /* a rewritten kernel cannot be launched without its arguments */
    }
    if (count > 0) {
        memcpy(a->all, given, count * sizeof *a->all);
    }
    a->all[count] = &a->slot;
}

void ws_arguments_free(struct ws_arguments *a)
{
    free(a->many);
}
