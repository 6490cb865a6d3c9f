/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rules: each states the handler of one form of an instruction.
 *
 * Most rules are found by key: the word of an instruction with its modifiers. Keys omit modifiers
 * that become flags (.rn .rz .rm .rp .ftz .sat), and those that make no difference here (.approx
 * .full .uni). The string `operands` of a rule has the widths of the operands in order, in bytes; p
 * stands for a predicate. "4=44" means a destination of 32 bits and two sources of 32 bits.
 * Destinations are op->d, then op->e; sources are op->a, b, c, then op->e.
 *
 * Instructions with a grammar of their own are found by word, and a function decodes them.
 */
#ifndef WARPSCOPE_CUDA_INTERP_RULES_H
#define WARPSCOPE_CUDA_INTERP_RULES_H

#include "interp/decode.h"

struct rule {
    const char *key;
    op_handler run;
    /* Handler of the instruction with modifiers .rz, .rm, .rp, .ftz or .sat; NULL: these are not
     * supported. */
    op_handler exact;
    const char *operands;
};

struct word_rule {
    const char *word;
    /* Decodes the instruction. Returns false if this form of the instruction is not supported. */
    bool (*decode)(struct decoder *decoder);
};

/* Tables of rules. In the last row of each table, the key or word is NULL. */
extern const struct rule add_rules[], multiply_rules[], divide_rules[], bit_rules[], logic_rules[],
    carry_rules[], float_rules[], half_rules[];
extern const struct word_rule compare_words[], convert_words[], memory_words[], atomic_words[],
    control_words[], sync_words[], barrier_words[], mbarrier_words[], move_words[], video_words[];

/* Decodes cp.async.bulk and cp.async.mbarrier.arrive (mbarrier.c). */
bool decode_copy(struct decoder *decoder);

/* Returns a table of all rules, which the caller frees by free(). NULL: memory is exhausted. */
struct rule_table *rule_table_create(void);
const struct rule *rule_find(const struct rule_table *table, const char *key);
const struct word_rule *rule_find_word(const struct rule_table *table, const char *word);

/* UNARY, BINARY and TERNARY define handlers with one, two and three sources of type T and a result
 * of type R. The argument `expression` computes the result from the sources x, y and z. */
#define UNARY(name, R, T, expression)                                                              \
    static void name(struct warp *warp, const struct op *op)                                       \
    {                                                                                              \
        R *d = reg(warp, op->d);                                                                   \
        const T *a = reg(warp, op->a);                                                             \
        FOR_LANES(warp, {                                                                          \
            T x = a[i];                                                                            \
            d[i] = (R)(expression);                                                                \
        });                                                                                        \
    }

#define BINARY(name, R, T, expression)                                                             \
    static void name(struct warp *warp, const struct op *op)                                       \
    {                                                                                              \
        R *d = reg(warp, op->d);                                                                   \
        const T *a = reg(warp, op->a);                                                             \
        const T *b = reg(warp, op->b);                                                             \
        FOR_LANES(warp, {                                                                          \
            T x = a[i];                                                                            \
            T y = b[i];                                                                            \
            d[i] = (R)(expression);                                                                \
        });                                                                                        \
    }

/* T3: type of the third source. */
#define TERNARY(name, R, T, T3, expression)                                                        \
    static void name(struct warp *warp, const struct op *op)                                       \
    {                                                                                              \
        R *d = reg(warp, op->d);                                                                   \
        const T *a = reg(warp, op->a);                                                             \
        const T *b = reg(warp, op->b);                                                             \
        const T3 *c = reg(warp, op->c);                                                            \
        FOR_LANES(warp, {                                                                          \
            T x = a[i];                                                                            \
            T y = b[i];                                                                            \
            T3 z = c[i];                                                                           \
            d[i] = (R)(expression);                                                                \
        });                                                                                        \
    }

/* Defines the handler of a shift. The amount, y, has 32 bits. */
#define SHIFT(name, T, expression)                                                                 \
    static void name(struct warp *warp, const struct op *op)                                       \
    {                                                                                              \
        T *d = reg(warp, op->d);                                                                   \
        const T *a = reg(warp, op->a);                                                             \
        const uint32_t *b = reg(warp, op->b);                                                      \
        FOR_LANES(warp, {                                                                          \
            T x = a[i];                                                                            \
            uint32_t y = b[i];                                                                     \
            d[i] = (T)(expression);                                                                \
        });                                                                                        \
    }

#endif
