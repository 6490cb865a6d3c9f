/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The CUDA library of the interpreter, called as programs of nvcc call it: registration, launches, variables, copies,
 * errors, modules and links of the driver interface, memory traces.
 *
 * test: libs=cudart_cpu
 */
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/cuda_calls.h"
#include "support/suite.h"

/* add(x, y, n): x[i] += y + bias + count[0], and count[1] becomes n. */
static const char ptx_text[] = //
    ".version 7.0\n.target sm_75\n.address_size 64\n"
    ".visible .const .align 4 .u32 bias = 100;\n"
    ".visible .global .align 4 .u32 count[2] = {1000, 0};\n"
    ".visible .global .attribute(.managed) .align 4 .u32 shared_number = 7;\n"
    ".visible .entry add(.param .u64 x, .param .u32 y, .param .u32 n)\n{\n"
    ".reg .pred %p<2>;\n.reg .b32 %r<12>;\n.reg .b64 %d<6>;\n"
    "ld.param.u64 %d1, [x];\nld.param.u32 %r1, [y];\nld.param.u32 %r2, [n];\n"
    "mov.u32 %r3, %ctaid.x;\nmov.u32 %r4, %ntid.x;\nmov.u32 %r5, %tid.x;\nmad.lo.s32 %r6, %r3, "
    "%r4, %r5;\n"
    "setp.ge.u32 %p1, %r6, %r2;\n@%p1 bra done;\n"
    "cvta.to.global.u64 %d2, %d1;\nmul.wide.u32 %d3, %r6, 4;\nadd.s64 %d4, %d2, %d3;\n"
    "ld.global.u32 %r7, [%d4];\nld.const.u32 %r8, [bias];\nld.global.u32 %r9, [count];\n"
    "add.s32 %r7, %r7, %r1;\nadd.s32 %r7, %r7, %r8;\nadd.s32 %r7, %r7, %r9;\n"
    "st.global.u32 [%d4], %r7;\nst.global.u32 [count+4], %r2;\n"
    "done:\nret;\n}\n"
    ".visible .entry bump()\n{\n.reg .b32 %r<3>;\n"
    "ld.global.u32 %r1, [shared_number];\nadd.s32 %r1, %r1, 1;\nst.global.u32 [shared_number], "
    "%r1;\nret;\n}\n"
    ".visible .entry wild()\n{\n.reg .b32 %r<2>;\n.reg .b64 %d<2>;\n"
    "mov.u64 %d1, 64;\nmov.u32 %r1, 1;\nst.global.u32 [%d1], %r1;\nret;\n}\n";

static char add_host, bump_host, wild_host, bias_host, count_host;
static int *shared_number;
static void **handle;
static unsigned char *container;
static struct cuda_wrapper wrapper;

static void register_all(void)
{
    size_t size = 0;
    container = cuda_entry(NULL, &size, CUDA_PTX, 75, ptx_text, sizeof ptx_text, 0, 0);
    wrapper = (struct cuda_wrapper){0x466243b1, 1, container, NULL};
    handle = __cudaRegisterFatBinary(&wrapper);
    __cudaRegisterFunction(handle, &add_host, NULL, "add", -1, NULL, NULL, NULL, NULL, NULL);
    __cudaRegisterFunction(handle, &bump_host, NULL, "bump", -1, NULL, NULL, NULL, NULL, NULL);
    __cudaRegisterFunction(handle, &wild_host, NULL, "wild", -1, NULL, NULL, NULL, NULL, NULL);
    __cudaRegisterVar(handle, &bias_host, NULL, "bias", 0, 4, 1, 0);
    __cudaRegisterVar(handle, &count_host, NULL, "count", 0, 8, 0, 0);
    __cudaRegisterManagedVar(handle, (void **)&shared_number, NULL, "shared_number", 0, 4, 0, 0);
    __cudaRegisterFatBinaryEnd(handle);
}

static int launch(char *host, unsigned ctas, unsigned threads, void **arguments, void *stream)
{
    return cudaLaunchKernel(host, (struct cuda_dim3){ctas, 1, 1}, (struct cuda_dim3){threads, 1, 1},
                            arguments, 0, stream);
}

