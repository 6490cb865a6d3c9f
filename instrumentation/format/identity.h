/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * identity.h - identifies files: by a hash of the file's bytes, or by the build id of a program. A
 * record file states the hashes of its run's input files and the build id of its run's program, so
 * that a later run can be compared with that run.
 */
#ifndef WARPSCOPE_FORMAT_IDENTITY_H
#define WARPSCOPE_FORMAT_IDENTITY_H

#include <stddef.h>
#include <stdint.h>

/* Computes the hash (XXH3, 64 bits) and the size in bytes of the regular file at path. Returns 0 or
 * an errno value. */
int fmt_file_hash(const char *path, uint64_t *hash, uint64_t *size);

#define FMT_BUILD_ID_MAX 160u

/* Stores the build id of the ELF program at path in id, as hexadecimal digits. If the file has no
 * build id, stores "xxh3:" and the hash of its bytes. Returns 0 or an errno value. */
int fmt_build_id(const char *path, char id[FMT_BUILD_ID_MAX]);

#endif
