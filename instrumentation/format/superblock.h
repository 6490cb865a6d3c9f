/*
 * superblock.h - the first bytes of a file: what is in it and how to read it (inside format/ only).
 *
 *      0  8 bytes magic                   32  u64 extent_size
 *      8  u16 version major               40  u32 n_pes
 *     10  u16 version minor               44  u32 stream
 *     12  u32 size, multiple of 8         48  u32 where sections begin: 64
 *     16  u64 file_id                     52  12 bytes zero
 *     24  u64 first_extent                64  sections
 *                                     size-8  u64 xxh3 of all before
 *
 * A section is u32 tag, u32 length, length bytes, zeros to a multiple of 8. Invariants: (1) a
 * reader skips sections whose tag it does not know, unless bit 31 of the tag is set; (2) entries
 * that may grow carry their length; (3) nothing in the file beyond the superblock is needed to read
 * it.
 */
#ifndef WARPSCOPE_FORMAT_SUPERBLOCK_H
#define WARPSCOPE_FORMAT_SUPERBLOCK_H

#include "format/format.h"

/* Catches files that went through text conversion: high bit, CR LF, end of file, LF. */
#define FMT_MAGIC      "\x89WSC\r\n\x1a\n"
#define FMT_MAGIC_SIZE 8u

enum { FMT_SECTION_SCHEMA = 1, FMT_SECTION_RUN = 2 };
#define FMT_SECTION_CRITICAL 0x80000000u /* a reader that does not know it must give up */

#define FMT_VERSION_MAJOR 1
#define FMT_VERSION_MINOR 1

#define FMT_SUPERBLOCK_FIXED 64u         /* bytes before the first section, in version 1.0 */
#define FMT_SUPERBLOCK_MAX   (1u << 20)  /* bytes of a superblock */
#define FMT_FIRST_EXTENT_MAX (16u << 20) /* where extents may begin at most */
#define FMT_EXTENT_SIZE_MAX  (256u << 20)
#define FMT_PES_MAX          (1u << 20)
#define FMT_PAGE             4096u /* extents begin and end at multiples */

/* NULL if the layout can be used, otherwise what is wrong with it. */
const char *fmt_layout_check(const struct fmt_layout *layout);

/*
 * Reads and checks the superblock of *size bytes. *memory gets the memory that sb's texts and
 * tables live in (heap, for free(); NULL after an error).
 */
enum fmt_status fmt_superblock_read(const struct fmt_io *io, struct fmt_superblock *sb,
                                    uint64_t *size, void **memory, struct fmt_error *error);

#endif
