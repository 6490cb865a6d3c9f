/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fuzz_library.h - hostile recordings through the public interface of the reader's library.
 */
#ifndef WARPSCOPE_TESTS_FUZZ_LIBRARY_H
#define WARPSCOPE_TESTS_FUZZ_LIBRARY_H

#include <stdint.h>

/* Opens a file or directory, and reads all that the interface offers. choice: any number; it chooses
 * the selections. */
void fuzz_library(const char *path, uint64_t choice);

#endif
