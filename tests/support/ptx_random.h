/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ptx_random.h - random PTX modules with known trees. The generator writes a module and, at the same time, what
 * ptx_dump() must print of its tree. Names are resolved by a plain search through all declarations.
 */
#ifndef WARPSCOPE_TESTS_PTX_RANDOM_H
#define WARPSCOPE_TESTS_PTX_RANDOM_H

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/random_bits.h"

enum { RANDOM_DECLARATIONS = 400, RANDOM_BLOCKS = 6, RANDOM_LABELS = 4, RANDOM_GLOBALS = 6 };

struct random_declaration {
    char name[16];
    unsigned count; /* of a family, else 0 */
    unsigned block;
};

struct random_ptx {
    uint64_t state;
    char *text, *tree; /* the results */
    size_t text_size, tree_size;
    FILE *out;        /* of the module */
    FILE *statements; /* of the tree, while a function is written: labels as <id> */
    FILE *variables;
    unsigned globals, functions;
    struct random_declaration declarations[RANDOM_DECLARATIONS]; /* of the function */
    unsigned declared, visible[RANDOM_DECLARATIONS], visible_count;
    unsigned block, block_visible[RANDOM_BLOCKS];
    int label_of[RANDOM_BLOCKS][RANDOM_LABELS]; /* identity, or -1 */
    bool label_done[RANDOM_BLOCKS][RANDOM_LABELS];
    unsigned label_statement[RANDOM_DECLARATIONS * 4], labels, statement_count;
};

static inline unsigned random_pick(struct random_ptx *r, unsigned n)
{
    return (unsigned)random_below(&r->state, n);
}

/* White space or a comment; at least one character if needed. */
static inline void random_space(struct random_ptx *r, bool needed)
{
    static const char *const spaces[] = {" ",         "\t",        "\n", "\r\n",
                                         "/* ; } */", "// { \"\n", "  ", "/**/"};
    if (!needed && random_pick(r, 3)) {
        return;
    }
    do {
        fputs(spaces[random_pick(r, random_pick(r, 4) ? 1 : 8)], r->out);
    } while (random_pick(r, 8) == 0);
}

/* Writes a word with white space around it. */
static inline void random_put(struct random_ptx *r, const char *word)
{
    random_space(r, false);
    fputs(word, r->out);
    random_space(r, false);
}

/* Returns the visible declaration that a name means, or NULL; *number is that of a family's register. */
static inline const struct random_declaration *random_resolve(const struct random_ptx *r,
                                                              const char *name, unsigned *number)
{
    for (unsigned i = r->visible_count; i > 0; i--) {
        const struct random_declaration *d = &r->declarations[r->visible[i - 1]];
        size_t stem = strlen(d->name);
        *number = 0;
        if (!d->count && strcmp(d->name, name) == 0) {
            return d;
        }
        if (d->count && strncmp(d->name, name, stem) == 0 && name[stem]) {
            char again[16];
            *number = (unsigned)strtoul(name + stem, NULL, 10);
            snprintf(again, sizeof again, "%u", *number);
            if (strcmp(again, name + stem) == 0 && *number < d->count) {
                return d;
            }
        }
    }
    return NULL;
}

static inline void random_name(struct random_ptx *r, char *name, size_t size)
{
    static const char *const stems[] = {"%r", "%rd", "%f", "x", "$y", "%r1", "_z"};
    const char *stem = stems[random_pick(r, 7)];
    if (random_pick(r, 2)) {
        snprintf(name, size, "%s%u", stem, random_pick(r, 24));
    } else {
        snprintf(name, size, "%s", stem);
    }
}

static inline void random_register(struct random_ptx *r)
{
    char name[32];
    unsigned number = 0;
    const struct random_declaration *d =
        &r->declarations[r->visible[random_pick(r, r->visible_count)]];
    snprintf(name, sizeof name, "%s", d->name);
    if (d->count) {
        snprintf(name, sizeof name, "%s%u", d->name, random_pick(r, d->count));
    }
    d = random_resolve(r, name, &number); /* a newer one may hide it */
    random_put(r, name);
    fprintf(r->statements, "r%u", (unsigned)(d - r->declarations));
    if (d->count) {
        fprintf(r->statements, ":%u", number);
    }
}

