/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Copies and fills of the runtime interface.
 */
#include "runtime/api.h"

static int copy(struct gpu_copy c, void *handle, bool wait)
{
    struct gpu_stream *stream;
    int code = gpu_stream_of(handle, &stream);
    return done(code ? code : gpu_copy(stream, &c, wait));
}

static struct gpu_copy line(void *to, const void *from, size_t bytes, int kind)
{
    return (struct gpu_copy){.to = address_of(to),
                             .from = address_of(from),
                             .width = bytes,
                             .height = 1,
                             .depth = 1,
                             .kind = kind};
}

WAITING_AND_ASYNC(cudaMemcpy, cudaMemcpyAsync, (void *to, const void *from, size_t bytes, int kind),
                  (to, from, bytes, kind), copy(line(to, from, bytes, kind), handle, wait))

int cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device, size_t bytes)
{
    (void)to_device, (void)from_device;
    return copy(line(to, from, bytes, COPY_DEFAULT), NULL, true);
}

int cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device, size_t bytes,
                        void *stream)
{
    (void)to_device, (void)from_device;
    return copy(line(to, from, bytes, COPY_DEFAULT), stream, false);
}

static int copy2d(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                  size_t height, int kind, void *stream, bool wait)
{
    if (width > to_pitch || width > from_pitch) {
        return done(GPU_INVALID_PITCH);
    }
    struct gpu_copy c = line(to, from, width, kind);
    c.to_pitch = to_pitch;
    c.from_pitch = from_pitch;
    c.height = height;
    return copy(c, stream, wait);
}

WAITING_AND_ASYNC(cudaMemcpy2D, cudaMemcpy2DAsync,
                  (void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                   size_t height, int kind),
                  (to, to_pitch, from, from_pitch, width, height, kind),
                  copy2d(to, to_pitch, from, from_pitch, width, height, kind, handle, wait))

static int copy3d(const struct runtime_copy3d *p, void *stream, bool wait)
{
    if (!p || p->from_array || p->to_array) {
        return done(p ? GPU_NOT_SUPPORTED : GPU_INVALID_VALUE);
    }
    struct gpu_copy c = line(p->to.pointer, p->from.pointer, p->extent.width, p->kind);
    c.height = p->extent.height;
    c.depth = p->extent.depth;
    c.to_pitch = p->to.pitch;
    c.from_pitch = p->from.pitch;
    c.to_slice = p->to.pitch * p->to.height;
    c.from_slice = p->from.pitch * p->from.height;
    c.to += p->to_position[2] * c.to_slice + p->to_position[1] * c.to_pitch + p->to_position[0];
    c.from += p->from_position[2] * c.from_slice + p->from_position[1] * c.from_pitch +
              p->from_position[0];
    return copy(c, stream, wait);
}

WAITING_AND_ASYNC(cudaMemcpy3D, cudaMemcpy3DAsync, (const struct runtime_copy3d *p), (p),
                  copy3d(p, handle, wait))

/* ---- Variables --------------------------------------------------------------------------------------------- */

/* Sets *part to the address at an offset in a variable. Returns an error if the `bytes` bytes from
 * that address on are not all in the variable. */
static int part_of(const void *symbol, size_t offset, size_t bytes, void **part)
{
    uint64_t address, size;
    int code = gpu_symbol(symbol, &address, &size);
    if (!code && (offset > size || bytes > size - offset)) {
        code = GPU_INVALID_VALUE;
    }
    if (!code) {
        *part = pointer_to(address + offset);
    }
    return code;
}

/* Copies to or from a part of a variable: `inward` is the kind of copy from or to the host. */
static int copy_part(int code, struct gpu_copy c, int inward, void *handle, bool wait)
{
    if (!code && c.kind != inward && c.kind != COPY_DEVICE_DEVICE && c.kind != COPY_DEFAULT) {
        code = GPU_INVALID_DIRECTION;
    }
    return code ? done(code) : copy(c, handle, wait);
}

static int to_symbol(const void *symbol, const void *from, size_t bytes, size_t offset, int kind,
                     void *stream, bool wait)
{
    void *to = NULL;
    int code = part_of(symbol, offset, bytes, &to);
    return copy_part(code, line(to, from, bytes, kind), COPY_HOST_DEVICE, stream, wait);
}
WAITING_AND_ASYNC(cudaMemcpyToSymbol, cudaMemcpyToSymbolAsync,
                  (const void *symbol, const void *from, size_t bytes, size_t offset, int kind),
                  (symbol, from, bytes, offset, kind),
                  to_symbol(symbol, from, bytes, offset, kind, handle, wait))

static int from_symbol(void *to, const void *symbol, size_t bytes, size_t offset, int kind,
                       void *stream, bool wait)
{
    void *from = NULL;
    int code = part_of(symbol, offset, bytes, &from);
    return copy_part(code, line(to, from, bytes, kind), COPY_DEVICE_HOST, stream, wait);
}
WAITING_AND_ASYNC(cudaMemcpyFromSymbol, cudaMemcpyFromSymbolAsync,
                  (void *to, const void *symbol, size_t bytes, size_t offset, int kind),
                  (to, symbol, bytes, offset, kind),
                  from_symbol(to, symbol, bytes, offset, kind, handle, wait))

/* ---- Fills --------------------------------------------------------------------------------------------------- */

static int fill(void *to, struct gpu_fill f, int value, void *handle, bool wait)
{
    struct gpu_stream *stream;
    f.to = address_of(to);
    f.value = (uint32_t)value & 0xff;
    f.unit = 1;
    int code = gpu_stream_of(handle, &stream);
    return done(code ? code : gpu_fill(stream, &f, wait));
}

static struct gpu_fill area(size_t pitch, size_t width, size_t height, size_t depth)
{
    return (struct gpu_fill){.pitch = pitch, .width = width, .height = height, .depth = depth};
}

static int fill3d(const struct runtime_pitched *p, int value, const struct runtime_extent *e,
                  void *stream, bool wait)
{
    struct gpu_fill f = area(p->pitch, e->width, e->height, e->depth);
    f.slice = p->pitch * p->height;
    return fill(p->pointer, f, value, stream, wait);
}

WAITING_AND_ASYNC(cudaMemset, cudaMemsetAsync, (void *to, int value, size_t bytes),
                  (to, value, bytes), fill(to, area(0, bytes, 1, 1), value, handle, wait))
WAITING_AND_ASYNC(cudaMemset2D, cudaMemset2DAsync,
                  (void *to, size_t pitch, int value, size_t width, size_t height),
                  (to, pitch, value, width, height),
                  fill(to, area(pitch, width, height, 1), value, handle, wait))
WAITING_AND_ASYNC(cudaMemset3D, cudaMemset3DAsync,
                  (struct runtime_pitched p, int value, struct runtime_extent e), (p, value, e),
                  fill3d(&p, value, &e, handle, wait))
