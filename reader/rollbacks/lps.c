/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lps.c - stores the types of LPs; see rollbacks.h.
 *
 * The element of an LP in r->lp_types is 0 until the LP has rolled back. Then it is 1 if the type
 * is unknown, otherwise the index of the type plus 2.
 */
#include <string.h>

#include "rollbacks/rollbacks.h"

static uint32_t type_of_desc(struct rollbacks *r, uint64_t id)
{
    const struct fmt_payload_desc *desc = fmt_desc_set_find(&r->file->descs, (uint32_t)id);
    if (id == 0 || desc == NULL || desc->owner[0] == '\0') {
        return 0;
    }
    uint32_t type = ws_intern_add(&r->types, desc->owner, strlen(desc->owner), ROLLBACKS_TYPES_MAX);
    return type == WS_NAMES_NONE ? 0 : type + 1;
}

bool rollbacks_lp_note(struct rollbacks *r, uint64_t lp, uint64_t desc)
{
    const size_t place = id_set_place(&r->lps, lp);
    if (place == ID_SET_NONE) {
        return true;
    }
    const uint16_t *old = ws_pages_get(&r->lp_types, place);
    if (old == NULL || *old != 0) {
        r->failed |= old == NULL;
        return old != NULL;
    }
    uint16_t *type = ws_pages_at(&r->lp_types, place);
    *type = (uint16_t)(type_of_desc(r, desc) + 1);
    return true;
}

uint32_t rollbacks_lp_type(struct rollbacks *r, uint64_t lp)
{
    const size_t place = id_set_place(&r->lps, lp);
    const uint16_t *type = place == ID_SET_NONE ? NULL : ws_pages_get(&r->lp_types, place);
    r->failed |= type == NULL && place != ID_SET_NONE;
    return type == NULL || *type == 0 ? 0 : *type - 1u;
}
