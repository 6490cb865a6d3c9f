/* SPDX-License-Identifier: BSD-3-Clause */
/* option_value.h - reads, checks, stores and prints the value of an option. For option*.c only. */
#ifndef WARPSCOPE_BASE_OPTION_VALUE_H
#define WARPSCOPE_BASE_OPTION_VALUE_H

#include "ross.h"

/* A value that has been read, but not yet stored in the option's variable. */
struct option_value {
    unsigned long long integer;
    double real;
    char *text; /* owned; NULL unless the option is of a string type */
};

/* Returns a description of the programming error in a table entry; NULL: the entry is valid. */
const char *option_value_check(const tw_optdef *def);

/* Reads text as a value of the option def. text is NULL if the option was given without "=value",
 * which is valid only for flags. On failure writes a clause ("must be ...") to why, and returns
 * false. For string types allocates value->text, which the caller frees; sets it to NULL for other
 * types and after a failure. */
bool option_value_read(const tw_optdef *def, const char *text, struct option_value *value,
                       char *why, size_t why_size);

/* Writes the value to the option's variable. Never fails. */
void option_value_store(const tw_optdef *def, const struct option_value *value);

/* Buffer size that option_value_format() needs, even for options without a stated size. */
#define OPTION_VALUE_TEXT_MAX 1100u

/* Writes the current value of the option to out, in the form in which one would type it on a
 * command line. Writes "" if there is no value to show. */
void option_value_format(const tw_optdef *def, char *out, size_t out_size);

/* Maximum length in bytes of a placeholder. A longer word in angle brackets is part of the help
 * text. */
#define OPTION_HINT_MAX 48u

/* Writes to out the placeholder that represents the option's value in the help, and returns out.
 * The placeholder is the word in angle brackets at the start of the option's help, as in "<DIR>
 * directory for results". Without such a word, it is a word for the type ("N", "TEXT" and so on),
 * or "" for flags. */
const char *option_value_hint(const tw_optdef *def, char out[OPTION_HINT_MAX]);

struct option_range {
    double least, most; /* most: INFINITY if there is no upper limit */
    bool or_0;          /* 0 is allowed as well, with a meaning of its own */
};

/* Returns true if the help of the option begins with a range, such as "<0..3>", "<1..>" or
 * "<0|0.5..1e6>", and sets *range. Without an upper limit, the placeholder is the word for the
 * type. */
bool option_hint_range(const tw_optdef *def, struct option_range *range);

/* Returns word i (from 0) of an option of type TWOPTTYPE_WORD, and sets *length to its length in
 * bytes. The word is not NUL-terminated. NULL: the option has no word i. */
const char *option_nth_word(const tw_optdef *def, unsigned long long i, size_t *length);

/* Returns the option's help without the placeholder; "" if the option has no help. */
const char *option_help_text(const tw_optdef *def);

#endif
