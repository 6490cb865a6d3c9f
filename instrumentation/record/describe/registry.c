/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * registry.c - callbacks of LPs and descriptions of payloads.
 *
 * Models register callbacks LP by LP, before the run and in any order. The array by_lp gets its
 * full size at the first call. Descriptions are few, one for each kind of LP and payload, so a
 * linear search suffices.
 *
 * Invariants
 *  G1  by_lp has n_lps entries, each NULL or valid until the end of the run (guaranteed by the
 *      model).
 *  G2  No two descriptions have the same (types, kind).
 *  G3  No two conversions have the same callbacks of ROSS 8.
 */
#include "record/describe/registry.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/bytes.h"
#include "format/format.h"
#include "store/array.h"
#include "text/utf8.h"

static const char *const kind_name[] = {"rbev_trace", "ev_trace", "model_stat_fn",
                                        "sample_event_fn"};

static enum tw_status grow(struct registry *registry, tw_lpid n_lps)
{
    if (n_lps <= registry->n_lps) {
        return TW_OK;
    }
    st_model_types **by_lp = realloc(registry->by_lp, n_lps * sizeof(*by_lp));
    if (by_lp == NULL) {
        return TW_ERR_MEMORY;
    }
    for (tw_lpid lp = registry->n_lps; lp < n_lps; lp++) {
        by_lp[lp] = NULL;
    }
    registry->by_lp = by_lp;
    registry->n_lps = n_lps;
    return TW_OK;
}

enum tw_status registry_set(struct registry *registry, tw_lpid lp, tw_lpid n_lps,
                            st_model_types *types)
{
    assert(lp < n_lps);
    enum tw_status status = grow(registry, n_lps);
    if (status == TW_OK) {
        registry->by_lp[lp] = types;
    }
    return status;
}

st_model_types *registry_forget_lps(struct registry *registry, tw_lpid n_lps)
{
    st_model_types *common = n_lps > 0 ? registry_get(registry, 0) : NULL;
    for (tw_lpid lp = 1; lp < n_lps; lp++) {
        common = registry_get(registry, lp) == common ? common : NULL;
    }
    free(registry->by_lp);
    registry->by_lp = NULL;
    registry->n_lps = 0;
    return common;
}

struct registry_fields *registry_find(const struct registry *registry, const st_model_types *types,
                                      st_payload_kind kind)
{
    for (size_t i = 0; i < registry->n_described; i++) {
        struct registry_fields *d = &registry->described[i];
        if (d->types == types && d->kind == kind) {
            return d;
        }
    }
    return NULL;
}

struct registry_fields *registry_describe(struct registry *registry, const st_model_types *types,
                                          st_payload_kind kind)
{
    assert(types != NULL);
    assert((size_t)kind < sizeof kind_name / sizeof kind_name[0]);
    struct registry_fields *known = registry_find(registry, types, kind);
    if (known == NULL &&
        array_append(&registry->described, registry->n_described, sizeof(*registry->described))) {
        known = &registry->described[registry->n_described++];
        *known = (struct registry_fields){.types = types, .kind = kind};
    }
    return known;
}

static void convert(st_model_types *types, const st_model_types_v8 *given)
{
    *types = (st_model_types){.rbev_trace = given->ev_trace,
                              .rbev_sz = given->ev_sz,
                              .ev_trace = given->ev_trace,
                              .ev_sz = given->ev_sz,
                              .model_stat_fn = given->model_stat_fn,
                              .mstat_sz = given->mstat_sz,
                              .sample_event_fn = given->sample_event_fn,
                              .sample_revent_fn = given->sample_revent_fn,
                              .sample_struct_sz = given->sample_struct_sz};
}

void registry_refresh(const struct registry *registry)
{
    for (size_t i = 0; i < registry->n_converted; i++) {
        convert(registry->converted[i].types, registry->converted[i].given);
    }
}

st_model_types *registry_from_v8(struct registry *registry, const st_model_types_v8 *given)
{
    size_t n = registry->n_converted;
    /* The search starts with the latest conversion: a model registers LPs of the same kind one
     * after another. */
    for (size_t i = n; i > 0; i--) {
        if (registry->converted[i - 1].given == given) {
            return registry->converted[i - 1].types;
        }
    }
    if (!array_append(&registry->converted, n, sizeof(*registry->converted))) {
        return NULL;
    }
    st_model_types *types = malloc(sizeof(*types));
    if (types == NULL) {
        return NULL;
    }
    convert(types, given);
    registry->converted[n] = (struct registry_v8){given, types};
    registry->n_converted = n + 1;
    return types;
}

enum tw_status registry_resolve(struct registry *registry, tw_lp *const *lps, tw_lpid n_lps,
                                st_model_types *by_type, const st_model_types_v8 *by_type_v8,
                                tw_lp_typemap_f type_of)
{
    assert(lps != NULL || n_lps == 0);
    enum tw_status status = grow(registry, n_lps);
    registry_refresh(registry);
    if (status != TW_OK || (by_type == NULL && by_type_v8 == NULL) || type_of == NULL) {
        return status;
    }
    for (tw_lpid lp = 0; lp < n_lps; lp++) {
        if (registry->by_lp[lp] == NULL) {
            tw_lpid type = type_of(lps[lp]->gid);
            registry->by_lp[lp] =
                by_type != NULL ? &by_type[type] : registry_from_v8(registry, &by_type_v8[type]);
            status = registry->by_lp[lp] == NULL ? TW_ERR_MEMORY : status;
            /* tw_lp.model_types points to the callbacks in the layout that the model uses. */
            lps[lp]->model_types =
                by_type != NULL ? &by_type[type] : (void *)(uintptr_t)&by_type_v8[type];
        }
    }
    return status;
}

