/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Arrays, textures and surfaces of the CUDA library of the interpreter, registered memory of the host, and
 * accesses to the memory of another device.
 *
 * test: libs=cudart_cpu
 */
#include <stdint.h>

#include "cuda/interp/texture.h"
#include "support/cuda_calls.h"
#include "support/suite.h"

/* bump(x): x[0] += 1. */
static const char ptx_text[] = //
    ".version 7.0\n.target sm_75\n.address_size 64\n"
    ".visible .entry bump(.param .u64 x)\n{\n.reg .b32 %r<3>;\n.reg .b64 %d<2>;\n"
    "ld.param.u64 %d1, [x];\nld.global.u32 %r1, [%d1];\nadd.s32 %r2, %r1, 1;\n"
    "st.global.u32 [%d1], %r2;\nret;\n}\n";
/* look(t, y, u, v): y[0..3] = texel of t at u, v. move(s, y, x): y[0] = word at byte x of row 0, which becomes 77. */
static const char texture_text[] = //
    ".version 7.0\n.target sm_75\n.address_size 64\n"
    ".visible .entry look(.param .u64 t, .param .u64 y, .param .f32 u, .param .f32 v)\n{\n"
    ".reg .f32 %f<6>;\n.reg .b64 %d<3>;\nld.param.u64 %d1, [t];\nld.param.u64 %d2, [y];\n"
    "ld.param.f32 %f4, [u];\nld.param.f32 %f5, [v];\n"
    "tex.2d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%d1, {%f4, %f5}];\n"
    "st.global.v4.f32 [%d2], {%f0, %f1, %f2, %f3};\nret;\n}\n"
    ".visible .entry gather(.param .u64 t, .param .u64 y, .param .f32 u, .param .f32 v)\n{\n"
    ".reg .f32 %f<6>;\n.reg .b64 %d<3>;\nld.param.u64 %d1, [t];\nld.param.u64 %d2, [y];\n"
    "ld.param.f32 %f4, [u];\nld.param.f32 %f5, [v];\n"
    "tld4.g.2d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%d1, {%f4, %f5}];\n"
    "st.global.v4.f32 [%d2], {%f0, %f1, %f2, %f3};\nret;\n}\n"
    ".visible .entry move(.param .u64 s, .param .u64 y, .param .u32 x, .param .u32 r)\n{\n"
    ".reg .b32 %r<5>;\n.reg .b64 %d<3>;\nld.param.u64 %d1, [s];\nld.param.u64 %d2, [y];\n"
    "ld.param.u32 %r1, [x];\nld.param.u32 %r2, [r];\nmov.u32 %r4, 77;\n"
    "suld.b.2d.b32.zero {%r3}, [%d1, {%r1, %r2}];\n"
    "sust.b.2d.b32.zero [%d1, {%r1, %r2}], {%r4};\nst.global.u32 [%d2], %r3;\nret;\n}\n";
static char bump_host, look_host, gather_host, move_host;

struct channels {
    int bits[4], kind;
};
struct extent {
    size_t width, height, depth;
};
struct pitched {
    void *pointer;
    size_t pitch, width, height;
};
struct place {
    void *array;
    size_t position[3];
    struct pitched memory;
};
struct copy3d {
    struct place from, to;
    struct extent extent;
    int kind;
};
struct resource {
    int type;
    union {
        void *array;
        struct {
            void *memory;
            struct channels channels;
            size_t width, height, pitch;
        } rows;
        struct {
            void *memory;
            struct channels channels;
            size_t bytes;
        } linear;
        int reserved[32];
    } of;
    unsigned flags;
};
struct texture {
    int address_mode[3], filter, read_mode, srgb;
    float border[4];
    int normalized, more[10];
};
struct pointer_attributes {
    int type, device;
    void *device_pointer, *host_pointer;
    long reserved[8];
};

int cudaMallocArray(void **array, const struct channels *c, size_t width, size_t height,
                    unsigned flags);
