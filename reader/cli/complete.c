/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * complete.c - completion of a subcommand by shells, and other forms of its help; see help.h.
 */
#include <assert.h>
#include <ctype.h>
#include <string.h>

#include "cli/help.h"
#include "text/completion.h"

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
