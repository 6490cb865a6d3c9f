/*
 * export_ross.c - the record layouts of ROSS 8, for scripts that read its files: raw little-endian
 * structs one after another, at the natural alignment of a 64-bit machine, a file per stream.
 *
 * What is smaller there than here: numbers and counts have 32 bits (a larger one becomes
 * 4294967295, which is said), times of events and of model records are 32-bit floating point. What
 * is ticks here is seconds there. What a record here does not have is 0.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "export.h"

#define HEADER_SIZE 24u
#define FIXED_MAX   104u
#define MEMBERS_MAX 26u

enum form { U32, U64, F32, SECONDS, EFFICIENCY };

/* A member of a struct there, and the field here that it is taken from. */
struct member {
    uint32_t offset; /* behind the header */
    enum form form;
    const char *field;
};

/* A struct there. */
struct layout {
    const char *kinds[2]; /* of records here */
    int32_t flag;         /* of the header; -1: it has none */
    uint32_t size;        /* without the header and the payload */
    const char *time;     /* field of the header's time */
    const struct member *members;
    uint32_t n_members;
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
    /* 60: in the network but for reading, which nothing here is */
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
    /* 44: padding */
};
static const struct member model_members[] = {
    {0, U32, "pe"},   {4, U32, "kp"},    {8, U32, "lp"},
    {12, F32, "gvt"}, {16, U32, "kind"}, {20, U32, "payload_size"},
};
static const struct member event_members[] = {
    {0, U32, "src_lp"},   {4, U32, "dest_lp"},    {8, F32, "send_ts"},
    {12, F32, "recv_ts"}, {16, F32, "real_time"}, {20, U32, "payload_size"},
};

#define MEMBERS(list) (list), sizeof(list) / sizeof((list)[0])
static const struct layout layouts[] = {
    {{"gvt_pe", "rt_pe"}, 0, 104, "gvt", MEMBERS(pe_members)},
    {{"gvt_kp", "rt_kp"}, 1, 44, "gvt", MEMBERS(kp_members)},
    {{"gvt_lp", "rt_lp"}, 2, 48, "gvt", MEMBERS(lp_members)},
    {{"model_lp", "model_lp"}, 3, 24, "lp_ts", MEMBERS(model_members)},
    {{"event", "rollback"}, -1, 24, "", MEMBERS(event_members)},
};
#define N_LAYOUTS (sizeof layouts / sizeof layouts[0])

/* The output of the record file at hand. */
struct state {
    struct ws_out *out;      /* NULL: nothing in it has a place there */
    double ticks_per_second; /* 0: not known */
    bool times_said, ticks_said;
};

/* A kind of record that has a place there. */
struct sink {
    const struct layout *layout;
    int32_t fields[MEMBERS_MAX]; /* by member: number of the field, -1: none */
    bool narrowed[MEMBERS_MAX];  /* was that said? */
    int32_t time, real_time, rolled_back;
};

/* ---- Beginning and end ----------------------------------------------------------------------- */

static double ticks_per_second(const struct fmt_superblock *sb)
{
    for (uint32_t i = 0; i < sb->n_run; i++) {
        if (strcmp(sb->run[i].key, "ticks_per_second") == 0) {
            double ticks = strtod(sb->run[i].value, NULL);
            return ticks > 0 ? ticks : 0;
        }
    }
    return 0;
}

static const struct layout *layout_find(const char *kind)
{
    for (size_t i = 0; i < N_LAYOUTS; i++) {
        if (strcmp(layouts[i].kinds[0], kind) == 0 || strcmp(layouts[i].kinds[1], kind) == 0) {
            return &layouts[i];
        }
    }
    return NULL;
}

static bool file_begin(struct ws_export *x)
{
    bool any = false;
    if (x->state == NULL) {
        x->state = calloc(1, sizeof(struct state));
    }
    struct state *s = x->state;
    if (s == NULL) {
        return ws_export_no_memory(x);
    }
    for (uint32_t i = 0; i < x->n_kinds; i++) {
        any |= layout_find(x->kinds[i].schema->name) != NULL;
    }
    s->ticks_per_second = ticks_per_second(x->survey->sb);
    s->ticks_said = false;
    s->out = any ? ws_export_out(x, fmt_stream_name(x->survey->sb->stream)) : NULL;
    return !any || s->out != NULL;
}

static bool file_end(struct ws_export *x)
{
    struct state *s = x->state;
    return s->out == NULL || ws_out_end(s->out);
}

/* Says once what is less exact there. */
static void losses_say(const struct ws_export *x, struct state *s, const struct sink *k)
{
    bool ticks = false, times = false;
    for (uint32_t m = 0; m < k->layout->n_members; m++) {
        ticks |= k->layout->members[m].form == SECONDS && k->fields[m] >= 0;
        times |= k->layout->members[m].form == F32 && k->fields[m] >= 0;
    }
    if (times && !s->times_said) {
        fputs("warpscope: note: times of events, of model records and ahead of GVT have 32 bits in"
              " ROSS's files: 7 digits\n",
              stderr);
        s->times_said = true;
    }
    if (ticks && s->ticks_per_second == 0 && !s->ticks_said) {
        fprintf(stderr,
                "warpscope: %s: note: the file does not say how many ticks a second has; where the"
                " time went is written as 0\n",
                x->survey->path);
        s->ticks_said = true;
    }
}

