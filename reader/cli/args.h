/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * args.h - the command line of a subcommand: a table of options, --name=value or --name value.
 *
 * Of the rest of the project, the reader uses only the file format, so it parses options itself.
 */
#ifndef WARPSCOPE_READER_CLI_ARGS_H
#define WARPSCOPE_READER_CLI_ARGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "data/number.h"

#define WS_OPTIONS_MAX 24

/* An option of a subcommand. A table of options ends with a NULL name. */
struct ws_option {
    const char *name; /* name of the option without the dashes */
    /* Placeholder for the value in the help: "N"; NULL: the option takes no value. */
    const char *value_name;
    const char *text; /* help text: one line of at most 55 columns; further lines after '\n' */
};

/* A section of the help with its own title. A table of sections ends with a NULL title. */
struct ws_section {
    const char *title; /* title in lower case */
    const char *text;  /* text, in the format of struct ws_usage */
};

/*
 * A subcommand, described for its command line, --help, manual page and completion by shells.
 *
 * Texts are lines of at most 80 columns and end with a line feed; an empty line separates
 * paragraphs. A line "  NAME  text", with two blanks before the name, is an entry of a list, and
 * lines with more blanks continue it.
 */
struct ws_usage {
    const char *name; /* name of the subcommand: "dump" */
    /* Operands as help shows them: "FILE"; DIR and FILE have meanings for completion, see help.c. */
    const char *operands;
    const char *text;
    const struct ws_option *options;
    /* The following members may be NULL. */
    const char *words; /* values of the operand WHAT: "info|dump" */
    /* Names that the operand NAME=VALUE accepts, with "--" before it or without: "alpha|beta". */
    const char *pairs;
    const char *exit_status; /* exit statuses; NULL: those of all commands */
    const char *examples;    /* example: a sentence, then commands with two blanks before each */
    const struct ws_section *sections;
    const char *see; /* names of related commands, separated by blanks */
    /* True if the command is a program of its own, warpscope-NAME. Its table of options then contains
     * --help. */
    bool is_program;
};

/* Returns what is between "warpscope" and the name: nothing, a blank or '-'. */
const char *ws_usage_joint(const struct ws_usage *usage);

struct ws_args {
    /* Value of each option, by position in the table; "" for options without a value. */
    const char *values[WS_OPTIONS_MAX];
    char **operands; /* operands; points into argv, which is reordered */
    int n_operands;
};

/*
 * Reads argv[1 ..]. "--" ends the options; -o is short for --output. Returns true if args is
 * filled. Otherwise help was printed to stdout, or one line with the mistake to stderr, and
 * *exit_status is the program's exit status.
 */
bool ws_args_parse(struct ws_args *args, const struct ws_usage *usage, int argc, char **argv,
                   int *exit_status);

/* Like ws_args_parse(), for subcommands that require at least one directory or file. */
bool ws_args_parse_paths(struct ws_args *args, const struct ws_usage *usage, int argc, char **argv,
                         int *exit_status);

/* Prints one line on stderr, "warpscope NAME: words". Returns WS_EXIT_USAGE. */
int ws_usage_error(const struct ws_usage *usage, const char *words, ...)
    __attribute__((format(printf, 2, 3)));

#endif
