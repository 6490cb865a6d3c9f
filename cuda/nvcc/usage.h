/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * usage.h - the options that warpscope-nvcc has besides those of nvcc, with help, manual page and
 * completion.
 */
#ifndef WARPSCOPE_CUDA_NVCC_USAGE_H
#define WARPSCOPE_CUDA_NVCC_USAGE_H

#include <stdbool.h>

struct nvcc_options {
    bool is_quiet;
    bool is_link; /* true if the program must print the options for a linker */
    const char *nvcc;
};

/*
 * Removes the options of this program from argv, and sets *options. The remaining words are for
 * nvcc; argv stays terminated by NULL. Returns true if the program should continue. Otherwise, help
 * was printed on stdout, or one line on stderr, and *exit_status is set.
 */
bool nvcc_options_take(struct nvcc_options *options, char **argv, int *exit_status);

#endif
