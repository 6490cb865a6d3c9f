/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * options_help.c - detects requests for help, and prints the options for a terminal of 80 columns, as
 * a manual page, or as a script with which a shell completes them.
 *
 * Names and placeholders for values are on the left, explanations are wrapped on the right. A name
 * that is too long for its column has its own line. Widths are in UTF-8 characters, not in bytes.
 */
#include <assert.h>

#include "base/option_table.h"
#include "base/option_value.h"
#include "base/options.h"
#include "text/completion.h"
#include "text/roff.h"
#include "text/utf8.h"

#define HELP_COLUMNS     80u
#define HELP_TEXT_COLUMN 28u

/* Prints a word at *column, or on a new line at HELP_TEXT_COLUMN if the word does not fit. Sets
 * *column to the end of the word. */
static void print_word(FILE *out, const char *word, size_t bytes, size_t *column)
{
    assert(*column >= HELP_TEXT_COLUMN);
    const size_t width = utf8_columns(word, bytes);

    if (*column > HELP_TEXT_COLUMN && *column + 1 + width > HELP_COLUMNS) {
        fprintf(out, "\n%*s", (int)HELP_TEXT_COLUMN, "");
        *column = HELP_TEXT_COLUMN;
    } else if (*column > HELP_TEXT_COLUMN) {
        fputc(' ', out);
        ++*column;
    }
    fprintf(out, "%.*s", (int)bytes, word);
    *column += width;
}

static void print_words(FILE *out, const char *text, size_t *column)
{
    for (text += strspn(text, " \t\n"); *text != '\0'; text += strspn(text, " \t\n")) {
        const size_t bytes = strcspn(text, " \t\n");
        print_word(out, text, bytes, column);
        text += bytes;
    }
}

/* Prints "  --name=HINT" and then spaces up to HELP_TEXT_COLUMN, on a new line if necessary. */
static void print_name(FILE *out, const char *name, const char *hint)
{
    const int printed = fprintf(out, "  %s%s%s", name, hint[0] == '\0' ? "" : "=", hint);

    if (printed + 2 > (int)HELP_TEXT_COLUMN) {
        fprintf(out, "\n%*s", (int)HELP_TEXT_COLUMN, "");
    } else {
        fprintf(out, "%*s", (int)HELP_TEXT_COLUMN - printed, "");
    }
}

#define DEFAULT_MAX 216

/* Stores in `text` the words about the default of an option; "" if it has none. */
static const char *default_text(const tw_optdef *def, char text[DEFAULT_MAX])
{
    char now[200] = "";

    if (option_value_check(def) == NULL) {
        option_value_format(def, now, sizeof(now));
    }
    snprintf(text, DEFAULT_MAX, "%s%s%s", now[0] == '\0' ? "" : "(default ", now,
             now[0] == '\0' ? "" : ")");
    return text;
}

static void print_option(FILE *out, const tw_optdef *def)
{
    char name[80];
    char hint[OPTION_HINT_MAX];
    char shown[DEFAULT_MAX];
    size_t column = HELP_TEXT_COLUMN;

    snprintf(name, sizeof(name), "--%s", def->name ? def->name : "?");
    print_name(out, name, option_value_hint(def, hint));
    print_words(out, option_help_text(def), &column);
    if (default_text(def, shown)[0] != '\0') {
        /* print_word() does not wrap the value, which may contain spaces */
        print_word(out, shown, strlen(shown), &column);
    }
    fputc('\n', out);
}

/* Prints the help text of a built-in option, such as --help, which is in no table. */
static void print_own(FILE *out, const char *name, const char *text)
{
    size_t column = HELP_TEXT_COLUMN;

    print_name(out, name, "");
    print_words(out, text, &column);
    fputc('\n', out);
}

static bool has_version(const struct options *set)
{
    unsigned number;

    return set->has_version && option_table_find(set, "version", 7, &number) == NULL;
}

enum options_asked options_find_asked(const struct options *set, int end, char **argv)
{
    enum options_asked asked = OPTIONS_ASKED_NOTHING;

    for (int i = 1; i < end; i++) {
        enum options_asked now = OPTIONS_ASKED_NOTHING;
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            now = OPTIONS_ASKED_HELP;
        } else if (strcmp(argv[i], "--help=all") == 0) {
            now = OPTIONS_ASKED_HELP_ALL;
        } else if (strcmp(argv[i], "--version") == 0 && has_version(set)) {
            now = OPTIONS_ASKED_VERSION;
        }
        asked = now > asked ? now : asked;
    }
    return asked;
}

static void print_usage(const char *program, FILE *out)
{
    fprintf(out, "usage: %s [--option=value ...] [--] [arguments of the model]\n\n", program);
}

void options_print_help(const struct options *set, const char *program, FILE *out)
{
    print_usage(program, out);
    options_print_list(set, out);
}

static void print_version_line(const struct options *set, FILE *out)
{
    if (has_version(set)) {
        print_own(out, "--version", "show versions and exit");
    }
}

