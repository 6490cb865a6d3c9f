/* SPDX-License-Identifier: BSD-3-Clause */
/* nearest.c - see nearest.h. Cost per name: the length of the word multiplied by the length of the
 * name. */
#include "text/nearest.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

#define COMPARED_MAX 48u /* number of leading bytes of a word that are compared */

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Returns the edit distance of two words: the minimum number of insertions, deletions, replacements
 * and swaps of neighbours (optimal string alignment). Keeps the last three rows of the usual
 * matrix. */
static size_t distance(const char *a, size_t a_length, const char *b)
{
    size_t rows[3][COMPARED_MAX + 1];
    const size_t b_length = least(strlen(b), COMPARED_MAX);

    a_length = least(a_length, COMPARED_MAX);
    for (size_t i = 0; i <= a_length; i++) {
        size_t *row = rows[i % 3];
        const size_t *above = rows[(i + 2) % 3], *above_2 = rows[(i + 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            if (i == 0) {
                row[j] = j;
                continue;
            }
            row[j] = least(least(above[j], row[j - 1]) + 1, above[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                row[j] = least(row[j], above_2[j - 2] + 1);
            }
        }
    }
    return rows[a_length % 3][b_length];
}

struct nearest nearest_of(const char *word, size_t length)
{
    return (struct nearest){.word = word, .length = length, .distance = SIZE_MAX};
}

void nearest_offer(struct nearest *search, const char *name)
{
    assert(search->word != NULL && name != NULL);
    size_t d = distance(search->word, search->length, name);
    const size_t limit = 1 + least(least(search->length, strlen(name)), COMPARED_MAX) / 3;
    if (d > limit && search->length > 0 && strncmp(name, search->word, search->length) == 0) {
        d = limit; /* a name that begins with the word is near, whatever its distance */
    }
    if (d <= limit && d < search->distance) {
        search->distance = d;
        search->name = name;
    }
}

const char *nearest_in(const char *word, const char *const *names, size_t n)
{
    struct nearest search = nearest_of(word, strlen(word));
    for (size_t i = 0; i < n; i++) {
        nearest_offer(&search, names[i]);
    }
    return search.name;
}
