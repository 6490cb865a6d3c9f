/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * completion.c - writes completion scripts, from parts common to all shells and parts for each
 * shell; see completion.h.
 */
#include "text/completion.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

#include "text/completion_scripts.h"

#define TEXT_COLUMNS 70u /* maximum length of a description in characters */

static const char *const shell_names[COMPLETION_SHELLS] = {"bash", "zsh", "fish"};

bool completion_shell_find(const char *name, enum completion_shell *shell)
{
    for (int i = 0; i < COMPLETION_SHELLS; i++) {
        if (strcmp(name, shell_names[i]) == 0) {
            *shell = (enum completion_shell)i;
            return true;
        }
    }
    return false;
}

const char *completion_shell_name(enum completion_shell shell)
{
    assert(shell < COMPLETION_SHELLS);
    return shell_names[shell];
}

/* Prints a script. Replaces "@P" by the program's name, and "@F" by that name in the form in which
 * it can be part of a function's name. */
static void script_print(const struct completion *c, const char *script)
{
    for (const char *at = script; *at != '\0'; at++) {
        if (*at != '@' || (at[1] != 'F' && at[1] != 'P')) {
            fputc(*at, c->out);
            continue;
        }
        bool is_function = *++at == 'F';
        for (const char *p = c->program; *p != '\0'; p++) {
            bool plain = isalnum((unsigned char)*p) || (!is_function && strchr("+-.", *p) != NULL);
            fputc(plain ? *p : '_', c->out);
        }
    }
}

/* Prints text as one line, for use inside single quotes. Truncates long text between words.
 * escaped: characters before which a backslash is printed. */
static void quoted_print(const struct completion *c, const char *text, const char *escaped)
{
    size_t column = 0;
    text += strspn(text, " \n");
    while (*text != '\0') {
        size_t length = strcspn(text, " \n");
        if (column + 1 + length > TEXT_COLUMNS && column > 0) {
            fputs(" ...", c->out);
            return;
        }
        if (column > 0) {
            fputc(' ', c->out);
        }
        for (size_t i = 0; i < length; i++) {
            if (text[i] == '\'' && c->shell != COMPLETION_FISH) {
                fputs("'\\''", c->out);
                continue;
            }
            fprintf(c->out, "%s%c", strchr(escaped, text[i]) != NULL ? "\\" : "", text[i]);
        }
        column += length + 1;
        text += length + strspn(text + length, " \n");
    }
}

enum kind { FLAG, WORDS, FILES, FOLDER, RECORDS, ANY };

static bool is_one_of(const char *value, size_t length, const char *words)
{
    for (const char *w = words; *w != '\0'; w += strspn(w, " ")) {
        size_t n = strcspn(w, " ");
        if (n == length && memcmp(w, value, n) == 0) {
            return true;
        }
        w += n;
    }
    return false;
}

/* Returns the kind of value that the placeholder `value`, of `length` bytes, stands for. */
static enum kind kind_of(const char *value, size_t length)
{
    bool has_upper = false, has_odd = false;
    if (value == NULL || length == 0) {
        return FLAG;
    }
    for (size_t i = 0; i < length; i++) {
        has_upper |= isupper((unsigned char)value[i]) != 0;
        has_odd |= !isalnum((unsigned char)value[i]) && strchr("|_-.=", value[i]) == NULL;
    }
    if (!has_upper && !has_odd) {
        return WORDS;
    }
    return is_one_of(value, length, "FILE FILES PATH") ? FILES
           : is_one_of(value, length, "DIR")           ? FOLDER
           : is_one_of(value, length, "RECORDS")       ? RECORDS
                                                       : ANY;
}

static void words_print(const struct completion *c, const char *words, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        fputc(words[i] == '|' ? ' ' : words[i], c->out);
    }
}

/* ---- The parts of the scripts ---------------------------------------------------------------- */

void completion_begin(const struct completion *c)
{
    static const char *const scripts[COMPLETION_SHELLS] = {
        completion_bash_begin, completion_zsh_begin, completion_fish_begin};
    script_print(c, scripts[c->shell]);
    if (c->shell == COMPLETION_BASH) {
        fprintf(c->out, "%s    fi\n", c->is_spaced ? completion_bash_spaced : "");
    }
    if (c->has_commands) {
        static const char *const names[COMPLETION_SHELLS] = {
            "    local commands='", "    local -a commands=(\n", "complete -c @P -f\n"};
        script_print(c, names[c->shell]);
        return;
    }
    static const char *const alone[COMPLETION_SHELLS] = {"", "    _arguments -S \\\n",
                                                         "complete -c @P -f\n"};
    script_print(c, alone[c->shell]);
}

void completion_name(const struct completion *c, const char *name, const char *text)
{
    assert(c->has_commands);
    switch (c->shell) {
    case COMPLETION_BASH:
        fprintf(c->out, "%s ", name);
        break;
    case COMPLETION_ZSH:
        fprintf(c->out, "        '%s:", name);
        quoted_print(c, text, "\\:");
        fputs("'\n", c->out);
        break;
    default:
        script_print(c, "complete -c @P -n '__@F_is_first; or __@F_has_command help'");
        fprintf(c->out, " -a %s -d '", name);
        quoted_print(c, text, "\\'");
        fputs("'\n", c->out);
        break;
    }
}

void completion_names_end(const struct completion *c)
{
    static const char *const scripts[COMPLETION_SHELLS] = {
        completion_bash_names_end, completion_zsh_names_end, completion_fish_names_end};
    script_print(c, scripts[c->shell]);
}

void completion_command(const struct completion *c)
{
    assert(c->command != NULL);
    if (c->shell == COMPLETION_BASH) {
        fprintf(c->out, "    %s)\n", c->command);
    } else if (c->shell == COMPLETION_ZSH) {
        fprintf(c->out, "        %s) _arguments -S \\\n", c->command);
    }
}

