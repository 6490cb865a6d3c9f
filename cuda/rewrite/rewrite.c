/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The rewriter: copies the source and inserts text; see rewrite.h.
 */
#define _GNU_SOURCE /* required for memmem() */
#include "rewrite/rewrite.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rewrite/access.h"
#include "rewrite/device.h"
#include "rewrite/insert.h"
#include "rewrite/plan.h"
#include "rewrite/untraced.h"
#include "store/array.h"

struct rewriter {
    const struct ptx_module *module;
    struct plan plan;
    FILE *out;       /* the text of the result */
    uint32_t copied; /* number of bytes of the source that have been copied to `out` */
    /* accesses whose records are to be inserted together */
    struct insert_access pending[DEVICE_GROUP];
    size_t n_pending;
    bool is_raised;  /* true if the text gets a later version than the source */
    size_t variable; /* index of the first variable of the module that modernize_variables() has yet
                      * to look at */
    struct rewrite_result *result;
    bool failed;
};

/* Copies the source up to the offset end to rewriter->out. */
static void copy_to(struct rewriter *rewriter, uint32_t end)
{
    assert(rewriter->copied <= rewriter->module->size && end <= rewriter->module->size);
    if (end > rewriter->copied) {
        fwrite(rewriter->module->source + rewriter->copied, 1, end - rewriter->copied,
               rewriter->out);
        rewriter->copied = end;
    }
}

static void note(struct rewriter *rewriter, const struct rewrite_note *new)
{
    struct rewrite_result *result = rewriter->result;
    if (array_append(&result->notes, result->note_count, sizeof *result->notes)) {
        result->notes[result->note_count++] = *new;
    } else {
        rewriter->failed = true;
    }
}

/* Returns the word and the modifiers of an instruction, as one piece of the source. */
static struct ptx_text instruction_text(const struct ptx_instruction *instruction)
{
    struct ptx_text text = instruction->word;
    if (instruction->modifier_count > 0) {
        struct ptx_text last = instruction->modifiers[instruction->modifier_count - 1];
        assert(last.s > text.s);
        text.length = (uint32_t)(last.s + last.length - text.s);
    }
    return text;
}

static void count(struct rewrite_counts *counts, const struct access *access)
{
    uint64_t *const of_type[] = {
        [ACCESS_LOAD] = &counts->loads,
        [ACCESS_STORE] = &counts->stores,
        [ACCESS_ATOMIC] = &counts->atomics,
    };
    assert(access->kind == ACCESS_TRACED && access->type <= ACCESS_ATOMIC);
    ++*of_type[access->type];
    counts->generic += access->generic;
}

/* ---- Records that are written together -------------------------------------------------------
 *
 * Records of loads are written after the loads if nothing but loads and computations of registers lies
 * between: before the next store, atomic, barrier, branch, or write to a register that an address or a
 * guard names. A store that another thread makes because of a load thus has its record behind. The
 * record of any other access is written before the access, together with those of loads before it. */

/* Inserts the records of the pending accesses before the offset `at`. */
static void pending_insert(struct rewriter *rewriter, uint32_t at)
{
    if (rewriter->n_pending > 0) {
        copy_to(rewriter, at);
        insert_records(rewriter->out, rewriter->pending, rewriter->n_pending);
        rewriter->plan.uses.groups[rewriter->n_pending] = true;
        rewriter->n_pending = 0;
    }
}

/* Returns true if the operand, or a part of it, is the register `read`. */
static bool has_register(const struct ptx_operand *operand, const struct ptx_operand *read)
{
    bool has = operand->kind == PTX_REGISTER && read->kind == PTX_REGISTER &&
               operand->variable == read->variable && operand->number == read->number;
    for (uint32_t i = 0; i < operand->part_count && !has; i++) {
        has = has_register(&operand->parts[i], read);
    }
    return has;
}

