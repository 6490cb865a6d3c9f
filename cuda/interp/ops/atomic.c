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

static const struct {
    const char *name, *type;
    op_handler run;
    uint32_t width;
} operations[] = {
    {"add", "u32", add_32, 4},       {"add", "s32", add_32, 4},
    {"add", "u64", add_64, 8},       {"add", "s64", add_64, 8},
    {"add", "f32", fadd_32, 4},      {"add", "f64", fadd_64, 8},
    {"add", "f16", fadd_f16, 2},     {"add", "bf16", fadd_bf16, 2},
    {"add", "f16x2", fadd_f16x2, 4}, {"add", "bf16x2", fadd_bf16x2, 4},
    {"and", "b32", and_32, 4},       {"and", "b64", and_64, 8},
    {"or", "b32", or_32, 4},         {"or", "b64", or_64, 8},
    {"xor", "b32", xor_32, 4},       {"xor", "b64", xor_64, 8},
    {"exch", "b32", exch_32, 4},     {"exch", "b64", exch_64, 8},
    {"cas", "b16", cas_16, 2},       {"cas", "b32", cas_32, 4},
    {"cas", "b64", cas_64, 8},       {"min", "u32", min_u32, 4},
    {"max", "u32", max_u32, 4},      {"min", "s32", min_s32, 4},
    {"max", "s32", max_s32, 4},      {"min", "u64", min_u64, 8},
    {"max", "u64", max_u64, 8},      {"min", "s64", min_s64, 8},
    {"max", "s64", max_s64, 8},      {"inc", "u32", inc_u32, 4},
    {"dec", "u32", dec_u32, 4},
};

static bool decode_atomic(struct decoder *decoder)
{
    const struct ptx_instruction *in = decoder->in;
    struct op *op = decoder->op;
    bool red = ptx_is(in->word, "red");
    uint32_t n = red ? 0 : 1;
    if (ptx_has(in, "async") || ptx_has(in, "bulk") || ptx_has(in, "v2") || ptx_has(in, "v4") ||
        ptx_has(in, "v8") || in->modifier_count == 0) {
        return false;
    }
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
        if (!ptx_has(in, operations[i].name) ||
            !ptx_is(in->modifiers[in->modifier_count - 1], operations[i].type)) {
            continue;
        }
        uint32_t width = operations[i].width;
        decode_address(decoder, decode_operand(decoder, n), ptx_instruction_space(in));
        op->d = red ? decode_scratch(decoder, width) : decode_destination_at(decoder, 0, width);
        op->b = decode_source_at(decoder, n + 1, width);
        op->c = decode_source_at(decoder, operations[i].name[0] == 'c' ? n + 2 : n + 1, width);
        op->flags |= OP_STRONG;
        op->size = (uint8_t)width;
        op->run = operations[i].run;
        return true;
    }
    return false;
}

const struct rule atomic_rules[] = {
    {"atom", .decode = decode_atomic}, {"red", .decode = decode_atomic}, {NULL, NULL, NULL, NULL}};
