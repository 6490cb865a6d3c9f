/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lp_names.h - the names that a model has given to single LPs (st_lp_name()).
 *
 * They belong to the descriptions of a file, which all that reads its records gets. Blocks with names
 * are only noted while a file is opened, and read when a name is asked for.
 */
#ifndef WARPSCOPE_READER_DATA_LP_NAMES_H
#define WARPSCOPE_READER_DATA_LP_NAMES_H

#include "data/cell.h"
#include "data/ranges.h"
#include "format/format.h"

/* Notes a NAMES block. reader must stay open. Returns FMT_OK or FMT_ERR_MEMORY. */
enum fmt_status ws_lp_names_note(const struct fmt_reader *reader, const struct fmt_block *block,
                                 struct fmt_desc_set *set, struct fmt_error *error);
/* Adds the blocks that are noted in another set to `set`. Returns false if out of memory. */
bool ws_lp_names_join(struct fmt_desc_set *set, const struct fmt_desc_set *part);

/* Returns the name of an LP, valid until the next block is noted; NULL if it has none. set may be
 * NULL. */
const char *ws_lp_name(const struct fmt_desc_set *set, uint64_t lp);
/* Returns the name of the LP that is number i, counted from 0, of those with names, in ascending order,
 * and sets *lp to its number; "": the name cannot be read; NULL: there is none. */
const char *ws_lp_name_at(const struct fmt_desc_set *set, size_t i, uint64_t *lp);

/* Returns the number of an LP as a cell, with its name. */
static inline struct doc_cell ws_lp_cell(const struct fmt_desc_set *set, uint64_t lp)
{
    return (struct doc_cell){.kind = DOC_NUMBER, .as.count = lp, .name = ws_lp_name(set, lp)};
}

/* Finds the only LP with the name `text` of `length` bytes. Returns false if there is none, or several;
 * why (WS_LP_WHY bytes; NULL: not wanted) then has a clause that says so. */
#define WS_LP_WHY 320u
bool ws_lp_find(const struct fmt_desc_set *set, const char *text, size_t length, uint64_t *lp,
                char *why);
/* Parses a list of numbers, ranges and names of LPs, such as 0-3,Paris; or one name with commas.
 * Returns false like ws_lp_find(), also if out of memory. ranges must be freed even then. */
bool ws_lp_ranges(struct ws_ranges *ranges, const struct fmt_desc_set *set, const char *text,
                  char *why);

/* Returns true if the invariants hold. */
bool ws_lp_names_check(const struct fmt_desc_set *set);

/* Frees the descriptions of a file, and the names of its LPs. */
void ws_descs_free(struct fmt_desc_set *set);

#endif
