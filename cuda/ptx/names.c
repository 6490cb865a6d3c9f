/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A stack of names, the newest one last, so that the end of a scope removes its names; and their index.
 */
#include "ptx/names.h"
#include <assert.h>
#include <stdlib.h>

static inline struct ptx_name *name_at(const struct ptx_names *names, size_t index)
{
    return (struct ptx_name *)names->stack.items + index;
}

struct ptx_name *ptx_names_add(struct ptx_names *names, struct ptx_text text, bool family,
                               uint32_t scope)
{
    uint32_t hash = ptx_hash(text);
    struct ptx_name *name = ptx_push(&names->stack, sizeof *name);
    if (!name || !index_add(&names->index, hash, (uint32_t)names->stack.count - 1)) {
        return NULL;
    }
    *name = (struct ptx_name){.text = text, .scope = scope, .hash = hash, .family = family};
    return name;
}

struct ptx_name *ptx_names_find(const struct ptx_names *names, struct ptx_text text, bool family,
                                uint32_t hash, uint32_t number)
{
    struct ptx_name *found = NULL;
    assert(hash == ptx_hash(text));
    for (uint32_t at = hash, i; index_next(&names->index, hash, &at, &i);) {
        struct ptx_name *name = name_at(names, i);
        if ((!found || name > found) && name->family == family &&
            (!family || number < name->number) && ptx_same(name->text, text)) {
            found = name;
        }
    }
    return found;
}

void ptx_names_leave(struct ptx_names *names, size_t count)
{
    assert(count <= names->stack.count);
    while (names->stack.count > count) {
        size_t last = --names->stack.count;
        index_remove(&names->index, name_at(names, last)->hash, (uint32_t)last);
    }
}

void ptx_names_free(struct ptx_names *names)
{
    index_fini(&names->index);
    free(names->stack.items);
}
