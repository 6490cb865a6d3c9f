/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ptx_dump.h - trees of PTX as plain text, for comparisons. Operands are written as
 *
 *   r3      register declared as variable 3 of the function; r3:1 is register 1 of a family
 *   s%tid.x special register           i5 d3ff0000000000000 f3f800000   numbers
 *   l2 g2   variable of the function, of the module; Ffoo a function; ?foo a name of another module
 *   L7      label at statement 7       [l2+4] {a,b} (a,b) a|b _ !a      as in PTX
 */
#ifndef WARPSCOPE_TESTS_PTX_DUMP_H
#define WARPSCOPE_TESTS_PTX_DUMP_H

#include <CUnit/Basic.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ptx/ptx.h"
#include "support/ptx_check.h"

static inline void ptx_dump_text(FILE *to, struct ptx_text text)
{
    fprintf(to, "%.*s", (int)text.length, text.s);
}

/* True if the variable is one of the module. */
static inline bool ptx_dump_global(const struct ptx_module *module, const struct ptx_variable *v)
{
    return v->index < module->variable_count && module->variables[v->index] == v;
}

static inline void ptx_dump_name(FILE *to, const struct ptx_module *module,
                                 const struct ptx_operand *operand)
{
    switch (operand->kind) {
    case PTX_REGISTER:
        fprintf(to, "r%u", operand->variable->index);
        if (operand->variable->count) {
            fprintf(to, ":%u", operand->number);
        }
        break;
    case PTX_SPECIAL:
        fprintf(to, "s");
        ptx_dump_text(to, operand->name);
        break;
    case PTX_LABEL:
        fprintf(to, "L%u", operand->number);
        break;
    default:
        if (operand->variable) {
            fprintf(to, "%c%u", ptx_dump_global(module, operand->variable) ? 'g' : 'l',
                    operand->variable->index);
        } else {
            fprintf(to, "%c", operand->function ? 'F' : '?');
            ptx_dump_text(to, operand->name);
        }
        break;
    }
    if (operand->member) {
        fprintf(to, ".%c", operand->member);
    }
    fputs(operand->parts_selected, to);
}

static inline void ptx_dump_operand(FILE *to, const struct ptx_module *module,
                                    const struct ptx_operand *operand)
{
    static const char brackets[][4] = {
        [PTX_ADDRESS] = "[],", [PTX_VECTOR] = "{},", [PTX_LIST] = "(),", [PTX_PAIR] = "  |"};
    if (operand->negated) {
        fprintf(to, "!");
    }
    switch (operand->kind) {
    case PTX_INTEGER:
        fprintf(to, "i%" PRId64, (int64_t)operand->bits);
        return;
    case PTX_REAL:
        fprintf(to, "%c%" PRIx64, operand->single ? 'f' : 'd', operand->bits);
        return;
    case PTX_SINK:
        fprintf(to, "_");
        return;
    case PTX_ADDRESS:
    case PTX_VECTOR:
    case PTX_LIST:
    case PTX_PAIR:
        break;
    default:
        ptx_dump_name(to, module, operand);
        if (operand->offset) {
            fprintf(to, "%+" PRId64, operand->offset);
        }
        return;
    }
    const char *marks = brackets[operand->kind];
    fprintf(to, "%c", marks[0]);
    for (uint32_t i = 0; i < operand->part_count; i++) {
        if (i) {
            fprintf(to, "%c", marks[2]);
        }
        ptx_dump_operand(to, module, &operand->parts[i]);
        if (i == 0 && operand->offset) {
            fprintf(to, "%+" PRId64, operand->offset);
        }
    }
    fprintf(to, "%c", marks[1]);
}

static inline void ptx_dump_instruction(FILE *to, const struct ptx_module *module,
                                        const struct ptx_instruction *instruction)
{
    if (instruction->guard) {
        fprintf(to, "@");
        ptx_dump_operand(to, module, instruction->guard);
        fprintf(to, " ");
    }
    ptx_dump_text(to, instruction->word);
    for (uint32_t i = 0; i < instruction->modifier_count; i++) {
        fprintf(to, ".");
        ptx_dump_text(to, instruction->modifiers[i]);
    }
    for (uint32_t i = 0; i < instruction->operand_count; i++) {
        fprintf(to, i ? "," : " ");
        ptx_dump_operand(to, module, &instruction->operands[i]);
    }
}

