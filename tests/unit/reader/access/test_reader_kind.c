/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests of reader/kind and reader/batch: the columns that descriptions of payloads lead to,
 * random payloads as columns against a model that looks at every field by its name, and a row that
 * shows a text many times.
 *
 * test: libs=warpscope_reading
 */
#include <CUnit/Basic.h>
#include <stdio.h>
#include <string.h>

#include "access/record_batch.h"
#include "cli/emit.h"
#include "support/suite.h"

/* A superblock with the builtin event records alone. */
static const struct fmt_schema *schema;
static struct fmt_superblock superblock_make(void)
{
    schema = fmt_schema_builtin(FMT_RECORD_EVENT);
    return (struct fmt_superblock){
        .stream = FMT_STREAM_EVTRACE, .n_schemas = 1, .schemas = &schema};
}

static const struct ws_column *column_find(const struct ws_table_schema *kind, const char *name)
{
    for (uint32_t c = 0; c < kind->n_columns; c++) {
        if (strcmp(kind->columns[c].name, name) == 0) {
            return &kind->columns[c];
        }
    }
    return NULL;
}

static void check_column(const struct ws_table_schema *kind, const char *name, uint32_t type,
                         uint32_t size)
{
    const struct ws_column *column = column_find(kind, name);
    CU_ASSERT_PTR_NOT_NULL(column);
    if (column != NULL) {
        CU_ASSERT_EQUAL(column->type, type);
        CU_ASSERT_EQUAL(column->size, size);
        CU_ASSERT_EQUAL(column->field, -1);
    }
}

/* Returns the treatment of a payload of this type and size. */
static int32_t plan_of(const struct ws_table_schema *kind, uint32_t type, uint64_t size,
                       const char **words)
{
    uint8_t *values[32] = {NULL};
    uint64_t offsets[2] = {0, size};
    struct fmt_columns columns = {
        .schema = schema, .n_records = 1, .values = values, .payload_offset = offsets};
    struct ws_plan_last last = {.known = false};
    values[schema->role_field[FMT_ROLE_PAYLOAD_TYPE]] = (uint8_t *)&type;
    int32_t plan = ws_table_plan(&kind->table, &last, &columns, 0);
    CU_ASSERT_EQUAL(ws_table_plan(&kind->table, &last, &columns, 0), plan);
    *words = last.words;
    return plan;
}

static void test_types(void)
{
    static const struct fmt_payload_field a[] = {{"u", "", FMT_U8, 0, 1, 0, NULL},
                                                 {"s", "", FMT_I8, 1, 1, 0, NULL},
                                                 {"f", "m", FMT_F32, 2, 1, 0, NULL},
                                                 {"t", "", FMT_CHAR, 6, 2, 0, NULL},
                                                 {"mixed", "", FMT_U64, 8, 1, 0, NULL}};
    static const struct fmt_payload_field b[] = {{"u", "", FMT_U32, 0, 1, 0, NULL},
                                                 {"s", "", FMT_I64, 4, 1, 0, NULL},
                                                 {"f", "", FMT_F64, 12, 1, 0, NULL},
                                                 {"t", "", FMT_CHAR, 20, 9, 0, NULL},
                                                 {"mixed", "", FMT_I16, 29, 1, 0, NULL}};
    static const struct fmt_payload_field c[] = {{"u", "", FMT_U16, 0, 1, 0, NULL},
                                                 {"mixed", "s", FMT_F32, 2, 1, 0, NULL},
                                                 {"pe", "", FMT_U8, 6, 1, 0, NULL},
                                                 {"list", "", FMT_U8, 7, 2, 0, NULL}};
    static const struct fmt_payload_field d[] = {{"mixed", "", FMT_CHAR, 0, 4, 0, NULL}};
    struct fmt_payload_desc descs[] = {{1, FMT_PAYLOAD_EV, 16, 5, "a", a},
                                       {2, FMT_PAYLOAD_EV, 31, 5, "b", b},
                                       {3, FMT_PAYLOAD_EV, 9, 4, "c", c},
                                       {4, FMT_PAYLOAD_EV, 4, 1, "d", d},
                                       {5, FMT_PAYLOAD_EV, 4, 0, "e", NULL}};
    struct fmt_desc_set set = {.descs = descs, .n = 5};
    struct fmt_superblock sb = superblock_make();
    struct ws_table_schema kind;
    const char *words;
    CU_ASSERT_TRUE(ws_table_schema_init(&kind, &sb, 0, &set, false));
    check_column(&kind, "u", FMT_U32, 4);
    check_column(&kind, "s", FMT_I64, 8);
    check_column(&kind, "f", FMT_F64, 8);
    check_column(&kind, "t", FMT_CHAR, 9);
    check_column(&kind, "mixed", FMT_U64, 8);
    check_column(&kind, "mixed.signed", FMT_I16, 2);
    check_column(&kind, "mixed.float", FMT_F32, 4);
    check_column(&kind, "mixed.text", FMT_CHAR, 4);
    check_column(&kind, "payload.pe", FMT_U8, 1);
    check_column(&kind, "list_1", FMT_U8, 1);
    check_column(&kind, "payload", WS_TYPE_BYTES, 0);
    CU_ASSERT_EQUAL(kind.n_columns, schema->n_fields + 12);
    const struct ws_column *f = column_find(&kind, "f"), *mixed = column_find(&kind, "mixed.float");
    CU_ASSERT_TRUE(f != NULL && strcmp(f->unit, "m") == 0);
    CU_ASSERT_TRUE(mixed != NULL && strcmp(mixed->unit, "s") == 0);
    CU_ASSERT_EQUAL(plan_of(&kind, 2, 31, &words), 1);
    CU_ASSERT_EQUAL(plan_of(&kind, 5, 4, &words), WS_PLAN_BYTES);
    CU_ASSERT_EQUAL(plan_of(&kind, 0, 0, &words), WS_PLAN_NONE);
    CU_ASSERT_PTR_NULL(words);
    CU_ASSERT_EQUAL(plan_of(&kind, 2, 30, &words), WS_PLAN_WRONG);
    CU_ASSERT_PTR_NOT_NULL(words);
    CU_ASSERT_EQUAL(plan_of(&kind, 9, 4, &words), WS_PLAN_WRONG);
    ws_table_schema_fini(&kind);
}

