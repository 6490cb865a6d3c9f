/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests of reader/labels: columns of names and the names in them, for codes of the engine and of
 * payloads; names that are taken; more names than there may be.
 *
 * test: libs=warpscope_reading
 */
#include <CUnit/Basic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "access/payload_types.h"
#include "access/table.h"
#include "access/where.h"
#include "support/named_fields.h"
#include "support/suite.h"

/* The records of named_fields.h, decoded, and their file. */
static struct {
    const struct fmt_schema *schema;
    struct fmt_superblock sb;
    struct fmt_payload_desc descs[NAMED_DESCS];
    struct fmt_desc_set set;
    struct fmt_columns columns;
    uint8_t *values[64];
    uint64_t numbers[64][NAMED_ROWS];
    uint64_t offset[NAMED_ROWS + 1];
    uint8_t payload[64];
} file;

static void file_make(uint32_t record)
{
    memset(&file, 0, sizeof file);
    file.schema = fmt_schema_builtin(record);
    file.sb = (struct fmt_superblock){.n_schemas = 1, .schemas = &file.schema};
    memcpy(file.descs, named_descs, sizeof named_descs);
    file.set = (struct fmt_desc_set){.descs = file.descs, .n = NAMED_DESCS};
    for (uint32_t f = 0; f < file.schema->n_fields; f++) {
        file.values[f] = (uint8_t *)file.numbers[f];
    }
    uint32_t *types = (uint32_t *)file.numbers[file.schema->role_field[FMT_ROLE_PAYLOAD_TYPE]];
    for (uint32_t i = 0; i < NAMED_ROWS; i++) {
        types[i] = named_rows[i].type;
        memcpy(file.payload + file.offset[i], named_rows[i].bytes, named_rows[i].size);
        file.offset[i + 1] = file.offset[i] + named_rows[i].size;
    }
    file.columns = (struct fmt_columns){.schema = file.schema,
                                        .n_records = NAMED_ROWS,
                                        .values = file.values,
                                        .payload = file.payload,
                                        .payload_offset = file.offset};
}

static const struct ws_labels *column_find(const struct ws_label_set *set, const char *column)
{
    for (uint32_t i = 0; i < set->n; i++) {
        if (strcmp(set->list[i].column, column) == 0) {
            return &set->list[i];
        }
    }
    return NULL;
}

/* Returns the name for the value in a record; NULL if it has none. */
static const char *name_of(const struct ws_labels *labels, uint32_t row)
{
    uint32_t place = ws_label_place(labels, &file.columns, row);
    return place == WS_NO_LABEL ? NULL : labels->known.names[place];
}

/* The names of all records, "-" for none. */
static void check_names(const struct ws_label_set *set, const char *column, const char *expected)
{
    char text[256] = "";
    const struct ws_labels *labels = column_find(set, column);
    for (uint32_t row = 0; labels != NULL && row < NAMED_ROWS; row++) {
        const char *name = name_of(labels, row);
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s|", name == NULL ? "-" : name);
    }
    if (strcmp(text, expected) != 0) {
        printf("\n  %s: %s instead of %s\n", column, text, expected);
    }
    CU_ASSERT_STRING_EQUAL(text, expected);
}

static void test_payload(void)
{
    struct ws_label_set set;
    file_make(FMT_RECORD_EVENT);
    CU_ASSERT_TRUE(ws_label_set_init(&set, file.schema, &file.set));
    CU_ASSERT_EQUAL(set.n, 3);
    check_names(&set, "code_name", "zer\xf6|-|uno|-|-|");
    check_names(&set, "payload.other_name", "quote \" and, comma|-|-|-|-|");
    check_names(&set, "payload.kp_name", "k1|-|-|-|-|");
    const struct ws_labels *codes = column_find(&set, "code_name");
    CU_ASSERT_EQUAL(codes->known.n, 4); /* each name of each list */
    file.offset[1]++;                   /* payloads whose size is not that of their description */
    check_names(&set, "code_name", "-|-|uno|-|-|");
    file.columns.payload_offset = NULL; /* payloads that are not decoded */
    check_names(&set, "code_name", "-|-|-|-|-|");
    ws_label_set_free(&set);
}

