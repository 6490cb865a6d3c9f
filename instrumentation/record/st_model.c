/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * st_model.c - functions that models call before the run: st_model_settype(), st_model_fields(),
 * st_model_pure(), st_lptype_name(), st_lp_name().
 *
 * An invalid argument is an error in the model. It is fatal, as in the whole interface for models.
 */
#include "record/context.h"
#include "record/recorder.h"

/* Sets the callbacks of a local LP to `types`. given: the pointer that the model passed, which is
 * stored in lp->model_types: either `types`, or the callbacks in the layout of ROSS 8. */
static void settype(tw_lpid local_id, st_model_types *types, void *given)
{
    if (local_id >= g_tw_nlp) {
        tw_error(TW_LOC,
                 "st_model_settype: this rank has no LP %llu, it has %llu "
                 "(local numbers, after tw_define_lps())",
                 (unsigned long long)local_id, (unsigned long long)g_tw_nlp);
    }
    if (registry_set(&context_recorder()->registry, local_id, g_tw_nlp, types) != TW_OK) {
        tw_error(TW_LOC, "st_model_settype: out of memory for %llu LPs",
                 (unsigned long long)g_tw_nlp);
    }
    g_tw_lp[local_id]->model_types = given;
}

void st_model_settype(tw_lpid local_id, st_model_types *types)
{
    settype(local_id, types, types);
}

/* Returns the facts about a payload that the model is giving. Lack of memory is fatal; caller is the
 * function name for the error message. */
static struct registry_fields *describe(const st_model_types *types, st_payload_kind kind,
                                        const char *caller)
{
    struct registry_fields *facts = registry_describe(&context_recorder()->registry, types, kind);
    if (facts == NULL) {
        tw_error(TW_LOC, "%s: out of memory", caller);
    }
    return facts;
}

/* Returns the callbacks `given` in the present layout; NULL if given is NULL. Lack of memory is
 * fatal; caller is the function name for the error message. */
static st_model_types *from_v8(const st_model_types_v8 *given, const char *caller)
{
    if (given == NULL) {
        return NULL;
    }
    st_model_types *types = registry_from_v8(&context_recorder()->registry, given);
    if (types == NULL) {
        tw_error(TW_LOC, "%s: out of memory", caller);
    }
    return types;
}

void st_model_settype_v8(tw_lpid local_id, st_model_types_v8 *types)
{
    settype(local_id, from_v8(types, "st_model_settype"), types);
}

void st_model_fields_v8(const st_model_types_v8 *types, st_payload_kind kind,
                        const st_field *fields)
{
    st_model_fields(from_v8(types, "st_model_fields"), kind, fields);
}

void st_model_fields(const st_model_types *types, st_payload_kind kind, const st_field *fields)
{
    if (types == NULL || (int)kind < (int)ST_PAYLOAD_RBEV || (int)kind > (int)ST_PAYLOAD_SAMPLE) {
        tw_error(TW_LOC,
                 "st_model_fields: types is %s, kind is %d: give a st_model_types and one "
                 "of the ST_PAYLOAD_ kinds",
                 types == NULL ? "NULL" : "given", (int)kind);
    }
    describe(types, kind, "st_model_fields")->fields = fields;
}

void st_model_pure(const st_model_types *types)
{
    if (types == NULL) {
        tw_error(TW_LOC, "st_model_pure: types is NULL: give a st_model_types");
    }
    describe(types, ST_PAYLOAD_MODEL, "st_model_pure")->is_pure = true;
}

void st_model_pure_v8(const st_model_types_v8 *types)
{
    st_model_pure(from_v8(types, "st_model_pure"));
}

void st_lptype_name(const tw_lptype *type, const char *name)
{
    const char *fault = type != NULL ? lp_names_fault(name) : "the type is NULL";
    if (fault != NULL) {
        tw_error(TW_LOC, "st_lptype_name: \"%.80s\" cannot be a type's name: %s",
                 name != NULL ? name : "", fault);
    }
    if (lp_names_set(&context_recorder()->names, type, name) != TW_OK) {
        tw_error(TW_LOC, "st_lptype_name: out of memory");
    }
}

int st_lp_name(tw_lpid gid, const char *name)
{
    struct own_names *names = &context_recorder()->own_names;
    const tw_lp *lp = probe_local_lp(gid);
    if (names->is_closed) {
        return ST_WRONG_STATE;
    }
    return lp == NULL ? (int)ST_NOT_FOUND : (int)own_names_give(names, lp->id, g_tw_nlp, name);
}

_Static_assert(ST_LP_NAME_MAX == FMT_LP_NAME_MAX, "length of names");
