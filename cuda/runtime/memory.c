/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Allocations of devices and of the host; waits for streams, after which the memory that they have
 * freed is released; resets of devices.
 */
#include "runtime/gpu.h"
#include "runtime/module.h"
#include <assert.h>
#include <stdlib.h>

static uint64_t take(struct gpu_device *device, uint64_t bytes)
{
    return gpu_thread()->tool ? interp_alloc_apart(device->interp, bytes)
                              : interp_alloc(device->interp, bytes);
}

int gpu_alloc(struct gpu_device *device, uint64_t bytes, enum gpu_memory_kind kind, unsigned flags,
              uint64_t *address)
{
    int code = gpu_failed(device);
    *address = 0;
    if (code || bytes == 0) {
        return code;
    }
    assert(kind == GPU_MEMORY_DEVICE || kind == GPU_MEMORY_HOST || kind == GPU_MEMORY_MANAGED);
    struct gpu_allocation *a = malloc(sizeof *a);
    TRY(CHECK(a, GPU_OUT_OF_MEMORY));
    uint64_t place = take(device, bytes);
    if (!place && device->pending) {
        gpu_device_wait(device);
        place = take(device, bytes);
    }
    if (!place) {
        free(a);
        return GPU_OUT_OF_MEMORY;
    }
    *a = (struct gpu_allocation){place, bytes, kind, flags, device->number};
    gpu_lock();
    bool kept = gpu_map_set(&device->allocations, place, a);
    if (kept && kind != GPU_MEMORY_HOST) {
        device->used += bytes;
    }
    gpu_unlock();
    if (!kept) {
        interp_free(device->interp, place);
        free(a);
        return GPU_OUT_OF_MEMORY;
    }
    *address = place;
    return GPU_OK;
}

/* Returns the device with an allocation that begins at the address, and sets *found to that
 * allocation. Returns NULL if there is none. The caller holds the lock. */
static struct gpu_device *owner(uint64_t address, struct gpu_allocation **found)
{
    for (int i = 0; i < GPU_DEVICES_MAX; i++) {
        struct gpu_device *d = gpu_state.devices[i];
        *found = d ? gpu_map_get(&d->allocations, address) : NULL;
        if (*found) {
            return d;
        }
    }
    return NULL;
}

/* Frees an allocation. The caller holds the lock. */
static void give_back(struct gpu_device *device, struct gpu_allocation *a)
{
    gpu_map_remove(&device->allocations, a->address);
    ws_memory_ends(a->address);
    if (a->kind != GPU_MEMORY_HOST) {
        assert(device->used >= a->bytes);
        device->used -= a->bytes;
    }
    bool was_there = interp_free(device->interp, a->address);
    assert(was_there);
    (void)was_there;
    free(a);
}

int gpu_free(uint64_t address, bool host)
{
    struct gpu_allocation *a;
    if (address == 0) {
        return GPU_OK;
    }
    gpu_lock();
    struct gpu_device *device = owner(address, &a);
    bool right = device && (a->kind == GPU_MEMORY_HOST) == host;
    gpu_unlock();
    TRY(NEED(right));
    int code = gpu_device_wait(device);
    gpu_lock();
    if (code != GPU_CAPTURE_UNSUPPORTED && owner(address, &a) == device) {
        give_back(device, a);
    }
    gpu_unlock();
    return code;
}

int gpu_free_async(struct gpu_stream *stream, uint64_t address)
{
    struct gpu_allocation *a;
    if (address == 0) {
        return GPU_OK;
    }
    struct gpu_pending *p = malloc(sizeof *p);
    TRY(CHECK(p, GPU_OUT_OF_MEMORY));
    GPU_HOLD;
    struct gpu_device *device = owner(address, &a);
    if (!device || a->kind == GPU_MEMORY_HOST) {
        free(p);
        return GPU_INVALID_VALUE;
    }
    stream->references++;
    *p = (struct gpu_pending){device->pending, {stream, stream->issued}, address};
    device->pending = p;
    return GPU_OK;
}

/* Frees those of a device's pending allocations whose points have been reached. stream: stream to
 * which the points must belong; NULL: any stream. */
static void release_pending(struct gpu_device *device, const struct gpu_stream *stream)
{
    struct gpu_allocation *a;
    GPU_HOLD;
    struct gpu_pending **link = &device->pending;
    while (*link) {
        struct gpu_pending *p = *link;
        assert(p->point.stream != NULL && p->point.stream->references > 0);
        bool due =
            (!stream || p->point.stream == stream) && p->point.stream->done >= p->point.ticket;
        if (!due) {
            link = &p->next;
            continue;
        }
        *link = p->next;
        if (owner(p->address, &a) == device) {
            give_back(device, a);
        }
        gpu_stream_drop(p->point.stream);
        free(p);
    }
}

int gpu_stream_wait(struct gpu_stream *stream)
{
    TRY(gpu_capture_wait(stream, NULL, 0));
    gpu_lock();
    gpu_wait_locked((struct gpu_point){stream, stream->issued});
    gpu_unlock();
    release_pending(stream->device, stream);
    return gpu_state.forked ? GPU_UNLOADING : gpu_failed(stream->device);
}

