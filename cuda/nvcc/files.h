/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * files.h - whole files in memory.
 */
#ifndef WARPSCOPE_CUDA_NVCC_FILES_H
#define WARPSCOPE_CUDA_NVCC_FILES_H

#include <stdbool.h>
#include <stddef.h>

/* Reads a file. The caller frees *text, which has a zero byte after its *size bytes. Returns false
 * after a message. */
bool nvcc_file_read(const char *path, char **text, size_t *size);

/* Replaces the contents of a file by two texts, one behind the other. Returns false after a
 * message; then the file is removed. */
bool nvcc_file_write(const char *path, const char *first, size_t first_size, const char *second,
                     size_t second_size);

#endif
