/*
 * timeline_read.c - the records of a PE for a timeline, see timeline_inside.h.
 *
 * They are read from the last to the first: whether an execution was undone depends on what comes
 * after it. For that an index of the PE's blocks is made: some 130 bytes per block, a thousandth of
 * the file. Records that the user did not choose are read too, since slices end where others begin.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "interrupt.h"
#include "timeline_inside.h"

#define AVERAGES_LONG 8.0 /* how many times the average a slice may last */

/* Fields of a kind of record; -1: it has none. */
struct fields {
    int32_t real_time, recv_ts, send_ts, src_lp, dest_lp, prio, kp, payload_type;
    int32_t kp_ts, undone, cause; /* of rollbacks */
    bool rollback;
    bool usable; /* the kind is an event or a rollback, with what a timeline needs */
};

struct reading {
    struct ws_timeline *t;
    struct fmt_block *blocks; /* owned; of usable kinds, in the order of writing */
    size_t n, room;
    struct fmt_columns columns; /* owned */
    struct fields fields[FMT_SCHEMAS_MAX];
    struct tl_kps kps; /* of struct later */
    double first_real, last_real;
    uint64_t n_records;
    bool undoes;         /* may executions have been undone later? */
    uint32_t type, name; /* of the payload of the last record, and what it is called */
};

/* The least time of what a KP executes later, and an event of that time. */
struct later {
    bool any;
    bool several; /* different events of that time */
    double least;
    uint64_t event;
};

/* ---- Blocks -----------------------------------------------------------------------------------
 */

static int32_t field_of(const struct fmt_schema *schema, const char *name, uint32_t type)
{
    int32_t i = ws_field_find(schema, name);
    return i >= 0 && schema->fields[i].type == type ? i : -1;
}

static void fields_find(struct fields *f, const struct fmt_schema *s)
{
    f->rollback = strcmp(s->name, "rollback") == 0;
    f->real_time = field_of(s, "real_time", FMT_F64);
    f->recv_ts = field_of(s, "recv_ts", FMT_F64);
    f->send_ts = field_of(s, "send_ts", FMT_F64);
    f->src_lp = field_of(s, "src_lp", FMT_U64);
    f->dest_lp = field_of(s, "dest_lp", FMT_U64);
    f->prio = field_of(s, "prio", FMT_F64);
    f->kp = field_of(s, "kp", FMT_U32);
    f->payload_type = field_of(s, "payload_type", FMT_U32);
    f->kp_ts = field_of(s, "kp_ts", FMT_F64);
    f->undone = field_of(s, "events_undone", FMT_U64);
    f->cause = field_of(s, "cause", FMT_U32);
    f->usable = (f->rollback ? f->kp_ts >= 0 : strcmp(s->name, "event") == 0) &&
                f->real_time >= 0 && f->recv_ts >= 0 && f->send_ts >= 0 && f->src_lp >= 0 &&
                f->dest_lp >= 0 && f->kp >= 0;
}

static bool block_note(struct ws_survey *survey, const struct fmt_block *block, void *ctx)
{
    struct reading *r = ctx;
    if (block->kind != FMT_BLOCK_DATA ||
        !r->fields[ws_schema_number(survey->sb, block->schema)].usable) {
        return true;
    }
    if (r->n == r->room) {
        size_t room = r->room == 0 ? 64 : 2 * r->room;
        struct fmt_block *blocks = realloc(r->blocks, room * sizeof *blocks);
        if (blocks == NULL) {
            return tl_no_memory(r->t);
        }
        r->blocks = blocks;
        r->room = room;
    }
    r->blocks[r->n++] = *block;
    r->n_records += block->n_records;
    r->first_real = fmin(r->first_real, block->min_real_time);
    r->last_real = fmax(r->last_real, block->max_real_time);
    return true;
}

/* Committed events, and those of other schedulers, were not undone. */
static bool has_undone(const struct fmt_superblock *sb)
{
    for (uint32_t i = 0; i < sb->n_run; i++) {
        const char *key = sb->run[i].key, *value = sb->run[i].value;
        if ((strcmp(key, "option_event_trace") == 0 && strcmp(value, "3") == 0) ||
            (strcmp(key, "scheduler") == 0 &&
             (strncmp(value, "sequential", strlen("sequential")) == 0 ||
              strcmp(value, "conservative") == 0))) {
            return false;
        }
    }
    return true;
}

/* How long slices may be. */
static int64_t longest_of(const struct reading *r)
{
    double longest = r->t->options.longest_us * 1e-6;
    if (longest == 0 && r->n_records > 1 && r->last_real > r->first_real) {
        longest = AVERAGES_LONG * (r->last_real - r->first_real) / (double)(r->n_records - 1);
    }
    int64_t ns;
    return tl_ns(longest, 1, &ns) && ns > 0 ? ns : 1;
}

/* ---- Records ----------------------------------------------------------------------------------
 */

static uint64_t u64_of(const struct fmt_columns *c, int32_t field, uint32_t row)
{
    return field < 0 ? 0 : fmt_columns_value(c, (uint32_t)field, row).as.u;
}

static double f64_of(const struct fmt_columns *c, int32_t field, uint32_t row)
{
    return field < 0 ? 0 : fmt_columns_value(c, (uint32_t)field, row).as.f;
}

