/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A hash table with chains. The newest name is the first of its chain, so that the end of a scope
 * removes its names in reverse order.
 */
#include "ptx/names.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

static inline struct ptx_name *name_at(const struct ptx_names *names, size_t index)
{
    return (struct ptx_name *)names->stack.items + index;
}

static inline uint32_t bucket_of(const struct ptx_names *names, uint32_t hash)
{
    return (hash ^ hash >> 15) & names->mask;
}

static bool grow(struct ptx_names *names)
{
    size_t buckets = names->buckets ? ((size_t)names->mask + 1) * 4 : 256;
    assert((buckets & (buckets - 1)) == 0);
    uint32_t *larger = calloc(buckets, sizeof *larger);
    if (!larger) {
        return false;
    }
    free(names->buckets);
    names->buckets = larger;
    names->mask = (uint32_t)(buckets - 1);
    for (uint32_t i = 0; i < names->stack.count; i++) {
        struct ptx_name *name = name_at(names, i);
        uint32_t *bucket = &larger[bucket_of(names, name->hash)];
        name->next = *bucket;
        *bucket = i + 1;
    }
    return true;
}

struct ptx_name *ptx_names_add(struct ptx_names *names, struct ptx_text text, bool family,
                               uint32_t scope)
{
    bool is_full = !names->buckets || names->stack.count > names->mask;
    struct ptx_name *name = is_full && !grow(names) ? NULL : ptx_push(&names->stack, sizeof *name);
    if (!name) {
        return NULL;
    }
    uint32_t hash = ptx_hash(text);
    uint32_t *bucket = &names->buckets[bucket_of(names, hash)];
    *name = (struct ptx_name){
        .text = text, .scope = scope, .hash = hash, .next = *bucket, .family = family};
    *bucket = (uint32_t)names->stack.count;
    return name;
}

/* Searches a chain for a name with this text and this value of `family`. Returns the newest such
 * name, or NULL. link: index of the chain's first name, plus 1; 0: the chain is empty. */
static struct ptx_name *search(const struct ptx_names *names, uint32_t link, struct ptx_text text,
                               bool family, uint32_t hash)
{
    while (link) {
        assert(link <= names->stack.count);
        struct ptx_name *name = name_at(names, link - 1);
        if (name->hash == hash && name->family == family && name->text.length == text.length &&
            memcmp(name->text.s, text.s, text.length) == 0) {
            return name;
        }
        link = name->next;
    }
    return NULL;
}

struct ptx_name *ptx_names_find(const struct ptx_names *names, struct ptx_text text, bool family,
                                uint32_t hash)
{
    assert(hash == ptx_hash(text));
    uint32_t link = names->buckets ? names->buckets[bucket_of(names, hash)] : 0;
    return search(names, link, text, family, hash);
}

struct ptx_name *ptx_names_older(const struct ptx_names *names, const struct ptx_name *name)
{
    return search(names, name->next, name->text, name->family, name->hash);
}

void ptx_names_leave(struct ptx_names *names, size_t count)
{
    assert(count <= names->stack.count);
    while (names->stack.count > count) {
        const struct ptx_name *name = name_at(names, --names->stack.count);
        uint32_t *bucket = &names->buckets[bucket_of(names, name->hash)];
        assert(*bucket == names->stack.count + 1); /* the newest name is the first of its chain */
        *bucket = name->next;
    }
}

void ptx_names_free(struct ptx_names *names)
{
    free(names->buckets);
    free(names->stack.items);
}
