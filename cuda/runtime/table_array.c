/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Arrays, textures, surfaces and tensor maps.
 */
#include "interp/tensor.h"
#include "interp/texture.h"
#include "runtime/api.h"
#include <stdlib.h>

/* Rows of an array begin at multiples of this number of bytes. */
enum { ARRAY_PITCH = 32 };
enum { ARRAY_LAYERED = 1 };

/* ---- Formats of texels ----------------------------------------------------------------------- */

/* Returns the bytes of a texel, or 0 if the interpreter does not have the format. */
static size_t texel_of(const struct runtime_channels *channels)
{
    int sum = 0, n = 0;
    while (n < 4 && channels->bits[n] != 0) {
        sum += channels->bits[n++];
    }
    bool same = n > 0 && n != 3 && sum == n * channels->bits[0];
    for (int i = n; i < 4; i++) {
        same = same && channels->bits[i] == 0;
    }
    bool known = channels->bits[0] == 8 || channels->bits[0] == 16 || channels->bits[0] == 32;
    return same && known && channels->kind <= INTERP_TEXEL_FLOAT ? (size_t)sum / 8 : 0;
}

struct runtime_channels cudaCreateChannelDesc(int x, int y, int z, int w, int kind)
{
    return (struct runtime_channels){{x, y, z, w}, kind};
}

struct format {
    int number, bits, kind; /* number: CUarray_format */
};

static const struct format formats[] = {
    {0x01, 8, INTERP_TEXEL_UNSIGNED},  {0x02, 16, INTERP_TEXEL_UNSIGNED},
    {0x03, 32, INTERP_TEXEL_UNSIGNED}, {0x08, 8, INTERP_TEXEL_SIGNED},
    {0x09, 16, INTERP_TEXEL_SIGNED},   {0x0a, 32, INTERP_TEXEL_SIGNED},
    {0x10, 16, INTERP_TEXEL_FLOAT},    {0x20, 32, INTERP_TEXEL_FLOAT}};
enum { FORMATS = sizeof formats / sizeof *formats };

static struct runtime_channels channels_of(int format, unsigned count)
{
    struct runtime_channels channels = {.kind = INTERP_TEXEL_FLOAT};
    for (int i = 0; i < FORMATS; i++) {
        for (unsigned n = 0; n < count && n < 4 && formats[i].number == format; n++) {
            channels.bits[n] = formats[i].bits;
            channels.kind = formats[i].kind;
        }
    }
    return channels;
}

static int format_of(const struct runtime_channels *channels)
{
    int i = 0;
    while (i < FORMATS - 1 &&
           (formats[i].bits != channels->bits[0] || formats[i].kind != channels->kind)) {
        i++;
    }
    return formats[i].number;
}

/* ---- Arrays ---------------------------------------------------------------------------------- */

static int create(struct call *c, struct gpu_array **array, const struct runtime_channels *channels,
                  size_t width, size_t height, size_t depth, unsigned flags)
{
    size_t texel = channels ? texel_of(channels) : 0, bytes, rows = height ? height : 1;
    struct gpu_array a = {.width = width,
                          .height = height,
                          .depth = depth,
                          .texel = texel,
                          .pitch = (width * texel + ARRAY_PITCH - 1) / ARRAY_PITCH * ARRAY_PITCH,
                          .flags = flags};
    TRY(NEED(array && texel != 0 && width != 0 && width <= UINT32_MAX && rows <= UINT32_MAX &&
             !__builtin_mul_overflow(a.pitch, rows, &a.slice) &&
             !__builtin_mul_overflow(a.slice, depth ? depth : 1, &bytes)));
    a.channels = *channels;
    TRY(call_current(c)
            ?: gpu_alloc(c->device, bytes, GPU_MEMORY_DEVICE, 0, &a.address)
            ?: call_note(c, a.address, bytes));
    struct gpu_array *made = call_new(sizeof *made, GPU_ARRAY);
    return CHECK(made, GPU_OUT_OF_MEMORY) ?: SET(*made, a) ?: SET(*array, made);
}

static int create_driver(struct call *c, struct gpu_array **array, const struct driver_array *p)
{
    struct runtime_channels channels = channels_of(p->format, p->channels);
    return create(c, array, &channels, p->width, p->height, p->depth, p->flags);
}

