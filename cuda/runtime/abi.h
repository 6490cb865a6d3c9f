/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The binary interface of CUDA 13, as far as this library implements it: numbers and layouts that
 * programs compiled against NVIDIA's headers expect. Source: CUDA Runtime API and CUDA Driver API,
 * reference manuals, version 13.
 */
#ifndef WARPSCOPE_CUDA_ABI_H
#define WARPSCOPE_CUDA_ABI_H

#include <stddef.h>
#include <stdint.h>

/* Error codes. The runtime and the driver interface use the same codes, except those that
 * call_end() converts. */
enum gpu_error {
    GPU_OK = 0,
    GPU_INVALID_VALUE = 1,
    GPU_OUT_OF_MEMORY = 2,
    GPU_UNLOADING = 4,
    GPU_INVALID_CONFIGURATION = 9,
    GPU_INVALID_PITCH = 12,
    GPU_INVALID_SYMBOL = 13,
    GPU_INVALID_DIRECTION = 21,
    GPU_MISSING_CONFIGURATION = 52,
    GPU_INVALID_FUNCTION = 98,
    GPU_INVALID_DEVICE = 101,
    GPU_INVALID_IMAGE = 200,
    GPU_INVALID_CONTEXT = 201,
    GPU_NO_BINARY = 209,
    GPU_UNSUPPORTED_LIMIT = 215,
    GPU_INVALID_PTX = 218,
    GPU_UNSUPPORTED_PTX_VERSION = 222,
    GPU_FILE_NOT_FOUND = 301,
    GPU_OS_ERROR = 304,
    GPU_INVALID_HANDLE = 400,
    GPU_ILLEGAL_STATE = 401,
    GPU_NOT_FOUND = 500,
    GPU_NOT_READY = 600,
    GPU_ILLEGAL_ADDRESS = 700,
    GPU_OUT_OF_RESOURCES = 701,
    GPU_LAUNCH_TIMEOUT = 702,
    GPU_PEER_ENABLED = 704,
    GPU_PEER_NOT_ENABLED = 705,
    GPU_ASSERT = 710,
    GPU_REGISTERED = 712,
    GPU_NOT_REGISTERED = 713,
    GPU_MISALIGNED_ADDRESS = 716,
    GPU_LAUNCH_FAILURE = 719,
    GPU_COOPERATIVE_TOO_LARGE = 720,
    GPU_NOT_SUPPORTED = 801,
    GPU_CAPTURE_UNSUPPORTED = 900,
    GPU_CAPTURE_INVALIDATED = 901,
    GPU_CAPTURE_MERGE = 902,
    GPU_CAPTURE_UNMATCHED = 903,
    GPU_CAPTURE_UNJOINED = 904,
    GPU_CAPTURE_ISOLATION = 905,
    GPU_CAPTURE_IMPLICIT = 906,
    GPU_CAPTURED_EVENT = 907,
    GPU_GRAPH_UPDATE_FAILURE = 910,
    GPU_UNKNOWN = 999
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
enum { LAUNCH_COOPERATIVE = 2, LAUNCH_CLUSTER = 4 };
/* Keys in the array `extra` of a launch of the driver interface. */
enum { EXTRA_POINTER = 1, EXTRA_SIZE = 2 };

struct launch_attribute {
    int id;
    int pad;
    union {
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

struct runtime_resource { /* cudaResourceDesc */
    int type;
    union {
        struct gpu_array *array;
        struct {
            void *memory;
            struct runtime_channels channels;
            size_t bytes;
        } linear;
        struct {
            void *memory;
            struct runtime_channels channels;
            size_t width, height, pitch;
        } rows;
        int reserved[32];
    } of;
    unsigned flags;
};

struct driver_resource { /* CUDA_RESOURCE_DESC */
    int type;
    union {
        struct gpu_array *array;
        struct {
            void *memory;
            int format;
            unsigned channels;
            size_t bytes;
        } linear;
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

/* cudaKernelNodeParams, which ends before `kernel`, and CUDA_KERNEL_NODE_PARAMS_v2 */
struct kernel_node {
    const void *function;
    struct gpu_dim3 grid, block;
    unsigned shared;
    void **parameters, **extra;
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
        struct kernel_node kernel;
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
