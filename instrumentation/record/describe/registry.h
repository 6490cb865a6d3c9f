/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * registry.h - callbacks of each LP, and descriptions of the payloads that models write.
 */
#ifndef WARPSCOPE_RECORD_DESCRIBE_REGISTRY_H
#define WARPSCOPE_RECORD_DESCRIBE_REGISTRY_H

#include "base/status.h"
#include "ross.h"

/* Facts that a model has given about the payload of a callback. The model owns the table `fields`. */
struct registry_fields {
    const st_model_types *types;
    st_payload_kind kind;
    const st_field *fields; /* argument of st_model_fields(); NULL: not described */
    bool is_pure;           /* true after st_model_pure() */
};

/* Callbacks in the layout of ROSS 8, and their conversion to the present layout. */
struct registry_v8 {
    const st_model_types_v8 *given;
    st_model_types *types; /* owned; `given` in the present layout, converted again at set-up */
};

/* All registrations of models. Read-only during the run. A zero-initialised registry is empty. */
struct registry {
    st_model_types **by_lp; /* [i]: callbacks of local LP i, NULL: none; n_lps entries */
    tw_lpid n_lps;
    struct registry_fields *described;
    size_t n_described;
    struct registry_v8 *converted;
    size_t n_converted;
};

/* Sets the callbacks of the local LP lp; NULL removes them. n_lps: number of LPs of this PE.
 * Returns TW_OK or TW_ERR_MEMORY. */
enum tw_status registry_set(struct registry *registry, tw_lpid lp, tw_lpid n_lps,
                            st_model_types *types);

/* Removes the callbacks of all LPs. If all n_lps LPs had the same callbacks, returns these,
 * otherwise NULL. */
st_model_types *registry_forget_lps(struct registry *registry, tw_lpid n_lps);

/* Returns `given`, converted to the present layout; NULL if memory is exhausted. Calls with the
 * same pointer return the same result, which the registry owns. */
st_model_types *registry_from_v8(struct registry *registry, const st_model_types_v8 *given);

/* Returns the facts about the payload that the callback `kind` of types writes, for the caller to
 * change. Adds them if the model has given none yet; returns NULL if memory is exhausted. */
struct registry_fields *registry_describe(struct registry *registry, const st_model_types *types,
                                          st_payload_kind kind);
/* Returns the facts about this payload; NULL: the model has given none. */
struct registry_fields *registry_find(const struct registry *registry, const st_model_types *types,
                                      st_payload_kind kind);

/*
 * Gives each LP that has no callbacks of its own the callbacks of its type: by_type[type_of(gid)],
 * or by_type_v8[type_of(gid)] if by_type is NULL. No effect if by_type and by_type_v8 are both
 * NULL, or if type_of is NULL. lps: n_lps local LPs. Returns TW_OK or TW_ERR_MEMORY.
 */
enum tw_status registry_resolve(struct registry *registry, tw_lp *const *lps, tw_lpid n_lps,
                                st_model_types *by_type, const st_model_types_v8 *by_type_v8,
                                tw_lp_typemap_f type_of);

/* Converts all callbacks of ROSS 8 again, to include changes that models have made to them. */
void registry_refresh(const struct registry *registry);

/* Returns the callbacks of a local LP; NULL: none. */
static inline st_model_types *registry_get(const struct registry *registry, tw_lpid lp)
{
    return lp < registry->n_lps ? registry->by_lp[lp] : NULL;
}

/* Returns the size in bytes of the payload that the callback `kind` of types writes; 0 if types is
 * NULL or has no such callback. */
size_t registry_size(const st_model_types *types, st_payload_kind kind);

/*
 * Checks every description: names, types, counts, positions of fields within the payload, and
 * uniqueness of names. Returns TW_OK, or TW_ERR_USAGE with one line in error (error_size bytes)
 * that names the field.
 */
enum tw_status registry_check(const struct registry *registry, char *error, size_t error_size);

void registry_fini(struct registry *registry);

#endif
