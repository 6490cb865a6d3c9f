/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * options.h - the command line: tables of tw_optdef, --name=value, help, args files.
 *
 * A name may be shortened to a prefix, as in scripts for ROSS (--sync=1). An unknown name is an
 * error, and the error message suggests the most similar known name. The variables of the options
 * are written only if the whole command line is valid.
 */
#ifndef WARPSCOPE_BASE_OPTIONS_H
#define WARPSCOPE_BASE_OPTIONS_H

#include <stdio.h>

#include "base/status.h"
#include "ross.h"

#define OPTIONS_MAX_TABLES 64
#define OPTIONS_MAX        1024 /* maximum number of entries in all tables, titles included */

/* Request on the command line for output instead of a run. Of several requests, the one that is
 * last in this list takes precedence. */
enum options_asked {
    OPTIONS_ASKED_NOTHING = 0,
    OPTIONS_ASKED_VERSION, /* --version, accepted if has_version is set */
    OPTIONS_ASKED_HELP,    /* --help or -h */
    OPTIONS_ASKED_HELP_ALL /* --help=all */
};

/* The option tables and the result of parsing. Initialise it with zeros; it needs no clean-up. */
struct options {
    const tw_optdef *tables[OPTIONS_MAX_TABLES];
    unsigned n_tables;
    bool too_many_tables; /* true if options_add() had no space for a table */
    /* true if options_parse() leaves the elements of argv from argv[*argc] on unchanged */
    bool keeps_tail;
    bool has_version; /* true to accept --version, unless a table has an option with that name */
    enum options_asked asked; /* request on the last command line that was parsed */
    /* Bit i: the option at position i in the sequence of all tables was given. */
    uint64_t given[OPTIONS_MAX / 64];
    /* If a name on the command line was a prefix of several options: the first of them, which was
     * selected. Otherwise NULL. */
    const tw_optdef *taken;
    /* Second option of which that name was a prefix; NULL if `taken` is NULL. */
    const tw_optdef *not_taken;
};

/* Adds a table to the set. The table is not copied; adding it again has no effect. options_parse()
 * reports errors in tables: too many tables, duplicate names, a variable whose size does not fit
 * its type. */
void options_add(struct options *set, const tw_optdef *table);

/*
 * Reads the options in argv[1..*argc-1] and stores their values. An option is --name=value, or
 * --name for a flag. If an option appears more than once, the last value takes effect. "--" ends
 * the options. Before "--", --help, -h and --help=all request help, and --version requests
 * versions; all other arguments are then ignored. A name that is a prefix of several options
 * selects the first of them in the tables; set->taken and set->not_taken report that.
 *
 * An argument without "--" that is clearly meant as an option is an error: "-end=5", "end=5" if
 * there is an option --end, and any argument with a leading Unicode dash.
 *
 * Other arguments stay in argv, in the same order: argv is compacted and *argc is set. "--" stays
 * in argv as well, so that a model finds its arguments where ROSS leaves them: the first one after
 * "--" in argv[2]. argv[*argc] is NULL. With keeps_tail, however, the elements from argv[*argc] on
 * keep their old contents, since models for ROSS read argv[2] even if there is no "--". After an
 * error, and for help, argv is unchanged.
 *
 * An option of type TWOPTTYPE_ARGSFILE reads options from a file (see args_file.h). Options on the
 * command line take precedence over options in the file, regardless of their order.
 *
 * On failure, writes to error (error_size bytes, not 0) one line that names the option and the
 * remedy; for an args file also the file and the line. Returns TW_ERR_USAGE, TW_ERR_IO if an args
 * file cannot be read, or TW_ERR_MEMORY. Returns TW_ERR_HELP if help or the version was requested;
 * the caller then prints what set->asked selects. Not collective.
 */
enum tw_status options_parse(struct options *set, int *argc, char **argv, char *error,
                             size_t error_size);

/* Writes an argument to out, shortened for messages, and returns out. Keeps the beginning and the
 * end of a long argument, so that the message fits on one line. */
