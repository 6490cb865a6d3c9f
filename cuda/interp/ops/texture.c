/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Textures and surfaces (texture.h): tex, tld4, suld, sust. Each texel is one access to global
 * memory; texels outside of a texture, which its border or zero replaces, are none. Filters weigh
 * texels in steps of 1/256.
 */
#include "interp/texture.h"
#include "interp/rules.h"
#include "ptx/small_float.h"
#include <math.h>

enum beyond { OUTSIDE_TRAP, OUTSIDE_CLAMP, OUTSIDE_ZERO };

struct sample {
    operand handle, place, at[3]; /* place: register for addresses; at: coordinates */
    operand layer, *parts;
    uint32_t dimensions, elements, bytes, width; /* of an element in memory, and of a register */
    int component;                               /* that tld4 gathers; -1: not tld4 */
    bool is_layered, has_reals, makes_reals, is_store;
    enum beyond outside;
};

/* Sets *t to the description of a lane's texture or surface. */
static bool find(struct warp *warp, const struct op *op, unsigned lane,
                 const struct interp_texture **t)
{
    const struct sample *s = op->extra;
    uint64_t handle = ((const uint64_t *)reg(warp, s->handle))[lane];
    bool found = handle % 32 == 0 && device_holds(warp->launch->device, handle, 8) &&
                 *(const uint64_t *)(uintptr_t)handle == INTERP_TEXTURE_MAGIC;
    if (!found) {
        fault(warp, op, lane, INTERP_BAD_ADDRESS, "no texture or surface has the handle 0x%llx",
              (unsigned long long)handle);
    }
    *t = (const struct interp_texture *)(uintptr_t)handle;
    return found;
}

/* Returns the host address of the `size` bytes at an address that a lane accesses, or NULL after a
 * fault. */
static char *touch(struct warp *warp, const struct op *op, unsigned lane, uint64_t address,
                   uint32_t size, enum access access)
{
    const struct sample *s = op->extra;
    struct op part = {.a = s->place, .flags = OP_WIDE, .space = PTX_GLOBAL, .line = op->line};
    uint32_t mask = warp->mask;
    ((uint64_t *)reg(warp, s->place))[lane] = address;
    warp->mask = 1u << lane;
    bool good = access_memory(warp, &part, size, size, access);
    warp->mask = mask;
    return good ? (char *)warp->at[lane] : NULL;
}

static int64_t within(int64_t i, int64_t n)
{
    return i < 0 ? 0 : i >= n ? n - 1 : i;
}

/* Returns the index of a texel in a dimension of n texels, or -1 for the border. */
static int64_t index_of(const struct interp_texture *t, unsigned dimension, int64_t i, int64_t n)
{
    uint32_t mode = t->is_buffer ? INTERP_BORDER : t->address_mode[dimension];
    if (mode == INTERP_BORDER) {
        return i < 0 || i >= n ? -1 : i;
    }
    if (!t->is_normalized || mode == INTERP_CLAMP) {
        return within(i, n);
    }
    int64_t period = mode == INTERP_MIRROR ? 2 * n : n, k = (i % period + period) % period;
    return k < n ? k : period - 1 - k;
}

static uint32_t layer_of(struct warp *warp, const struct sample *s, const struct interp_texture *t,
                         unsigned lane)
{
    uint32_t layer = s->is_layered ? ((const uint32_t *)reg(warp, s->layer))[lane] : 0;
    return layer < t->depth || t->depth == 0 ? layer : t->depth - 1;
}

/* Returns channel c of a texel; 0 if there is none. */
static double channel(const struct interp_texture *t, const char *texel, unsigned c)
{
    uint32_t bits = 0, n = t->bits[c];
    if (n == 0) {
        return 0;
    }
    memcpy(&bits, texel + c * n / 8, n / 8);
    int64_t number = extended(bits, n, t->kind == INTERP_TEXEL_SIGNED);
    if (t->kind == INTERP_TEXEL_FLOAT) {
        return number_value(n == 32 ? N_F32 : N_F16, bits);
    }
    double most = (double)((UINT64_C(1) << (n - (t->kind == INTERP_TEXEL_SIGNED))) - 1);
    return !t->reads_floats || n == 32 ? (double)number : fmax(-1, (double)number / most);
}

/* Sets the values of a texel's channels. Returns false after a fault. */
static bool texel(struct warp *warp, const struct op *op, unsigned lane,
                  const struct interp_texture *t, const int64_t place[3], double value[4])
{
    const struct sample *s = op->extra;
    const uint32_t size[3] = {t->width, t->height ? t->height : 1, t->depth ? t->depth : 1};
    uint64_t address = t->address + layer_of(warp, s, t, lane) * t->slice;
    const uint64_t step[3] = {t->texel, t->pitch, t->slice};
    for (unsigned d = 0; d < s->dimensions; d++) {
        int64_t i = index_of(t, d, place[d], size[d]);
        if (i < 0) {
            for (unsigned c = 0; c < 4; c++) {
                value[c] = t->is_buffer ? 0 : (double)t->border[c];
            }
            return true;
        }
        address += (uint64_t)i * step[d];
    }
    const char *from = touch(warp, op, lane, address, t->texel, ACCESS_LOAD);
    for (unsigned c = 0; c < 4 && from; c++) {
        value[c] = channel(t, from, c);
    }
    return from != NULL;
}

