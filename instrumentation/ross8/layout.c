/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * layout.c - tables of the structs of ROSS 8, and the conversion of a row to such a struct, see
 * layout.h.
 *
 * Cost: for each record, one pass over a table of at most 26 members. Allocates no memory.
 */
#include "ross8/layout.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/bytes.h"

#define HEADER_SIZE 24u

enum form { U32, U64, F32, F64, SECONDS, EFFICIENCY, FLAG_OF_MODEL };
enum flag { FLAG_PE = 0, FLAG_KP = 1, FLAG_LP = 2, FLAG_MODEL = 3, FLAG_NONE = -1 };

#define KIND_VIRTUAL_TIME 3u /* value of the field `kind` for model records at virtual times */

/* A member of a struct of ROSS 8, and the name of the field that supplies its value. */
struct member {
    uint32_t offset; /* offset of the member from the end of the header, in bytes */
    enum form form;
    const char *field;
};

/* Layout of a struct of ROSS 8. */
struct ross8_layout {
    enum flag flag;   /* kind of data, as written in the header; FLAG_NONE: no header */
    uint32_t size;    /* size in bytes without header and payload */
    const char *time; /* name of the field that supplies the time in the header */
    const struct member *members;
    uint32_t n_members;
};

/* File and layout for a kind of records. */
struct place {
    const char *kind;
    enum ross8_file file;
    const struct ross8_layout *layout;
};

static const struct member pe_members[] = {
    {0, U32, "pe"},
    {4, U32, "events_processed"},
    {8, U32, "events_aborted"},
    {12, U32, "events_rolled_back"},
    {16, U32, "total_rollbacks"},
    {20, U32, "secondary_rollbacks"},
    {24, U32, "fossil_collects"},
    {28, U32, "pq_size"},
    {32, U32, "network_sends"},
    {36, U32, "network_recvs"},
    {40, U32, "num_gvt"},
    {44, U32, "event_ties"},
    {48, U32, "all_reduce_count"},
    {52, EFFICIENCY, "events_processed"},
    {56, SECONDS, "network_read_cc"},
    /* The member at offset 60, time in the network without reading, is not measured. */
    {64, SECONDS, "gvt_cc"},
    {68, SECONDS, "fossil_collect_cc"},
    {72, SECONDS, "event_abort_cc"},
    {76, SECONDS, "event_processing_cc"},
    {80, SECONDS, "priority_queue_cc"},
    {84, SECONDS, "rollbacks_cc"},
    {88, SECONDS, "cancelq_cc"},
    {92, SECONDS, "avl_cc"},
    {96, SECONDS, "buddy_cc"},
    {100, SECONDS, "lz4_cc"},
};
static const struct member kp_members[] = {
    {0, U32, "pe"},
    {4, U32, "kp"},
    {8, U32, "events_processed"},
    {12, U32, "events_aborted"},
    {16, U32, "events_rolled_back"},
    {20, U32, "total_rollbacks"},
    {24, U32, "secondary_rollbacks"},
    {28, U32, "network_sends"},
    {32, U32, "network_recvs"},
    {36, F32, "time_ahead_gvt"},
    {40, EFFICIENCY, "events_processed"},
};
static const struct member lp_members[] = {
    {0, U32, "pe"},
    {4, U32, "kp"},
    {8, U32, "lp"},
    {12, U32, "events_processed"},
    {16, U32, "events_aborted"},
    {20, U32, "events_rolled_back"},
    {24, U32, "network_sends"},
    {28, U32, "network_recvs"},
    {32, U64, "event_processing_cc"},
    {40, EFFICIENCY, "events_processed"},
    /* The bytes from offset 44 on are padding. */
};
static const struct member model_members[] = {
    {0, U32, "pe"},   {4, U32, "kp"},    {8, U32, "lp"},
    {12, F32, "gvt"}, {16, U32, "kind"}, {20, U32, "payload_size"},
};
static const struct member event_members[] = {
    {0, U32, "src_lp"},   {4, U32, "dest_lp"},    {8, F32, "send_ts"},
    {12, F32, "recv_ts"}, {16, F32, "real_time"}, {20, U32, "payload_size"},
};
static const struct member analysis_members[] = {
    {0, U64, "lp"},
    {8, U64, "kp"},
    {16, U64, "pe"},
    {24, F64, "gvt"},
    {32, F64, "real_time"},
    {40, U32, "payload_size"},
    {44, FLAG_OF_MODEL, "lp"},
};

#define MEMBERS(list) (list), sizeof(list) / sizeof((list)[0])
static const struct ross8_layout pe_layout = {FLAG_PE, 104, "gvt", MEMBERS(pe_members)};
static const struct ross8_layout kp_layout = {FLAG_KP, 44, "gvt", MEMBERS(kp_members)};
static const struct ross8_layout lp_layout = {FLAG_LP, 48, "gvt", MEMBERS(lp_members)};
static const struct ross8_layout model_layout = {FLAG_MODEL, 24, "lp_ts", MEMBERS(model_members)};
static const struct ross8_layout event_layout = {FLAG_NONE, 24, "", MEMBERS(event_members)};
static const struct ross8_layout analysis_layout = {FLAG_NONE, 48, "", MEMBERS(analysis_members)};

