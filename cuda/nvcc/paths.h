/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * paths.h - the paths of nvcc, this program and the tracing library.
 */
#ifndef WARPSCOPE_CUDA_NVCC_PATHS_H
#define WARPSCOPE_CUDA_NVCC_PATHS_H

#include <limits.h>
#include <stdbool.h>

struct nvcc_paths {
    char self[PATH_MAX];    /* this program */
    char nvcc[PATH_MAX];    /* NVIDIA's nvcc */
    char library[PATH_MAX]; /* directory of the tracing library */
};

/*
 * Finds the paths. wanted: file or name of nvcc. With NULL, the search uses the environment
 * variable WARPSCOPE_NVCC, then PATH, CUDA_HOME, CUDA_PATH, and NVIDIA's usual directory. The
 * search skips this program if its file is named nvcc. Returns false after a message on stderr.
 */
bool nvcc_paths_find(struct nvcc_paths *paths, const char *wanted);

/* Returns true if a program is in the directory of nvcc or in PATH. */
bool nvcc_paths_has(const struct nvcc_paths *paths, const char *program);

#endif