/* The record's own code keeps its column. A field that cannot have one has none. */
static void test_taken(void)
{
    struct ws_label_set set;
    struct fmt_payload_field fields[] = {{"kind", "", FMT_U8, 0, 1, 0, named_kps},
                                         {"detail", "", FMT_U8, 1, 1, 0, named_kps},
                                         {"gvt", "", FMT_U8, 2, 1, 0, named_kps}};
    file_make(FMT_RECORD_MODEL_LP);
    file.descs[0].fields = fields;
    file.descs[0].n_fields = 3;
    CU_ASSERT_TRUE(ws_label_set_init(&set, file.schema, &file.set));
    CU_ASSERT_EQUAL(column_find(&set, "kind_name")->kind, WS_LABELS_CODES);
    CU_ASSERT_EQUAL(column_find(&set, "payload.kind_name")->kind, WS_LABELS_SOURCES);
    CU_ASSERT_PTR_NOT_NULL(column_find(&set, "detail_name"));
    CU_ASSERT_PTR_NOT_NULL(column_find(&set, "payload.gvt_name"));
    ws_label_set_free(&set);
    fields[1].name = "kind_name"; /* shown as payload.kind_name */
    CU_ASSERT_TRUE(ws_label_set_init(&set, file.schema, &file.set));
    CU_ASSERT_PTR_NULL(column_find(&set, "payload.kind_name"));
    CU_ASSERT_PTR_NOT_NULL(column_find(&set, "payload.kind_name_name"));
    ws_label_set_free(&set);
}

static void test_engine(void)
{
    static const struct fmt_desc_set none = {.n = 0};
    struct ws_label_set set;
    file_make(FMT_RECORD_TASK_STEP);
    int32_t field = -1;
    for (uint32_t f = 0; f < file.schema->n_fields; f++) {
        field = strcmp(file.schema->fields[f].name, "detail") == 0 ? (int32_t)f : field;
    }
    uint32_t *details = (uint32_t *)file.numbers[field];
    details[1] = 1;
    details[2] = 2;
    details[3] = UINT32_MAX;
    CU_ASSERT_TRUE(ws_label_set_init(&set, file.schema, &none));
    CU_ASSERT_EQUAL(set.n, 1);
    check_names(&set, "detail_name", "step|detail|-|-|step|");
    ws_label_set_free(&set);
}

/* Checks the text that a record has in a column of names. */
static void check_cell(const struct ws_table *table, uint32_t row, uint32_t label, const char *text)
{
    struct ws_plan_last last = {.known = false};
    int32_t plan = ws_table_plan(table, &last, &file.columns, row);
    struct ws_cell cell =
        ws_table_cell(table, &file.columns, row, plan, table->first_label + label);
    CU_ASSERT_PTR_NULL(last.words);
    CU_ASSERT_EQUAL_FATAL(cell.size, strlen(text));
    CU_ASSERT_NSTRING_EQUAL(cell.bytes, text, strlen(text));
}

/* Columns of a table: one for each column of names, none for types in place of numbers. */
static void test_table(void)
{
    struct ws_table table;
    file_make(FMT_RECORD_EVENT);
    file.descs[0].owner = "host";
    CU_ASSERT_TRUE(ws_table_init(&table, &file.sb, &file.set) && ws_table_add_labels(&table));
    CU_ASSERT_EQUAL(table.n_columns - table.first_label, 4);
    CU_ASSERT_STRING_EQUAL(table.names[table.first_label], "lp_type");
    check_cell(&table, 0, 1, "zer\xf6");
    ws_table_fini(&table);
    CU_ASSERT_TRUE(ws_table_init(&table, &file.sb, &file.set));
    table.type_names = true;
    CU_ASSERT_TRUE(ws_table_add_labels(&table));
    CU_ASSERT_STRING_EQUAL(table.names[table.first_label], "code_name");
    check_cell(&table, 2, 0, "uno");
    ws_table_fini(&table);
}

static unsigned chosen(const char *text)
{
    struct ws_where_error error;
    struct fmt_wanted wanted = {0};
    struct ws_where *where = ws_where_parse(text, &error);
    CU_ASSERT_PTR_NOT_NULL_FATAL(where);
    bool all[16];
    memset(all, true, sizeof all);
    CU_ASSERT_FATAL(file.sb.n_schemas + file.set.n <= sizeof all / sizeof *all);
    CU_ASSERT_TRUE(ws_where_file(where, &file.sb, &file.set));
    ws_where_look(where, all);
    CU_ASSERT_TRUE(ws_where_found(where, true, NULL));
    ws_where_wanted(where, 0, &wanted);
    CU_ASSERT_TRUE(wanted.payload);
    unsigned rows = (unsigned)ws_where_rows(where, &file.columns, 0);
    ws_where_free(where);
    return rows;
}