static const struct place places[] = {
    {"gvt_pe", ROSS8_GVT, &pe_layout},
    {"gvt_kp", ROSS8_GVT, &kp_layout},
    {"gvt_lp", ROSS8_GVT, &lp_layout},
    {"rt_pe", ROSS8_RT, &pe_layout},
    {"rt_kp", ROSS8_RT, &kp_layout},
    {"rt_lp", ROSS8_RT, &lp_layout},
    {"model_lp", ROSS8_MODEL, &model_layout},
    {"event", ROSS8_EVTRACE, &event_layout},
    {"rollback", ROSS8_EVTRACE, &event_layout},
};

const char *ross8_file_name(enum ross8_file file)
{
    static const char *const names[ROSS8_FILES] = {"gvt", "rt", "evtrace", "model", "analysis-lps"};
    assert(file < ROSS8_FILES);
    return names[file];
}

/* ---- Kinds of records ------------------------------------------------------------------------ */

/* Returns the index of the field with this name; -1 if there is none. */
static int32_t field_find(const struct fmt_schema *schema, const char *name)
{
    for (uint32_t i = 0; i < schema->n_fields; i++) {
        if (strcmp(schema->fields[i].name, name) == 0) {
            return (int32_t)i;
        }
    }
    return -1;
}

static void bind(struct ross8_binding *binding, const struct ross8_layout *layout,
                 const struct fmt_schema *schema)
{
    assert(layout->n_members <= ROSS8_MEMBERS_MAX);
    binding->layout = layout;
    for (uint32_t m = 0; m < layout->n_members; m++) {
        binding->fields[m] = field_find(schema, layout->members[m].field);
    }
    binding->time = field_find(schema, layout->time);
    if (binding->time < 0) {
        binding->time = schema->role_field[FMT_ROLE_VIRTUAL_TIME];
    }
    binding->real_time = schema->role_field[FMT_ROLE_REAL_TIME];
}

bool ross8_kind_init(struct ross8_kind *kind, const struct fmt_schema *schema)
{
    *kind = (struct ross8_kind){.kind = -1, .rolled_back = -1};
    const struct place *place = NULL;
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        if (strcmp(places[i].kind, schema->name) == 0) {
            place = &places[i];
        }
    }
    if (place == NULL) {
        return false;
    }
    kind->file = place->file;
    kind->rolled_back = field_find(schema, "events_rolled_back");
    bind(&kind->usual, place->layout, schema);
    if (place->layout == &model_layout) {
        kind->kind = field_find(schema, "kind");
        bind(&kind->at_virtual_time, &analysis_layout, schema);
    }
    return true;
}

static bool kind_has(const struct ross8_kind *kind, enum form form)
{
    const struct ross8_layout *layout = kind->usual.layout;
    for (uint32_t m = 0; m < layout->n_members; m++) {
        if (layout->members[m].form == form && kind->usual.fields[m] >= 0) {
            return true;
        }
    }
    return false;
}

bool ross8_kind_has_short_times(const struct ross8_kind *kind)
{
    return kind_has(kind, F32);
}

bool ross8_kind_has_ticks(const struct ross8_kind *kind)
{
    return kind_has(kind, SECONDS);
}

double ross8_ticks_per_second(const struct fmt_superblock *sb)
{
    for (uint32_t i = 0; i < sb->n_run; i++) {
        if (strcmp(sb->run[i].key, "ticks_per_second") == 0) {
            double ticks = strtod(sb->run[i].value, NULL);
            return ticks > 0 ? ticks : 0;
        }
    }
    return 0;
}

/* ---- Records --------------------------------------------------------------------------------- */

static double number_of(struct fmt_value v)
{
    return v.type <= FMT_U64 ? (double)v.as.u : v.type <= FMT_I64 ? (double)v.as.i : v.as.f;
}

static double field_number(const struct fmt_columns *c, int32_t field, uint32_t row)
{
    return field < 0 ? 0 : number_of(fmt_columns_value(c, (uint32_t)field, row));
}

static uint64_t field_bits(const struct fmt_columns *c, int32_t field, uint32_t row)
{
    return fmt_columns_value(c, (uint32_t)field, row).as.u;
}

static void f32_put(uint8_t *to, double value)
{
    float f = (float)value;
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    fmt_put_u32(to, bits);
}

static uint32_t u32_narrow(struct ross8_binding *b, uint32_t m, uint64_t value,
                           const struct ross8_notes *notes)
{
    if (value <= UINT32_MAX) {
        return (uint32_t)value;
    }
    if (!b->narrowed[m]) {
        char text[256];
        snprintf(text, sizeof text,
                 "%s %" PRIu64 " does not fit into the 32 bits of ROSS's files; it and all larger"
                 " ones are written as 4294967295",
                 b->layout->members[m].field, value);
        notes->take(notes->ctx, text);
        b->narrowed[m] = true;
    }
    return UINT32_MAX;
}

