/* SPDX-License-Identifier: BSD-3-Clause */
/* type_names.c - see type_names.h. */
#include "record/describe/type_names.h"

#include "record/describe/program_symbols.h"

#define TYPES_MAX 256u /* more types get no names */

/* Functions of CODES (codes/codes_mapping.h, codes/lp-type-lookup.h); NULL in other programs. */
void codes_mapping_get_lp_info2(tw_lpid gid, const char **group, const char **type,
                                const char **annotation, int *repetition, int *offset)
    __attribute__((weak));
const tw_lptype *lp_type_lookup(const char *name) __attribute__((weak));

/* Returns true if CODES maps the LPs: its functions know them only then. */
static bool codes_maps_lps(void)
{
    struct program_symbol map;
    const void *function = (const void *)(uintptr_t)g_tw_custom_lp_global_to_local_map;
    return codes_mapping_get_lp_info2 != NULL && lp_type_lookup != NULL && g_tw_mapping == CUSTOM &&
           function != NULL && program_symbol_find(function, &map) &&
           strcmp(map.name, "codes_mapping_to_lp") == 0;
}

/* Returns the name of lp's type in CODES, as long as CODES has it; NULL: none. */
static const char *name_in_codes(const tw_lp *lp)
{
    const char *group = NULL, *type = NULL, *annotation = NULL;
    int repetition = 0, offset = 0;
    codes_mapping_get_lp_info2(lp->gid, &group, &type, &annotation, &repetition, &offset);
    return type != NULL && lp_type_lookup(type) == lp->type ? type : NULL;
}

/* Key of an LP in CODES, where a router and a terminal share their type: the address of the name of
 * its type, which is used only to compare it. */
static const tw_lptype *key_in_codes(const tw_lp *lp)
{
    const char *name = name_in_codes(lp);
    return name != NULL ? (const tw_lptype *)(const void *)name : lp->type;
}

/* Writes the name of the variable that holds the type to out. Returns false if there is none. */
static bool name_in_program(const tw_lptype *type, char out[LP_NAME_MAX + 1])
{
    struct program_symbol found;
    if (!program_symbol_find(type, &found) || found.offset % sizeof(tw_lptype) != 0) {
        return false;
    }
    int length = found.size < 2 * sizeof(tw_lptype)
                     ? snprintf(out, LP_NAME_MAX + 1, "%s", found.name)
                     : snprintf(out, LP_NAME_MAX + 1, "%s:%zu", found.name,
                                found.offset / sizeof(tw_lptype));
    return length > 0 && length <= LP_NAME_MAX;
}

static void name_key(struct lp_names *names, const tw_lp *lp, const tw_lptype *key)
{
    char text[LP_NAME_MAX + 1];
    const char *name = key != lp->type ? name_in_codes(lp) : NULL;
    if (name == NULL && name_in_program(lp->type, text)) {
        name = text;
    }
    if (name != NULL && lp_names_fault(name) == NULL && lp_names_set(names, key, name) != TW_OK) {
        tw_error(TW_LOC, "out of memory for the names of LP types");
    }
}

void type_names_find(struct lp_names *names, tw_lp *const *lps, tw_lpid n_lps)
{
    const tw_lptype *seen[TYPES_MAX];
    size_t n_seen = 0;
    /* Names that the model has given are for types. */
    names->key = names->n_types == 0 && codes_maps_lps() ? key_in_codes : names->key;
    for (tw_lpid i = 0; i < n_lps; i++) {
        const tw_lptype *key = lp_names_key(names, lps[i]);
        size_t at = 0;
        while (at < n_seen && seen[at] != key) {
            at++;
        }
        if (at == n_seen && n_seen < TYPES_MAX) {
            seen[n_seen++] = key;
            if (lp_names_of_type(names, key) == NULL) {
                name_key(names, lps[i], key);
            }
        }
    }
}
