/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The end of a program: the traces of all streams are complete, also of those that it destroyed or never waited for.
 * Streams have numbers in the order of their first launches. A child of the program does not wait for its streams. A
 * launch that cannot run is noted in the trace.
 *
 * test: libs=cudart_cpu timeout=60
 */
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/cuda_calls.h"
#include "support/suite.h"

/* fill(x): x[0] to x[n - 1] become their index, in one thread. */
static const char ptx_text[] = //
    ".version 7.0\n.target sm_75\n.address_size 64\n"
    ".visible .entry fill(.param .u64 x, .param .u32 n)\n{\n"
    ".reg .pred %p<2>;\n.reg .b32 %r<3>;\n.reg .b64 %d<2>;\n"
    "ld.param.u64 %d1, [x];\nld.param.u32 %r2, [n];\nmov.u32 %r1, 0;\n"
    "again:\nst.global.u32 [%d1], %r1;\nadd.s64 %d1, %d1, 4;\nadd.s32 %r1, %r1, 1;\n"
    "setp.lt.u32 %p1, %r1, %r2;\n@%p1 bra again;\nret;\n}\n";

static char fill_host;

enum { STREAMS = 6, WORDS = 30000 };

/* Runs in a process of its own. */
static void program(void)
{
    size_t size = 0;
    static unsigned char *container;
    static struct cuda_wrapper wrapper;
    container = cuda_entry(NULL, &size, CUDA_PTX, 75, ptx_text, sizeof ptx_text, 0, 0);
    wrapper = (struct cuda_wrapper){0x466243b1, 1, container, NULL};
    void **handle = __cudaRegisterFatBinary(&wrapper);
    __cudaRegisterFunction(handle, &fill_host, NULL, "fill", -1, NULL, NULL, NULL, NULL, NULL);
    int errors = 0;
    for (int i = 0; i < STREAMS; i++) {
        void *stream, *x;
        unsigned n = WORDS - (unsigned)i * 1000; /* the first one takes longest */
        void *arguments[] = {&x, &n};
        struct cuda_dim3 single = {1, 1, 1};
        errors += cudaStreamCreate(&stream) + cudaMalloc(&x, 4 * WORDS);
        errors += cudaLaunchKernel(&fill_host, single, single, arguments, 0, stream);
        if (i % 2 == 0) {
            errors += cudaStreamDestroy(stream);
        }
    }
    pid_t child = fork();
    if (child ==
        0) { /* it has no streams: it fails and ends at once, and leaves the traces alone */
        exit(cudaDeviceSynchronize() == 4 && cudaStreamSynchronize(NULL) == 4 ? 0 : 1);
    }
    int status = -1;
    waitpid(child, &status, 0);
    exit(errors != 0 || status != 0);
}

static void test_traces(void)
{
    char directory[] = "cuda_end_XXXXXX", path[64];
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(directory));
    pid_t child = fork();
    if (child == 0) {
        setenv("WARPSCOPE_MEMTRACE", directory, 1);
        program();
    }
    int status = -1;
    CU_ASSERT_EQUAL(waitpid(child, &status, 0), child);
    CU_ASSERT_EQUAL(status, 0);
    for (int i = 1; i <= STREAMS; i++) {
        snprintf(path, sizeof path, "%s/MemTrace-pipe-%d", directory, i);
        FILE *f = fopen(path, "rb");
        CU_ASSERT_PTR_NOT_NULL(f);
        if (f != NULL) {
            fseek(f, 0, SEEK_END);
            CU_ASSERT_EQUAL(ftell(f), 1 + 1 + 4 + 1 + 24L * (WORDS - (i - 1) * 1000) + 24);
            fclose(f);
        }
        remove(path);
    }
    snprintf(path, sizeof path, "%s/MemTrace-memory", directory);
    CU_ASSERT_EQUAL(remove(path), 0);
    CU_ASSERT_EQUAL(rmdir(directory), 0); /* no part of a file is left */
}

/* Runs in a process of its own: PTX with an error, of which a kernel is launched. */
static void broken_program(void)
{
    static char broken_host;
    static const char text[] = ".version 7.0\n.target sm_75\n.address_size 64\n.entry broken() {";
    size_t size = 0;
    unsigned char *container = cuda_entry(NULL, &size, CUDA_PTX, 75, text, sizeof text, 0, 0);
    static struct cuda_wrapper wrapper;
    wrapper = (struct cuda_wrapper){0x466243b1, 1, container, NULL};
    void **handle = __cudaRegisterFatBinary(&wrapper);
    __cudaRegisterFunction(handle, &broken_host, NULL, "broken", -1, NULL, NULL, NULL, NULL, NULL);
    struct cuda_dim3 single = {1, 1, 1};
    void *none = NULL;
    if (freopen("/dev/null", "w", stderr) == NULL) {
        exit(2);
    }
    exit(cudaLaunchKernel(&broken_host, single, single, &none, 0, NULL) == 218 ? 0 : 1);
}

static void test_refused_launch(void)
{
    static const char start[] = "\030\n[trace incomplete] a launch of broken could not run: line ";
    char directory[] = "cuda_end_XXXXXX", path[64], text[sizeof start] = "";
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(directory));
    pid_t child = fork();
    if (child == 0) {
        setenv("WARPSCOPE_MEMTRACE", directory, 1);
        broken_program();
    }
    int status = -1;
    CU_ASSERT_EQUAL(waitpid(child, &status, 0), child);
    CU_ASSERT_EQUAL(status, 0);
    snprintf(path, sizeof path, "%s/MemTrace-pipe-1", directory);
    FILE *f = fopen(path, "rb");
    CU_ASSERT_PTR_NOT_NULL(f);
    if (f != NULL) {
        CU_ASSERT_EQUAL(fread(text, 1, sizeof start - 1, f), sizeof start - 1);
        fclose(f);
    }
    CU_ASSERT_STRING_EQUAL(text, start);
    remove(path);
    snprintf(path, sizeof path, "%s/MemTrace-memory", directory);
    remove(path);
    CU_ASSERT_EQUAL(rmdir(directory), 0);
}

int main(void)
{
    static const CU_TestInfo tests[] = {{"traces at the end", test_traces},
                                        {"a launch that cannot run", test_refused_launch}};
    return suite_run("end of CUDA programs", tests, sizeof tests / sizeof tests[0]);
}