/* .reg .b32 name<count>, ...; */
static inline void random_declare(struct random_ptx *r)
{
    unsigned n = 1 + random_pick(r, 3);
    random_put(r, ".reg .b32");
    for (unsigned i = 0; i < n; i++) {
        struct random_declaration *d = &r->declarations[r->declared];
        bool fresh;
        do {
            random_name(r, d->name, sizeof d->name);
            d->count = random_pick(r, 2) ? 1 + random_pick(r, 30) : 0;
            d->block = r->block;
            fresh = true;
            for (unsigned k = 0; k < r->visible_count; k++) {
                const struct random_declaration *o = &r->declarations[r->visible[k]];
                fresh &=
                    o->block != d->block || strcmp(o->name, d->name) != 0 || !o->count != !d->count;
            }
        } while (!fresh);
        fputs(i ? "," : "", r->out);
        random_space(r, i == 0);
        fputs(d->name, r->out);
        fprintf(r->variables, "reg b32 %s", d->name);
        if (d->count) {
            fprintf(r->out, "<%u>", d->count);
            fprintf(r->variables, "<%u>", d->count);
        }
        fprintf(r->variables, "\n");
        r->visible[r->visible_count++] = r->declared++;
    }
    random_put(r, ";");
    fprintf(r->statements, "declaration\n");
    r->statement_count++;
}

static inline void random_integer(struct random_ptx *r)
{
    static const char *const forms[] = {"%" PRIu64, "0x%" PRIx64, "0X%" PRIX64, "0%" PRIo64,
                                        "%" PRIu64 "U"};
    char digits[40];
    uint64_t value = random_bits(&r->state) >> random_pick(r, 64);
    bool minus = random_pick(r, 4) == 0;
    snprintf(digits, sizeof digits, forms[random_pick(r, 5)], value);
    if (minus) {
        random_put(r, "-");
    }
    random_put(r, digits);
    fprintf(r->statements, "i%" PRId64, (int64_t)(minus ? 0 - value : value));
}

static inline void random_operand(struct random_ptx *r, unsigned depth);

/* Several operands between brackets. */
static inline void random_group(struct random_ptx *r, const char *open, const char *close,
                                unsigned depth)
{
    unsigned n = 1 + random_pick(r, 4);
    random_put(r, open);
    fputs(open, r->statements);
    for (unsigned i = 0; i < n; i++) {
        if (i) {
            random_put(r, ",");
            fputs(",", r->statements);
        }
        random_operand(r, depth + 1);
    }
    random_put(r, close);
    fputs(close, r->statements);
}

static inline void random_address(struct random_ptx *r)
{
    random_put(r, "[");
    fputs("[", r->statements);
    random_register(r);
    if (random_pick(r, 2)) {
        int offset = 1 + (int)random_pick(r, 999);
        char digits[16];
        bool minus = random_pick(r, 2);
        random_put(r, minus && random_pick(r, 2) ? "+ -" : minus ? "-" : "+");
        snprintf(digits, sizeof digits, "%d", offset);
        random_put(r, digits);
        fprintf(r->statements, "%+d", minus ? -offset : offset);
    }
    random_put(r, "]");
    fputs("]", r->statements);
}

static inline void random_operand(struct random_ptx *r, unsigned depth)
{
    char name[24];
    switch (random_pick(r, depth > 3 ? 6 : 9)) {
    case 0:
        random_integer(r);
        break;
    case 1:
        random_put(r, "%tid.y");
        fputs("s%tid.y", r->statements);
        break;
    case 2:
        snprintf(name, sizeof name, "g%u", random_pick(r, r->globals));
        random_put(r, name);
        fputs(name, r->statements);
        break;
    case 3:
        random_put(r, "0d3FF8000000000000");
        fputs("d3ff8000000000000", r->statements);
        break;
    case 6:
        random_group(r, "{", "}", depth);
        break;
    case 7:
        random_address(r);
        break;
    case 8:
        fputs(" ", r->statements);
        random_register(r);
        random_put(r, "|");
        fputs("|", r->statements);
        random_register(r);
        fputs(" ", r->statements);
        break;
    default:
        random_register(r);
        break;
    }
}

/* A branch to a label that this block or an outer one defines. */
static inline bool random_branch(struct random_ptx *r)
{
    char name[16];
    unsigned label = random_pick(r, RANDOM_LABELS);
    unsigned block = r->block + 1;
    while (block > 0 && r->label_of[block - 1][label] < 0) {
        block--;
    }
    if (!block) {
        return false;
    }
    fputs("bra", r->out);
    random_space(r, true);
    snprintf(name, sizeof name, "$L%u", label);
    random_put(r, name);
    fprintf(r->statements, "bra <%d>", r->label_of[block - 1][label]);
    return true;
}