int cudaMalloc3DArray(void **array, const struct channels *c, struct extent extent, unsigned flags);
int cudaFreeArray(void *array);
int cudaArrayGetInfo(struct channels *c, struct extent *extent, unsigned *flags, void *array);
int cudaMemcpy2DToArray(void *to, size_t x, size_t y, const void *from, size_t pitch, size_t width,
                        size_t height, int kind);
int cudaMemcpy2DFromArray(void *to, size_t pitch, void *from, size_t x, size_t y, size_t width,
                          size_t height, int kind);
int cudaMemcpyToArray(void *to, size_t x, size_t y, const void *from, size_t bytes, int kind);
int cudaMemcpy3D(const struct copy3d *p);
int cudaCreateTextureObject(uint64_t *object, const struct resource *r, const struct texture *t,
                            const void *view);
int cudaDestroyTextureObject(uint64_t object);
int cudaCreateSurfaceObject(uint64_t *object, const struct resource *r);
int cudaDestroySurfaceObject(uint64_t object);
struct driver_array { /* CUDA_ARRAY3D_DESCRIPTOR */
    size_t width, height, depth;
    int format;
    unsigned channels, flags;
};
struct driver_resource { /* CUDA_RESOURCE_DESC */
    int type;
    union {
        struct {
            void *memory;
            int format;
            unsigned channels;
            size_t width, height, pitch;
        } rows;
        int reserved[32];
    } of;
    unsigned flags;
};
struct driver_texture { /* CUDA_TEXTURE_DESC */
    int address_mode[3], filter;
    unsigned flags, anisotropy;
    int mipmap_filter;
    float mipmap[3], border[4];
    int reserved[12];
};
int cuArray3DCreate_v2(void **array, const struct driver_array *p);
int cuArray3DGetDescriptor_v2(struct driver_array *p, void *array);
int cuArrayDestroy(void *array);
int cuMemcpyHtoA_v2(void *to, size_t x, const void *from, size_t bytes);
int cuMemcpyAtoH_v2(void *to, void *from, size_t x, size_t bytes);
int cuTexObjectCreate(uint64_t *object, const struct driver_resource *r,
                      const struct driver_texture *t, const void *view);
int cuTexObjectDestroy(uint64_t object);
int cudaHostRegister(void *memory, size_t bytes, unsigned flags);
int cudaHostUnregister(void *memory);
int cudaHostGetDevicePointer(void **place, void *host, unsigned flags);
int cudaPointerGetAttributes(struct pointer_attributes *attributes, const void *pointer);
int cudaDeviceCanAccessPeer(int *can, int device, int peer);
int cudaDeviceEnablePeerAccess(int peer, unsigned flags);
int cudaDeviceDisablePeerAccess(int peer);
int cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device, size_t bytes);
int cudaIpcGetMemHandle(void *handle, void *memory);

static int bump(uint32_t *x)
{
    void *parameters[] = {&x};
    int code = cudaLaunchKernel(&bump_host, (struct cuda_dim3){1, 1, 1},
                                (struct cuda_dim3){1, 1, 1}, parameters, 0, NULL);
    return code ? code : cudaDeviceSynchronize();
}

static const struct channels bytes2 = {{8, 8, 0, 0}, 1}, floats = {{32, 0, 0, 0}, 2};