static int destroy(struct gpu_array *array)
{
    LOCKED((gpu_handle_remove(array), 0));
    int code = gpu_free(array->address, false);
    free(array);
    return code;
}

static unsigned channel_count(const struct gpu_array *a)
{
    return (unsigned)(a->texel * 8) / (unsigned)a->channels.bits[0];
}

#define ARRAY(array) IS(array, GPU_ARRAY)

RUNTIME(cudaMallocArray,
        (struct gpu_array * *array, const struct runtime_channels *channels, size_t width,
         size_t height, unsigned flags),
        create(&c, array, channels, width, height, 0, flags))
RUNTIME(cudaMalloc3DArray,
        (struct gpu_array * *array, const struct runtime_channels *channels,
         struct runtime_extent extent, unsigned flags),
        create(&c, array, channels, extent.width, extent.height, extent.depth, flags))
DRIVER(cuArray3DCreate_v2, (struct gpu_array * *array, const struct driver_array *p),
       NEED(p) ?: create_driver(&c, array, p))
DRIVER(cuArrayCreate_v2, (struct gpu_array * *array, const struct driver_array2d *p),
       NEED(p)
           ?: create_driver(&c, array,
                            &(struct driver_array){p->width, p->height, 0, p->format, p->channels,
                                                   0}))
RUNTIME(cudaFreeArray, (void *array), array ? ARRAY(array) ?: destroy(array) : GPU_OK)
DRIVER(cuArrayDestroy, (void *array), ARRAY(array) ?: destroy(array))
RUNTIME(cudaGetChannelDesc, (struct runtime_channels * channels, struct gpu_array *array),
        ARRAY(array) ?: GIVE(channels, array->channels))
RUNTIME(cudaArrayGetInfo,
        (struct runtime_channels * channels, struct runtime_extent *extent, unsigned *flags,
         struct gpu_array *array),
        ARRAY(array)
            ?: GIVE(channels, array->channels)
            ?: GIVE(extent, ((struct runtime_extent){array->width, array->height, array->depth}))
            ?: GIVE(flags, array->flags))
DRIVER(cuArray3DGetDescriptor_v2, (struct driver_array * p, struct gpu_array *array),
       ARRAY(array)
           ?: PUT(p, ((struct driver_array){array->width, array->height, array->depth,
                                            format_of(&array->channels), channel_count(array),
                                            array->flags})))
DRIVER(cuArrayGetDescriptor_v2, (struct driver_array2d * p, struct gpu_array *array),
       ARRAY(array)
           ?: PUT(p, ((struct driver_array2d){array->width, array->height,
                                              format_of(&array->channels), channel_count(array)})))

/* ---- Textures and surfaces ------------------------------------------------------------------- */

enum { RESOURCE_ARRAY, RESOURCE_MIPMAPS, RESOURCE_LINEAR, RESOURCE_ROWS };

/* Sets the part of *t that tells where texels are. */
static int set_texels(struct interp_texture *t, const struct runtime_resource *r)
{
    struct runtime_channels channels = r->of.rows.channels; /* also those of linear memory */
    if (r->type == RESOURCE_ARRAY) {
        const struct gpu_array *a = r->of.array;
        TRY(CHECK(gpu_handle_known(a, GPU_ARRAY), GPU_INVALID_HANDLE));
        channels = a->channels;
        t->address = a->address;
        t->pitch = a->pitch;
        t->slice = a->slice;
        t->width = (uint32_t)a->width;
        t->height = (uint32_t)a->height;
        t->depth = (uint32_t)a->depth;
        t->is_layered = a->flags & ARRAY_LAYERED;
    } else if (r->type == RESOURCE_LINEAR || r->type == RESOURCE_ROWS) {
        t->address = address_of(r->of.rows.memory);
        t->is_buffer = r->type == RESOURCE_LINEAR;
        t->width = t->is_buffer ? 0 : (uint32_t)r->of.rows.width;
        t->height = t->is_buffer ? 0 : (uint32_t)r->of.rows.height;
        t->pitch = t->is_buffer ? r->of.rows.width : r->of.rows.pitch;
    } else {
        return GPU_NOT_SUPPORTED;
    }
    t->texel = (uint32_t)texel_of(&channels);
    t->kind = (uint32_t)channels.kind;
    for (int i = 0; i < 4; i++) {
        t->bits[i] = (uint32_t)channels.bits[i];
    }
    if (t->is_buffer && t->texel > 0) {
        t->width = (uint32_t)(r->of.rows.width / t->texel);
    }
    return NEED(t->texel > 0 && t->width > 0);
}

