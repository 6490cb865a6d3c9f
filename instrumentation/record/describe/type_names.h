/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * type_names.h - names for LP types to which the model has given none by st_lptype_name(), and names
 * of addresses in the running program and its libraries, from the symbol tables of their ELF files.
 * Also finds names of static variables and functions, unless the file is stripped.
 */
#ifndef WARPSCOPE_RECORD_DESCRIBE_TYPE_NAMES_H
#define WARPSCOPE_RECORD_DESCRIBE_TYPE_NAMES_H

#include "record/describe/lp_names.h"

#define PROGRAM_SYMBOL_MAX 63 /* maximum length of a name; longer names are not found */

/* Symbol that contains an address. */
struct program_symbol {
    char name[PROGRAM_SYMBOL_MAX + 1]; /* without the namespaces of C++ and suffixes of compilers */
    size_t size;                       /* size of the variable or function in bytes */
    size_t offset;                     /* of the address, from the start of the symbol */
};

/* Finds the variable or function that contains `address`. Returns false if there is none, or if the
 * file cannot be read. Opens and scans the file: for the set-up of a run. */
bool program_symbol_find(const void *address, struct program_symbol *out);

/* Part of program_symbol_find(): searches for `address`, which is relative to where the file is
 * loaded, in the contents of an ELF file. The bytes are not trusted. */
bool program_symbol_in(const unsigned char *bytes, size_t size, size_t address,
                       struct program_symbol *out);

/*
 * Gives names to the types of the local LPs that have none, as far as they can be found:
 *
 * 1. If the mapping of the library CODES is in use, the name under which the type is registered
 *    there (lp_type_register()).
 * 2. The name of the variable in the program, such as "router"; of an element of an array, the name
 *    and the index: "types:1".
 *
 * The names are equal on all ranks that run the same program. Call it before lp_names_collect(). If
 * memory is exhausted, the run ends (tw_error). Not collective.
 */
void type_names_find(struct lp_names *names, tw_lp *const *lps, tw_lpid n_lps);

#endif
