/*
 * options_help.c - prints what the options are, for a terminal of 80 columns.
 *
 * Names with their hints on the left, explanations wrapped on the right; a name that is too long
 * for its column gets a line of its own. Widths count characters of UTF-8, not bytes.
 */
#include "base/option_value.h"
#include "base/options.h"
#include "base/utf8.h"

#define HELP_COLUMNS     80u
#define HELP_TEXT_COLUMN 28u

/* Prints a word behind what the line has, or on a new line that starts at HELP_TEXT_COLUMN. */
static void print_word(FILE *out, const char *word, size_t bytes, size_t *column)
{
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

/* Prints "  --name=HINT" and moves on to the column of the text. */
static void print_name(FILE *out, const char *name, const char *hint)
{
    const int printed = fprintf(out, "  %s%s%s", name, hint[0] == '\0' ? "" : "=", hint);

    if (printed + 2 > (int)HELP_TEXT_COLUMN) {
        fprintf(out, "\n%*s", (int)HELP_TEXT_COLUMN, "");
    } else {
        fprintf(out, "%*s", (int)HELP_TEXT_COLUMN - printed, "");
    }
}

static void print_option(FILE *out, const tw_optdef *def)
{
    char name[80];
    char now[200];
    char shown[216];
    size_t column = HELP_TEXT_COLUMN;

    snprintf(name, sizeof(name), "--%s", def->name ? def->name : "?");
    print_name(out, name, option_value_hint(def));
    print_words(out, def->help ? def->help : "", &column);
    now[0] = '\0';
    if (option_value_check(def) == NULL) {
        option_value_format(def, now, sizeof(now));
    }
    if (now[0] != '\0') {
        snprintf(shown, sizeof(shown), "(default %s)", now);
        print_word(out, shown, strlen(shown), &column); /* kept together: blanks may be its own */
    }
    fputc('\n', out);
}

void options_print_help(const struct options *set, const char *program, FILE *out)
{
    fprintf(out, "usage: %s [--option=value ...] [--] [arguments of the model]\n\n", program);
    options_print_list(set, out);
}

void options_print_list(const struct options *set, FILE *out)
{
    size_t column = HELP_TEXT_COLUMN;

    print_name(out, "-h, --help", "");
    print_words(out, "show this and do nothing else", &column);
    fputc('\n', out);
    for (unsigned t = 0; t < set->n_tables; t++) {
        const tw_optdef *def = set->tables[t];
        if (def->type != TWOPTTYPE_GROUP && def->type != TWOPTTYPE_END) {
            fputc('\n', out); /* options without a title */
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
