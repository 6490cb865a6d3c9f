/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * nearest.h - finds the known name nearest to a mistyped word, for messages.
 */
#ifndef WARPSCOPE_TEXT_NEAREST_H
#define WARPSCOPE_TEXT_NEAREST_H

#include <stddef.h>

struct nearest {
    const char *word; /* borrowed; the word, length bytes */
    size_t length;
    const char *name; /* nearest name so far; NULL if none is near */
    size_t distance;  /* names must have a smaller edit distance than this */
};

/* Starts a search for the name nearest to word (length bytes), which must outlive the search. */
struct nearest nearest_of(const char *word, size_t length);

/* Offers a known name. The search keeps a pointer to the nearest name; of equally near names, to
 * the first. A name is near if it begins with the word. It is also near if few edits turn the word
 * into it: one, and one more for every three characters of the shorter of both. */
void nearest_offer(struct nearest *search, const char *name);

/* Returns the nearest of n names, or NULL if none is near. */
const char *nearest_in(const char *word, const char *const *names, size_t n);

#endif
