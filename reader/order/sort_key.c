/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sort_key.c - converts records to strings of bytes; see sort_key.h.
 *
 * Numbers are written with the highest byte first. Signed integers have the sign bit inverted.
 * Floating-point numbers have the sign bit inverted if positive, and all bits inverted if negative,
 * so that their bits are ordered like their values. NaN becomes all ones, the largest value.
 */
#include "order/sort_key.h"

#include <assert.h>
#include <string.h>

#include "format/bytes.h"

/* ---- Conversion of numbers to bytes and back ------------------------------------------------- */

#define SIGN_64 (UINT64_C(1) << 63)

uint64_t ws_time_order(double v)
{
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    if (v != v) {
        return UINT64_MAX;
    }
    return (bits & SIGN_64) != 0 ? ~bits : bits | SIGN_64;
}

static double f64_of_order(uint64_t order)
{
    uint64_t bits = (order & SIGN_64) != 0 ? order ^ SIGN_64 : ~order;
    double v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

static inline uint64_t little_get(const uint8_t *from, size_t size)
{
    return size == 8   ? fmt_get_u64(from)
           : size == 4 ? fmt_get_u32(from)
           : size == 2 ? fmt_get_u16(from)
                       : from[0];
}

/* Stores the lowest `size` bytes of v, the highest of them first. */
static inline void order_put(uint8_t *to, uint64_t v, size_t size)
{
    if (size == 8) {
        ws_key_u64(to, v);
    } else if (size == 4) {
        ws_key_u32(to, (uint32_t)v);
    } else {
        to[0] = (uint8_t)(v >> 8 * (size - 1));
        to[size - 1] = (uint8_t)v;
    }
}

static inline uint64_t order_get(const uint8_t *from, size_t size)
{
    return size == 8   ? ws_key_get_u64(from)
           : size == 4 ? ws_key_get_u32(from)
           : size == 2 ? (uint64_t)from[0] << 8 | from[1]
                       : from[0];
}

/* Converts the bits of a value, as stored in files, to an integer. The integers have the order of
 * the values. */
static inline uint64_t bits_order(uint64_t bits, uint32_t type, size_t size)
{
    double d;
    float f;
    uint32_t low = (uint32_t)bits;
    switch (type) {
    case FMT_I8:
    case FMT_I16:
    case FMT_I32:
    case FMT_I64:
        return bits ^ UINT64_C(1) << (8 * size - 1);
    case FMT_F32:
        memcpy(&f, &low, sizeof f);
        if (f != f) {
            return UINT32_MAX;
        }
        return (low >> 31) != 0 ? (uint32_t)~low : low | UINT32_C(1) << 31;
    case FMT_F64:
        memcpy(&d, &bits, sizeof d);
        return ws_time_order(d);
    default:
        return bits;
    }
}

static struct fmt_value order_value(uint64_t order, uint32_t type)
{
    assert(fmt_type_size(type) > 0);
    struct fmt_value v = {.type = type};
    unsigned sign = 8 * (unsigned)fmt_type_size(type) - 1;
    uint32_t bits;
    float single;
    switch (type) {
    case FMT_I8:
    case FMT_I16:
    case FMT_I32:
    case FMT_I64:
        /* Restores the bits of a signed integer, and copies its sign bit into all higher bits. */
        order ^= UINT64_C(1) << sign;
        v.as.i = (int64_t)(order << (63 - sign)) >> (63 - sign);
        break;
    case FMT_F32:
        bits = (order >> 31) != 0 ? (uint32_t)order ^ UINT32_C(1) << 31 : (uint32_t)~order;
        memcpy(&single, &bits, sizeof single);
        v.as.f = (double)single;
        break;
    case FMT_F64:
        v.as.f = f64_of_order(order);
        break;
    default:
        v.as.u = order;
        break;
    }
    return v;
}

/* ---- Sort keys ------------------------------------------------------------------------------- */

void ws_sort_key_encode(const struct ws_sort_layout *layout, const struct fmt_columns *c,
                        uint32_t row, uint32_t type, struct ws_sort_key *item)
{
    size_t payload = 0;
    for (uint32_t i = 0; i < layout->n_parts; i++) {
        const struct ws_sort_key_part *part = &layout->parts[i];
        size_t bytes = part->size;
        assert(part->at + bytes <= layout->key_size && c->values[part->field] != NULL);
        uint64_t bits = little_get(c->values[part->field] + row * bytes, bytes);
        uint64_t order =
            (int32_t)i == layout->type_part ? type : bits_order(bits, part->type, bytes);
        order_put(item->bytes + part->at, order, bytes);
    }
    if (layout->has_payload) {
        payload = (size_t)(c->payload_offset[row + 1] - c->payload_offset[row]);
        if (payload > 0) {
            memcpy(item->bytes + layout->key_size, c->payload + c->payload_offset[row], payload);
        }
    }
    item->payload_size = (uint32_t)payload;
    item->size = (uint32_t)ws_sort_key_size(layout, payload);
    size_t used = sizeof *item + layout->key_size + payload;
    memset((uint8_t *)item + used, 0, item->size - used);
}

uint64_t ws_sort_key_time(const struct ws_sort_layout *layout, const struct ws_sort_key *item)
{
    assert(!layout->has_time || layout->key_size >= 8);
    return layout->has_time ? order_get(item->bytes, 8) : 0;
}

uint32_t ws_sort_key_more(const struct ws_sort_layout *layout, const struct ws_sort_key *item)
{
    return layout->has_time && layout->key_size >= 12 ? ws_key_get_u32(item->bytes + 8) : 0;
}

int ws_sort_key_compare(const struct ws_sort_layout *layout, const struct ws_sort_key *a,
                        const struct ws_sort_key *b)
{
    uint32_t least = a->payload_size < b->payload_size ? a->payload_size : b->payload_size;
    int order = memcmp(a->bytes, b->bytes, (size_t)layout->key_size + least);
    if (order != 0 || a->payload_size == b->payload_size) {
        return order;
    }
    return a->payload_size < b->payload_size ? -1 : 1;
}

struct fmt_value ws_sort_key_value(const struct ws_sort_layout *layout,
                                   const struct ws_sort_key *item, uint32_t i)
{
    assert(i < layout->n_parts);
    const struct ws_sort_key_part *part = &layout->parts[i];
    return order_value(order_get(item->bytes + part->at, part->size), part->type);
}

void ws_sort_key_add(const struct ws_sort_layout *layout, struct ws_sort_key *a,
                     const struct ws_sort_key *b)
{
    assert(layout->sums && !layout->has_payload);
    for (uint32_t i = 0; i < layout->n_parts; i++) {
        const struct ws_sort_key_part *part = &layout->parts[i];
        if (part->at >= layout->sums_at) {
            uint64_t sum = order_get(a->bytes + part->at, part->size) +
                           order_get(b->bytes + part->at, part->size);
            order_put(a->bytes + part->at, sum, part->size);
        }
    }
}
