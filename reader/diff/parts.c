/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * parts.c - functions that the text output and the JSON output of diff share; see diff.h.
 */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "access/facts.h"
#include "diff/diff.h"
#include "render/text.h"

bool ws_diff_is_behind_end(const struct ws_diff *d, double *end)
{
    const struct ws_file *a = d->sides[WS_A].stream, *b = d->sides[WS_B].stream;
    if (a->pes_ended == 0 || b->pes_ended == 0 || a->end_gvt == b->end_gvt) {
        return false;
    }
    *end = a->end_gvt < b->end_gvt ? a->end_gvt : b->end_gvt;
    return d->changed == 0 && d->first_time >= *end;
}

double ws_diff_common_end(const struct ws_diff *d)
{
    double end = INFINITY;
    for (int side = 0; side < WS_SIDES; side++) {
        const struct ws_file *s = d->sides[side].stream;
        if (s->pes_ended > 0 && (d->sides[WS_A].early || d->sides[WS_B].early)) {
            end = fmin(end, s->end_gvt);
        }
    }
    return end;
}

bool ws_diff_is_optimistic(const struct ws_diff_side *side)
{
    const char *scheduler = ws_fact(side->stream->sb, "scheduler");
    return scheduler == NULL || (strncmp(scheduler, "sequential", strlen("sequential")) != 0 &&
                                 strcmp(scheduler, "conservative") != 0);
}

uint32_t ws_diff_type(const struct ws_sort_layout *layout, const struct ws_sort_key *item)
{
    return layout->type_part < 0
               ? 0
               : (uint32_t)ws_sort_key_value(layout, item, (uint32_t)layout->type_part).as.u;
}

const struct fmt_payload_desc *ws_diff_desc(const struct ws_diff *d, const struct ws_sort_key *item)
{
    const struct fmt_payload_desc *desc =
        ws_payload_types_desc(&d->types, ws_diff_type(&d->layout, item));
    return desc != NULL && desc->n_fields > 0 && desc->size == item->payload_size ? desc : NULL;
}

const char *ws_diff_element_text(const struct ws_sort_layout *layout,
                                 const struct ws_sort_key *item,
                                 const struct fmt_payload_field *field, uint32_t k, char *cell)
{
    assert(k < ws_field_elements(field));
    if (item == NULL) {
        return NULL;
    }
    const uint8_t *bytes = ws_sort_key_payload(layout, item) + ws_field_element_at(field, k);
    if (field->type == FMT_CHAR) {
        int size = (int)(field->count < WS_CELL_MAX - 3 ? field->count : WS_CELL_MAX - 3);
        snprintf(cell, WS_CELL_MAX, "\"%.*s\"", size, (const char *)bytes);
        for (char *p = cell; *p != '\0'; p++) {
            *p = *p >= 32 && *p < 127 ? *p : '?';
        }
    } else {
        struct fmt_value v = fmt_value_read(bytes, field->type);
        ws_format_value(cell, &v, false);
    }
    return cell;
}

const char *ws_diff_hex_text(const struct ws_sort_layout *layout, const struct ws_sort_key *item,
                             const struct ws_sort_key *other, size_t at, char *cell)
{
    size_t used = 0;
    if (item == NULL) {
        return NULL;
    }
    cell[0] = '\0';
    for (size_t i = at; i < at + WS_HEX_COLUMNS && i < item->payload_size; i++) {
        uint8_t byte = ws_sort_key_payload(layout, item)[i];
        bool differs = other != NULL &&
                       (i >= other->payload_size || ws_sort_key_payload(layout, other)[i] != byte);
        used +=
            (size_t)snprintf(cell + used, WS_CELL_MAX - used, differs ? "[%02x]" : " %02x ", byte);
    }
    return cell;
}
