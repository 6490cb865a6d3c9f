/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * step.c - the steps of nvcc that run through this program; see nvcc.h.
 */
#include "nvcc/nvcc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/child.h"
#include "cli/exit.h"
#include "rewrite/device.h"
#include "text/text_new.h"

/* Returns the argument after the last occurrence of an option, or NULL. */
static char *value_of(char **argv, const char *option)
{
    char *value = NULL;
    for (char **word = argv; word[0] != NULL; word++) {
        if (strcmp(word[0], option) == 0 && word[1] != NULL) {
            value = word[1];
        }
    }
    return value;
}

/* Returns true if a list of words, terminated by NULL, has the word. */
static bool has_word(const char *const *list, const char *word)
{
    while (*list != NULL && strcmp(*list, word) != 0) {
        list++;
    }
    return *list != NULL;
}

static bool is_program(char **argv, const char *name)
{
    const char *slash = strrchr(argv[0], '/');
    return strcmp(slash == NULL ? argv[0] : slash + 1, name) == 0;
}

/* Returns true if the PTX in a file calls the functions that record accesses. */
static bool is_traced(const char *ptx)
{
    char *text;
    size_t size;
    bool traced = nvcc_file_read(ptx, &text, &size) && strstr(text, "call " DEVICE_RECORD) != NULL;
    free(text);
    return traced;
}

/* Assembles a rewritten module as a part of a program, and links it alone, since ptxas compiles the
 * functions of whole programs again for each kernel that calls them. Returns false if the command must
 * run as it is: for other modules, for parts of programs and for debuggers, or because one of both
 * programs refuses this: ptxas functions with several results, nvlink names without definitions. */
static bool part_assemble(char **argv)
{
    const char *const *words = (const char *const *)argv;
    char *out = value_of(argv, "-o"), *arch = NULL, *ptx = NULL, alone[] = "-c";
    size_t n = 0, at = 0;
    for (; argv[n] != NULL; n++) {
        size_t length = strlen(argv[n]);
        arch = strncmp(argv[n], "-arch=", 6) == 0 ? argv[n] : arch;
        ptx = length > 4 && strcmp(argv[n] + length - 4, ".ptx") == 0 ? argv[n] : ptx;
        at = argv[n] == out ? n : at;
    }
    if (out == NULL || arch == NULL || ptx == NULL || has_word(words, "--compile-only") ||
        has_word(words, "-c") || has_word(words, "-g") || !is_traced(ptx)) {
        return false;
    }
    char *part = text_new("%s.o", out), **all = malloc((n + 2) * sizeof *all);
    bool done = false;
    if (part != NULL && all != NULL) {
        char *const link[] = {"sh", "-c", "exec nvlink \"$@\" 2>/dev/null", "sh", arch, part, "-o",
                              out,  NULL};
        int status;
        memcpy(all + 1, argv, (n + 1) * sizeof *all);
        all[0] = argv[0];
        all[1] = alone;
        all[at + 1] = part;
        done = ws_child_run(all, &status) == 0 && status == 0 && ws_child_run(link, &status) == 0 &&
               status == 0;
        unlink(part);
    }
    free(part);
    free(all);
    return done;
}

/* Prints what renames calls of wrapped functions in the host code that follows, so that they call
 * functions of the tracing library. */
static void renames_print(const void *none, FILE *out)
{
    (void)none;
    for (size_t i = 0; nvcc_wrapped[i] != NULL; i++) {
        fprintf(out, "#pragma redefine_extname %s __wrap_%s\n", nvcc_wrapped[i], nvcc_wrapped[i]);
    }
}

/* Processes the output of a step that has succeeded. If this fails, prints an error message and
 * returns false. */
static bool part_do(char **argv, const char *source)
{
    const char *code = value_of(argv, "--gen_c_file_name"), *stub;
    if (is_program(argv, "cudafe++")) {
        return code == NULL || nvcc_file_add(code, false, renames_print, NULL);
    }
    const char *ptx = value_of(argv, "-o");
    stub = value_of(argv, "--stub_file_name");
    return ptx == NULL || nvcc_module_rewrite(ptx, stub, source);
}

/* Returns the reason why cicc does not write PTX with these options, or NULL if it writes PTX. */
static const char *reason_of(char **argv)
{
    const char *const *words = (const char *const *)argv;
    if (has_word(words, "-olto") || has_word(words, "-lto")) {
        return "link-time optimisation (-dlto, lto_NN) compiles to something other than PTX; leave "
               "it out";
    }
    return has_word(words, "--emit-optix-ir") ? "-optix-ir compiles to something other than PTX"
                                              : NULL;
}

int nvcc_step(char **argv)
{
    int status;
    if (argv[0] == NULL) {
        nvcc_say(NVCC_STEP " is for nvcc");
        return WS_EXIT_USAGE;
    }
    const char *source = value_of(argv, "--orig_src_file_name");
    source = source == NULL ? "the source" : source;
    const char *reason = reason_of(argv);
    if (reason != NULL) {
        nvcc_say("%s: cannot be traced: %s", source, reason);
        return WS_EXIT_DAMAGED;
    }
    bool is_ptxas = is_program(argv, "ptxas");
    if (is_ptxas && part_assemble(argv)) {
        return WS_EXIT_OK;
    }
    int error = ws_child_run(argv, &status);
    if (error != 0) {
        nvcc_say("%s: cannot be run: %s", argv[0], strerror(error));
        return WS_EXIT_DAMAGED;
    }
    if (is_ptxas || !WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        return ws_child_status(status);
    }
    return part_do(argv, source) ? WS_EXIT_OK : WS_EXIT_DAMAGED;
}
