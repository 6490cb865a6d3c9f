/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * column.h - stores the values of a column by an encoding, and reads them back (internal to
 * format/).
 *
 * docs/FORMAT.md defines the bytes of each encoding. Encodings of numbers apply to columns of width
 * 4 or 8, whatever their type: a double counts as an integer with the same bits.
 */
#ifndef WARPSCOPE_FORMAT_COLUMN_H
#define WARPSCOPE_FORMAT_COLUMN_H

#include "format/column/bits.h"
#include "format/column/pack.h"

/* Numbers are part of the format. */
enum fmt_encoding {
    FMT_ENCODING_RAW = 0,   /* the values as they are */
    FMT_ENCODING_CONST = 1, /* one value of `width` bytes, to which all values are equal */
    /* Byte planes of values of `width` bytes as an LZ4 block; width 1: plain LZ4. */
    FMT_ENCODING_SHUFFLE = 2,
    /* Since version 1.2: */
    FMT_ENCODING_FRAME = 3, /* packed differences from a base */
    FMT_ENCODING_DELTA = 4, /* packed differences from the value before */
    FMT_ENCODING_DICT = 5,  /* up to 256 values, and packed numbers of values */
    FMT_ENCODING_RUNS = 6,  /* packed lengths of runs, and a column with the value of each */
    FMT_ENCODING_PIECES = 7 /* values as structs, with one column per member */
};
#define FMT_ENCODINGS 8u

/* ---- Reading --------------------------------------------------------------------------------- */

/* A stored column. */
struct fmt_stored {
    const uint8_t *bytes;
    size_t size;
    uint32_t n;     /* number of values */
    uint32_t width; /* of a value, in bytes; not 0 */
};

/* Returns the size of the temporary memory that fmt_column_read() needs for a column that has raw_size
 * bytes when decoded. */
static inline size_t fmt_column_scratch(size_t raw_size)
{
    return 4 * raw_size + 64;
}

/*
 * Decodes a column to n * width bytes at to. Both to and scratch are aligned to 8. Any bytes are
 * safe. Returns false if they are not valid.
 */
bool fmt_column_read(uint32_t encoding, const struct fmt_stored *stored, void *to, void *scratch);

/* ---- Writing --------------------------------------------------------------------------------- */

#define FMT_DICT_MAX 256u

/* Values to be stored: words in the order of the machine for width 4 and 8, otherwise bytes. */
struct fmt_values {
    const void *words; /* aligned to width; FMT_PACK_SLACK bytes after them are readable */
    uint32_t n;        /* at least 1 */
    uint32_t width;
};

/* A way to store values: an encoding, and the encoding of the column within it. */
struct fmt_way {
    uint32_t encoding;
    uint32_t inner; /* of RUNS; otherwise 0 */
};

/* Kept for a column from block to block. Zero-initialise it. */
struct fmt_column_state {
    struct fmt_way way;
    struct fmt_frame frame; /* of the numbers in the previous block */
    uint64_t usual;         /* stored bytes per 2^16 values when the way was chosen */
    uint32_t left;          /* blocks until the next choice */
    uint32_t pause;         /* blocks between the last choice and the next */
    uint8_t rest[8];        /* see fmt_planes.rest */
};

#define FMT_DICT_LOG   10
#define FMT_DICT_SLOTS (1u << FMT_DICT_LOG)

/* A hash table of different values. All slots are unused between columns. */
struct fmt_dict {
    struct fmt_dict_slot {
        uint64_t value;
        uint32_t number;
        bool is_used;
    } slots[FMT_DICT_SLOTS];
    uint32_t used[FMT_DICT_MAX]; /* the slots in use */
    uint32_t count;
};

/* Temporary memory for storing columns. */
struct fmt_column_memory {
    uint64_t *values;  /* values of runs */
    uint32_t *numbers; /* numbers of values, or ends of runs; numbers[-1] exists */
    uint8_t *planes;   /* byte planes */
    struct fmt_exceptions exceptions;
    struct fmt_dict dict;
    struct fmt_packer packer;
    uint8_t *owned;
};

/* Allocates memory for columns of up to n_max values and bytes_max bytes. Returns NULL if memory is
 * exhausted. */
struct fmt_column_memory *fmt_column_memory_create(uint32_t n_max, size_t bytes_max);
void fmt_column_memory_destroy(struct fmt_column_memory *m);

/* Stores values in the given way. Returns the size; 0 if that is not possible in less than capacity
 * bytes. FMT_PACK_SLACK bytes after capacity may be overwritten. */
size_t fmt_column_write_way(struct fmt_column_memory *m, const struct fmt_values *v,
                            struct fmt_column_state *state, struct fmt_way way, uint8_t *to,
                            size_t capacity);

/* Stores values by an encoding of version 1.0: LZ4, or as they are. Returns the size, at most
 * n * width. *encoding: the one used. */
size_t fmt_column_write_plain(struct fmt_column_memory *m, const struct fmt_values *v, uint8_t *to,
                              uint32_t *encoding);

/*
 * Stores values in the way chosen for an earlier block, or in the best way: then each one is tried.
 * Chooses again after some blocks, and when the size differs much. *encoding: the one used. Returns
 * the size, at most n * width; 0 if capacity is less.
 */
size_t fmt_column_write(struct fmt_column_memory *m, const struct fmt_values *v,
                        struct fmt_column_state *state, uint8_t *to, size_t capacity,
                        uint32_t *encoding);

#endif
