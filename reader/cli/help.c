/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * help.c - the text of --help, and completion by shells; see help.h.
 */
#include "cli/help.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

#include "cli/colour.h"
#include "cli/exit.h"
#include "text/completion.h"

#define OPTION_COLUMNS 20u

static const char all_exit_status[] =
    "  0  all input is complete and valid\n"
    "  1  input is missing, damaged or incomplete, or lacks the requested data; or\n"
    "     the output could not be written\n"
    "  2  the command line is wrong; no file was read\n";

const char *ws_help_exit_status(const struct ws_usage *usage)
{
    return usage->exit_status != NULL ? usage->exit_status : all_exit_status;
}

/* ---- --help ---------------------------------------------------------------------------------- */

static void option_print(const struct ws_option *option, FILE *out)
{
    const char *text = option->text;
    char head[128];
    snprintf(head, sizeof head, "%s--%s%s%s", strcmp(option->name, "help") == 0 ? "-h, " : "",
             option->name, option->value_name == NULL ? "" : "=",
             option->value_name == NULL ? "" : option->value_name);
    if (strlen(head) > OPTION_COLUMNS) {
        fprintf(out, "  %s\n", head);
        head[0] = '\0';
    }
    do {
        int length = (int)strcspn(text, "\n");
        fprintf(out, "  %-*s  %.*s\n", (int)OPTION_COLUMNS, head, length, text);
        head[0] = '\0';
        text += length + (text[length] == '\n');
    } while (*text != '\0');
}

static void title_print(const char *title, FILE *out)
{
    fprintf(out, "\n%s%s:%s\n", ws_colour(out, WS_COLOUR_HEADING), title,
            ws_colour(out, WS_COLOUR_END));
}

static void commands_print(const struct ws_command *commands, FILE *out)
{
    for (const struct ws_command *c = commands; c->text != NULL; c++) {
        if (c->name == NULL) {
            title_print(c->text, out);
        } else {
            fprintf(out, "  %-10s  %s\n", c->name, c->text);
        }
    }
}

static void text_print(const char *text, FILE *out)
{
    fputs(text, out);
}

void ws_help_parts_print(const struct ws_usage *usage, const struct ws_command *commands,
                         const char *help_text, const struct ws_help_form *form, FILE *out)
{
    const struct ws_option help = {"help", NULL, help_text};
    if (commands != NULL) {
        form->commands(commands, out);
    }
    form->title("options", out);
    for (const struct ws_option *o = usage->options; o->name != NULL; o++) {
        form->option(o, out);
    }
    if (!usage->is_program) {
        form->option(&help, out);
    }
    for (const struct ws_section *s = usage->sections; s != NULL && s->title != NULL; s++) {
        form->title(s->title, out);
        form->text(s->text, out);
    }
    form->title("exit status", out);
    form->text(ws_help_exit_status(usage), out);
    if (usage->examples != NULL) {
        form->title("examples", out);
        form->examples(usage->examples, out);
    }
}

void ws_help_print(const struct ws_usage *usage, const struct ws_command *commands, FILE *out)
{
    static const struct ws_help_form form = {commands_print, title_print, option_print, text_print,
                                             text_print};
    fprintf(out, "usage: warpscope%s%s%s %s\n\n%s", ws_usage_joint(usage), usage->name,
            commands == NULL ? " [options]" : "", usage->operands, usage->text);
    ws_help_parts_print(usage, commands, "print this and exit", &form, out);
}

/* ---- Completion ------------------------------------------------------------------------------ */

static bool is_word(const char *word, size_t length, const char *name)
{
    return strlen(name) == length && memcmp(word, name, length) == 0;
}

/* Returns the kind of completion for one word of usage->operands; see completion_operands(). Sets
 * *kind_length to the length of the kind, which has no terminating zero. */
static const char *operand_kind(const struct ws_usage *usage, const char *word, size_t length,
                                size_t *kind_length)
{
    const char *name = word + (word[0] == '[');
    size_t bare = strcspn(name, " .[]");
    const char *kind = is_word(name, bare, "WHAT") && usage->words != NULL ? usage->words
                       : is_word(name, bare, "FILE")                       ? "FILE"
                       : is_word(name, bare, "DIR")                        ? "DIR"
                       : memchr(word, '=', length) != NULL                 ? "NAME=VALUE"
                                                                           : "RECORDS";
    if (islower((unsigned char)word[0])) {
        /* A word in lower case is literal: the shell offers it unchanged. */
        *kind_length = length;
        return word;
    }
    *kind_length = strlen(kind);
    return kind;
}

