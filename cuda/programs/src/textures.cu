// SPDX-License-Identifier: BSD-3-Clause
// Textures of linear memory, of rows with a pitch and of an array, with and without filters, and a surface.
#include "program.h"

enum { C = 4, E = 32, N = C * E, W = 8, H = 4 };

FILL(float, E, 2 * i)

// Each thread reads a value that another block stored, and one behind the end, which is 0.
extern "C" __global__ void fetch(cudaTextureObject_t x, float *y)
{
    int i = blockIdx.x * E + threadIdx.x;
    y[i] = tex1Dfetch<float>(x, N - 1 - i) + tex1Dfetch<float>(x, N + i);
}

// The middle of four texels; at the left and lower edge, those behind the edge repeat the last ones.
extern "C" __global__ void blend(cudaTextureObject_t rows, float *y)
{
    int i = threadIdx.x;
    y[i] = tex2D<float>(rows, i % W, i / W);
}

extern "C" __global__ void turn(cudaSurfaceObject_t s, cudaTextureObject_t t, float *y)
{
    int i = threadIdx.x, column = i % W, row = i / W;
    float below = surf2Dread<float>(s, 4 * column, H - 1 - row);
    y[i] = below + tex2D<float>(t, column + 0.5f, row + 0.5f);
    surf2Dwrite(below + 1, s, 4 * column, H - 1 - row);
}

static cudaTextureObject_t texture(const cudaResourceDesc &r, cudaTextureFilterMode filter)
{
    cudaTextureObject_t t;
    cudaTextureDesc d = {};
    d.addressMode[0] = d.addressMode[1] = cudaAddressModeClamp;
    d.filterMode = filter;
    CUDA(cudaCreateTextureObject(&t, &r, &d, nullptr));
    return t;
}

int main()
{
    float *x = device<float>("x", N), *y = device<float>("y", N);
    cudaChannelFormatDesc channel = cudaCreateChannelDesc<float>();
    cudaArray_t array;
    cudaSurfaceObject_t surface;
    cudaResourceDesc r = {};
    r.resType = cudaResourceTypeLinear;
    r.res.linear.devPtr = x;
    r.res.linear.desc = channel;
    r.res.linear.sizeInBytes = N * sizeof(float);
    cudaTextureObject_t line = texture(r, cudaFilterModePoint);
    r = {};
    r.resType = cudaResourceTypePitch2D;
    r.res.pitch2D.devPtr = x;
    r.res.pitch2D.desc = channel;
    r.res.pitch2D.width = W;
    r.res.pitch2D.height = H;
    r.res.pitch2D.pitchInBytes = W * sizeof(float);
    cudaTextureObject_t rows = texture(r, cudaFilterModeLinear);
    fill<<<C, E>>>(x);
    fetch<<<C, E>>>(line, y);
    check("fetched", y, N, [](int i) { return 2 * (N - 1 - i); });
    blend<<<1, E>>>(rows, y);
    check("blended", y, E, [](int i) {
        int column = i % W, row = i / W, left = column > 0 ? column - 1 : 0, above = row > 0 ? row - 1 : 0;
        return (column + left) + W * (row + above);
    });
    CUDA(cudaMallocArray(&array, &channel, W, H, cudaArraySurfaceLoadStore));
    CUDA(cudaMemcpy2DToArray(array, 0, 0, x, W * sizeof(float), W * sizeof(float), H, cudaMemcpyDefault));
    r = {};
    r.resType = cudaResourceTypeArray;
    r.res.array.array = array;
    CUDA(cudaCreateSurfaceObject(&surface, &r));
    cudaTextureObject_t points = texture(r, cudaFilterModePoint);
    turn<<<1, E>>>(surface, points, y);
    turn<<<1, E>>>(surface, points, y);
    check("turned", y, E, [](int i) { return 2 * (i + (H - 1 - i / W) * W + i % W) + 2; });
    CUDA(cudaDestroyTextureObject(line));
    CUDA(cudaDestroyTextureObject(rows));
    CUDA(cudaDestroyTextureObject(points));
    CUDA(cudaDestroySurfaceObject(surface));
    CUDA(cudaFreeArray(array));
    return finish();
}
