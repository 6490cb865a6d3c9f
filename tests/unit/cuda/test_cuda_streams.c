/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Streams of the CUDA library of the interpreter: order within a stream, between streams by events and by the
 * default stream, kernels that wait for each other, callbacks after a fault, many threads at once.
 *
 * test: libs=cudart_cpu
 */
#include <pthread.h>
#include <stdatomic.h>

#include "support/cuda_calls.h"
#include "support/suite.h"

/* meet(mine, other): sets the word at mine, and waits until that at other is not 0. */
static const char ptx_text[] = //
    ".version 7.0\n.target sm_75\n.address_size 64\n"
    ".visible .entry meet(.param .u64 mine, .param .u64 other)\n{\n"
    ".reg .pred %p<2>;\n.reg .b32 %r<3>;\n.reg .b64 %d<3>;\n"
    "ld.param.u64 %d1, [mine];\nld.param.u64 %d2, [other];\n"
    "mov.u32 %r1, 1;\nst.volatile.global.u32 [%d1], %r1;\n"
    "again:\nld.volatile.global.u32 %r2, [%d2];\nsetp.eq.u32 %p1, %r2, 0;\n@%p1 bra "
    "again;\nret;\n}\n"
    ".visible .entry wild()\n{\n.reg .b32 %r<2>;\n.reg .b64 %d<2>;\n"
    "mov.u64 %d1, 64;\nmov.u32 %r1, 1;\nst.global.u32 [%d1], %r1;\nret;\n}\n";

static char meet_host, wild_host;

struct gate { /* a function of the host that waits until it is opened */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool open;
};

static void gate_wait(void *user)
{
    struct gate *g = user;
    pthread_mutex_lock(&g->lock);
    while (!g->open) {
        pthread_cond_wait(&g->changed, &g->lock);
    }
    pthread_mutex_unlock(&g->lock);
}

static void gate_open(struct gate *g)
{
    pthread_mutex_lock(&g->lock);
    g->open = true;
    pthread_cond_broadcast(&g->changed);
    pthread_mutex_unlock(&g->lock);
}

#define GATE                                                                                       \
    {                                                                                              \
        PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false                                 \
    }

static atomic_int clock_of_test;

static void stamp(void *user)
{
    *(int *)user = atomic_fetch_add(&clock_of_test, 1) + 1;
}

static void test_order(void)
{
    enum { N = 200 };
    int at[N] = {0};
    void *stream;
    CU_ASSERT_EQUAL(cudaStreamCreate(&stream), 0);
    struct gate gate = GATE;
    CU_ASSERT_EQUAL(cudaLaunchHostFunc(stream, gate_wait, &gate), 0);
    for (int i = 0; i < N; i++) {
        CU_ASSERT_EQUAL(cudaLaunchHostFunc(stream, stamp, &at[i]), 0);
    }
    CU_ASSERT_EQUAL(cudaStreamQuery(stream), 600);
    CU_ASSERT_EQUAL(at[0], 0);
    gate_open(&gate);
    CU_ASSERT_EQUAL(cudaStreamSynchronize(stream), 0);
    CU_ASSERT_EQUAL(cudaStreamQuery(stream), 0);
    for (int i = 1; i < N; i++) {
        CU_ASSERT_EQUAL(at[i], at[i - 1] + 1);
    }
    CU_ASSERT_EQUAL(cudaStreamDestroy(stream), 0);
    cudaGetLastError();
}

/* Work on the default stream waits for all blocking streams, and they wait for it; others do not. */
static void test_default_stream(void)
{
    void *a, *b, *free_stream;
    int before = 0, middle = 0, after = 0, aside = 0;
    struct gate gate = GATE;
    CU_ASSERT_EQUAL(cudaStreamCreate(&a), 0);
    CU_ASSERT_EQUAL(cudaStreamCreate(&b), 0);
    CU_ASSERT_EQUAL(cudaStreamCreateWithFlags(&free_stream, 1), 0);
    CU_ASSERT_EQUAL(cudaLaunchHostFunc(a, gate_wait, &gate), 0);
    CU_ASSERT_EQUAL(cudaLaunchHostFunc(a, stamp, &before), 0);
    CU_ASSERT_EQUAL(cudaLaunchHostFunc(NULL, stamp, &middle), 0);
    CU_ASSERT_EQUAL(cudaLaunchHostFunc(b, stamp, &after), 0);
    CU_ASSERT_EQUAL(cudaLaunchHostFunc(free_stream, stamp, &aside), 0);
    CU_ASSERT_EQUAL(cudaStreamSynchronize(free_stream), 0);
    CU_ASSERT_TRUE(aside > 0);
    CU_ASSERT_EQUAL(cudaStreamQuery(NULL), 600);
    CU_ASSERT_EQUAL(cudaStreamQuery(b), 600);
    gate_open(&gate);
    CU_ASSERT_EQUAL(cudaDeviceSynchronize(), 0);
    CU_ASSERT_TRUE(aside < before && before < middle && middle < after);
    cudaStreamDestroy(a);
    cudaStreamDestroy(b);
    cudaStreamDestroy(free_stream);
    cudaGetLastError();
}

