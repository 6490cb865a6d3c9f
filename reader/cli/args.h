/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * args.h - parses the command line of a subcommand according to a table of options. The forms
 * --name=value and --name value are equivalent.
 *
 * The reader parses options itself, since it shares little more than the file format with the rest
 * of the project.
 */
#ifndef WARPSCOPE_READER_CLI_ARGS_H
#define WARPSCOPE_READER_CLI_ARGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "data/number.h"

#define WS_OPTIONS_MAX 24

/* An option of a subcommand. A table of options ends with an element whose name is NULL. */
struct ws_option {
    const char *name; /* name of the option without the dashes */
    /* Placeholder for the value in the help, such as "N"; NULL: the option takes no value. */
    const char *value_name;
    const char *text; /* help text: lines of at most 55 columns, separated by '\n' */
};

/* A section of the help with its own title. A table of sections ends with an element whose title is
 * NULL. */
struct ws_section {
    const char *title; /* title in lower case */
    const char *text;  /* text, in the form that struct ws_usage describes */
};

/*
 * The description of a subcommand, for the parser of its command line, --help, the manual page and
 * completion by shells.
 *
 * Texts are lines of at most 80 columns and end with a line feed; an empty line separates
 * paragraphs. A line " NAME text", with two blanks before the name, is an entry of a list, and
 * lines with more blanks continue it.
 */
struct ws_usage {
    const char *name; /* name of the subcommand, such as "dump"; "" for warpscope itself */
    /* Operands as the help shows them, such as "FILE". The words DIR and FILE have a meaning for
     * completion, see help.c. */
    const char *operands;
    const char *text;
    const struct ws_option *options;
    /* The following members may be NULL. */
    const char *words; /* values of the operand WHAT, such as "info|dump" */
    /* Names that an operand NAME=VALUE may have, such as "alpha|beta". The user may put "--" before
     * the operand. */
    const char *pairs;
    /* text about the exit statuses; NULL: the text that most commands have */
    const char *exit_status;
    /* Examples. Each is a sentence, followed by commands on lines that begin with two blanks. */
    const char *examples;
    const struct ws_section *sections;
    const char *see; /* names of related commands, separated by blanks */
    /* True if the command is a separate program, warpscope-NAME. Its table of options then contains
     * --help. */
    bool is_program;
};

/* Returns the text between "warpscope" and the name of the command: empty, a blank or a dash. */
const char *ws_usage_joint(const struct ws_usage *usage);

struct ws_args {
    /* [i]: value of option i of the table; "" for an option without a value; NULL: not given. */
    const char *values[WS_OPTIONS_MAX];
    char **operands; /* operands, stored in argv, which the parser overwrites */
    int n_operands;
};

/*
 * Parses argv[1] and the words after it. The word "--" ends the options; -o is short for --output.
 * Returns true if args is filled. Otherwise prints help to stdout, or an error message of one line
 * to stderr. *exit_status is then the exit status of the program.
 */
bool ws_args_parse(struct ws_args *args, const struct ws_usage *usage, int argc, char **argv,
                   int *exit_status);

/* Like ws_args_parse(), for subcommands that require at least one directory or file as operand. */
bool ws_args_parse_paths(struct ws_args *args, const struct ws_usage *usage, int argc, char **argv,
                         int *exit_status);

/* Prints an error message of one line on stderr: "warpscope NAME:", the text made from the printf()
 * format `words`, and a reference to --help. Returns WS_EXIT_USAGE. */
int ws_usage_error(const struct ws_usage *usage, const char *words, ...)
    __attribute__((format(printf, 2, 3)));

#endif
