/* SPDX-License-Identifier: BSD-3-Clause */
/* option_table.h - finds entries in the tables of options. For option*.c only. */
#ifndef WARPSCOPE_BASE_OPTION_TABLE_H
#define WARPSCOPE_BASE_OPTION_TABLE_H

#include "base/options.h"

/* Returns the entry after def in the sequence of all tables, including group titles. def NULL:
 * returns the first entry. Returns NULL after the last entry. Sets *table to the index of the table
 * and *number to the position of the entry in this sequence; the next call needs both values. */
const tw_optdef *option_table_next(const struct options *set, const tw_optdef *def, unsigned *table,
                                   unsigned *number);

/* Returns the option whose name is the first `length` bytes of name, and sets *number to its
 * position in the sequence of all tables. NULL: there is no such option. */
const tw_optdef *option_table_find(const struct options *set, const char *name, size_t length,
                                   unsigned *number);

/* Returns the option that a name on the command line selects: the option with exactly that name,
 * otherwise the first option whose name begins with it. NULL: there is none. "_" and "-" count as
 * equal. Sets *number to the position of the option. Sets *other to the next option whose name
 * begins with the given name, or to NULL. If there is such an option, the given name may be a
 * mistake instead of an abbreviation. */
const tw_optdef *option_table_match(const struct options *set, const char *name, size_t length,
                                    unsigned *number, const tw_optdef **other);

/* Returns the known option name that is most similar to an unknown name, or NULL if none is
 * similar. */
const char *option_table_nearest(const struct options *set, const char *name, size_t length);

#endif
