/* SPDX-License-Identifier: BSD-3-Clause
 *
 * atom and red: atomic operations of the host, one lane after the other.
 */
#include "interp/ops/small_float.h"
#include "interp/rules.h"
#include <string.h>

/* Defines the handler of an atomic operation. The statements execute it for lane i. */
#define HANDLER(name, T, ...)                                                                      \
    static void name(struct warp *warp, const struct op *op)                                       \
    {                                                                                              \
        T *d = reg(warp, op->d);                                                                   \
        const T *b = reg(warp, op->b), *c = reg(warp, op->c);                                      \
        (void)c;                                                                                   \
        if (!access_memory(warp, op, sizeof(T), sizeof(T), ACCESS_ATOMIC)) {                       \
            return;                                                                                \
        }                                                                                          \
        warp->strong |= !(op->flags & OP_TOOL);                                                    \
        FOR_MASK(warp->mask, {                                                                     \
            T *at = (T *)warp->at[i];                                                              \
            __VA_ARGS__                                                                            \
        })                                                                                         \
    }

/* An operation that the host executes by compare and exchange. expression: the new value, computed
 * from `old` and the operand `by`. */
#define ATOMIC(name, T, expression)                                                                \
    HANDLER(name, T, {                                                                             \
        T by = b[i];                                                                               \
        T old = __atomic_load_n(at, __ATOMIC_RELAXED);                                             \
        T new;                                                                                     \
        do {                                                                                       \
            new = (T)(expression);                                                                 \
        } while (!__atomic_compare_exchange_n(at, &old, new, false, __ATOMIC_SEQ_CST,              \
                                              __ATOMIC_RELAXED));                                  \
        d[i] = old;                                                                                \
    })

/* An operation for which the host has an atomic instruction. */
#define DIRECT(name, T, function) HANDLER(name, T, { d[i] = function(at, b[i], __ATOMIC_SEQ_CST); })

#define CAS(name, T)                                                                               \
    HANDLER(name, T, {                                                                             \
        T old = b[i];                                                                              \
        __atomic_compare_exchange_n(at, &old, c[i], false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);    \
        d[i] = old;                                                                                \
    })

DIRECT(add_32, uint32_t, __atomic_fetch_add)
DIRECT(add_64, uint64_t, __atomic_fetch_add)
DIRECT(and_32, uint32_t, __atomic_fetch_and)
DIRECT(and_64, uint64_t, __atomic_fetch_and)
DIRECT(or_32, uint32_t, __atomic_fetch_or)
DIRECT(or_64, uint64_t, __atomic_fetch_or)
DIRECT(xor_32, uint32_t, __atomic_fetch_xor)
DIRECT(xor_64, uint64_t, __atomic_fetch_xor)
DIRECT(exch_32, uint32_t, __atomic_exchange_n)
DIRECT(exch_64, uint64_t, __atomic_exchange_n)
CAS(cas_16, uint16_t)
CAS(cas_32, uint32_t)
CAS(cas_64, uint64_t)
ATOMIC(min_u32, uint32_t, by < old ? by : old)
ATOMIC(max_u32, uint32_t, by > old ? by : old)
ATOMIC(min_s32, int32_t, by < old ? by : old)
ATOMIC(max_s32, int32_t, by > old ? by : old)
ATOMIC(min_u64, uint64_t, by < old ? by : old)
ATOMIC(max_u64, uint64_t, by > old ? by : old)
ATOMIC(min_s64, int64_t, by < old ? by : old)
ATOMIC(max_s64, int64_t, by > old ? by : old)
ATOMIC(inc_u32, uint32_t, old >= by ? 0 : old + 1)
ATOMIC(dec_u32, uint32_t, old == 0 || old > by ? by : old - 1)

static inline uint32_t add_f32(uint32_t x, uint32_t y)
{
    float sum = f32_of(x) + f32_of(y);
    return sum == sum ? bits_of_f32(sum) : NAN_F32;
}

static inline uint16_t add_f16(uint16_t x, uint16_t y)
{
    return f16_from_double(f16_to_double(x) + f16_to_double(y), ROUND_NEAREST);
}

static inline uint16_t add_bf16(uint16_t x, uint16_t y)
{
    return bf16_from_double(fma_odd(bf16_to_double(x), 1, bf16_to_double(y)), ROUND_NEAREST);
}

static inline uint32_t halves(uint16_t low, uint16_t high)
{
    return low | (uint32_t)high << 16;
}

