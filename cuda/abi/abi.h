/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The binary interface of CUDA 13, as far as the runtime implements it and tracing uses it: numbers
 * and layouts that programs compiled against NVIDIA's headers expect, so that both compile without
 * them. What tracing uses is the same in CUDA 12. Source: CUDA Runtime API and CUDA Driver API,
 * reference manuals, version 13.
 */
#ifndef WARPSCOPE_CUDA_ABI_H
#define WARPSCOPE_CUDA_ABI_H

#include <stddef.h>
#include <stdint.h>

/* Error codes. The runtime and the driver interface use the same codes, except those that
 * call_end() converts. */
enum gpu_error {
#define GPU_ERROR(code, name, ...) GPU_##name = code,
#include "abi/errors.def"
#undef GPU_ERROR
};

enum {
    GPU_VERSION = 13000, /* 13.0 */
    GPU_MAJOR = 9,       /* compute capability 9.0 */
    GPU_MINOR = 0,
    GPU_WARP = 32,
    GPU_SHARED_DEFAULT = 48 << 10,
    GPU_SHARED_OPTIN = 227 << 10,
    GPU_SHARED_SM = 228 << 10,
    GPU_REGISTERS = 65536,
    GPU_THREADS_SM = 2048,
    GPU_CTAS_SM = 32
};

struct gpu_dim3 {
    unsigned x, y, z;
};

enum { COPY_HOST_HOST, COPY_HOST_DEVICE, COPY_DEVICE_HOST, COPY_DEVICE_DEVICE, COPY_DEFAULT };

/* Handles of the default streams, which a program does not create. */
#define STREAM_LEGACY     ((void *)1)
#define STREAM_PER_THREAD ((void *)2)

enum { STREAM_NON_BLOCKING = 1, EVENT_DISABLE_TIMING = 2 };
enum { HOST_PORTABLE = 1, HOST_MAPPED = 2 };
enum { LAUNCH_COOPERATIVE = 2, LAUNCH_CLUSTER = 4 };
/* Keys in the array `extra` of a launch of the driver interface. */
enum { EXTRA_END, EXTRA_POINTER, EXTRA_SIZE };

struct launch_attribute {
    int id;
    int pad;
    union launch_value { /* cudaLaunchAttributeValue */
        char bytes[64];
        int number;
        struct gpu_dim3 dim;
    } value;
};

struct runtime_launch { /* cudaLaunchConfig_t */
    struct gpu_dim3 grid, block;
    size_t shared;
    void *stream;
    struct launch_attribute *attributes;
    unsigned attribute_count;
};

struct driver_launch { /* CUlaunchConfig */
    struct gpu_dim3 grid, block;
    unsigned shared;
    void *stream;
    struct launch_attribute *attributes;
    unsigned attribute_count;
};

struct runtime_function_attributes { /* cudaFuncAttributes */
    size_t shared, constant, local;
    int max_threads, registers, ptx_version, binary_version, cache_mode, max_dynamic, carveout;
    int cluster_must_be_set, cluster[3], cluster_policy, cluster_non_portable;
    int reserved[16];
};

enum { POINTER_UNREGISTERED, POINTER_HOST, POINTER_DEVICE, POINTER_MANAGED };

struct runtime_pointer_attributes { /* cudaPointerAttributes */
    int type, device;
    void *device_pointer, *host_pointer;
    long reserved[8];
};

struct runtime_channels { /* cudaChannelFormatDesc */
    int bits[4];          /* of each channel; 0: there is none */
    int kind;
};

struct driver_array { /* CUDA_ARRAY3D_DESCRIPTOR */
    size_t width, height, depth;
    int format;
    unsigned channels, flags;
};

struct driver_array2d { /* CUDA_ARRAY_DESCRIPTOR */
    size_t width, height;
    int format;
    unsigned channels;
};

/* Memory of texels. Arguments: the members that tell their format. */
#define RESOURCE(...)                                                                              \
    {                                                                                              \
        int type;                                                                                  \
        union {                                                                                    \
            struct gpu_array *array;                                                               \
            struct {                                                                               \
                void *memory;                                                                      \
                __VA_ARGS__ size_t width, height, pitch; /* width: bytes of linear memory */       \
            } rows;                                                                                \
            int reserved[32];                                                                      \
        } of;                                                                                      \
        unsigned flags;                                                                            \
    }
struct runtime_resource RESOURCE(struct runtime_channels channels;); /* cudaResourceDesc */
struct driver_resource RESOURCE(int format; unsigned channels;);     /* CUDA_RESOURCE_DESC */

struct runtime_texture { /* the beginning of cudaTextureDesc */
    int address_mode[3], filter, read_mode, srgb;
    float border[4];
    int normalized;
};