static void test_launch(void)
{
    uint32_t *x, y = 5, n = 100, seen[100], count[2];
    void *arguments[] = {&x, &y, &n}, *kernel;
    CU_ASSERT_EQUAL(cudaMalloc((void **)&x, sizeof seen), 0);
    CU_ASSERT_EQUAL(cudaMemset(x, 0, sizeof seen), 0);
    CU_ASSERT_EQUAL(launch(&add_host, 4, 32, arguments, NULL), 0);
    CU_ASSERT_EQUAL(cudaMemcpy(seen, x, sizeof seen, 2), 0);
    CU_ASSERT_EQUAL(seen[0], 1105);
    CU_ASSERT_EQUAL(seen[99], 1105);

    /* As nvcc's stubs do it: the configuration is pushed, and the handle of the kernel launched. */
    struct cuda_dim3 grid, block;
    size_t shared;
    void *stream;
    CU_ASSERT_EQUAL(__cudaPushCallConfiguration((struct cuda_dim3){4, 1, 1},
                                                (struct cuda_dim3){32, 1, 1}, 0, NULL),
                    0);
    CU_ASSERT_EQUAL(__cudaGetKernel(&kernel, &add_host), 0);
    CU_ASSERT_EQUAL(__cudaPopCallConfiguration(&grid, &block, &shared, &stream), 0);
    uint32_t bias = 200;
    CU_ASSERT_EQUAL(cudaMemcpyToSymbol(&bias_host, &bias, 4, 0, 1), 0);
    CU_ASSERT_EQUAL(__cudaLaunchKernel(kernel, grid, block, arguments, shared, stream), 0);
    CU_ASSERT_EQUAL(cudaMemcpyFromSymbol(count, &count_host, 8, 0, 2), 0);
    CU_ASSERT_EQUAL(count[0], 1000);
    CU_ASSERT_EQUAL(count[1], 100);
    CU_ASSERT_EQUAL(cudaMemcpy(seen, x, sizeof seen, 2), 0);
    CU_ASSERT_EQUAL(seen[50], 2310);
    size_t size = 0;
    CU_ASSERT_EQUAL(cudaGetSymbolSize(&size, &count_host), 0);
    CU_ASSERT_EQUAL(size, 8);
    CU_ASSERT_EQUAL(cudaFree(x), 0);
}

/* Libraries such as CUB choose kernels by the architecture of the PTX. */
static void test_function_attributes(void)
{
    struct cuda_function_attributes a;
    CU_ASSERT_EQUAL(cudaFuncGetAttributes(&a, &add_host), 0);
    CU_ASSERT_EQUAL(a.ptx_version, 75);
    CU_ASSERT_EQUAL(a.max_threads, 1024);
}

static void test_managed(void)
{
    CU_ASSERT_TRUE(__cudaInitModule(handle));
    CU_ASSERT_PTR_NOT_NULL_FATAL(shared_number);
    CU_ASSERT_EQUAL(*shared_number, 7);
    CU_ASSERT_EQUAL(launch(&bump_host, 1, 1, NULL, NULL), 0);
    CU_ASSERT_EQUAL(cudaDeviceSynchronize(), 0);
    CU_ASSERT_EQUAL(*shared_number, 8);
}

static void test_copies(void)
{
    unsigned char *d, from[64], to[64];
    size_t pitch = 0;
    for (unsigned i = 0; i < sizeof from; i++) {
        from[i] = (unsigned char)i;
    }
    CU_ASSERT_EQUAL(cudaMallocPitch((void **)&d, &pitch, 8, 8), 0);
    CU_ASSERT_TRUE(pitch >= 8);
    CU_ASSERT_EQUAL(cudaMemcpy2D(d, pitch, from, 8, 8, 8, 1), 0);
    memset(to, 0, sizeof to);
    CU_ASSERT_EQUAL(cudaMemcpy2D(to, 8, d, pitch, 8, 8, 2), 0);
    CU_ASSERT_EQUAL(memcmp(from, to, sizeof to), 0);
    /* A pageable source may be changed when the call returns. */
    CU_ASSERT_EQUAL(cudaMemcpyAsync(d, from, 8, 1, NULL), 0);
    from[0] = 99;
    CU_ASSERT_EQUAL(cudaMemcpy(to, d, 8, 4), 0);
    CU_ASSERT_EQUAL(to[0], 0);
    CU_ASSERT_EQUAL(cudaFree(d), 0);
}

