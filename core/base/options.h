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

/* What the command line asks for in place of a run. Of several the last of these counts. */
enum options_asked {
    OPTIONS_ASKED_NOTHING = 0,
    OPTIONS_ASKED_VERSION, /* --version, if the set has it */
    OPTIONS_ASKED_HELP,    /* --help or -h */
    OPTIONS_ASKED_HELP_ALL /* --help=all */
};

/* Starts as all zero; needs no clean-up. */
struct options {
    const tw_optdef *tables[OPTIONS_MAX_TABLES];
    unsigned n_tables;
    bool too_many_tables;
    bool keeps_tail;          /* see options_parse() */
    bool has_version;         /* --version is known, unless a table has an option of that name */
    enum options_asked asked; /* by the last command line */
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
 * once, and the last one counts. "--" ends the options. --help, -h and --help=all before it ask for
 * help, --version for versions: then nothing else is looked at. Of a prefix that fits several
 * options the first one in the tables is taken; the set tells of it.
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
 * read; TW_ERR_MEMORY. TW_ERR_HELP when help or the version was asked for: the caller prints what
 * set->asked says. Not collective.
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

/* Looks for --help, --version and the like in argv[1..end-1]; for options_parse(). */
enum options_asked options_find_asked(const struct options *set, int end, char **argv);

/* "usage: ..." with all groups, 80 columns, and the present values as defaults. */
void options_print_help(const struct options *set, const char *program, FILE *out);
/* The groups alone, for a program with a usage of its own. */
void options_print_list(const struct options *set, FILE *out);

/* Options under a title of their own; names that no table has are left out. */
struct options_choice {
    const char *title;
    const char *const *names; /* ends with NULL */
};

/*
 * Short help: all options with an effect of the tables that is_own says, which are the model's,
 * then the choices. The last line says how many options --help=all shows.
 */
void options_print_brief(const struct options *set, const char *program,
                         bool (*is_own)(const tw_optdef *table),
                         const struct options_choice *choices, unsigned n_choices, FILE *out);

#endif