static inline void ptx_dump_variable(FILE *to, const struct ptx_variable *v)
{
    static const char *const spaces[] = {"generic", "reg",   "sreg",   "const", "global",
                                         "local",   "param", "shared", "tex"};
    static const char *const linkages[] = {"", "visible ", "extern ", "weak ", "common "};
    fprintf(to, "%s%s ", linkages[v->linkage], spaces[v->space]);
    if (v->align) {
        fprintf(to, "align %u ", v->align);
    }
    if (v->vector != 1) {
        fprintf(to, "v%d ", v->vector);
    }
    fprintf(to, "%s", v->pointer ? "ptr " : "");
    ptx_dump_text(to, v->type.name);
    fprintf(to, " ");
    ptx_dump_text(to, v->name);
    if (v->count) {
        fprintf(to, "<%u>", v->count);
    }
    if (v->array) {
        fprintf(to, "[%" PRIu64 "]", v->elements);
    }
    for (size_t i = 0; i < v->value_count; i++) {
        const struct ptx_value *value = &v->values[i];
        fprintf(to, "%s", i ? " " : " = ");
        if (!value->symbol.length) {
            fprintf(to, "%" PRIx64, value->bits);
            continue;
        }
        fprintf(to, "%s", value->generic ? "generic:" : "");
        ptx_dump_text(to, value->symbol);
        fprintf(to, "%+" PRId64, value->offset);
        if (value->mask_shift >= 0) {
            fprintf(to, ">>%d", value->mask_shift);
        }
    }
    fprintf(to, "\n");
}

static inline void ptx_dump_statement(FILE *to, const struct ptx_module *module,
                                      const struct ptx_statement *statement)
{
    switch (statement->kind) {
    case PTX_INSTRUCTION:
        ptx_dump_instruction(to, module, statement->instruction);
        break;
    case PTX_AT_LABEL:
        ptx_dump_text(to, statement->name);
        fprintf(to, ":");
        break;
    case PTX_DIRECTIVE:
        fprintf(to, ".");
        ptx_dump_text(to, statement->name);
        for (uint32_t i = 0; i < statement->target_count; i++) {
            fprintf(to, i ? "," : " ");
            ptx_dump_operand(to, module, &statement->targets[i]);
        }
        break;
    default:
        fprintf(to, "%s",
                statement->kind == PTX_OPEN    ? "{"
                : statement->kind == PTX_CLOSE ? "}"
                                               : "declaration");
        break;
    }
    fprintf(to, "\n");
}

static inline void ptx_dump_function(FILE *to, const struct ptx_module *module,
                                     const struct ptx_function *function)
{
    static const char *const linkages[] = {"", "visible ", "extern ", "weak ", "common "};
    fprintf(to, "%s%s ", linkages[function->linkage],
            function->alias   ? "alias"
            : function->entry ? "entry"
                              : "func");
    ptx_dump_text(to, function->name);
    if (function->alias) {
        fprintf(to, " ");
        ptx_dump_text(to, function->aliasee);
    } else {
        fprintf(to, " %u %u", function->return_count, function->parameter_count);
    }
    for (int i = 0; i < 2; i++) {
        const uint32_t *n = i == 0 ? function->threads : function->cluster;
        if (n[0] > 0) {
            fprintf(to, " %s %u %u %u", i == 0 ? "threads" : "cluster", n[0], n[1], n[2]);
        }
    }
    fprintf(to, "%s\n", function->body ? "" : ";");
    for (uint32_t i = 0; i < function->variable_count; i++) {
        ptx_dump_variable(to, function->variables[i]);
    }
    for (size_t i = 0; i < function->statement_count; i++) {
        ptx_dump_statement(to, module, &function->statements[i]);
    }
}

/* Returns the module as text; the caller frees it. */
static inline char *ptx_dump(const struct ptx_module *module)
{
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    fprintf(to, "%u ", module->version);
    ptx_dump_text(to, module->target);
    fprintf(to, " %u\n", module->address_bits);
    for (size_t i = 0; i < module->variable_count; i++) {
        ptx_dump_variable(to, module->variables[i]);
    }
    for (size_t i = 0; i < module->function_count; i++) {
        ptx_dump_function(to, module, module->functions[i]);
    }
    fclose(to);
    return text;
}

/* Parses the text and compares the dump of its tree. The text lies in memory of exactly its size. */
static inline void ptx_compare(const char *text, const char *expected)
{
    char error[PTX_ERROR_MAX] = "";
    size_t size = strlen(text);
    char *copy = malloc(size ? size : 1);
    memcpy(copy, text, size);
    struct ptx_module *module = ptx_parse(copy, size, error);
    if (module) {
        ptx_check(module);
    }
    char *found = module ? ptx_dump(module) : strdup(error);
    if (strcmp(found, expected) != 0) {
        printf("\nexpected:\n%s\nfound:\n%s\n", expected, found);
    }
    CU_ASSERT_STRING_EQUAL(found, expected);
    free(found);
    ptx_free(module);
    free(copy);
}

#endif
