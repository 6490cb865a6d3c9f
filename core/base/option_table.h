/* SPDX-License-Identifier: BSD-3-Clause */
/* option_table.h - finds entries in the tables of options. For option*.c only. */
#ifndef WARPSCOPE_BASE_OPTION_TABLE_H
#define WARPSCOPE_BASE_OPTION_TABLE_H

#include "base/options.h"

/* Iterates over the entries of all tables, including titles: returns the entry after def, or the
 * first if def is NULL; NULL after the last. *table and *number (position of the entry) hold the
 * state of the iteration. */
const tw_optdef *option_table_next(const struct options *set, const tw_optdef *def, unsigned *table,
                                   unsigned *number);

/* Returns the option whose name is the first `length` bytes of name, and its position; or NULL. */
const tw_optdef *option_table_find(const struct options *set, const char *name, size_t length,
                                   unsigned *number);

/* Returns the option for a name on the command line: the one with that name, otherwise the first in
 * the tables with that prefix. "_" and "-" count as equal. *other is the next option with that
 * prefix, or NULL; if there is one, the name may be a mistake instead of an abbreviation. */
const tw_optdef *option_table_match(const struct options *set, const char *name, size_t length,
                                    unsigned *number, const tw_optdef **other);

/* Returns the known option name that is most similar to an unknown name, or NULL if none is
 * similar. */
const char *option_table_nearest(const struct options *set, const char *name, size_t length);

#endif
