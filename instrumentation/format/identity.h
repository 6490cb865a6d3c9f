/*
 * identity.h - what tells files apart: a hash of their bytes, the build id of a program. Facts of a
 * run hold both, so that a later one can be compared.
 */
#ifndef WARPSCOPE_FORMAT_IDENTITY_H
#define WARPSCOPE_FORMAT_IDENTITY_H

#include <stddef.h>
#include <stdint.h>

/* XXH3 (64 bits) of all bytes of a regular file, and how many there are. 0 or an errno value. */
int fmt_file_hash(const char *path, uint64_t *hash, uint64_t *size);

#define FMT_BUILD_ID_MAX 160u

/* The build id that the linker left in an ELF program, in hexadecimal digits; of a program that has
 * none, "xxh3:" and the hash of its bytes. 0 or an errno value. */
int fmt_build_id(const char *path, char id[FMT_BUILD_ID_MAX]);

#endif