/* Writes the completion of the operands to the script. */
static void operands_complete(const struct completion *c, const struct ws_usage *usage)
{
    char kinds[1024] = "";
    size_t used = 0;
    for (const char *word = usage->operands; *word != '\0';) {
        size_t length = strcspn(word, " "), kind_length;
        const char *kind = operand_kind(usage, word, length, &kind_length);
        const char *blank = used == 0 ? "" : " ";
        bool is_pair = memchr(word, '=', length) != NULL && usage->pairs != NULL;
        used += (size_t)snprintf(kinds + used, sizeof kinds - used, "%s%.*s", blank,
                                 (int)(is_pair ? 0 : kind_length), kind);
        for (const char *name = usage->pairs; is_pair && *name != '\0';) {
            size_t n = strcspn(name, "|");
            used += (size_t)snprintf(kinds + used, sizeof kinds - used,
                                     "%s%.*s=", name == usage->pairs ? "" : "|", (int)n, name);
            name += n + (name[n] == '|');
        }
        assert(used < sizeof kinds);
        word += length + strspn(word + length, " ");
    }
    completion_operands(c, kinds);
}

static void options_complete(const struct completion *c, const struct ws_usage *usage)
{
    for (const struct ws_option *o = usage->options; o->name != NULL; o++) {
        completion_option(c, o->name, o->value_name, o->text);
    }
}

/* Writes to stdout the completion script of a separate program. */
static void program_complete(const struct ws_usage *usage, enum completion_shell shell)
{
    char name[64];
    struct completion c = {.out = stdout, .shell = shell, .program = name, .is_spaced = true};
    snprintf(name, sizeof name, "warpscope-%s", usage->name);
    completion_begin(&c);
    options_complete(&c, usage);
    operands_complete(&c, usage);
    completion_end(&c);
}

/* Writes to stdout the part of the completion script of warpscope that belongs to a subcommand. */
static void usage_complete(const struct ws_usage *usage, enum completion_shell shell)
{
    struct completion c = {.out = stdout,
                           .shell = shell,
                           .program = "warpscope",
                           .command = usage->name,
                           .has_commands = true,
                           .is_spaced = true};
    completion_command(&c);
    options_complete(&c, usage);
    completion_option(&c, "help", NULL, "print help and exit");
    operands_complete(&c, usage);
    completion_command_end(&c);
}

bool ws_help_write(const struct ws_usage *usage, const char *form, const char *summary)
{
    static const char prefix[] = "--help=";
    size_t length = sizeof prefix - 1;
    enum completion_shell shell;
    if (strncmp(form, prefix, length) != 0) {
        return false;
    }
    if (strcmp(form + length, "roff") == 0) {
        ws_manual_print(usage, NULL, summary, stdout);
        return true;
    }
    if (completion_shell_find(form + length, &shell)) {
        (usage->is_program ? program_complete : usage_complete)(usage, shell);
        return true;
    }
    return false;
}

/* Writes the completions of all subcommands to the script. */
static void commands_complete(const struct ws_command *commands, const struct completion *c)
{
    char form[32], nothing[] = "";
    snprintf(form, sizeof form, "--help=%s", completion_shell_name(c->shell));
    for (const struct ws_command *command = commands; command->text != NULL; command++) {
        char name[32];
        if (command->name == NULL || strcmp(command->name, "help") == 0) {
            continue; /* completion_names_end() writes the completion of "help" */
        }
        snprintf(name, sizeof name, "%s", command->name);
        char *words[] = {name, form, nothing, NULL};
        command->run(3, words);
    }
}

int ws_completion_command(const struct ws_command *commands, int argc, char **argv)
{
    static const struct ws_option no_options[] = {{NULL, NULL, NULL}};
    static const struct ws_usage usage = {
        .name = "completion",
        .operands = "bash|zsh|fish",
        .text = "Prints a script with which a shell completes the commands, options, values and\n"
                "files of warpscope at the Tab key. Installed packages have these scripts where\n"
                "the shells look for them. Simulations print such a script for their own\n"
                "options: MODEL --help=bash, --help=zsh, --help=fish.\n",
        .options = no_options,
        .exit_status = "  0  the script was printed\n"
                       "  1  the output could not be written\n"
                       "  2  the command line is wrong\n",
        .examples = "In this bash, for a build without installation:\n"
                    "  source <(build/bin/warpscope completion bash)\n"
                    "  source <(build/bin/netsim --help=bash)\n"};
    struct ws_args args;
    int status;
    struct completion c = {
        .out = stdout, .program = "warpscope", .has_commands = true, .is_spaced = true};
    if (!ws_args_parse(&args, &usage, argc, argv, &status)) {
        return status;
    }
    if (args.n_operands != 1 || !completion_shell_find(args.operands[0], &c.shell)) {
        return ws_usage_error(&usage, "needs the name of a shell: bash, zsh or fish");
    }
    completion_begin(&c);
    for (const struct ws_command *command = commands; command->text != NULL; command++) {
        if (command->name != NULL) {
            completion_name(&c, command->name, command->text);
        }
    }
    completion_names_end(&c);
    commands_complete(commands, &c);
    completion_end(&c);
    return WS_EXIT_OK;
}
