/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * corpus_raw.h - makes record files with uncompressed columns from ordinary ones.
 */
#ifndef WARPSCOPE_TESTS_CORPUS_RAW_H
#define WARPSCOPE_TESTS_CORPUS_RAW_H

#include "support/format_memory.h"

/* Prints the message and ends the program unless good. */
void corpus_check(bool good, const char *what);

/* Replaces m by the same file with raw columns, in extents of twice the size. */
void file_make_raw(struct memory_io *m);

#endif
