/* SPDX-License-Identifier: BSD-3-Clause */
/* option_hint.c - splits an option's help into the placeholder for the value and the rest of the
 * text. */
#include <assert.h>

#include "base/option_value.h"

/* Returns the length in bytes of the word at the start of the help, with its angle brackets; 0 if
 * there is none. */
static size_t hint_length(const tw_optdef *def)
{
    const char *help = def->help == NULL ? "" : def->help;
    const size_t length = help[0] == '<' ? strcspn(help, "> \t\n") : 0;

    return length > 1 && length <= OPTION_HINT_MAX && help[length] == '>' ? length + 1 : 0;
}

static const char *hint_of_type(const tw_optdef *def)
{
    switch (def->type) {
    case TWOPTTYPE_STIME:
        return "TIME";
    case TWOPTTYPE_DOUBLE:
        return "X";
    case TWOPTTYPE_CHAR:
        return "TEXT";
    case TWOPTTYPE_ARGSFILE:
        return "FILE";
    case TWOPTTYPE_FLAG:
        return "";
    case TWOPTTYPE_BYTES:
        return "SIZE";
    default:
        return "N";
    }
}

bool option_hint_range(const tw_optdef *def, struct option_range *range)
{
    const char *text = hint_length(def) > 0 ? def->help + 1 : "";
    const char *dots = strstr(text, "..");
    char *end = NULL;

    *range = (struct option_range){.or_0 = strncmp(text, "0|", 2) == 0, .most = INFINITY};
    text += range->or_0 ? 2 : 0;
    range->least = strtod(text, &end);
    if (dots == NULL || end == text || (end != dots && end != dots + 1)) {
        return false;
    }
    if (dots[2] != '>') {
        range->most = strtod(dots + 2, &end);
    }
    return dots[2] == '>' || *end == '>';
}

const char *option_value_hint(const tw_optdef *def, char out[OPTION_HINT_MAX])
{
    const size_t length = hint_length(def);

    if (length > 0 && (length < 4 || strncmp(def->help + length - 3, "..>", 3) != 0)) {
        snprintf(out, OPTION_HINT_MAX, "%.*s", (int)length - 2, def->help + 1);
    } else {
        snprintf(out, OPTION_HINT_MAX, "%s", hint_of_type(def));
    }
    return out;
}

const char *option_nth_word(const tw_optdef *def, unsigned long long i, size_t *length)
{
    assert(def->type == TWOPTTYPE_WORD);
    const size_t hint = hint_length(def);
    const char *word = hint > 0 ? def->help + 1 : NULL;

    for (; word != NULL && i > 0; i--) {
        word += strcspn(word, "|>");
        word = *word == '|' ? word + 1 : NULL;
    }
    *length = word != NULL ? strcspn(word, "|>") : 0;
    return word;
}

const char *option_help_text(const tw_optdef *def)
{
    const char *text = def->help == NULL ? "" : def->help + hint_length(def);

    return text + strspn(text, " \t\n");
}
