/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * known.h - a list of known names, such as "a, b, c", without duplicates, for error messages about
 * unknown names.
 */
#ifndef WARPSCOPE_READER_DATA_KNOWN_H
#define WARPSCOPE_READER_DATA_KNOWN_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Appends `name` to the list in the buffer `known` of `size` bytes, with control characters
 * replaced. Does nothing if the list already contains the name, or if the buffer has no space for
 * it. */
void ws_known_add(char *known, size_t size, const char *name);

/* Stores in `near` that name of the list `known` which is most similar to `word`; the empty string
 * if no name is similar. */
void ws_known_nearest(const char *known, const char *word, char near[64]);

/* Appends words made from a printf() format to the sentence in `text`, of `size` bytes, after "; " if it
 * is not empty. */
void ws_words_add(char *text, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Names with commas between them, as users write them. */
struct ws_name_list {
    char *
        text; /* owned; the names one after another, each with its terminating zero; NULL: no list */
    size_t n;    /* number of names */
    bool *found; /* owned; [i]: for the caller, who marks name i here */
};
/* Reads a list. Returns false if a name is empty, or if out of memory; n is then 0. The list must be
 * freed even after an error. */
bool ws_name_list_read(struct ws_name_list *list, const char *text);
void ws_name_list_free(struct ws_name_list *list);

/* Returns true if text is longer than `end` and ends with it. */
bool ws_ends_with(const char *text, const char *end);
/* Returns the name of a file in the directory `folder` that ends with `end`; the caller frees it. Returns
 * NULL if there is no such file, or the directory cannot be read. *error: errno value if the directory
 * cannot be read, otherwise 0. */
char *ws_find_ending(const char *folder, const char *end, int *error);

/* In a function whose last parameter before "..." is `words`: stores in `to`, which has `size` bytes, the text
 * made from the printf() format `words` and the arguments behind it. */
#define WS_FORMAT(to, size, words)                                                                 \
    do {                                                                                           \
        va_list args_;                                                                             \
        va_start(args_, words);                                                                    \
        vsnprintf(to, size, words, args_);                                                         \
        va_end(args_);                                                                             \
    } while (0)

#endif
