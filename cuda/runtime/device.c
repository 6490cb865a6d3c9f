/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Devices: their number, their facts, the current one, and faults.
 */
#include "runtime/gpu.h"
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns the number in an environment variable, or `usual` if the variable is unset or empty. If
 * the value is not a number from `least` to `most`, prints a message and returns `usual`. */
static unsigned long setting(const char *name, unsigned long least, unsigned long most,
                             unsigned long usual)
{
    const char *text = getenv(name);
    assert(least <= usual && usual <= most);
    if (!text || !*text) {
        return usual;
    }
    char *end;
    errno = 0;
    unsigned long value = strtoul(text, &end, 10);
    if (*text >= '0' && *text <= '9' && *end == '\0' && errno == 0 && value >= least &&
        value <= most) {
        return value;
    }
    gpu_say("%s is '%s', which is not a number from %lu to %lu: %lu is used", name, text, least,
            most, usual);
    return usual;
}

int gpu_device_count(void)
{
    GPU_HOLD;
    if (gpu_state.device_count == 0) {
        gpu_state.device_count = (int)setting("WARPSCOPE_CUDA_DEVICES", 1, GPU_DEVICES_MAX, 1);
    }
    assert(gpu_state.device_count > 0 && gpu_state.device_count <= GPU_DEVICES_MAX);
    return gpu_state.device_count;
}

static struct gpu_device *create(int number)
{
    char error[INTERP_ERROR_MAX];
    assert(number >= 0 && number < GPU_DEVICES_MAX && !gpu_state.devices[number]);
    struct gpu_device *d = calloc(1, sizeof *d);
    if (!d) {
        return NULL;
    }
    d->number = number;
    d->sms = (unsigned)setting("WARPSCOPE_CUDA_SMS", 1, 4096, 16);
    d->memory = (uint64_t)setting("WARPSCOPE_CUDA_MEMORY", 16, 1 << 24, 16384) << 20;
    d->primary = (struct gpu_context){.device = d, .primary = true};
    d->limits[0] = 1024;
    d->limits[1] = 1 << 20;
    d->limits[2] = 8 << 20;
    d->limits[4] = 2048;
    d->limits[5] = 64;
    struct interp_options options = {
        .sms = d->sms, .number = (unsigned)number, .memory = d->memory};
    d->interp = interp_create(&options, error);
    if (!d->interp) {
        gpu_say("device %d cannot be created: %s", number, error);
        free(d);
        return NULL;
    }
    if (gpu_stream_create(d, 0, 0, &d->legacy) != GPU_OK) {
        interp_destroy(d->interp);
        free(d);
        return NULL;
    }
    d->legacy->legacy = true;
    gpu_lock();
    gpu_handle_remove(d->legacy);
    gpu_handle_add(&d->primary, GPU_CONTEXT);
    gpu_unlock();
    return d;
}

int gpu_device(int number, struct gpu_device **device)
{
    TRY(CHECK(number >= 0 && number < gpu_device_count(), GPU_INVALID_DEVICE));
    gpu_lock();
    struct gpu_device *d = gpu_state.devices[number];
    gpu_unlock();
    if (!d) {
        pthread_mutex_lock(&gpu_state.load_lock);
        d = gpu_state.devices[number];
        if (!d) {
            d = create(number);
            gpu_lock();
            gpu_state.devices[number] = d;
            gpu_unlock();
        }
        pthread_mutex_unlock(&gpu_state.load_lock);
    }
    *device = d;
    return d ? GPU_OK : GPU_OUT_OF_MEMORY;
}

void gpu_make_current(struct gpu_context *context)
{
    struct gpu_thread *t = gpu_thread();
    assert(t->depth <= GPU_CONTEXTS_MAX);
    if (t->depth == 0) {
        t->depth = 1;
    }
    t->contexts[t->depth - 1] = context;
    if (!context) {
        t->depth--;
    }
}

struct gpu_context *gpu_context(void)
{
    const struct gpu_thread *t = gpu_thread();
    assert(t->depth <= GPU_CONTEXTS_MAX && (t->depth == 0 || t->contexts[t->depth - 1] != NULL));
    return t->depth > 0 ? t->contexts[t->depth - 1] : NULL;
}

int gpu_current(struct gpu_device **device)
{
    const struct gpu_context *context = gpu_context();
    if (context) {
        *device = context->device;
        return GPU_OK;
    }
    TRY(gpu_device(0, device));
    gpu_make_current(&(*device)->primary);
    return GPU_OK;
}

static int per_thread_stream(struct gpu_device *device, struct gpu_stream **stream)
{
    assert(device->number >= 0 && device->number < GPU_DEVICES_MAX);
    struct gpu_stream **own = &gpu_thread()->streams[device->number];
    if (!*own) {
        TRY(gpu_stream_create(device, 0, 0, own));
    }
    *stream = *own;
    return GPU_OK;
}

int gpu_stream_of(void *handle, struct gpu_stream **stream)
{
    struct gpu_device *device;
    TRY(gpu_current(&device));
    if (handle == STREAM_PER_THREAD || (!handle && gpu_thread()->per_thread)) {
        return per_thread_stream(device, stream);
    }
    if (!handle || handle == STREAM_LEGACY) {
        *stream = device->legacy;
        return GPU_OK;
    }
    *stream = handle;
    return gpu_handle_known(handle, GPU_STREAM) ? GPU_OK : GPU_INVALID_HANDLE;
}

