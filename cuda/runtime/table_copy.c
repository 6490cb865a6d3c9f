/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Copies and fills.
 */
#include "runtime/api.h"

static int copy(struct call *c, struct gpu_copy copy)
{
    return call_stream(c, c->handle) ?: gpu_copy(c->stream, &copy, c->wait);
}

static struct gpu_copy line(const void *to, const void *from, size_t bytes, int kind)
{
    return (struct gpu_copy){.to = address_of(to),
                             .from = address_of(from),
                             .width = bytes,
                             .height = 1,
                             .depth = 1,
                             .kind = kind};
}

static int copy2d(struct call *c, void *to, size_t to_pitch, const void *from, size_t from_pitch,
                  size_t width, size_t height, int kind)
{
    struct gpu_copy area = line(to, from, width, kind);
    area.to_pitch = to_pitch;
    area.from_pitch = from_pitch;
    area.height = height;
    return CHECK(width <= to_pitch && width <= from_pitch, GPU_INVALID_PITCH) ?: copy(c, area);
}

static int copy3d(struct call *c, const struct runtime_copy3d *p)
{
    if (!p || p->from_array || p->to_array) {
        return p ? GPU_NOT_SUPPORTED : GPU_INVALID_VALUE;
    }
    struct gpu_copy area = line(p->to.pointer, p->from.pointer, p->extent.width, p->kind);
    area.height = p->extent.height;
    area.depth = p->extent.depth;
    area.to_pitch = p->to.pitch;
    area.from_pitch = p->from.pitch;
    area.to_slice = p->to.pitch * p->to.height;
    area.from_slice = p->from.pitch * p->from.height;
    area.to +=
        p->to_position[2] * area.to_slice + p->to_position[1] * area.to_pitch + p->to_position[0];
    area.from += p->from_position[2] * area.from_slice + p->from_position[1] * area.from_pitch +
                 p->from_position[0];
    return copy(c, area);
}

static int driver_copy2d(struct call *c, const struct driver_copy2d *p)
{
    enum { HOST = 1, ARRAY = 3 };
    if (!p || p->from_type == ARRAY || p->to_type == ARRAY) {
        return p ? GPU_NOT_SUPPORTED : GPU_INVALID_VALUE;
    }
    size_t to_pitch = p->to_pitch ? p->to_pitch : p->width;
    size_t from_pitch = p->from_pitch ? p->from_pitch : p->width;
    const char *to = p->to_type == HOST ? p->to_host : pointer_to(p->to_device);
    const char *from = p->from_type == HOST ? p->from_host : pointer_to(p->from_device);
    return copy2d(c, (void *)(to + p->to_y * to_pitch + p->to_x), to_pitch,
                  from + p->from_y * from_pitch + p->from_x, from_pitch, p->width, p->height,
                  COPY_DEFAULT);
}

/* Copies to (inward) or from a part of a variable. */
static int copy_part(struct call *c, bool inward, const void *symbol, size_t offset,
                     struct gpu_copy part)
{
    uint64_t address, size;
    bool right = part.kind == (inward ? COPY_HOST_DEVICE : COPY_DEVICE_HOST) ||
                 part.kind == COPY_DEVICE_DEVICE || part.kind == COPY_DEFAULT;
    int code = gpu_symbol(symbol, &address, &size)
                   ?: NEED(offset <= size && part.width <= size - offset)
                   ?: CHECK(right, GPU_INVALID_DIRECTION);
    *(inward ? &part.to : &part.from) = code ? 0 : address + offset;
    return code ?: copy(c, part);
}

COPY(cudaMemcpy, cudaMemcpyAsync, false, (void *to, const void *from, size_t bytes, int kind),
     copy(&c, line(to, from, bytes, kind)))
COPY(cuMemcpy, cuMemcpyAsync, true, (void *to, const void *from, size_t bytes),
     copy(&c, line(to, from, bytes, COPY_DEFAULT)))
COPY(cuMemcpyHtoD_v2, cuMemcpyHtoDAsync_v2, true, (void *to, const void *from, size_t bytes),
     copy(&c, line(to, from, bytes, COPY_HOST_DEVICE)))
