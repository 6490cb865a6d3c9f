// SPDX-License-Identifier: BSD-3-Clause
// A launch, a graph captured from two streams, launched twice, and a graph made node by node, whose kernel gets other arguments
// between two launches.
#include "program.h"

enum { C = 4, E = 32, N = C * E };

extern "C" __global__ void fill(int *x, int add)
{
    int i = blockIdx.x * E + threadIdx.x;
    x[i] = i + add;
}

extern "C" __global__ void reverse(const int *x, int *y)
{
    int i = blockIdx.x * E + threadIdx.x;
    y[i] = x[N - 1 - i];
}

extern "C" __global__ void add(const int *x, const int *y, int *sums)
{
    int i = blockIdx.x * E + threadIdx.x;
    sums[i] += x[i] + y[i];
}

static void captured(cudaStream_t a, int *x, int *y, int *sums)
{
    cudaStream_t b;
    cudaEvent_t filled, reversed;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    CUDA(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
    CUDA(cudaEventCreate(&filled));
    CUDA(cudaEventCreate(&reversed));
    CUDA(cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal));
    fill<<<C, E, 0, a>>>(x, 1);
    CUDA(cudaEventRecord(filled, a));
    CUDA(cudaStreamWaitEvent(b, filled, 0));
    reverse<<<C, E, 0, b>>>(x, y);
    CUDA(cudaEventRecord(reversed, b));
    CUDA(cudaStreamWaitEvent(a, reversed, 0));
    add<<<C, E, 0, a>>>(x, y, sums);
    CUDA(cudaStreamEndCapture(a, &graph));
    CUDA(cudaGraphInstantiate(&exec, graph, 0));
    CUDA(cudaGraphDestroy(graph));
    CUDA(cudaGraphLaunch(exec, a));
    CUDA(cudaGraphLaunch(exec, a));
    CUDA(cudaStreamSynchronize(a));
    CUDA(cudaGraphExecDestroy(exec));
}

static void made(cudaStream_t stream, int *x, int *y)
{
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphNode_t zero, filled, reversed;
    int plus = 5;
    void *fill_arguments[] = {&x, &plus}, *reverse_arguments[] = {&x, &y};
    cudaMemsetParams zeros = {};
    zeros.dst = x;
    zeros.elementSize = 4;
    zeros.width = N;
    zeros.height = 1;
    cudaKernelNodeParams kernel = {};
    kernel.gridDim = dim3(C);
    kernel.blockDim = dim3(E);
    CUDA(cudaGraphCreate(&graph, 0));
    CUDA(cudaGraphAddMemsetNode(&zero, graph, nullptr, 0, &zeros));
    kernel.func = (void *)reverse;
    kernel.kernelParams = reverse_arguments;
    CUDA(cudaGraphAddKernelNode(&reversed, graph, nullptr, 0, &kernel));
    kernel.func = (void *)fill;
    kernel.kernelParams = fill_arguments;
    CUDA(cudaGraphAddKernelNode(&filled, graph, &zero, 1, &kernel));
    CUDA(cudaGraphAddDependencies(graph, &filled, &reversed, nullptr, 1));
    CUDA(cudaGraphInstantiate(&exec, graph, 0));
    CUDA(cudaGraphLaunch(exec, stream));
    plus = 7;
    CUDA(cudaGraphExecKernelNodeSetParams(exec, filled, &kernel));
    CUDA(cudaGraphLaunch(exec, stream));
    CUDA(cudaStreamSynchronize(stream));
    CUDA(cudaGraphExecDestroy(exec));
    CUDA(cudaGraphDestroy(graph));
}

int main()
{
    int *x = device<int>("x", N), *y = device<int>("y", N), *sums = device<int>("sums", N);
    cudaStream_t stream;
    CUDA(cudaStreamCreate(&stream));
    CUDA(cudaDeviceSynchronize()); // the arrays are zero now
    fill<<<C, E, 0, stream>>>(x, 0);
    captured(stream, x, y, sums);
    check("sums", sums, N, [](int i) { return 2 * (N - 1 + 2); });
    made(stream, x, y);
    check("y", y, N, [](int i) { return N - 1 - i + 7; });
    return finish();
}
