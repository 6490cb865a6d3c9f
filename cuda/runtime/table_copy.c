/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Copies and fills.
 */
#include "runtime/api.h"

static int copy(struct call *c, struct gpu_copy copy)
{
    return call_stream(c, c->handle) ?: gpu_copy(c->stream, &copy, c->wait);
}

struct gpu_copy copy_line(const void *to, const void *from, size_t bytes, int kind)
{
    return (struct gpu_copy){.to = address_of(to),
                             .from = address_of(from),
                             .width = bytes,
                             .height = 1,
                             .depth = 1,
                             .kind = kind};
}

/* One end of a copy: an address, and distances in bytes. */
struct end {
    uint64_t address;
    size_t pitch, slice;
};

/* Returns the end of a copy at a position (bytes, rows, slices) in an array, or else in memory. */
static struct end end_at(const struct gpu_array *array, void *memory, size_t pitch, size_t slice,
                         size_t x, size_t y, size_t z)
{
    struct end e = {array ? array->address : address_of(memory), array ? array->pitch : pitch,
                    array ? array->slice : slice};
    e.address += z * e.slice + y * e.pitch + x;
    return e;
}

static struct gpu_copy between(struct end to, struct end from, size_t width, size_t height,
                               size_t depth, int kind)
{
    return (struct gpu_copy){to.address, from.address, to.pitch, from.pitch, to.slice,
                             from.slice, width,        height,   depth,      kind};
}

static int copy2d(struct call *c, struct end to, struct end from, size_t width, size_t height,
                  int kind)
{
    return CHECK(width <= to.pitch && width <= from.pitch, GPU_INVALID_PITCH)
               ?: copy(c, between(to, from, width, height, 1, kind));
}

static int are_arrays(const struct gpu_array *a, const struct gpu_array *b)
{
    return NEED((!a || gpu_handle_known(a, GPU_ARRAY)) && (!b || gpu_handle_known(b, GPU_ARRAY)));
}

static struct end runtime_end(const struct runtime_place *p)
{
    size_t unit = p->array ? p->array->texel : 1;
    return end_at(p->array, p->memory.pointer, p->memory.pitch, p->memory.pitch * p->memory.height,
                  p->position[0] * unit, p->position[1], p->position[2]);
}

int copy_runtime3d(const struct runtime_copy3d *p, struct gpu_copy *copy)
{
    TRY(NEED(p) ?: are_arrays(p->from.array, p->to.array));
    const struct gpu_array *array = p->from.array ? p->from.array : p->to.array;
    *copy = between(runtime_end(&p->to), runtime_end(&p->from),
                    p->extent.width * (array ? array->texel : 1), p->extent.height, p->extent.depth,
                    p->kind);
    return GPU_OK;
}

/* width: of the copy in bytes, which is the pitch if there is no other. */
static struct end driver_end(const struct driver_place3d *p, size_t width, size_t height)
{
    enum { HOST = 1, ARRAY = 3 };
    size_t pitch = p->pitch ? p->pitch : width;
    return end_at(p->type == ARRAY ? p->array : NULL, p->type == HOST ? p->host : p->device, pitch,
                  pitch * (p->height ? p->height : height), p->x, p->y, p->z);
}

int copy_driver3d(const struct driver_copy3d *p, struct gpu_copy *copy)
{
    enum { ARRAY = 3 };
    TRY(NEED(p)
            ?: are_arrays(p->from.type == ARRAY ? p->from.array : NULL,
                          p->to.type == ARRAY ? p->to.array : NULL));
    *copy =
        between(driver_end(&p->to, p->width, p->height), driver_end(&p->from, p->width, p->height),
                p->width, p->height, p->depth, COPY_DEFAULT);
    return NEED(copy->to_pitch >= p->width && copy->from_pitch >= p->width);
}

static struct driver_place3d place3d(const struct driver_place2d *p)
{
    return (struct driver_place3d){.x = p->x,
                                   .y = p->y,
                                   .type = p->type,
                                   .host = p->host,
                                   .device = p->device,
                                   .array = p->array,
                                   .pitch = p->pitch};
}

static int driver_copy2d(struct call *c, const struct driver_copy2d *p)
{
    TRY(NEED(p));
    struct driver_copy3d q = {place3d(&p->from), place3d(&p->to), p->width, p->height, 1};
    return copy_driver3d(&q, &c->copy) ?: copy(c, c->copy);
}

int copy_symbol(bool inward, const void *symbol, size_t offset, struct gpu_copy *part)
{
    uint64_t address, size;
    bool right = part->kind == (inward ? COPY_HOST_DEVICE : COPY_DEVICE_HOST) ||
                 part->kind == COPY_DEVICE_DEVICE || part->kind == COPY_DEFAULT;
    int code = gpu_symbol(symbol, &address, &size)
                   ?: NEED(offset <= size && part->width <= size - offset)
                   ?: CHECK(right, GPU_INVALID_DIRECTION);
    *(inward ? &part->to : &part->from) = code ? 0 : address + offset;
    return code;
}

static int copy_part(struct call *c, bool inward, const void *symbol, size_t offset,
                     struct gpu_copy part)
{
    return copy_symbol(inward, symbol, offset, &part) ?: copy(c, part);
}

/* Returns the width of the rows in which bytes go to or from an array: whole rows, or a part of
 * one. */
static size_t width_of(const struct gpu_array *array, size_t x, size_t bytes)
{
    size_t row = array->width * array->texel;
    return x == 0 && bytes % row == 0 && bytes > 0 ? row : bytes ? bytes : 1;
}