static void test_arrays(void)
{
    enum { W = 5, H = 3 };
    unsigned char from[H][2 * W], to[H][2 * W] = {{0}}, part[4];
    void *array, *slices;
    struct channels seen;
    struct extent extent;
    unsigned flags = 9;
    for (unsigned i = 0; i < sizeof from; i++) {
        from[i / (2 * W)][i % (2 * W)] = (unsigned char)(i + 1);
    }
    CU_ASSERT_EQUAL(cudaMallocArray(&array, &bytes2, W, H, 0), 0);
    CU_ASSERT_EQUAL(cudaMemcpy2DToArray(array, 0, 0, from, 2 * W, 2 * W, H, 1), 0);
    CU_ASSERT_EQUAL(cudaMemcpy2DFromArray(to, 2 * W, array, 0, 0, 2 * W, H, 2), 0);
    CU_ASSERT_EQUAL(memcmp(from, to, sizeof to), 0);
    CU_ASSERT_EQUAL(cudaMemcpy2DFromArray(part, 2, array, 2, 1, 2, 2, 2), 0);
    CU_ASSERT_TRUE(part[0] == 13 && part[1] == 14 && part[2] == 23 && part[3] == 24);
    memset(to, 0, sizeof to);
    CU_ASSERT_EQUAL(cudaMemcpyToArray(array, 0, 0, to, sizeof to, 1), 0);
    CU_ASSERT_EQUAL(cudaMemcpy2DFromArray(part, 2, array, 8, 1, 2, 2, 2), 0);
    CU_ASSERT_TRUE(part[0] == 0 && part[3] == 0);
    CU_ASSERT_EQUAL(cudaArrayGetInfo(&seen, &extent, &flags, array), 0);
    CU_ASSERT_TRUE(seen.bits[1] == 8 && seen.kind == 1 && extent.width == W && extent.height == H &&
                   extent.depth == 0 && flags == 0);
    /* A copy of a part of slices: two of two rows of one texel. */
    CU_ASSERT_EQUAL(cudaMalloc3DArray(&slices, &bytes2, (struct extent){W, H, 2}, 0), 0);
    struct copy3d copy = {.from = {.memory = {from, 2 * W, W, 1}},
                          .to = {.array = slices, .position = {3, 1, 0}},
                          .extent = {1, 1, 2},
                          .kind = 1};
    CU_ASSERT_EQUAL(cudaMemcpy3D(&copy), 0);
    struct copy3d back = {
        .from = copy.to, .to = {.memory = {part, 2, 2, 1}}, .extent = {1, 1, 2}, .kind = 2};
    CU_ASSERT_EQUAL(cudaMemcpy3D(&back), 0);
    CU_ASSERT_TRUE(part[0] == 1 && part[1] == 2 && part[2] == 11 && part[3] == 12);
    CU_ASSERT_EQUAL(cudaFreeArray(slices), 0);
    CU_ASSERT_EQUAL(cudaFreeArray(array), 0);
    CU_ASSERT_EQUAL(cudaFreeArray(array), 1);
    CU_ASSERT_EQUAL(cudaFreeArray(NULL), 0);
    CU_ASSERT_EQUAL(cudaMallocArray(&array, &(struct channels){{8, 16, 0, 0}, 1}, 1, 1, 0), 1);
    CU_ASSERT_EQUAL(cudaMallocArray(&array, &bytes2, 0, 1, 0), 1);
    CU_ASSERT_EQUAL(cudaGetLastError(), 1);
}

/* Returns the description to which the handle of a texture leads. */
static const struct interp_texture *texture_at(uint64_t object)
{
    return (const struct interp_texture *)(uintptr_t)object;
}

