/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ptx_check.h - checks the invariants of a syntax tree of PTX: nested and ordered ranges, resolved
 * names, counts.
 */
#ifndef WARPSCOPE_TESTS_PTX_CHECK_H
#define WARPSCOPE_TESTS_PTX_CHECK_H

#include <stdio.h>
#include <stdlib.h>

#include "ptx/ptx.h"

struct ptx_checked {
    const struct ptx_module *module;
    const struct ptx_function *function;
};

static inline void ptx_require(bool holds, uint32_t line, const char *invariant)
{
    if (!holds) {
        fprintf(stderr, "ptx_check: line %u: %s\n", line, invariant);
        abort();
    }
}

static inline void ptx_check_text(const struct ptx_checked *in, struct ptx_text text, uint32_t line)
{
    const char *source = in->module->source;
    ptx_require(text.s >= source && text.length <= in->module->size &&
                    (size_t)(text.s - source) <= in->module->size - text.length,
                line, "a word lies in the text");
}

static inline void ptx_check_range(struct ptx_range range, uint32_t begin, uint32_t end)
{
    ptx_require(range.line > 0, range.line, "lines count from 1");
    ptx_require(begin <= range.begin && range.begin < range.end && range.end <= end, range.line,
                "ranges are not empty, in order and nested");
}

static inline void ptx_check_variable(const struct ptx_checked *in,
                                      const struct ptx_variable *variable, uint32_t index,
                                      uint32_t begin, uint32_t end)
{
    uint32_t line = variable->range.line;
    ptx_check_range(variable->range, begin, end);
    ptx_check_text(in, variable->name, line);
    ptx_require(variable->name.length > 0, line, "variables have names");
    ptx_require(variable->index == index, line, "indexes count from 0");
    ptx_require(variable->type.kind != PTX_NO_KIND && variable->type.bits > 0, line,
                "variables have types");
    ptx_require(variable->space != PTX_GENERIC, line, "variables have a space");
    ptx_require(variable->vector == 1 || variable->vector == 2 || variable->vector == 4 ||
                    variable->vector == 8,
                line, "vectors have 1, 2, 4 or 8 elements");
    ptx_require(variable->bytes ==
                    variable->elements * variable->vector * ((variable->type.bits + 7u) / 8u),
                line, "bytes are elements times their size");
    ptx_require(!variable->count || variable->space == PTX_REG, line, "families are registers");
    ptx_require(variable->value_count <= variable->elements * variable->vector ||
                    variable->type.kind == PTX_OTHER,
                line, "an initialiser fits in its variable");
    for (size_t i = 0; i < variable->value_count; i++) {
        const struct ptx_value *value = &variable->values[i];
        if (value->symbol.length) {
            ptx_check_text(in, value->symbol, line);
        }
        ptx_require(value->mask_shift >= -1 && value->mask_shift <= 56 &&
                        value->mask_shift % 8 <= 0,
                    line, "masks select one byte");
    }
}

/* Checks that the operand's variable belongs to the function or the module, and that the operand's
 * number is an index of a register in that variable. */
static inline void ptx_check_reference(const struct ptx_checked *in,
                                       const struct ptx_operand *operand, uint32_t line)
{
    const struct ptx_variable *variable = operand->variable;
    bool local = variable->index < in->function->variable_count &&
                 in->function->variables[variable->index] == variable;
    bool global = variable->index < in->module->variable_count &&
                  in->module->variables[variable->index] == variable;
    ptx_require(local || global, line, "operands name variables of the function or the module");
    if (variable->count) {
        ptx_require(operand->number < variable->count, line, "registers lie in their family");
        ptx_require(operand->name.length > variable->name.length, line,
                    "registers are named after their family");
    } else {
        ptx_require(operand->name.length == variable->name.length, line,
                    "operands have the names of their variables");
    }
}

static inline void ptx_check_operand(const struct ptx_checked *in,
                                     const struct ptx_operand *operand, uint32_t line,
                                     unsigned depth)
{
    ptx_require(depth < 16, line, "operands are not nested deeply");
    switch (operand->kind) {
    case PTX_REGISTER:
        ptx_require(operand->variable && operand->variable->space == PTX_REG, line,
                    "registers are resolved");
        break;
    case PTX_LABEL:
        ptx_require(operand->number < in->function->statement_count &&
                        in->function->statements[operand->number].kind == PTX_AT_LABEL,
                    line, "labels are resolved");
        break;
    case PTX_ADDRESS:
        ptx_require(operand->part_count > 0, line, "addresses have a base");
        break;
    case PTX_PAIR:
        ptx_require(operand->part_count == 2, line, "pairs have two parts");
        break;
    case PTX_VECTOR:
    case PTX_LIST:
        break;
    default:
        ptx_require(operand->part_count == 0, line, "only brackets and pairs have parts");
        break;
    }
    if (operand->kind != PTX_INTEGER && operand->kind != PTX_REAL && !operand->part_count &&
        operand->kind != PTX_LIST && operand->kind != PTX_VECTOR) {
        ptx_require(operand->name.length > 0, line, "names are not empty");
        ptx_check_text(in, operand->name, line);
    }
    if (operand->variable) {
        ptx_check_reference(in, operand, line);
    }
    for (uint32_t i = 0; i < operand->part_count; i++) {
        ptx_check_operand(in, &operand->parts[i], line, depth + 1);
    }
}

