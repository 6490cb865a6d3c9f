/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Graphs of programs whose kernels were rewritten: the hooks launch a graph node by node, so that the traces are those
 * that the interpreter records of the original kernels, byte by byte, and the results are the same. Graphs that cannot
 * be launched so run untraced, as the trace says.
 *
 * test: libs=warpscope_cuda,warpscope_cuda_rewrite,cudart_cpu timeout=60
 */
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "rewrite/rewrite.h"
#include "support/cuda_calls.h"
#include "support/suite.h"
#include "trace/hooks/cudart.h"
#include "trace/kernels.h"

/* step(x, y): x[0] = 3 x[0] + y, so that the order of steps shows in the result. */
static const char ptx_text[] = //
    ".version 7.0\n.target sm_75\n.address_size 64\n"
    ".visible .entry step(.param .u64 x, .param .u32 y)\n{\n.reg .b32 %r<4>;\n.reg .b64 %d<2>;\n"
    "ld.param.u64 %d1, [x];\nld.param.u32 %r1, [y];\nld.global.u32 %r2, [%d1];\n"
    "mad.lo.s32 %r3, %r2, 3, %r1;\nst.global.u32 [%d1], %r3;\nret;\n}\n";
static char step_host;

int cudaGraphAddHostNode(void **node, void *graph, void **needs, size_t count,
                         const struct host_node *p);
int cudaGraphAddMemcpyNode1D(void **node, void *graph, void **needs, size_t count, void *to,
                             const void *from, size_t bytes, int kind);
int cudaGraphAddChildGraphNode(void **node, void *graph, void **needs, size_t count, void *child);
int cudaGraphAddDependencies(void *graph, void **from, void **to, const void *edges, size_t count);
int cudaStreamBeginCapture(void *stream, int mode);
int cudaStreamEndCapture(void *stream, void **graph);

static int errors;
#define MUST(call) (errors += (call) != 0)

static void kernel_register(bool is_rewritten)
{
    static struct cuda_wrapper wrapper;
    static struct ws_traced_kernel kernel = {"step", 2, 1, NULL};
    char error[PTX_ERROR_MAX];
    size_t size = 0;
    struct rewrite_result *r =
        is_rewritten ? rewrite_text(ptx_text, sizeof ptx_text - 1, NULL, error) : NULL;
    const void *container =
        r != NULL ? cuda_entry(NULL, &size, CUDA_PTX, 75, r->text, r->size + 1, 0, 0)
                  : cuda_entry(NULL, &size, CUDA_PTX, 75, ptx_text, sizeof ptx_text, 0, 0);
    wrapper = (struct cuda_wrapper){0x466243b1, 1, container, NULL};
    __wrap___cudaRegisterFunction(__cudaRegisterFatBinary(&wrapper), &step_host, NULL, "step", -1,
                                  NULL, NULL, NULL, NULL, NULL);
    if (is_rewritten) {
        MUST(r == NULL || r->kernel_count != 1);
        warpscope_traced_kernels(&kernel, 1);
    }
    rewrite_free(r);
}

static struct kernel_node step_of(void **arguments)
{
    return (struct kernel_node){&step_host, {1, 1, 1}, {1, 1, 1}, 0, arguments, NULL};
}

static void *kernel_add(void *graph, void *need, uint32_t **x, uint32_t *y)
{
    void *node = NULL, *arguments[] = {x, y};
    const struct kernel_node p = step_of(arguments);
    MUST(__wrap_cudaGraphAddKernelNode(&node, graph, &need, need != NULL, &p));
    return node;
}

static void count_up(void *user)
{
    ++*(uint32_t *)user;
}

