/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * corpus_raw.h - record files whose columns are stored as they are, made of ordinary ones.
 */
#ifndef WARPSCOPE_TESTS_CORPUS_RAW_H
#define WARPSCOPE_TESTS_CORPUS_RAW_H

#include "support/format_memory.h"

/* Prints what is wrong and ends the program unless good. */
void corpus_check(bool good, const char *what);

/* m becomes the same file with raw columns; extents are twice as large. */
void file_make_raw(struct memory_io *m);

#endif
