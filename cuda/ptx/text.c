/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reading the text of a module, and pieces of it; the types and state spaces that words name.
 */
#include "ptx/parser.h"
#include "store/array.h"
#include <errno.h>
#include <string.h>

char *ptx_read(FILE *in, size_t *size)
{
    enum { PIECE = 1 << 16, MOST = 1 << 30 };
    char *text = NULL;
    size_t room = 0;
    bool good = in != NULL;
    *size = 0;
    while (good && !feof(in)) {
        good = *size < MOST && array_reserve(&text, &room, *size + PIECE, 1);
        errno = good ? errno : *size < MOST ? ENOMEM : EFBIG;
        *size += good ? fread(text + *size, 1, room - *size - 1, in) : 0;
        good = good && !ferror(in);
    }
    int reason = errno;
    if (in != NULL) {
        fclose(in);
    }
    if (!good) {
        free(text);
        errno = reason;
        return NULL;
    }
    text[*size] = '\0';
    return text;
}

bool ptx_is(struct ptx_text text, const char *word)
{
    return strlen(word) == text.length && memcmp(text.s, word, text.length) == 0;
}

int ptx_find(struct ptx_text text, const void *rows, size_t row_size, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const char *name;
        memcpy(&name, (const char *)rows + i * row_size, sizeof name);
        if (ptx_is(text, name)) {
            return (int)i;
        }
    }
    return -1;
}

bool ptx_has(const struct ptx_instruction *instruction, const char *modifier)
{
    for (uint32_t i = 0; i < instruction->modifier_count; i++) {
        if (ptx_is(instruction->modifiers[i], modifier)) {
            return true;
        }
    }
    return false;
}

uint32_t ptx_vector_size(const struct ptx_instruction *in)
{
    return ptx_has(in, "v8") ? 8 : ptx_has(in, "v4") ? 4 : ptx_has(in, "v2") ? 2 : 1;
}

bool ptx_shape(const struct ptx_instruction *in, struct ptx_shape *shape)
{
    for (uint32_t i = 0; i < in->modifier_count; i++) {
        char text[16];
        snprintf(text, sizeof text, "%.*s", (int)in->modifiers[i].length, in->modifiers[i].s);
        if (sscanf(text, "m%2un%2uk%3u", &shape->m, &shape->n, &shape->k) == 3) {
            return shape->m <= 32 && shape->n <= 32 && shape->k <= 256;
        }
    }
    return false;
}

bool ptx_matrix(const struct ptx_instruction *in, struct ptx_matrix *to)
{
    struct ptx_shape s = {0, 0, 0};
    bool good = ptx_shape(in, &s), by_rows = ptx_has(in, "row");
    uint32_t rows = ptx_has(in, "b") ? s.k : s.m, columns = ptx_has(in, "a") ? s.k : s.n;
    uint32_t bits = ptx_instruction_type(in).bits, part = rows * columns * bits / 8 / 32;
    *to = (struct ptx_matrix){
        by_rows, rows, columns, by_rows ? rows : columns, by_rows ? columns : rows, bits, part};
    return good && to->lines > 0 && 32 % to->lines == 0 && part >= 4 && part <= 32 &&
           (part & (part - 1)) == 0;
}

unsigned ptx_target_number(struct ptx_text target)
{
    unsigned number = 0;
    for (uint32_t i = 3; i < target.length && target.s[i] >= '0' && target.s[i] <= '9'; i++) {
        number = number > 9999 ? number : number * 10 + (unsigned)(target.s[i] - '0');
    }
    return target.length > 3 && memcmp(target.s, "sm_", 3) == 0 ? number : 0;
}

/* ---- Types and state spaces --------------------------------------------------------------------- */

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
    bool is_integer = kind == PTX_UNSIGNED || kind == PTX_SIGNED;
    return bits == 16 || bits == 32 || bits == 64 || (bits == 8 && kind != PTX_FLOAT) ||
           (bits == 4 && is_integer) || ((bits == 1 || bits == 128) && kind == PTX_BITS);
}

static struct ptx_type other_type(struct ptx_text word)
{
    int i = PTX_FIND(word, others);
    return i < 0 ? (struct ptx_type){.name = word}
                 : (struct ptx_type){PTX_OTHER, others[i].bits, others[i].lanes, word};
}

struct ptx_type ptx_type_of(struct ptx_text word)
{
    static const char letters[] = "busf";
    static const enum ptx_kind kinds[] = {PTX_BITS, PTX_UNSIGNED, PTX_SIGNED, PTX_FLOAT};
    struct ptx_type type = {.name = word};
    const char *p = word.s + 1, *end = word.s + word.length;
    const char *letter = word.length < 2 ? NULL : strchr(letters, *word.s);
    if (ptx_is(word, "pred")) {
        type.kind = PTX_PRED;
        type.bits = type.lanes = 1;
    }
    if (letter == NULL) {
        return word.length > 1 && (*word.s == 'e' || *word.s == 't') ? other_type(word) : type;
    }
    type.kind = kinds[letter - letters];
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

enum ptx_space ptx_space_of(struct ptx_text word)
{
    static const struct {
        const char *word;
        enum ptx_space space;
    } spaces[] = {{"reg", PTX_REG},     {"param", PTX_PARAM},   {"global", PTX_GLOBAL},
                  {"local", PTX_LOCAL}, {"shared", PTX_SHARED}, {"const", PTX_CONST},
                  {"sreg", PTX_SREG},   {"tex", PTX_TEX}};
    int i = PTX_FIND(word, spaces);
    return i < 0 ? PTX_GENERIC : spaces[i].space;
}

enum ptx_space ptx_instruction_space(const struct ptx_instruction *instruction)
{
    for (uint32_t i = 0; i < instruction->modifier_count; i++) {
        struct ptx_text word = instruction->modifiers[i];
        const char *colon = memchr(word.s, ':', word.length);
        if (colon) {
            word.length = (uint32_t)(colon - word.s);
        }
        enum ptx_space space = ptx_space_of(word);
        if (space != PTX_GENERIC) {
            return space;
        }
    }
    return PTX_GENERIC;
}