/* Returns true if a quiet instruction writes a register that a pending record needs. */
static bool pending_loses(const struct rewriter *rewriter,
                          const struct ptx_instruction *instruction)
{
    bool loses = false;
    for (size_t i = 0; i < rewriter->n_pending && instruction->operand_count > 0; i++) {
        const struct insert_access *p = &rewriter->pending[i];
        loses |= has_register(&instruction->operands[0], &p->access.address->parts[0]) ||
                 (p->instruction->guard != NULL &&
                  has_register(&instruction->operands[0], p->instruction->guard));
    }
    return loses;
}

/* Returns true if the pending records must be written before a statement that is no traced access. */
static bool pending_ends(const struct rewriter *rewriter, const struct ptx_statement *statement)
{
    switch (statement->kind) {
    case PTX_INSTRUCTION:
        return !access_is_quiet(statement->instruction) ||
               pending_loses(rewriter, statement->instruction);
    case PTX_DIRECTIVE:
        return !ptx_is(statement->name, "loc");
    default:
        return statement->kind != PTX_DECLARATION;
    }
}

static void pending_add(struct rewriter *rewriter, const struct ptx_statement *statement,
                        const struct access *access)
{
    bool is_alone = access->bytes != NULL || device_code(insert_word(access)) == 0;
    if (rewriter->n_pending == DEVICE_GROUP || is_alone) {
        pending_insert(rewriter, statement->range.begin);
    }
    rewriter->pending[rewriter->n_pending++] =
        (struct insert_access){statement->instruction, *access};
    if (is_alone || !access_is_quiet(statement->instruction) ||
        pending_loses(rewriter, statement->instruction)) {
        pending_insert(rewriter, statement->range.begin);
    }
    count(&rewriter->result->counts, access);
}

static void rewrite_instruction(struct rewriter *rewriter, const struct ptx_function *function,
                                const struct ptx_statement *statement, bool traced)
{
    struct access access = access_of(statement->instruction);
    switch (access.kind) {
    case ACCESS_TRACED:
        if (traced) {
            pending_add(rewriter, statement, &access);
        }
        break;
    case ACCESS_ELSEWHERE:
        rewriter->result->counts.other_spaces++;
        break;
    case ACCESS_UNTRACED:
    case ACCESS_UNKNOWN:
        note(rewriter,
             &(struct rewrite_note){
                 .kind = access.kind == ACCESS_UNKNOWN ? REWRITE_UNKNOWN : REWRITE_UNTRACED,
                 .line = statement->range.line,
                 .instruction = instruction_text(statement->instruction),
                 .function = function->name,
             });
        break;
    default:
        break;
    }
}

/* Returns the offset in the source of a text that points into it. */
static uint32_t offset_of(const struct rewriter *rewriter, const char *at)
{
    assert(at >= rewriter->module->source);
    return (uint32_t)(at - rewriter->module->source);
}

/* Replaces a piece of the source. */
static void replace(struct rewriter *rewriter, struct ptx_text piece, const char *text)
{
    uint32_t begin = offset_of(rewriter, piece.s), end = begin + piece.length;
    copy_to(rewriter, begin);
    fputs(text, rewriter->out);
    rewriter->copied = end > rewriter->copied ? end : rewriter->copied;
}

/* ---- What later versions write in another way ------------------------------------------------ */

/* Until PTX 2.0, mad of reals has no rounding, which ptxas takes as .rn, for f32 with .ftz. */
static void modernize_mad(struct rewriter *rewriter, const struct ptx_instruction *instruction)
{
    const struct ptx_text *m = instruction->modifiers;
    uint32_t n = instruction->modifier_count;
    bool is_single = n > 0 && ptx_is(m[n - 1], "f32");
    if (n == 0 || !ptx_is(instruction->word, "mad") || (!is_single && !ptx_is(m[n - 1], "f64")) ||
        (m[0].length == 2 && m[0].s[0] == 'r')) {
        return;
    }
    copy_to(rewriter, offset_of(rewriter, instruction->word.s + instruction->word.length));
    fputs(!is_single || ptx_is(m[0], "ftz") ? ".rn" : ".rn.ftz", rewriter->out);
}

