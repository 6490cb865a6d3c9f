/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * module.c - rewrites the PTX of one source file, and adds a table of its kernels to the
 * host code; see nvcc.h.
 */
#include "nvcc/nvcc.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ptx/ptx.h"
#include "rewrite/untraced.h"

/* maximum number of instructions that one note names */
#define NAMES_MAX 5

/* ---- Table of kernels ------------------------------------------------------------------------ */

/* Prints the table of kernels to out, as C++ code that registers the table (trace/kernels.h). The
 * code declares its own types, since the host code does not include headers of Warpscope. */
static void table_print(const void *what, FILE *out)
{
    const struct rewrite_result *result = what;
    fputs("\n#pragma GCC diagnostic push\n"
          "#pragma GCC diagnostic ignored \"-Wpedantic\"\n"
          "struct __warpscope_kernel { const char *name; unsigned parameters, has_slot; "
          "const char *untraced; };\n"
          "extern \"C\" void warpscope_traced_kernels(const struct __warpscope_kernel *, "
          "__SIZE_TYPE__);\n"
          "static const struct __warpscope_kernel __warpscope_kernels[] = {\n",
          out);
    for (size_t i = 0; i < result->kernel_count; i++) {
        const struct rewrite_kernel *k = &result->kernels[i];
        const char *quote = k->untraced == NULL ? "" : "\"";
        fprintf(out, "    {\"%.*s\", %" PRIu32 ", %d, %s%s%s},\n", (int)k->name.length, k->name.s,
                k->parameters, k->reason == NULL, quote, k->untraced == NULL ? "0" : k->untraced,
                quote);
    }
    fprintf(
        out,
        "};\n"
        "static void __warpscope_add(void) __attribute__((__constructor__, __used__));\n"
        "static void __warpscope_add(void) { warpscope_traced_kernels(__warpscope_kernels, %zu); "
        "}\n"
        "#pragma GCC diagnostic pop\n",
        result->kernel_count);
}

/* ---- Notes ----------------------------------------------------------------------------------- */

/* Passes one line to nvcc_note(): the distinct instructions in the result's notes of this kind, and
 * the number of these notes for each instruction. */
static void list_note(const struct rewrite_result *result, enum rewrite_note_kind kind,
                      const char *source, const char *what)
{
    struct untraced_list list = {.n = 0};
    for (size_t i = 0; i < result->note_count; i++) {
        if (result->notes[i].kind == kind) {
            untraced_add(&list, result->notes[i].instruction);
        }
    }
    char *text = untraced_text(&list, NAMES_MAX);
    if (text != NULL) {
        nvcc_note("%s: %s: %s", source, what, text);
    }
    free(text);
}

static void notes_write(const struct rewrite_result *result, const char *source)
{
    list_note(result, REWRITE_UNTRACED, source, "accesses that are not traced");
    list_note(result, REWRITE_UNKNOWN, source, "unknown instructions, not traced");
    for (size_t i = 0; i < result->kernel_count; i++) {
        const struct rewrite_kernel *k = &result->kernels[i];
        if (k->reason != NULL && k->reason != rewrite_left_out) {
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
    struct rewrite_result *result = rewrite_text(text, size, getenv(NVCC_KERNELS), error);
    bool good = result != NULL;
    if (good) {
        good = nvcc_file_write(ptx, result->text, result->size, "", 0) &&
               (stub == NULL || result->kernel_count == 0 ||
                nvcc_file_add(stub, true, table_print, result));
        if (result->raised != NULL) {
            nvcc_note("%s: the target of its PTX is raised to %s, which traces need", source,
                      result->raised);
        }
        notes_write(result, source);
    } else {
        nvcc_say("%s: its PTX cannot be traced: %s", source, error);
    }
    if (!good) {
        unlink(ptx);
    }
    rewrite_free(result);
    free(text);
    return good;
}