/* Returns the efficiency in percent, by the formula of ROSS; 0 if all events were rolled back. */
static double efficiency(double processed, double rolled_back)
{
    double net = processed - rolled_back;
    return net > 0 ? 100.0 * (1.0 - rolled_back / net) : 0;
}

/* The row that is being converted, and the arguments of its conversion. */
struct making {
    const struct ross8_kind *kind;
    const struct fmt_columns *columns;
    uint32_t row;
    double ticks_per_second;
    const struct ross8_notes *notes;
};

static void member_put(const struct making *making, struct ross8_binding *b, uint32_t m,
                       uint8_t *fixed)
{
    assert(m < b->layout->n_members);
    const struct member *member = &b->layout->members[m];
    const struct fmt_columns *c = making->columns;
    uint8_t *to = fixed + member->offset;
    uint32_t row = making->row;
    int32_t field = b->fields[m];
    if (field < 0) {
        return; /* the member stays zero */
    }
    double ticks = making->ticks_per_second;
    switch (member->form) {
    case U32:
        fmt_put_u32(to, u32_narrow(b, m, field_bits(c, field, row), making->notes));
        break;
    case U64:
        fmt_put_u64(to, field_bits(c, field, row));
        break;
    case F32:
        f32_put(to, field_number(c, field, row));
        break;
    case F64:
        fmt_put_f64(to, field_number(c, field, row));
        break;
    case SECONDS:
        f32_put(to, ticks > 0 ? field_number(c, field, row) / ticks : 0);
        break;
    case EFFICIENCY:
        f32_put(to, efficiency(field_number(c, field, row),
                               field_number(c, making->kind->rolled_back, row)));
        break;
    case FLAG_OF_MODEL:
        fmt_put_u32(to, FLAG_MODEL);
        break;
    }
}

void ross8_record_make(struct ross8_kind *kind, const struct fmt_columns *columns, uint32_t row,
                       double ticks_per_second, const struct ross8_notes *notes,
                       struct ross8_record *record)
{
    assert(row < columns->n_records);
    struct ross8_binding *b = &kind->usual;
    *record = (struct ross8_record){.file = kind->file};
    if (kind->kind >= 0 && field_bits(columns, kind->kind, row) == KIND_VIRTUAL_TIME) {
        b = &kind->at_virtual_time;
        record->file = ROSS8_ANALYSIS;
    }
    assert(b->layout != NULL);
    uint8_t *fixed = record->bytes;
    if (b->layout->flag != FLAG_NONE) {
        fmt_put_u32(fixed, (uint32_t)b->layout->flag);
        fmt_put_u32(fixed + 4, b->layout->size);
        fmt_put_f64(fixed + 8, field_number(columns, b->time, row));
        fmt_put_f64(fixed + 16, field_number(columns, b->real_time, row));
        fixed += HEADER_SIZE;
    }
    const struct making making = {kind, columns, row, ticks_per_second, notes};
    for (uint32_t m = 0; m < b->layout->n_members; m++) {
        member_put(&making, b, m, fixed);
    }
    record->size = (size_t)(fixed - record->bytes) + b->layout->size;
    assert(record->size <= ROSS8_RECORD_MAX);
}

/* ---- Recognition of files -------------------------------------------------------------------- */

/* Returns true if the four bytes at `at` can be the time of an event. */
static bool is_time(const uint8_t *at)
{
    uint32_t bits = fmt_get_u32(at);
    float time;
    memcpy(&time, &bits, sizeof time);
    return fpclassify(time) == FP_ZERO || (fpclassify(time) == FP_NORMAL && time > 0.0f);
}

/* Returns true if the bytes can begin a record of ROSS8_ANALYSIS: the 64-bit numbers of an LP, a KP
 * and a PE. These fit into 32 bits. The size in the header of other files, and the magic number of
 * a record file, make the first number larger. */
static bool is_analysis(const uint8_t *head)
{
    return fmt_get_u32(head + 4) == 0 && fmt_get_u32(head + 12) == 0 && fmt_get_u32(head + 20) == 0;
}

bool ross8_is_head(const uint8_t *head, size_t size, enum ross8_file file)
{
    static const struct ross8_layout *const layouts[] = {&pe_layout, &kp_layout, &lp_layout,
                                                         &model_layout};
    if (size < ROSS8_HEAD_SIZE) {
        return false;
    }
    if (file == ROSS8_ANALYSIS) {
        return is_analysis(head);
    }
    if (file == ROSS8_EVTRACE) {
        return is_time(head + 8) && is_time(head + 12) && is_time(head + 16) &&
               fmt_get_u32(head + 20) <= FMT_PAYLOAD_MAX;
    }
    for (size_t i = 0; i < sizeof layouts / sizeof layouts[0]; i++) {
        bool is_model = layouts[i] == &model_layout;
        if (fmt_get_u32(head) == (uint32_t)layouts[i]->flag &&
            fmt_get_u32(head + 4) == layouts[i]->size && is_model == (file == ROSS8_MODEL)) {
            return true;
        }
    }
    return false;
}