static void test_pools(void)
{
    const int properties[22] = {1, 0, 1, 0}, on_host[22] = {1, 0, 2, 0};
    void *pool, *memory;
    uint64_t threshold = 12345, value = 0, before = 0;
    int reuses = 0;
    CU_ASSERT_EQUAL(cudaMemPoolCreate(&pool, properties), 0);
    CU_ASSERT_EQUAL(cudaMemPoolSetAttribute(pool, 4, &threshold), 0);
    CU_ASSERT_EQUAL(cudaMemPoolGetAttribute(pool, 4, &value), 0);
    CU_ASSERT_EQUAL(value, threshold);
    CU_ASSERT_EQUAL(cudaMemPoolGetAttribute(pool, 1, &reuses), 0);
    CU_ASSERT_EQUAL(reuses, 1);
    CU_ASSERT_EQUAL(cudaMemPoolGetAttribute(pool, 7, &before), 0);
    CU_ASSERT_EQUAL(cudaMallocFromPoolAsync(&memory, 4096, pool, NULL), 0);
    CU_ASSERT_EQUAL(cudaMemPoolGetAttribute(pool, 7, &value), 0);
    CU_ASSERT_EQUAL(value, before + 4096);
    CU_ASSERT_EQUAL(cudaFreeAsync(memory, NULL), 0);
    CU_ASSERT_EQUAL(cudaDeviceSynchronize(), 0);
    CU_ASSERT_EQUAL(cudaMemPoolDestroy(pool), 0);
    CU_ASSERT_EQUAL(cudaMemPoolCreate(&pool, on_host), 801);
    CU_ASSERT_EQUAL(cudaMemPoolGetAttribute(&value, 4, &value), 1);
    CU_ASSERT_EQUAL(cudaMemPoolGetAttribute(NULL, 4, &value), 1);
    CU_ASSERT_EQUAL(cudaGetLastError(), 1);
}

static void test_misuse(void)
{
    char host[16];
    void *d, *other;
    CU_ASSERT_EQUAL(cudaMalloc(&d, 16), 0);
    CU_ASSERT_EQUAL(cudaMemcpy(d, host, 17, 1), 1);       /* too long */
    CU_ASSERT_EQUAL(cudaMemcpy(host, host, 16, 1), 1);    /* no device memory */
    CU_ASSERT_EQUAL(cudaMemcpy(d, host, 16, 9), 21);      /* no direction */
    CU_ASSERT_EQUAL(cudaMemset((char *)d + 8, 0, 16), 1); /* too long */
    CU_ASSERT_EQUAL(cudaFree((char *)d + 1), 1);          /* not a begin */
    CU_ASSERT_EQUAL(cudaFree(host), 1);
    CU_ASSERT_EQUAL(cudaFreeHost(d), 1); /* the device's */
    CU_ASSERT_EQUAL(cudaGetLastError(), 1);
    CU_ASSERT_EQUAL(cudaGetLastError(), 0);
    CU_ASSERT_EQUAL(cudaStreamSynchronize(host), 400);
    CU_ASSERT_EQUAL(cudaEventQuery(host), 400);
    CU_ASSERT_EQUAL(launch(&add_host, 1, 2048, NULL, NULL), 9);
    CU_ASSERT_EQUAL(launch(&add_host, 0, 32, NULL, NULL), 9);
    CU_ASSERT_EQUAL(launch(host, 1, 32, NULL, NULL), 98);
    CU_ASSERT_EQUAL(cudaMemcpyToSymbol(host, host, 4, 0, 1), 13);
    CU_ASSERT_EQUAL(cudaMemcpyToSymbol(&count_host, host, 8, 4, 1), 1);
    CU_ASSERT_EQUAL(cudaSetDevice(2), 101);
    CU_ASSERT_EQUAL(cudaMalloc(&other, (size_t)1 << 50), 2);
    CU_ASSERT_PTR_NULL(other);
    CU_ASSERT_EQUAL(cudaGraphicsUnregisterResource(d), 801); /* not part of the library */
    CU_ASSERT_STRING_EQUAL(cudaGetErrorName(700), "cudaErrorIllegalAddress");
    CU_ASSERT_STRING_EQUAL(cudaGetErrorString(0), "no error");
    CU_ASSERT_EQUAL(cudaFree(d), 0);
    CU_ASSERT_EQUAL(cudaGetLastError(), 801);
}

