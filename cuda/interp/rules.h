/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rules: each states the handler of one form of an instruction.
 *
 * The key of a rule is the word of an instruction with its modifiers. Keys omit modifiers
 * that become flags (.rn .rz .rm .rp .ftz .sat), and those that make no difference here (.approx
 * .full .uni). The string `operands` of a rule has the widths of the operands in order, in bytes; p
 * stands for a predicate. "4=44" means a destination of 32 bits and two sources of 32 bits.
 * Destinations are op->d, then op->e; sources are op->a, b, c, then op->e.
 *
 * Instructions with a grammar of their own have a rule without operands, whose key is the word alone.
 * A function may decode them.
 */
#ifndef WARPSCOPE_CUDA_INTERP_RULES_H
#define WARPSCOPE_CUDA_INTERP_RULES_H

#include "interp/decode.h"
#include <fenv.h>

struct rule {
    const char *key;
    op_handler run;
    /* Handler of the instruction with modifiers .rz, .rm, .rp, .ftz or .sat; NULL: these are not
     * supported. */
    op_handler exact;
    const char *operands; /* NULL: the key is a word */
    /* Of a word: decodes the instruction, and may change op->run. Returns false if this form of the
     * instruction is not supported. NULL: all forms are, and `run` needs no operands. */
    bool (*decode)(struct decoder *decoder, const struct ptx_instruction *in, struct op *op);
};

/* Tables of rules. In the last row of each table, the key is NULL. */
extern const struct rule integer_rules[], bit_rules[], float_rules[], half_rules[], compare_rules[],
    convert_rules[], memory_rules[], atomic_rules[], control_rules[], sync_rules[], barrier_rules[],
    mbarrier_rules[], move_rules[], video_rules[], matrix_rules[], texture_rules[];

/* Types of numbers that instructions compare and convert. */
enum number {
    N_U8,
    N_S8,
    N_U16,
    N_S16,
    N_U32,
    N_S32,
    N_U64,
    N_S64,
    N_F16,
    N_BF16,
    N_F32,
    N_F64, /* the last type that registers have; further ones are only for conversions */
    N_TF32,
    N_E4M3,
    N_E5M2,
    NUMBERS
};
/* Sets *number to the type, or to that of the parts of a pair (convert.c). Returns false for other
 * types. */
bool decode_number(struct ptx_type type, enum number *number);
/* Return the value of a real number's bits, and the bits of a value: rounded as `round` says or, of f32, in
 * the current mode of the processor; numbers that are too large become the largest finite one if
 * `saturates` is true (convert.c). */
double number_value(enum number type, uint64_t bits);
uint64_t number_bits(enum number type, double value, uint8_t round, bool saturates);
/* Handler of hints and breakpoints, which do nothing here (decode.c). */
void op_nothing(struct warp *warp, const struct op *op);
/* Handlers that add the constant op->imm to a register (decode.c). */
void add_offset_16(struct warp *warp, const struct op *op);
void add_offset_32(struct warp *warp, const struct op *op);
void add_offset_64(struct warp *warp, const struct op *op);
/* Makes the current op, an access of `bytes` bytes with .async, one after which the mbarrier in operand n
 * gets as many (mbarrier.c). */
void decode_completion(struct decoder *decoder, uint32_t bytes, uint32_t n);
/* Decodes the operation of cp.reduce.async.bulk on one element of a type; executes it, for the only lane
 * of warp->mask, on all elements of `bytes` bytes at the address `to` (atomic.c). */
bool decode_atomic_bulk(struct decoder *decoder, struct op *element, enum ptx_space space,
                        struct ptx_text type);
void atomic_bulk(struct warp *warp, const struct op *element, uint64_t to, const void *from,
                 uint32_t bytes);
/* Bulk copies (mbarrier.c; of ranges: access.c; of tensors: tensor.c). The member `extra` of their op leads to a structure that
 * begins with struct bulk; a, imm: address in the memory that is named first or, of a tensor, in shared
 * memory; c: mask of the CTAs of the cluster that get a copy at the same addresses, in `size` bytes; size
 * 0: no mask. */
