/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * numbers.c - formats numbers, see writer.h.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "log/writer.h"
#include "text/decimal.h"

/* Returns true if the buffer has space for a number. */
static inline bool has_room(struct log_writer *w)
{
    return DECIMAL_MAX <= w->room - w->used || writer_grow(w, DECIMAL_MAX);
}

void put_u64(struct log_writer *w, uint64_t value)
{
    if (has_room(w)) {
        w->used += decimal_u64(w->data + w->used, value);
    }
}

void put_i64(struct log_writer *w, int64_t value)
{
    if (has_room(w)) {
        w->used += decimal_i64(w->data + w->used, value);
    }
}

void put_f64(struct log_writer *w, double value)
{
    if (isnan(value)) {
        put_text(w, "NaN");
    } else if (has_room(w)) {
        w->used += decimal_f64(w->data + w->used, value);
    }
}

static void vector_put(struct log_writer *w, const st_log_vector *vector)
{
    put_text(w, "[");
    for (size_t i = 0; i < vector->n; i++) {
        put_text(w, i == 0 ? "" : ",");
        put_i64(w, vector->items[i]);
    }
    put_text(w, "]");
}

bool put_value(struct log_writer *w, const st_log_arg *arg)
{
    char hex[DECIMAL_MAX];
    switch (arg->kind) {
    case ST_LOG_U64:
        put_u64(w, arg->value.u64);
        return true;
    case ST_LOG_I64:
        put_i64(w, arg->value.i64);
        return true;
    case ST_LOG_F64:
        put_f64(w, arg->value.f64);
        return true;
    case ST_LOG_BOOL:
        put_text(w, arg->value.boolean ? "true" : "false");
        return true;
    case ST_LOG_HEX:
        snprintf(hex, sizeof hex, "0x%" PRIx64, arg->value.u64);
        put_text(w, hex);
        return true;
    case ST_LOG_VECTOR:
        vector_put(w, &arg->value.vector);
        return true;
    default:
        return false;
    }
}