static inline void ptx_check_instruction(const struct ptx_checked *in,
                                         const struct ptx_instruction *instruction, uint32_t line)
{
    ptx_check_text(in, instruction->word, line);
    ptx_require(instruction->word.length > 0, line, "instructions have a word");
    if (instruction->guard) {
        ptx_check_operand(in, instruction->guard, line, 0);
    }
    for (uint32_t i = 0; i < instruction->modifier_count; i++) {
        ptx_check_text(in, instruction->modifiers[i], line);
        ptx_require(instruction->modifiers[i].length > 0, line, "modifiers are not empty");
    }
    for (uint32_t i = 0; i < instruction->operand_count; i++) {
        ptx_check_operand(in, &instruction->operands[i], line, 0);
    }
}

static inline void ptx_check_statements(const struct ptx_checked *in)
{
    const struct ptx_function *function = in->function;
    uint32_t at = function->body_begin, last_line = 0;
    int depth = 0;
    for (size_t i = 0; i < function->statement_count; i++) {
        const struct ptx_statement *statement = &function->statements[i];
        uint32_t line = statement->range.line;
        ptx_check_range(statement->range, at, function->body_end);
        ptx_require(line >= last_line, line, "lines ascend");
        at = statement->range.end;
        last_line = line;
        depth += statement->kind == PTX_OPEN;
        depth -= statement->kind == PTX_CLOSE;
        ptx_require(depth >= 0, line, "blocks close after they open");
        ptx_require((statement->kind == PTX_INSTRUCTION) == (statement->instruction != NULL), line,
                    "instructions have a tree, and nothing else has");
        if (statement->instruction) {
            ptx_check_instruction(in, statement->instruction, line);
        }
        if (statement->kind == PTX_AT_LABEL || statement->kind == PTX_DIRECTIVE) {
            ptx_check_text(in, statement->name, line);
        }
        for (uint32_t k = 0; k < statement->target_count; k++) {
            ptx_check_operand(in, &statement->targets[k], line, 0);
        }
    }
    ptx_require(depth == 0, function->range.line, "blocks close");
}

static inline void ptx_check_function(const struct ptx_checked *in, uint32_t *at)
{
    const struct ptx_function *function = in->function;
    uint32_t line = function->range.line;
    ptx_check_range(function->range, *at, in->module->size);
    *at = function->range.end;
    ptx_check_text(in, function->name, line);
    ptx_require(function->name_end > function->range.begin &&
                    function->name_end <= function->range.end,
                line, "the name of a function lies in its range");
    ptx_require(function->parameters_end < function->range.end, line,
                "parameters lie in the range of their function");
    uint32_t variable = function->range.begin;
    for (uint32_t i = 0; i < function->variable_count; i++) {
        ptx_check_variable(in, function->variables[i], i, variable, function->range.end);
        /* The ranges of variables that one statement declares begin at the same offset. */
        variable = function->variables[i]->range.begin;
    }
    ptx_require(function->return_count + function->parameter_count <= function->variable_count,
                line, "parameters are variables");
    for (uint32_t i = 0; i < function->return_count; i++) {
        ptx_require(function->returns[i] == function->variables[i], line, "results come first");
    }
    for (uint32_t i = 0; i < function->parameter_count; i++) {
        ptx_require(function->parameters[i] == function->variables[function->return_count + i],
                    line, "parameters follow the results");
    }
    if (function->body) {
        const char *source = in->module->source;
        ptx_require(source[function->body_begin - 1] == '{' && source[function->body_end] == '}',
                    line, "a body stands between braces");
        ptx_check_statements(in);
    }
}

/* Prints an error message and aborts if an invariant is violated. */
static inline void ptx_check(const struct ptx_module *module)
{
    struct ptx_checked in = {.module = module};
    ptx_require(module->version >= 10 && module->version <= 99, 1, "the version is known");
    ptx_require(module->address_bits == 32 || module->address_bits == 64, 1,
                "addresses have 32 or 64 bits");
    ptx_require(module->header_end > 0 && module->header_end <= module->size, 1,
                "the header lies in the text");
    ptx_check_text(&in, module->target, 1);
    uint32_t at = module->header_end;
    for (uint32_t i = 0; i < module->variable_count; i++) {
        ptx_check_variable(&in, module->variables[i], i, at, module->size);
        at = module->variables[i]->range.begin;
    }
    at = module->header_end;
    for (size_t i = 0; i < module->function_count; i++) {
        in.function = module->functions[i];
        ptx_require(in.function->index == i, in.function->range.line, "indexes count from 0");
        ptx_check_function(&in, &at);
    }
}

#endif
