/* SPDX-License-Identifier: BSD-3-Clause
 *
 * warpscope-ptx: rewrites a file of PTX, or reports what can be traced in it.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/args.h"
#include "cli/emit.h"
#include "cli/help.h"
#include "cli/out.h"
#include "document/document.h"
#include "rewrite/rewrite.h"

struct command {
    const char *output, *kernels; /* NULL: not given */
    bool list, json, names, quiet;
};

static const struct ws_option options[] = {
    {"output", "FILE",
     "file of the rewritten PTX, also -o; replaced if it\nexists; - is standard output (-)",
     WS_INTO(struct command, output)},
    {"list", NULL, "print a report: accesses, kernels, what is not traced",
     WS_INTO(struct command, list)},
    {"json", NULL, "print the report as JSON", WS_INTO(struct command, json)},
    {"names", NULL,
     "print traced kernels and the numbers of their\nparameters, without the hidden one",
     WS_INTO(struct command, names)},
    {"kernels", "LIST",
     "trace only kernels whose name in the PTX contains one of\nthese words, which commas separate",
     WS_INTO(struct command, kernels)},
    {"quiet", NULL, "no note on standard error of what is not traced",
     WS_INTO(struct command, quiet)},
    {"help", NULL, "print this and exit"},
    {NULL, NULL, NULL},
};
static const struct ws_section sections[] = {
    {"what is traced",
     "Loads, stores and atomic operations (ld, ldu, st, atom, red) of global memory,\n"
     "copies from and to it (cp.async, cp.async.bulk, cp.reduce.async.bulk), and\n"
     "matrices (wmma.load, wmma.store) in 32 equal parts, one for each lane.\n"
     "Generic addresses are recorded if they lie in global memory when the instruction\n"
     "executes. Shared, local, parameter and constant memory is not recorded, nor are\n"
     "textures, surfaces, tensor operations and multimem;\n"
     "the report lists these, and unknown instructions.\n"},
    {"rewritten kernels",
     "Each kernel has one more parameter, the last one, of 8 bytes: the address of a\n"
     "slot for its records, or 0 for a launch that is not traced. The tracing library\n"
     "adds it to launches; warpscope-nvcc does all of this for whole programs. Kernels\n"
     "whose address is taken are launched by other kernels and are left unchanged, as\n"
     "are those whose parameters leave no room for one more.\n"},
    {NULL, NULL},
};
static const struct ws_usage usage = {
    .name = "ptx",
    .is_program = true,
    .operands = "[FILE]",
    .text = "Rewrites a module of PTX (up to version 9.x, with addresses of 64 bits) so that\n"
            "its kernels record their accesses to global memory. Reads FILE or, without one\n"
            "or with -, standard input. Text is only inserted, within lines or after the last\n"
            "one, but a version below 6.3 and a target below sm_70 are raised to these. A\n"
            "module that was rewritten before stays as it is. With a report, the module is\n"
            "written only if --output is given.\n",
    .options = options,
    .exit_status = "  0  the module was rewritten, and all output is written\n"
                   "  1  the PTX is damaged or cannot be traced, or the output was not written\n"
                   "  2  the command line is wrong\n",
    .examples = "Rewrite a module, and assemble it:\n"
                "  warpscope-ptx kernels.ptx -o traced.ptx\n"
                "  ptxas -c -arch=sm_90 traced.ptx -o traced.o\n"
                "  nvlink -arch=sm_90 traced.o -o traced.cubin\n"
                "What would not be traced?\n"
                "  warpscope-ptx --list kernels.ptx\n",
    .sections = sections,
    .see = "nvcc memtrace"};

/* ---- Input ------------------------------------------------------------------------------------ */

static char *input_read(const char *path, size_t *size)
{
    char *text = ptx_read(strcmp(path, "-") == 0 ? stdin : fopen(path, "re"), size);
    if (text == NULL) {
        fprintf(stderr, "warpscope-ptx: %s: cannot read: %s\n", path, strerror(errno));
    }
    return text;
}

