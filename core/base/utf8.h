/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * utf8.h - strings of models in messages and tables: lengths count characters, not bytes, and
 * control characters are replaced.
 *
 * Every character counts as one column, regardless of its width on a terminal.
 */
#ifndef WARPSCOPE_BASE_UTF8_H
#define WARPSCOPE_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/* Returns true for a continuation byte of a character. */
static inline bool utf8_is_inside(char byte)
{
    return ((unsigned char)byte & 0xc0u) == 0x80u;
}

/* Returns the bytes of the well-formed character (Unicode, table 3-7) at the start of text, which
 * ends with a zero; 0 if there is none, 1 at the end of text. */
size_t utf8_length(const char *text);

/* Returns the bytes of the dash at the start of text: a hyphen, or one of the longer dashes of
 * Unicode that documents use instead; 0 if there is none. */
size_t utf8_dash_length(const char *text);

/* Returns the number of characters in the first `bytes` bytes. */
size_t utf8_columns(const char *text, size_t bytes);

/* Writes at most `columns` characters of text to `to` (size bytes, at least 1), with '?' for
 * control characters and for bytes that are not UTF-8. Returns to. */
char *utf8_plain(char *to, size_t size, const char *text, size_t columns);

#endif
