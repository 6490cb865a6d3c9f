/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lps.c - stores the types of LPs; see rollbacks.h.
 *
 * The element of an LP in r->lp_types is 0 until the LP has rolled back. Then it is 1 if the type
 * is unknown, otherwise the index of the type plus 2. LPs from number 2^32 on have no element.
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
    if (lp > UINT32_MAX) {
        return true;
    }
    const uint16_t *old = ws_pages_get(&r->lp_types, lp);
    if (old == NULL || *old != 0) {
        r->failed |= old == NULL;
        return old != NULL;
    }
    uint16_t *type = ws_pages_at(&r->lp_types, lp);
    *type = (uint16_t)(type_of_desc(r, desc) + 1);
    return true;
}

uint32_t rollbacks_lp_type(struct rollbacks *r, uint64_t lp)
{
    const uint16_t *type = lp > UINT32_MAX ? NULL : ws_pages_get(&r->lp_types, lp);
    r->failed |= type == NULL && lp <= UINT32_MAX;
    return type == NULL || *type == 0 ? 0 : *type - 1u;
}
