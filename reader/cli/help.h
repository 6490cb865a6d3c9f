/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * help.h - help, manual pages and completion scripts, all from the same tables and texts.
 */
#ifndef WARPSCOPE_READER_CLI_HELP_H
#define WARPSCOPE_READER_CLI_HELP_H

#include <stdbool.h>
#include <stdio.h>

#include "cli/args.h"

/* A subcommand of warpscope. It gets its name in argv[0], and returns the exit status. When it
 * returns, output may still be in the buffer of stdout. */
struct ws_command {
    /* Name of the command; NULL: the member `text` is the title of the group of commands that
     * follows. */
    const char *name;
    int (*run)(int argc, char **argv);
    const char *text; /* description of the command in one line; NULL ends the table */
};

/* Stores the limits of an option's value, such as "from 1 to 1000", in `text`, of `size` bytes; ""
 * if it has none. */
void ws_option_limits(const struct ws_option *option, char *text, size_t size);

/* Returns the text between "warpscope" and the name of the command: empty, a blank or a dash. */
const char *ws_usage_joint(const struct ws_usage *usage);

/* Prints to `out` the help of a subcommand or, if commands is not NULL, of warpscope as a whole. */
void ws_help_print(const struct ws_usage *usage, const struct ws_command *commands, FILE *out);

/* Prints to `out` the manual page of a subcommand or, if commands is not NULL, of warpscope as a
 * whole. summary: description of the command in one line. */
void ws_manual_print(const struct ws_usage *usage, const struct ws_command *commands,
                     const char *summary, FILE *out);

/*
 * Prints to stdout a manual page or a completion script for a subcommand. form: "--help=roff" for
 * the manual page, or "--help=" and the name of a shell for the script. summary: description of the
 * subcommand in one line, for the manual page. The script is complete for a separate program; for
 * other subcommands, it is a part of the script of warpscope. Returns false if form has another
 * value.
 */
bool ws_help_write(const struct ws_usage *usage, const char *form, const char *summary);

/* Functions that print the elements of a help text in one form, such as plain text or roff. */
struct ws_help_form {
    void (*commands)(const struct ws_command *commands, FILE *out);
    void (*title)(const char *title, FILE *out);
    void (*option)(const struct ws_option *option, FILE *out);
    void (*text)(const char *text, FILE *out);
    void (*examples)(const char *text, FILE *out);
};

/* Prints the elements of a help text that follow the description: commands, options, sections, exit
 * statuses, examples. help_text: the text about the option --help. */
void ws_help_parts_print(const struct ws_usage *usage, const struct ws_command *commands,
                         const char *help_text, const struct ws_help_form *form, FILE *out);

#endif
