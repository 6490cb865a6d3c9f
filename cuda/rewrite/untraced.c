/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Lists of the instructions that are not traced; see untraced.h. A kernel can call the functions
 * that its call instructions name, and those that these functions call. If one of the calls is
 * indirect, the kernel can call each function of the module.
 */
#define _GNU_SOURCE /* required for asprintf() */
#include "rewrite/untraced.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rewrite/plan.h"

/* Maximum number of instructions that are named for a kernel. */
enum { NAMES_MAX = 16 };

void untraced_add(struct untraced_list *list, struct ptx_text word)
{
    const size_t room = sizeof list->items / sizeof list->items[0];
    size_t i = 0;
    assert(list->n <= room);
    while (i < list->n && !ptx_same(list->items[i].word, word)) {
        i++;
    }
    if (i < room) {
        list->items[i].word = word;
        list->items[i].times = i == list->n ? 1 : list->items[i].times + 1;
        list->n += i == list->n;
    } else {
        list->others++;
    }
}

char *untraced_text(const struct untraced_list *list, size_t most)
{
    size_t others = list->others, size;
    char *text = NULL;
    FILE *out = list->n + others == 0 ? NULL : open_memstream(&text, &size);
    if (out == NULL) {
        return NULL;
    }
    for (size_t i = 0; i < list->n; i++) {
        struct ptx_text word = list->items[i].word;
        if (i < most) {
            fprintf(out, "%s%.*s (%zu)", i == 0 ? "" : ", ", (int)word.length, word.s,
                    list->items[i].times);
        } else {
            others += list->items[i].times;
        }
    }
    if (others > 0) {
        fprintf(out, "%sother (%zu)", list->n == 0 ? "" : ", ", others);
    }
    return fclose(out) == 0 ? text : NULL;
}

/* ---- Functions that a kernel can call --------------------------------------------------------- */

struct search {
    const struct ptx_module *module;
    bool *reached; /* [i]: functions[i] of the module was reached */
    size_t *stack; /* functions that were reached, whose calls are not followed yet */
    size_t n;
};

static void reach(struct search *s, size_t index)
{
    if (!s->reached[index]) {
        s->reached[index] = true;
        s->stack[s->n++] = index;
    }
}

static void call_follow(struct search *s, const struct ptx_operand *callee)
{
    if (callee != NULL && callee->function != NULL) {
        reach(s, callee->function->index);
    } else if (callee != NULL && callee->kind == PTX_REGISTER) {
        for (size_t i = 0; i < s->module->function_count; i++) {
            if (!s->module->functions[i]->entry) {
                reach(s, i);
            }
        }
    }
}

/* Marks the functions that the kernel functions[index] can call, and the kernel itself. */
static void kernel_follow(struct search *s, size_t index)
{
    memset(s->reached, 0, s->module->function_count * sizeof *s->reached);
    s->n = 0;
    reach(s, index);
    while (s->n > 0) {
        const struct ptx_function *f = s->module->functions[s->stack[--s->n]];
        for (size_t i = 0; i < f->statement_count; i++) {
            const struct ptx_instruction *in = f->statements[i].instruction;
            if (in != NULL && ptx_is(in->word, "call")) {
                call_follow(s, plan_callee(in));
            }
        }
    }
}

/* Adds the notes of the functions that were reached. The notes are in the order of functions. */
static void notes_list(const struct search *s, const struct rewrite_result *result,
                       struct untraced_list *list)
{
    size_t at = 0;
    for (size_t i = 0; i < result->note_count; i++) {
        const struct rewrite_note *note = &result->notes[i];
        while (s->module->functions[at]->name.s != note->function.s) {
            at++;
        }
        assert(at < s->module->function_count);
        if (s->reached[at]) {
            untraced_add(list, note->reason == NULL ? note->instruction : note->function);
        }
    }
}

static void kernel_list(struct search *s, size_t index, const struct rewrite_result *result,
                        struct rewrite_kernel *kernel)
{
    if (kernel->reason != NULL) {
        if (asprintf(&kernel->untraced, "all accesses, since %s", kernel->reason) < 0) {
            kernel->untraced = NULL;
        }
    } else if (result->note_count > 0) {
        struct untraced_list list = {.n = 0};
        kernel_follow(s, index);
        notes_list(s, result, &list);
        kernel->untraced = untraced_text(&list, NAMES_MAX);
    }
}

bool untraced_find(const struct ptx_module *module, struct rewrite_result *result)
{
    size_t n = module->function_count + 1, kernels = 0;
    struct search s = {.module = module,
                       .reached = malloc(n * sizeof *s.reached),
                       .stack = malloc(n * sizeof *s.stack)};
    bool good = s.reached != NULL && s.stack != NULL;
    for (size_t i = 0; good && i < module->function_count; i++) {
        if (module->functions[i]->entry && module->functions[i]->body) {
            kernel_list(&s, i, result, &result->kernels[kernels++]);
        }
    }
    free(s.reached);
    free(s.stack);
    return good;
}