/* Sets first[] to the place of the texel before the coordinates of a lane, and weight[] to that of
 * the next one in each dimension. */
static void locate(struct warp *warp, const struct sample *s, const struct interp_texture *t,
                   unsigned lane, bool blends, int64_t first[3], double weight[3])
{
    const uint32_t size[3] = {t->width, t->height, t->depth};
    for (unsigned d = 0; d < s->dimensions; d++) {
        uint32_t bits = ((const uint32_t *)reg(warp, s->at[d]))[lane];
        double x = s->has_reals ? (double)f32_of(bits) : (double)(int32_t)bits;
        x = s->has_reals && t->is_normalized ? x * size[d] : x;
        x -= blends ? 0.5 : 0;
        double whole = fmax(-1e15, fmin(1e15, floor(x)));
        first[d] = (int64_t)whole;
        weight[d] = blends ? rint((x - whole) * 256) / 256 : 0;
    }
}

/* Sets sum[] to the channels of a sample or, for tld4, to a component of its four texels. */
static bool sample(struct warp *warp, const struct op *op, unsigned lane,
                   const struct interp_texture *t, double sum[4])
{
    static const uint8_t order[4] = {2, 3, 1, 0}; /* of the corners, for tld4 */
    const struct sample *s = op->extra;
    bool gathers = s->component >= 0;
    bool blends =
        gathers || (t->filter == INTERP_LINEAR && s->has_reals && s->makes_reals && !t->is_buffer);
    int64_t first[3] = {0}, place[3] = {0};
    double weight[3] = {0}, value[4];
    locate(warp, s, t, lane, blends, first, weight);
    memset(sum, 0, 4 * sizeof sum[0]);
    for (unsigned k = 0; k < (blends ? 1u << s->dimensions : 1); k++) {
        unsigned corner = gathers ? order[k] : k;
        double part = 1;
        for (unsigned d = 0; d < s->dimensions; d++) {
            bool next = corner >> d & 1;
            place[d] = first[d] + next;
            part *= next ? weight[d] : 1 - weight[d];
        }
        if (!texel(warp, op, lane, t, place, value)) {
            return false;
        }
        if (gathers) {
            sum[k] = value[s->component];
            continue;
        }
        for (unsigned c = 0; c < 4; c++) {
            sum[c] += part * value[c];
        }
    }
    return true;
}

static void tex(struct warp *warp, const struct op *op)
{
    const struct sample *s = op->extra;
    const struct interp_texture *t;
    double value[4];
    FOR_MASK(warp->mask, {
        if (!find(warp, op, i, &t) || !sample(warp, op, i, t, value)) {
            return;
        }
        for (unsigned c = 0; c < 4; c++) {
            uint32_t *d = reg(warp, s->parts[c]);
            d[i] = s->makes_reals ? bits_of_f32((float)value[c]) : (uint32_t)(int64_t)value[c];
        }
    })
}

/* Sets *address to that of a lane's part of a surface, or to 0 if it lies outside and is zero. Returns
 * false after a fault. */
static bool surface_place(struct warp *warp, const struct op *op, unsigned lane, uint64_t *address)
{
    const struct sample *s = op->extra;
    const struct interp_texture *t;
    if (!find(warp, op, lane, &t)) {
        return false;
    }
    uint32_t bytes = s->elements * s->bytes;
    const int64_t size[3] = {(int64_t)t->width * t->texel - bytes + 1, t->height, t->depth};
    const uint64_t step[3] = {1, t->pitch, t->slice};
    *address = t->address + layer_of(warp, s, t, lane) * t->slice;
    for (unsigned d = 0; d < s->dimensions; d++) {
        int64_t at = ((const int32_t *)reg(warp, s->at[d]))[lane];
        if ((at < 0 || at >= size[d]) && s->outside == OUTSIDE_TRAP) {
            fault(warp, op, lane, INTERP_TRAP, "coordinate %lld outside of a surface",
                  (long long)at);
            return false;
        }
        if ((at < 0 || at >= size[d]) && s->outside == OUTSIDE_ZERO) {
            *address = 0;
            return true;
        }
        *address += (uint64_t)within(at, size[d]) * step[d];
    }
    return true;
}