COPY(cuMemcpyDtoH_v2, cuMemcpyDtoHAsync_v2, true, (void *to, const void *from, size_t bytes),
     copy(&c, line(to, from, bytes, COPY_DEVICE_HOST)))
COPY(cuMemcpyDtoD_v2, cuMemcpyDtoDAsync_v2, true, (void *to, const void *from, size_t bytes),
     copy(&c, line(to, from, bytes, COPY_DEVICE_DEVICE)))
COPY(cudaMemcpyPeer, cudaMemcpyPeerAsync, false,
     (void *to, int to_device, const void *from, int from_device, size_t bytes),
     copy(&c, line(to, from, bytes, COPY_DEFAULT)))
COPY(cuMemcpyPeer, cuMemcpyPeerAsync, true,
     (void *to, void *to_context, const void *from, void *from_context, size_t bytes),
     copy(&c, line(to, from, bytes, COPY_DEFAULT)))
COPY(cudaMemcpy2D, cudaMemcpy2DAsync, false,
     (void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
      int kind),
     copy2d(&c, to, to_pitch, from, from_pitch, width, height, kind))
COPY(cuMemcpy2D_v2, cuMemcpy2DAsync_v2, true, (const struct driver_copy2d *p), driver_copy2d(&c, p))
ALIAS(cuMemcpy2DUnaligned_v2, cuMemcpy2D_v2)
ALIAS(cuMemcpy2DUnaligned_v2_ptds, cuMemcpy2D_v2_ptds)
COPY(cudaMemcpy3D, cudaMemcpy3DAsync, false, (const struct runtime_copy3d *p), copy3d(&c, p))
COPY(cudaMemcpyToSymbol, cudaMemcpyToSymbolAsync, false,
     (const void *symbol, const void *from, size_t bytes, size_t offset, int kind),
     copy_part(&c, true, symbol, offset, line(NULL, from, bytes, kind)))
COPY(cudaMemcpyFromSymbol, cudaMemcpyFromSymbolAsync, false,
     (void *to, const void *symbol, size_t bytes, size_t offset, int kind),
     copy_part(&c, false, symbol, offset, line(to, NULL, bytes, kind)))

/* ---- Fills ----------------------------------------------------------------------------------- */

static int fill(struct call *c, struct gpu_fill fill)
{
    return call_stream(c, c->handle) ?: gpu_fill(c->stream, &fill, c->wait);
}

#define AREA(memory, number, bytes, ...)                                                           \
    ((struct gpu_fill){.to = address_of(memory), .value = number, .unit = bytes, __VA_ARGS__})
#define FILL(bits, type)                                                                           \
    COPY(cuMemsetD##bits##_v2, cuMemsetD##bits##Async, true, (void *to, type value, size_t count), \
         fill(&c, AREA(to, value, bits / 8, .width = count, .height = 1, .depth = 1)))             \
    COPY(cuMemsetD2D##bits##_v2, cuMemsetD2D##bits##Async, true,                                   \
         (void *to, size_t pitch, type value, size_t width, size_t height),                        \
         fill(&c, AREA(to, value, bits / 8, .pitch = pitch, .width = width, .height = height,      \
                       .depth = 1)))

FILL(8, unsigned char)
FILL(16, unsigned short)
FILL(32, unsigned)
COPY(cudaMemset, cudaMemsetAsync, false, (void *to, int value, size_t bytes),
     fill(&c, AREA(to, (uint32_t)value & 0xff, 1, .width = bytes, .height = 1, .depth = 1)))
COPY(cudaMemset2D, cudaMemset2DAsync, false,
     (void *to, size_t pitch, int value, size_t width, size_t height),
     fill(&c, AREA(to, (uint32_t)value & 0xff, 1, .pitch = pitch, .width = width, .height = height,
                   .depth = 1)))
COPY(cudaMemset3D, cudaMemset3DAsync, false,
     (struct runtime_pitched p, int value, struct runtime_extent e),
     fill(&c,
          AREA(p.pointer, (uint32_t)value & 0xff, 1, .pitch = p.pitch, .slice = p.pitch * p.height,
               .width = e.width, .height = e.height, .depth = e.depth)))