static void test_textures(void)
{
    float *memory;
    void *array;
    uint64_t object = 0;
    struct texture sampling = {.address_mode = {1, 2, 3},
                               .filter = 1,
                               .read_mode = 1,
                               .border = {0.5f, 0, 0, 1},
                               .normalized = 1};
    struct resource r = {.type = 2};
    CU_ASSERT_EQUAL(cudaMalloc((void **)&memory, 4096), 0);
    r.of.linear.memory = memory;
    r.of.linear.channels = floats;
    r.of.linear.bytes = 400;
    CU_ASSERT_EQUAL(cudaCreateTextureObject(&object, &r, &(struct texture){.filter = 0}, NULL), 0);
    const struct interp_texture *t = texture_at(object);
    CU_ASSERT_EQUAL(t->magic, INTERP_TEXTURE_MAGIC);
    CU_ASSERT_TRUE(t->address == (uint64_t)(uintptr_t)memory && t->width == 100 && t->texel == 4 &&
                   t->is_buffer && !t->is_surface && t->kind == INTERP_TEXEL_FLOAT);
    CU_ASSERT_EQUAL(cudaDestroyTextureObject(object), 0);
    CU_ASSERT_EQUAL(cudaDestroyTextureObject(object), 1);
    CU_ASSERT_NOT_EQUAL(texture_at(object)->magic, INTERP_TEXTURE_MAGIC);

    r = (struct resource){.type = 3};
    r.of.rows.memory = memory;
    r.of.rows.channels = bytes2;
    r.of.rows.width = 10;
    r.of.rows.height = 8;
    r.of.rows.pitch = 64;
    CU_ASSERT_EQUAL(cudaCreateTextureObject(&object, &r, &sampling, NULL), 0);
    t = texture_at(object);
    CU_ASSERT_TRUE(t->pitch == 64 && t->width == 10 && t->height == 8 && t->texel == 2);
    CU_ASSERT_TRUE(t->address_mode[1] == INTERP_MIRROR && t->filter == INTERP_LINEAR);
    CU_ASSERT_TRUE(t->is_normalized && t->reads_floats && t->border[0] == 0.5f &&
                   t->border[3] == 1);
    CU_ASSERT_EQUAL(cudaDestroyTextureObject(object), 0);

    CU_ASSERT_EQUAL(cudaMallocArray(&array, &floats, 6, 4, 2), 0);
    r = (struct resource){.type = 0};
    r.of.array = array;
    CU_ASSERT_EQUAL(cudaCreateSurfaceObject(&object, &r), 0);
    t = texture_at(object);
    CU_ASSERT_TRUE(t->is_surface && t->width == 6 && t->height == 4 && t->pitch >= 24);
    float four[6] = {1, 2, 3, 4, 5, 6};
    CU_ASSERT_EQUAL(cudaMemcpy2DToArray(array, 0, 3, four, 24, 24, 1, 1), 0);
    CU_ASSERT_EQUAL(*(float *)(uintptr_t)(t->address + 3 * t->pitch + 5 * t->texel), 6);
    CU_ASSERT_EQUAL(cudaDestroySurfaceObject(object), 0);
    r.type = 1; /* mipmaps */
    CU_ASSERT_EQUAL(cudaCreateTextureObject(&object, &r, &sampling, NULL), 801);
    r.type = 2;
    CU_ASSERT_EQUAL(cudaCreateSurfaceObject(&object, &r), 1);
    CU_ASSERT_EQUAL(cudaFreeArray(array), 0);
    CU_ASSERT_EQUAL(cudaFree(memory), 0);
    cudaGetLastError();
}

