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
#include "data/cell.h"
#include "rewrite/rewrite.h"
#include "text/json.h"

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
                "  ptxas -arch=sm_90 traced.ptx -o traced.cubin\n"
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

/* ---- Report as text --------------------------------------------------------------------------- */

static const char *plural(uint64_t number)
{
    return number == 1 ? "" : "s";
}

static void print(FILE *out, struct ptx_text text)
{
    fwrite(text.s, 1, text.length, out);
}

static void kernels_print(FILE *out, const struct rewrite_result *result)
{
    fprintf(out, "kernels:%s\n", result->kernel_count == 0 ? " none" : "");
    for (size_t i = 0; i < result->kernel_count; i++) {
        const struct rewrite_kernel *kernel = &result->kernels[i];
        fprintf(out, "  line %" PRIu32 ": ", kernel->line);
        print(out, kernel->name);
        fprintf(out, ", %" PRIu32 " parameter%s", kernel->parameters, plural(kernel->parameters));
        if (kernel->reason != NULL) {
            fprintf(out, "; not traced: %s", kernel->reason);
        }
        fputc('\n', out);
    }
}

static void notes_print(FILE *out, const struct rewrite_result *result)
{
    fprintf(out, "not traced:%s\n", result->note_count == 0 ? " none" : "");
    for (size_t i = 0; i < result->note_count; i++) {
        const struct rewrite_note *note = &result->notes[i];
        fprintf(out, "  line %" PRIu32 ": ", note->line);
        print(out, note->instruction);
        fputs(" in ", out);
        print(out, note->function);
        fprintf(out, "%s%s%s\n", note->kind == REWRITE_UNKNOWN ? " (unknown instruction)" : "",
                note->reason == NULL ? "" : ": ", note->reason == NULL ? "" : note->reason);
    }
}

static void report_text(FILE *out, const struct rewrite_result *result)
{
    const struct rewrite_counts *c = &result->counts;
    if (result->already) {
        fputs("The module was rewritten before; it is unchanged.\n", out);
    } else {
        fprintf(out,
                "traced: %" PRIu64 " load%s, %" PRIu64 " store%s, %" PRIu64 " atomic%s; %" PRIu64
                " of these with generic addresses\n",
                c->loads, plural(c->loads), c->stores, plural(c->stores), c->atomics,
                plural(c->atomics), c->generic);
        fprintf(out, "other spaces: %" PRIu64 "\n", c->other_spaces);
        fprintf(out, "traced device functions: %" PRIu64 "\n", result->functions);
    }
    if (result->raised != NULL) {
        fprintf(out, "target raised to: %s\n", result->raised);
    }
    kernels_print(out, result);
    if (!result->already) {
        notes_print(out, result);
    }
}

/* Writes one line to out for each traced kernel: its name, a tab, and the number of its parameters
 * without the hidden one. */
static void report_names(FILE *out, const struct rewrite_result *result)
{
    for (size_t i = 0; i < result->kernel_count; i++) {
        if (result->kernels[i].reason == NULL) {
            print(out, result->kernels[i].name);
            fprintf(out, "\t%" PRIu32 "\n", result->kernels[i].parameters);
        }
    }
}

/* ---- Report as JSON --------------------------------------------------------------------------- */

/* Writes a piece of text as a JSON string. Cuts the text if it does not fit in the array `copy`,
 * since identifiers may have any length. */
static void put_text(struct json_writer *writer, const char *key, struct ptx_text text)
{
    char copy[4096];
    size_t length = text.length < sizeof copy ? text.length : sizeof copy - 1;
    memcpy(copy, text.s, length);
    copy[length] = '\0';
    json_put_string(writer, key, copy);
}

static void put_reason(struct json_writer *writer, const char *reason)
{
    if (reason != NULL) {
        json_put_string(writer, "reason", reason);
    }
}

static void put_kernels(struct json_writer *writer, const struct rewrite_result *result)
{
    json_array_open(writer, "kernels");
    for (size_t i = 0; i < result->kernel_count; i++) {
        const struct rewrite_kernel *kernel = &result->kernels[i];
        json_object_open(writer, NULL);
        put_text(writer, "name", kernel->name);
        json_put_u64(writer, "line", kernel->line);
        json_put_u64(writer, "parameters", kernel->parameters);
        json_put_bool(writer, "traced", kernel->reason == NULL);
        put_reason(writer, kernel->reason);
        json_object_close(writer);
    }
    json_array_close(writer);
}

