/*
 * shell_words.h - words as one line that a shell reads as the same words.
 */
#ifndef WARPSCOPE_BASE_SHELL_WORDS_H
#define WARPSCOPE_BASE_SHELL_WORDS_H

/* The words with blanks between them, those with blanks or special characters in single quotes. The
 * caller frees the line. */
char *shell_words_join(int n, char *const *words);

#endif