static void test_driver(void)
{
    void *context, *array;
    uint64_t memory, object;
    const uint16_t from[6] = {1, 2, 3, 4, 5, 6};
    uint16_t to[3] = {0};
    struct driver_array p = {3, 0, 0, 0x09, 2, 0}, seen; /* pairs of int16_t */
    CU_ASSERT_EQUAL(cuDevicePrimaryCtxRetain(&context, 0), 0);
    CU_ASSERT_EQUAL(cuCtxSetCurrent(context), 0);
    CU_ASSERT_EQUAL(cuArray3DCreate_v2(&array, &p), 0);
    CU_ASSERT_EQUAL(cuMemcpyHtoA_v2(array, 0, from, sizeof from), 0);
    CU_ASSERT_EQUAL(cuMemcpyAtoH_v2(to, array, 4, 6), 0);
    CU_ASSERT_TRUE(to[0] == 3 && to[2] == 5);
    CU_ASSERT_EQUAL(cuArray3DGetDescriptor_v2(&seen, array), 0);
    CU_ASSERT_TRUE(seen.width == 3 && seen.format == 0x09 && seen.channels == 2);
    CU_ASSERT_EQUAL(cuArrayDestroy(array), 0);
    CU_ASSERT_EQUAL(cuArrayDestroy(array), 400);
    p.format = 0x91; /* compressed */
    CU_ASSERT_EQUAL(cuArray3DCreate_v2(&array, &p), 1);
    CU_ASSERT_EQUAL(cuMemAlloc_v2(&memory, 1024), 0);
    struct driver_resource r = {.type = 3};
    r.of.rows.memory = (void *)(uintptr_t)memory;
    r.of.rows.format = 0x01;
    r.of.rows.channels = 4;
    r.of.rows.width = 16;
    r.of.rows.height = 8;
    r.of.rows.pitch = 128;
    struct driver_texture t = {.address_mode = {3, 1, 1}, .flags = 2, .border = {0, 0, 0, 0.25f}};
    CU_ASSERT_EQUAL(cuTexObjectCreate(&object, &r, &t, NULL), 0);
    const struct interp_texture *made = texture_at(object);
    CU_ASSERT_TRUE(made->address == memory && made->pitch == 128 && made->texel == 4 &&
                   made->kind == INTERP_TEXEL_UNSIGNED && made->is_normalized &&
                   made->reads_floats && made->border[3] == 0.25f &&
                   made->address_mode[0] == INTERP_BORDER);
    CU_ASSERT_EQUAL(cuTexObjectDestroy(object), 0);
    CU_ASSERT_EQUAL(cuMemFree_v2(memory), 0);
}

/* Launches a kernel of texture_text on a texture or surface, and copies its four results to y. */
static void look(char *host, uint64_t object, const void *u, const void *v, float y[4])
{
    float *result;
    CU_ASSERT_EQUAL(cudaMalloc((void **)&result, 16), 0);
    void *parameters[] = {&object, &result, (void *)(uintptr_t)u, (void *)(uintptr_t)v};
    CU_ASSERT_EQUAL(cudaLaunchKernel(host, (struct cuda_dim3){1, 1, 1}, (struct cuda_dim3){1, 1, 1},
                                     parameters, 0, NULL),
                    0);
    CU_ASSERT_EQUAL(cudaMemcpy(y, result, 16, 2), 0);
    CU_ASSERT_EQUAL(cudaFree(result), 0);
}

