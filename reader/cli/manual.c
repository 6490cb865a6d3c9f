/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * manual.c - prints manual pages, in the macros of man(7), and completion scripts of shells, from the
 * texts of --help; see help.h.
 */
#include <assert.h>
#include <ctype.h>
#include <string.h>

#include "cli/help.h"
#include "ross.config.h"
#include "text/completion.h"
#include "text/roff.h"

/* Prints the first line of a list entry: its name, which ends before two blanks, and the text after
 * the blanks. */
static void entry_print(const char *line, size_t length, FILE *out)
{
    size_t name = 0;
    while (name < length && (line[name] != ' ' || (name + 1 < length && line[name + 1] != ' '))) {
        name++;
    }
    fputs(".TP\n", out);
    roff_font('B', line, name, out);
    fputc('\n', out);
    while (name < length && line[name] == ' ') {
        name++;
    }
    if (name < length) {
        roff_line(line + name, length - name, out);
    }
}

/* Prints a text that has the form described at struct ws_usage. */
static void paragraphs_print(const char *text, FILE *out)
{
    bool is_list = false, after_blank = false;
    while (*text != '\0') {
        size_t length = strcspn(text, "\n");
        size_t blanks = strspn(text, " ");
        bool is_blank = length == 0;
        if (!is_blank && blanks == 0 && (is_list || after_blank)) {
            fputs(".PP\n", out);
            is_list = false;
        }
        if (!is_blank && blanks == 2) {
            entry_print(text + blanks, length - blanks, out);
            is_list = true;
        } else if (!is_blank) {
            roff_line(text + blanks, length - blanks, out);
        }
        after_blank = is_blank;
        text += length + (text[length] == '\n');
    }
}

/* Prints examples: sentences, and commands, whose lines begin with two blanks. */
static void examples_print(const char *text, FILE *out)
{
    bool is_command = false;
    for (const char *line = text; *line != '\0';) {
        size_t length = strcspn(line, "\n");
        bool is_next = strncmp(line, "  ", 2) == 0;
        if (is_next != is_command) {
            fputs(is_next ? ".PP\n.RS 4\n.nf\n" : ".fi\n.RE\n", out);
        }
        if (is_next) {
            roff_font('B', line + 2, length - 2, out);
            fputc('\n', out);
        } else if (length > 0) {
            fputs(".PP\n", out);
            roff_line(line, length, out);
        }
        is_command = is_next;
        line += length + (line[length] == '\n');
    }
    if (is_command) {
        fputs(".fi\n.RE\n", out);
    }
}

static void option_print(const struct ws_option *option, FILE *out)
{
    roff_option(option->name, option->value_name, out);
    for (const char *text = option->text; *text != '\0';) {
        size_t length = strcspn(text, "\n");
        roff_line(text, length, out);
        text += length + (text[length] == '\n');
    }
    char limits[64];
    ws_option_limits(option, limits, sizeof limits);
    if (limits[0] != '\0') {
        roff_line(limits, strlen(limits), out);
    }
}

static void commands_print(const struct ws_command *commands, FILE *out)
{
    roff_title("commands", out);
    for (const struct ws_command *c = commands; c->text != NULL; c++) {
        if (c->name == NULL) {
            fprintf(out, ".SS \"%c%s\"\n", toupper((unsigned char)c->text[0]), c->text + 1);
            continue;
        }
        fputs(".TP\n", out);
        fprintf(out, "\\fBwarpscope\\-%s\\fR(1)\n", c->name);
        roff_line(c->text, strlen(c->text), out);
    }
}

static void see_print(const struct ws_usage *usage, FILE *out)
{
    roff_title("see also", out);
    if (usage->name[0] != '\0') {
        fputs("\\fBwarpscope\\fR(1)", out);
    }
    for (const char *word = usage->see; word != NULL && *word != '\0';) {
        size_t length = strcspn(word, " ");
        bool is_first = usage->name[0] == '\0' && word == usage->see;
        fprintf(out, "%s\\fBwarpscope\\-%.*s\\fR(1)", is_first ? "" : ",\n", (int)length, word);
        word += length + strspn(word + length, " ");
    }
    fputc('\n', out);
}