struct bulk {
    /* Copies for the only lane of warp->mask. op: at the address in one of the CTAs; is_first: in the
     * first one, which makes the access to global memory. Returns false after a fault. */
    bool (*copy)(struct warp *warp, const struct op *op, bool is_first);
    struct op barrier; /* gets the number of bytes; .run is NULL if there is none */
};
void bulk_run(struct warp *warp, const struct op *op);
/* Decodes the mask in operand n, if the instruction has one. */
bool decode_ctas(struct decoder *decoder, uint32_t n);
bool decode_tensor(struct decoder *decoder, const struct ptx_instruction *in, struct op *op);
/* Returns an op that gives bytes to the mbarrier in operand n, and decodes cp.async.mbarrier.arrive
 * (mbarrier.c). */
struct op decode_complete(struct decoder *decoder, uint32_t n, operand bytes, enum ptx_space space);
bool decode_copy_arrival(struct decoder *decoder);
/* Decodes bar.warp.sync (sync.c). */
void decode_warp_sync(struct decoder *decoder);
/* sync.c, for instructions that all threads of a warp execute together (.aligned): returns true if all
 * are at the instruction op. Otherwise lets those of warp->mask wait for the others, and execute it
 * again. meet: from decode_meeting(). */
bool sync_aligned(struct warp *warp, const struct op *op, const struct op *meet);
const struct op *decode_meeting(struct decoder *decoder);

/* Returns a table of all rules, which the caller frees by free(). NULL: memory is exhausted. */
struct rule_table *rule_table_create(void);

/* Sets the rounding mode of the processor. */
static inline void set_rounding(uint8_t rounding)
{
    static const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD, FE_TONEAREST};
    assert(rounding < sizeof modes / sizeof *modes);
    fesetround(modes[rounding]);
}

/* Some operations on f16 and bf16 (float.c), and the result of one on two f16 or bf16, or on two pairs of them. op: its
 * rounding and flags. */
enum half_op { HALF_ADD, HALF_MIN, HALF_MAX, HALF_OTHERS };
uint32_t half_result(const struct op *op, int what, bool bf16, bool is_pair, uint32_t x,
                     uint32_t y);

/* Returns the value of lane i in a register. width: size of the value in bytes, 1, 2, 4 or 8. */
static inline uint64_t lane_value(const void *array, uint32_t width, unsigned i)
{
    return width == 2   ? ((const uint16_t *)array)[i]
           : width == 4 ? ((const uint32_t *)array)[i]
           : width == 8 ? ((const uint64_t *)array)[i]
                        : ((const uint8_t *)array)[i];
}

/* Returns the address at which lane i executes an access. */
static inline uint64_t lane_address(const struct warp *warp, const struct op *op, unsigned i)
{
    return lane_value(reg(warp, op->a), op->flags & OP_WIDE ? 8 : 4, i) + (uint64_t)op->imm;
}

static inline void set_lane(void *array, uint32_t width, unsigned i, uint64_t value)
{
    if (width == 2) {
        ((uint16_t *)array)[i] = (uint16_t)value;
    } else if (width == 4) {
        ((uint32_t *)array)[i] = (uint32_t)value;
    } else if (width == 8) {
        ((uint64_t *)array)[i] = value;
    } else {
        ((uint8_t *)array)[i] = (uint8_t)value;
    }
}

/* Returns the low bits of a value, extended by zeros or the sign. bits: 1 to 64. */
static inline int64_t extended(uint64_t value, unsigned bits, bool is_signed)
{
    uint64_t high = value << (64 - bits);
    return is_signed ? (int64_t)high >> (64 - bits) : (int64_t)(high >> (64 - bits));
}

/* Returns the nearest number in the range of integers of so many bits; unsigned: at most 63. */
static inline int64_t limited(int64_t value, unsigned bits, bool is_signed)
{
    int64_t least = is_signed ? INT64_MIN >> (64 - bits) : 0;
    int64_t most = (int64_t)(UINT64_MAX >> (64 - bits + is_signed));
    return value < least ? least : value > most ? most : value;
}

/* Defines a handler with a result of type R for each lane i. sources: declarations of the registers it
 * reads; values: those of their values in the lane, if `expression` uses such. each: ALL_OF or ONLY_OF
 * the lanes that execute the instruction; ALL_OF is faster if the expression is cheap. */
