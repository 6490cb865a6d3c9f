/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * nearest.h - the known name that a mistyped word is nearest to, for messages.
 */
#ifndef WARPSCOPE_TEXT_NEAREST_H
#define WARPSCOPE_TEXT_NEAREST_H

#include <stddef.h>

struct nearest {
    const char *word; /* borrowed, length bytes */
    size_t length;
    const char *name; /* the nearest name so far; NULL if none is near */
    size_t distance;  /* names must be less distant */
};

/* Starts a search for the name nearest to word (length bytes), which must outlive the search. */
struct nearest nearest_of(const char *word, size_t length);

/* Offers a known name; keeps a pointer to the nearest one, the first of equals. A name is near if it
 * begins with the word, or if one edit, and one more for every three characters of the shorter of
 * both, turn the word into it. */
void nearest_offer(struct nearest *search, const char *name);

/* Returns the nearest of n names, or NULL if none is near. */
const char *nearest_in(const char *word, const char *const *names, size_t n);

#endif
