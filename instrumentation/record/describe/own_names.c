/* SPDX-License-Identifier: BSD-3-Clause */
/* own_names.c - see own_names.h. */
#include "record/describe/own_names.h"

#include <string.h>

#include "format/names.h"
#include "store/array.h"
#include "store/check.h"

st_result own_names_give(struct own_names *names, tw_lpid lp, tw_lpid n_lps, const char *name)
{
    assert(lp < n_lps && (names->at == NULL || names->n_lps == n_lps));
    const size_t size = name != NULL ? strnlen(name, FMT_LP_NAME_MAX + 1) : 0;
    if (fmt_lp_name_fault(name, size) != NULL) {
        return ST_INVALID;
    }
    const char *has = own_names_of(names, lp);
    if (has != NULL) {
        return strcmp(has, name) == 0 ? ST_OK : ST_DUPLICATE;
    }
    if (names->at == NULL) {
        names->at = calloc(n_lps, sizeof(*names->at));
        names->n_lps = n_lps;
    }
    if (names->at == NULL || names->size > UINT32_MAX - FMT_LP_NAME_MAX - 2 ||
        !array_reserve(&names->text, &names->room, names->size + size + 1, 1)) {
        return ST_NO_MEMORY;
    }
    memcpy(names->text + names->size, name, size + 1);
    names->at[lp] = (uint32_t)names->size + 1;
    names->size += size + 1;
    names->n++;
    return ST_OK;
}

const char *own_names_next(void *ctx, uint64_t *lp)
{
    struct own_names_walk *walk = ctx;
    const char *name = NULL;
    while (name == NULL && walk->lp < walk->names->n_lps) {
        *lp = g_tw_lp[walk->lp]->gid;
        name = own_names_of(walk->names, walk->lp++);
    }
    return name;
}

void own_names_forget(struct own_names *names)
{
    free(names->at);
    free(names->text);
    *names = (struct own_names){.is_closed = names->is_closed};
}

bool own_names_check(const struct own_names *names)
{
    tw_lpid n = 0;
    HOLDS(names->size <= names->room && (names->at != NULL || names->n == 0));
    for (tw_lpid lp = 0; names->at != NULL && lp < names->n_lps; lp++) {
        const uint32_t at = names->at[lp];
        HOLDS(at <= names->size);
        n += at != 0;
        /* A name begins at the start of the text, or behind the end of another. */
        HOLDS(at <= 1 || names->text[at - 2] == '\0');
        HOLDS(at == 0 ||
              fmt_lp_name_fault(names->text + at - 1,
                                strnlen(names->text + at - 1, names->size - at + 1)) == NULL);
    }
    HOLDS(n == names->n);
    return true;
}