void completion_command_end(const struct completion *c)
{
    if (c->shell == COMPLETION_BASH) {
        fputs("        ;;\n", c->out);
    } else if (c->shell == COMPLETION_ZSH) {
        fputs("            && ret=0 ;;\n", c->out);
    }
}

/* Prints the completions for a placeholder of `length` bytes. For bash: the words to offer, or a word
 * such as "<file>", which stands for a kind of value. For zsh: ":message:action". For fish:
 * arguments of complete. */
static void value_print(const struct completion *c, const char *value, size_t length)
{
    /* Text to print for a kind; for words, and for ANY in zsh, the text before the placeholder. */
    static const char *const forms[COMPLETION_SHELLS][ANY + 1] = {
        [COMPLETION_BASH] = {"", "", "<file>", "<dir>", "<records>", "<any>"},
        [COMPLETION_ZSH] = {"", ":value:(", ":file:_files", ":directory:_files -/",
                            ":directory or file of records:_files -g \"*.bin(-.)\"", ":"},
        [COMPLETION_FISH] = {"", " -x -a '", " -r -F", " -r -F", " -r -F", " -x"}};
    static const char *const ends[COMPLETION_SHELLS] = {"", ")", "'"};
    enum kind kind = kind_of(value, length);
    if (kind == WORDS && c->shell == COMPLETION_ZSH && value[length - 1] == '=') {
        fputs(":value:{compadd -S \"\" - ", c->out); /* adds no blank after the word */
        words_print(c, value, length);
        fputc('}', c->out);
        return;
    }
    fputs(forms[c->shell][kind], c->out);
    if (kind == WORDS) {
        words_print(c, value, length);
        fputs(ends[c->shell], c->out);
    } else if (kind == ANY && c->shell == COMPLETION_ZSH) {
        quoted_print(c, value, "\\:[]");
        fputs(": ", c->out);
    }
}

/* Prints the start of a line for fish: "complete", the program and, if the program has commands,
 * the condition. condition: format of printf() for the name of a function and its argument
 * c->command. */
static void fish_head(const struct completion *c, const char *condition)
{
    script_print(c, "complete -c @P");
    if (c->command != NULL) {
        script_print(c, " -n '__@F_");
        fprintf(c->out, condition, c->command);
        fputc('\'', c->out);
    }
}

void completion_option(const struct completion *c, const char *name, const char *value,
                       const char *text)
{
    bool is_flag = value == NULL || value[0] == '\0';
    size_t length = is_flag ? 0 : strlen(value);
    switch (c->shell) {
    case COMPLETION_BASH:
        script_print(c, "        _@F_option");
        fprintf(c->out, " --%s%s '", name, is_flag ? "" : "=");
        value_print(c, value, length);
        fputs("'\n", c->out);
        break;
    case COMPLETION_ZSH:
        fprintf(c->out, "            '--%s%s[", name, is_flag ? "" : c->is_spaced ? "=" : "=-");
        quoted_print(c, text, "\\[]");
        fputc(']', c->out);
        value_print(c, value, length);
        fputs("' \\\n", c->out);
        break;
    default:
        fish_head(c, "has_command %s");
        fprintf(c->out, " -l %s", name);
        value_print(c, value, length);
        fputs(" -d '", c->out);
        quoted_print(c, text, "\\'");
        fputs("'\n", c->out);
        break;
    }
}

/* Prints the script code that completes an operand. kind: placeholder of the operand, of `length`
 * bytes. number: position of the operand, from 1. is_last: true for the last operand, which may be
 * repeated. */
static void operand_print(const struct completion *c, const char *kind, size_t length,
                          unsigned number, bool is_last)
{
    switch (c->shell) {
    case COMPLETION_BASH:
        fputs("        operands+=('", c->out);
        value_print(c, kind, length);
        fputs("')\n", c->out);
        break;
    case COMPLETION_ZSH:
        if (is_last) {
            fputs("            '*", c->out);
        } else {
            fprintf(c->out, "            '%u", number);
        }
        value_print(c, kind, length);
        fputs("' \\\n", c->out);
        break;
    default: {
        char condition[64];
        if (kind_of(kind, length) == ANY) {
            return;
        }
        snprintf(condition, sizeof condition, "is_operand %%s %u %s", number,
                 is_last ? "more" : "");
        fish_head(c, condition);
        if (kind_of(kind, length) == RECORDS) {
            script_print(c, " -a '(__@F_records)'\n");
        } else if (kind_of(kind, length) == WORDS) {
            fputs(" -a '", c->out);
            words_print(c, kind, length);
            fputs("'\n", c->out);
        } else {
            fputs(" -F\n", c->out);
        }
        break;
    }
    }
}

void completion_operands(const struct completion *c, const char *kinds)
{
    unsigned number = 0;
    for (const char *kind = kinds; *kind != '\0';) {
        size_t length = strcspn(kind, " ");
        const char *next = kind + length + strspn(kind + length, " ");
        operand_print(c, kind, length, ++number, *next == '\0');
        kind = next;
    }
}

void completion_end(const struct completion *c)
{
    static const char *const scripts[COMPLETION_SHELLS] = {completion_bash_end, completion_zsh_end,
                                                           completion_fish_end};
    if (c->has_commands) {
        static const char *const cases[COMPLETION_SHELLS] = {"    esac; fi\n",
                                                             "        esac ;;\n    esac\n", ""};
        script_print(c, cases[c->shell]);
    } else if (c->shell == COMPLETION_ZSH) {
        fputs("            && ret=0\n", c->out);
    }
    script_print(c, scripts[c->shell]);
}
