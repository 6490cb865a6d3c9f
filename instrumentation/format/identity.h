/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * identity.h - identity of files: a hash of their bytes, or the build id of a program. Facts of a
 * run hold both, for comparison with a later run.
 */
#ifndef WARPSCOPE_FORMAT_IDENTITY_H
#define WARPSCOPE_FORMAT_IDENTITY_H

#include <stddef.h>
#include <stdint.h>

/* Computes the hash (XXH3, 64 bits) and the size in bytes of a regular file. Returns 0 or an errno
 * value. */
int fmt_file_hash(const char *path, uint64_t *hash, uint64_t *size);

#define FMT_BUILD_ID_MAX 160u

/* Stores the build id of an ELF program in hexadecimal digits; for a file without build id, "xxh3:"
 * and the hash of its bytes. Returns 0 or an errno value. */
int fmt_build_id(const char *path, char id[FMT_BUILD_ID_MAX]);

#endif
