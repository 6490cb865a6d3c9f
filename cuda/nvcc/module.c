/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * module.c - rewrites the PTX of one source file, and adds a table of its traced kernels to the
 * host code; see module.h.
 */
#include "nvcc/module.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "nvcc/files.h"
#include "nvcc/say.h"
#include "ptx/ptx.h"
#include "rewrite/rewrite.h"

/* maximum number of instructions that one note names */
#define NAMES_MAX 5

/* ---- Table of kernels ------------------------------------------------------------------------ */

/* Prints the table of traced kernels to out, as C++ code that registers the table
 * (trace/kernels.h). The code declares its own types, since the host code does not include headers
 * of Warpscope. */
static void table_print(const struct rewrite_result *result, size_t n, FILE *out)
{
    assert(n > 0 && n <= result->kernel_count);
    fputs("\n#pragma GCC diagnostic push\n"
          "#pragma GCC diagnostic ignored \"-Wpedantic\"\n"
          "struct __warpscope_kernel { const char *name; unsigned parameters; };\n"
          "extern \"C\" void warpscope_cuda_kernels(const struct __warpscope_kernel *, "
          "__SIZE_TYPE__);\n"
          "static const struct __warpscope_kernel __warpscope_kernels[] = {\n",
          out);
    for (size_t i = 0; i < result->kernel_count; i++) {
        const struct rewrite_kernel *k = &result->kernels[i];
        if (k->reason == NULL) {
            fprintf(out, "    {\"%.*s\", %" PRIu32 "},\n", (int)k->name.length, k->name.s,
                    k->parameters);
        }
    }
    fprintf(out,
            "};\n"
            "static void __warpscope_add(void) __attribute__((__constructor__, __used__));\n"
            "static void __warpscope_add(void) { warpscope_cuda_kernels(__warpscope_kernels, %zu); "
            "}\n"
            "#pragma GCC diagnostic pop\n",
            n);
}

static bool table_add(const struct rewrite_result *result, const char *stub)
{
    char *before = NULL, *table = NULL;
    size_t before_size = 0, table_size = 0, n = 0;
    for (size_t i = 0; i < result->kernel_count; i++) {
        n += result->kernels[i].reason == NULL;
    }
    if (n == 0) {
        return true;
    }
    FILE *out = open_memstream(&table, &table_size);
    if (out != NULL) {
        table_print(result, n, out);
    }
    bool good = out != NULL && fclose(out) == 0;
    if (!good) {
        nvcc_say("out of memory");
    }
    good = good && nvcc_file_read(stub, &before, &before_size) &&
           nvcc_file_write(stub, before, before_size, table, table_size);
    free(before);
    free(table);
    return good;
}

/* ---- Notes ----------------------------------------------------------------------------------- */

/* The distinct instructions that rewriter notes of one kind name (see struct rewrite_note), and the
 * number of these notes for each instruction. */
struct list {
    struct {
        struct ptx_text word;
        size_t times;
    } items[64]; /* further instructions are ignored */
    size_t n;
};

static void list_add(struct list *list, struct ptx_text word)
{
    size_t i = 0;
    assert(list->n <= sizeof list->items / sizeof list->items[0]);
    while (i < list->n && (list->items[i].word.length != word.length ||
                           memcmp(list->items[i].word.s, word.s, word.length) != 0)) {
        i++;
    }
    if (i < sizeof list->items / sizeof list->items[0]) {
        list->items[i].word = word;
        list->items[i].times = i == list->n ? 1 : list->items[i].times + 1;
        list->n += i == list->n;
    }
}

/* Passes one line to nvcc_note(): the distinct instructions in the result's notes of this kind, and
 * the number of these notes for each instruction. */
static void list_note(const struct rewrite_result *result, enum rewrite_note_kind kind,
                      const char *source, const char *what)
{
    struct list list = {.n = 0};
    char text[1024];
    size_t used = 0;
    for (size_t i = 0; i < result->note_count; i++) {
        if (result->notes[i].kind == kind) {
            list_add(&list, result->notes[i].instruction);
        }
    }
    text[0] = '\0';
    for (size_t i = 0; i < list.n && i < NAMES_MAX; i++) {
        int more =
            snprintf(text + used, sizeof text - used, "%s%.*s (%zu)", i == 0 ? "" : ", ",
                     (int)list.items[i].word.length, list.items[i].word.s, list.items[i].times);
        used += more > 0 && (size_t)more < sizeof text - used ? (size_t)more : 0;
    }
    assert(used < sizeof text);
    if (list.n > 0) {
        nvcc_note("%s: %s: %s%s", source, what, text, list.n > NAMES_MAX ? ", ..." : "");
    }
}

static void notes_write(const struct rewrite_result *result, const char *source)
{
    list_note(result, REWRITE_UNTRACED, source, "accesses that are not traced");
    list_note(result, REWRITE_UNKNOWN, source, "unknown instructions, not traced");
    for (size_t i = 0; i < result->kernel_count; i++) {
        const struct rewrite_kernel *k = &result->kernels[i];
        if (k->reason != NULL) {
            nvcc_note("%s: kernel %.*s is not traced: %s", source, (int)k->name.length, k->name.s,
                      k->reason);
        }
    }
}

/* ---- Rewriting of a file --------------------------------------------------------------------- */

bool nvcc_module_rewrite(const char *ptx, const char *stub, const char *source)
{
    char *text, error[PTX_ERROR_MAX] = "";
    size_t size;
    if (!nvcc_file_read(ptx, &text, &size)) {
        return false;
    }
    struct ptx_module *module = ptx_parse(text, size, error);
    struct rewrite_result *result = module == NULL ? NULL : rewrite_module(module, error);
    bool good = result != NULL;
    if (good) {
        good = nvcc_file_write(ptx, result->text, result->size, "", 0) &&
               (stub == NULL || table_add(result, stub));
        notes_write(result, source);
    } else {
        nvcc_say("%s: its PTX cannot be traced: %s", source, error);
    }
    if (!good) {
        unlink(ptx);
    }
    rewrite_free(result);
    ptx_free(module);
    free(text);
    return good;
}
