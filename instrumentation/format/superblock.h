/*
 * superblock.h - decoding the superblock (inside format/ only).
 */
#ifndef WARPSCOPE_FORMAT_SUPERBLOCK_H
#define WARPSCOPE_FORMAT_SUPERBLOCK_H

#include "format/format.h"

#define FMT_VERSION_MAJOR 1
#define FMT_VERSION_MINOR 0

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