/* Element 0 of the list "a" and the field "a_0" share a column: the later one wins. */
static void test_same_name(void)
{
    static const struct fmt_payload_field fields[] = {{"a", "", FMT_U8, 4, 2, 0, NULL},
                                                      {"a_0", "", FMT_U32, 0, 1, 0, NULL}};
    struct fmt_payload_desc desc = {1, FMT_PAYLOAD_EV, 6, 2, "", fields};
    struct fmt_desc_set set = {.descs = &desc, .n = 1};
    struct fmt_superblock sb = superblock_make();
    struct ws_table_schema kind;
    CU_ASSERT_TRUE(ws_table_schema_init(&kind, &sb, 0, &set, false));
    CU_ASSERT_EQUAL(kind.table.plans[0].n, 2);
    CU_ASSERT_EQUAL(kind.table.plans[0].elements[0].type, FMT_U32);
    CU_ASSERT_EQUAL(kind.table.plans[0].elements[1].offset, 5);
    ws_table_schema_fini(&kind);
}

static void test_same_kinds(void)
{
    const struct fmt_schema *gvt = fmt_schema_builtin(FMT_RECORD_GVT_PE);
    const struct fmt_schema *schemas[] = {gvt, gvt};
    struct fmt_superblock sb = {.stream = FMT_STREAM_GVT, .n_schemas = 2, .schemas = schemas};
    struct fmt_desc_set set = {0};
    struct ws_table_schema kind;
    CU_ASSERT_TRUE(ws_table_schema_init(&kind, &sb, 1, &set, false));
    CU_ASSERT_STRING_EQUAL(kind.name, "gvt_pe_1");
    CU_ASSERT_EQUAL(kind.n_columns, gvt->n_fields);
    ws_table_schema_fini(&kind);
}

/* --fields may name a column several times: the row has room for all of its texts. */
static void test_text_repeated(void)
{
    enum { TEXT = 100, TIMES = 4000 };
    static const struct fmt_payload_field field = {"t", "", FMT_CHAR, 0, TEXT, 0, NULL};
    struct fmt_payload_desc desc = {1, FMT_PAYLOAD_EV, TEXT, 1, "", &field};
    struct fmt_desc_set set = {.descs = &desc, .n = 1};
    struct fmt_superblock sb = superblock_make();
    uint8_t *values[32] = {NULL}, payload[TEXT];
    uint64_t offsets[2] = {0, TEXT};
    struct fmt_columns columns = {.schema = schema,
                                  .n_records = 1,
                                  .values = values,
                                  .payload = payload,
                                  .payload_offset = offsets};
    struct ws_outs outs = {.force = true};
    struct ws_emitter e = {.out = ws_out_begin(&outs, "repeated.csv")};
    struct ws_table t;
    memset(payload, 'x', sizeof payload);
    CU_ASSERT_TRUE_FATAL(e.out != NULL && ws_table_init(&t, &sb, &set));
    t.chosen = true;
    t.n_shown = TIMES;
    t.shown = calloc(TIMES, sizeof *t.shown);
    for (uint32_t i = 0; t.shown != NULL && i < TIMES; i++) {
        t.shown[i] = t.n_record_columns;
    }
    ws_emit_begin(&e, &t);
    uint64_t header = ws_out_position(e.out);
    CU_ASSERT_EQUAL(header, 2 * TIMES);
    const int32_t plan = 0;
    const struct ws_rows rows = {.columns = &columns, .plans = &plan, .n = 1};
    CU_ASSERT_TRUE(ws_emit_rows(&e, &t, &rows));
    CU_ASSERT_EQUAL(ws_out_position(e.out) - header, (TEXT + 1) * TIMES);
    CU_ASSERT_TRUE_FATAL(e.out->used <= e.out->size);
    ws_emit_free(&e);
    ws_table_fini(&t);
    ws_outs_free(&outs);
}

