/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * completion.h - writes scripts for bash, zsh and fish that complete the command line of a program
 * from its tables of options.
 *
 * A program with options calls completion_begin(), completion_option() for each option,
 * completion_operands() if it takes words or files, and completion_end(). A program with commands
 * calls completion_name() for each command after completion_begin(), and then, for each command,
 * completion_command(), its options and operands, and completion_command_end().
 *
 * A struct completion holds no state of the script: another struct with the same members may
 * continue the script. The caller checks the stream `out` for errors.
 */
#ifndef WARPSCOPE_TEXT_COMPLETION_H
#define WARPSCOPE_TEXT_COMPLETION_H

#include <stdbool.h>
#include <stdio.h>

enum completion_shell { COMPLETION_BASH, COMPLETION_ZSH, COMPLETION_FISH, COMPLETION_SHELLS };

struct completion {
    FILE *out;
    enum completion_shell shell;
    /* Name of the program. In names of shell functions, characters that are invalid there are
     * replaced by '_'. */
    const char *program;
    const char *command; /* name of the current command; NULL: the program has no commands */
    bool has_commands;
    bool is_spaced; /* true if "--name value" is allowed in place of "--name=value" */
};

/* Sets *shell to the shell with this name. Returns false if the name is unknown. */
bool completion_shell_find(const char *name, enum completion_shell *shell);
/* Returns the name of a shell. */
const char *completion_shell_name(enum completion_shell shell);

void completion_begin(const struct completion *c);
/* Writes the name of a command of the program. text: description of the command, one line. */
void completion_name(const struct completion *c, const char *name, const char *text);
/* Ends the list of commands. Call it after the last completion_name(). */
void completion_names_end(const struct completion *c);
/* This function and the next begin and end the part of the script for c->command. */
void completion_command(const struct completion *c);
void completion_command_end(const struct completion *c);

/*
 * Writes an option. name: name without leading dashes. text: description of the option, in which
 * any sequence of blanks and line feeds counts as one blank.
 *
 * value: placeholder for the value of the option; NULL or "": the option is a flag. Lower-case
 * words, separated by '|', are offered as completions; each may end in '='. FILE, FILES and PATH
 * stand for files, DIR for a directory. Any other placeholder is only displayed.
 */
void completion_option(const struct completion *c, const char *name, const char *value,
                       const char *text);
/* Writes the operands of the program or command. kinds: one placeholder per operand, separated by
 * blanks; the last operand may be repeated. A placeholder consists of lower-case words, separated
 * by '|', each of which may end in '='; or it is FILE, DIR or RECORDS (directories and *.bin
 * files). Operands with other placeholders are not completed. */
void completion_operands(const struct completion *c, const char *kinds);

void completion_end(const struct completion *c);

#endif