/* Until PTX 1.4, textures of the module are variables of the space .tex. Looks at the variables
 * before the offset `end`. */
static void modernize_variables(struct rewriter *rewriter, uint32_t end)
{
    const struct ptx_module *module = rewriter->module;
    for (; rewriter->variable < module->variable_count; rewriter->variable++) {
        const struct ptx_variable *v = module->variables[rewriter->variable];
        if (v->range.begin >= end) {
            return;
        }
        const char *name = v->name.s, *at = name;
        while (v->space == PTX_TEX && at > module->source + v->range.begin &&
               memcmp(at, ".tex", 4) != 0) {
            at--;
        }
        if (v->space == PTX_TEX && memcmp(at, ".tex", 4) == 0) {
            replace(rewriter, (struct ptx_text){at, (uint32_t)(name - at)}, ".global .texref ");
        }
    }
}

/* ---- Functions ------------------------------------------------------------------------------- */

static void rewrite_function(struct rewriter *rewriter, const struct ptx_function *function,
                             const struct plan_function *plan)
{
    if (plan->hidden) {
        bool listed = function->parameters_end != 0;
        copy_to(rewriter, listed ? function->parameters_end : function->name_end);
        insert_parameter(rewriter->out, function, listed);
    }
    if (!function->body) {
        return;
    }
    if (plan->reason != NULL && !function->entry) {
        static const char word[] = ".func";
        note(rewriter, &(struct rewrite_note){REWRITE_UNTRACED,
                                              function->range.line,
                                              {word, sizeof word - 1},
                                              function->name,
                                              plan->reason});
    }
    copy_to(rewriter, function->body_begin);
    insert_prologue(rewriter->out, function, plan);
    rewriter->result->functions += plan->traced && !function->entry;
    for (size_t i = 0; i < function->statement_count; i++) {
        const struct ptx_statement *statement = &function->statements[i];
        const struct ptx_instruction *instruction = statement->instruction;
        bool is_access = instruction != NULL && access_of(instruction).kind == ACCESS_TRACED;
        if (!is_access && pending_ends(rewriter, statement)) {
            pending_insert(rewriter, statement->range.begin);
        }
        if (instruction != NULL) {
            if (rewriter->is_raised) {
                modernize_mad(rewriter, instruction);
            }
            rewrite_instruction(rewriter, function, statement, plan->traced);
        }
    }
    pending_insert(rewriter, function->body_end);
}

/* Returns the first word of a target, up to the option map_f64_to_f32, which targets below sm_13 have. */
static struct ptx_text first_target(struct ptx_text target)
{
    static const char option[] = "map_f64_to_f32";
    const char *found = memmem(target.s, target.length, option, sizeof option - 1);
    uint32_t length = 0;
    while (length < target.length && strchr(", \t\r\n/", target.s[length]) == NULL) {
        length++;
    }
    length = found != NULL ? (uint32_t)(found - target.s) + (uint32_t)sizeof option - 1 : length;
    return (struct ptx_text){target.s, length};
}

/* Copies the header to rewriter->out. Replaces a version and a target that are too old for them. */
static void rewrite_header(struct rewriter *rewriter)
{
    const struct ptx_module *module = rewriter->module;
    bool uses = rewriter->plan.uses.records;
    bool is_old = ptx_target_number(module->target) < DEVICE_SM;
    if (uses && module->version < DEVICE_VERSION) {
        replace(rewriter, module->version_text, DEVICE_VERSION_TEXT);
        rewriter->is_raised = true;
    }
    if (uses && is_old) {
        replace(rewriter, first_target(module->target), DEVICE_TARGET_TEXT);
        rewriter->result->raised = DEVICE_TARGET_TEXT;
    }
    copy_to(rewriter, module->header_end);
}

