/* SPDX-License-Identifier: BSD-3-Clause */
/* option_words.c - formats options and their values, and other arguments, as shell words, as one
 * would type them on a command line. */
#include <assert.h>

#include "base/option_table.h"
#include "base/option_value.h"
#include "base/options.h"

char *shell_words_join(int n, char *const *words)
{
    size_t size = 1;
    for (int i = 0; i < n; i++) {
        size += 4 * strlen(words[i]) + 3;
    }
    char *line = tw_calloc(TW_LOC, "command line", 1, size);
    char *at = line;
    for (int i = 0; i < n; i++) {
        bool quote =
            words[i][0] == '\0' || strpbrk(words[i], " \t\r\n'\"\\$*?[]{}()<>|&;`!#~") != NULL;
        at += sprintf(at, i == 0 ? "" : " ");
        at += sprintf(at, quote ? "'" : "");
        for (const char *c = words[i]; *c != '\0'; c++) {
            at += *c == '\'' ? sprintf(at, "'\\''") : sprintf(at, "%c", *c);
        }
        at += sprintf(at, quote ? "'" : "");
    }
    assert(at < line + size);
    return line;
}

size_t option_text_length(const tw_optdef *def)
{
    return def->type != TWOPTTYPE_CHAR ? 0 : strnlen(def->value, def->size);
}

/* Returns the option and its current value as "--name=value"; the caller frees the string. */
static char *option_word(const tw_optdef *def)
{
    assert(def->name != NULL && def->type != TWOPTTYPE_GROUP);
    char value[OPTION_VALUE_TEXT_MAX];
    option_value_format(def, value, sizeof value);
    const char *shown = value;
    size_t length = strlen(value);
    if (def->type == TWOPTTYPE_FLAG) {
        shown = length > 0 ? "1" : "0";
        length = 1;
    } else if (option_text_length(def) > 0) { /* the string may be longer than `value` */
        shown = def->value;
        length = option_text_length(def);
    }
    size_t size = strlen(def->name) + length + 4;
    char *word = tw_calloc(TW_LOC, "option", 1, size);
    snprintf(word, size, "--%s=%.*s", def->name, (int)length, shown);
    return word;
}

static bool is_shown(const struct options *set, const tw_optdef *def, unsigned number, bool given)
{
    bool is_option = def->type != TWOPTTYPE_GROUP && def->type != TWOPTTYPE_ARGSFILE;
    bool was_given = number < OPTIONS_MAX && (set->given[number / 64] >> (number % 64) & 1u) != 0;
    bool has_text = def->type != TWOPTTYPE_CHAR || option_text_length(def) > 0;
    return is_option && (given ? was_given : has_text);
}

char *options_words(const struct options *set, bool given, bool (*is_wanted)(const tw_optdef *))
{
    char **words = tw_calloc(TW_LOC, "options", sizeof *words, OPTIONS_MAX);
    int n = 0;
    const tw_optdef *def = NULL;
    unsigned table, number;
    while ((def = option_table_next(set, def, &table, &number)) != NULL) {
        bool wanted = is_wanted == NULL || is_wanted(set->tables[table]);
        if (wanted && n < OPTIONS_MAX && is_shown(set, def, number, given)) {
            words[n++] = option_word(def);
        }
    }
    char *line = shell_words_join(n, words);
    while (n > 0) {
        free(words[--n]);
    }
    free((void *)words);
    return line;
}