/* Addresses depend on the sequence of calls alone, also where memory is given back in the order of a stream. */
static void test_addresses(void)
{
    void *a, *b, *c, *stream;
    CU_ASSERT_EQUAL(cudaStreamCreate(&stream), 0);
    CU_ASSERT_EQUAL(cudaMallocAsync(&a, 1000, stream), 0);
    CU_ASSERT_EQUAL(cudaMemsetAsync(a, 1, 1000, stream), 0);
    CU_ASSERT_EQUAL(cudaFreeAsync(a, stream), 0);
    CU_ASSERT_EQUAL(cudaMallocAsync(&b, 1000, stream), 0);
    CU_ASSERT_PTR_NOT_EQUAL(a, b);
    CU_ASSERT_EQUAL(cudaStreamSynchronize(stream), 0);
    CU_ASSERT_EQUAL(cudaMallocAsync(&c, 1000, stream), 0);
    CU_ASSERT_PTR_EQUAL(a, c);
    CU_ASSERT_EQUAL(cudaFree(b), 0);
    CU_ASSERT_EQUAL(cudaFree(c), 0);
    CU_ASSERT_EQUAL(cudaStreamDestroy(stream), 0);
}

static void test_devices(void)
{
    int count = 0, now = -1;
    CU_ASSERT_EQUAL(cudaGetDeviceCount(&count), 0);
    CU_ASSERT_EQUAL(count, 2);
    CU_ASSERT_EQUAL(cudaSetDevice(1), 0);
    CU_ASSERT_EQUAL(cudaGetDevice(&now), 0);
    CU_ASSERT_EQUAL(now, 1);
    uint32_t *x, y = 1, n = 1, seen = 0;
    void *arguments[] = {&x, &y, &n};
    CU_ASSERT_EQUAL(cudaMalloc((void **)&x, 4), 0);
    CU_ASSERT_EQUAL(cudaMemset(x, 0, 4), 0);
    CU_ASSERT_EQUAL(launch(&add_host, 1, 32, arguments, NULL), 0);
    CU_ASSERT_EQUAL(cudaMemcpy(&seen, x, 4, 2), 0);
    CU_ASSERT_EQUAL(seen, 1101); /* variables of its own */
    CU_ASSERT_EQUAL(cudaFree(x), 0);
    CU_ASSERT_EQUAL(cudaSetDevice(0), 0);
}

