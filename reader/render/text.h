/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * text.h - writes numbers and strings in the forms of readable text, CSV, TSV and JSON; and small
 * pictures in text: lines of bars, with UTF-8 block characters or plain ASCII.
 */
#ifndef WARPSCOPE_READER_RENDER_TEXT_H
#define WARPSCOPE_READER_RENDER_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "format/read.h"
#include "text/decimal.h"
#include "text/utf8.h"

/* ---- To memory ------------------------------------------------------------------------------- */

/* Writes the value of a field to `to` according to its type, with a terminating zero: at most
 * DECIMAL_MAX bytes. If json is true, writes null for NaN and infinities. Returns the length of the
 * text. */
size_t ws_format_value(char *to, const struct fmt_value *v, bool json);

/* The following functions write to `to` without a terminating zero, and return the end of their
 * output. */

/* Writes size bytes as two hexadecimal digits each; if json is true, in quotes. */
char *ws_render_hex(char *to, const uint8_t *bytes, size_t size, bool json);
/* Writes text with escape sequences for the characters that TSV cannot contain: backslash, tab,
 * line feed and carriage return. U+FFFD replaces bytes that are not UTF-8. Writes at most
 * 3 * size bytes. */
char *ws_render_tsv(char *to, const char *text, size_t size);

/* Prints text, at most `most` characters of it, with entities for the special characters of XML and
 * HTML. */
void ws_xml_print(FILE *out, const char *text, size_t most);

/* ---- For readable text ----------------------------------------------------------------------- */

#define WS_PAGE_WIDTH 80u /* columns of readable text */

/* Prints words in lines that do not exceed the page. The first one continues at the column
 * `column`, further lines begin after `indent` blanks. Does not break before "%". Returns the
 * column where the last line ends. */
size_t ws_text_wrap(FILE *out, const char *words, size_t column, size_t indent);

/* Stores a number of bytes as text in `to`, which has `size` bytes: "1.50 GB", "12.3 kB", "17
 * bytes". */
void ws_format_bytes(char *to, size_t size, uint64_t bytes);

#define WS_COUNT_MAX 32

/* Stores v as text, such as "1,234,567"; from 10^15 on, such as "1.23e+15". Returns `to`. */
char *ws_count_text(char to[WS_COUNT_MAX], uint64_t v);
/* Like ws_count_text(), with at most width characters, where width is at least 7. Large numbers get
 * a unit, such as "1,234,568 k" and "1,235 M". */
char *ws_count_fit(char to[WS_COUNT_MAX], uint64_t v, size_t width);
/* Stores v with four significant digits, such as "1.234", "0.01234" and "1.234e-07". Integers
 * below 10^15, and all numbers from 1,000 to 10^15, are stored without decimals, such as "12" and
 * "12,345". Returns `to`. */
char *ws_number_text(char to[WS_COUNT_MAX], double v);
/* Like ws_number_text(), with at most width characters, where width is at least 7. */
char *ws_number_fit(char to[WS_COUNT_MAX], double v, size_t width);
/* Stores a duration as text with a unit, such as "1.234 s", "12.34 ms" and "123.4 us". Returns
 * `to`. */
char *ws_seconds_text(char to[WS_COUNT_MAX], double seconds);

/* ---- Pictures --------------------------------------------------------------------------------- */

/* Returns true if the locale (LC_ALL, else LC_CTYPE, else LANG) names UTF-8. */
bool ws_plot_utf8(void);

/* Size in bytes of a text of n characters, with the terminating zero. */
#define WS_PLOT_BYTES(n) (3 * (size_t)(n) + 1)

/*
 * Writes to `to` a line of n bars, one per value. Each bar is one character and has one of eight
 * heights. Values at or below low get the lowest bar, and those at or above high the highest. NaN
 * becomes a blank. If low == high, all bars have the same middle height.
 */
void ws_plot_line(char *to, const double *values, size_t n, double low, double high, bool utf8);

/* Prints words, then such a line of at most WS_PLOT_MOST bars. */
#define WS_PLOT_MOST 80u
void ws_plot_print(FILE *out, const char *words, const double *values, size_t n, double low,
                   double high, bool utf8);

/* Writes to `to` a horizontal bar that fills the fraction `part` (0 to 1) of width characters, and
 * pads it with blanks. With UTF-8 it is precise to an eighth of a character. */
void ws_plot_bar(char *to, double part, size_t width, bool utf8);

/* Sets *low and *high to the smallest and the largest value, ignoring NaN. Returns false if all
 * values are NaN. */
bool ws_plot_range(const double *values, size_t n, double *low, double *high);

#endif
