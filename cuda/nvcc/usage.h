/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * usage.h - the own options of warpscope-nvcc, with help, manual page and completion.
 */
#ifndef WARPSCOPE_CUDA_NVCC_USAGE_H
#define WARPSCOPE_CUDA_NVCC_USAGE_H

#include <stdbool.h>

struct nvcc_options {
    bool is_quiet;
    bool is_link; /* true if the program prints the options for a linker */
    const char *nvcc;
};

/*
 * Removes the options of this program from argv, which stays terminated by NULL; the rest is for
 * nvcc. Returns true if the program should continue. Otherwise help was printed on stdout, or one
 * line on stderr, and *exit_status is set.
 */
bool nvcc_options_take(struct nvcc_options *options, char **argv, int *exit_status);

#endif
