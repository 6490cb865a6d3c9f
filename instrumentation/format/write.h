/*
 * write.h - writing record files. Part of format.h, which says what it is all for.
 */
#ifndef WARPSCOPE_FORMAT_WRITE_H
#define WARPSCOPE_FORMAT_WRITE_H

#include "format/common.h"

/* How far a PE has come in a file. */
struct fmt_position {
    uint64_t records; /* written so far */
    uint64_t blocks;
    uint64_t bytes;      /* of these blocks */
    uint64_t extent;     /* number of the current extent */
    uint64_t extent_pos; /* bytes used in it */
};

/* One PE's writer of one file. Caller's storage; treat as opaque but for at. */
struct fmt_writer {
    const struct fmt_io *io; /* borrowed */
    struct fmt_layout layout;
    uint32_t pe;
    struct fmt_position at;
    uint64_t reserved; /* extents that have been set aside */
    uint64_t torn;     /* where a block begins whose writing failed, size torn_size; or 0 */
    uint64_t torn_size;
    struct fmt_position before_end; /* at, as it was before the END block */
    double gvt;
    bool ended;
    struct fmt_sealer *sealer; /* owned: scratch memory */
};

/*
 * Prepares pe's writer of a file whose records are of these kinds (borrowed, each as in the
 * superblock). row_bytes_max: largest fmt_row_bytes() that will come, as given to
 * fmt_layout_init(). All memory the writer will ever need is taken here (about twice an extent).
 * FMT_ERR_ARG when a record could not fit into an extent.
 */
enum fmt_status fmt_writer_init(struct fmt_writer *w, const struct fmt_io *io,
                                const struct fmt_schema *const *schemas, uint32_t n_schemas,
                                const struct fmt_layout *layout, uint32_t pe, size_t row_bytes_max,
                                struct fmt_error *error);
/* The writer goes on where another one stopped. Before anything is written. */
void fmt_writer_resume(struct fmt_writer *w, const struct fmt_position *at);
/*
 * Sets the space of the first extent aside. From then on there is always room for the END block: a
 * block that would leave too little in its extent is written only if the next one could be set
 * aside. So a disk that is full is met before a block, and what was lost can still be told.
 */
enum fmt_status fmt_writer_reserve(struct fmt_writer *w, struct fmt_error *error);
/* Frees memory. Does not end the file. Allowed on a zeroed or failed writer. */
void fmt_writer_fini(struct fmt_writer *w);

/*
 * Seals rows (size bytes of complete rows, 8-aligned, in the layout of schema, one of those given
 * to fmt_writer_init()) into as many blocks as needed and writes them. gvt: the latest known.
 * *consumed (may be NULL): bytes of rows that are safely written, also after an error; the rest may
 * be given again. No allocation.
 */
enum fmt_status fmt_writer_append(struct fmt_writer *w, const struct fmt_schema *schema,
                                  const void *rows, size_t size, double gvt, size_t *consumed,
                                  struct fmt_error *error);

/* Writes payload descriptions. At any time before the end; once per PE is enough, ids of one PE
 * hold for the whole file. */
enum fmt_status fmt_writer_meta(struct fmt_writer *w, const struct fmt_payload_desc *descs,
                                size_t n, struct fmt_error *error);

/* Writes the last block of the PE and gives back what was set aside behind it. Without it the file
 * counts as incomplete. */
enum fmt_status fmt_writer_end(struct fmt_writer *w, const struct fmt_end_info *end,
                               struct fmt_error *error);

/* Writes the last block once more, in its place, when what it said has turned out to be wrong. The
 * writer has ended. */
enum fmt_status fmt_writer_end_again(struct fmt_writer *w, const struct fmt_end_info *end,
                                     struct fmt_error *error);

#endif
