/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * paths.h - the paths of nvcc, this program and the tracing library.
 */
#ifndef WARPSCOPE_CUDA_NVCC_PATHS_H
#define WARPSCOPE_CUDA_NVCC_PATHS_H

#include <limits.h>
#include <stdbool.h>

struct nvcc_paths {
    char self[PATH_MAX];    /* path of this program */
    char nvcc[PATH_MAX];    /* path of NVIDIA's nvcc */
    char library[PATH_MAX]; /* path of the directory of the tracing library */
};

/*
 * Finds the paths. wanted: path or name of nvcc. If it is NULL, the search uses the environment
 * variable WARPSCOPE_NVCC, then PATH, CUDA_HOME, CUDA_PATH, and NVIDIA's usual directory. The
 * search skips this program if its file is named nvcc. If a path is not found, prints an error
 * message and returns false.
 */
bool nvcc_paths_find(struct nvcc_paths *paths, const char *wanted);

/* Returns true if the program named `program` is in the directory of nvcc or in PATH. */
bool nvcc_paths_has(const struct nvcc_paths *paths, const char *program);

#endif
