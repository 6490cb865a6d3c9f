/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * where_records.h - a handful of decoded records for expressions of --where: kind "hop" with the
 * fields a (u64), b (i32), c (f64), and payloads of LP type "router" with hops (u8), name (text)
 * and load (two f32); the last record has no payload.
 */
#ifndef WARPSCOPE_TESTS_WHERE_RECORDS_H
#define WARPSCOPE_TESTS_WHERE_RECORDS_H

#include <string.h>

#include "access/where.h"

#define WHERE_ROWS 4u

struct where_records {
    struct fmt_field fields[5];
    struct fmt_schema schema;
    const struct fmt_schema *schemas[1];
    struct fmt_superblock sb;
    struct fmt_payload_field payload_fields[3];
    struct fmt_payload_desc desc;
    struct fmt_desc_set descs;
    uint64_t a[WHERE_ROWS];
    int32_t b[WHERE_ROWS];
    double c[WHERE_ROWS];
    uint32_t type[WHERE_ROWS], size[WHERE_ROWS];
    uint8_t payload[3][13];
    uint64_t offset[WHERE_ROWS + 1];
    uint8_t *values[5];
    struct fmt_columns columns;
};

static inline void where_records_fill(struct where_records *r)
{
    static const uint64_t a[] = {0, 7, UINT64_MAX, 3};
    static const int32_t b[] = {-5, 0, 12, -1};
    static const char *const names[] = {"north", "", "a\"b"};
    memset(r, 0, sizeof *r);
    r->fields[0] = (struct fmt_field){
        .name = "a", .unit = "", .text = "", .type = FMT_U64, .role = FMT_ROLE_NONE, .offset = 0};
    r->fields[1] = (struct fmt_field){
        .name = "b", .unit = "", .text = "", .type = FMT_I32, .role = FMT_ROLE_NONE, .offset = 8};
    r->fields[2] = (struct fmt_field){
        .name = "c", .unit = "", .text = "", .type = FMT_F64, .role = FMT_ROLE_NONE, .offset = 16};
    r->fields[3] = (struct fmt_field){.name = "ptype",
                                      .unit = "",
                                      .text = "",
                                      .type = FMT_U32,
                                      .role = FMT_ROLE_PAYLOAD_TYPE,
                                      .offset = 24};
    r->fields[4] = (struct fmt_field){.name = "psize",
                                      .unit = "",
                                      .text = "",
                                      .type = FMT_U32,
                                      .role = FMT_ROLE_PAYLOAD_SIZE,
                                      .offset = 28};
    r->schema =
        (struct fmt_schema){1, 5, 32, {-1, -1, -1, -1, 3, 4, -1, -1}, "hop", "a hop", r->fields};
    r->schemas[0] = &r->schema;
    r->sb = (struct fmt_superblock){.n_schemas = 1, .schemas = r->schemas};
    r->payload_fields[0] = (struct fmt_payload_field){
        .name = "hops", .unit = "", .type = FMT_U8, .offset = 0, .count = 1};
    r->payload_fields[1] = (struct fmt_payload_field){
        .name = "name", .unit = "", .type = FMT_CHAR, .offset = 1, .count = 4};
    r->payload_fields[2] = (struct fmt_payload_field){
        .name = "load", .unit = "", .type = FMT_F32, .offset = 5, .count = 2};
    r->desc = (struct fmt_payload_desc){1, FMT_PAYLOAD_EV, 13, 3, "router", r->payload_fields};
    r->descs = (struct fmt_desc_set){.descs = &r->desc, .n = 1};
    for (uint32_t i = 0; i < WHERE_ROWS; i++) {
        r->a[i] = a[i];
        r->b[i] = b[i];
        r->c[i] = i == 2 ? (double)__builtin_nanf("") : 0.5 * i;
        r->type[i] = i < 3;
        r->size[i] = i < 3 ? 13 : 0;
        r->offset[i] = 13 * i;
        if (i < 3) {
            float load[2] = {(float)i, 0.25f};
            r->payload[i][0] = (uint8_t)(2 * i);
            strncpy((char *)&r->payload[i][1], names[i], 4);
            memcpy(&r->payload[i][5], load, sizeof load);
        }
    }
    r->offset[WHERE_ROWS] = 39;
    r->values[0] = (uint8_t *)r->a;
    r->values[1] = (uint8_t *)r->b;
    r->values[2] = (uint8_t *)r->c;
    r->values[3] = (uint8_t *)r->type;
    r->values[4] = (uint8_t *)r->size;
    r->columns = (struct fmt_columns){.schema = &r->schema,
                                      .n_records = WHERE_ROWS,
                                      .values = r->values,
                                      .payload = r->payload[0],
                                      .payload_offset = r->offset};
}

/* Returns the records that an expression chooses: bit i for record i. Returns -1 if it is invalid;
 * *error: the reason. */
static inline int where_choose(struct where_records *r, const char *text,
                               struct ws_where_error *error)
{
    struct ws_where *where = ws_where_parse(text, error);
    int chosen;
    if (where == NULL || !ws_where_file(where, &r->sb, &r->descs)) {
        ws_where_free(where);
        return -1;
    }
    chosen = (int)ws_where_rows(where, &r->columns, 0);
    if (chosen != 0 && !ws_where_kind(where, 0)) {
        chosen = -2; /* the kind is declared to have no such record */
    }
    ws_where_free(where);
    return chosen;
}

#endif
