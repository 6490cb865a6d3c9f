/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * main.c - warpscope-nvcc: runs nvcc so that the compiled programs are traced.
 *
 * The program adds options to those of the user. The added options put this program in front of three
 * steps of nvcc (see nvcc.h), and link the tracing library.
 *
 * nvcc ignores options for a linker if it does not link, and prefixes of steps that it does not
 * execute. This program therefore does not need to interpret the options of the user.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "cli/child.h"
#include "cli/exit.h"
#include "nvcc/nvcc.h"
#include "text/text_new.h"

#define LIBRARY "-lwarpscope_cuda"

/* Arguments that this program puts before those of the user. The structure owns them. */
struct extra {
    char *prefix; /* command in front of a step, quoted for the shell that nvcc uses */
    char *wrap;   /* --wrap=NAME for each wrapped function, separated by commas */
    char *search; /* -LDIR, with the directory of the tracing library */
};

static void prefix_print(const void *self, FILE *out)
{
    ws_shell_print(out, self, strlen(self));
    fputs(" " NVCC_STEP, out);
}

static void wrap_print(const void *none, FILE *out)
{
    (void)none;
    for (size_t i = 0; nvcc_wrapped[i] != NULL; i++) {
        fprintf(out, "%s--wrap=%s", i == 0 ? "" : ",", nvcc_wrapped[i]);
    }
}

/* Prints a message for each program of nvcc that is missing, since nvcc's own message may come from
 * a shell only. */
static void missing_say(const struct nvcc_paths *paths)
{
    static const char *const programs[] = {"ptxas", "fatbinary", "cudafe++"};
    for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++) {
        if (!nvcc_paths_has(paths, programs[i])) {
            nvcc_say("%s: is neither beside %s nor in PATH", programs[i], paths->nvcc);
        }
    }
}

/* Adds a note for the user if user[at] is a PTX input file: nvcc passes such a file to ptxas
 * directly, so that it is not rewritten. */
static void input_check(char **user, size_t at)
{
    const char *word = user[at];
    size_t length = strlen(word);
    bool is_output =
        at > 0 && (strcmp(user[at - 1], "-o") == 0 || strcmp(user[at - 1], "--output-file") == 0);
    if (length > 4 && strcmp(word + length - 4, ".ptx") == 0 && word[0] != '-' && !is_output) {
        nvcc_note("%s: PTX is taken as it is; warpscope-ptx rewrites it", word);
    }
}

/* Runs nvcc with the added arguments and those of the user. Returns the exit status for this
 * program. */
static int compile(struct nvcc_paths *paths, const struct extra *extra, char **user,
                   const struct nvcc_options *options)
{
    static char cudafe[] = "--cudafe-prefix", cicc[] = "--cicc-prefix", ptxas[] = "--ptxas-prefix",
                linker[] = "-Xlinker", library[] = LIBRARY;
    char *const before[] = {paths->nvcc,   cudafe,        extra->prefix, cicc,
                            extra->prefix, ptxas,         extra->prefix, linker,
                            extra->wrap,   extra->search, library};
    const size_t n = sizeof before / sizeof before[0];
    size_t count = 0;
    int status;
    nvcc_notes_begin();
    while (user[count] != NULL) {
        input_check(user, count++);
    }
    char **all = malloc((n + count + 1) * sizeof *all);
    if (all == NULL) {
        nvcc_say("out of memory");
        return WS_EXIT_DAMAGED;
    }
    memcpy(all, before, sizeof before);
    memcpy(all + n, user, (count + 1) * sizeof *all);
    int error = ws_child_run(all, &status);
    free(all);
    if (error != 0) {
        nvcc_say("%s: cannot be run: %s", paths->nvcc, strerror(error));
        return WS_EXIT_DAMAGED;
    }
    nvcc_notes_end(options->is_quiet);
    if (status != 0) {
        missing_say(paths);
    }
    return ws_child_status(status);
}

/* Prints the options for a linker other than nvcc, quoted for a shell where necessary. */
static int link_print(const struct extra *extra)
{
    printf("-Wl,%s ", extra->wrap);
    ws_shell_print(stdout, extra->search, strlen(extra->search));
    puts(" " LIBRARY);
    return fflush(stdout) == 0 ? WS_EXIT_OK : WS_EXIT_DAMAGED;
}

int main(int argc, char **argv)
{
    struct nvcc_paths paths;
    struct nvcc_options options;
    int status;
    if (argc > 1 && strcmp(argv[1], NVCC_STEP) == 0) {
        return nvcc_step(argv + 2);
    }
    char **user = argv + (argc > 0);
    if (!nvcc_options_take(&options, user, &status)) {
        return status;
    }
    if (!nvcc_paths_find(&paths, options.nvcc)) {
        return WS_EXIT_DAMAGED;
    }
    size_t size;
    struct extra extra = {nvcc_printed(prefix_print, paths.self, &size),
                          nvcc_printed(wrap_print, NULL, &size),
                          /* without quotes: nvcc puts the option in double quotes before a shell
                           * reads it */
                          text_new("-L%s", paths.library)};
    bool good = extra.prefix != NULL && extra.wrap != NULL && extra.search != NULL;
    if (extra.search == NULL) {
        nvcc_say("out of memory");
    }
    status = !good             ? WS_EXIT_DAMAGED
             : options.is_link ? link_print(&extra)
                               : compile(&paths, &extra, user, &options);
    free(extra.prefix);
    free(extra.wrap);
    free(extra.search);
    return status;
}