/* ---- Random payloads ------------------------------------------------------------------------- */

#define DESCS  6
#define FIELDS 8
#define ROWS   9000 /* more than a batch */

static const char *const names[] = {"a", "b", "c", "kp", "e", "f", "g", "h", "i", "j"};

/* Random descriptions, with consecutive fields. */
struct model {
    struct fmt_payload_field fields[DESCS][FIELDS];
    struct fmt_payload_desc descs[DESCS];
    struct fmt_desc_set set;
    uint8_t *payload;
    uint64_t offsets[ROWS + 1];
    int32_t plans[ROWS];
};

static void model_make(struct model *m, uint64_t *seed)
{
    for (uint32_t d = 0; d < DESCS; d++) {
        uint32_t size = 0, first = (uint32_t)random_below(seed, 3);
        for (uint32_t f = 0; f < FIELDS; f++) {
            uint32_t type = 1 + (uint32_t)random_below(seed, FMT_CHAR);
            uint32_t count = type == FMT_CHAR ? 1 + (uint32_t)random_below(seed, 12) : 1;
            m->fields[d][f] =
                (struct fmt_payload_field){names[first + f], "", type, size, count, 0, NULL};
            size += count * (type == FMT_CHAR ? 1 : (uint32_t)fmt_type_size(type));
        }
        m->descs[d] =
            (struct fmt_payload_desc){d + 1, FMT_PAYLOAD_EV, size, FIELDS, "x", m->fields[d]};
    }
    m->set = (struct fmt_desc_set){.descs = m->descs, .n = DESCS};
    m->payload = malloc((size_t)ROWS * 200);
    for (uint32_t row = 0; row < ROWS; row++) {
        int32_t d = (int32_t)random_below(seed, DESCS + 1) - 1;
        uint32_t size = d < 0 ? 0 : m->descs[d].size;
        m->plans[row] = d; /* -1: WS_PLAN_NONE */
        m->offsets[row + 1] = m->offsets[row] + size;
        for (uint32_t i = 0; i < size; i++) {
            m->payload[m->offsets[row] + i] = (uint8_t)random_below(seed, 256);
        }
    }
}

/* Returns the class of values in columns of this type. */
static const char *suffix(uint32_t type)
{
    return type <= FMT_U64   ? "unsigned"
           : type <= FMT_I64 ? "signed"
           : type <= FMT_F64 ? "float"
                             : "text";
}

/* Returns the column of a field: that of its name if the class fits, otherwise the other. */
static uint32_t field_column(const struct ws_table_schema *kind, const struct fmt_payload_field *f)
{
    char name[64];
    snprintf(name, sizeof name, "%s%s", strcmp(f->name, "kp") == 0 ? "payload." : "", f->name);
    const struct ws_column *column = column_find(kind, name);
    if (column == NULL || strcmp(suffix(column->type), suffix(f->type)) != 0) {
        snprintf(name + strlen(name), 20, ".%s", suffix(f->type));
        column = column_find(kind, name);
    }
    CU_ASSERT_PTR_NOT_NULL_FATAL(column);
    return (uint32_t)(column - kind->columns);
}

static bool same_value(const struct ws_table_schema *kind, const struct ws_record_batch *b,
                       uint32_t c, uint32_t i, const struct fmt_payload_field *f,
                       const uint8_t *payload)
{
    const uint8_t *at = b->columns[c].values;
    if (f->type == FMT_CHAR) {
        struct ws_bytes text;
        memcpy(&text, at + i * sizeof text, sizeof text);
        return text.size == strnlen((const char *)payload + f->offset, f->count) &&
               memcmp(text.bytes, payload + f->offset, text.size) == 0;
    }
    const struct ws_column *column = &kind->columns[c];
    struct fmt_value expected = fmt_value_read(payload + f->offset, f->type);
    struct fmt_value v = fmt_value_read(at + (size_t)i * column->size, column->type);
    if (f->type == FMT_F32 || f->type == FMT_F64) {
        return v.as.f == expected.as.f || (v.as.f != v.as.f && expected.as.f != expected.as.f);
    }
    return v.as.u == expected.as.u;
}

