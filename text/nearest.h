/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * nearest.h - finds the known name that is nearest to a mistyped word, for error messages.
 */
#ifndef WARPSCOPE_TEXT_NEAREST_H
#define WARPSCOPE_TEXT_NEAREST_H

#include <stddef.h>

struct nearest {
    const char *word; /* borrowed; mistyped word, length bytes */
    size_t length;
    const char *name; /* borrowed; nearest name so far; NULL: no name is near */
    size_t distance;  /* edit distance of that name; SIZE_MAX: none so far */
};

/* Starts a search for the name that is nearest to word (length bytes). The word must outlive the
 * search. */
struct nearest nearest_of(const char *word, size_t length);

/* Adds a known name to the search. The search keeps a pointer to the nearest of all names; if
 * several are equally near, to the first of them. A name is near if it begins with the word. A name
 * is also near if at most 1 + n / 3 edits turn the word into the name, where n is the length of the
 * shorter of the two. */
void nearest_offer(struct nearest *search, const char *name);

/* Returns the name that is nearest to word, of n names; NULL: no name is near. */
const char *nearest_in(const char *word, const char *const *names, size_t n);

#endif