#define OPTIONS_ECHO_MAX 40u
const char *options_echo(const char *word, char out[OPTIONS_ECHO_MAX + 1]);

/* Returns true if the last successful options_parse() found the option, on the command line or in
 * an args file. */
bool options_was_given(const struct options *set, const char *name);
/* Returns true if a table has an option with exactly that name. */
bool options_has(const struct options *set, const char *name);
/* Makes options_was_given() return false for an option. */
void options_forget(struct options *set, const char *name);
/* Writes the current value of an option to out, in the form in which one would type it on a command
 * line. Writes "" if no table has the option. */
void options_value_text(const struct options *set, const char *name, char *out, size_t size);

/*
 * Returns true if two options name the same file, by any path or link, and writes to error a line
 * that names both options. Without this check, the run could overwrite a file that it reads or has
 * written.
 *
 * Checks args files, and the values of options whose help begins with "<FILE>" or "<FILES>" (paths
 * separated by commas). Checks options whose help begins with "<DIR>" only if they were given. For
 * options whose help begins with "<PREFIX>" and mentions PREFIX-1, checks the files PREFIX-1,
 * PREFIX-2 and so on. Several options may name the same pipe, device, directory or args file, and
 * one option may name a file twice. Not collective: call it on one rank.
 */
bool options_share_file(const struct options *set, char *error, size_t error_size);

/* options_visit() calls visit for each option of a table with its name and its current value,
 * formatted as by options_value_text(). */
typedef void (*options_visit_f)(void *ctx, const char *name, const char *value);
void options_visit(const tw_optdef *table, options_visit_f visit, void *ctx);

/* Returns a string with options and their current values as shell words, such as "--nlp=8 '--name=a
 * b'". Omits options that name args files. Covers the tables for which is_wanted returns true;
 * is_wanted NULL: all tables. Covers only options that were given if `given` is true, otherwise
 * all. The caller frees the string. */
char *options_words(const struct options *set, bool given, bool (*is_wanted)(const tw_optdef *));

/* Returns a line with the n words, separated by spaces, which a shell splits into the same words:
 * words with spaces or special characters are in single quotes. The caller frees the line. */
char *shell_words_join(int n, char *const *words);

/* Returns the length in bytes of the current value of a TWOPTTYPE_CHAR option; 0 for other types,
 * or if the table does not state the buffer's size. */
size_t option_text_length(const tw_optdef *def);

/* Searches argv[1..end-1] for --help, -h, --help=all and --version. Returns the request that takes
 * precedence. Called by options_parse(). */
enum options_asked options_find_asked(const struct options *set, int end, char **argv);

/* Prints to out a usage line and all options by group, in 80 columns. Shows the current values as
 * defaults. */
void options_print_help(const struct options *set, const char *program, FILE *out);
/* Prints to out all options by group, without a usage line, for a program that prints its own usage
 * line. */
void options_print_list(const struct options *set, FILE *out);

/* Prints to out, for the name "bash", "zsh" or "fish", a script with which that shell completes the options
 * of the program; for "roff", a manual page of the program. Returns false for any other name. */
bool options_print_form(const struct options *set, const char *program, const char *name,
                        FILE *out);

/* A title and the options that the short help lists under it; names in no table are skipped. */
struct options_choice {
    const char *title;
    const char *const *names; /* names of the options, NULL-terminated */
};

/* Prints the short help to out: first the options of the model that have an effect, then those that
 * `choices` lists. is_own: returns true for a table of the model. The last line states the number
 * of options that --help=all prints. */
void options_print_brief(const struct options *set, const char *program,
                         bool (*is_own)(const tw_optdef *table),
                         const struct options_choice *choices, unsigned n_choices, FILE *out);

/* Reads text as a finite non-negative number with an optional suffix "s". "600s" is wall-clock time
 * in seconds; a number without "s", such as "9.5", has a unit that the option defines, such as virtual
 * time. Sets *value to the number, and *in_seconds to true if the suffix is present. Returns false if
 * text does not have this form. */
bool duration_read(const char *text, double *value, bool *in_seconds);

#endif
