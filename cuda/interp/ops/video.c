/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Video instructions: operations on bytes, halves or words of 32-bit registers, whose results are
 * saturated, added to a third operand, or put into a part of it. Source: PTX ISA, "Video
 * Instructions".
 */
#include "interp/rules.h"
#include <assert.h>
#include <string.h>

enum operation { ADD, SUB, ABSDIFF, MIN, MAX, AVERAGE, SET, SHL, SHR, MAD, NONE };
enum comparison { EQ, NE, LT, LE, GT, GE };
enum { PARTS_MAX = 4 };

/* Selects a part of a register, or with SIMD of the pair of registers a and b, of which a is the
 * lower one. */
struct part {
    uint8_t bits; /* 8, 16 or 32 */
    uint8_t index;
};

/* Parameters of a video instruction; op->extra points to this structure. */
struct video {
    enum operation operation;
    enum comparison comparison;
    enum operation second; /* of the result and c; NONE: no */
    bool saturate;
    bool d_signed, a_signed, b_signed;
    bool wrap;      /* of shifts */
    bool simd;      /* true for the forms with 2 or 4 */
    uint32_t parts; /* number of results: 1, or 2 or 4 with SIMD */
    struct part a[PARTS_MAX], b[PARTS_MAX];
    /* Part of d that a result replaces; other parts of d are those of c. Without SIMD, 32 bits
     * replace all of it. */
    struct part d[PARTS_MAX];
    bool wanted[PARTS_MAX]; /* [i]: result i is used */
    unsigned scale;         /* vmad: number of bits by which the result is shifted to the right */
    bool plus_one;          /* vmad.po */
};

/* Returns a part of the register `low`, or of `high` above it. */
static int64_t part_of(struct part part, uint32_t low, uint32_t high, bool is_signed)
{
    uint64_t both = (uint64_t)high << 32 | low;
    return extended(both >> part.bits * part.index, part.bits, is_signed);
}

static bool compared(enum comparison comparison, int64_t x, int64_t y)
{
    const bool results[] = {
        [EQ] = x == y, [NE] = x != y, [LT] = x<y, [LE] = x <= y, [GT] = x> y, [GE] = x >= y};
    return results[comparison];
}

static int64_t shifted(const struct video *v, int64_t x, uint32_t amount)
{
    amount = v->wrap ? amount & 31 : amount > 32 ? 32 : amount;
    if (v->operation == SHR) {
        return x >> amount; /* the sign was extended if the type is signed */
    }
    /* Beyond 2^62, a result is saturated in any case, and its low 32 bits are those of the shift. */
    int64_t most = INT64_MAX >> 1 >> amount;
    if (v->saturate && (x > most || x < -most)) {
        return x > 0 ? INT64_MAX : INT64_MIN;
    }
    return (int64_t)((uint64_t)x << amount);
}

static int64_t computed(const struct video *v, enum operation operation, int64_t x, int64_t y)
{
    switch (operation) {
    case ADD:
        return x + y;
    case SUB:
        return x - y;
    case ABSDIFF:
        return x > y ? x - y : y - x;
    case MIN:
        return x < y ? x : y;
    case MAX:
        return x > y ? x : y;
    case AVERAGE:
        return x + y >= 0 ? (x + y + 1) >> 1 : (x + y) >> 1;
    case SET:
        return compared(v->comparison, x, y);
    default:
        return shifted(v, x, (uint32_t)y);
    }
}

/* Combines a result of 32 bits with c. */
static uint32_t seconded(const struct video *v, uint32_t result, uint32_t c)
{
    return (uint32_t)computed(v, v->second, extended(result, 32, v->d_signed),
                              extended(c, 32, v->d_signed));
}

static uint32_t merged(struct part part, uint32_t result, uint32_t into)
{
    uint32_t mask =
        part.bits == 32 ? UINT32_MAX : ((1u << part.bits) - 1) << part.bits * part.index;
    return (into & ~mask) | (result << part.bits * part.index & mask);
}

static uint32_t video_lane(const struct video *v, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t d = c;
    for (uint32_t i = 0; i < v->parts; i++) {
        /* Operands without SIMD are parts of their own register. */
        int64_t x = part_of(v->a[i], a, v->simd ? b : 0, v->a_signed);
        int64_t y =
            v->simd ? part_of(v->b[i], a, b, v->b_signed) : part_of(v->b[i], b, 0, v->b_signed);
        int64_t result = computed(v, v->operation, x, y);
        result = v->saturate ? limited(result, v->d[i].bits, v->d_signed) : result;
        if (!v->wanted[i]) {
            continue;
        }
        if (v->simd && v->second == ADD) {
            d += (uint32_t)extended((uint64_t)result, v->d[i].bits, v->d_signed);
        } else if (v->second != NONE) {
            d = seconded(v, (uint32_t)result, c);
        } else {
            d = merged(v->d[i], (uint32_t)result, d);
        }
    }
    return d;
}

