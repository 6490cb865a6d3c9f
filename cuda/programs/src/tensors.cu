// SPDX-License-Identifier: BSD-3-Clause
// Copies of boxes of tensors: a stencil whose boxes reach over the edges, a swizzled transposition, a reduction. For sm_90.
#include "program.h"
#include <cudaTypedefs.h>

enum { W = 28, H = 20, TILE = 8, HALO = TILE + 2, PITCH = 12, LINE = 32 };

FILL(int, W, i * i % 23)

static __device__ uint32_t place(const void *p)
{
    return (uint32_t)__cvta_generic_to_shared(p);
}

// Copies a box to shared memory. All threads of the CTA wait for its bytes.
static __device__ void load(void *to, uint32_t bytes, const CUtensorMap *map, int x, int y, uint64_t *arrived)
{
    int done = 0;
    if (threadIdx.x == 0) {
        asm volatile("prefetch.tensormap [%1]; mbarrier.init.shared::cta.b64 [%4], 1; fence.proxy.async.shared::cta;\n"
                     "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%4], %5;\n"
                     "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
                     "[%0], [%1, {%2, %3}], [%4];" ::"r"(place(to)),
                     "l"(map), "r"(x), "r"(y), "r"(place(arrived)), "r"(bytes)
                     : "memory");
    }
    __syncthreads();
    while (!done) {
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.b32 %0, 1, 0, p; }"
                     : "=r"(done)
                     : "r"(place(arrived))
                     : "memory");
    }
}

// The stores of all threads before are visible to copies after it.
static __device__ void publish()
{
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
}

// Each CTA adds up neighbours in a tile. Those outside of the tensor are 0, sums outside of it are not stored.
extern "C" __global__ void blur(const __grid_constant__ CUtensorMap from, const __grid_constant__ CUtensorMap to)
{
    __shared__ alignas(128) int part[HALO][PITCH], sums[TILE][TILE];
    __shared__ uint64_t arrived;
    int x = threadIdx.x % TILE, y = threadIdx.x / TILE, left = blockIdx.x * TILE, top = blockIdx.y * TILE;
    load(part, sizeof part, &from, left - 1, top - 1, &arrived);
    sums[y][x] = part[y][x + 1] + part[y + 1][x] + part[y + 1][x + 2] + part[y + 2][x + 1];
    publish();
    if (threadIdx.x == 0) {
        asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%1, %2}], [%3];\n"
                     "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;" ::"l"(&to),
                     "r"(left), "r"(top), "r"(place(sums))
                     : "memory");
    }
}

// Each CTA transposes eight rows, and adds them to the totals.
extern "C" __global__ void turn(const __grid_constant__ CUtensorMap from, const __grid_constant__ CUtensorMap totals, int *z)
{
    __shared__ alignas(1024) int rows[TILE][LINE];
    __shared__ alignas(128) int sums[LINE];
    __shared__ uint64_t arrived;
    int x = threadIdx.x, top = blockIdx.x * TILE, sum = 0;
    load(rows, sizeof rows, &from, 0, top, &arrived);
    for (int y = 0; y < TILE; y++) {
        int value = rows[y][(x / 4 ^ y) * 4 + x % 4]; // the swizzle exchanges parts of four words
        sum += value;
        if (x < W && top + y < H) {
            z[x * H + top + y] = value;
        }
    }
    sums[x] = sum;
    publish();
    if (threadIdx.x == 0) {
        asm volatile("cp.reduce.async.bulk.tensor.1d.global.shared::cta.add.tile.bulk_group [%0, {%1}], [%2];\n"
                     "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;" ::"l"(&totals),
                     "r"(0), "r"(place(sums))
                     : "memory");
    }
}

extern "C" __global__ void look(const int *totals, int *copy)
{
    copy[threadIdx.x] = totals[threadIdx.x];
}

static CUtensorMap map(int *memory, cuuint32_t rank, cuuint32_t width, cuuint32_t height, CUtensorMapSwizzle swizzle)
{
    void *encode;
    CUtensorMap m;
    cudaDriverEntryPointQueryResult found;
    const cuuint64_t size[] = {W, H}, stride[] = {W * sizeof(int)};
    const cuuint32_t box[] = {width, height}, step[] = {1, 1};
    CUDA(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &encode, 12000, cudaEnableDefault, &found));
    CUresult result = ((PFN_cuTensorMapEncodeTiled_v12000)encode)(
        &m, CU_TENSOR_MAP_DATA_TYPE_INT32, rank, memory, size, stride, box, step, CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle,
        CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    CUDA(result == CUDA_SUCCESS ? cudaSuccess : cudaErrorInvalidValue);
    return m;
}

static int sum_at(int x, int y)
{
    auto value = [](int x, int y) { return x < 0 || x >= W || y < 0 || y >= H ? 0 : (y * W + x) * (y * W + x) % 23; };
    return value(x, y - 1) + value(x - 1, y) + value(x + 1, y) + value(x, y + 1);
}

int main()
{
    int *x = device<int>("x", W * H), *y = device<int>("y", W * H), *z = device<int>("z", W * H);
    int *totals = device<int>("totals", W), *copy = device<int>("copy", W);
    fill<<<H, W>>>(x);
    blur<<<dim3(4, 3), TILE * TILE>>>(map(x, 2, PITCH, HALO, CU_TENSOR_MAP_SWIZZLE_NONE),
                                      map(y, 2, TILE, TILE, CU_TENSOR_MAP_SWIZZLE_NONE));
    turn<<<3, LINE>>>(map(y, 2, LINE, TILE, CU_TENSOR_MAP_SWIZZLE_128B), map(totals, 1, LINE, 1, CU_TENSOR_MAP_SWIZZLE_NONE), z);
    look<<<1, W>>>(totals, copy);
    check("z", z, W * H, [](int i) { return sum_at(i / H, i % H); });
    check("copy", copy, W, [](int x) {
        int expected = 0;
        for (int y = 0; y < H; y++) {
            expected += sum_at(x, y);
        }
        return expected;
    });
    return finish();
}
