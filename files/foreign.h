/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * foreign.h - tells what a file is that a program has got in place of one of its own.
 */
#ifndef WARPSCOPE_FILES_FOREIGN_H
#define WARPSCOPE_FILES_FOREIGN_H

#include <stddef.h>

#define FOREIGN_HEAD 264u /* number of bytes from which all kinds of files are recognised */

/* Returns what a file is, and what to do with it, as in ", but data compressed by gzip: decompress
 * it first (gunzip)". head: the first `size` bytes of the file, FOREIGN_HEAD if it has as many.
 * Returns "" if the kind is not known. */
const char *foreign_name(const void *head, size_t size);

#endif
