/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Faults: errors of a kernel, which end its launch.
 */
#include "interp/machine.h"
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void fault(struct warp *warp, const struct op *op, unsigned lane, enum interp_end end,
           const char *format, ...)
{
    struct launch *launch = warp->launch;
    assert(lane < WARP_LANES && end != INTERP_DONE);
    warp_reschedule(warp);
    if (launch->end != INTERP_DONE) {
        return; /* only the first fault is reported */
    }
    launch->end = end;
    const uint32_t *block = launch->options->block, *id = warp->cta->id;
    uint32_t thread = warp->number * WARP_LANES + lane;
    const struct function *function = warp->frame ? warp->frame->function : launch->kernel;
    char text[INTERP_ERROR_MAX];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    snprintf(launch->error, INTERP_ERROR_MAX,
             "%.300s; kernel %.80s, CTA (%u,%u,%u), thread (%u,%u,%u), line %u of the PTX%s%.60s",
             text, launch->kernel->name, id[0], id[1], id[2], thread % block[0],
             thread / block[0] % block[1], thread / block[0] / block[1], op ? op->line : 0,
             function == launch->kernel ? "" : ", in ",
             function == launch->kernel ? "" : function->name);
}

void fault_unsupported(struct warp *warp, const struct op *op)
{
    const char *name = op->extra ? op->extra : "?";
    bool launches = strstr(name, "cudaLaunchDevice") || strstr(name, "cudaGetParameterBuffer") ||
                    strstr(name, "cudaCDP2");
    fault(warp, op, (unsigned)__builtin_ctz(warp->mask), INTERP_UNSUPPORTED,
          "the interpreter cannot execute %s with its operands here%s", name,
          launches ? ": it has no dynamic parallelism; launch the kernel from the host instead"
                   : "");
}