/* ---- Reports ---------------------------------------------------------------------------------- */

static struct doc_cell text_cell(struct doc *doc, struct ptx_text text)
{
    return doc_text(doc, "%.*s", (int)text.length, text.s);
}

static struct doc_cell reason_cell(const char *reason)
{
    return doc_if(reason != NULL, doc_name(reason));
}

static void kernels_add(struct doc *doc, const struct rewrite_result *result)
{
    struct doc_table *t = doc_table(doc, "kernels", "kernels",
                                    "name$|line|parameters|traced|reason$=not traced, since");
    t->none = "none";
    for (size_t i = 0; i < result->kernel_count; i++) {
        const struct rewrite_kernel *k = &result->kernels[i];
        doc_row(t, text_cell(doc, k->name), doc_number(k->line), doc_number(k->parameters),
                doc_bool(k->reason == NULL), reason_cell(k->reason));
    }
}

static void notes_add(struct doc *doc, const struct rewrite_result *result)
{
    struct doc_table *t =
        doc_table(doc, "not_traced", result->already ? NULL : "not traced",
                  "line|instruction$|function$|known=known instruction|reason$=since");
    t->none = "none";
    for (size_t i = 0; i < result->note_count; i++) {
        const struct rewrite_note *n = &result->notes[i];
        doc_row(t, doc_number(n->line), text_cell(doc, n->instruction), text_cell(doc, n->function),
                doc_bool(n->kind != REWRITE_UNKNOWN), reason_cell(n->reason));
    }
}

static void counts_print(const struct rewrite_result *result)
{
    const struct rewrite_counts *c = &result->counts;
    if (result->already) {
        puts("The module was rewritten before; it is unchanged.");
    } else {
        printf("traced: loads %" PRIu64 ", stores %" PRIu64 ", atomics %" PRIu64
               "; with generic addresses %" PRIu64 "\nother spaces: %" PRIu64
               "\ntraced device functions: %" PRIu64 "\n",
               c->loads, c->stores, c->atomics, c->generic, c->other_spaces, result->functions);
    }
    if (result->raised != NULL) {
        printf("target raised to: %s\n", result->raised);
    }
}

/* Prints the report as text or as JSON. Returns false after an error message. */
static bool report_print(const struct rewrite_result *result, bool is_json)
{
    const struct rewrite_counts *c = &result->counts;
    struct json_writer json = {.out = stdout};
    struct doc doc = {.n = 0};
    kernels_add(&doc, result);
    notes_add(&doc, result);
    bool good = !doc.no_memory;
    if (good && is_json) {
        ws_document_open(&json);
        ws_put(&json, "already|raised|loads|stores|atomics|generic|other_spaces|functions",
               doc_bool(result->already), reason_cell(result->raised), doc_count(c->loads),
               doc_count(c->stores), doc_count(c->atomics), doc_count(c->generic),
               doc_count(c->other_spaces), doc_count(result->functions));
        good = doc_json(&json, &doc);
        json_object_close(&json);
    } else if (good) {
        counts_print(result);
        good = doc_print(stdout, &doc);
    }
    doc_free(&doc);
    if (!good) {
        fputs("warpscope-ptx: out of memory\n", stderr);
    }
    return good;
}

/* Prints one line for each traced kernel: its name, a tab, and the number of its parameters without
 * the hidden one. */
static void names_print(const struct rewrite_result *result)
{
    for (size_t i = 0; i < result->kernel_count; i++) {
        const struct rewrite_kernel *k = &result->kernels[i];
        if (k->reason == NULL) {
            printf("%.*s\t%" PRIu32 "\n", (int)k->name.length, k->name.s, k->parameters);
        }
    }
}

/* ---- Command ---------------------------------------------------------------------------------- */

