/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests of reader/ranges and reader/select, against models that test every number and record.
 *
 * test: libs=warpscope_reading
 */
#include <CUnit/Basic.h>
#include <fnmatch.h>
#include <math.h>
#include <string.h>

#include "cli/select.h"
#include "support/suite.h"

/* ---- Ranges ---------------------------------------------------------------------------------- */

#define NUMBERS 64

static void test_ranges_random(void)
{
    uint64_t seed = suite_seed(), wrong = 0;
    suite_print_seed("reader_select", seed);
    for (int round = 0; round < 5000; round++) {
        bool model[NUMBERS] = {false};
        char text[512] = "";
        size_t length = 0;
        uint64_t n = 1 + random_below(&seed, 12);
        for (uint64_t i = 0; i < n; i++) {
            uint64_t first = random_below(&seed, NUMBERS);
            uint64_t last = first + random_below(&seed, 1 + (NUMBERS - first) / 4);
            for (uint64_t k = first; k <= last; k++) {
                model[k] = true;
            }
            bool single = first == last && random_below(&seed, 2) == 0;
            length += (size_t)snprintf(text + length, sizeof text - length,
                                       single ? "%s%" PRIu64 : "%s%" PRIu64 "-%" PRIu64,
                                       i > 0 ? "," : "", first, last);
        }
        struct ws_ranges ranges;
        CU_ASSERT_TRUE(ws_ranges_parse(&ranges, text));
        CU_ASSERT(ws_ranges_check(&ranges));
        for (uint64_t k = 0; k < NUMBERS; k++) {
            wrong += ws_ranges_have(&ranges, k) != model[k];
        }
        wrong += ws_ranges_have(&ranges, UINT64_MAX);
        ws_ranges_free(&ranges);
    }
    CU_ASSERT_EQUAL(wrong, 0);
}

static void test_ranges_words(void)
{
    static const char *const bad[] = {"",
                                      "-",
                                      "1-",
                                      "-1",
                                      ",",
                                      "1,",
                                      ",1",
                                      "3-1",
                                      "1,,2",
                                      "a",
                                      "1 ",
                                      " 1",
                                      "1x",
                                      "1-2x",
                                      "1--2",
                                      "1.5",
                                      "18446744073709551616"};
    struct ws_ranges ranges;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        CU_ASSERT_FALSE(ws_ranges_parse(&ranges, bad[i]));
        CU_ASSERT_EQUAL(ranges.n, 0);
        ws_ranges_free(&ranges);
    }
    CU_ASSERT_TRUE(ws_ranges_parse(&ranges, "18446744073709551615,0-18446744073709551615,7"));
    CU_ASSERT(ws_ranges_check(&ranges));
    CU_ASSERT_EQUAL(ranges.n, 1);
    CU_ASSERT_TRUE(ws_ranges_have(&ranges, UINT64_MAX));
    ws_ranges_free(&ranges);
}

/* ---- Selections ------------------------------------------------------------------------------ */

static const struct ws_usage usage = {.name = "test", .operands = "FILE", .text = ""};

#define ROWS  150
#define WORDS 6 /* options of a selection */

/* An artificial block: the values of its records that matter, as columns of their schema. */
struct made {
    const struct fmt_schema *schema;
    struct fmt_block block;
    struct fmt_columns columns;
    uint8_t *values[64];
    uint8_t bytes[64][ROWS * 8];
    uint64_t kp[ROWS], lp[ROWS];
    uint32_t type[ROWS];
    double time[ROWS];
};

static void put(struct made *m, const char *name, uint32_t row, const void *value)
{
    int32_t i = ws_field_find(m->schema, name);
    if (i >= 0) {
        size_t size = fmt_type_size(m->schema->fields[i].type);
        memcpy(m->bytes[i] + row * size, value, size);
    }
}

