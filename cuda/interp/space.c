/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Addresses of memory accesses: state spaces, bounds, alignment. Observers receive the accesses to
 * global memory.
 */
#include "interp/machine.h"
#include <assert.h>
#include <stdio.h>
#include <string.h>

static const char *access_name(enum access access)
{
    return access == ACCESS_LOAD ? "load" : access == ACCESS_STORE ? "store" : "atomic operation";
}

/* Returns the address at an offset in the `bytes` bytes from memory + first on, or NULL if the range
 * of `size` bytes there is not within them. */
static char *within(char *memory, size_t first, uint32_t bytes, uint64_t offset, uint64_t size)
{
    return offset < bytes && size <= bytes - offset ? memory + first + offset : NULL;
}

/* The in_...() functions translate an offset in memory of a CTA or thread to an address of the
 * process. */
static char *in_shared(const struct warp *warp, uint64_t offset, uint64_t size)
{
    const struct cluster *cluster = warp->cta->cluster;
    uint64_t part = offset >> CLUSTER_SHIFT;
    const struct cta *cta = part == 0               ? warp->cta
                            : part <= cluster->size ? cluster->ctas[part - 1]
                                                    : NULL;
    return cta ? within(cta->shared, 0, warp->launch->shared_bytes, offset & (CLUSTER_STRIDE - 1),
                        size)
               : NULL;
}

static char *in_local(const struct warp *warp, unsigned lane, uint64_t offset, uint64_t size)
{
    return within(warp->local, (size_t)lane * warp->local_stride,
                  warp->frame->local_begin + warp->frame->function->facts.local_bytes, offset,
                  size);
}

static char *in_parameters(const struct warp *warp, uint64_t offset, uint64_t size)
{
    return within(warp->launch->parameters, 0, warp->launch->kernel->facts.parameter_bytes, offset,
                  size);
}

static char *in_frame(const struct warp *warp, unsigned lane, uint64_t offset, uint64_t size)
{
    uint32_t bytes = warp->frame->function->param_bytes;
    return within(warp->frame->params, (size_t)lane * bytes, bytes, offset, size);
}

static char *in_global(const struct warp *warp, uint64_t address, uint64_t size, bool store)
{
    struct interp *device = warp->launch->device;
    if ((!device_holds(device, address, size) ||
         (store && address - device->base < VARIABLE_BEGIN)) &&
        !device_reaches(device, address, size)) {
        return NULL;
    }
    return (char *)(uintptr_t)address; /* device memory is memory of this process */
}

/* Translates a generic address in a window to an address of the process. Returns NULL if the lane
 * must not access it. */
static char *in_window(const struct warp *warp, unsigned lane, uint64_t address, uint64_t size,
                       bool store)
{
    uint64_t offset = address - warp->launch->device->base;
    switch (offset / WINDOW_BYTES) {
    case SHARED_WINDOW / WINDOW_BYTES:
        return in_shared(warp, offset - SHARED_WINDOW, size);
    case LOCAL_WINDOW / WINDOW_BYTES:
        return in_local(warp, lane, offset - LOCAL_WINDOW, size);
    case PARAMETER_WINDOW / WINDOW_BYTES:
        return store ? NULL : in_parameters(warp, offset - PARAMETER_WINDOW, size);
    default:
        return NULL;
    }
}

char *access_generic(struct warp *warp, unsigned lane, uint64_t address, uint64_t size, bool store)
{
    char *at = in_global(warp, address, size, store);
    return at ? at : in_window(warp, lane, address, size, store);
}

void access_flush(struct launch *launch)
{
    if (launch->observed_count) {
        launch->options->observe(launch->options->user, launch->observed, launch->observed_count);
        launch->observed_count = 0;
    }
}

/* Collects accesses to global memory for the observer, except accesses to memory of tools. */
static void observe(struct warp *warp, const struct op *op, uint32_t size, enum access access)
{
    struct launch *launch = warp->launch;
    struct interp *device = launch->device;
    uint64_t begin = device->base + VARIABLE_BEGIN;
    uint64_t bytes = device->arenas[ARENA_APART].begin - begin;
    if (launch->observed_count + WARP_LANES > OBSERVED_MAX) {
        access_flush(launch);
    }
    assert(launch->observed_count + WARP_LANES <= OBSERVED_MAX);
    FOR_MASK(warp->mask, {
        uint64_t address = (uint64_t)(uintptr_t)warp->at[i];
        if (address - begin < bytes || device_reaches(device, address, 1)) {
            launch->observed[launch->observed_count++] = (struct interp_access){
                .address = address,
                .size = size,
                .type = (uint32_t)access,
                .sm = warp->cta->sm,
                .cta = {warp->cta->id[0], warp->cta->id[1], warp->cta->id[2]},
                .thread = (uint16_t)(warp->number * WARP_LANES + i),
                .unit = (uint16_t)warp->frame->function->unit,
                .line = op->line,
            };
        }
    })
}

