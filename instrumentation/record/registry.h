/*
 * registry.h - which callbacks each LP has, and what the models say about the bytes they write.
 */
#ifndef WARPSCOPE_RECORD_REGISTRY_H
#define WARPSCOPE_RECORD_REGISTRY_H

#include "base/status.h"
#include "ross.h"

/* What st_model_fields() was told. The table itself belongs to the model. */
struct registry_fields {
    const st_model_types *types;
    st_payload_kind kind;
    const st_field *fields;
};

/* Callbacks that were given as those of ROSS 8, and what they are for us. */
struct registry_v8 {
    const st_model_types_v8 *given;
    st_model_types *types; /* filled anew from given when the run is set up */
};

/* A filled registry is read-only during the run. Zero-initialised it is empty. */
struct registry {
    st_model_types **by_lp; /* callbacks of each local LP or NULL; n_lps entries */
    tw_lpid n_lps;
    struct registry_fields *described;
    size_t n_described;
    struct registry_v8 *converted;
    size_t n_converted;
};

/* Gives a local LP its callbacks (NULL: takes them away). n_lps: LPs of this PE, larger than lp. */
enum tw_status registry_set(struct registry *registry, tw_lpid lp, tw_lpid n_lps,
                            st_model_types *types);

/* What these callbacks are for us, the same for the same ones; NULL: out of memory. It lives as
 * long as the registry. */
st_model_types *registry_from_v8(struct registry *registry, const st_model_types_v8 *given);

/* Describes a byte block; a second description of the same block replaces the first. */
enum tw_status registry_describe(struct registry *registry, const st_model_types *types,
                                 st_payload_kind kind, const st_field *fields);

/*
 * For LPs without callbacks of their own: those of their type, by_type[type_of(gid)], or of
 * by_type_v8 when by_type is NULL. Does nothing when both or type_of are NULL. lps: n_lps local
 * LPs.
 */
enum tw_status registry_resolve(struct registry *registry, tw_lp *const *lps, tw_lpid n_lps,
                                st_model_types *by_type, const st_model_types_v8 *by_type_v8,
                                tw_lp_typemap_f type_of);

/* Takes over what models have changed in callbacks of ROSS 8 that they had given before. */
void registry_refresh(const struct registry *registry);

/* Callbacks of a local LP or NULL. */
static inline st_model_types *registry_get(const struct registry *registry, tw_lpid lp)
{
    return lp < registry->n_lps ? registry->by_lp[lp] : NULL;
}

/* Does this LP write bytes of this kind, and how many? 0: it does not. */
size_t registry_size(const st_model_types *types, st_payload_kind kind);

/* The description of a byte block, or NULL. */
const st_field *registry_fields_of(const struct registry *registry, const st_model_types *types,
                                   st_payload_kind kind);

/*
 * Checks every description: names, types, counts, fields within the block, no name twice.
 * TW_ERR_USAGE with one line in error that names the field.
 */
enum tw_status registry_check(const struct registry *registry, char *error, size_t error_size);

/* Bytes of one element of a field of this type; 0 for a type that does not exist. */
size_t registry_type_size(st_field_type type);

void registry_fini(struct registry *registry);

#endif
