/*
 * options.h - the command line: tables of tw_optdef, --name=value, help, args files.
 *
 * Names match exactly; an unknown one is an error that names the nearest known one. Nothing is
 * written to the options' values unless all of the command line is right.
 */
#ifndef WARPSCOPE_BASE_OPTIONS_H
#define WARPSCOPE_BASE_OPTIONS_H

#include <stdio.h>

#include "base/status.h"
#include "ross.h"

#define OPTIONS_MAX_TABLES 64

struct options {
    const tw_optdef *tables[OPTIONS_MAX_TABLES];
    unsigned n_tables;
};

/* Adds a table (kept by reference). Asserts that there is room and that no name is there twice. */
void options_add(struct options *set, const tw_optdef *table);

/*
 * Reads argv[1..argc-1]: --name=value, --name value?? (no: = only, as ROSS), --flag. "--" ends them.
 * Arguments that are no options stay: argv is compacted and *argc set. error (error_size bytes) gets
 * one line that names the option (and file and line within an args file) and what to do.
 * TW_ERR_HELP when --help was given.
 */
enum tw_status options_parse(struct options *set, int *argc, char **argv, char *error,
                             size_t error_size);

/* Was this option given on the command line or in an args file? */
bool options_was_given(const struct options *set, const char *name);

/* "usage: ..." with all groups, 80 columns, defaults shown. */
void options_print_help(const struct options *set, const char *program, FILE *out);

#endif
