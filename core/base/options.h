/*
 * options.h - the command line: tables of tw_optdef, --name=value, help, args files.
 *
 * A name may be shortened to a prefix, as scripts for ROSS do (--sync=1); an unknown one is an
 * error that names the nearest known one. Nothing is written to the options' values unless all of
 * the command line is right.
 */
#ifndef WARPSCOPE_BASE_OPTIONS_H
#define WARPSCOPE_BASE_OPTIONS_H

#include <stdio.h>

#include "base/status.h"
#include "ross.h"

#define OPTIONS_MAX_TABLES 64
#define OPTIONS_MAX        1024 /* entries of all tables, group titles included */

/* Starts as all zero; needs no clean-up. */
struct options {
    const tw_optdef *tables[OPTIONS_MAX_TABLES];
    unsigned n_tables;
    bool too_many_tables;
    bool keeps_tail;                  /* see options_parse() */
    uint64_t given[OPTIONS_MAX / 64]; /* bit i: entry i was given; for options_was_given() */
    /* The last prefix that fits more than one option: the option taken and the next; or NULL. */
    const tw_optdef *taken;
    const tw_optdef *not_taken;
};

/*
 * Adds a table (kept by reference); adding it again does nothing. What is wrong with the tables
 * (too many, two options of one name, a variable of a size that its type cannot have)
 * options_parse() says.
 */
void options_add(struct options *set, const tw_optdef *table);

/*
 * Reads argv[1..argc-1]. An option is --name=value, or --name for a flag; it may come more than
 * once, and the last one counts. "--" ends the options. --help and -h before it ask for help. Of a
 * prefix that fits several options the first one in the tables is taken; the set tells of it.
 *
 * A word that is surely meant as an option and does not begin with "--" is an error: "-end=5",
 * "end=5" where there is an option --end, and any word that begins with a dash of Unicode.
 *
 * Other arguments that are no options stay, in order: argv is compacted and *argc set. "--" stays
 * with them, so that a model finds its own arguments where ROSS leaves them: argv[2] behind "--".
 * What follows argv[*argc - 1] is NULL; with keeps_tail it is what was there, since models for ROSS
 * also take argv[2] without "--". After an error, and for help, argv is untouched.
 *
 * An option of type TWOPTTYPE_ARGSFILE reads options from a file (see args_file.h); those on the
 * command line win over the file's wherever they stand.
 *
 * On failure error (error_size bytes, not 0) gets one line that names the option (and file and line
 * in an args file) and says what to do: TW_ERR_USAGE; TW_ERR_IO for an args file that cannot be
 * read; TW_ERR_MEMORY. TW_ERR_HELP when help was asked for: the caller prints it. Not collective.
 */
enum tw_status options_parse(struct options *set, int *argc, char **argv, char *error,
                             size_t error_size);

/* A word as messages repeat it: of one that is long the beginning and the end, so that the message
 * fits on a line of a terminal. Returns out. */
#define OPTIONS_ECHO_MAX 40u
const char *options_echo(const char *word, char out[OPTIONS_ECHO_MAX + 1]);

/* Was this option given, on the command line or in an args file, at the last successful parse? */
bool options_was_given(const struct options *set, const char *name);

/* Calls visit with each option of a table and its present value, as one would type it. */
typedef void (*options_visit_f)(void *ctx, const char *name, const char *value);
void options_visit(const tw_optdef *table, options_visit_f visit, void *ctx);

/*
 * Options with their present values as words for a shell, "--nlp=8 '--name=a b'", args files left
 * out: of all tables, or of those that is_wanted says; all options in them, or those that were
 * given. The caller frees the line.
 */
char *options_words(const struct options *set, bool given, bool (*is_wanted)(const tw_optdef *));

/* Bytes of the text that an option of type TWOPTTYPE_CHAR holds; 0 for other types, and where the
 * table does not say how much room there is. */
size_t option_text_length(const tw_optdef *def);

/* "usage: ..." with all groups, 80 columns, and the present values as defaults. */
void options_print_help(const struct options *set, const char *program, FILE *out);
/* The groups alone, for a program with a usage of its own. */
void options_print_list(const struct options *set, FILE *out);

#endif