/* Makes an object of *t, unless `code` is an error. */
static int object_new(struct call *c, uint64_t *object, struct interp_texture *t, int code)
{
    TRY(code ?: NEED(object) ?: call_current(c));
    uint64_t place = interp_alloc_apart(c->device->interp, sizeof *t);
    TRY(CHECK(place, GPU_OUT_OF_MEMORY));
    t->magic = INTERP_TEXTURE_MAGIC;
    memcpy(pointer_to(place), t, sizeof *t);
    LOCKED(gpu_handle_add(pointer_to(place), GPU_TEXTURE));
    return SET(*object, place);
}

static int object_destroy(uint64_t object)
{
    TRY(NEED(gpu_handle_known(pointer_to(object), GPU_TEXTURE)));
    GPU_HOLD;
    gpu_handle_remove(pointer_to(object));
    for (int i = 0; i < GPU_DEVICES_MAX; i++) {
        if (gpu_state.devices[i] && interp_free(gpu_state.devices[i]->interp, object)) {
            break;
        }
    }
    return GPU_OK;
}

static struct runtime_resource runtime_resource(const struct driver_resource *p)
{
    struct runtime_resource r = {.type = p->type};
    if (p->type == RESOURCE_ARRAY) {
        r.of.array = p->of.array;
        return r;
    }
    r.of.rows.memory = p->of.rows.memory;
    r.of.rows.channels = channels_of(p->of.rows.format, p->of.rows.channels);
    r.of.rows.width = p->of.rows.width;
    r.of.rows.height = p->of.rows.height;
    r.of.rows.pitch = p->of.rows.pitch;
    return r;
}

static void set_sampling(struct interp_texture *t, const int mode[3], int filter,
                         const float border[4])
{
    memcpy(t->address_mode, mode, sizeof t->address_mode);
    memcpy(t->border, border, sizeof t->border);
    t->filter = (uint32_t)filter;
}

static int texture(struct call *c, uint64_t *object, const struct runtime_resource *r,
                   const struct runtime_texture *p)
{
    struct interp_texture t = {.is_normalized = p->normalized, .reads_floats = p->read_mode};
    set_sampling(&t, p->address_mode, p->filter, p->border);
    return object_new(c, object, &t, set_texels(&t, r));
}

static int driver_texture(struct call *c, uint64_t *object, struct runtime_resource r,
                          const struct driver_texture *p)
{
    enum { AS_INTEGER = 1, NORMALIZED = 2 };
    struct interp_texture t = {.is_normalized = p->flags & NORMALIZED,
                               .reads_floats = !(p->flags & AS_INTEGER)};
    set_sampling(&t, p->address_mode, p->filter, p->border);
    int code = set_texels(&t, &r);
    t.reads_floats = t.reads_floats && t.kind != INTERP_TEXEL_FLOAT;
    return object_new(c, object, &t, code);
}

static int surface(struct call *c, uint64_t *object, struct runtime_resource r)
{
    struct interp_texture t = {.is_surface = true};
    return object_new(c, object, &t, NEED(r.type == RESOURCE_ARRAY) ?: set_texels(&t, &r));
}

RUNTIME(cudaCreateTextureObject,
        (uint64_t * object, const struct runtime_resource *r, const struct runtime_texture *t,
         const void *view),
        NEED(r && t) ?: CHECK(!view, GPU_NOT_SUPPORTED) ?: texture(&c, object, r, t))
DRIVER(cuTexObjectCreate,
       (uint64_t * object, const struct driver_resource *r, const struct driver_texture *t,
        const void *view),
       NEED(r && t)
           ?: CHECK(!view, GPU_NOT_SUPPORTED)
           ?: driver_texture(&c, object, runtime_resource(r), t))
RUNTIME(cudaCreateSurfaceObject, (uint64_t * object, const struct runtime_resource *r),
        NEED(r) ?: surface(&c, object, *r))