/* Runs in a process of its own: graphs, whose results it writes to the file "result" of the directory. */
static void program(const char *directory, bool is_rewritten)
{
    uint32_t *x, source = 5, result[4] = {0}, y[] = {1, 2, 3, 4, 9};
    void *a, *b, *child, *graph, *exec, *outer, *exec2, *first, *last, *node;
    char path[128];
    kernel_register(is_rewritten);
    MUST(cudaStreamCreate(&a));
    MUST(cudaStreamCreate(&b));
    MUST(__wrap_cudaMalloc((void **)&x, 4));
    MUST(cudaGraphCreate(&child, 0));
    node = kernel_add(child, NULL, &x, &y[1]);
    kernel_add(child, node, &x, &y[2]);
    /* A host function changes what the next node copies from memory that CUDA does not know. */
    MUST(cudaGraphCreate(&graph, 0));
    last = kernel_add(graph, NULL, &x, &y[3]); /* the first in the list depends on all others */
    MUST(cudaGraphAddHostNode(&first, graph, NULL, 0, &(struct host_node){count_up, &source}));
    MUST(cudaGraphAddMemcpyNode1D(&node, graph, &first, 1, x, &source, 4, 1));
    first = kernel_add(graph, node, &x, &y[0]);
    MUST(cudaGraphAddChildGraphNode(&node, graph, &first, 1, child));
    MUST(cudaGraphAddDependencies(graph, &node, &last, NULL, 1));
    MUST(__wrap_cudaGraphInstantiate(&exec, graph, 0));
    for (int i = 0; i < 3; i++) { /* the launches follow each other */
        MUST(__wrap_cudaGraphLaunch(exec, i == 1 ? b : a));
    }
    MUST(cudaStreamSynchronize(a));
    MUST(cudaMemcpy(&result[0], x, 4, 2));
    void *arguments[] = {&x, &y[4]};
    const struct kernel_node p = step_of(arguments);
    MUST(__wrap_cudaGraphExecKernelNodeSetParams(exec, last, &p));
    errors += __wrap_cudaGraphNodeSetEnabled(exec, NULL, 0) == 0; /* fails, and changes nothing */
    cudaGetLastError();
    MUST(__wrap_cudaGraphLaunch(exec, a));
    MUST(cudaStreamSynchronize(a));
    MUST(cudaMemcpy(&result[1], x, 4, 2));
    MUST(cudaStreamBeginCapture(a, 2)); /* a graph in a graph, and a launch */
    MUST(__wrap_cudaGraphLaunch(exec, a));
    MUST(__wrap_cudaLaunchKernel(&step_host, p.grid, p.block, arguments, 0, a));
    MUST(cudaStreamEndCapture(a, &outer));
    MUST(__wrap_cudaGraphInstantiate(&exec2, outer, 0));
    MUST(__wrap_cudaGraphLaunch(exec2, b));
    MUST(cudaStreamSynchronize(b));
    MUST(cudaMemcpy(&result[2], x, 4, 2));
    if (is_rewritten) { /* not traced from now on */
        MUST(__wrap_cudaGraphNodeSetEnabled(exec, last, 0));
        MUST(__wrap_cudaGraphLaunch(exec, a));
        MUST(cudaStreamSynchronize(a));
    }
    MUST(__wrap_cudaGraphExecDestroy(exec));
    MUST(__wrap_cudaGraphExecDestroy(exec2));
    MUST(cudaGetLastError());
    snprintf(path, sizeof path, "%s/result", directory);
    FILE *f = fopen(path, "w");
    fwrite(result, sizeof result, 1, f);
    fclose(f);
    exit(errors > 0);
}

/* Reads and removes a file of the directory. Returns its size. */
static size_t take(const char *directory, const char *name, char *to, size_t room)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *f = fopen(path, "rb");
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    size_t size = fread(to, 1, room, f);
    fclose(f);
    remove(path);
    return size;
}

static void test_graphs(void)
{
    static const char *const names[] = {"result", "MemTrace-pipe-1", "MemTrace-pipe-2",
                                        "MemTrace-memory"};
    static const char note[] = "[not traced] step: all accesses, in a graph that was changed";
    static char bytes[2][4][8192];
    size_t sizes[2][4];
    for (int run = 0; run < 2; run++) {
        char directory[] = "cuda_graph_XXXXXX";
        CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(directory));
        pid_t child = fork();
        if (child == 0) {
            setenv("WARPSCOPE_MEMTRACE", directory, 1);
            program(directory, run == 1);
        }
        int status = -1;
        CU_ASSERT_EQUAL(waitpid(child, &status, 0), child);
        CU_ASSERT_EQUAL(status, 0);
        for (int i = 0; i < 4; i++) {
            sizes[run][i] = take(directory, names[i], bytes[run][i], sizeof bytes[0][0]);
        }
        CU_ASSERT_EQUAL(rmdir(directory), 0);
    }
    uint32_t last; /* of 1 copied as 8, with the steps 1, 2, 3, 4 */
    memcpy(&last, bytes[0][0], 4);
    CU_ASSERT_EQUAL(last, (((8 * 3 + 1) * 3 + 2) * 3 + 3) * 3 + 4);
    for (int i = 0; i < 4; i++) {
        /* The trace of the rewritten kernels has a note of the last graph at its end. */
        bool has_note = i == 1 || i == 2;
        CU_ASSERT_TRUE(has_note ? sizes[1][i] > sizes[0][i] : sizes[1][i] == sizes[0][i]);
        CU_ASSERT_EQUAL(memcmp(bytes[0][i], bytes[1][i], sizes[0][i]), 0);
        CU_ASSERT_TRUE(!has_note ||
                       memcmp(bytes[1][i] + sizes[0][i] + 1, note, sizeof note - 1) == 0);
    }
    CU_ASSERT_EQUAL(sizes[0][1],
                    1 + 12 * (1 + 4 + 1 + 3 * 24)); /* 3 graphs of 4 launches, of 2 accesses */
    CU_ASSERT_EQUAL(sizes[0][2], 1 + 9 * (1 + 4 + 1 + 3 * 24));
}

int main(void)
{
    static const CU_TestInfo tests[] = {{"graphs", test_graphs}};
    return suite_run("graphs of rewritten programs", tests, sizeof tests / sizeof tests[0]);
}