/* Checks record i of a batch, record number row of the model. */
static bool row_check(const struct ws_table_schema *kind, const struct ws_record_batch *b,
                      uint32_t i, const struct model *m, uint32_t row)
{
    uint32_t present = 0, expected = m->plans[row] < 0 ? 0 : FIELDS;
    for (uint32_t c = 0; c < kind->n_columns; c++) {
        present += b->columns[c].present != NULL && b->columns[c].present[i];
    }
    for (uint32_t f = 0; f < expected; f++) {
        const struct fmt_payload_field *field = &m->fields[m->plans[row]][f];
        uint32_t c = field_column(kind, field);
        if (!b->columns[c].present[i] ||
            !same_value(kind, b, c, i, field, m->payload + m->offsets[row])) {
            return false;
        }
    }
    uint64_t dest_lp; /* field 1 */
    memcpy(&dest_lp, b->columns[1].values + (size_t)i * 8, 8);
    return present == expected && dest_lp == row;
}

/* Compares the cells of a record, of one column after another, with the model. */
static bool cells_check(const struct ws_table *t, const struct fmt_columns *columns,
                        const struct model *m, uint32_t row)
{
    uint32_t present = 0, expected = m->plans[row] < 0 ? 0 : FIELDS;
    bool good = true;
    for (uint32_t c = t->n_record_columns; c < t->n_columns; c++) {
        struct ws_cell cell = ws_table_cell(t, columns, row, m->plans[row], c);
        const char *name = strcmp(t->names[c], "payload.kp") == 0 ? "kp" : t->names[c];
        present += cell.bytes != NULL;
        for (uint32_t f = 0; f < expected && cell.bytes != NULL; f++) {
            const struct fmt_payload_field *field = &m->fields[m->plans[row]][f];
            if (strcmp(field->name, name) == 0) {
                const uint8_t *at = m->payload + m->offsets[row] + field->offset;
                size_t size = field->type == FMT_CHAR ? strnlen((const char *)at, field->count) : 0;
                good &= cell.bytes == at && cell.type == field->type && cell.size == size;
            }
        }
    }
    struct ws_cell lp = ws_table_cell(t, columns, row, m->plans[row], 1);
    return good && present == expected && lp.type == FMT_U64 && memcmp(lp.bytes, &row, 4) == 0;
}

static void random_round(uint64_t *seed)
{
    static struct model m;
    static uint64_t lps[ROWS];
    static uint32_t rows[ROWS];
    static uint8_t zeros[ROWS * 8];
    uint8_t *values[32];
    struct fmt_superblock sb = superblock_make();
    struct ws_table_schema kind;
    struct ws_record_batch batch;
    uint32_t n = 0, wrong = 0;
    model_make(&m, seed);
    CU_ASSERT_TRUE_FATAL(ws_table_schema_init(&kind, &sb, 0, &m.set, false) &&
                         ws_record_batch_init(&batch, &kind, NULL));
    for (uint32_t f = 0; f < schema->n_fields; f++) {
        values[f] = f == 1 ? (uint8_t *)lps : zeros;
    }
    bool all = random_below(seed, 2) == 0;
    for (uint32_t row = 0; row < ROWS; row++) {
        lps[row] = row;
        rows[n] = row;
        n += all || random_below(seed, 3) == 0;
    }
    struct fmt_columns columns = {.schema = schema,
                                  .n_records = ROWS,
                                  .values = values,
                                  .payload = m.payload,
                                  .payload_offset = m.offsets};
    struct ws_rows chosen = {&columns, all ? NULL : rows, m.plans, n};
    for (uint32_t first = 0; first < n; first += batch.n) {
        ws_record_batch_fill(&batch, &chosen, first);
        for (uint32_t i = 0; i < batch.n; i++) {
            wrong += !row_check(&kind, &batch, i, &m, rows[first + i]);
            wrong += !cells_check(&kind.table, &columns, &m, rows[first + i]);
        }
    }
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT_TRUE(n < batch.capacity || batch.n < n);
    ws_record_batch_fini(&batch);
    ws_table_schema_fini(&kind);
    free(m.payload);
}

static void test_random(void)
{
    uint64_t seed = suite_seed();
    suite_print_seed("reader_kind", seed);
    for (int round = 0; round < 20; round++) {
        random_round(&seed);
    }
}

int main(void)
{
    static const CU_TestInfo tests[] = {{"types of columns", test_types},
                                        {"two fields of one name", test_same_name},
                                        {"two kinds of one name", test_same_kinds},
                                        {"a text shown many times", test_text_repeated},
                                        {"random payloads", test_random}};
    return suite_run("reader_kind", tests, sizeof tests / sizeof tests[0]);
}
