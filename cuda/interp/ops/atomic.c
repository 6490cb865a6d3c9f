/* SPDX-License-Identifier: BSD-3-Clause
 *
 * atom and red: atomic operations of the host, one lane after the other.
 */
#include "interp/rules.h"
#include "ptx/small_float.h"
#include <string.h>

/* Defines the handler of an atomic operation. The statements execute it for lane i. */
#define ATOMICALLY(name, T, ...)                                                                   \
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
    ATOMICALLY(name, T, {                                                                          \
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
#define DIRECT(name, T, function)                                                                  \
    ATOMICALLY(name, T, { d[i] = function(at, b[i], __ATOMIC_SEQ_CST); })

#define CAS(name, T, new)                                                                          \
    ATOMICALLY(name, T, {                                                                          \
        T old = b[i];                                                                              \
        __atomic_compare_exchange_n(at, &old, new, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);     \
        d[i] = old;                                                                                \
    })

/* An operation on 128 bits, for which the host has no atomic instruction: the lock of the device protects
 * them. */
#define ATOMIC_WIDE(name, T, is_stored, new)                                                       \
    ATOMICALLY(name, T, {                                                                          \
        pthread_mutex_lock(&warp->launch->device->lock);                                           \
        const T old = *at;                                                                         \
        *at = (is_stored) ? (new) : old;                                                           \
        pthread_mutex_unlock(&warp->launch->device->lock);                                         \
        d[i] = old;                                                                                \
    })

static inline uint32_t sum_f32(uint32_t x, uint32_t y)
{
    float sum = f32_of(x) + f32_of(y);
    return sum == sum ? bits_of_f32(sum) : NAN_F32;
}

/* The operations: macro of the handler, name, type, its C type, and the macro's argument. */
#define OPERATIONS(X)                                                                              \
    DIRECT_ADD(X, u32, uint32_t)                                                                   \
    DIRECT_ADD(X, s32, uint32_t)                                                                   \
    DIRECT_ADD(X, u64, uint64_t)                                                                   \
    DIRECT_ADD(X, s64, uint64_t)                                                                   \
    X(ATOMIC, add, f32, uint32_t, sum_f32(old, by))                                                \
    X(ATOMIC, add, f64, uint64_t, bits_of_f64(f64_of(old) + f64_of(by)))                           \
    HALVES(X, add, HALF_ADD)                                                                       \
    BITS(X, and, __atomic_fetch_and)                                                               \
    BITS(X, or, __atomic_fetch_or)                                                                 \
    BITS(X, xor, __atomic_fetch_xor)                                                               \
    BITS(X, exch, __atomic_exchange_n)                                                             \
    X(CAS, cas, b16, uint16_t, c[i])                                                               \
    X(CAS, cas, b32, uint32_t, c[i])                                                               \
    X(CAS, cas, b64, uint64_t, c[i])                                                               \
    X(ATOMIC_WIDE, exch, b128, struct wide, true, b[i])                                            \
    X(ATOMIC_WIDE, cas, b128, struct wide, old.low == b[i].low && old.high == b[i].high, c[i])     \
    CHOICE(X, min, by < old ? by : old)                                                            \
    CHOICE(X, max, by > old ? by : old)                                                            \
    HALVES(X, min, HALF_MIN)                                                                       \
    HALVES(X, max, HALF_MAX)                                                                       \
    X(ATOMIC, inc, u32, uint32_t, old >= by ? 0 : old + 1)                                         \
    X(ATOMIC, dec, u32, uint32_t, old == 0 || old > by ? by : old - 1)
#define DIRECT_ADD(X, type, T) X(DIRECT, add, type, T, __atomic_fetch_add)
#define BITS(X, name, function)                                                                    \
    X(DIRECT, name, b32, uint32_t, function)                                                       \
    X(DIRECT, name, b64, uint64_t, function)
#define CHOICE(X, name, chosen)                                                                    \
    X(ATOMIC, name, u32, uint32_t, chosen)                                                         \
    X(ATOMIC, name, s32, int32_t, chosen)                                                          \
    X(ATOMIC, name, u64, uint64_t, chosen)                                                         \
    X(ATOMIC, name, s64, int64_t, chosen)
#define HALVES(X, name, what)                                                                      \
    X(ATOMIC, name, f16, uint16_t, half_result(op, what, false, false, old, by))                   \
    X(ATOMIC, name, bf16, uint16_t, half_result(op, what, true, false, old, by))                   \
    X(ATOMIC, name, f16x2, uint32_t, half_result(op, what, false, true, old, by))                  \
    X(ATOMIC, name, bf16x2, uint32_t, half_result(op, what, true, true, old, by))
#define DEFINE(macro, name, type, T, ...) macro(name##_##type, T, __VA_ARGS__)
OPERATIONS(DEFINE)

static const struct {
    const char *name, *type;
    op_handler run;
    uint32_t width;
} operations[] = {
#define ROW(macro, name, type, T, ...) {#name, #type, name##_##type, sizeof(T)},
    OPERATIONS(ROW)};

/* Sets op->run and op->size to the operation on a type that the modifiers name. Returns false if there is none. */
static bool find_operation(const struct ptx_instruction *in, struct ptx_text type, struct op *op)
{
    for (size_t i = 0; in->modifier_count > 0 && i < sizeof operations / sizeof *operations; i++) {
        if (ptx_has(in, operations[i].name) && ptx_is(type, operations[i].type)) {
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
    bool good = access_range(warp, op, op->b, op->b, ACCESS_ATOMIC);
    for (uint32_t n = 0; good && n < op->c; n++) {
        parts[n].run(warp, &parts[n]);
    }
}

static bool decode_vector(struct decoder *decoder, const struct ptx_operand *to,
                          const struct ptx_operand *by, uint32_t count)
{
    struct op *op = decoder->op, *parts = decode_memory(decoder, count * sizeof *parts);
    uint32_t to_count = count, by_count;
    to = to ? decode_elements(decoder, to, &to_count) : NULL;
    by = decode_elements(decoder, by, &by_count);
    if (by_count != count || to_count != count || op->size * count > 16) {
        return false;
    }
    for (uint32_t n = 0; n < count; n++) {
        parts[n] = *op;
        parts[n].flags |= OP_PART;
        parts[n].imm += (int64_t)n * op->size;
        parts[n].d =
            to ? decode_destination(decoder, &to[n], op->size) : decode_scratch(decoder, op->size);
        parts[n].b = parts[n].c = decode_source(decoder, &by[n], op->size);
    }
    op->b = op->size * count;
    op->c = count;
    op->extra = parts;
    op->run = vector;
    return true;
}

static bool decode_atomic(struct decoder *decoder, const struct ptx_instruction *in, struct op *op)
{
    bool red = ptx_is(in->word, "red");
    uint32_t n = red ? 0 : 1;
    uint32_t count = ptx_vector_size(in);
    if (ptx_has(in, "bulk") || !find_operation(in, ptx_instruction_type(in).name, op)) {
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
    if (ptx_has(in, "async")) {
        decode_completion(decoder, width, 2);
    }
    return true;
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

bool decode_atomic_bulk(struct decoder *decoder, struct op *element, enum ptx_space space,
                        struct ptx_text type)
{
    if (!find_operation(decoder->in, type, element) || element->size > 8) {
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
