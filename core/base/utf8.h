/*
 * utf8.h - texts of models in messages and tables: characters, not bytes, are counted, and nothing
 * in them breaks a line or speaks to the terminal.
 *
 * Every character counts as one column, whatever room a terminal gives it.
 */
#ifndef WARPSCOPE_BASE_UTF8_H
#define WARPSCOPE_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/* Is this byte inside a character, not its first? */
static inline bool utf8_is_inside(char byte)
{
    return ((unsigned char)byte & 0xc0u) == 0x80u;
}

/* Bytes of the well-formed character (Unicode, table 3-7) that text, which ends with a zero, begins
 * with, 0 if it begins with none. Of the end: 1. */
size_t utf8_length(const char *text);

/* Bytes of the dash that text begins with: a hyphen, or one of the longer dashes of Unicode that
 * documents have in its place. 0: it begins with none. */
size_t utf8_dash_length(const char *text);

/* Characters in the first `bytes` bytes. */
size_t utf8_columns(const char *text, size_t bytes);

/* Writes at most `columns` characters of text to `to` (size bytes, at least 1), '?' for control
 * characters and for bytes that are not UTF-8. Returns to. */
char *utf8_plain(char *to, size_t size, const char *text, size_t columns);

#endif