static void made_fill(struct made *m, const struct fmt_schema *schema, uint64_t *seed)
{
    *m = (struct made){.schema = schema};
    m->block = (struct fmt_block){.kind = FMT_BLOCK_DATA,
                                  .schema = schema,
                                  .pe = (uint32_t)random_below(seed, 4),
                                  .n_records = 1 + (uint32_t)random_below(seed, ROWS),
                                  .min_virtual_time = NAN,
                                  .max_virtual_time = NAN};
    m->columns = (struct fmt_columns){
        .schema = schema, .n_records = m->block.n_records, .values = m->values};
    for (uint32_t i = 0; i < schema->n_fields; i++) {
        m->values[i] = m->bytes[i];
    }
    double base = (double)random_below(seed, 10);
    bool nan = random_below(seed, 4) == 0;
    for (uint32_t row = 0; row < m->block.n_records; row++) {
        m->kp[row] = random_below(seed, 4);
        m->lp[row] = random_below(seed, 12);
        m->type[row] = (uint32_t)random_below(seed, 4);
        m->time[row] = nan && random_below(seed, 3) == 0 ? NAN : base + (double)row * 0.25;
        put(m, "kp", row, &m->kp[row]);
        put(m, "lp", row, &m->lp[row]);
        put(m, "dest_lp", row, &m->lp[row]);
        put(m, "payload_type", row, &m->type[row]);
        put(m, "gvt", row, &m->time[row]);
        put(m, "recv_ts", row, &m->time[row]);
        m->block.min_virtual_time = fmin(m->block.min_virtual_time, m->time[row]);
        m->block.max_virtual_time = fmax(m->block.max_virtual_time, m->time[row]);
    }
}

static const struct fmt_payload_desc descs[] = {{1, 1, 8, 0, "router", NULL},
                                                {2, 1, 8, 0, "host", NULL}};

/* Returns true if the selection of these options has the record, from first principles. */
static bool model_has(char *const values[], const struct made *m, uint32_t row)
{
    struct ws_ranges ranges;
    const uint64_t numbers[3] = {m->block.pe, m->kp[row], m->lp[row]};
    bool is_event = ws_field_find(m->schema, "dest_lp") >= 0;
    bool fields[3] = {true, ws_field_find(m->schema, "kp") >= 0,
                      is_event || ws_field_find(m->schema, "lp") >= 0};
    for (int i = 0; i < 3; i++) {
        if (values[i] != NULL) {
            ws_ranges_parse(&ranges, values[i]);
            bool has = fields[i] && ws_ranges_have(&ranges, numbers[i]);
            ws_ranges_free(&ranges);
            if (!has) {
                return false;
            }
        }
    }
    if (values[3] != NULL && !(m->time[row] >= strtod(values[3], NULL))) {
        return false;
    }
    if (values[4] != NULL && !(m->time[row] < strtod(values[4], NULL))) {
        return false;
    }
    if (values[5] == NULL) {
        return true;
    }
    bool typed = ws_field_find(m->schema, "payload_type") >= 0;
    const char *owner = !typed              ? ""
                        : m->type[row] == 1 ? "router"
                        : m->type[row] == 2 ? "host"
                                            : "";
    char words[64];
    snprintf(words, sizeof words, "%s", values[5]);
    for (char *word = strtok(words, ","); word != NULL; word = strtok(NULL, ",")) {
        if (fnmatch(word, m->schema->name, 0) == 0 ||
            (owner[0] != '\0' && fnmatch(word, owner, 0) == 0)) {
            return true;
        }
    }
    return false;
}

/* Random values of the options; NULL: not given. */
static void values_make(char text[WORDS][64], char *values[WORDS], uint64_t *seed)
{
    static const char *const types[] = {"router",    "h*",     "event",       "gvt_?p",
                                        "host,gvt*", "nobody", "router,h?st", "*"};
    for (int i = 0; i < WORDS; i++) {
        values[i] = random_below(seed, 3) == 0 ? text[i] : NULL;
        if (i < 3) {
            snprintf(text[i], 64, "%d,%d-%d", (int)random_below(seed, 12),
                     (int)random_below(seed, 4), (int)random_below(seed, 8) + 4);
        } else if (i < 5) {
            snprintf(text[i], 64, "%g", (double)random_below(seed, 60) * 0.25);
        } else {
            snprintf(text[i], 64, "%s", types[random_below(seed, 8)]);
        }
    }
}