struct driver_texture { /* the beginning of CUDA_TEXTURE_DESC */
    int address_mode[3], filter;
    unsigned flags, anisotropy;
    int mipmap_filter;
    float mipmap[3], border[4];
};

struct runtime_pitched {
    void *pointer;
    size_t pitch, width, height;
};

struct runtime_extent {
    size_t width, height, depth;
};

struct runtime_place {
    struct gpu_array *array;
    size_t position[3];
    struct runtime_pitched memory;
};

struct runtime_copy3d { /* cudaMemcpy3DParms */
    struct runtime_place from, to;
    struct runtime_extent extent;
    int kind;
};

struct driver_place2d {
    size_t x, y;
    int type; /* CUmemorytype */
    void *host, *device;
    struct gpu_array *array;
    size_t pitch;
};

struct driver_copy2d { /* CUDA_MEMCPY2D */
    struct driver_place2d from, to;
    size_t width, height;
};

struct driver_place3d {
    size_t x, y, z, lod;
    int type;
    void *host, *device;
    struct gpu_array *array;
    void *reserved;
    size_t pitch, height;
};

struct driver_copy3d { /* CUDA_MEMCPY3D */
    struct driver_place3d from, to;
    size_t width, height, depth;
};

/* Kinds of nodes of graphs, with the numbers of cudaGraphNodeType. */
enum gpu_node_kind {
    GPU_NODE_KERNEL,
    GPU_NODE_COPY,
    GPU_NODE_FILL,
    GPU_NODE_HOST,
    GPU_NODE_GRAPH,
    GPU_NODE_EMPTY
};

struct kernel_node { /* cudaKernelNodeParams */
    const void *function;
    struct gpu_dim3 grid, block;
    unsigned shared;
    void **parameters, **extra;
};

struct driver_kernel_node { /* CUDA_KERNEL_NODE_PARAMS_v2 */
    struct kernel_node node;
    void *kernel, *context;
};

struct fill_node { /* cudaMemsetParams */
    void *to;
    size_t pitch;
    unsigned value, unit;
    size_t width, height;
};

struct host_node { /* cudaHostNodeParams */
    void (*function)(void *);
    void *user;
};

struct graph_node { /* cudaGraphNodeParams and CUgraphNodeParams */
    int type, reserved[3];
    union {
        long long bytes[29];
        struct driver_kernel_node kernel;
        struct {
            int flags, reserved[3];
            struct runtime_copy3d copy;
        } runtime_copy;
        struct {
            int flags, reserved;
            void *context;
            struct driver_copy3d copy;
        } driver_copy;
        struct fill_node fill;
        struct host_node host;
        void *graph;
    } of;
    long long more;
};

struct graph_update { /* cudaGraphExecUpdateResultInfo */
    int result;
    void *node, *from;
};

struct graph_instantiation { /* cudaGraphInstantiateParams */
    unsigned long long flags;
    void *stream, *node;
    int result;
};

struct runtime_location { /* cudaMemLocation */
    int type, id;
};

enum { LOCATION_DEVICE = 1 };

struct runtime_pool_properties { /* the beginning of cudaMemPoolProps */
    int allocation_type, handle_types;
    struct runtime_location location;
};

struct runtime_properties { /* cudaDeviceProp */
    char name[256];
    char uuid[16];
    char luid[8];
    unsigned luid_mask;
    size_t global_memory, shared_per_block;
    int registers_per_block, warp_size;
    size_t pitch;
    int max_threads, max_block[3], max_grid[3];
    size_t constant_memory;
    int major, minor;
    size_t texture_alignment, texture_pitch_alignment;
    int sms, integrated, can_map_host;
    int textures[36]; /* sizes of textures and surfaces, all 0: they are not supported */
    size_t surface_alignment;
    int concurrent_kernels, ecc, pci_bus, pci_device, pci_domain, tcc, async_engines,
        unified_addressing;
    int bus_width, l2_cache, persisting_l2, threads_per_sm, stream_priorities, global_l1, local_l1;
    size_t shared_per_sm;
    int registers_per_sm, managed_memory, multi_gpu, multi_gpu_group, host_atomics, pageable_access;
    int concurrent_managed, preemption, registered_host_pointer, cooperative;
    size_t shared_optin;
    int pageable_host_tables, direct_managed, ctas_per_sm, access_window;
    size_t reserved_shared;
    int host_register, sparse_arrays, host_register_read_only, timeline_semaphores, memory_pools;
    int rdma;
    unsigned rdma_options;
    int rdma_ordering;
    unsigned pool_handles;
    int deferred_arrays, ipc_events, cluster_launch, unified_functions, numa_config, numa_id, mps;
    int host_numa;
    unsigned pci_device_id, pci_subsystem;
    int host_numa_ipc;
    int reserved[56];
};

#endif