DRIVER(cuSurfObjectCreate, (uint64_t * object, const struct driver_resource *r),
       NEED(r) ?: surface(&c, object, runtime_resource(r)))
BOTH(cudaDestroyTextureObject, cuTexObjectDestroy, (uint64_t object), object_destroy(object))
BOTH(cudaDestroySurfaceObject, cuSurfObjectDestroy, (uint64_t object), object_destroy(object))

/* ---- Tensor maps ------------------------------------------------------------------------------ */

enum { TENSOR_TYPES_ALL = 16, TENSOR_FIRST_REAL = 6, TENSOR_SWIZZLES = 3 };

/* Refuses kinds of tensor maps that the interpreter does not have. row: bytes of a row of the box. */
static int tensor_refused(const struct interp_tensor *map, int interleave, int swizzle,
                          unsigned row)
{
    static const char *const reasons[] = {
        "does not have elements that are packed, or converted by copies",
        "does not have interleaved tensors", "does not have swizzles of parts above 16 bytes",
        "does not have boxes that are narrower than their swizzle"};
    const bool refused[] = {map->type >= INTERP_TENSOR_TYPES, interleave != 0,
                            swizzle > TENSOR_SWIZZLES, swizzle > 0 && row < 16u << swizzle};
    static bool said[sizeof refused];
    size_t i = 0;
    while (i < sizeof refused && !refused[i]) {
        i++;
    }
    return i < sizeof refused ? gpu_refuse("cuTensorMapEncodeTiled", reasons[i], &said[i]) : GPU_OK;
}

/* Completes the tensor map by the lists of its dimensions, and stores it where the program wants it. */
static int tensor_encode(struct interp_tensor *to, struct interp_tensor map, const uint64_t *size,
                         const uint64_t *stride, const unsigned *box, const unsigned *step,
                         int interleave, int swizzle)
{
    static const uint8_t bytes[TENSOR_TYPES_ALL] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2};
    map.magic = INTERP_TENSOR_MAGIC;
    map.bytes = bytes[map.type];
    map.swizzle = (uint8_t)(1 << swizzle);
    for (unsigned d = 0; d < map.rank; d++) {
        TRY(NEED(size[d] - 1 <= UINT32_MAX && box[d] - 1 < INTERP_TENSOR_BOX && step[d] - 1 < 8));
        map.size[d] = size[d];
        map.box[d] = (uint16_t)box[d];
        map.step[d] = (uint8_t)step[d];
        if (d > 0) {
            TRY(NEED(stride && stride[d - 1] % 16 == 0 && stride[d - 1] >> 40 == 0));
            map.stride[d - 1] = stride[d - 1];
        }
    }
    unsigned row = box[0] * map.bytes;
    TRY(NEED(row % 16 == 0 && (swizzle == 0 || row <= 16u << swizzle)));
    return tensor_refused(&map, interleave, swizzle, row) ?: SET(*to, map);
}

DRIVER(cuTensorMapEncodeTiled,
       (struct interp_tensor * map, unsigned type, unsigned rank, void *address,
        const uint64_t *size, const uint64_t *stride, const unsigned *box, const unsigned *step,
        unsigned interleave, unsigned swizzle, unsigned promotion, unsigned fill),
       NEED(map != NULL && address_of(map) % 64 == 0 && type < TENSOR_TYPES_ALL &&
            rank - 1 < INTERP_TENSOR_RANK && size && box && step && address_of(address) % 16 == 0 &&
            interleave <= 2 && swizzle <= 6 && promotion <= 3 && fill <= 1 &&
            (!fill || type >= TENSOR_FIRST_REAL))
           ?: tensor_encode(map,
                            (struct interp_tensor){.address = address_of(address),
                                                   .rank = (uint8_t)rank,
                                                   .type = (uint8_t)type,
                                                   .fill = fill ? 0xff : 0},
                            size, stride, box, step, (int)interleave, (int)swizzle))
DRIVER(cuTensorMapReplaceAddress, (struct interp_tensor * map, void *address),
       NEED(map && map->magic == INTERP_TENSOR_MAGIC && address_of(address) % 16 == 0)
           ?: SET(map->address, address_of(address)))
