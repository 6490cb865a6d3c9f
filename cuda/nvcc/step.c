/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * step.c - the steps of nvcc that run through this program; see nvcc.h.
 */
#include "nvcc/nvcc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "cli/child.h"
#include "cli/exit.h"

/* Returns the argument after the last occurrence of an option, or NULL. */
static const char *value_of(char **argv, const char *option)
{
    const char *value = NULL;
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
    const char *program = strrchr(argv[0], '/');
    if (strcmp(program == NULL ? argv[0] : program + 1, "cudafe++") == 0) {
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
    int error = ws_child_run(argv, &status);
    if (error != 0) {
        nvcc_say("%s: cannot be run: %s", argv[0], strerror(error));
        return WS_EXIT_DAMAGED;
    }
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        return ws_child_status(status);
    }
    return part_do(argv, source) ? WS_EXIT_OK : WS_EXIT_DAMAGED;
}