void gpu_fail(struct gpu_device *device, int code, const char *message)
{
    int expected = 0;
    assert(code != GPU_OK);
    if (__atomic_compare_exchange_n(&device->failed, &expected, code, false, __ATOMIC_ACQ_REL,
                                    __ATOMIC_RELAXED)) {
        gpu_say("%s", message);
    }
    __atomic_store_n(&device->cancel, 1, __ATOMIC_RELAXED);
}

int gpu_error_of(enum interp_end end, const char *message)
{
    static const int codes[] = {
        [INTERP_DONE] = GPU_OK,
        [INTERP_BAD_LAUNCH] = GPU_INVALID_CONFIGURATION,
        [INTERP_BAD_ADDRESS] = GPU_ILLEGAL_ADDRESS,
        [INTERP_MISALIGNED] = GPU_MISALIGNED_ADDRESS,
        [INTERP_TRAP] = GPU_LAUNCH_FAILURE,
        [INTERP_UNSUPPORTED] = GPU_NOT_SUPPORTED,
        [INTERP_DEADLOCK] = GPU_LAUNCH_TIMEOUT,
        [INTERP_LIMIT] = GPU_LAUNCH_TIMEOUT,
    };
    assert(end < sizeof codes / sizeof *codes);
    return end == INTERP_TRAP && strstr(message, "assert") ? GPU_ASSERT : codes[end];
}

void gpu_device_name(const struct gpu_device *device, char *name, size_t size)
{
    snprintf(name, size, "Warpscope PTX interpreter, %u SMs", device->sms);
}

struct attribute {
    int number, value;
    size_t place, bytes; /* of the member of cudaDeviceProp with this value; bytes is 0: none */
};

#define ALSO(member)                                                                               \
    offsetof(struct runtime_properties, member), sizeof((struct runtime_properties *)0)->member

/* Numbers and values of cudaDeviceAttr. Attributes that are not listed have the value 0, which
 * means "no". */
static const struct attribute attributes[] = {
    {1, 1024, ALSO(max_threads)},
    {2, 1024, ALSO(max_block[0])},
    {3, 1024, ALSO(max_block[1])},
    {4, 64, ALSO(max_block[2])},
    {5, 0x7fffffff, ALSO(max_grid[0])},
    {6, 65535, ALSO(max_grid[1])},
    {7, 65535, ALSO(max_grid[2])},
    {8, GPU_SHARED_DEFAULT, ALSO(shared_per_block)},
    {9, 65536, ALSO(constant_memory)},
    {10, GPU_WARP, ALSO(warp_size)},
    {11, 0x7fffffff, ALSO(pitch)},
    {12, GPU_REGISTERS, ALSO(registers_per_block)},
    {13, 1000000, 0, 0}, /* clock rate in kHz */
    {14, 512, ALSO(texture_alignment)},
    {15, 1, 0, 0}, /* copies overlap with kernels */
    {19, 1, ALSO(can_map_host)},
    {30, 512, ALSO(surface_alignment)},
    {31, 1, ALSO(concurrent_kernels)},
    {33, 1, ALSO(pci_bus)},
    {36, 1000000, 0, 0}, /* clock rate of the memory in kHz */
    {37, 512, ALSO(bus_width)},
    {38, 4 << 20, ALSO(l2_cache)},
    {39, GPU_THREADS_SM, ALSO(threads_per_sm)},
    {40, 1, ALSO(async_engines)},
    {41, 1, ALSO(unified_addressing)},
    {51, 32, ALSO(texture_pitch_alignment)},
    {75, GPU_MAJOR, ALSO(major)},
    {76, GPU_MINOR, ALSO(minor)},
    {78, 1, ALSO(stream_priorities)},
    {79, 1, ALSO(global_l1)},
    {80, 1, ALSO(local_l1)},
    {81, GPU_SHARED_SM, ALSO(shared_per_sm)},
    {82, GPU_REGISTERS, ALSO(registers_per_sm)},
    {83, 1, ALSO(managed_memory)},
    {86, 1, ALSO(host_atomics)},
    {87, 2, 0, 0}, /* ratio of the rates of f32 and f64 */
    {89, 1, ALSO(concurrent_managed)},
    {90, 1, ALSO(preemption)},
    {91, 1, ALSO(registered_host_pointer)},
    {95, 1, ALSO(cooperative)},
    {97, GPU_SHARED_OPTIN, ALSO(shared_optin)},
    {99, 1, ALSO(host_register)},
    {106, GPU_CTAS_SM, ALSO(ctas_per_sm)},
    {111, 1024, ALSO(reserved_shared)},
    {115, 1, ALSO(memory_pools)},
};
enum { ATTRIBUTES = sizeof attributes / sizeof *attributes };

int gpu_attribute(struct gpu_device *device, int attribute, int *value)
{
    TRY(NEED(attribute >= 1 && attribute <= 200));
    *value = 0;
    if (attribute == 16) {
        *value = (int)device->sms;
    }
    if (attribute == 34) {
        *value = device->number;
    }
    for (size_t i = 0; i < ATTRIBUTES; i++) {
        if (attributes[i].number == attribute) {
            *value = attributes[i].value;
        }
    }
    return GPU_OK;
}

void gpu_properties(const struct gpu_device *device, struct runtime_properties *p)
{
    *p = (struct runtime_properties){.global_memory = device->memory,
                                     .sms = (int)device->sms,
                                     .pci_device = device->number,
                                     .numa_id = -1,
                                     .host_numa = -1};
    for (size_t i = 0; i < ATTRIBUTES; i++) {
        const struct attribute *a = &attributes[i];
        uint64_t value = (uint64_t)a->value;
        memcpy((char *)p + a->place, &value, a->bytes); /* the lowest bytes come first */
    }
    gpu_device_name(device, p->name, sizeof p->name);
}
