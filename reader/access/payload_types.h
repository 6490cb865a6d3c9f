/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * payload_types.h - numbers payload types by their content.
 *
 * In a file, payload descriptions have ids in the order in which the run registered them. To
 * compare records of two files, or to print records independently of the number of ranks,
 * descriptions get new numbers. The number of a description is its position among all distinct
 * descriptions of the current files, ordered by owner, kind, size and fields. Equal descriptions
 * get equal numbers.
 */
#ifndef WARPSCOPE_READER_ACCESS_PAYLOAD_TYPES_H
#define WARPSCOPE_READER_ACCESS_PAYLOAD_TYPES_H

#include "format/format.h"

#define WS_TYPES_FILES 2

struct ws_payload_types {
    /* Owned array of the n distinct descriptions, sorted. The descriptions are borrowed. */
    const struct fmt_payload_desc **list;
    size_t n;
    struct {
        const struct fmt_desc_set *descs; /* borrowed; descriptions of one file */
        uint32_t *number;                 /* owned; [i]: new number of description i, from 1 on */
    } files[WS_TYPES_FILES];
};

/* Compares two descriptions by owner, kind, size and fields, but not by their ids. Returns a number
 * like strcmp(). */
int ws_payload_desc_compare(const struct fmt_payload_desc *a, const struct fmt_payload_desc *b);

/* Numbers the descriptions of n_files files, at most WS_TYPES_FILES. descs[i]: descriptions of file
 * i. Returns false if out of memory. types must be freed even after an error. */
bool ws_payload_types_init(struct ws_payload_types *types, const struct fmt_desc_set *const *descs,
                           size_t n_files);
void ws_payload_types_free(struct ws_payload_types *types);

/* Returns the number, from 1 on, of the description with this id in a file; 0 if the file has no
 * such description. */
uint32_t ws_payload_types_number(const struct ws_payload_types *types, size_t file, uint32_t id);
/* Returns the description with this number; NULL for number 0. */
const struct fmt_payload_desc *ws_payload_types_desc(const struct ws_payload_types *types,
                                                     uint32_t number);
/* Returns the smallest id in a file whose description has this number; 0 if there is none. */
uint32_t ws_payload_types_id(const struct ws_payload_types *types, size_t file, uint32_t number);

#endif
