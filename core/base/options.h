/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * options.h - the command line: tables of tw_optdef, --name=value, help, args files.
 *
 * A name may be shortened to a prefix, as scripts for ROSS do (--sync=1). An unknown name is an
 * error, and the message suggests the nearest known one. The values of options are written only if
 * the whole command line is valid.
 */
#ifndef WARPSCOPE_BASE_OPTIONS_H
#define WARPSCOPE_BASE_OPTIONS_H

#include <stdio.h>

#include "base/status.h"
#include "ross.h"

#define OPTIONS_MAX_TABLES 64
#define OPTIONS_MAX        1024 /* most entries of all tables, including group titles */

/* Request on the command line that replaces the run. If there are several, the last one in this
 * list takes precedence. */
enum options_asked {
    OPTIONS_ASKED_NOTHING = 0,
    OPTIONS_ASKED_VERSION, /* --version, accepted if has_version is set */
    OPTIONS_ASKED_HELP,    /* --help or -h */
    OPTIONS_ASKED_HELP_ALL /* --help=all */
};

/* The option tables and the result of parsing. All zeros at the start; needs no clean-up. */
struct options {
    const tw_optdef *tables[OPTIONS_MAX_TABLES];
    unsigned n_tables;
    bool too_many_tables;
    /* true if elements of argv after *argc keep their contents, see options_parse() */
    bool keeps_tail;
    bool has_version; /* true to accept --version, unless a table has an option with that name */
    enum options_asked asked;         /* request of the last command line */
    uint64_t given[OPTIONS_MAX / 64]; /* bit i: table entry i was given; see options_was_given() */
    /* Set if a name on the command line was a prefix of several options: the first of these, which
     * was selected, and the second. Otherwise NULL. */
    const tw_optdef *taken;
    const tw_optdef *not_taken;
};

/* Adds a table, which is not copied; adding it again has no effect. options_parse() reports errors
 * in tables (too many, duplicate names, a variable whose size does not fit its type). */
void options_add(struct options *set, const tw_optdef *table);

/*
 * Reads argv[1..argc-1]. An option is --name=value, or --name for a flag. If it appears more than
 * once, the last value takes effect. "--" ends the options. Before it, --help, -h and --help=all
 * request help, --version requests versions; all other arguments are then ignored. A prefix of
 * several options selects the first one in the tables; set->taken and set->not_taken report that.
 *
 * An argument without "--" that is clearly meant as an option is an error: "-end=5", "end=5" if
 * there is an option --end, and any argument with a leading Unicode dash.
 *
 * Other arguments stay, in order: argv is compacted and *argc set. "--" stays with them, so that a
 * model finds its arguments where ROSS leaves them: argv[2] after "--". argv[*argc] is NULL. With
 * keeps_tail, the elements from argv[*argc] on keep their old contents, since models for ROSS also
 * use argv[2] without "--". After an error, and for help, argv is unchanged.
 *
 * An option of type TWOPTTYPE_ARGSFILE reads options from a file (see args_file.h). Options on the
 * command line take precedence over options in the file, regardless of their order.
 *
 * On failure, error (error_size bytes, not 0) gets one line that names the option (and file and
 * line in an args file) and the remedy. Returns TW_ERR_USAGE; TW_ERR_IO for an args file that
 * cannot be read; TW_ERR_MEMORY; or TW_ERR_HELP if help or the version was requested: the caller
 * then prints what set->asked selects. Not collective.
 */
enum tw_status options_parse(struct options *set, int *argc, char **argv, char *error,
                             size_t error_size);

/* Shortens an argument for messages and returns it in out. Of a long argument, keeps the beginning
 * and the end, so that the message fits on one line. */
#define OPTIONS_ECHO_MAX 40u
const char *options_echo(const char *word, char out[OPTIONS_ECHO_MAX + 1]);

/* Returns true if the option was given, on the command line or in an args file, as of the last
 * successful options_parse(). */
bool options_was_given(const struct options *set, const char *name);
/* Returns true if there is an option of that name, not abbreviated. */
bool options_has(const struct options *set, const char *name);
/* Marks an option as not given. */
void options_forget(struct options *set, const char *name);
/* Writes the value of an option as typed on a command line; empty if no table has it. */
void options_value_text(const struct options *set, const char *name, char *out, size_t size);

/*
 * Returns true if two options name the same file, by any path or link; the run would overwrite what
 * it reads or has written. error gets a line that names both. Checks args files; the values of
 * options whose help begins with "<FILE>", "<FILES>" (a list with commas) or, if the option was
 * given, "<DIR>"; and the files PREFIX-1, PREFIX-2 ... of options whose help begins with "<PREFIX>"
 * and mentions PREFIX-1. Several options may name the same pipe, device, directory or args file,
 * and one option may name a file twice. Not collective: call it on one rank.
 */
bool options_share_file(const struct options *set, char *error, size_t error_size);

/* options_visit() calls visit with each option of a table and its current value, as typed on a
 * command line. */
typedef void (*options_visit_f)(void *ctx, const char *name, const char *value);
void options_visit(const tw_optdef *table, options_visit_f visit, void *ctx);

/* Returns options with their current values as shell words, "--nlp=8 '--name=a b'", without args
 * files. Covers all tables, or only those for which is_wanted returns true; and all of their
 * options or, if given is true, only those given. The caller frees the string. */
char *options_words(const struct options *set, bool given, bool (*is_wanted)(const tw_optdef *));

/* Returns the length of the string of a TWOPTTYPE_CHAR option; 0 for other types, or if the table
 * does not state the buffer's size. */
size_t option_text_length(const tw_optdef *def);

/* Searches argv[1..end-1] for --help, --version and similar options; called by options_parse(). */
enum options_asked options_find_asked(const struct options *set, int end, char **argv);

/* Prints "usage: ..." with all groups and the current values as defaults, in 80 columns. */
void options_print_help(const struct options *set, const char *program, FILE *out);
/* Prints the groups of options without a usage line, for a program that prints its own. */
void options_print_list(const struct options *set, FILE *out);

/* Prints a script with which a shell completes the options of a program: name is "bash", "zsh" or
 * "fish". Returns false for any other name. */
bool options_print_completion(const struct options *set, const char *program, const char *name,
                              FILE *out);

/* A title and the options to list under it. Names that are in no table are skipped. */
struct options_choice {
    const char *title;
    const char *const *names; /* names of the options, NULL-terminated */
};

/* Prints the short help: the options with an effect in tables for which is_own returns true (those
 * of the model), then the choices. The last line states how many options --help=all prints. */
void options_print_brief(const struct options *set, const char *program,
                         bool (*is_own)(const tw_optdef *table),
                         const struct options_choice *choices, unsigned n_choices, FILE *out);

#endif
