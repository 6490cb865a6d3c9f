/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * help.h - help, manual pages and completion scripts, all from the same tables and texts.
 */
#ifndef WARPSCOPE_READER_CLI_HELP_H
#define WARPSCOPE_READER_CLI_HELP_H

#include <stdbool.h>
#include <stdio.h>

#include "cli/args.h"
#include "cli/commands.h"

/* Prints the help of a subcommand; if commands is not NULL, the help of warpscope as a whole. */
void ws_help_print(const struct ws_usage *usage, const struct ws_command *commands, FILE *out);

/* Prints the manual page of a subcommand or, if commands is not NULL, of warpscope as a whole.
 * summary: description in one line. */
void ws_manual_print(const struct ws_usage *usage, const struct ws_command *commands,
                     const char *summary, FILE *out);

/* Prints the script that completes the command line in a shell. Returns the exit status. */
int ws_completion_command(const struct ws_command *commands, int argc, char **argv);

/*
 * Prints the part of a subcommand in the manual or in a completion script; for a program of its own
 * prints the whole script. form is "--help=roff", for which summary is the description of the
 * command, or "--help=" and the name of a shell.
 * Returns false if form is neither.
 */
bool ws_help_write(const struct ws_usage *usage, const char *form, const char *summary);

/* Functions that print the parts of a help in one form, such as text or roff. */
struct ws_help_form {
    void (*commands)(const struct ws_command *commands, FILE *out);
    void (*title)(const char *title, FILE *out);
    void (*option)(const struct ws_option *option, FILE *out);
    void (*text)(const char *text, FILE *out);
    void (*examples)(const char *text, FILE *out);
};

/* Prints the help after the description: commands, options, sections, exit statuses, examples.
 * help_text: the text of the option --help. */
void ws_help_parts_print(const struct ws_usage *usage, const struct ws_command *commands,
                         const char *help_text, const struct ws_help_form *form, FILE *out);

/* Returns the text about exit statuses. */
const char *ws_help_exit_status(const struct ws_usage *usage);

#endif
