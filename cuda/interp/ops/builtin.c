/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Functions of CUDA's device library: vprintf, malloc, free, assertions.
 */
#include "interp/ops/control.h"
#include "interp/ops/print.h"
#include <stdio.h>
#include <string.h>

/* Returns argument n of a lane, or only its first 8 bytes if it is longer. */
static uint64_t argument(const struct warp *warp, const struct call *call, uint32_t n,
                         unsigned lane)
{
    uint64_t value = 0;
    if (n >= call->argument_count) {
        return 0;
    }
    const struct passed *passed = &call->arguments[n];
    uint32_t bytes = passed->bytes ? passed->bytes : passed->width;
    const char *from = passed->bytes
                           ? warp->frame->params + passed->offset +
                                 (size_t)lane * warp->frame->function->param_bytes
                           : (const char *)reg(warp, passed->from) + (size_t)lane * passed->width;
    memcpy(&value, from, bytes < sizeof value ? bytes : sizeof value);
    return value;
}

static void set_result(struct warp *warp, const struct call *call, unsigned lane, uint64_t value)
{
    if (!call->result_count) {
        return;
    }
    const struct passed *passed = &call->results[0];
    uint32_t bytes = passed->bytes ? passed->bytes : passed->width;
    char *to = passed->bytes ? warp->frame->params + passed->offset +
                                   (size_t)lane * warp->frame->function->param_bytes
                             : (char *)reg(warp, passed->from) + (size_t)lane * passed->width;
    memcpy(to, &value, bytes < sizeof value ? bytes : sizeof value);
}

static void print(struct warp *warp, const struct op *op)
{
    const struct call *call = op->extra;
    FOR_MASK(warp->mask, {
        if (warp->launch->end != INTERP_DONE) {
            return;
        }
        set_result(warp, call, i,
                   (uint64_t)print_format(warp, op, i, argument(warp, call, 0, i),
                                          argument(warp, call, 1, i)));
    })
}

static void allocate(struct warp *warp, const struct op *op)
{
    const struct call *call = op->extra;
    FOR_MASK(warp->mask, {
        set_result(warp, call, i,
                   device_alloc(warp->launch->device, ARENA_HEAP, argument(warp, call, 0, i)));
    })
}

static void release(struct warp *warp, const struct op *op)
{
    const struct interp *device = warp->launch->device;
    const struct call *call = op->extra;
    FOR_MASK(warp->mask, {
        uint64_t address = argument(warp, call, 0, i);
        if (address &&
            (address - device->base < HEAP_BEGIN || address - device->base >= MAIN_BEGIN ||
             !device_free(warp->launch->device, address))) {
            fault(warp, op, i, INTERP_BAD_ADDRESS,
                  "free() of address 0x%llx, which malloc() has not returned",
                  (unsigned long long)address);
            return;
        }
    })
}

static void assertion(struct warp *warp, const struct op *op)
{
    const struct call *call = op->extra;
    unsigned lane = (unsigned)__builtin_ctz(warp->mask);
    char message[128];
    char file[128];
    char function[96];
    print_string(warp, lane, argument(warp, call, 0, lane), message, sizeof message);
    print_string(warp, lane, argument(warp, call, 1, lane), file, sizeof file);
    print_string(warp, lane, argument(warp, call, 3, lane), function, sizeof function);
    fault(warp, op, lane, INTERP_TRAP, "assertion `%s' failed at %s:%u in %s", message, file,
          (unsigned)argument(warp, call, 2, lane), function);
}

op_handler builtin_find(struct ptx_text name)
{
    static const struct {
        const char *name;
        op_handler run;
    } functions[] = {
        {"vprintf", print}, {"malloc", allocate}, {"free", release}, {"__assertfail", assertion}};
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        if (ptx_is(name, functions[i].name)) {
            return functions[i].run;
        }
    }
    return NULL;
}
