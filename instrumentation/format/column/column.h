/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * column.h - writes the values of a column in one of several encodings, and reads them (internal to
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
    FMT_ENCODING_RAW = 0,   /* the values, unchanged */
    FMT_ENCODING_CONST = 1, /* one value, which all values are equal to */
    /* Byte planes of values of `width` bytes as an LZ4 block; width 1: plain LZ4. */
    FMT_ENCODING_SHUFFLE = 2,
    /* Encodings since version 1.2: */
    FMT_ENCODING_FRAME = 3, /* packed differences from a base */
    FMT_ENCODING_DELTA = 4, /* packed differences from the previous value */
    FMT_ENCODING_DICT = 5,  /* up to 256 different values, and the packed number of each value */
    FMT_ENCODING_RUNS = 6,  /* packed lengths of runs, and a column with the value of each run */
    FMT_ENCODING_PIECES = 7 /* values that are structs, with one column per member */
};
#define FMT_ENCODINGS 8u

/* ---- Reading --------------------------------------------------------------------------------- */

/* A stored column. */
struct fmt_stored {
    const uint8_t *bytes;
    size_t size;
    uint32_t n;     /* number of values */
    uint32_t width; /* width of a value in bytes, at least 1 */
};

/* Returns the size of the temporary memory that fmt_column_read() needs for a column that has raw_size
 * bytes when decoded. */
static inline size_t fmt_column_scratch(size_t raw_size)
{
    return 4 * raw_size + 64;
}

/*
 * Decodes a column to n * width bytes at `to`. Both `to` and scratch are aligned to 8. The stored
 * bytes need not be trusted. Returns false if they are invalid.
 */
bool fmt_column_read(uint32_t encoding, const struct fmt_stored *stored, void *to, void *scratch);

/* ---- Writing --------------------------------------------------------------------------------- */

#define FMT_DICT_MAX 256u

/* Values to store: for width 4 and 8 words in the byte order of the machine, otherwise bytes. */
struct fmt_values {
    const void *words; /* aligned to width; FMT_PACK_SLACK bytes after them are readable */
    uint32_t n;        /* at least 1 */
    uint32_t width;
};

/* A way to store a column: its encoding, and the encoding of the column that it contains. */
struct fmt_way {
    uint32_t encoding;
    uint32_t inner; /* for RUNS: encoding of the values of runs; otherwise 0 */
};

/* State of a column that is kept from block to block. Zero-initialise it. */
struct fmt_column_state {
    struct fmt_way way;
    struct fmt_frame frame; /* frame of the previous block */
    uint64_t usual;         /* stored bytes per 2^16 values when the way was chosen */
    uint32_t left;          /* blocks until the way is chosen again */
    uint32_t pause;         /* blocks between the previous choice and the next one */
    uint8_t rest[8];        /* see the member `rest` of fmt_planes */
};

#define FMT_DICT_LOG   10
#define FMT_DICT_SLOTS (1u << FMT_DICT_LOG)

/* A hash table of the different values of a column. Between columns it is empty. */
struct fmt_dict {
    struct fmt_dict_slot {
        uint64_t value;
        uint32_t number;
        bool is_used;
    } slots[FMT_DICT_SLOTS];
    uint32_t used[FMT_DICT_MAX]; /* indices of the slots in use */
    uint32_t count;
};

/* Temporary memory for storing columns. */
struct fmt_column_memory {
    uint64_t *values;  /* values of runs */
    uint32_t *numbers; /* numbers of values, or ends of runs; numbers[-1] is also allocated */
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

/* Stores values in the given way. Returns the size; 0 if it would not be less than capacity. May
 * overwrite FMT_PACK_SLACK bytes after capacity. */
size_t fmt_column_write_way(struct fmt_column_memory *m, const struct fmt_values *v,
                            struct fmt_column_state *state, struct fmt_way way, uint8_t *to,
                            size_t capacity);

/* Stores values in an encoding of version 1.0: LZ4, or unchanged. Returns the size, at most n *
 * width. *encoding receives the encoding used. */
size_t fmt_column_write_plain(struct fmt_column_memory *m, const struct fmt_values *v, uint8_t *to,
                              uint32_t *encoding);

/*
 * Stores values in the way that was chosen for an earlier block. For the first block, after some
 * more blocks, and if the size differs much, tries all ways and chooses the best. *encoding
 * receives the encoding used. Returns the size, at most n * width; 0 if it exceeds capacity.
 */
size_t fmt_column_write(struct fmt_column_memory *m, const struct fmt_values *v,
                        struct fmt_column_state *state, uint8_t *to, size_t capacity,
                        uint32_t *encoding);

#endif