static void test_events(void)
{
    void *a, *b, *begin, *end;
    int first = 0, second = 0;
    float milliseconds = -1;
    struct gate gate = GATE;
    CU_ASSERT_EQUAL(cudaStreamCreateWithFlags(&a, 1), 0);
    CU_ASSERT_EQUAL(cudaStreamCreateWithFlags(&b, 1), 0);
    CU_ASSERT_EQUAL(cudaEventCreate(&begin), 0);
    CU_ASSERT_EQUAL(cudaEventCreate(&end), 0);
    CU_ASSERT_EQUAL(cudaEventQuery(begin), 0); /* never recorded */
    CU_ASSERT_EQUAL(cudaEventRecord(begin, a), 0);
    CU_ASSERT_EQUAL(cudaLaunchHostFunc(a, gate_wait, &gate), 0);
    CU_ASSERT_EQUAL(cudaLaunchHostFunc(a, stamp, &first), 0);
    CU_ASSERT_EQUAL(cudaEventRecord(end, a), 0);
    CU_ASSERT_EQUAL(cudaStreamWaitEvent(b, end, 0), 0);
    CU_ASSERT_EQUAL(cudaLaunchHostFunc(b, stamp, &second), 0);
    CU_ASSERT_EQUAL(cudaEventQuery(end), 600);
    CU_ASSERT_EQUAL(cudaEventElapsedTime(&milliseconds, begin, end), 600);
    gate_open(&gate);
    CU_ASSERT_EQUAL(cudaStreamSynchronize(b), 0);
    CU_ASSERT_EQUAL(cudaEventSynchronize(end), 0);
    CU_ASSERT_TRUE(first > 0 && first < second);
    CU_ASSERT_EQUAL(cudaEventElapsedTime(&milliseconds, begin, end), 0);
    CU_ASSERT_TRUE(milliseconds >= 0);
    /* Handles that go before what they stand for has ended. */
    struct gate late = GATE;
    CU_ASSERT_EQUAL(cudaLaunchHostFunc(a, gate_wait, &late), 0);
    CU_ASSERT_EQUAL(cudaEventRecord(end, a), 0);
    CU_ASSERT_EQUAL(cudaStreamWaitEvent(b, end, 0), 0);
    CU_ASSERT_EQUAL(cudaLaunchHostFunc(b, stamp, &second), 0);
    CU_ASSERT_EQUAL(cudaEventDestroy(end), 0);
    CU_ASSERT_EQUAL(cudaStreamDestroy(a), 0);
    gate_open(&late);
    CU_ASSERT_EQUAL(cudaStreamSynchronize(b), 0);
    CU_ASSERT_EQUAL(cudaEventDestroy(begin), 0);
    CU_ASSERT_EQUAL(cudaEventQuery(begin), 400);
    CU_ASSERT_EQUAL(cudaStreamDestroy(b), 0);
    cudaGetLastError();
}

/* Each of two kernels waits for a word that the other one writes. */
static void test_meeting(void)
{
    void *a, *b;
    unsigned *words, *one, *two;
    struct cuda_dim3 single = {1, 1, 1};
    CU_ASSERT_EQUAL(cudaStreamCreate(&a), 0);
    CU_ASSERT_EQUAL(cudaStreamCreate(&b), 0);
    CU_ASSERT_EQUAL(cudaMalloc((void **)&words, 512), 0);
    CU_ASSERT_EQUAL(cudaMemset(words, 0, 512), 0);
    one = words;
    two = words + 64;
    void *forth[] = {&one, &two}, *back[] = {&two, &one};
    CU_ASSERT_EQUAL(cudaLaunchKernel(&meet_host, single, single, forth, 0, a), 0);
    CU_ASSERT_EQUAL(cudaLaunchKernel(&meet_host, single, single, back, 0, b), 0);
    CU_ASSERT_EQUAL(cudaDeviceSynchronize(), 0);
    CU_ASSERT_EQUAL(cudaFree(words), 0);
    cudaStreamDestroy(a);
    cudaStreamDestroy(b);
}

/* A kernel that waits for the host's word in mapped memory. */
static void test_mapped(void)
{
    void *stream;
    unsigned *host, *mine, *other;
    struct cuda_dim3 single = {1, 1, 1};
    CU_ASSERT_EQUAL(cudaStreamCreate(&stream), 0);
    CU_ASSERT_EQUAL(cudaHostAlloc((void **)&host, 512, 2), 0);
    mine = host;
    other = host + 64;
    __atomic_store_n(mine, 0, __ATOMIC_RELAXED);
    __atomic_store_n(other, 0, __ATOMIC_RELAXED);
    void *arguments[] = {&mine, &other};
    CU_ASSERT_EQUAL(cudaLaunchKernel(&meet_host, single, single, arguments, 0, stream), 0);
    while (__atomic_load_n(mine, __ATOMIC_ACQUIRE) == 0) {
        sched_yield();
    }
    CU_ASSERT_EQUAL(cudaStreamQuery(stream), 600);
    __atomic_store_n(other, 1, __ATOMIC_RELEASE);
    CU_ASSERT_EQUAL(cudaStreamSynchronize(stream), 0);
    CU_ASSERT_EQUAL(cudaFreeHost(host), 0);
    cudaStreamDestroy(stream);
    cudaGetLastError();
}

