/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * values.c - counts the values of the payload fields of events, on the critical path and in all
 * events.
 *
 * The values of two kinds of fields are counted: of fields whose values have names, and of
 * identities with at most USED_MAX different values, all below VALUES_MAX.
 */
#include <stdlib.h>

#include "analyze/analyze.h"
#include "store/array.h"

#define VALUES_MAX 256u /* values of a field are counted only if they are less than this */
/* Maximum number of different values of a field whose values have no names. */
#define USED_MAX   32u
#define FIELDS_MAX 64u /* maximum number of fields whose values are counted */

/* Returns n if the values 0 to n - 1 of the field are counted; 0 if the field is ignored. */
static uint32_t values_of(const struct fmt_payload_field *field)
{
    uint32_t n = 0;
    if (field->count != 1 || field->type == FMT_CHAR || field->type == FMT_F32 ||
        field->type == FMT_F64) {
        return 0;
    }
    while (field->names != NULL && n < VALUES_MAX && field->names[n] != NULL) {
        n++;
    }
    return n > 0 ? n : field->measure == FMT_IDENTITY ? VALUES_MAX : 0;
}

bool analyze_values_init(struct analyze *a)
{
    const struct fmt_desc_set *descs = &a->trace.file->descs;
    for (size_t i = 0; i < descs->n; i++) {
        const struct fmt_payload_desc *d = &descs->descs[i];
        for (uint32_t f = 0; f < d->n_fields && a->n_fields < FIELDS_MAX; f++) {
            uint32_t n = d->kind == FMT_PAYLOAD_EV ? values_of(&d->fields[f]) : 0;
            if (n == 0) {
                continue;
            }
            if (!array_reserve(&a->fields, &a->fields_room, a->n_fields + 1, sizeof *a->fields)) {
                return ws_no_memory(&a->failed);
            }
            a->fields[a->n_fields++] = (struct analyze_field){
                .desc = d, .field = &d->fields[f], .first = a->n_values, .n = n};
            a->n_values += n;
        }
    }
    a->values = calloc(a->n_values + 1, sizeof *a->values);
    return a->values != NULL || ws_no_memory(&a->failed);
}

void analyze_values_add(struct analyze *a, const struct analyze_event *e, bool on_path)
{
    for (size_t i = 0; i < a->n_fields; i++) {
        struct analyze_field *f = &a->fields[i];
        if (f->is_number || f->desc->id != e->type || e->payload == NULL ||
            e->payload_size < f->desc->size) {
            continue;
        }
        uint64_t v = fmt_value_read(e->payload + f->field->offset, f->field->type).as.u;
        if (v < f->n) {
            struct analyze_value *value = &a->values[f->first + v];
            f->n_used += value->events == 0;
            value->events++;
            value->path_events += on_path;
            value->path_time += on_path ? e->handler_time : 0;
        }
        f->is_number = f->field->names == NULL && (v >= f->n || f->n_used > USED_MAX);
    }
}

void analyze_values_free(struct analyze *a)
{
    free(a->fields);
    free(a->values);
    a->fields = NULL;
    a->values = NULL;
}
