/* SPDX-License-Identifier: BSD-3-Clause */
/* roff.h - text of manual pages in the macros of man(7). */
#ifndef WARPSCOPE_TEXT_ROFF_H
#define WARPSCOPE_TEXT_ROFF_H

#include <stddef.h>
#include <stdio.h>

/* Prints text, and escapes the characters that have a special meaning in roff. */
void roff_text(const char *text, size_t length, FILE *out);
/* The same in a font, such as 'B'. */
void roff_font(char font, const char *text, size_t length, FILE *out);
/* Prints a line of a paragraph, with the names of options in bold. */
void roff_line(const char *text, size_t length, FILE *out);
/* Prints the head of an entry about the option --name. value: the placeholder for its value, such as
 * "auto|on|FILE", in which words are in bold and names of values in italics; NULL or "": it has none. */
void roff_option(const char *name, const char *value, FILE *out);
void roff_title(const char *title, FILE *out); /* prints the title of a section, in capitals */

#endif
