/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sparse.h - arrays with one element per rank, of which a rank usually needs only a few elements.
 *
 * The system supplies a page of the array when an element on it is written for the first time. An
 * array for a million ranks thus takes address space at once, but memory only for the ranks with
 * which this rank exchanges messages.
 */
#ifndef WARPSCOPE_BASE_SPARSE_H
#define WARPSCOPE_BASE_SPARSE_H

#include <stddef.h>

/* Returns a zeroed array of n elements of size bytes each. Ends the run if there is no address
 * space; the error message names the array by `what`. The caller frees the array by sparse_free()
 * with the same n and size. */
void *sparse_calloc(const char *what, size_t n, size_t size);
/* Frees an array that sparse_calloc() returned. array NULL: no effect. */
void sparse_free(void *array, size_t n, size_t size);

#endif
