/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Types and state spaces of declarations and instructions.
 */
#include "ptx/ptx.h"
#include <string.h>

/* Types whose names are not just a letter and a width. Opaque types such as texref are 64-bit
 * handles. */
static const struct {
    const char *word;
    uint16_t bits;
    uint8_t lanes;
} others[] = {
    {"bf16", 16, 1},   {"bf16x2", 32, 2}, {"tf32", 32, 1},    {"e4m3", 8, 1},
    {"e5m2", 8, 1},    {"e2m3", 6, 1},    {"e3m2", 6, 1},     {"e2m1", 4, 1},
    {"ue8m0", 8, 1},   {"ue4m3", 8, 1},   {"e4m3x2", 16, 2},  {"e5m2x2", 16, 2},
    {"e2m3x2", 16, 2}, {"e3m2x2", 16, 2}, {"e2m1x2", 8, 2},   {"ue8m0x2", 16, 2},
    {"e4m3x4", 32, 4}, {"e5m2x4", 32, 4}, {"e2m3x4", 32, 4},  {"e3m2x4", 32, 4},
    {"e2m1x4", 16, 4}, {"texref", 64, 1}, {"surfref", 64, 1}, {"samplerref", 64, 1},
};

/* Reads the number at *s, and moves *s to its end. Returns 0 if there is no digit, or if the first
 * digit is 0. */
static unsigned read_number(const char **s, const char *end)
{
    unsigned value = 0;
    const char *p = *s;
    if (p == end || *p == '0') {
        return 0;
    }
    for (; p != end && *p >= '0' && *p <= '9' && value < 1000; p++) {
        value = value * 10 + (unsigned)(*p - '0');
    }
    *s = p;
    return value;
}

static bool is_width(enum ptx_kind kind, unsigned bits)
{
    switch (bits) {
    case 8:
        return kind != PTX_FLOAT;
    case 16:
    case 32:
    case 64:
        return true;
    case 128:
        return kind == PTX_BITS;
    case 1:
        return kind == PTX_BITS;
    case 4:
        return kind != PTX_FLOAT && kind != PTX_BITS;
    default:
        return false;
    }
}

static struct ptx_type other_type(struct ptx_text word)
{
    struct ptx_type type = {.name = word};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (ptx_is(word, others[i].word)) {
            type.kind = PTX_OTHER;
            type.bits = others[i].bits;
            type.lanes = others[i].lanes;
        }
    }
    return type;
}

struct ptx_type ptx_type_of(struct ptx_text word)
{
    struct ptx_type type = {.name = word};
    const char *p = word.s + 1, *end = word.s + word.length;
    if (word.length < 2) {
        return type;
    }
    switch (*word.s) {
    case 'b':
        type.kind = PTX_BITS;
        break;
    case 'u':
        type.kind = PTX_UNSIGNED;
        break;
    case 's':
        type.kind = PTX_SIGNED;
        break;
    case 'f':
        type.kind = PTX_FLOAT;
        break;
    case 'p':
        if (ptx_is(word, "pred")) {
            type.kind = PTX_PRED;
            type.bits = type.lanes = 1;
        }
        return type;
    case 'e':
    case 't':
        return other_type(word);
    default:
        return type;
    }
    unsigned bits = read_number(&p, end), lanes = 1;
    if (bits && p != end && *p == 'x') {
        p++;
        lanes = read_number(&p, end);
        lanes = lanes == 2 || lanes == 4 ? lanes : 0;
    }
    if (p != end || !lanes || !is_width(type.kind, bits) || (lanes > 1 && bits > 32)) {
        return other_type(word);
    }
    type.bits = (uint16_t)(bits * lanes);
    type.lanes = (uint8_t)lanes;
    return type;
}

struct ptx_type ptx_instruction_type(const struct ptx_instruction *instruction)
{
    for (uint32_t i = instruction->modifier_count; i > 0; i--) {
        struct ptx_type type = ptx_type_of(instruction->modifiers[i - 1]);
        if (type.kind != PTX_NO_KIND) {
            return type;
        }
    }
    return (struct ptx_type){0};
}

enum ptx_space ptx_instruction_space(const struct ptx_instruction *instruction)
{
    static const struct {
        const char *word;
        enum ptx_space space;
    } spaces[] = {{"global", PTX_GLOBAL}, {"shared", PTX_SHARED}, {"local", PTX_LOCAL},
                  {"param", PTX_PARAM},   {"const", PTX_CONST},   {"tex", PTX_TEX}};
    for (uint32_t i = 0; i < instruction->modifier_count; i++) {
        struct ptx_text word = instruction->modifiers[i];
        const char *colon = memchr(word.s, ':', word.length);
        if (colon) {
            word.length = (uint32_t)(colon - word.s);
        }
        for (size_t k = 0; k < sizeof spaces / sizeof *spaces; k++) {
            if (ptx_is(word, spaces[k].word)) {
                return spaces[k].space;
            }
        }
    }
    return PTX_GENERIC;
}
