/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * paths.h - where nvcc, this program and the tracing library are.
 */
#ifndef WARPSCOPE_CUDA_NVCC_PATHS_H
#define WARPSCOPE_CUDA_NVCC_PATHS_H

#include <limits.h>
#include <stdbool.h>

struct nvcc_paths {
    char self[PATH_MAX];    /* this program */
    char nvcc[PATH_MAX];    /* the real nvcc */
    char library[PATH_MAX]; /* the directory of the tracing library */
};

/*
 * Fills *paths. wanted: file or name of nvcc; NULL: the environment variable WARPSCOPE_NVCC, nvcc in
 * PATH, in CUDA_HOME, CUDA_PATH, and where NVIDIA installs it. This program under the name of nvcc
 * is passed over. Returns false after a message.
 */
bool nvcc_paths_find(struct nvcc_paths *paths, const char *wanted);

/* Returns whether a program is beside nvcc or in PATH. */
bool nvcc_paths_has(const struct nvcc_paths *paths, const char *program);

#endif
