/* SPDX-License-Identifier: BSD-3-Clause */
/* option_value.h - reads, checks, stores and prints the value of an option. For option*.c only. */
#ifndef WARPSCOPE_BASE_OPTION_VALUE_H
#define WARPSCOPE_BASE_OPTION_VALUE_H

#include "ross.h"

/* A value that has been read but not stored yet. The holder of the value owns text. */
struct option_value {
    unsigned long long integer;
    double real;
    char *text;
};

/* Returns an error of the table entry itself, which is a programming error, or NULL. */
const char *option_value_check(const tw_optdef *def);

/* Reads text as a value of def. text is NULL if the option has no "=value", which is valid only for
 * flags. On failure returns false and writes a clause ("must be ...") to why. Allocates value->text
 * for string types; it is NULL for other types and after a failure. */
bool option_value_read(const tw_optdef *def, const char *text, struct option_value *value,
                       char *why, size_t why_size);

/* Writes the value to the option's variable. Never fails. */
void option_value_store(const tw_optdef *def, const struct option_value *value);

/* Buffer size for option_value_format(), including options without a stated size. */
#define OPTION_VALUE_TEXT_MAX 1100u

/* Writes the current value as typed on a command line; empty if there is nothing to show. */
void option_value_format(const tw_optdef *def, char *out, size_t out_size);

/* Longest value word; a longer word in angle brackets is part of the help. */
#define OPTION_HINT_MAX 48u

/* Stores the placeholder for the value in the help in out, and returns out. It is the word in angle
 * brackets at the start of the option's help, as in "<DIR> directory for results". Otherwise it is
 * a word for the type ("N", "TEXT" and so on), or "" for flags. */
const char *option_value_hint(const tw_optdef *def, char out[OPTION_HINT_MAX]);

/* Returns true if the help of the option begins with a range of integers, such as "<0..3>" or
 * "<1..>", and stores the limits. The help shows such a value as "N". */
bool option_hint_range(const tw_optdef *def, unsigned long long *least, unsigned long long *most);

/* Returns word i (from 0) of an option of type TWOPTTYPE_WORD, which is not null-terminated, and
 * its length; NULL if there are no more. */
const char *option_nth_word(const tw_optdef *def, unsigned long long i, size_t *length);

/* Returns the option's help without the word for the value; "" if there is none. */
const char *option_help_text(const tw_optdef *def);

#endif