static void put_notes(struct json_writer *writer, const struct rewrite_result *result)
{
    json_array_open(writer, "not_traced");
    for (size_t i = 0; i < result->note_count; i++) {
        const struct rewrite_note *note = &result->notes[i];
        json_object_open(writer, NULL);
        json_put_u64(writer, "line", note->line);
        put_text(writer, "instruction", note->instruction);
        put_text(writer, "function", note->function);
        json_put_bool(writer, "known", note->kind != REWRITE_UNKNOWN);
        put_reason(writer, note->reason);
        json_object_close(writer);
    }
    json_array_close(writer);
}

static void report_json(FILE *out, const struct rewrite_result *result)
{
    struct json_writer writer = {.out = out};
    ws_document_open(&writer);
    json_put_bool(&writer, "already", result->already);
    if (result->raised != NULL) {
        json_put_string(&writer, "raised", result->raised);
    }
    json_put_u64(&writer, "loads", result->counts.loads);
    json_put_u64(&writer, "stores", result->counts.stores);
    json_put_u64(&writer, "atomics", result->counts.atomics);
    json_put_u64(&writer, "generic", result->counts.generic);
    json_put_u64(&writer, "other_spaces", result->counts.other_spaces);
    json_put_u64(&writer, "functions", result->functions);
    put_kernels(&writer, result);
    put_notes(&writer, result);
    json_object_close(&writer);
}

/* ---- Command ---------------------------------------------------------------------------------- */

static bool module_write(struct ws_outs *outs, const char *path,
                         const struct rewrite_result *result)
{
    struct ws_out *out = ws_out_begin(outs, path);
    return out != NULL && ws_out_write(out, result->text, result->size) && ws_out_end(out) &&
           ws_outs_publish(outs);
}

static void report(const struct command *c, const char *path, bool reports,
                   const struct rewrite_result *result)
{
    if (c->json) {
        report_json(stdout, result);
    } else if (c->names) {
        report_names(stdout, result);
    } else if (c->list) {
        report_text(stdout, result);
    } else if (!c->quiet && result->raised != NULL) {
        fprintf(stderr, "warpscope-ptx: %s: the target is raised to %s, which traces need\n", path,
                result->raised);
    }
    if (!reports && !c->quiet && result->note_count > 0) {
        fprintf(
            stderr,
            "warpscope-ptx: %s: %zu instruction%s may access global memory and %s not traced (see "
            "--list)\n",
            path, result->note_count, result->note_count == 1 ? "" : "s",
            result->note_count == 1 ? "is" : "are");
    }
    for (size_t i = 0; i < result->kernel_count && !reports && !c->quiet; i++) {
        const struct rewrite_kernel *kernel = &result->kernels[i];
        if (kernel->reason != NULL && kernel->reason != rewrite_left_out) {
            fprintf(stderr, "warpscope-ptx: %s: kernel %.*s is not traced: %s\n", path,
                    (int)kernel->name.length, kernel->name.s, kernel->reason);
        }
    }
}

/* Rewrites `text`, the contents of the file at path. If this fails, prints an error message on
 * standard error and returns NULL. */
static struct rewrite_result *rewrite(const char *path, const char *text, size_t size,
                                      const char *kernels)
{
    char error[PTX_ERROR_MAX];
    struct rewrite_result *result = rewrite_chosen(text, size, kernels, error);
    if (result == NULL) {
        fprintf(stderr, "warpscope-ptx: %s: %s\n", path, error);
    }
    return result;
}

static bool run(const struct command *c, const char *path, struct ws_outs *outs)
{
    const char *output = c->output;
    bool reports = c->json || c->names || c->list;
    struct rewrite_result *result = NULL;
    size_t size = 0;
    char *text = input_read(path, &size);
    bool good = text != NULL && (strcmp(path, "-") == 0 || ws_outs_protect(outs, path)) &&
                (result = rewrite(path, text, size, c->kernels)) != NULL;
    if (good && (output != NULL || !reports)) {
        good = module_write(outs, output == NULL ? "-" : output, result);
    }
    if (good) {
        report(c, path, reports, result);
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
