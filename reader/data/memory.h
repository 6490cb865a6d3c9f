/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * memory.h - memory for tables that are read at random addresses. It is zeroed, aligned to a cache
 * line, and in 2 MiB pages if the table is large and the system has such pages. With 4 KiB pages,
 * nearly every access would miss the TLB.
 */
#ifndef WARPSCOPE_READER_DATA_MEMORY_H
#define WARPSCOPE_READER_DATA_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* Memory of one table. Zero-initialise it before use. */
struct ws_memory {
    void *at;     /* the aligned memory; NULL: none */
    void *base;   /* start of the allocation */
    size_t bytes; /* size of the allocation in bytes */
    bool is_mapped;
};

/* Allocates `bytes` bytes and describes them in m. Returns false, with m unchanged, if out of
 * memory. Does not free memory that m described before; the caller does that. */
bool ws_memory_take(struct ws_memory *m, size_t bytes);
/* Like ws_memory_take(), for a table of which possibly only a small part is used. A very large
 * table gets small pages, so that its unused parts take no memory. */
bool ws_memory_take_sparse(struct ws_memory *m, size_t bytes);
void ws_memory_free(struct ws_memory *m);

#endif