/* A texture of 2 x 2 pairs of bytes: (0, 51), (255, 102) above (51, 153), (102, 204). */
static void test_sampling(void)
{
    static const unsigned char bytes[2][4] = {{0, 51, 255, 102}, {51, 153, 102, 204}};
    static const struct {
        int mode, filter;
        float u, v, first;
    } cases[] = {
        {0, 0, 0.75f, 0.25f, 1.0f},   {0, 0, 1.25f, 0.25f, 0},     {0, 0, -0.25f, 0.75f, 0.4f},
        {2, 0, 1.25f, 0.25f, 1.0f},   {2, 0, -0.25f, 0.75f, 0.2f}, {1, 0, 5, -5, 1.0f},
        {3, 0, 1.25f, 0.25f, 0.125f}, {1, 1, 0.5f, 0.25f, 0.5f},   {1, 1, 0.5f, 0.5f, 0.4f},
        {3, 1, 0, 0.25f, 0.0625f},
    };
    void *array;
    uint64_t object;
    float y[4];
    struct resource r = {.type = 0};
    CU_ASSERT_EQUAL(cudaMallocArray(&array, &bytes2, 2, 2, 0), 0);
    CU_ASSERT_EQUAL(cudaMemcpy2DToArray(array, 0, 0, bytes, 4, 4, 2, 1), 0);
    r.of.array = array;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct texture t = {.address_mode = {cases[i].mode, cases[i].mode, 0},
                            .filter = cases[i].filter,
                            .read_mode = 1,
                            .border = {0.125f, 0, 0, 0},
                            .normalized = 1};
        CU_ASSERT_EQUAL(cudaCreateTextureObject(&object, &r, &t, NULL), 0);
        look(&look_host, object, &cases[i].u, &cases[i].v, y);
        CU_ASSERT_DOUBLE_EQUAL(y[0], cases[i].first, 1e-6);
        CU_ASSERT_EQUAL(y[2], cases[i].first == 0.125f ? 0 : y[2]);
        CU_ASSERT_EQUAL(cudaDestroyTextureObject(object), 0);
    }
    struct texture t = {.address_mode = {1, 1, 1}, .read_mode = 1};
    const float one = 1;
    CU_ASSERT_EQUAL(cudaCreateTextureObject(&object, &r, &t, NULL), 0);
    look(&gather_host, object, &one, &one,
         y); /* below left, below right, above right, above left */
    CU_ASSERT_DOUBLE_EQUAL(y[0], 0.6, 1e-6);
    CU_ASSERT_DOUBLE_EQUAL(y[1], 0.8, 1e-6);
    CU_ASSERT_DOUBLE_EQUAL(y[2], 0.4, 1e-6);
    CU_ASSERT_DOUBLE_EQUAL(y[3], 0.2, 1e-6);
    CU_ASSERT_EQUAL(cudaDestroyTextureObject(object), 0);

    unsigned words[2] = {0, 0}, x = 0, row = 1;
    CU_ASSERT_EQUAL(cudaCreateSurfaceObject(&object, &r), 0);
    look(&move_host, object, &x, &row, y);
    CU_ASSERT_EQUAL(memcmp(y, bytes[1], 4), 0);
    x = 2; /* the word would end behind the row */
    look(&move_host, object, &x, &row, y);
    CU_ASSERT_EQUAL(y[0], 0);
    CU_ASSERT_EQUAL(cudaMemcpy2DFromArray(words, 4, array, 0, 0, 4, 2, 2), 0);
    CU_ASSERT_EQUAL(memcmp(words, bytes[0], 4), 0);
    CU_ASSERT_EQUAL(words[1], 77);
    CU_ASSERT_EQUAL(cudaDestroySurfaceObject(object), 0);
    CU_ASSERT_EQUAL(cudaFreeArray(array), 0);
}

static void test_registered(void)
{
    uint32_t *x = aligned_alloc(64, 4096);
    void *place = NULL;
    struct pointer_attributes a;
    CU_ASSERT_PTR_NOT_NULL_FATAL(x);
    x[0] = 41;
    CU_ASSERT_EQUAL(cudaHostUnregister(x), 713);
    CU_ASSERT_EQUAL(cudaHostRegister(x, 2048, 2), 0);
    CU_ASSERT_EQUAL(cudaHostRegister((char *)x + 2044, 4, 0), 712);
    CU_ASSERT_EQUAL(cudaHostGetDevicePointer(&place, x, 0), 0);
    CU_ASSERT_PTR_EQUAL(place, x);
    CU_ASSERT_EQUAL(cudaPointerGetAttributes(&a, x + 1), 0);
    CU_ASSERT_EQUAL(a.type, 1);
    CU_ASSERT_EQUAL(bump(x), 0);
    CU_ASSERT_EQUAL(x[0], 42);
    CU_ASSERT_EQUAL(cudaSetDevice(1), 0); /* registered for all devices */
    CU_ASSERT_EQUAL(bump(x), 0);
    CU_ASSERT_EQUAL(x[0], 43);
    CU_ASSERT_EQUAL(bump(x + 512), 700); /* behind the memory */
    CU_ASSERT_EQUAL(cudaDeviceReset(), 0);
    CU_ASSERT_EQUAL(cudaHostUnregister(x), 0);
    CU_ASSERT_EQUAL(bump(x), 700);
    CU_ASSERT_EQUAL(cudaDeviceReset(), 0);
    CU_ASSERT_EQUAL(cudaSetDevice(0), 0);
    cudaGetLastError();
    free(x);
}