static void video(struct warp *warp, const struct op *op)
{
    const struct video *v = op->extra;
    uint32_t *d = reg(warp, op->d);
    const uint32_t *a = reg(warp, op->a), *b = reg(warp, op->b), *c = reg(warp, op->c);
    FOR_MASK(warp->mask, { d[i] = video_lane(v, a[i], b[i], c[i]); })
}

static void video_mad(struct warp *warp, const struct op *op)
{
    const struct video *v = op->extra;
    uint32_t *d = reg(warp, op->d);
    const uint32_t *a = reg(warp, op->a), *b = reg(warp, op->b), *c = reg(warp, op->c);
    bool is_signed = v->a_signed || v->b_signed;
    FOR_MASK(warp->mask, {
        __extension__ __int128 sum = part_of(v->a[0], a[i], 0, v->a_signed);
        sum *= part_of(v->b[0], b[i], 0, v->b_signed);
        sum += is_signed ? (int32_t)c[i] : (int64_t)c[i];
        sum += v->plus_one;
        int64_t result = (int64_t)(sum >> v->scale);
        if (v->saturate && !is_signed && result < 0) { /* an unsigned sum above INT64_MAX */
            result = UINT32_MAX;
        }
        d[i] = (uint32_t)(v->saturate ? limited(result, 32, is_signed) : result);
    })
}

/* ---- Decoding --------------------------------------------------------------------------------- */

/* Takes the parts that an operand selects from right to left, or `first` and the following ones if
 * it selects none. */
static bool take_parts(const struct ptx_operand *o, uint32_t parts, unsigned bits, unsigned first,
                       struct part *to)
{
    size_t given = strlen(o->parts_selected);
    if (parts == 1) {
        to[0] = (struct part){32, 0};
        if (given > 0) {
            to[0].bits = o->member == 'b' ? 8 : 16;
            to[0].index = (uint8_t)(o->parts_selected[0] - '0');
        }
        return given <= 1 && to[0].index < 32 / to[0].bits && (o->member == 0 || given == 1);
    }
    for (uint32_t i = 0; i < parts; i++) {
        to[i] = (struct part){(uint8_t)bits, (uint8_t)(first + i)};
        if (given > 0) {
            to[i].index = (uint8_t)(o->parts_selected[given == parts ? parts - 1 - i : 0] - '0');
        }
    }
    return (given == 0 && o->member == 0) ||
           (given == parts && o->member == (bits == 8 ? 'b' : 'h'));
}

/* Decodes a register of 32 bits without the parts that it selects. */
static operand whole(struct decoder *decoder, const struct ptx_operand *o, bool is_source)
{
    struct ptx_operand plain = *o;
    if (o->parts_selected[0]) {
        plain.member = 0;
        plain.parts_selected[0] = '\0';
    }
    return is_source ? decode_source(decoder, &plain, 4) : decode_destination(decoder, &plain, 4);
}

/* Sets the parts of d. With SIMD, the operand selects the results that are used: d.h1, d.b20. */
static bool take_destination(const struct ptx_operand *o, struct video *v, unsigned bits)
{
    if (v->parts == 1) {
        v->wanted[0] = true;
        return take_parts(o, 1, bits, 0, v->d);
    }
    bool all = o->parts_selected[0] == '\0';
    for (uint32_t i = 0; i < v->parts; i++) {
        v->d[i] = (struct part){(uint8_t)bits, (uint8_t)i};
        v->wanted[i] = all || strchr(o->parts_selected, (int)('0' + i)) != NULL;
    }
    return all || o->member == (bits == 8 ? 'b' : 'h');
}