void options_print_list(const struct options *set, FILE *out)
{
    print_own(out, "-h, --help", "show this help and exit");
    print_version_line(set, out);
    for (unsigned t = 0; t < set->n_tables; t++) {
        const tw_optdef *def = set->tables[t];
        if (def->type != TWOPTTYPE_GROUP && def->type != TWOPTTYPE_END) {
            fputc('\n', out); /* an empty line replaces the title of a group */
        }
        for (; def->type != TWOPTTYPE_END; def++) {
            if (def->type == TWOPTTYPE_GROUP) {
                fprintf(out, "\n%s:\n", def->help ? def->help : "");
            } else {
                print_option(out, def);
            }
        }
    }
}

static bool has_effect(const tw_optdef *def)
{
    return strncmp(option_help_text(def), "no effect", 9) != 0;
}

/* Prints the options of a table that have an effect, with the titles of their groups. */
static void print_effective(const tw_optdef *table, FILE *out)
{
    const char *title = "";
    bool is_titled = false;

    for (const tw_optdef *def = table; def->type != TWOPTTYPE_END; def++) {
        if (def->type == TWOPTTYPE_GROUP) {
            title = def->help != NULL ? def->help : "";
            is_titled = false;
        } else if (has_effect(def)) {
            if (!is_titled) {
                fprintf(out, "\n%s%s", title, title[0] == '\0' ? "" : ":\n");
                is_titled = true;
            }
            print_option(out, def);
        }
    }
}

static unsigned count_options(const struct options *set)
{
    const tw_optdef *def = NULL;
    unsigned n = 0, table, number;

    while ((def = option_table_next(set, def, &table, &number)) != NULL) {
        n += def->type != TWOPTTYPE_GROUP;
    }
    return n;
}

void options_print_brief(const struct options *set, const char *program,
                         bool (*is_own)(const tw_optdef *table),
                         const struct options_choice *choices, unsigned n_choices, FILE *out)
{
    assert(is_own != NULL);
    unsigned number;

    print_usage(program, out);
    print_own(out, "-h, --help", "show this help and exit");
    print_version_line(set, out);
    for (unsigned t = 0; t < set->n_tables; t++) {
        if (is_own(set->tables[t])) {
            print_effective(set->tables[t], out);
        }
    }
    for (unsigned i = 0; i < n_choices; i++) {
        fprintf(out, "\n%s:\n", choices[i].title);
        for (const char *const *name = choices[i].names; *name != NULL; name++) {
            const tw_optdef *def = option_table_find(set, *name, strlen(*name), &number);
            if (def != NULL) {
                print_option(out, def);
            }
        }
    }
    fprintf(out, "\n--help=all shows all %u options.\n", count_options(set));
}

/* Prints the options that have an effect, by group, as sections of a manual page. */
static void print_manual(const struct options *set, const char *program, FILE *out)
{
    char hint[OPTION_HINT_MAX], shown[DEFAULT_MAX];
    const tw_optdef *def = NULL;
    unsigned table, number;

    fputs(".\\\" Made from the tables of options.\n.TH ", out);
    roff_text(program, strlen(program), out);
    fprintf(out, " 1\n.SH NAME\n%s \\- a simulation with Warpscope\n.SH SYNOPSIS\n", program);
    roff_font('B', program, strlen(program), out);
    fputs(" [\\fIoption\\fR ...] [\\-\\-] [\\fIargument of the model\\fR ...]\n.SH OPTIONS\n", out);
    while ((def = option_table_next(set, def, &table, &number)) != NULL) {
        if (def->type == TWOPTTYPE_GROUP) {
            fputs(".SS ", out);
            roff_line(def->help, strlen(def->help), out);
        } else if (has_effect(def)) {
            roff_option(def->name, option_value_hint(def, hint), out);
            roff_line(option_help_text(def), strlen(option_help_text(def)), out);
            default_text(def, shown);
            roff_line(shown, strlen(shown), out);
        }
    }
    roff_option("help", "all|roff|bash|zsh|fish", out);
    fputs("show the most used options; all of them; this page; a script with which a shell "
          "completes them\n",
          out);
    fputs(".SH SEE ALSO\n.BR warpscope (1)\n", out);
}

bool options_print_form(const struct options *set, const char *program, const char *name, FILE *out)
{
    struct completion c = {.out = out, .program = program};
    const tw_optdef *def = NULL;
    unsigned table, number;

    if (strcmp(name, "roff") == 0) {
        print_manual(set, program, out);
        return true;
    }
    if (!completion_shell_find(name, &c.shell)) {
        return false;
    }
    completion_begin(&c);
    while ((def = option_table_next(set, def, &table, &number)) != NULL) {
        char hint[OPTION_HINT_MAX];
        if (def->type == TWOPTTYPE_GROUP || !has_effect(def)) {
            continue;
        }
        assert(def->name != NULL);
        completion_option(&c, def->name, option_value_hint(def, hint), option_help_text(def));
    }
    completion_option(&c, "help", NULL, "show the most used options and exit");
    completion_option(&c, "help", "all", "show all options and exit");
    if (set->has_version) {
        completion_option(&c, "version", NULL, "show versions and exit");
    }
    completion_end(&c);
    return true;
}
