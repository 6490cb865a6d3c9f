/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Call frames, the values that calls copy, and the local memory of threads.
 */
#include "interp/machine.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { LOCAL_MAX = 512 * 1024, DEPTH_MAX = 65536 };

/* Returns an unused frame of the function, or a new one. All its registers are zero. */
static struct frame *take_frame(struct warp *warp, const struct function *function)
{
    assert(function->module == warp->launch->kernel->module);
    struct frame *frame = warp->launch->spare[function->number];
    size_t bytes = function->register_bytes + (size_t)function->param_bytes * WARP_LANES;
    if (frame) {
        warp->launch->spare[function->number] = frame->next_free;
    } else {
        size_t head = (sizeof *frame + 63) & ~(size_t)63;
        frame = aligned_alloc(64, (head + bytes + 63) & ~(size_t)63);
        if (!frame) {
            return NULL;
        }
        frame->registers = (char *)frame + head;
        frame->params = frame->registers + function->register_bytes;
    }
    memset(frame->registers, 0, bytes);
    return frame;
}

bool frame_room(struct warp *warp, uint32_t bytes)
{
    if (bytes <= warp->local_stride) {
        return true;
    }
    uint32_t stride = warp->local_stride ? warp->local_stride : 256;
    while (stride < bytes) {
        stride *= 2;
    }
    char *bigger = bytes > LOCAL_MAX ? NULL : calloc(WARP_LANES, stride);
    if (!bigger) {
        return false;
    }
    for (unsigned i = 0; i < WARP_LANES && warp->local; i++) {
        memcpy(bigger + (size_t)i * stride, warp->local + (size_t)i * warp->local_stride,
               warp->local_stride);
    }
    free(warp->local);
    warp->local = bigger;
    warp->local_stride = stride;
    return true;
}

struct frame *frame_push(struct warp *warp, const struct function *function, const struct op *call,
                         uint32_t lanes)
{
    assert(lanes != 0 && (lanes & ~warp->live) == 0);
    struct frame *parent = warp->frame;
    uint32_t local_begin = parent ? parent->local_begin + parent->function->facts.local_bytes : 0;
    uint32_t depth = parent ? parent->depth + 1 : 0;
    unsigned lane = (unsigned)__builtin_ctz(lanes);
    struct frame *frame = NULL;
    if (depth <= DEPTH_MAX && frame_room(warp, local_begin + function->facts.local_bytes)) {
        frame = take_frame(warp, function);
    }
    if (!frame) {
        fault(warp, call, lane, INTERP_BAD_ADDRESS,
              "stack overflow at the call of %s: %u calls deep, %u bytes of local memory",
              function->name, depth, local_begin + function->facts.local_bytes);
        return NULL;
    }
    assert(local_begin + function->facts.local_bytes <= warp->local_stride);
    frame->function = function;
    frame->parent = parent;
    frame->call = call;
    frame->lanes = lanes;
    frame->depth = depth;
    frame->order = warp->frames_made++;
    frame->local_begin = local_begin;
    return frame;
}

void frame_leave(struct warp *warp, struct frame *frame, uint32_t lanes)
{
    assert((frame->lanes & lanes) != 0);
    frame->lanes &= ~lanes;
    if (!frame->lanes) {
        frame->next_free = warp->launch->spare[frame->function->number];
        warp->launch->spare[frame->function->number] = frame;
    }
}

struct end frame_end(const struct warp *warp, const struct frame *frame,
                     const struct interp_parameter *p)
{
    char *at = frame_array(warp, frame, p->from);
    return p->bytes
               ? (struct end){frame->params + p->offset, frame->function->param_bytes, p->bytes}
           : p->width == 1 ? (struct end){at, 0, sizeof(uint32_t)}
                           : (struct end){at, p->width, p->width};
}
