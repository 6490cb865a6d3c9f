/*
 * option_value.h - the value of one option: read from text, checked, stored, shown. Used by options
 * and nobody else.
 */
#ifndef WARPSCOPE_BASE_OPTION_VALUE_H
#define WARPSCOPE_BASE_OPTION_VALUE_H

#include "ross.h"

/* A value that was read but not stored yet. text is owned by whoever holds the value. */
struct option_value {
    unsigned long long integer;
    double real;
    char *text;
};

/* NULL, or what is wrong with the table's entry itself: a mistake of the programmer. */
const char *option_value_check(const tw_optdef *def);

/*
 * Reads text (NULL: the option came without "=value", which only a flag may) as a value of def.
 * Returns false and a clause for the user ("must be ...") in why if it is none. Allocates
 * value->text for types that are text; it is NULL for others and after a failure.
 */
bool option_value_read(const tw_optdef *def, const char *text, struct option_value *value,
                       char *why, size_t why_size);

/* Writes the value to the option's variable. Cannot fail. */
void option_value_store(const tw_optdef *def, const struct option_value *value);

#define OPTION_VALUE_TEXT_MAX 1100u /* of option_value_format(), of options without a size too */

/* The variable's present content as one would type it. Empty when there is nothing worth showing.
 */
void option_value_format(const tw_optdef *def, char *out, size_t out_size);

#define OPTION_HINT_MAX 48u /* longer words in angle brackets are part of the help */

/*
 * The word that stands for the value in help: the one in angle brackets that the option's help
 * begins with, as in "<DIR> folder for results"; else one for its type, "N", "TEXT" and so on; ""
 * for flags. Returns out.
 */
const char *option_value_hint(const tw_optdef *def, char out[OPTION_HINT_MAX]);

/* The option's help without that word; "" if there is none. */
const char *option_help_text(const tw_optdef *def);

#endif