static void *churn(void *user)
{
    (void)user;
    int sum = 0;
    for (int round = 0; round < 20; round++) {
        void *stream, *event, *memory;
        int at = 0;
        sum += cudaStreamCreate(&stream);
        sum += cudaEventCreate(&event);
        sum += cudaMallocAsync(&memory, 4096, stream);
        sum += cudaMemsetAsync(memory, round, 4096, stream);
        sum += cudaLaunchHostFunc(stream, stamp, &at);
        sum += cudaEventRecord(event, stream);
        sum += cudaStreamWaitEvent(NULL, event, 0);
        sum += cudaMemsetAsync(memory, round + 1, 4096, NULL);
        sum += cudaFreeAsync(memory, stream);
        sum += cudaEventSynchronize(event);
        sum += at > 0 ? 0 : 1000;
        sum += cudaEventDestroy(event);
        sum += cudaStreamSynchronize(NULL);
        sum += cudaStreamSynchronize(stream);
        sum += cudaStreamDestroy(stream);
    }
    return (void *)(intptr_t)sum;
}

static void test_threads(void)
{
    enum { THREADS = 4 };
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) {
        CU_ASSERT_EQUAL_FATAL(pthread_create(&threads[i], NULL, churn, NULL), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        void *sum;
        pthread_join(threads[i], &sum);
        CU_ASSERT_PTR_NULL(sum);
    }
    CU_ASSERT_EQUAL(cudaDeviceSynchronize(), 0);
}

static int callback_status;

static void note_status(void *stream, int status, void *user)
{
    (void)stream, (void)user;
    callback_status = status;
}

/* After a fault, callbacks get its code, and functions of the host are not called. A kernel that waits for ever is
 * ended by the fault of another. */
static void test_fault(void)
{
    void *a, *b;
    unsigned *words, *other;
    int at = 0;
    struct cuda_dim3 single = {1, 1, 1};
    CU_ASSERT_EQUAL(cudaStreamCreate(&a), 0);
    CU_ASSERT_EQUAL(cudaStreamCreate(&b), 0);
    CU_ASSERT_EQUAL(cudaMalloc((void **)&words, 512), 0);
    CU_ASSERT_EQUAL(cudaMemset(words, 0, 512), 0);
    other = words + 64;
    void *arguments[] = {&words, &other};
    CU_ASSERT_EQUAL(cudaLaunchKernel(&meet_host, single, single, arguments, 0, a), 0);
    CU_ASSERT_EQUAL(cudaStreamAddCallback(b, note_status, NULL, 0), 0);
    CU_ASSERT_EQUAL(cudaStreamSynchronize(b), 0);
    CU_ASSERT_EQUAL(callback_status, 0);
    struct gate gate = GATE;
    CU_ASSERT_EQUAL(cudaLaunchHostFunc(b, gate_wait, &gate), 0);
    CU_ASSERT_EQUAL(cudaLaunchKernel(&wild_host, single, single, NULL, 0, b), 0);
    CU_ASSERT_EQUAL(cudaLaunchHostFunc(b, stamp, &at), 0);
    CU_ASSERT_EQUAL(cudaStreamAddCallback(b, note_status, NULL, 0), 0);
    gate_open(&gate);
    CU_ASSERT_EQUAL(cudaDeviceSynchronize(), 700);
    CU_ASSERT_EQUAL(callback_status, 700);
    CU_ASSERT_EQUAL(at, 0);
    CU_ASSERT_EQUAL(cudaDeviceReset(), 0);
}

int main(void)
{
    static const CU_TestInfo tests[] = {{"order in a stream", test_order},
                                        {"the default stream", test_default_stream},
                                        {"events", test_events},
                                        {"kernels that meet", test_meeting},
                                        {"mapped memory", test_mapped},
                                        {"threads", test_threads},
                                        {"a fault", test_fault}};
    unsetenv("WARPSCOPE_MEMTRACE");
    size_t size = 0;
    unsigned char *container =
        cuda_entry(NULL, &size, CUDA_PTX, 75, ptx_text, sizeof ptx_text, 0, 0);
    struct cuda_wrapper wrapper = {0x466243b1, 1, container, NULL};
    void **handle = __cudaRegisterFatBinary(&wrapper);
    __cudaRegisterFunction(handle, &meet_host, NULL, "meet", -1, NULL, NULL, NULL, NULL, NULL);
    __cudaRegisterFunction(handle, &wild_host, NULL, "wild", -1, NULL, NULL, NULL, NULL, NULL);
    __cudaRegisterFatBinaryEnd(handle);
    int status = suite_run("CUDA streams", tests, sizeof tests / sizeof tests[0]);
    free(container);
    return status;
}
