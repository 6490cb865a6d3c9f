/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * completion.c - writes completion scripts, from parts common to all shells and parts for each
 * shell; see completion.h.
 */
#include "text/completion.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

#define TEXT_COLUMNS 70u /* maximum length of a description in characters */

/* ---- The fixed parts of scripts. "@P" stands for the name of the program, "@F" for the form of this
 * name within names of functions. */

/* If COMP_WORDBREAKS contains "=", Readline treats "=" as a separate word. Otherwise each
 * completion must repeat the option and its "="; the script holds both in `head`. */
static const char completion_bash_begin[] =
    "# bash completion for @P, made from its tables of options\n"
    "_@F_option() # NAME VALUES: an option, with '=' if it takes a value\n"
    "{\n"
    "    options+=\" $1\"\n"
    "    if [[ $option == \"${1%=}\" ]]; then values=$2; fi\n"
    "}\n"
    "_@F()\n"
    "{\n"
    "    local cur=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
    "    local option= head= options= values= kind i n=0 first=1\n"
    "    local -a operands=()\n"
    "    COMPREPLY=()\n"
    "    if [[ $cur == \"=\" ]]; then\n"
    "        option=$before cur=\n"
    "    elif [[ $before == \"=\" ]] && ((COMP_CWORD > 1)); then\n"
    "        option=${COMP_WORDS[COMP_CWORD-2]}\n"
    "    elif [[ $cur == --*=* ]]; then\n"
    "        option=${cur%%=*} head=${cur%%=*}= cur=${cur#*=}\n";

static const char completion_bash_spaced[] = "    elif [[ $before == --* ]]; then\n"
                                             "        option=$before\n";

static const char completion_bash_names_end[] =
    "'\n"
    "    first=2\n"
    "    if ((COMP_CWORD == 1)); then\n"
    "        options='--help --version' operands=(\"$commands\")\n"
    "        first=1\n"
    "    else case ${COMP_WORDS[1]} in\n"
    "    help) operands=(\"$commands\") ;;\n";

static const char completion_bash_end[] =
    "    for ((i = first; i < COMP_CWORD; i++)); do\n"
    "        if [[ ${COMP_WORDS[i]} != -* ]]; then\n"
    "            ((n++))\n"
    "        elif [[ ${COMP_WORDS[i+1]-} == \"=\" ]]; then\n"
    "            ((i += 2))\n"
    "        elif [[ \" $options \" == *\" ${COMP_WORDS[i]}= \"* ]]; then\n"
    "            ((i++))\n"
    "        fi\n"
    "    done\n"
    "    if [[ -n $values ]]; then\n"
    "        kind=$values\n"
    "    elif [[ -n $option && $option != -* ]]; then\n"
    "        kind='<any>'\n"
    "    elif [[ -n $head || $cur == -* || ${#operands[@]} -eq 0 ]]; then\n"
    "        kind=$options\n"
    "    else\n"
    "        kind=${operands[n < ${#operands[@]} ? n : ${#operands[@]} - 1]}\n"
    "    fi\n"
    "    case $kind in\n"
    "    '<records>')\n"
    "        compopt -o filenames 2>/dev/null\n"
    "        mapfile -t COMPREPLY < <(compgen -d -- \"$cur\"; compgen -f -X '!*.bin' -- \"$cur\") "
    ";;\n"
    "    '<file>')\n"
    "        compopt -o filenames 2>/dev/null\n"
    "        mapfile -t COMPREPLY < <(compgen -f -- \"$cur\") ;;\n"
    "    '<dir>')\n"
    "        compopt -o filenames 2>/dev/null\n"
    "        mapfile -t COMPREPLY < <(compgen -d -- \"$cur\") ;;\n"
    "    '<any>') ;;\n"
    "    *)\n"
    "        mapfile -t COMPREPLY < <(compgen -W \"$kind\" -- \"$cur\")\n"
    "        if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]]; then\n"
    "            compopt -o nospace 2>/dev/null\n"
    "        fi ;;\n"
    "    esac\n"
    "    if [[ -n $head ]]; then COMPREPLY=(\"${COMPREPLY[@]/#/$head}\"); fi\n"
    "}\n"
    "complete -F _@F @P\n";

static const char completion_zsh_begin[] = "#compdef @P\n"
                                           "_@F()\n"
                                           "{\n"
                                           "    local curcontext=$curcontext state line ret=1\n"
                                           "    typeset -A opt_args\n";

static const char completion_zsh_names_end[] =
    "    )\n"
    "    _arguments -C \\\n"
    "        '(- *)'{-h,--help}'[print help and exit]' \\\n"
    "        '(- *)'{-V,--version}'[print the version and exit]' \\\n"
    "        '1:command:->command' '*::argument:->argument' && ret=0\n"
    "    case $state in\n"
    "    command) _describe -t commands command commands && ret=0 ;;\n"
    "    argument)\n"
    "        curcontext=${curcontext%:*:*}:@P-$words[1]:\n"
    "        case $words[1] in\n"
    "        help) _describe -t commands command commands && ret=0 ;;\n";

static const char completion_zsh_end[] = "    return ret\n"
                                         "}\n"
                                         "if [[ $funcstack[1] == _@F ]]; then\n"
                                         "    _@F \"$@\"\n"
                                         "elif (( $+functions[compdef] )); then\n"
                                         "    compdef _@F @P\n"
                                         "fi\n";

static const char completion_fish_begin[] =
    "# fish completion for @P, made from its tables of options\n"
    "function __@F_is_first\n"
    "    test (count (commandline -opc)) -eq 1\n"
    "end\n"
    "function __@F_has_command\n"
    "    set -l words (commandline -opc)\n"
    "    test (count $words) -gt 1; and test $words[2] = $argv[1]\n"
    "end\n"
    "function __@F_is_operand # COMMAND NUMBER [more]\n"
    "    __@F_has_command $argv[1]; or return 1\n"
    "    set -l words (string match -v -- '-*' (commandline -opc))\n"
    "    set -l number (math (count $words) - 1)\n"
    "    test $number -eq $argv[2]; and return\n"
    "    test \"$argv[3]\" = more -a $number -gt $argv[2]\n"
    "end\n"
    "function __@F_records\n"
    "    set -l word (commandline -ct)\n"
    "    __fish_complete_directories $word\n"
    "    complete -C \"'' $word\" | string match -r '^[^\\t]*\\.bin(?=\\t|$)'\n"
    "end\n";

static const char completion_fish_names_end[] =
    "complete -c @P -n __@F_is_first -s h -l help -d 'print help and exit'\n"
    "complete -c @P -n __@F_is_first -s V -l version -d 'print the version and exit'\n";

static const char completion_fish_end[] = "";

/* ---- Shells ---------------------------------------------------------------------------------- */

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