int gpu_device_wait(struct gpu_device *device)
{
    TRY(gpu_capture_wait(NULL, device, gpu_thread()->capture_mode));
    gpu_lock();
    struct gpu_point *points = NULL;
    size_t n = 0;
    bool good = true;
    for (struct gpu_stream *s = device->streams; s && good; s = s->next) {
        good = array_append(&points, n, sizeof *points);
        if (good) {
            s->references++;
            points[n++] = (struct gpu_point){s, s->issued};
        }
    }
    for (size_t i = 0; i < n; i++) {
        gpu_wait_locked(points[i]);
        gpu_stream_drop(points[i].stream);
    }
    gpu_unlock();
    free(points);
    release_pending(device, NULL);
    return !good ? GPU_OUT_OF_MEMORY : gpu_state.forked ? GPU_UNLOADING : gpu_failed(device);
}

int gpu_device_reset(struct gpu_device *device)
{
    gpu_device_wait(device);
    for (;;) {
        gpu_lock();
        struct gpu_stream *s = device->streams;
        while (s && (s == device->legacy || !gpu_handle_is(s, GPU_STREAM))) {
            s = s->next;
        }
        for (int i = 0; s && i < GPU_DEVICES_MAX; i++) {
            if (gpu_thread()->streams[i] == s) {
                gpu_thread()->streams[i] = NULL;
            }
        }
        gpu_unlock();
        if (!s) {
            break;
        }
        gpu_stream_destroy(s);
    }
    for (int i = 0; i < GPU_DEVICES_MAX; i++) {
        if (device->peers >> i & 1) {
            gpu_peer(device, gpu_state.devices[i], false);
        }
    }
    gpu_modules_unload(device);
    gpu_lock();
    for (size_t i = 0; i < device->allocations.n; i++) {
        struct gpu_allocation *a = device->allocations.entries[i].value;
        ws_memory_ends(a->address);
        interp_free(device->interp, a->address);
        free(a);
    }
    gpu_map_fini(&device->allocations);
    device->used = 0;
    gpu_unlock();
    __atomic_store_n(&device->cancel, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&device->failed, 0, __ATOMIC_RELEASE);
    return GPU_OK;
}

/* Lets the kernels of all devices access memory of the host, or ends this. Returns false if memory is
 * exhausted. */
static bool reach(uint64_t address, uint64_t bytes, bool on)
{
    bool good = true;
    for (int i = 0; i < gpu_device_count() && good; i++) {
        struct gpu_device *d;
        good = gpu_device(i, &d) == GPU_OK && interp_reach(d->interp, address, bytes, NULL, on);
    }
    return good;
}

int gpu_register(struct gpu_device *device, uint64_t address, uint64_t bytes, unsigned flags)
{
    struct gpu_allocation other;
    TRY(CHECK(!gpu_find(address, &other, NULL) && !gpu_find(address + bytes - 1, &other, NULL),
              GPU_REGISTERED));
    struct gpu_allocation *a = malloc(sizeof *a);
    if (!a || !reach(address, bytes, true)) {
        free(a);
        return GPU_OUT_OF_MEMORY;
    }
    *a = (struct gpu_allocation){address, bytes, GPU_MEMORY_HOST, flags, device->number};
    GPU_HOLD;
    return gpu_map_set(&gpu_state.registered, address, a) ? GPU_OK : GPU_OUT_OF_MEMORY;
}

int gpu_unregister(uint64_t address)
{
    gpu_lock();
    struct gpu_allocation *a = gpu_map_get(&gpu_state.registered, address);
    gpu_unlock();
    int code = a ? GPU_OK : GPU_NOT_REGISTERED;
    for (int i = 0; i < gpu_device_count() && a; i++) {
        struct gpu_device *d;
        code = gpu_device(i, &d) == GPU_OK ? gpu_device_wait(d) : GPU_OK;
    }
    if (a) {
        gpu_lock();
        gpu_map_remove(&gpu_state.registered, address);
        ws_memory_ends(address);
        gpu_unlock();
        reach(address, a->bytes, false);
        free(a);
    }
    return code;
}

int gpu_peer(struct gpu_device *device, struct gpu_device *peer, bool on)
{
    unsigned bit = 1u << peer->number;
    GPU_HOLD;
    bool is_on = device->peers & bit;
    int code = device == peer ? GPU_INVALID_DEVICE
               : is_on != on  ? GPU_OK
               : on           ? GPU_PEER_ENABLED
                              : GPU_PEER_NOT_ENABLED;
    if (!code && interp_reach(device->interp, 0, 0, peer->interp, on)) {
        device->peers ^= bit;
    }
    return code;
}

bool gpu_find(uint64_t address, struct gpu_allocation *found, struct gpu_device **device)
{
    uint64_t begin, bytes;
    GPU_HOLD;
    struct gpu_device *owning = NULL;
    for (int i = 0; i < GPU_DEVICES_MAX && !owning; i++) {
        struct gpu_device *d = gpu_state.devices[i];
        if (!d || !interp_find(d->interp, address, &begin, &bytes)) {
            continue;
        }
        owning = d;
        const struct gpu_allocation *a = gpu_map_get(&d->allocations, begin);
        assert(!a || (a->address == begin && a->bytes == bytes));
        *found = a ? *a : (struct gpu_allocation){begin, bytes, GPU_MEMORY_DEVICE, 0, i};
    }
    for (size_t i = 0; i < gpu_state.registered.n && !owning; i++) {
        const struct gpu_allocation *a = gpu_state.registered.entries[i].value;
        if (address - a->address < a->bytes) {
            *found = *a;
            owning = gpu_state.devices[a->device];
        }
    }
    if (owning && device) {
        *device = owning;
    }
    return owning != NULL;
}
