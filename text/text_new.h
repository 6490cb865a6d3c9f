/* SPDX-License-Identifier: BSD-3-Clause */
/* text_new.h - makes texts on the heap. */
#ifndef WARPSCOPE_TEXT_TEXT_NEW_H
#define WARPSCOPE_TEXT_TEXT_NEW_H

/* Returns the text that a printf() format makes, which the caller frees. Returns NULL if memory is
 * exhausted. */
char *text_new(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