/* An end before the beginning would be an error of the command line. */
static void times_order(char *values[WORDS])
{
    char *from = values[3], *to = values[4];
    if (from != NULL && to != NULL && strtod(from, NULL) > strtod(to, NULL)) {
        values[3] = to;
        values[4] = from;
    }
}

static void test_select_random(void)
{
    static const struct fmt_schema *schemas[4];
    schemas[0] = fmt_schema_builtin(FMT_RECORD_GVT_PE);
    schemas[1] = fmt_schema_builtin(FMT_RECORD_GVT_KP);
    schemas[2] = fmt_schema_builtin(FMT_RECORD_GVT_LP);
    schemas[3] = fmt_schema_builtin(FMT_RECORD_EVENT);
    const struct fmt_superblock sb = {.n_schemas = 4, .schemas = schemas, .layout.n_pes = 4};
    const struct fmt_desc_set set = {.descs = (struct fmt_payload_desc *)(uintptr_t)descs, .n = 2};
    uint64_t seed = suite_seed(), wrong = 0, shares[3] = {0}, chosen = 0;
    struct made *m = malloc(sizeof *m);
    suite_print_seed("reader_select", seed);
    const uint64_t rounds = 20000 / suite_step(4);
    for (uint64_t round = 0; round < rounds; round++) {
        char text[WORDS][64], *values[WORDS];
        struct ws_select select;
        made_fill(m, schemas[random_below(&seed, 4)], &seed);
        values_make(text, values, &seed);
        times_order(values);
        const struct ws_select_words words = {values[0], values[1], values[2], values[3],
                                              values[4], values[5], NULL};
        CU_ASSERT_EQUAL(ws_select_read(&select, &usage, &words), WS_EXIT_OK);
        ws_select_file(&select, &sb, &set);
        enum ws_share share = ws_select_block(&select, &m->block);
        shares[share]++;
        struct ws_group group = {0};
        for (uint32_t row = 0; row < m->block.n_records; row++) {
            bool has = share == WS_SHARE_ALL ||
                       (share == WS_SHARE_SOME && ws_select_row(&select, &m->columns, row, &group));
            wrong += has != model_has(values, m, row);
            chosen += has;
        }
        /* Without the columns that the selection requests, this would crash. */
        struct fmt_wanted wanted = {0};
        ws_select_wanted(&select, m->schema, &wanted);
        for (uint32_t i = 0; i < m->schema->n_fields; i++) {
            m->values[i] = fmt_wanted_has(&wanted, i) ? m->bytes[i] : NULL;
        }
        if (share == WS_SHARE_SOME) {
            ws_select_rows(&select, &m->columns, 0);
        }
        ws_select_free(&select);
    }
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT_TRUE(shares[WS_SHARE_NONE] > rounds / 20);
    CU_ASSERT_TRUE(shares[WS_SHARE_SOME] > rounds / 20);
    CU_ASSERT_TRUE(shares[WS_SHARE_ALL] > rounds / 20);
    CU_ASSERT_TRUE(chosen > rounds / 2);
    free(m);
}

static void test_given(void)
{
    struct ws_select_words words = {.kps = NULL};
    struct ws_select select;
    ws_select_read(&select, &usage, &words);
    CU_ASSERT_FALSE(ws_select_given(&select));
    ws_select_free(&select);
    words.types = "inf";
    ws_select_read(&select, &usage, &words);
    CU_ASSERT_TRUE(ws_select_given(&select));
    ws_select_free(&select);
}

int main(void)
{
    static const CU_TestInfo tests[] = {{"ranges", test_ranges_random},
                                        {"words for ranges", test_ranges_words},
                                        {"selections", test_select_random},
                                        {"is there a selection", test_given}};
    return suite_run("reader_select", tests, sizeof tests / sizeof tests[0]);
}
