/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * files.h - reading and writing of whole files.
 */
#ifndef WARPSCOPE_CUDA_NVCC_FILES_H
#define WARPSCOPE_CUDA_NVCC_FILES_H

#include <stdbool.h>
#include <stddef.h>

/* Reads a whole file into *text, which the caller frees, and sets *size to the file's size in
 * bytes. A zero byte follows the text. If this fails, prints an error message and returns false. */
bool nvcc_file_read(const char *path, char **text, size_t *size);

/* Replaces the contents of a file by `first`, followed by `second`. If this fails, prints an error
 * message, removes the file and returns false. */
bool nvcc_file_write(const char *path, const char *first, size_t first_size, const char *second,
                     size_t second_size);

#endif
