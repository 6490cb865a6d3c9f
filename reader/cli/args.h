/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * args.h - the command line of a subcommand: a table of options, --name=value or --name value.
 *
 * The reader uses nothing but the file format of the rest of the project. Therefore it parses
 * options itself.
 */
#ifndef WARPSCOPE_READER_CLI_ARGS_H
#define WARPSCOPE_READER_CLI_ARGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "data/number.h"

#define WS_OPTIONS_MAX 24

/* One option. Tables end with a NULL name. */
struct ws_option {
    const char *name;       /* without the dashes */
    const char *value_name; /* "N", shown in help; NULL: the option takes no value */
    const char *text;       /* one line of at most 55 columns; further lines after '\n' */
};

/* A section of the help with a title of its own. Tables end with a NULL title. */
struct ws_section {
    const char *title; /* lower case */
    const char *text;  /* like that of struct ws_usage */
};

/*
 * A subcommand, described for its command line, --help, manual page and completion by shells.
 *
 * Texts are lines of at most 80 columns and end with a line feed; an empty line separates
 * paragraphs. A line "  NAME  text", with two blanks before the name, is an entry of a list, and
 * lines with more blanks continue it.
 */
struct ws_usage {
    const char *name;     /* "dump" */
    const char *operands; /* "FILE"; DIR and FILE have meanings for completion, see help.c */
    const char *text;
    const struct ws_option *options;
    /* members that may be left out */
    const char *words;       /* what may stand for the operand WHAT: "info|dump" */
    const char *exit_status; /* NULL: those of all commands */
    const char *examples;    /* a sentence, then commands, with two blanks before each */
    const struct ws_section *sections;
    const char *see; /* names of other commands, with blanks between */
};

struct ws_args {
    const char *values[WS_OPTIONS_MAX]; /* by position in the table; "" without a value */
    char **operands;                    /* points into argv, which is reordered */
    int n_operands;
};

/*
 * Reads argv[1 ..]. "--" ends the options; -o stands for --output. Returns true if args is filled. Otherwise help was
 * printed to stdout, or one line with the mistake to stderr, and *exit_status is the program's exit
 * status.
 */
bool ws_args_parse(struct ws_args *args, const struct ws_usage *usage, int argc, char **argv,
                   int *exit_status);

/* Like ws_args_parse(), for subcommands that require at least one directory or file. */
bool ws_args_parse_paths(struct ws_args *args, const struct ws_usage *usage, int argc, char **argv,
                         int *exit_status);

/* Prints one line to stderr, "warpscope NAME: words". Returns WS_EXIT_USAGE. */
int ws_usage_error(const struct ws_usage *usage, const char *words, ...)
    __attribute__((format(printf, 2, 3)));

#endif