static void test_driver(void)
{
    static char first[] =
        ".version 7.0\n.target sm_75\n.address_size 64\n"
        ".extern .func (.param .b32 r) twice(.param .b32 a);\n"
        ".visible .global .u32 mark = 3;\n"
        ".visible .entry go(.param .u64 x, .param .u8 b)\n{\n.reg .b32 %r<4>;\n.reg .b64 %d<3>;\n"
        "ld.param.u64 %d1, [x];\nld.global.u32 %r1, [mark];\n"
        "{\n.param .b32 a;\nst.param.b32 [a], %r1;\n.param .b32 r;\n"
        "call.uni (r), twice, (a);\nld.param.b32 %r2, [r];\n}\n"
        "st.global.u32 [%d1], %r2;\nret;\n}\n";
    static char second[] =
        ".version 7.0\n.target sm_75\n.address_size 64\n"
        ".visible .func (.param .b32 r) twice(.param .b32 a)\n{\n.reg .b32 %r<3>;\n"
        "ld.param.b32 %r1, [a];\nadd.s32 %r2, %r1, %r1;\nst.param.b32 [r], %r2;\nret;\n}\n";
    void *context, *link, *image, *module, *function, *found = NULL;
    uint64_t x, mark;
    size_t size, offset;
    unsigned seen = 0;
    unsigned char byte = 0;
    int status = -1;
    CU_ASSERT_EQUAL(cuInit(0), 0);
    int mode = 2;
    CU_ASSERT_EQUAL(cuThreadExchangeStreamCaptureMode(&mode), 0);
    CU_ASSERT_EQUAL(mode, 0);
    CU_ASSERT_EQUAL(cuThreadExchangeStreamCaptureMode(&mode), 0);
    CU_ASSERT_EQUAL(mode, 2);
    CU_ASSERT_EQUAL(cuDevicePrimaryCtxRetain(&context, 0), 0);
    CU_ASSERT_EQUAL(cuCtxSetCurrent(context), 0);
    CU_ASSERT_EQUAL(cuModuleLoadData(&module, "no PTX"), 218);
    CU_ASSERT_EQUAL(cuModuleLoadData(&module, "\177ELF"), 209);
    CU_ASSERT_EQUAL(cuLinkCreate_v2(0, NULL, NULL, &link), 0);
    CU_ASSERT_EQUAL(cuLinkAddData_v2(link, 1, first, sizeof first, "first", 0, NULL, NULL), 0);
    CU_ASSERT_EQUAL(cuLinkAddData_v2(link, 1, second, sizeof second, "second", 0, NULL, NULL), 0);
    CU_ASSERT_EQUAL(cuLinkComplete(link, &image, &size), 0);
    CU_ASSERT_EQUAL_FATAL(cuModuleLoadData(&module, image), 0);
    CU_ASSERT_EQUAL(cuLinkDestroy(link), 0);
    CU_ASSERT_EQUAL(cuModuleGetFunction(&function, module, "gone"), 500);
    CU_ASSERT_EQUAL(cuModuleGetFunction(&function, module, "go"), 0);
    CU_ASSERT_EQUAL(cuModuleGetGlobal_v2(&mark, &size, module, "mark"), 0);
    CU_ASSERT_EQUAL(size, 4);
    CU_ASSERT_EQUAL(cuMemsetD32_v2(mark, 21, 1), 0);
    CU_ASSERT_EQUAL(cuFuncGetParamInfo(function, 1, &offset, &size), 0);
    CU_ASSERT_EQUAL(offset, 8);
    CU_ASSERT_EQUAL(size, 1);
    CU_ASSERT_EQUAL(cuFuncGetParamInfo(function, 2, &offset, &size), 1);
    CU_ASSERT_EQUAL(cuMemAlloc_v2(&x, 4), 0);
    void *parameters[] = {&x, &byte};
    CU_ASSERT_EQUAL(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, parameters, NULL), 0);
    CU_ASSERT_EQUAL(cuMemcpyDtoH_v2(&seen, x, 4), 0);
    CU_ASSERT_EQUAL(seen, 42);
    CU_ASSERT_EQUAL(cuMemFree_v2(x), 0);
    CU_ASSERT_EQUAL(cuModuleUnload(module), 0);
    CU_ASSERT_EQUAL(cuModuleUnload(module), 400);
    CU_ASSERT_EQUAL(cudaGetDriverEntryPointByVersion("cuMemAlloc", &found, 13000, 0, &status), 0);
    int (*alloc)(uint64_t *, size_t) = cuMemAlloc_v2;
    CU_ASSERT_EQUAL(memcmp(&found, &alloc, sizeof found), 0); /* the newest form */
    CU_ASSERT_EQUAL(cudaGetDriverEntryPointByVersion("cuNothing", &found, 13000, 0, &status), 0);
    CU_ASSERT_EQUAL(status, 1);
}

/* Fills of an area, in all forms, and names of devices. */
static void test_driver_forms(void)
{
    int (*const fills[])(uint64_t, size_t, unsigned char, size_t, size_t) = {cuMemsetD2D8_v2,
                                                                             cuMemsetD2D8_v2_ptds};
    int (*const fills_async[])(uint64_t, size_t, unsigned char, size_t, size_t,
                               void *) = {cuMemsetD2D8Async, cuMemsetD2D8Async_ptsz};
    void *context;
    uint64_t x;
    char id[16] = "";
    CU_ASSERT_EQUAL(cuDevicePrimaryCtxRetain(&context, 0), 0);
    CU_ASSERT_EQUAL(cuCtxSetCurrent(context), 0);
    CU_ASSERT_EQUAL(cuMemAlloc_v2(&x, 12), 0);
    for (int i = 0; i < 4; i++) {
        unsigned char seen[12], mark = (unsigned char)(10 + i);
        CU_ASSERT_EQUAL(cuMemsetD32_v2(x, 0, 3), 0);
        if (i < 2) {
            CU_ASSERT_EQUAL(fills[i](x, 5, mark, 3, 2), 0);
        } else {
            CU_ASSERT_EQUAL(fills_async[i - 2](x, 5, mark, 3, 2, NULL), 0);
            CU_ASSERT_EQUAL(cudaDeviceSynchronize(), 0);
        }
        CU_ASSERT_EQUAL(cuMemcpyDtoH_v2(seen, x, 12), 0);
        for (unsigned k = 0; k < 12; k++) {
            CU_ASSERT_EQUAL(seen[k], k < 10 && k % 5 < 3 ? mark : 0);
        }
    }
    CU_ASSERT_EQUAL(cuMemFree_v2(x), 0);
    CU_ASSERT_EQUAL(cuDeviceGetPCIBusId(id, sizeof id, 1), 0);
    CU_ASSERT_STRING_EQUAL(id, "0000:01:01.0");
    CU_ASSERT_EQUAL(cuDeviceGetPCIBusId(id, sizeof id, -1), 101);
    CU_ASSERT_EQUAL(cuDeviceGetPCIBusId(id, sizeof id, 1000), 101);
    CU_ASSERT_EQUAL(cuDeviceGetPCIBusId(id, 12, 0), 1);
}