static void surface(struct warp *warp, const struct op *op)
{
    const struct sample *s = op->extra;
    FOR_MASK(warp->mask, {
        uint64_t address;
        if (!surface_place(warp, op, i, &address) || (address == 0 && s->is_store)) {
            continue;
        }
        char *at = address ? touch(warp, op, i, address, s->elements * s->bytes,
                                   s->is_store ? ACCESS_STORE : ACCESS_LOAD)
                           : NULL;
        for (unsigned n = 0; n < s->elements && (at || !address); n++) {
            void *part = reg(warp, s->parts[n]);
            uint64_t value = s->is_store ? lane_value(part, s->width, i) : 0;
            if (s->is_store) {
                memcpy(at + n * s->bytes, &value, s->bytes);
            } else if (at) {
                memcpy(&value, at + n * s->bytes, s->bytes);
            }
            if (!s->is_store) {
                set_lane(part, s->width, i, value);
            }
        }
    })
}

/* ---- Decoding -------------------------------------------------------------------------------- */

/* Decodes [handle, coordinates]. */
static bool decode_place_of(struct decoder *decoder, struct sample *s,
                            const struct ptx_operand *address)
{
    const struct ptx_instruction *in = decoder->in;
    s->is_layered = ptx_has(in, "a1d") || ptx_has(in, "a2d");
    s->dimensions = ptx_has(in, "1d") || ptx_has(in, "a1d")   ? 1
                    : ptx_has(in, "2d") || ptx_has(in, "a2d") ? 2
                    : ptx_has(in, "3d")                       ? 3
                                                              : 0;
    if (address->kind != PTX_ADDRESS || address->part_count != 2 ||
        address->parts[0].kind != PTX_REGISTER || s->dimensions == 0) {
        return false;
    }
    uint32_t count, n = 0;
    const struct ptx_operand *list = decode_elements(decoder, &address->parts[1], &count);
    if (count < s->dimensions + s->is_layered) {
        return false;
    }
    s->handle = decode_source(decoder, &address->parts[0], 8);
    s->layer = s->is_layered ? decode_source(decoder, &list[n++], 4) : s->handle;
    for (unsigned d = 0; d < s->dimensions; d++) {
        s->at[d] = decode_source(decoder, &list[n++], 4);
    }
    s->place = decode_new_register(decoder, 8);
    return true;
}

/* Decodes the registers of an instruction with `elements` elements. */
static bool decode_parts(struct decoder *decoder, struct sample *s, const struct ptx_operand *list)
{
    uint32_t count;
    list = decode_elements(decoder, list, &count);
    s->width = decode_width_of(decoder, list, count, s->bytes);
    s->parts = decode_registers(decoder, list, count, s->width, !s->is_store);
    return count == s->elements;
}

static bool decode_tex(struct decoder *decoder, const struct ptx_instruction *in, struct op *op)
{
    static const char *const components[] = {"r", "g", "b", "a"};
    struct sample *s = decode_memory(decoder, sizeof *s);
    if (!ptx_has(in, "v4") || in->modifier_count < 3) {
        return false;
    }
    struct ptx_text made = in->modifiers[in->modifier_count - 2],
                    given = in->modifiers[in->modifier_count - 1];
    *s = (struct sample){.elements = 4, .bytes = 4, .component = -1};
    s->makes_reals = ptx_is(made, "f32");
    s->has_reals = ptx_is(given, "f32");
    for (int c = 0; c < 4; c++) {
        s->component = ptx_has(in, components[c]) ? c : s->component;
    }
    op->extra = s;
    op->run = tex;
    return made.length == 3 && memcmp(made.s + 1, "32", 2) == 0 &&
           decode_parts(decoder, s, decode_operand(decoder, 0)) &&
           decode_place_of(decoder, s, decode_operand(decoder, 1)) &&
           (s->component < 0 || s->dimensions == 2);
}

static bool decode_surface(struct decoder *decoder, const struct ptx_instruction *in, struct op *op)
{
    struct sample *s = decode_memory(decoder, sizeof *s);
    if (!ptx_has(in, "b")) {
        return false;
    }
    *s = (struct sample){.elements = ptx_vector_size(in),
                         .bytes = ptx_has(in, "b8")    ? 1
                                  : ptx_has(in, "b16") ? 2
                                  : ptx_has(in, "b32") ? 4
                                                       : 8,
                         .outside = ptx_has(in, "zero")    ? OUTSIDE_ZERO
                                    : ptx_has(in, "clamp") ? OUTSIDE_CLAMP
                                                           : OUTSIDE_TRAP,
                         .is_store = memcmp(in->word.s, "sust", 4) == 0};
    op->extra = s;
    return s->elements <= 4 && s->elements * s->bytes <= 16 &&
           decode_parts(decoder, s, decode_operand(decoder, s->is_store)) &&
           decode_place_of(decoder, s, decode_operand(decoder, !s->is_store));
}

const struct rule texture_rules[] = {
    {"tex", tex, .decode = decode_tex},
    {"tld4", tex, .decode = decode_tex},
    {"suld", surface, .decode = decode_surface},
    {"sust", surface, .decode = decode_surface},
    {NULL, NULL, NULL, NULL, NULL},
};
