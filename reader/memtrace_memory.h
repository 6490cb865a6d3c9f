/*
 * memtrace_memory.h - memory for hash tables: zero, at the begin of a line of the cache, and of 2
 * MiB pages where it is large and the system has them. Tables are read all over the place: with
 * pages of 4 KiB nearly every access would look for its page first.
 */
#ifndef WARPSCOPE_READER_MEMTRACE_MEMORY_H
#define WARPSCOPE_READER_MEMTRACE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* Zero-initialise. */
struct ws_memory {
    void *at;     /* NULL: none */
    void *base;   /* what was allocated */
    size_t bytes; /* of base */
    bool is_mapped;
};

/* False: no memory; m is as it was. What m had before is the caller's to free. */
bool ws_memory_take(struct ws_memory *m, size_t bytes);
void ws_memory_free(struct ws_memory *m);

#endif