#define HANDLER(name, R, sources, each, values, expression)                                        \
    static void name(struct warp *warp, const struct op *op)                                       \
    {                                                                                              \
        R *d = reg(warp, op->d);                                                                   \
        sources each(warp, { values d[i] = (R)(expression); })                                     \
    }
#define SOURCE(n, T)       const T *n = reg(warp, op->n);
#define VALUE(x, T, n)     T x = n[i];
#define ALL_OF(warp, ...)  FOR_LANES(warp, __VA_ARGS__);
#define ONLY_OF(warp, ...) FOR_MASK((warp)->mask, __VA_ARGS__)

/* UNARY, BINARY and TERNARY define handlers with one, two and three sources of type T and a result
 * of type R. The argument `expression` computes the result from the sources x, y and z. T2, T3: types
 * of the second and third source. */
#define UNARY(name, R, T, expression)                                                              \
    HANDLER(name, R, SOURCE(a, T), ALL_OF, VALUE(x, T, a), expression)
#define MIXED(name, R, T, T2, expression)                                                          \
    HANDLER(name, R, SOURCE(a, T) SOURCE(b, T2), ALL_OF, VALUE(x, T, a) VALUE(y, T2, b), expression)
#define TERNARY(name, R, T, T3, expression)                                                        \
    HANDLER(name, R, SOURCE(a, T) SOURCE(b, T) SOURCE(c, T3), ALL_OF,                              \
            VALUE(x, T, a) VALUE(y, T, b) VALUE(z, T3, c), expression)
#define BINARY(name, R, T, expression) MIXED(name, R, T, T, expression)
/* The amount of a shift, y, has 32 bits. */
#define SHIFT(name, T, expression) MIXED(name, T, T, uint32_t, expression)
/* Of three registers of 32 bits. */
#define WORDS(name, expression) TERNARY(name, uint32_t, uint32_t, uint32_t, expression)

/* Rows of rules for the integers of 16, 32 and 64 bits, unsigned and signed; exact: second handler of
 * the type s32. Of BOTH, the handlers do not depend on the sign. SIZES are the types without a sign.
 * width: ONE, TWO or THREE, the number of sources. */
#define SIX(word, width, u16, s16, u32, s32, exact, u64, s64)                                      \
    {word ".u16", u16, NULL, "2" width(2)}, {word ".s16", s16, NULL, "2" width(2)},                \
        {word ".u32", u32, NULL, "4" width(4)}, {word ".s32", s32, exact, "4" width(4)},           \
        {word ".u64", u64, NULL, "8" width(8)},                                                    \
    {                                                                                              \
        word ".s64", s64, NULL, "8" width(8)                                                       \
    }
#define BOTH(word, name, exact, width)                                                             \
    SIX(word, width, name##_16, name##_16, name##_32, name##_32, exact, name##_64, name##_64)
#define EACH(word, name, exact, width)                                                             \
    SIX(word, width, name##_u16, name##_s16, name##_u32, name##_s32, exact, name##_u64, name##_s64)
#define SIZES(word, type, name, width)                                                             \
    {word "." type "16", name##16, NULL, "2" width(2)},                                            \
        {word "." type "32", name##32, NULL, "4" width(4)},                                        \
    {                                                                                              \
        word "." type "64", name##64, NULL, "8" width(8)                                           \
    }
/* Rows for unsigned and signed integers of 32 bits. */
#define U32_S32(word, name, widths)                                                                \
    {word ".u32", name##_u32, NULL, widths},                                                       \
    {                                                                                              \
        word ".s32", name##_s32, NULL, widths                                                      \
    }
/* For lists of rules: define the handler of a rule, by a macro that takes further arguments; and its row. */
#define DEFINE_RULE(macro, key, name, widths, ...) macro(name, __VA_ARGS__)
#define RULE_ROW(macro, key, name, widths, ...)    {key, name, NULL, widths},
#define ONE(w)                                     "=" #w
#define TWO(w)                                     "=" #w #w
#define THREE(w)                                   "=" #w #w #w
/* A source, and a number of bits. */
#define SHIFTED(w) "=" #w "4"

#endif