static void head_print(const struct ws_usage *usage, const struct ws_command *commands,
                       const char *summary, FILE *out)
{
    const char *dash = usage->name[0] == '\0' ? "" : "-";
    fputs(".\\\" Made from the texts of warpscope --help.\n.TH \"WARPSCOPE", out);
    for (const char *c = usage->name; *c != '\0'; c++) {
        fprintf(out, "%s%c", c == usage->name ? "\\-" : "", toupper((unsigned char)*c));
    }
    fputs("\" \"1\" \"\" \"Warpscope " WARPSCOPE_VERSION "\" \"Warpscope\"\n", out);
    fprintf(out, ".nh\n.ad l\n.SH \"NAME\"\nwarpscope%s%s \\- ", dash[0] == '\0' ? "" : "\\-",
            usage->name);
    roff_text(summary, strlen(summary), out);
    fprintf(out, "\n.SH \"SYNOPSIS\"\n\\fBwarpscope%s%s\\fR%s ", ws_usage_joint(usage), usage->name,
            commands == NULL ? " [\\fIoptions\\fR]" : "");
    roff_font('I', usage->operands, strlen(usage->operands), out);
    fputs("\n.SH \"DESCRIPTION\"\n", out);
}

void ws_manual_print(const struct ws_usage *usage, const struct ws_command *commands,
                     const char *summary, FILE *out)
{
    static const struct ws_help_form form = {commands_print, roff_title, option_print,
                                             paragraphs_print, examples_print};
    head_print(usage, commands, summary, out);
    paragraphs_print(usage->text, out);
    ws_help_parts_print(usage, commands, "print help and exit", &form, out);
    see_print(usage, out);
}

/* ---- Completion by shells -------------------------------------------------------------------- */

/* Writes the completion of the operands to the script; see completion_operands(). A word in lower case
 * is literal: the shell offers it unchanged. */
static void operands_complete(const struct completion *c, const struct ws_usage *usage)
{
    char kinds[1024] = "", operands[256], *rest = operands;
    size_t used = 0;
    snprintf(operands, sizeof operands, "%s", usage->operands);
    for (char *word; (word = strsep(&rest, " ")) != NULL;) {
        bool is_literal = islower((unsigned char)word[0]) != 0, is_pair = strchr(word, '=') != NULL;
        char *name = word + (word[0] == '[');
        name[is_literal ? strlen(name) : strcspn(name, ".[]")] = '\0';
        const char *kind = is_literal                                          ? word
                           : strcmp(name, "WHAT") == 0 && usage->words != NULL ? usage->words
                           : strncmp(name, "FILE", 4) == 0 || usage->is_program
                               ? "FILE" /* and FILE|DIR */
                           : strcmp(name, "DIR") == 0 ? name
                           : is_pair                  ? usage->pairs != NULL ? "" : "NAME=VALUE"
                                                      : "RECORDS";
        used +=
            (size_t)snprintf(kinds + used, sizeof kinds - used, "%s%s", used == 0 ? "" : " ", kind);
        for (const char *p = usage->pairs; is_pair && p != NULL && *p != '\0'; p++) {
            used += (size_t)snprintf(kinds + used, sizeof kinds - used, "%.1s%s", p,
                                     p[1] == '|' || p[1] == '\0' ? "=" : "");
        }
        assert(used < sizeof kinds);
    }
    completion_operands(c, kinds);
}

/* Writes to stdout the completion script of a separate program, or the part of the script of warpscope
 * that belongs to a subcommand. */
static void usage_complete(const struct ws_usage *usage, enum completion_shell shell)
{
    char name[64];
    snprintf(name, sizeof name, "warpscope-%s", usage->name);
    const struct completion c = {.out = stdout,
                                 .shell = shell,
                                 .program = usage->is_program ? name : "warpscope",
                                 .command = usage->is_program ? NULL : usage->name,
                                 .has_commands = !usage->is_program,
                                 .is_spaced = !usage->has_equals};
    (usage->is_program ? completion_begin : completion_command)(&c);
    for (const struct ws_option *o = usage->options; o->name != NULL; o++) {
        completion_option(&c, o->name, o->value_name, o->text);
    }
    if (!usage->is_program) {
        completion_option(&c, "help", NULL, "print help and exit");
    }
    operands_complete(&c, usage);
    (usage->is_program ? completion_end : completion_command_end)(&c);
}

bool ws_help_write(const struct ws_usage *usage, const char *form, const char *summary)
{
    enum completion_shell shell;
    if (strcmp(form, "--help=roff") == 0) {
        ws_manual_print(usage, NULL, summary, stdout);
    } else if (strncmp(form, "--help=", 7) == 0 && completion_shell_find(form + 7, &shell)) {
        usage_complete(usage, shell);
    } else {
        return false;
    }
    return true;
}