static char *in_space(struct warp *warp, const struct op *op, unsigned lane, uint64_t address,
                      uint32_t size, bool store)
{
    switch (op->space) {
    case PTX_GENERIC:
        return access_generic(warp, lane, address, size, store);
    case PTX_SHARED:
        return in_shared(warp, address, size);
    case PTX_LOCAL:
        return in_local(warp, lane, address, size);
    case PTX_PARAM:
        return op->flags & OP_FRAME ? in_frame(warp, lane, address, size)
                                    : in_parameters(warp, address, size);
    default:
        return in_global(warp, address, size, store);
    }
}

static const char *space_name(const struct op *op)
{
    static const char *const names[] = {
        [PTX_GENERIC] = "generic", [PTX_CONST] = "constant",  [PTX_GLOBAL] = "global",
        [PTX_LOCAL] = "local",     [PTX_PARAM] = "parameter", [PTX_SHARED] = "shared",
    };
    return op->space < sizeof names / sizeof *names && names[op->space] ? names[op->space]
                                                                        : "unknown";
}

static bool bad_access(struct warp *warp, const struct op *op, unsigned lane, uint64_t address,
                       uint32_t size, uint32_t align, enum access access)
{
    if (address % align) {
        fault(warp, op, lane, INTERP_MISALIGNED, "misaligned %s of %u bytes at %s address 0x%llx",
              access_name(access), size, space_name(op), (unsigned long long)address);
        return false;
    }
    uint64_t begin = 0, bytes = 0, before = address;
    char near[96] = "";
    struct interp *device = warp->launch->device;
    for (int i = 0; i < 4 && op->space != PTX_SHARED && op->space != PTX_LOCAL;
         i++, before -= GRANULE) {
        if (interp_find(device, before, &begin, &bytes)) {
            snprintf(near, sizeof near, " (%lld bytes after the begin of %llu bytes at 0x%llx)",
                     (long long)(address - begin), (unsigned long long)bytes,
                     (unsigned long long)begin);
            break;
        }
    }
    fault(warp, op, lane, INTERP_BAD_ADDRESS,
          "%s of %u bytes outside allocations at %s address 0x%llx%s", access_name(access), size,
          space_name(op), (unsigned long long)address, near);
    return false;
}

/* Checks an access, without the observer; see access_memory(). */
static inline __attribute__((always_inline)) bool
find(struct warp *warp, const struct op *op, uint32_t size, uint32_t align, enum access access)
{
    const char *from = reg(warp, op->a);
    uint64_t offset = (uint64_t)op->imm;
    assert(size <= align && (align & (align - 1)) == 0); /* see device_holds() */
    const struct interp *device = warp->launch->device;
    bool global = op->space == PTX_GENERIC || op->space == PTX_GLOBAL;
    if (op->space == PTX_LOCAL && op->flags & OP_FRAME) {
        offset += warp->frame->local_begin;
    }
    for (uint32_t left = warp->mask; left; left &= left - 1) {
        unsigned i = (unsigned)__builtin_ctz(left);
        uint64_t address =
            offset + (op->flags & OP_WIDE ? ((const uint64_t *)(const void *)from)[i]
                                          : ((const uint32_t *)(const void *)from)[i]);
        char *at = NULL;
        if ((address & (align - 1)) == 0) {
            if (global && address >= device->base + VARIABLE_BEGIN &&
                device_holds(device, address, size)) {
                at = (char *)(uintptr_t)address;
            } else {
                at = in_space(warp, op, i, address, size, access != ACCESS_LOAD);
            }
        }
        if (!at) {
            return bad_access(warp, op, i, address, size, align, access);
        }
        warp->at[i] = at;
    }
    return true;
}

static bool is_observed(const struct warp *warp, const struct op *op)
{
    return (op->space == PTX_GENERIC || op->space == PTX_GLOBAL) && !(op->flags & OP_PART) &&
           warp->launch->options->observe;
}

bool access_memory(struct warp *warp, const struct op *op, uint32_t size, uint32_t align,
                   enum access access)
{
    bool good = find(warp, op, size, align, access);
    if (good && is_observed(warp, op)) {
        observe(warp, op, size, access);
    }
    return good;
}

bool access_range(struct warp *warp, const struct op *op, uint32_t bytes, uint32_t step,
                  enum access access)
{
    struct op part = *op;
    void *first[WARP_LANES];
    assert(bytes > 0 && bytes % step == 0);
    for (uint32_t done = 0; done < bytes; done += step, part.imm += step) {
        if (!find(warp, &part, step, step, access)) {
            return false;
        }
        if (done == 0) {
            memcpy(first, warp->at, sizeof first);
        }
    }
    memcpy(warp->at, first, sizeof first);
    if (is_observed(warp, op)) {
        observe(warp, op, bytes, access);
    }
    return true;
}