static bool list_kernels(struct rewriter *rewriter)
{
    const struct ptx_module *module = rewriter->module;
    struct rewrite_result *result = rewriter->result;
    result->kernels = calloc(rewriter->plan.kernel_count + 1, sizeof *result->kernels);
    if (result->kernels == NULL) {
        return false;
    }
    for (size_t i = 0; i < module->function_count; i++) {
        const struct ptx_function *function = module->functions[i];
        if (!function->entry || !function->body) {
            continue;
        }
        assert(result->kernel_count < rewriter->plan.kernel_count);
        struct rewrite_kernel *kernel = &result->kernels[result->kernel_count++];
        *kernel = (struct rewrite_kernel){.name = function->name,
                                          .line = function->range.line,
                                          .parameters = function->parameter_count};
        if (!rewriter->plan.already) {
            kernel->reason = rewriter->plan.functions[i].reason;
        } else if (plan_is_rewritten(function)) {
            kernel->parameters--;
        } else {
            kernel->reason = "the module was rewritten before, without this kernel";
        }
    }
    return true;
}

/* Rewrites the functions. The declarations before them depend on the records in them. */
static void rewrite_functions(struct rewriter *rewriter)
{
    const struct ptx_module *module = rewriter->module;
    FILE *head = rewriter->out;
    char *text = NULL;
    size_t size = 0;
    rewriter->out = open_memstream(&text, &size);
    if (rewriter->out == NULL) {
        rewriter->out = head;
        rewriter->failed = true;
        return;
    }
    for (size_t i = 0; i < module->function_count; i++) {
        if (rewriter->is_raised) {
            modernize_variables(rewriter, module->functions[i]->range.begin);
        }
        rewrite_function(rewriter, module->functions[i], &rewriter->plan.functions[i]);
    }
    copy_to(rewriter, module->size);
    rewriter->failed |= fclose(rewriter->out) != 0;
    rewriter->out = head;
    device_declare(head, rewriter->plan.uses);
    fwrite(text, 1, size, head);
    device_define(head, rewriter->plan.uses, module->version);
    free(text);
}

static void rewrite_all(struct rewriter *rewriter)
{
    if (rewriter->plan.already) {
        copy_to(rewriter, rewriter->module->size);
    } else {
        rewrite_header(rewriter);
        rewrite_functions(rewriter);
    }
}

struct rewrite_result *rewrite_module(const struct ptx_module *module, const char *kernels,
                                      char *error)
{
    struct rewriter rewriter = {.module = module};
    if (!plan_make(&rewriter.plan, module, kernels, error)) {
        return NULL;
    }
    struct rewrite_result *result = calloc(1, sizeof *result);
    rewriter.result = result;
    if (result != NULL) {
        result->already = rewriter.plan.already;
        rewriter.out = open_memstream(&result->text, &result->size);
        rewriter.failed = rewriter.out == NULL || !list_kernels(&rewriter);
        if (!rewriter.failed) {
            rewrite_all(&rewriter);
        }
        rewriter.failed |= rewriter.out == NULL || fclose(rewriter.out) != 0;
        rewriter.failed = rewriter.failed || !untraced_find(module, result);
    }
    plan_free(&rewriter.plan);
    if (result == NULL || rewriter.failed) {
        rewrite_free(result);
        snprintf(error, PTX_ERROR_MAX, "out of memory");
        return NULL;
    }
    return result;
}

struct rewrite_result *rewrite_text(const char *text, size_t size, const char *kernels, char *error)
{
    struct ptx_module *module = ptx_parse(text, size, error);
    struct rewrite_result *result = module == NULL ? NULL : rewrite_module(module, kernels, error);
    ptx_free(module);
    return result;
}

void rewrite_free(struct rewrite_result *result)
{
    if (result != NULL) {
        for (size_t i = 0; i < result->kernel_count; i++) {
            free(result->kernels[i].untraced);
        }
        free(result->text);
        free(result->kernels);
        free(result->notes);
        free(result);
    }
}