size_t registry_size(const st_model_types *types, st_payload_kind kind)
{
    if (types == NULL) {
        return 0;
    }
    switch (kind) {
    case ST_PAYLOAD_RBEV:
        return types->rbev_trace != NULL ? types->rbev_sz : 0;
    case ST_PAYLOAD_EV:
        return types->ev_trace != NULL ? types->ev_sz : 0;
    case ST_PAYLOAD_MODEL:
        return types->model_stat_fn != NULL ? types->mstat_sz : 0;
    case ST_PAYLOAD_SAMPLE:
        return types->sample_event_fn != NULL ? types->sample_struct_sz : 0;
    }
    return 0;
}

/* Returns true if the text is UTF-8 without control characters. */
static bool is_printable(const char *text)
{
    for (size_t length; *text != '\0'; text += length) {
        unsigned char c = (unsigned char)text[0];
        /* U+0080 to U+009F are control characters, too. */
        bool second_control = c == 0xC2 && (unsigned char)text[1] < 0xA0;
        length = utf8_length(text, UTF8_MAX);
        if (length == 0 || c < 0x20 || c == 0x7f || second_control) {
            return false;
        }
    }
    return true;
}

/* Returns a description of the error in the names of a field's values; NULL: no error. *bytes: size
 * in bytes of all names of values in the table so far; this function adds the size of the names of
 * this field. */
static const char *names_fault(const st_field *f, size_t *bytes)
{
    bool is_integer = f->type <= ST_I64;
    size_t n = 0;
    if (f->names == NULL) {
        return NULL;
    }
    if (!is_integer || f->count != 1) {
        return "has names of values, which are for single integers";
    }
    for (; f->names[n] != NULL; n++) {
        if (n == ST_VALUE_NAMES_MAX) {
            return "has more than 1024 names of values, or a list without NULL at its end";
        }
        size_t length = strnlen(f->names[n], ST_VALUE_NAME_MAX + 1);
        *bytes += length + 1;
        if (length > ST_VALUE_NAME_MAX) {
            return "has a name of a value of more than 63 bytes";
        }
        if (!is_printable(f->names[n])) {
            return "has a name of a value that is not printable UTF-8";
        }
    }
    return *bytes <= ST_VALUE_NAMES_BYTES_MAX
               ? NULL
               : "brings the names of values in the table to more than 16384 bytes";
}

/* Returns a description of the error in field i of the table; NULL: no error. size: size of the
 * payload in bytes. */
static const char *field_fault(const st_field *fields, size_t i, size_t size)
{
    const st_field *f = &fields[i];
    if (!fmt_name_valid(f->name)) {
        return "has a name with other characters than A-Z, a-z, 0-9 and _";
    }
    size_t element = fmt_type_size((uint32_t)f->type + 1); /* see payload_types.c */
    if (element == 0) {
        return "has an unknown type";
    }
    if (f->count == 0) {
        return "has count 0 (1 is a single value)";
    }
    if (f->unit == NULL) {
        return "has no unit (\"\" is none)";
    }
    if ((int)f->measure < (int)ST_UNSTATED || (int)f->measure > (int)ST_IDENTITY) {
        return "has an unknown measure";
    }
    if (f->offset > size || f->count > (size - f->offset) / element) {
        return "lies outside the block";
    }
    for (size_t j = 0; j < i; j++) {
        if (strcmp(fields[j].name, f->name) == 0) {
            return "has the name of an earlier field";
        }
    }
    return NULL;
}

enum tw_status registry_check(const struct registry *registry, char *error, size_t error_size)
{
    registry_refresh(registry);
    for (size_t d = 0; d < registry->n_described; d++) {
        const struct registry_fields *table = &registry->described[d];
        assert((size_t)table->kind < sizeof kind_name / sizeof kind_name[0]);
        if (table->fields == NULL) {
            continue;
        }
        size_t size = registry_size(table->types, table->kind), bytes = 0;
        for (size_t i = 0; table->fields[i].name != NULL; i++) {
            const char *fault = field_fault(table->fields, i, size);
            fault = fault != NULL ? fault : names_fault(&table->fields[i], &bytes);
            if (fault != NULL) {
                snprintf(
                    error, error_size,
                    "st_model_fields: field \"%.64s\" (number %zu) of the %s block of %zu bytes %s",
                    table->fields[i].name, i, kind_name[table->kind], size, fault);
                return TW_ERR_USAGE;
            }
        }
    }
    return TW_OK;
}

void registry_fini(struct registry *registry)
{
    for (size_t i = 0; i < registry->n_converted; i++) {
        free(registry->converted[i].types);
    }
    free(registry->converted);
    free(registry->by_lp);
    free(registry->described);
    *registry = (struct registry){0};
}