static void test_machine_code(void)
{
    static char host;
    size_t size = 0;
    unsigned char *c = cuda_entry(NULL, &size, CUDA_ELF, 90, "\177ELF", 4, 0, 0);
    struct cuda_wrapper w = {0x466243b1, 1, c, NULL};
    void **h = __cudaRegisterFatBinary(&w);
    __cudaRegisterFunction(h, &host, NULL, "none", -1, NULL, NULL, NULL, NULL, NULL);
    __cudaRegisterFatBinaryEnd(h);
    CU_ASSERT_EQUAL(launch(&host, 1, 1, NULL, NULL), 209);
    CU_ASSERT_EQUAL(cudaGetLastError(), 209);
    __cudaUnregisterFatBinary(h);
    CU_ASSERT_EQUAL(launch(&host, 1, 1, NULL, NULL), 98);
    cudaGetLastError();
    free(c);
}

/* A fault ends all work of its device until a reset. */
static void test_fault(void)
{
    void *x, *stream;
    CU_ASSERT_EQUAL(cudaStreamCreate(&stream), 0);
    CU_ASSERT_EQUAL(launch(&wild_host, 1, 1, NULL, stream), 0);
    CU_ASSERT_EQUAL(cudaStreamSynchronize(stream), 700);
    CU_ASSERT_EQUAL(cudaMalloc(&x, 4), 700);
    CU_ASSERT_EQUAL(cudaDeviceSynchronize(), 700);
    CU_ASSERT_EQUAL(cudaGetLastError(), 700);
    CU_ASSERT_EQUAL(cudaGetLastError(), 700);
    CU_ASSERT_EQUAL(cudaSetDevice(1), 0);
    CU_ASSERT_EQUAL(cudaMalloc(&x, 4), 0); /* the other device goes on */
    CU_ASSERT_EQUAL(cudaFree(x), 0);
    CU_ASSERT_EQUAL(cudaSetDevice(0), 700);
    CU_ASSERT_EQUAL(cudaDeviceReset(), 0);
    CU_ASSERT_EQUAL(cudaMalloc(&x, 4), 0);
    CU_ASSERT_EQUAL(cudaFree(x), 0);
    CU_ASSERT_EQUAL(launch(&bump_host, 1, 1, NULL, NULL), 0);
    CU_ASSERT_EQUAL(cudaDeviceSynchronize(), 0);
    CU_ASSERT_EQUAL(*shared_number, 8); /* initialised anew */
}

int main(void)
{
    static const CU_TestInfo tests[] = {{"launches and variables", test_launch},
                                        {"attributes of functions", test_function_attributes},
                                        {"memory pools", test_pools},
                                        {"managed variables", test_managed},
                                        {"copies", test_copies},
                                        {"misuse", test_misuse},
                                        {"addresses", test_addresses},
                                        {"two devices", test_devices},
                                        {"the driver interface", test_driver},
                                        {"forms of the driver interface", test_driver_forms},
                                        {"machine code alone", test_machine_code},
                                        {"a fault", test_fault}};
    setenv("WARPSCOPE_CUDA_DEVICES", "2", 1);
    unsetenv("WARPSCOPE_MEMTRACE");
    register_all();
    int status = suite_run("CUDA runtime", tests, sizeof tests / sizeof tests[0]);
    __cudaUnregisterFatBinary(handle);
    free(container);
    return status;
}
