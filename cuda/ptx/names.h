/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Names in nested scopes: what is declared in an inner scope hides an outer name until the scope ends.
 */
#ifndef WARPSCOPE_CUDA_PTX_NAMES_H
#define WARPSCOPE_CUDA_PTX_NAMES_H

#include "ptx/arena.h"
#include "ptx/ptx.h"

struct ptx_name {
    struct ptx_text text;
    void *object;
    uint32_t number; /* of the caller */
    uint32_t scope;
    uint32_t hash;
    uint32_t next; /* in its bucket: an older one plus 1, or 0 */
    bool family;   /* the names text0, text1, ... */
};

struct ptx_names {
    struct ptx_stack stack; /* the oldest first */
    uint32_t *buckets;      /* the newest name plus 1, or 0 */
    uint32_t mask;
};

static inline uint32_t ptx_hash_begin(void)
{
    return 2166136261u;
}

static inline uint32_t ptx_hash(uint32_t hash, const char *s, uint32_t length)
{
    for (uint32_t i = 0; i < length; i++) {
        hash = (hash ^ (unsigned char)s[i]) * 16777619u;
    }
    return hash;
}

/* Adds a name; its object and number are the caller's to set. Returns NULL without memory. */
struct ptx_name *ptx_names_add(struct ptx_names *names, struct ptx_text text, bool family,
                               uint32_t scope);
/* Returns the newest name, or NULL. hash is that of the text. */
struct ptx_name *ptx_names_find(const struct ptx_names *names, struct ptx_text text, bool family,
                                uint32_t hash);
/* The next older one with the same text. */
struct ptx_name *ptx_names_older(const struct ptx_names *names, const struct ptx_name *name);
/* Removes all names but the count oldest ones. */
void ptx_names_leave(struct ptx_names *names, size_t count);
void ptx_names_free(struct ptx_names *names);

#endif
