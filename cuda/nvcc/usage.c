/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * usage.c - the options that warpscope-nvcc has besides those of nvcc; see nvcc.h.
 */
#include "nvcc/nvcc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/args.h"
#include "cli/help.h"
#include "ross.config.h"

#define PREFIX "--warpscope-"

static const struct ws_option options[] = {
    {"warpscope-nvcc", "FILE", "the nvcc to drive; also WARPSCOPE_NVCC",
     WS_INTO(struct nvcc_options, nvcc), .min = 1},
    {"warpscope-kernels", "LIST",
     "trace only kernels whose mangled name contains one of\nthese words, separated by commas; "
     "ptxas "
     "takes less time",
     WS_INTO(struct nvcc_options, kernels)},
    {"warpscope-quiet", NULL, "no notes of what is not traced",
     WS_INTO(struct nvcc_options, is_quiet)},
    {"warpscope-link-options", NULL,
     "print the options with which another compiler links\ntraced objects",
     WS_INTO(struct nvcc_options, is_link)},
    {"warpscope-help", NULL, "print this and exit; --help is nvcc's own"},
    {"warpscope-version", NULL, "print the version of this program and exit",
     WS_INTO(struct nvcc_options, is_version)},
    {NULL, NULL, NULL},
};
static const struct ws_section sections[] = {
    {"what is traced",
     "Loads, stores and atomic operations on global memory, in all device code that\n"
     "this command compiles. The PTX that is assembled and the PTX that is embedded\n"
     "are both rewritten. Objects and libraries of plain nvcc are linked as they are.\n"
     "Accesses that cannot be traced, such as textures, are noted on standard error.\n"
     "With link-time optimisation (-dlto) there is no PTX; such a compilation fails.\n"},
    {"linking",
     "The command links the tracing library. CMake, which links CUDA programs itself,\n"
     "finds the library too. With another compiler, add the options printed by\n"
     "--warpscope-link-options; without them, warpscope_traced_kernels is undefined.\n"
     "clang is taken as the host compiler (-ccbin clang++), not as the CUDA compiler.\n"},
    {"environment", "  WARPSCOPE_NVCC          file of the nvcc to drive\n"
                    "  WARPSCOPE_NVCC_KERNELS  as with --warpscope-kernels\n"
                    "  WARPSCOPE_NVCC_QUIET    if set and not empty: as with --warpscope-quiet\n"
                    "  WARPSCOPE_MEMTRACE      for the compiled program: directory of its traces,\n"
                    "                          which warpscope memtrace record sets\n"},
    {NULL, NULL},
};
static const struct ws_usage usage = {
    .name = "nvcc",
    .is_program = true,
    .has_equals = true,
    .operands = "NVCC-OPTION-or-FILE...",
    .text = "Compiles CUDA programs with nvcc so that they write memory traces: which\n"
            "addresses each kernel loads and stores. It takes nvcc's own options and files,\n"
            "and stands where nvcc stands, in makefiles and in CMake.\n"
            "\n"
            "Traces are written when the program runs under warpscope memtrace record.\n",
    .options = options,
    .sections = sections,
    .exit_status = "  0  compiled\n"
                   "  1  nvcc or the tracing library is missing, or a file cannot be traced\n"
                   "  2  the command line is wrong\n"
                   "  N  the exit status of nvcc, which has failed\n",
    .examples = "Compile, run and look at who feeds whom:\n"
                "  warpscope-nvcc -O2 -o saxpy saxpy.cu\n"
                "  warpscope memtrace record -o traces -- ./saxpy\n"
                "  warpscope memtrace matrix traces/*\n"
                "A project of CMake:\n"
                "  cmake -B build -DCMAKE_CUDA_COMPILER=warpscope-nvcc\n"
                "Link traced objects with g++:\n"
                "  g++ -o prog *.o $(warpscope-nvcc --warpscope-link-options) -lcudart\n",
    .see = "memtrace"};

/* Prints the help. form: NULL or "" for text, "roff" for the manual page, or the name of a shell
 * for its completion. Returns the exit status. */
static int help_print(const char *form)
{
    char option[32];
    snprintf(option, sizeof option, "--help=%s", form == NULL ? "" : form);
    if (form == NULL) {
        ws_help_print(&usage, NULL, stdout);
    } else if (!ws_help_write(&usage, option, "compile CUDA programs that write memory traces")) {
        return ws_usage_error(&usage, "--warpscope-help=%s: must be roff, bash, zsh or fish", form);
    }
    return fflush(stdout) == 0 ? WS_EXIT_OK : WS_EXIT_DAMAGED;
}

/* Processes one option of this program. If the program should end, sets *exit_status and returns
 * false. */
static bool option_take(struct nvcc_options *o, char *word, int *exit_status)
{
    static const char help[] = PREFIX "help";
    const char *after = word + sizeof help - 1;
    struct ws_args args;
    if (strncmp(word, help, sizeof help - 1) == 0 && (*after == '\0' || *after == '=')) {
        *exit_status = help_print(*after == '=' ? after + 1 : NULL);
        return false;
    }
    if (!ws_args_parse(&args, &usage, o, 2, (char *[]){word, word, NULL}, exit_status)) {
        return false;
    }
    if (o->is_version) {
        puts("warpscope-nvcc " WARPSCOPE_VERSION);
        *exit_status = fflush(stdout) == 0 ? WS_EXIT_OK : WS_EXIT_DAMAGED;
    } else if (o->kernels != NULL && o->kernels[0] == '\0') {
        *exit_status = ws_usage_error(&usage, PREFIX "kernels needs words");
    } else if (o->kernels != NULL && setenv(NVCC_KERNELS, o->kernels, 1) != 0) {
        *exit_status = ws_usage_error(&usage, "%s cannot be set", NVCC_KERNELS);
    } else {
        return true;
    }
    return false;
}

bool nvcc_options_take(struct nvcc_options *o, char **argv, int *exit_status)
{
    const char *quiet = getenv("WARPSCOPE_NVCC_QUIET");
    char **kept = argv;
    *o = (struct nvcc_options){.is_quiet = quiet != NULL && quiet[0] != '\0'};
    for (char **word = argv; *word != NULL; word++) {
        if (strncmp(*word, PREFIX, sizeof PREFIX - 1) != 0) {
            *kept++ = *word;
        } else if (!option_take(o, *word, exit_status)) {
            return false;
        }
    }
    *kept = NULL;
    return true;
}
