/*
 * option_table.h - looks entries up in the tables of options. Used by options and nobody else.
 */
#ifndef WARPSCOPE_BASE_OPTION_TABLE_H
#define WARPSCOPE_BASE_OPTION_TABLE_H

#include "base/options.h"

/*
 * Walks over the entries of all tables, titles included: the entry after def, or the first one if
 * def is NULL; NULL after the last. *table and *number (place of the entry) belong to the walk.
 */
const tw_optdef *option_table_next(const struct options *set, const tw_optdef *def, unsigned *table,
                                   unsigned *number);

/* The option whose name is the first `length` bytes of name, and its place; or NULL. */
const tw_optdef *option_table_find(const struct options *set, const char *name, size_t length,
                                   unsigned *number);

/*
 * The option that a name on the command line means: the one of that name; else the first in the
 * tables whose name begins with it, where "_" and "-" count as the same. *other is the next one
 * that begins so, or NULL: then the name is a mistake as easily as an abbreviation.
 */
const tw_optdef *option_table_match(const struct options *set, const char *name, size_t length,
                                    unsigned *number, const tw_optdef **other);

/* The known name nearest to an unknown one, or NULL when none is near. */
const char *option_table_nearest(const struct options *set, const char *name, size_t length);

#endif