static bool module_write(struct ws_outs *outs, const char *path,
                         const struct rewrite_result *result)
{
    struct ws_out *out = ws_out_begin(outs, path);
    return out != NULL && ws_out_write(out, result->text, result->size) && ws_out_end(out) &&
           ws_outs_publish(outs);
}

/* Prints notes on standard error of what is not traced. */
static void notes_print(const char *path, const struct rewrite_result *result)
{
    if (result->raised != NULL) {
        fprintf(stderr, "warpscope-ptx: %s: the target is raised to %s, which traces need\n", path,
                result->raised);
    }
    if (result->note_count > 0) {
        fprintf(
            stderr,
            "warpscope-ptx: %s: %zu instruction%s may access global memory and %s not traced (see "
            "--list)\n",
            path, result->note_count, result->note_count == 1 ? "" : "s",
            result->note_count == 1 ? "is" : "are");
    }
    for (size_t i = 0; i < result->kernel_count; i++) {
        const struct rewrite_kernel *kernel = &result->kernels[i];
        if (kernel->reason != NULL && kernel->reason != rewrite_left_out) {
            fprintf(stderr, "warpscope-ptx: %s: kernel %.*s is not traced: %s\n", path,
                    (int)kernel->name.length, kernel->name.s, kernel->reason);
        }
    }
}

static bool run(const struct command *c, const char *path, struct ws_outs *outs)
{
    const char *output = c->output;
    bool reports = c->json || c->names || c->list;
    struct rewrite_result *result = NULL;
    size_t size = 0;
    char *text = input_read(path, &size), error[PTX_ERROR_MAX];
    bool good = text != NULL && (strcmp(path, "-") == 0 || ws_outs_protect(outs, path));
    if (good && (result = rewrite_text(text, size, c->kernels, error)) == NULL) {
        fprintf(stderr, "warpscope-ptx: %s: %s\n", path, error);
        good = false;
    }
    if (good && (output != NULL || !reports)) {
        good = module_write(outs, output == NULL ? "-" : output, result);
    }
    if (good && c->names) {
        names_print(result);
    } else if (good && reports) {
        good = report_print(result, c->json);
    } else if (good && !c->quiet) {
        notes_print(path, result);
    }
    rewrite_free(result);
    free(text);
    return good;
}

static int check(const struct command *c, const struct ws_args *args)
{
    int reports = (c->json) + (c->names) + (c->list);
    if (args->n_operands > 1) {
        return ws_usage_error(&usage, "takes one file, not %d", args->n_operands);
    }
    if (reports > 1) {
        return ws_usage_error(&usage, "--list, --json and --names exclude each other");
    }
    if (reports == 1 && c->output != NULL && strcmp(c->output, "-") == 0) {
        return ws_usage_error(&usage, "the report and the PTX cannot both go to standard output");
    }
    return WS_EXIT_OK;
}

int main(int argc, char **argv)
{
    static const char summary[] = "rewrite PTX so that kernels record their accesses to memory";
    struct ws_args args;
    struct command c = {.output = NULL};
    struct ws_outs outs = {.force = true};
    int status = WS_EXIT_OK;
    if (argc == 2 && ws_help_write(&usage, argv[1], summary)) {
        return fflush(stdout) == 0 ? WS_EXIT_OK : WS_EXIT_DAMAGED;
    }
    if (!ws_args_parse(&args, &usage, &c, argc, argv, &status) ||
        (status = check(&c, &args)) != WS_EXIT_OK) {
        return status;
    }
    bool good = run(&c, args.n_operands == 0 ? "-" : args.operands[0], &outs);
    status = outs.pipe_errno != 0 ? ws_output_failed(outs.pipe_errno)
             : good               ? WS_EXIT_OK
                                  : WS_EXIT_DAMAGED;
    ws_outs_free(&outs);
    errno = 0;
    if (status != WS_EXIT_OUTPUT && (fflush(stdout) != 0 || ferror(stdout))) {
        status = ws_output_failed(errno);
    }
    return status == WS_EXIT_OUTPUT ? WS_EXIT_DAMAGED : status;
}