static bool decode_operands(struct decoder *decoder, const struct ptx_instruction *in,
                            struct op *op, struct video *v)
{
    uint32_t count = in->operand_count;
    unsigned bits = v->parts == 4 ? 8 : v->parts == 2 ? 16 : 32;
    if (count < 3 || count > 4) {
        return false;
    }
    const struct ptx_operand *o = in->operands;
    bool has_c = count == 4, is_mad = v->operation == MAD;
    bool merges = v->simd || v->second != NONE || is_mad;
    for (uint32_t i = 0; i < count; i++) {
        if (o[i].negated || o[i].offset) {
            return false;
        }
    }
    if (!take_destination(&o[0], v, bits) || !take_parts(&o[1], v->parts, bits, 0, v->a) ||
        !take_parts(&o[2], v->parts, bits, v->parts, v->b) ||
        has_c != (merges || o[0].parts_selected[0]) || (is_mad && v->d[0].bits != 32)) {
        return false;
    }
    op->d = whole(decoder, &o[0], false);
    op->a = whole(decoder, &o[1], true);
    op->b = whole(decoder, &o[2], true);
    op->c = has_c ? decode_source(decoder, &o[3], 4) : decode_constant(decoder, 0, 4);
    return true;
}

/* Decodes the modifiers. types: number of types that the instruction has. Returns false if one is
 * unknown. */
static bool decode_words(const struct ptx_instruction *in, struct video *v, unsigned types)
{
    static const char *const comparisons[] = {"eq", "ne", "lt", "le", "gt", "ge"};
    static const char *const seconds[] = {"add", "min", "max"};
    static const enum operation operations[] = {ADD, MIN, MAX};
    bool is_mad = v->operation == MAD;
    bool *const is_signed[] = {&v->d_signed, &v->a_signed, &v->b_signed};
    unsigned found = 0;
    bool has_mode = false, has_comparison = false;
    for (uint32_t i = 0; i < in->modifier_count; i++) {
        struct ptx_text word = in->modifiers[i];
        int second = PTX_FIND(word, seconds);
        bool is_type = ptx_is(word, "s32") || ptx_is(word, "u32"), known = true;
        if (is_type && found < types) {
            *is_signed[3 - types + found++] = ptx_is(word, "s32");
        } else if (ptx_is(word, "sat")) {
            v->saturate = true;
        } else if (ptx_is(word, "clamp") || ptx_is(word, "wrap")) {
            v->wrap = ptx_is(word, "wrap");
            has_mode = true;
        } else if (is_mad && (ptx_is(word, "shr7") || ptx_is(word, "shr15"))) {
            v->scale = ptx_is(word, "shr7") ? 7 : 15;
        } else if (is_mad && ptx_is(word, "po")) {
            v->plus_one = true;
        } else if (second >= 0 && (second == 0 || !v->simd) && !is_mad) {
            v->second = operations[second];
        } else {
            known = false;
        }
        int c = v->operation == SET && !known ? PTX_FIND(word, comparisons) : -1;
        if (c >= 0) {
            v->comparison = (enum comparison)c;
            known = has_comparison = true;
        }
        if (!known) {
            return false;
        }
    }
    bool is_shift = v->operation == SHL || v->operation == SHR;
    return found == types && has_mode == is_shift && has_comparison == (v->operation == SET);
}

/* Decodes v, the name of the operation, and the number of parts of the forms with SIMD. */
static bool decode_video(struct decoder *decoder, const struct ptx_instruction *in, struct op *op)
{
    static const char *const names[] = {"add", "sub", "absdiff", "min", "max", "avrg",
                                        "set", "shl", "shr",     "mad"}; /* enum operation */
    struct ptx_text name = in->word;
    char last = name.s[name.length - 1];
    struct video *v = decode_memory(decoder, sizeof *v);
    op->extra = v;
    bool simd = last == '2' || last == '4';
    name = (struct ptx_text){name.s + 1, name.length - (simd ? 2 : 1)};
    int i = PTX_FIND(name, names);
    if (i < 0) {
        return false;
    }
    v->operation = (enum operation)i;
    v->second = NONE;
    v->parts = simd ? (uint32_t)(last - '0') : 1;
    v->simd = simd;
    op->run = i == MAD ? video_mad : video;
    return decode_words(in, v, i == SET ? 2 : 3) && decode_operands(decoder, in, op, v);
}

#define ROW(word)  {word, video, .decode = decode_video},
#define SIMD(word) ROW(word "2") ROW(word "4")
#define ALL(word)  ROW(word) SIMD(word)

const struct rule video_rules[] = {
    ALL("vadd") ALL("vsub") ALL("vabsdiff") ALL("vmin") ALL("vmax") ALL("vset") SIMD("vavrg")
        ROW("vshl") ROW("vshr") ROW("vmad"){NULL, NULL, NULL, NULL},
};
