/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sparse.h - arrays with an element per rank, of which most ranks need few elements.
 *
 * The system supplies a page of such an array when an element in it is written for the first time.
 * An array for a million ranks thus takes address space at once, but memory only for the ranks with
 * which this rank exchanges messages.
 */
#ifndef WARPSCOPE_BASE_SPARSE_H
#define WARPSCOPE_BASE_SPARSE_H

#include <stddef.h>

/* Returns an array of n elements of size bytes each, all zero. what: for the message that ends the
 * run if there is no address space. The caller frees it by sparse_free(), with the same n and
 * size. */
void *sparse_calloc(const char *what, size_t n, size_t size);
/* Frees an array; NULL: does nothing. */
void sparse_free(void *array, size_t n, size_t size);

#endif