static inline void random_instruction(struct random_ptx *r)
{
    static const char *const words[] = {"ld.global.v2.u32", "st.shared::cta.b32", "frob",
                                        "add.f16x2", "tcgen05.mma.cta_group::1.kind::f16"};
    random_space(r, false);
    if (random_pick(r, 4) == 0) {
        const char *mark = random_pick(r, 2) ? "@!" : "@";
        fputs(mark, r->out);
        fputs(mark, r->statements);
        random_register(r);
        random_space(r, true);
        fputs(" ", r->statements);
    }
    if (random_pick(r, 4) || !random_branch(r)) {
        const char *word = words[random_pick(r, 5)];
        unsigned n = random_pick(r, 5);
        fputs(word, r->out);
        fputs(word, r->statements);
        random_space(r, true);
        for (unsigned i = 0; i < n; i++) {
            if (i) {
                random_put(r, ",");
            }
            fputs(i ? "," : " ", r->statements);
            random_operand(r, 0);
        }
    }
    random_put(r, ";");
    fputs("\n", r->statements);
    r->statement_count++;
}

static inline void random_label(struct random_ptx *r, unsigned label)
{
    int identity = r->label_of[r->block][label];
    if (identity < 0 || r->label_done[r->block][label]) {
        return;
    }
    r->label_done[r->block][label] = true;
    r->label_statement[identity] = r->statement_count++;
    random_space(r, false);
    fprintf(r->out, "$L%u", label);
    random_put(r, ":");
    fprintf(r->statements, "$L%u:\n", label);
}

static inline void random_block(struct random_ptx *r)
{
    unsigned n = random_pick(r, 10);
    for (unsigned i = 0; i < RANDOM_LABELS; i++) {
        r->label_of[r->block][i] = random_pick(r, 3) ? -1 : (int)r->labels++;
        r->label_done[r->block][i] = false;
    }
    for (unsigned i = 0; i < n; i++) {
        unsigned choice = random_pick(r, 8);
        if ((choice == 0 || !r->visible_count) && r->declared + 4 < RANDOM_DECLARATIONS) {
            random_declare(r);
        } else if (choice == 1 && r->block + 1 < RANDOM_BLOCKS) {
            r->block_visible[r->block++] = r->visible_count;
            random_put(r, "{");
            fputs("{\n", r->statements);
            r->statement_count++;
            random_block(r);
            random_put(r, "}");
            fputs("}\n", r->statements);
            r->statement_count++;
            r->visible_count = r->block_visible[--r->block];
        } else if (choice == 2) {
            random_label(r, random_pick(r, RANDOM_LABELS));
        } else if (r->visible_count) {
            random_instruction(r);
        }
    }
    for (unsigned i = 0; i < RANDOM_LABELS; i++) {
        random_label(r, i);
    }
}

/* Copies the statements into the tree, with numbers of statements in place of <id>. */
static inline void random_place_labels(struct random_ptx *r, FILE *tree, const char *statements)
{
    while (*statements) {
        if (*statements == '<') {
            char *end;
            unsigned long identity = strtoul(statements + 1, &end, 10);
            fprintf(tree, "L%u", r->label_statement[identity]);
            statements = end + 1;
        } else {
            fputc(*statements++, tree);
        }
    }
}

static inline void random_function(struct random_ptx *r, FILE *tree)
{
    char *statements = NULL, *variables = NULL;
    size_t size;
    r->statements = open_memstream(&statements, &size);
    r->variables = open_memstream(&variables, &size);
    r->declared = r->visible_count = r->block = r->labels = r->statement_count = 0;
    fprintf(r->out, ".visible .func f%u", r->functions);
    random_put(r, "()");
    random_put(r, "{");
    random_block(r);
    random_put(r, "}");
    fclose(r->statements);
    fclose(r->variables);
    fprintf(tree, "visible func f%u 0 0\n%s", r->functions++, variables);
    random_place_labels(r, tree, statements);
    free(statements);
    free(variables);
}

static inline void random_module(struct random_ptx *r, uint64_t seed)
{
    memset(r, 0, sizeof *r);
    r->state = seed;
    r->out = open_memstream(&r->text, &r->text_size);
    FILE *tree = open_memstream(&r->tree, &r->tree_size);
    random_space(r, false);
    fprintf(r->out, ".version 8.%u .target sm_80 .address_size 64\n", seed % 10 ? 5u : 6u);
    fprintf(tree, "%u sm_80 64\n", seed % 10 ? 85u : 86u);
    for (; r->globals < RANDOM_GLOBALS; r->globals++) {
        unsigned value = random_pick(r, 1000);
        fprintf(r->out, ".global .u32 g%u[%u] = {%u}", r->globals, r->globals + 1, value);
        random_put(r, ";");
        fprintf(tree, "global u32 g%u[%u] = %x\n", r->globals, r->globals + 1, value);
    }
    for (unsigned n = 1 + random_pick(r, 4); n > 0; n--) {
        random_function(r, tree);
    }
    fclose(r->out);
    fclose(tree);
}

#endif
