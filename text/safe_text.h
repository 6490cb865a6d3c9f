/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * safe_text.h - composes and writes a line where stdio must not be called: in signal handlers, and
 * in threads other than the simulation's. The functions do not allocate, lock, or use the locale.
 */
#ifndef WARPSCOPE_TEXT_SAFE_TEXT_H
#define WARPSCOPE_TEXT_SAFE_TEXT_H

#include <stddef.h>
#include <stdint.h>

#define SAFE_TEXT_MAX 1024u

/* Text of a line. Initialise it with length 0. Text that does not fit is dropped. */
struct safe_text {
    char text[SAFE_TEXT_MAX];
    size_t length; /* length of the text in bytes */
};

void safe_text_add(struct safe_text *t, const char *text);
void safe_text_add_number(struct safe_text *t, uint64_t number);
/* Adds a hexadecimal number, such as "0x1f". */
void safe_text_add_hex(struct safe_text *t, uint64_t number);
/* Adds a number in the form of decimal_f64(). */
void safe_text_add_real(struct safe_text *t, double real);
/* Writes the line and a line end to fd, unbuffered. Ignores errors. Preserves errno. */
void safe_text_write_line(struct safe_text *t, int fd);

#endif