/* Number of the name among those that ws_timeline_init() made. */
static uint32_t name_of(struct reading *r, uint32_t type)
{
    if (type != r->type) {
        const struct fmt_desc_set *descs = &r->t->evtrace->descs;
        const struct fmt_payload_desc *desc = fmt_desc_set_find(descs, type);
        r->name = desc == NULL ? 0 : 3 + 2 * (uint32_t)(desc - descs->descs);
        r->type = type;
    }
    return r->name;
}

/* A number for an event among those of its KP and time. */
static uint64_t identity(const struct tl_record *record, double prio, const uint8_t *payload,
                         uint64_t payload_size)
{
    uint64_t parts[4] = {record->lp, record->src_lp}, hash = 0x9e3779b97f4a7c15u;
    memcpy(&parts[2], &record->send_ts, 8);
    memcpy(&parts[3], &prio, 8);
    for (size_t i = 0; i < 4; i++) {
        hash = (hash ^ parts[i]) * 0xbf58476d1ce4e5b9u;
        hash ^= hash >> 29;
    }
    for (uint64_t i = 0; i < payload_size; i++) {
        hash = (hash ^ payload[i]) * 0x100000001b3u;
    }
    return hash;
}

/*
 * Was it undone? Notes it for those that were executed before. The same event again at the least
 * time is the event executed again, unless the KP has several events of that time: then it may as
 * well be another one that looks alike, as models with whole-numbered times have many.
 */
static bool is_undone(struct later *later, double time, uint64_t event)
{
    bool undone =
        later->any &&
        (time > later->least || (time == later->least && !later->several && event == later->event));
    if (!later->any || time < later->least) {
        *later = (struct later){.any = true, .least = time, .event = event};
    } else if (time == later->least && event != later->event) {
        later->several = true;
    }
    return undone;
}

static bool record_add(struct reading *r, const struct tl_record *record)
{
    uint8_t key[20], *at = ws_key_u32(key, r->t->options.is_virtual ? record->kp : 0);
    at = ws_key_i64(at, record->time);
    ws_key_u64(at, record->order);
    return ws_sorter_add(&r->t->work->records, key, record, sizeof *record);
}

/* False: failed. */
static bool row_read(struct reading *r, const struct fields *f, uint32_t row, uint64_t order)
{
    const struct fmt_columns *c = &r->columns;
    struct ws_timeline *t = r->t;
    struct tl_record record = {.order = order,
                               .lp = u64_of(c, f->dest_lp, row),
                               .src_lp = u64_of(c, f->src_lp, row),
                               .recv_ts = f64_of(c, f->recv_ts, row),
                               .send_ts = f64_of(c, f->send_ts, row),
                               .kp = (uint32_t)u64_of(c, f->kp, row)};
    double real_time = f64_of(c, f->real_time, row);
    struct later *later = tl_kps_at(&r->kps, record.kp);
    if (later == NULL && record.kp < TL_KPS_MAX) {
        return tl_no_memory(t);
    }
    if (later == NULL || !tl_ns(real_time, 1, &record.real) ||
        (t->options.is_virtual && !tl_ns(record.recv_ts, t->options.unit_s, &record.time))) {
        t->left_out++;
        return true;
    }
    record.time = t->options.is_virtual ? record.time : record.real;
    record.chosen = ws_select_row(t->select, c, row);
    if (f->rollback) {
        record.flags = WS_MOMENT_ROLLBACK | WS_MOMENT_RECORD;
        record.name = 2;
        record.send_ts = f64_of(c, f->kp_ts, row);
        record.undone = u64_of(c, f->undone, row);
        record.cause = (uint8_t)u64_of(c, f->cause, row);
    } else {
        uint64_t at = c->payload_offset[row];
        record.name = name_of(r, (uint32_t)u64_of(c, f->payload_type, row));
        if (r->undoes && is_undone(later, record.recv_ts,
                                   identity(&record, f64_of(c, f->prio, row), c->payload + at,
                                            c->payload_offset[row + 1] - at))) {
            record.flags = WS_MOMENT_UNDONE;
            record.name++;
        }
    }
    return record_add(r, &record);
}

static bool block_read(struct reading *r, const struct fmt_block *block)
{
    struct ws_survey *survey = r->t->evtrace;
    struct fmt_error error = {0};
    if (fmt_block_decode(survey->reader, block, &r->columns, &error) != FMT_OK) {
        ws_survey_fault(survey, &error);
        return true;
    }
    const struct fields *f = &r->fields[ws_schema_number(survey->sb, block->schema)];
    for (uint32_t row = r->columns.n_records; row-- > 0;) {
        if (!row_read(r, f, row, block->first_record + row)) {
            return false;
        }
    }
    return ws_interrupt_waits() == 0;
}

bool tl_read_pe(struct ws_timeline *t)
{
    const struct fmt_superblock *sb = t->evtrace->sb;
    struct reading *r = calloc(1, sizeof *r);
    if (r == NULL) {
        return tl_no_memory(t);
    }
    r->t = t;
    r->undoes = has_undone(sb);
    r->first_real = INFINITY;
    r->last_real = -INFINITY;
    tl_kps_init(&r->kps, sizeof(struct later));
    for (uint32_t i = 0; i < sb->n_schemas; i++) {
        fields_find(&r->fields[i], sb->schemas[i]);
    }
    bool good = ws_survey_each(t->evtrace, t->work->pe, block_note, r);
    t->work->longest = longest_of(r);
    for (size_t i = r->n; good && i-- > 0;) {
        good = block_read(r, &r->blocks[i]);
    }
    tl_kps_free(&r->kps);
    fmt_columns_free(&r->columns);
    free(r->blocks);
    free(r);
    return good;
}
