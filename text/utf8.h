/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * utf8.h - characters of UTF-8, and text that is safe to show on a terminal.
 *
 * Columns are those of a terminal: two for the wide characters of East Asia and pictures, none for
 * marks that combine with the character before them, and one for all others.
 */
#ifndef WARPSCOPE_TEXT_UTF8_H
#define WARPSCOPE_TEXT_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define UTF8_MAX 4u /* maximum length of a character in bytes */

/* Returns true if the byte is a continuation byte of a character. */
static inline bool utf8_is_inside(char byte)
{
    return ((unsigned char)byte & 0xc0u) == 0x80u;
}

/* Returns the length in bytes of the character at the start of text (size bytes, at least 1).
 * Returns 0 if the bytes are no well-formed character (Unicode, table 3-7). With size UTF8_MAX,
 * never reads past a terminating zero, which counts as a character of 1 byte. */
size_t utf8_length(const void *text, size_t size);

/* Returns the length in bytes of the dash at the start of text; 0: there is none. A dash is a
 * hyphen, or another dash of Unicode, as in text copied from documents. text ends with a zero. */
size_t utf8_dash_length(const char *text);

/* Returns the number of columns of the first `bytes` bytes of text. A byte that is not UTF-8 has one. */
size_t utf8_columns(const char *text, size_t bytes);

/* Returns the maximum length in bytes of the output of utf8_repair() for a text of size bytes. */
static inline size_t utf8_repair_max(size_t size)
{
    return 3 * size + 1;
}

/* Copies text (size bytes) to `to`, without a terminating zero. Replaces bytes that are not UTF-8
 * by U+FFFD. Returns the end of the copy. */
char *utf8_repair(char *to, const void *text, size_t size);

/* ---- Plain text: '?' for control characters and bytes that are not UTF-8 --------------------- */

/* Writes at most `columns` columns of text as plain text to `to` (size bytes, at least 1), with
 * a terminating zero. Returns `to`. */
char *utf8_plain(char *to, size_t size, const char *text, size_t columns);

/* Replaces each byte of control characters, and each byte that is not UTF-8, in text by '?'. */
void utf8_drop_controls(char *text);

void utf8_plain_print(FILE *out, const char *text);
/* Prints text as a cell of a table: truncated to `columns` columns, or padded with blanks. */
void utf8_plain_column(FILE *out, const char *text, size_t columns);

#endif
