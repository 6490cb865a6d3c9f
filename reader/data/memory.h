/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * memory.h - memory for tables that are read at random addresses: zeroed, aligned to a cache line,
 * and in 2 MiB pages if it is large and the system has them. With 4 KiB pages nearly every access
 * would miss the TLB.
 */
#ifndef WARPSCOPE_READER_DATA_MEMORY_H
#define WARPSCOPE_READER_DATA_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* Memory of one table. Zero-initialise. */
struct ws_memory {
    void *at;     /* the aligned memory; NULL: none */
    void *base;   /* start of the allocation */
    size_t bytes; /* size of the allocation in bytes */
    bool is_mapped;
};

/* Allocates bytes for m. Returns false, with m unchanged, if out of memory. The caller frees the
 * memory that m had before. */
bool ws_memory_take(struct ws_memory *m, size_t bytes);
/* Like ws_memory_take(), for a table that may be much larger than what is used of it: a very large
 * one has small pages, so that its unused parts take no memory. */
bool ws_memory_take_sparse(struct ws_memory *m, size_t bytes);
void ws_memory_free(struct ws_memory *m);

#endif