static void test_where(void)
{
    file_make(FMT_RECORD_EVENT);
    CU_ASSERT_EQUAL(chosen("code_name == 'uno'"), 4);
    CU_ASSERT_EQUAL(chosen("code_name != 'uno'"), 1);
    CU_ASSERT_EQUAL(chosen("code_name"), 5);
    CU_ASSERT_EQUAL(chosen("payload.kp_name == 'k1' && code == 0"), 1);
    CU_ASSERT_EQUAL(chosen("other_name == 7"), 1);
}

/* Types that differ in names of values only are different types, in an order of their own. */
static void test_types(void)
{
    struct fmt_payload_field fields[3];
    const struct fmt_desc_set *sets[] = {&file.set};
    struct ws_payload_types types;
    file_make(FMT_RECORD_EVENT);
    for (uint32_t i = 0; i < 3; i++) {
        fields[i] = named_second[0];
        file.descs[i].size = 1;
        file.descs[i].n_fields = 1;
        file.descs[i].fields = &fields[i];
    }
    CU_ASSERT_TRUE(ws_payload_types_init(&types, sets, 1));
    CU_ASSERT_EQUAL(types.n, 1);
    ws_payload_types_free(&types);
    fields[1].names = named_kps;
    fields[2].names = NULL;
    CU_ASSERT_TRUE(ws_payload_types_init(&types, sets, 1));
    CU_ASSERT_EQUAL(types.n, 3);
    for (uint32_t id = 1; id <= 3; id++) {
        uint32_t number = ws_payload_types_number(&types, 0, id);
        CU_ASSERT_EQUAL(ws_payload_types_id(&types, 0, number), id);
    }
    ws_payload_types_free(&types);
}

/* More fields with names than there may be columns; all of one name; many names. */
#define MANY 4000
static void test_bounded(void)
{
    static struct fmt_payload_desc descs[MANY];
    static struct fmt_payload_field fields[MANY];
    static char names[MANY][16], values[MANY][16];
    static const char *lists[MANY][3];
    struct ws_label_set set;
    struct fmt_desc_set many = {.descs = descs, .n = MANY};
    file_make(FMT_RECORD_EVENT);
    for (uint32_t i = 0; i < MANY; i++) {
        snprintf(names[i], sizeof names[i], "f%u", (unsigned)i);
        snprintf(values[i], sizeof values[i], "v%u", (unsigned)i);
        lists[i][0] = values[i];
        lists[i][1] = "same";
        fields[i] = (struct fmt_payload_field){names[i], "", FMT_U8, 0, 1, 0, lists[i]};
        descs[i] = (struct fmt_payload_desc){i + 1, FMT_PAYLOAD_EV, 1, 1, "", &fields[i]};
    }
    CU_ASSERT_TRUE(ws_label_set_init(&set, file.schema, &many));
    CU_ASSERT_EQUAL(set.n, WS_LABELS_MAX);
    ws_label_set_free(&set);
    for (uint32_t i = 0; i < MANY; i++) {
        fields[i].name = "one";
    }
    CU_ASSERT_TRUE(ws_label_set_init(&set, file.schema, &many));
    CU_ASSERT_EQUAL(set.n, 1);
    CU_ASSERT_EQUAL(set.list[0].known.n, MANY + 1);
    CU_ASSERT_EQUAL(set.list[0].n_sources, MANY);
    uint32_t *types = (uint32_t *)file.numbers[file.schema->role_field[FMT_ROLE_PAYLOAD_TYPE]];
    file.offset[0] = 0;
    file.offset[1] = 1;
    bool all = true;
    for (uint32_t i = 0; i < MANY; i++) {
        types[0] = i + 1;
        const char *name = name_of(&set.list[0], 0);
        all &= name != NULL && strcmp(name, values[i]) == 0;
    }
    CU_ASSERT_TRUE(all);
    types[0] = MANY + 1;
    CU_ASSERT_PTR_NULL(name_of(&set.list[0], 0));
    ws_label_set_free(&set);
}

int main(void)
{
    static const CU_TestInfo tests[] = {{"names of payload fields", test_payload},
                                        {"names of columns that are taken", test_taken},
                                        {"codes of the engine", test_engine},
                                        {"columns of a table", test_table},
                                        {"conditions", test_where},
                                        {"payload types", test_types},
                                        {"bounds", test_bounded}};
    return suite_run("reader labels", tests, sizeof tests / sizeof tests[0]);
}