ATOMIC(fadd_32, uint32_t, add_f32(old, by))
ATOMIC(fadd_64, uint64_t, bits_of_f64(f64_of(old) + f64_of(by)))
ATOMIC(fadd_f16, uint16_t, add_f16(old, by))
ATOMIC(fadd_bf16, uint16_t, add_bf16(old, by))
ATOMIC(fadd_f16x2, uint32_t,
       halves(add_f16((uint16_t)old, (uint16_t)by),
              add_f16((uint16_t)(old >> 16), (uint16_t)(by >> 16))))
ATOMIC(fadd_bf16x2, uint32_t,
       halves(add_bf16((uint16_t)old, (uint16_t)by),
              add_bf16((uint16_t)(old >> 16), (uint16_t)(by >> 16))))

/* The smaller or larger number; the other one if one is a NaN. */
static inline uint16_t extreme(uint16_t x, uint16_t y, double p, double q, bool is_max)
{
    return p != p && q != q ? NAN_16 : q != q || (is_max ? p > q : p < q) ? x : y;
}
#define EXTREME(name, is_max, T)                                                                   \
    static inline uint16_t name##_##T##_of(uint16_t x, uint16_t y)                                 \
    {                                                                                              \
        return extreme(x, y, T##_to_double(x), T##_to_double(y), is_max);                          \
    }                                                                                              \
    ATOMIC(f##name##_##T, uint16_t, name##_##T##_of(old, by))                                      \
    ATOMIC(f##name##_##T##x2, uint32_t,                                                            \
           halves(name##_##T##_of((uint16_t)old, (uint16_t)by),                                    \
                  name##_##T##_of((uint16_t)(old >> 16), (uint16_t)(by >> 16))))
EXTREME(min, false, f16)
EXTREME(max, true, f16)
EXTREME(min, false, bf16)
EXTREME(max, true, bf16)

/* 128 bits, for which the host has no atomic instruction: the lock of the device protects them. */
static void atomic_128(struct warp *warp, const struct op *op, bool compares)
{
    struct wide *d = reg(warp, op->d);
    const struct wide *b = reg(warp, op->b), *c = reg(warp, op->c);
    if (!access_memory(warp, op, 16, 16, ACCESS_ATOMIC)) {
        return;
    }
    warp->strong |= !(op->flags & OP_TOOL);
    pthread_mutex_lock(&warp->launch->device->lock);
    FOR_MASK(warp->mask, {
        struct wide old = *(struct wide *)warp->at[i], by = b[i], new = c[i];
        if (!compares) {
            *(struct wide *)warp->at[i] = by;
        } else if (old.low == by.low && old.high == by.high) {
            *(struct wide *)warp->at[i] = new;
        }
        d[i] = old;
    })
    pthread_mutex_unlock(&warp->launch->device->lock);
}

static void exch_128(struct warp *warp, const struct op *op)
{
    atomic_128(warp, op, false);
}

static void cas_128(struct warp *warp, const struct op *op)
{
    atomic_128(warp, op, true);
}

static const struct {
    const char *name, *type;
    op_handler run;
    uint32_t width;
} operations[] = {
    {"add", "u32", add_32, 4},         {"add", "s32", add_32, 4},
    {"add", "u64", add_64, 8},         {"add", "s64", add_64, 8},
    {"add", "f32", fadd_32, 4},        {"add", "f64", fadd_64, 8},
    {"add", "f16", fadd_f16, 2},       {"add", "bf16", fadd_bf16, 2},
    {"add", "f16x2", fadd_f16x2, 4},   {"add", "bf16x2", fadd_bf16x2, 4},
    {"and", "b32", and_32, 4},         {"and", "b64", and_64, 8},
    {"or", "b32", or_32, 4},           {"or", "b64", or_64, 8},
    {"xor", "b32", xor_32, 4},         {"xor", "b64", xor_64, 8},
    {"exch", "b32", exch_32, 4},       {"exch", "b64", exch_64, 8},
    {"cas", "b16", cas_16, 2},         {"cas", "b32", cas_32, 4},
    {"cas", "b64", cas_64, 8},         {"min", "u32", min_u32, 4},
    {"max", "u32", max_u32, 4},        {"min", "s32", min_s32, 4},
    {"max", "s32", max_s32, 4},        {"min", "u64", min_u64, 8},
    {"max", "u64", max_u64, 8},        {"min", "s64", min_s64, 8},
    {"max", "s64", max_s64, 8},        {"inc", "u32", inc_u32, 4},
    {"dec", "u32", dec_u32, 4},        {"min", "f16", fmin_f16, 2},
    {"max", "f16", fmax_f16, 2},       {"min", "bf16", fmin_bf16, 2},
    {"max", "bf16", fmax_bf16, 2},     {"min", "f16x2", fmin_f16x2, 4},
    {"max", "f16x2", fmax_f16x2, 4},   {"min", "bf16x2", fmin_bf16x2, 4},
    {"max", "bf16x2", fmax_bf16x2, 4}, {"exch", "b128", exch_128, 16},
    {"cas", "b128", cas_128, 16},
};

/* Sets op->run and op->size to the operation that the modifiers name. Returns false if there is none. */
static bool find_operation(const struct ptx_instruction *in, struct op *op)
{
    for (size_t i = 0; in->modifier_count > 0 && i < sizeof operations / sizeof *operations; i++) {
        if (ptx_has(in, operations[i].name) &&
            ptx_is(ptx_instruction_type(in).name, operations[i].type)) {
            op->run = operations[i].run;
            op->size = (uint8_t)operations[i].width;
            op->flags |= OP_STRONG;
            return true;
        }
    }
    return false;
}

/* Handler of vector operations: one access, whose elements are atomic one by one. op->extra: the
 * operations on the op->c elements; op->b: size of all. */
static void vector(struct warp *warp, const struct op *op)
{
    const struct op *parts = op->extra;
    bool good = access_range(warp, op, op->b, ACCESS_ATOMIC);
    for (uint32_t n = 0; good && n < op->c; n++) {
        parts[n].run(warp, &parts[n]);
    }
}

static bool decode_vector(struct decoder *decoder, const struct ptx_operand *to,
                          const struct ptx_operand *by, uint32_t count)
{
    struct op *op = decoder->op, *parts = decode_memory(decoder, count * sizeof *parts);
    to = to ? decode_elements_of(decoder, to) : NULL;
    by = by ? decode_elements_of(decoder, by) : NULL;
    if (!parts || !by || by->kind != PTX_VECTOR || by->part_count != count ||
        (to && (to->kind != PTX_VECTOR || to->part_count != count)) || op->size * count > 16) {
        return false;
    }
    for (uint32_t n = 0; n < count; n++) {
        parts[n] = *op;
        parts[n].flags |= OP_PART;
        parts[n].imm += (int64_t)n * op->size;
        parts[n].d = to ? decode_destination(decoder, &to->parts[n], op->size)
                        : decode_scratch(decoder, op->size);
        parts[n].b = parts[n].c = decode_source(decoder, &by->parts[n], op->size);
    }
    op->b = op->size * count;
    op->c = count;
    op->extra = parts;
    op->run = vector;
    return true;
}

static bool decode_atomic(struct decoder *decoder)
{
    const struct ptx_instruction *in = decoder->in;
    struct op *op = decoder->op;
    bool red = ptx_is(in->word, "red");
    uint32_t n = red ? 0 : 1;
    uint32_t count = ptx_has(in, "v8") ? 8 : ptx_has(in, "v4") ? 4 : ptx_has(in, "v2") ? 2 : 1;
    if (ptx_has(in, "bulk") || !find_operation(in, op)) {
        return false;
    }
    uint32_t width = op->size;
    decode_address(decoder, decode_operand(decoder, n), ptx_instruction_space(in));
    if (count > 1) {
        return decode_vector(decoder, red ? NULL : decode_operand(decoder, 0),
                             decode_operand(decoder, n + 1), count);
    }
    op->d = red ? decode_scratch(decoder, width) : decode_destination_at(decoder, 0, width);
    op->b = decode_source_at(decoder, n + 1, width);
    op->c = decode_source_at(decoder, ptx_has(in, "cas") ? n + 2 : n + 1, width);
    return !ptx_has(in, "async") || decode_completion(decoder, width, 2);
}

void atomic_bulk(struct warp *warp, const struct op *element, uint64_t to, const void *from,
                 uint32_t bytes)
{
    unsigned i = (unsigned)__builtin_ctz(warp->mask);
    uint64_t *address = reg(warp, element->a);
    for (uint32_t done = 0; done < bytes; done += element->size) {
        uint64_t value = 0;
        memcpy(&value, (const char *)from + done, element->size);
        address[i] = to + done;
        set_lane(reg(warp, element->b), element->size, i, value);
        element->run(warp, element);
    }
}

bool decode_atomic_bulk(struct decoder *decoder, struct op *element, enum ptx_space space)
{
    if (!find_operation(decoder->in, element) || element->size > 8) {
        return false;
    }
    element->a = decode_new_register(decoder, 8);
    element->b = element->c = decode_new_register(decoder, element->size);
    element->d = decode_scratch(decoder, element->size);
    element->imm = 0;
    element->flags |= OP_PART | OP_WIDE;
    element->space = (uint8_t)space;
    return true;
}

const struct rule atomic_rules[] = {
    {"atom", .decode = decode_atomic}, {"red", .decode = decode_atomic}, {NULL, NULL, NULL, NULL}};
