/* SPDX-License-Identifier: BSD-3-Clause */
/* bind.c - see bind.h. */
#include "access/bind.h"

#include <assert.h>
#include <string.h>

int32_t ws_field_find(const struct fmt_schema *schema, const char *name)
{
    for (uint32_t i = 0; i < schema->n_fields; i++) {
        if (strcmp(schema->fields[i].name, name) == 0) {
            return (int32_t)i;
        }
    }
    return -1;
}

uint32_t ws_schema_number(const struct fmt_superblock *sb, const struct fmt_schema *schema)
{
    uint32_t i = 0;
    while (sb->schemas[i] != schema) {
        i++;
        assert(i < sb->n_schemas);
    }
    return i;
}

const struct fmt_schema *ws_schema_of(const struct fmt_superblock *sb, uint32_t id)
{
    for (uint32_t i = 0; i < sb->n_schemas; i++) {
        if (sb->schemas[i]->id == id) {
            return sb->schemas[i];
        }
    }
    return NULL;
}

const struct fmt_schema *ws_schema_named(const struct fmt_superblock *sb, const char *name)
{
    for (uint32_t i = 0; i < sb->n_schemas; i++) {
        if (strcmp(sb->schemas[i]->name, name) == 0) {
            return sb->schemas[i];
        }
    }
    return NULL;
}

bool ws_schema_same(const struct fmt_schema *a, const struct fmt_schema *b)
{
    bool same = strcmp(a->name, b->name) == 0 && a->n_fields == b->n_fields;
    for (uint32_t i = 0; same && i < a->n_fields; i++) {
        const struct fmt_field *x = &a->fields[i], *y = &b->fields[i];
        same = strcmp(x->name, y->name) == 0 && x->type == y->type && x->role == y->role;
    }
    return same;
}

bool ws_bind(const struct ws_binding *table, const struct fmt_schema *schema, void *fields)
{
    bool good = true;
    for (const struct ws_binding *b = table; b->name != NULL; b++) {
        int32_t *member = (int32_t *)((char *)fields + b->member), at;
        at = ws_field_find(schema, b->name);
        bool fits = at >= 0 && (b->type == WS_ANY_TYPE || schema->fields[at].type == b->type);
        *member = fits ? at : -1;
        good &= fits || !b->needed;
    }
    return good;
}

void ws_bind_want(const struct ws_binding *table, const void *fields, struct fmt_wanted *wanted)
{
    for (const struct ws_binding *b = table; b->name != NULL; b++) {
        ws_want(wanted, *(const int32_t *)((const char *)fields + b->member));
    }
}

uint64_t ws_value_whole(struct fmt_value v)
{
    if (ws_type_is_real(v.type)) {
        return v.as.f >= 0.0 && v.as.f < 0x1p63 ? (uint64_t)v.as.f : 0;
    }
    return ws_type_is_signed(v.type) && v.as.i < 0 ? 0 : v.as.u;
}

double ws_value_number(struct fmt_value v)
{
    return ws_type_is_real(v.type)     ? v.as.f
           : ws_type_is_signed(v.type) ? (double)v.as.i
                                       : (double)v.as.u;
}
