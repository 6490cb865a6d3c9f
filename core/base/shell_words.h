/* SPDX-License-Identifier: BSD-3-Clause */
/* shell_words.h - joins arguments into one line that a shell splits into the same arguments. */
#ifndef WARPSCOPE_BASE_SHELL_WORDS_H
#define WARPSCOPE_BASE_SHELL_WORDS_H

/* Returns a line with the n words, separated by spaces. Words with spaces or special characters are
 * in single quotes. The caller frees the line. */
char *shell_words_join(int n, char *const *words);

#endif
