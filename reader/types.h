/*
 * types.h - payload types by what they are instead of by their number.
 *
 * A file numbers the descriptions of payloads as the run happened to meet them. To compare records
 * of two files, or to print them in the same way whatever the number of ranks was, types are
 * numbered by their place among all descriptions of the files at hand, ordered by owner, kind, size
 * and fields. The same descriptions get the same numbers.
 */
#ifndef WARPSCOPE_READER_TYPES_H
#define WARPSCOPE_READER_TYPES_H

#include "format/format.h"

#define WS_TYPES_FILES 2

struct ws_types {
    const struct fmt_payload_desc **list; /* owned; different ones, in order; borrowed members */
    size_t n;
    struct {
        const struct fmt_desc_set *descs; /* borrowed */
        uint32_t *number;                 /* owned; of each of descs, from 1 */
    } files[WS_TYPES_FILES];
};

/* Orders the descriptions of n_files files (at most WS_TYPES_FILES). False: out of memory. Free in
 * any case. */
bool ws_types_init(struct ws_types *types, const struct fmt_desc_set *const *descs, size_t n_files);
void ws_types_free(struct ws_types *types);

/* The number, from 1, of what id means in a file; 0 if it is not described there. */
uint32_t ws_types_number(const struct ws_types *types, size_t file, uint32_t id);
/* The description with this number; NULL for 0. */
const struct fmt_payload_desc *ws_types_desc(const struct ws_types *types, uint32_t number);
/* The least id that stands for it in a file; 0 if there is none. */
uint32_t ws_types_id(const struct ws_types *types, size_t file, uint32_t number);

#endif
