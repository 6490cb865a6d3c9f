/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * column.h - stores the values of a column in one of several encodings, and decodes them (internal
 * to format/).
 *
 * docs/FORMAT.md defines the bytes of each encoding. The encodings of numbers apply to all columns
 * of width 4 or 8, whatever their type: a double counts as the integer with the same bits.
 */
#ifndef WARPSCOPE_FORMAT_COLUMN_H
#define WARPSCOPE_FORMAT_COLUMN_H

#include "format/column/bits.h"
#include "format/column/pack.h"

/* Encodings of columns. The numbers are part of the format. */
enum fmt_encoding {
    FMT_ENCODING_RAW = 0,   /* the values, unchanged */
    FMT_ENCODING_CONST = 1, /* one value, to which all values are equal */
    /* An LZ4 block of the values' byte planes (shuffle.h); for width 1, of the values
     * themselves. */
    FMT_ENCODING_SHUFFLE = 2,
    /* The encodings below were added in version 1.2. */
    FMT_ENCODING_FRAME = 3, /* packed differences of the values from a base */
    FMT_ENCODING_DELTA = 4, /* packed differences of each value from the previous one */
    /* Table of up to 256 different values, and for each row the packed index in this table. */
    FMT_ENCODING_DICT = 5,
    /* Packed lengths of runs of equal values, and a column with the value of each run. */
    FMT_ENCODING_RUNS = 6,
    FMT_ENCODING_PIECES = 7 /* values cut into pieces, with one column for each piece */
};
#define FMT_ENCODINGS 8u

#define FMT_PIECE_HEAD 6u /* size in bytes of the head of a piece */

/* ---- Reading --------------------------------------------------------------------------------- */

/* A stored column, to be decoded. */
struct fmt_stored {
    const uint8_t *bytes;
    size_t size;
    uint32_t n;     /* number of values */
    uint32_t width; /* size of a value in bytes, at least 1 */
};

/* Returns the size in bytes of the temporary memory that fmt_column_read() needs. raw_size: size in
 * bytes of the decoded column. */
static inline size_t fmt_column_scratch(size_t raw_size)
{
    return 4 * raw_size + 64;
}

/*
 * Decodes a stored column into n * width bytes at `to`. scratch: temporary memory of
 * fmt_column_scratch() bytes. Both addresses are 8-aligned. The stored bytes are not trusted.
 * Returns false if they are invalid.
 */
bool fmt_column_read(uint32_t encoding, const struct fmt_stored *stored, void *to, void *scratch);

/* ---- Writing --------------------------------------------------------------------------------- */

#define FMT_DICT_MAX 256u

/* Values to be stored. Values of width 4 and 8 are words in the byte order of the machine; others
 * are bytes. */
struct fmt_values {
    /* The values, aligned to width; FMT_PACK_SLACK bytes behind them must be readable. */
    const void *words;
    uint32_t n; /* at least 1 */
    uint32_t width;
};

/* A way to store a column: its encoding and, for FMT_ENCODING_RUNS, that of the column inside
 * it. */
struct fmt_way {
    uint32_t encoding;
    /* For FMT_ENCODING_RUNS, encoding of the column with the runs' values; otherwise 0. */
    uint32_t inner;
};

/* State of a column, kept from block to block. Zero-initialise it. */
struct fmt_column_state {
    struct fmt_way way;
    struct fmt_frame frame; /* frame of the previous block */
    uint64_t usual;         /* stored size in bytes per 2^16 values when the way was chosen */
    uint32_t left;          /* number of blocks until the way is chosen anew */
    /* Number of blocks from the latest choice of the way to the next one. */
    uint32_t pause;
    /* For FMT_ENCODING_SHUFFLE: memory for the member `rest` of struct fmt_planes. */
    uint8_t rest[8];
};

#define FMT_DICT_LOG   10
#define FMT_DICT_SLOTS (1u << FMT_DICT_LOG)

/* Hash table of the different values of one column. It is empty except while a column is being
 * stored. */
struct fmt_dict {
    struct fmt_dict_slot {
        uint64_t value;
        uint32_t number;
        bool is_used;
    } slots[FMT_DICT_SLOTS];
    uint32_t used[FMT_DICT_MAX]; /* [i]: index of the slot of the i-th different value */
    uint32_t count;
};

/* Temporary memory for storing columns. */
struct fmt_column_memory {
    uint64_t *values; /* values of the runs */
    /* [i]: index of value i in the dictionary, or index of the last value of run i. numbers[-1] is
     * allocated too. */
    uint32_t *numbers;
    uint8_t *planes; /* byte planes of the values */
    struct fmt_exceptions exceptions;
    struct fmt_dict dict;
    struct fmt_packer packer;
    uint8_t *owned;
};

/* Allocates memory for columns of at most n_max values and bytes_max bytes. Returns NULL if memory
 * is exhausted. */
struct fmt_column_memory *fmt_column_memory_create(uint32_t n_max, size_t bytes_max);
void fmt_column_memory_destroy(struct fmt_column_memory *m);

/* Stores the values v at `to` in the given way. Returns the size in bytes, or 0 if the values
 * cannot be stored in this way or do not fit into capacity bytes. May overwrite FMT_PACK_SLACK
 * bytes behind capacity. */
size_t fmt_column_write_way(struct fmt_column_memory *m, const struct fmt_values *v,
                            struct fmt_column_state *state, struct fmt_way way, uint8_t *to,
                            size_t capacity);

/* Stores the values v at `to` in an encoding of version 1.0: compressed by LZ4, or unchanged.
 * *encoding receives the encoding used. Returns the size in bytes, at most n * width. */
size_t fmt_column_write_plain(struct fmt_column_memory *m, const struct fmt_values *v, uint8_t *to,
                              uint32_t *encoding);

/*
 * Stores the values v at `to` in the way that was chosen for an earlier block. For the first block,
 * again after some blocks, and if that way takes much more space than expected, tries all ways and
 * chooses the best one. *encoding receives the encoding used. Returns the size in bytes, at most
 * n * width; 0 if it exceeds capacity.
 */
size_t fmt_column_write(struct fmt_column_memory *m, const struct fmt_values *v,
                        struct fmt_column_state *state, uint8_t *to, size_t capacity,
                        uint32_t *encoding);

#endif