#define ARRAY(array)           are_arrays(array, array) ?: NEED(array)
#define PART(array, x, y)      end_at(array, NULL, 0, 0, x, y, 0)
#define ROWS(memory, pitch)    ((struct end){address_of(memory), pitch, 0})
#define WIDTH(array, x, bytes) width_of(array, x, bytes)

COPY(cudaMemcpy, cudaMemcpyAsync, false, (void *to, const void *from, size_t bytes, int kind),
     copy(&c, copy_line(to, from, bytes, kind)))
COPY(cuMemcpy, cuMemcpyAsync, true, (void *to, const void *from, size_t bytes),
     copy(&c, copy_line(to, from, bytes, COPY_DEFAULT)))
COPY(cuMemcpyHtoD_v2, cuMemcpyHtoDAsync_v2, true, (void *to, const void *from, size_t bytes),
     copy(&c, copy_line(to, from, bytes, COPY_HOST_DEVICE)))
COPY(cuMemcpyDtoH_v2, cuMemcpyDtoHAsync_v2, true, (void *to, const void *from, size_t bytes),
     copy(&c, copy_line(to, from, bytes, COPY_DEVICE_HOST)))
COPY(cuMemcpyDtoD_v2, cuMemcpyDtoDAsync_v2, true, (void *to, const void *from, size_t bytes),
     copy(&c, copy_line(to, from, bytes, COPY_DEVICE_DEVICE)))
COPY(cudaMemcpyPeer, cudaMemcpyPeerAsync, false,
     (void *to, int to_device, const void *from, int from_device, size_t bytes),
     copy(&c, copy_line(to, from, bytes, COPY_DEFAULT)))
COPY(cuMemcpyPeer, cuMemcpyPeerAsync, true,
     (void *to, void *to_context, const void *from, void *from_context, size_t bytes),
     copy(&c, copy_line(to, from, bytes, COPY_DEFAULT)))
COPY(cudaMemcpy2D, cudaMemcpy2DAsync, false,
     (void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
      int kind),
     copy2d(&c, ROWS(to, to_pitch), ROWS(from, from_pitch), width, height, kind))
COPY(cudaMemcpy2DToArray, cudaMemcpy2DToArrayAsync, false,
     (struct gpu_array * to, size_t x, size_t y, const void *from, size_t from_pitch, size_t width,
      size_t height, int kind),
     ARRAY(to) ?: copy2d(&c, PART(to, x, y), ROWS(from, from_pitch), width, height, kind))
COPY(cudaMemcpy2DFromArray, cudaMemcpy2DFromArrayAsync, false,
     (void *to, size_t to_pitch, struct gpu_array *from, size_t x, size_t y, size_t width,
      size_t height, int kind),
     ARRAY(from) ?: copy2d(&c, ROWS(to, to_pitch), PART(from, x, y), width, height, kind))
COPY(cudaMemcpyToArray, cudaMemcpyToArrayAsync, false,
     (struct gpu_array * to, size_t x, size_t y, const void *from, size_t bytes, int kind),
     ARRAY(to)
         ?: copy2d(&c, PART(to, x, y), ROWS(from, WIDTH(to, x, bytes)), WIDTH(to, x, bytes),
                   bytes / WIDTH(to, x, bytes), kind))
COPY(cudaMemcpyFromArray, cudaMemcpyFromArrayAsync, false,
     (void *to, struct gpu_array *from, size_t x, size_t y, size_t bytes, int kind),
     ARRAY(from)
         ?: copy2d(&c, ROWS(to, WIDTH(from, x, bytes)), PART(from, x, y), WIDTH(from, x, bytes),
                   bytes / WIDTH(from, x, bytes), kind))
COPY(cuMemcpyHtoA_v2, cuMemcpyHtoAAsync_v2, true,
     (struct gpu_array * to, size_t x, const void *from, size_t bytes),
     ARRAY(to) ?: copy2d(&c, PART(to, x, 0), ROWS(from, bytes), bytes, 1, COPY_DEFAULT))
COPY(cuMemcpyAtoH_v2, cuMemcpyAtoHAsync_v2, true,
     (void *to, struct gpu_array *from, size_t x, size_t bytes),
     ARRAY(from) ?: copy2d(&c, ROWS(to, bytes), PART(from, x, 0), bytes, 1, COPY_DEFAULT))
COPY(cuMemcpy2D_v2, cuMemcpy2DAsync_v2, true, (const struct driver_copy2d *p), driver_copy2d(&c, p))
ALIAS(cuMemcpy2DUnaligned_v2, cuMemcpy2D_v2)
ALIAS(cuMemcpy2DUnaligned_v2_ptds, cuMemcpy2D_v2_ptds)
COPY(cudaMemcpy3D, cudaMemcpy3DAsync, false, (const struct runtime_copy3d *p),
     copy_runtime3d(p, &c.copy) ?: copy(&c, c.copy))
COPY(cuMemcpy3D_v2, cuMemcpy3DAsync_v2, true, (const struct driver_copy3d *p),
     copy_driver3d(p, &c.copy) ?: copy(&c, c.copy))
COPY(cudaMemcpyToSymbol, cudaMemcpyToSymbolAsync, false,
     (const void *symbol, const void *from, size_t bytes, size_t offset, int kind),
     copy_part(&c, true, symbol, offset, copy_line(NULL, from, bytes, kind)))
COPY(cudaMemcpyFromSymbol, cudaMemcpyFromSymbolAsync, false,
     (void *to, const void *symbol, size_t bytes, size_t offset, int kind),
     copy_part(&c, false, symbol, offset, copy_line(to, NULL, bytes, kind)))

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
