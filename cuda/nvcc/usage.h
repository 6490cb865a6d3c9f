/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * usage.h - the options of warpscope-nvcc itself, with --help, manual page and completion.
 */
#ifndef WARPSCOPE_CUDA_NVCC_USAGE_H
#define WARPSCOPE_CUDA_NVCC_USAGE_H

#include <stdbool.h>

struct nvcc_options {
    bool is_quiet;
    bool is_link; /* print what a linker needs */
    const char *nvcc;
};

/*
 * Takes the options of this program out of argv, which keeps a NULL at its end; the others are
 * nvcc's. Returns true if there is something to do. Otherwise help was printed to stdout, or one
 * line to stderr, and *exit_status is the program's exit status.
 */
bool nvcc_options_take(struct nvcc_options *options, char **argv, int *exit_status);

#endif
