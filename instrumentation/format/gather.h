/*
 * gather.h - from rows to columns (inside format/ only).
 */
#ifndef WARPSCOPE_FORMAT_GATHER_H
#define WARPSCOPE_FORMAT_GATHER_H

#include "format/common.h"

/* The values of one field of all rows, little-endian, one after another. */
struct fmt_gathered {
    uint8_t *values;
    uint64_t first;  /* the first value's bits */
    uint64_t differ; /* bits in which some value differs from it; 0: all are the same */
};

/*
 * Gathers all fields of schema from n rows (at least one); row i begins at rows + row_offset[i].
 * The values go to memory, which holds as many bytes as the rows and is 8-aligned; columns: one per
 * field.
 */
void fmt_gather(const struct fmt_schema *schema, const uint8_t *rows, const uint32_t *row_offset,
                uint32_t n, uint8_t *memory, struct fmt_gathered *columns);

#endif
