/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * superblock.h - the first bytes of a record file, which describe its contents and how to read it
 * (internal to format/).
 *
 *     0  8 bytes magic                   32  u64 extent_size
 *     8  u16 version major               40  u32 n_pes
 *    10  u16 version minor               44  u32 stream
 *    12  u32 size, multiple of 8         48  u32 offset of the sections: 64
 *    16  u64 file_id                     52  12 bytes zero
 *    24  u64 first_extent                64  sections
 *                                    size-8  u64 xxh3 of all preceding bytes
 *
 * A section is u32 tag, u32 length, `length` bytes, and zeros up to a multiple of 8 bytes.
 *
 * Invariants
 *  B1  A reader skips sections with an unknown tag, unless bit 31 of the tag is set.
 *  B2  An entry to which later versions may append contains its length.
 *  B3  The superblock can be read without any other part of the file.
 */
#ifndef WARPSCOPE_FORMAT_SUPERBLOCK_H
#define WARPSCOPE_FORMAT_SUPERBLOCK_H

#include "format/format.h"

/* First bytes of a record file: a byte with the high bit set, "WSC", CR LF, the end-of-file
 * character, LF. A program that converts the file as text changes them, which reveals the
 * damage. */
#define FMT_MAGIC      "\x89WSC\r\n\x1a\n"
#define FMT_MAGIC_SIZE 8u

enum { FMT_SECTION_SCHEMA = 1, FMT_SECTION_RUN = 2 };
/* Bit of a tag: a reader that does not know the section must refuse the file. */
#define FMT_SECTION_CRITICAL 0x80000000u
/* Tag of the section that has the u32 number of encodings that columns may have. Files before
 * version 1.2 do not have this section. */
#define FMT_SECTION_ENCODINGS (FMT_SECTION_CRITICAL | 3u)

/* The byte before the first extent, until all PEs have their buffers; afterwards zero. A single byte
 * is there or not, whenever the run is killed. */
#define FMT_NEW_MARK      "N"
#define FMT_NEW_MARK_SIZE 1u

#define FMT_VERSION_MAJOR 1
#define FMT_VERSION_MINOR 2

#define FMT_SUPERBLOCK_FIXED 64u /* number of bytes before the first section in version 1.0 */
#define FMT_SUPERBLOCK_MAX   (1u << 20)  /* maximum size in bytes of a superblock */
#define FMT_FIRST_EXTENT_MAX (16u << 20) /* maximum offset of the first extent */
#define FMT_EXTENT_SIZE_MAX  (256u << 20)
#define FMT_PES_MAX          (1u << 20)
/* The offsets and sizes of all extents are multiples of this number of bytes. */
#define FMT_PAGE 4096u

/* Returns NULL if the layout is valid, otherwise the reason why it is not. */
const char *fmt_layout_check(const struct fmt_layout *layout);

/*
 * Reads the superblock into *sb and checks it; *size receives its size in bytes. *memory receives
 * the heap memory to which the strings and tables in *sb belong. The caller frees it with free();
 * it is NULL after an error.
 */
enum fmt_status fmt_superblock_read(const struct fmt_io *io, struct fmt_superblock *sb,
                                    uint64_t *size, void **memory, struct fmt_error *error);

#endif
