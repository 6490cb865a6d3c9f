/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Names in nested scopes: a name that is declared in an inner scope hides an outer one until the
 * scope ends.
 */
#ifndef WARPSCOPE_CUDA_PTX_NAMES_H
#define WARPSCOPE_CUDA_PTX_NAMES_H

#include "ptx/ptx.h"
#include "store/array.h"
#include "store/index.h"

/* A stack of items of the same size. */
struct ptx_stack {
    void *items;
    size_t count, capacity;
};

/* Pushes an item onto stack and returns the address of the item, which is valid until the next
 * push. The item is not initialised. Returns NULL if memory is exhausted. */
static inline void *ptx_push(struct ptx_stack *stack, size_t item_size)
{
    return array_reserve(&stack->items, &stack->capacity, stack->count + 1, item_size)
               ? (char *)stack->items + stack->count++ * item_size
               : NULL;
}

struct ptx_name {
    struct ptx_text text;
    void *object;
    uint32_t number; /* of a family: number of its registers; else for use by the caller */
    uint32_t scope;
    uint32_t hash;
    bool family; /* true for a family of registers: the names text0, text1, ... */
};

struct ptx_names {
    struct ptx_stack stack; /* all names, oldest first */
    struct index index;     /* of the stack */
};

/* Returns the hash of a text whose first bytes have the hash `hash`, or of a whole text. */
static inline uint32_t ptx_hash_more(uint32_t hash, const char *s, uint32_t length)
{
    for (uint32_t i = 0; i < length; i++) {
        hash = (hash ^ (unsigned char)s[i]) * 16777619u;
    }
    return hash;
}
static inline uint32_t ptx_hash(struct ptx_text text)
{
    return ptx_hash_more(2166136261u, text.s, text.length);
}

/* Adds a name to names. The caller sets the name's object and number. Returns NULL if memory is
 * exhausted. */
struct ptx_name *ptx_names_add(struct ptx_names *names, struct ptx_text text, bool family,
                               uint32_t scope);
/* Returns the newest name with this text and this value of `family`, or NULL. hash: hash of the text; number:
 * index of a register that a family must have. */
struct ptx_name *ptx_names_find(const struct ptx_names *names, struct ptx_text text, bool family,
                                uint32_t hash, uint32_t number);
/* Returns the newest name with this text that is not one of a family, or NULL. */
static inline struct ptx_name *ptx_names_get(const struct ptx_names *names, struct ptx_text text)
{
    return ptx_names_find(names, text, false, ptx_hash(text), 0);
}
/* Removes all names except the oldest `count` ones. */
void ptx_names_leave(struct ptx_names *names, size_t count);
void ptx_names_free(struct ptx_names *names);

#endif