static void test_peers(void)
{
    uint32_t *far, *near, seen = 0, number = 7;
    int can = -1;
    CU_ASSERT_EQUAL(cudaDeviceCanAccessPeer(&can, 0, 1), 0);
    CU_ASSERT_EQUAL(can, 1);
    CU_ASSERT_EQUAL(cudaDeviceCanAccessPeer(&can, 1, 1), 0);
    CU_ASSERT_EQUAL(can, 0);
    CU_ASSERT_EQUAL(cudaMalloc((void **)&near, 4), 0);
    CU_ASSERT_EQUAL(cudaSetDevice(1), 0);
    CU_ASSERT_EQUAL(cudaMalloc((void **)&far, 4), 0);
    CU_ASSERT_EQUAL(cudaSetDevice(0), 0);
    CU_ASSERT_EQUAL(cudaMemcpy(near, &number, 4, 1), 0);
    CU_ASSERT_EQUAL(cudaMemcpyPeer(far, 1, near, 0, 4), 0);
    CU_ASSERT_EQUAL(cudaDeviceDisablePeerAccess(1), 705);
    CU_ASSERT_EQUAL(cudaDeviceEnablePeerAccess(0, 0), 101);
    CU_ASSERT_EQUAL(cudaDeviceEnablePeerAccess(1, 0), 0);
    CU_ASSERT_EQUAL(cudaDeviceEnablePeerAccess(1, 0), 704);
    CU_ASSERT_EQUAL(bump(far), 0);
    CU_ASSERT_EQUAL(cudaMemcpy(&seen, far, 4, 4), 0);
    CU_ASSERT_EQUAL(seen, 8);
    CU_ASSERT_EQUAL(cudaDeviceDisablePeerAccess(1), 0);
    CU_ASSERT_EQUAL(cudaIpcGetMemHandle(&seen, far), 801);
    CU_ASSERT_EQUAL(bump(far), 700);
    CU_ASSERT_EQUAL(cudaDeviceReset(), 0);
    cudaGetLastError();
}

int main(void)
{
    static const CU_TestInfo tests[] = {{"arrays", test_arrays},
                                        {"textures and surfaces", test_textures},
                                        {"the driver interface", test_driver},
                                        {"texels", test_sampling},
                                        {"registered memory", test_registered},
                                        {"other devices", test_peers}};
    size_t size = 0;
    unsigned char *container =
        cuda_entry(NULL, &size, CUDA_PTX, 75, ptx_text, sizeof ptx_text, 0, 0);
    struct cuda_wrapper wrapper = {0x466243b1, 1, container, NULL};
    setenv("WARPSCOPE_CUDA_DEVICES", "2", 1);
    unsetenv("WARPSCOPE_MEMTRACE");
    void **handle = __cudaRegisterFatBinary(&wrapper);
    __cudaRegisterFunction(handle, &bump_host, NULL, "bump", -1, NULL, NULL, NULL, NULL, NULL);
    size_t texture_size = 0;
    unsigned char *texture_container =
        cuda_entry(NULL, &texture_size, CUDA_PTX, 75, texture_text, sizeof texture_text, 0, 0);
    struct cuda_wrapper texture_wrapper = {0x466243b1, 1, texture_container, NULL};
    void **textures = __cudaRegisterFatBinary(&texture_wrapper);
    __cudaRegisterFunction(textures, &look_host, NULL, "look", -1, NULL, NULL, NULL, NULL, NULL);
    __cudaRegisterFunction(textures, &gather_host, NULL, "gather", -1, NULL, NULL, NULL, NULL,
                           NULL);
    __cudaRegisterFunction(textures, &move_host, NULL, "move", -1, NULL, NULL, NULL, NULL, NULL);
    int status = suite_run("CUDA arrays", tests, sizeof tests / sizeof tests[0]);
    __cudaUnregisterFatBinary(handle);
    __cudaUnregisterFatBinary(textures);
    free(container);
    free(texture_container);
    return status;
}
