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

int cudaMemcpy(void *to, const void *from, size_t bytes, int kind)
{
    return copy(line(to, from, bytes, kind), NULL, true);
}
PER_THREAD(cudaMemcpy, _ptds, (void *to, const void *from, size_t bytes, int kind),
           (to, from, bytes, kind))

int cudaMemcpyAsync(void *to, const void *from, size_t bytes, int kind, void *stream)
{
    return copy(line(to, from, bytes, kind), stream, false);
}
PER_THREAD(cudaMemcpyAsync, _ptsz,
           (void *to, const void *from, size_t bytes, int kind, void *stream),
           (to, from, bytes, kind, stream))

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

int cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                 size_t height, int kind)
{
    return copy2d(to, to_pitch, from, from_pitch, width, height, kind, NULL, true);
}
PER_THREAD(cudaMemcpy2D, _ptds,
           (void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
            size_t height, int kind),
           (to, to_pitch, from, from_pitch, width, height, kind))

int cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                      size_t height, int kind, void *stream)
{
    return copy2d(to, to_pitch, from, from_pitch, width, height, kind, stream, false);
}
PER_THREAD(cudaMemcpy2DAsync, _ptsz,
           (void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
            size_t height, int kind, void *stream),
           (to, to_pitch, from, from_pitch, width, height, kind, stream))

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

int cudaMemcpy3D(const struct runtime_copy3d *p)
{
    return copy3d(p, NULL, true);
}
PER_THREAD(cudaMemcpy3D, _ptds, (const struct runtime_copy3d *p), (p))

int cudaMemcpy3DAsync(const struct runtime_copy3d *p, void *stream)
{
    return copy3d(p, stream, false);
}
PER_THREAD(cudaMemcpy3DAsync, _ptsz, (const struct runtime_copy3d *p, void *stream), (p, stream))

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

static int to_symbol(const void *symbol, const void *from, size_t bytes, size_t offset, int kind,
                     void *stream, bool wait)
{
    void *to;
    int code = part_of(symbol, offset, bytes, &to);
    if (!code && kind != COPY_HOST_DEVICE && kind != COPY_DEVICE_DEVICE && kind != COPY_DEFAULT) {
        code = GPU_INVALID_DIRECTION;
    }
    return code ? done(code) : copy(line(to, from, bytes, kind), stream, wait);
}

static int from_symbol(void *to, const void *symbol, size_t bytes, size_t offset, int kind,
                       void *stream, bool wait)
{
    void *from;
    int code = part_of(symbol, offset, bytes, &from);
    if (!code && kind != COPY_DEVICE_HOST && kind != COPY_DEVICE_DEVICE && kind != COPY_DEFAULT) {
        code = GPU_INVALID_DIRECTION;
    }
    return code ? done(code) : copy(line(to, from, bytes, kind), stream, wait);
}

int cudaMemcpyToSymbol(const void *symbol, const void *from, size_t bytes, size_t offset, int kind)
{
    return to_symbol(symbol, from, bytes, offset, kind, NULL, true);
}
PER_THREAD(cudaMemcpyToSymbol, _ptds,
           (const void *symbol, const void *from, size_t bytes, size_t offset, int kind),
           (symbol, from, bytes, offset, kind))

int cudaMemcpyFromSymbol(void *to, const void *symbol, size_t bytes, size_t offset, int kind)
{
    return from_symbol(to, symbol, bytes, offset, kind, NULL, true);
}
PER_THREAD(cudaMemcpyFromSymbol, _ptds,
           (void *to, const void *symbol, size_t bytes, size_t offset, int kind),
           (to, symbol, bytes, offset, kind))

int cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t bytes, size_t offset,
                            int kind, void *stream)
{
    return to_symbol(symbol, from, bytes, offset, kind, stream, false);
}
PER_THREAD(cudaMemcpyToSymbolAsync, _ptsz,
           (const void *symbol, const void *from, size_t bytes, size_t offset, int kind,
            void *stream),
           (symbol, from, bytes, offset, kind, stream))

int cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t bytes, size_t offset, int kind,
                              void *stream)
{
    return from_symbol(to, symbol, bytes, offset, kind, stream, false);
}
PER_THREAD(cudaMemcpyFromSymbolAsync, _ptsz,
           (void *to, const void *symbol, size_t bytes, size_t offset, int kind, void *stream),
           (to, symbol, bytes, offset, kind, stream))

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

int cudaMemset(void *to, int value, size_t bytes)
{
    return fill(to, area(0, bytes, 1, 1), value, NULL, true);
}
PER_THREAD(cudaMemset, _ptds, (void *to, int value, size_t bytes), (to, value, bytes))

int cudaMemsetAsync(void *to, int value, size_t bytes, void *stream)
{
    return fill(to, area(0, bytes, 1, 1), value, stream, false);
}
PER_THREAD(cudaMemsetAsync, _ptsz, (void *to, int value, size_t bytes, void *stream),
           (to, value, bytes, stream))

int cudaMemset2D(void *to, size_t pitch, int value, size_t width, size_t height)
{
    return fill(to, area(pitch, width, height, 1), value, NULL, true);
}
PER_THREAD(cudaMemset2D, _ptds, (void *to, size_t pitch, int value, size_t width, size_t height),
           (to, pitch, value, width, height))

int cudaMemset2DAsync(void *to, size_t pitch, int value, size_t width, size_t height, void *stream)
{
    return fill(to, area(pitch, width, height, 1), value, stream, false);
}
PER_THREAD(cudaMemset2DAsync, _ptsz,
           (void *to, size_t pitch, int value, size_t width, size_t height, void *stream),
           (to, pitch, value, width, height, stream))

int cudaMemset3D(struct runtime_pitched p, int value, struct runtime_extent e)
{
    return fill3d(&p, value, &e, NULL, true);
}
PER_THREAD(cudaMemset3D, _ptds, (struct runtime_pitched p, int value, struct runtime_extent e),
           (p, value, e))

int cudaMemset3DAsync(struct runtime_pitched p, int value, struct runtime_extent e, void *stream)
{
    return fill3d(&p, value, &e, stream, false);
}
PER_THREAD(cudaMemset3DAsync, _ptsz,
           (struct runtime_pitched p, int value, struct runtime_extent e, void *stream),
           (p, value, e, stream))