static bool kind_begin(struct ws_export *x, struct ws_kind *kind)
{
    const struct fmt_schema *schema = kind->schema;
    const struct layout *layout = layout_find(schema->name);
    if (layout == NULL) {
        fprintf(stderr,
                "warpscope: %s: note: records %s have no place in ROSS's files and are left out\n",
                x->survey->path, schema->name);
        return true;
    }
    struct sink *k = calloc(1, sizeof *k);
    kind->sink = k;
    if (k == NULL) {
        return ws_export_no_memory(x);
    }
    k->layout = layout;
    for (uint32_t m = 0; m < layout->n_members; m++) {
        k->fields[m] = ws_field_find(schema, layout->members[m].field);
    }
    k->time = ws_field_find(schema, layout->time);
    if (k->time < 0) {
        k->time = schema->role_field[FMT_ROLE_VIRTUAL_TIME];
    }
    k->real_time = schema->role_field[FMT_ROLE_REAL_TIME];
    k->rolled_back = ws_field_find(schema, "events_rolled_back");
    losses_say(x, x->state, k);
    return true;
}

static void kind_fini(struct ws_kind *kind)
{
    free(kind->sink);
}

static void fini(struct ws_export *x)
{
    free(x->state);
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

static void bits_put(uint8_t *to, uint64_t bits, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        to[i] = (uint8_t)(bits >> 8 * i);
    }
}

static void f32_put(uint8_t *to, double value)
{
    float f = (float)value;
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    bits_put(to, bits, 4);
}

static void f64_put(uint8_t *to, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    bits_put(to, bits, 8);
}

static uint64_t u32_narrow(const struct ws_export *x, struct sink *k, uint32_t m, uint64_t value)
{
    if (value <= UINT32_MAX) {
        return value;
    }
    if (!k->narrowed[m]) {
        fprintf(stderr,
                "warpscope: %s: note: %s %" PRIu64 " does not fit into the 32 bits of ROSS's files;"
                " it and all larger ones are written as 4294967295\n",
                x->survey->path, k->layout->members[m].field, value);
        k->narrowed[m] = true;
    }
    return UINT32_MAX;
}

/* ROSS's formula, not ours: 0 where nothing is left. */
static double efficiency(double processed, double rolled_back)
{
    double net = processed - rolled_back;
    return net > 0 ? 100.0 * (1.0 - rolled_back / net) : 0;
}

static void member_put(const struct ws_export *x, struct sink *k, uint32_t m, uint8_t *fixed,
                       const struct fmt_columns *c, uint32_t row)
{
    const struct member *member = &k->layout->members[m];
    const struct state *s = x->state;
    uint8_t *to = fixed + member->offset;
    int32_t field = k->fields[m];
    if (field < 0) {
        return; /* zeros */
    }
    switch (member->form) {
    case U32:
        bits_put(to, u32_narrow(x, k, m, fmt_columns_value(c, (uint32_t)field, row).as.u), 4);
        break;
    case U64:
        bits_put(to, fmt_columns_value(c, (uint32_t)field, row).as.u, 8);
        break;
    case F32:
        f32_put(to, field_number(c, field, row));
        break;
    case SECONDS:
        f32_put(to,
                s->ticks_per_second > 0 ? field_number(c, field, row) / s->ticks_per_second : 0);
        break;
    case EFFICIENCY:
        f32_put(to, efficiency(field_number(c, field, row), field_number(c, k->rolled_back, row)));
        break;
    }
}

static bool row_write(struct ws_export *x, struct sink *k, const struct fmt_columns *c,
                      uint32_t row)
{
    const struct layout *layout = k->layout;
    struct state *s = x->state;
    uint8_t record[HEADER_SIZE + FIXED_MAX] = {0}, *fixed = record;
    if (layout->flag >= 0) {
        bits_put(record, (uint64_t)layout->flag, 4);
        bits_put(record + 4, layout->size, 4);
        f64_put(record + 8, field_number(c, k->time, row));
        f64_put(record + 16, field_number(c, k->real_time, row));
        fixed += HEADER_SIZE;
    }
    for (uint32_t m = 0; m < layout->n_members; m++) {
        member_put(x, k, m, fixed, c, row);
    }
    size_t size = (size_t)(fixed - record) + layout->size;
    if (!ws_out_write(s->out, record, size)) {
        return false;
    }
    uint64_t at = c->payload_offset[row], end = c->payload_offset[row + 1];
    return end == at || ws_out_write(s->out, c->payload + at, (size_t)(end - at));
}

static bool kind_rows(struct ws_export *x, struct ws_kind *kind, const struct ws_rows *rows)
{
    for (uint32_t i = 0; kind->sink != NULL && i < rows->n; i++) {
        if (!row_write(x, kind->sink, rows->columns, ws_rows_row(rows, i))) {
            return false;
        }
    }
    return true;
}

const struct ws_export_format ws_export_ross = {
    .name = "ross",
    .extension = "bin",
    .file_begin = file_begin,
    .kind_begin = kind_begin,
    .kind_rows = kind_rows,
    .file_end = file_end,
    .kind_fini = kind_fini,
    .fini = fini,
};
