/* SPDX-License-Identifier: BSD-3-Clause */
/* engine_names.c - names of the positions, and the types of their records; see st_hook.h. */
#include "bus/tables/engine_names.h"

#include <string.h>

#define X(name, text, detail, committed) | (committed ? ST_AT(ST_POS_##name) : 0)
const uint32_t engine_committed_forms = 0 ST_POSITION_LIST(X);
#undef X

bool engine_stream_has_committed(const char *name, st_type type)
{
    if (strcmp(name, ST_ENGINE_STREAM) != 0) {
        return true;
    }
    for (unsigned p = 0; p < ST_POSITIONS; p++) {
        if ((engine_committed_forms & ST_AT(p)) != 0 && type == st_engine_type((st_position)p)) {
            return true;
        }
    }
    return false;
}

#define X(name, text, detail, committed) [ST_POS_##name] = text,
static const char *const texts[] = {ST_POSITION_LIST(X)};
#undef X

const char *st_position_text(st_position position)
{
    return (unsigned)position < ST_POSITIONS ? texts[position] : "unknown";
}

st_type st_engine_type(st_position position)
{
    st_type type = 0;
    st_type_register("warpscope", (unsigned)position, &type);
    return type;
}

st_type st_row_type(unsigned kind)
{
    st_type type = 0;
    st_type_register("warpscope", ST_ROW_NUMBER(kind), &type);
    return type;
}
