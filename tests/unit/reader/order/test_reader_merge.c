/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests of reader/merge and its parts: sort keys, pools, spilled runs and the index of blocks, each
 * against a plain model, with random records: equal times, both zeros, NaN, infinities, payloads of
 * all sizes.
 *
 * test: libs=warpscope_reading
 */
#include <CUnit/Basic.h>
#include <math.h>
#include <string.h>

#include "cli/files.h"
#include "order/merge.h"
#include "support/record_files.h"
#include "support/root_dir.h"
#include "support/suite.h"

#define FILE_NAME "merge.bin"

/* ---- Random records -------------------------------------------------------------------------- */

enum pattern { ORDERED, WINDOWS, RANDOM, ONE_TIME, N_PATTERNS };

static double random_time(uint64_t *seed, enum pattern pattern, size_t i)
{
    static const double odd[] = {0.0, -0.0, INFINITY, -INFINITY, NAN, -1.5, 1e-300};
    switch (pattern) {
    case ORDERED:
        return (double)(i / 3);
    case WINDOWS: /* in the order of commits by KP: sorted, except within windows */
        return (double)(i / 500) + (double)random_below(seed, 200) / 200.0;
    case ONE_TIME:
        return 7.0;
    default:
        return random_below(seed, 20) == 0 ? odd[random_below(seed, 7)]
                                           : (double)random_below(seed, 500) / 8.0;
    }
}

static void random_record(struct record *r, uint64_t *seed, enum pattern pattern, size_t i)
{
    memset(r, 0, sizeof *r);
    r->row = (struct fmt_event_row){.src_lp = random_below(seed, 5),
                                    .dest_lp = random_below(seed, 5) << 33,
                                    .send_ts = -(double)random_below(seed, 3),
                                    .recv_ts = random_time(seed, pattern, i),
                                    .prio = (double)random_below(seed, 2),
                                    .real_time = random_unit(seed),
                                    .kp = (uint32_t)random_below(seed, 4),
                                    .payload_type = (uint32_t)random_below(seed, 3)};
    uint64_t size = random_below(seed, 3) == 0 ? 0 : random_below(seed, PAYLOAD_MAX + 1);
    r->row.payload_size = (uint32_t)size;
    for (uint64_t k = 0; k < size; k++) {
        r->payload[k] = (uint8_t)random_below(seed, 3);
    }
}

static int f64_order(double a, double b)
{
    if (isnan(a) || isnan(b)) {
        return (isnan(a) != 0) - (isnan(b) != 0);
    }
    if (a == b) {
        return (signbit(b) != 0) - (signbit(a) != 0);
    }
    return a < b ? -1 : 1;
}

static int u64_order(uint64_t a, uint64_t b)
{
    return a < b ? -1 : a > b;
}

/* The order that sort_key.h defines, literally. The types are not described, so they do not
 * count. */
static int by_promise(const void *a, const void *b)
{
    const struct record *x = a, *y = b;
    uint32_t least =
        x->row.payload_size < y->row.payload_size ? x->row.payload_size : y->row.payload_size;
    int orders[] = {f64_order(x->row.recv_ts, y->row.recv_ts),
                    f64_order(x->row.prio, y->row.prio),
                    u64_order(x->row.dest_lp, y->row.dest_lp),
                    u64_order(x->row.src_lp, y->row.src_lp),
                    f64_order(x->row.send_ts, y->row.send_ts),
                    u64_order(x->row.payload_size, y->row.payload_size),
                    memcmp(x->payload, y->payload, least)};
    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++) {
        if (orders[i] != 0) {
            return orders[i];
        }
    }
    return 0;
}

static bool item_is(const struct ws_sort_layout *layout, const struct ws_sort_key *item,
                    const struct record *r)
{
    const double f64[] = {r->row.recv_ts, r->row.prio, r->row.send_ts};
    const uint64_t u64[] = {r->row.dest_lp, r->row.src_lp};
    static const char *const f64_names[] = {"recv_ts", "prio", "send_ts"};
    static const char *const u64_names[] = {"dest_lp", "src_lp"};
    bool same = item->payload_size == r->row.payload_size &&
                memcmp(ws_sort_key_payload(layout, item), r->payload, item->payload_size) == 0;
    for (size_t i = 0; i < 3; i++) {
        uint32_t part = (uint32_t)ws_sort_layout_part(layout, f64_names[i]);
        same = same && f64_order(ws_sort_key_value(layout, item, part).as.f, f64[i]) == 0;
    }
    for (size_t i = 0; i < 2; i++) {
        uint32_t part = (uint32_t)ws_sort_layout_part(layout, u64_names[i]);
        same = same && ws_sort_key_value(layout, item, part).as.u == u64[i];
    }
    return same;
}

/* ---- Merging --------------------------------------------------------------------------------- */

static void merge_compare(const struct record *records, size_t n, size_t memory)
{
    struct ws_file file;
    struct ws_payload_types types;
    struct ws_merge merge;
    size_t i = 0, wrong = 0;
    ws_file_survey(&file, FILE_NAME, WS_STRICT, &ws_on_stderr);
    CU_ASSERT_FATAL(ws_file_good(&file));
    const struct fmt_desc_set *descs = &file.descs;
    CU_ASSERT_FATAL(ws_payload_types_init(&types, &descs, 1));
    struct ws_merge_source source = {
        .file = &file, .schema = file.sb->schemas[0], .types = &types, .payload_max = PAYLOAD_MAX};
    CU_ASSERT_FATAL(ws_merge_init(&merge, &source, memory));
    for (const struct ws_sort_key *item; (item = ws_merge_next(&merge)) != NULL; i++) {
        wrong += i >= n || !item_is(&merge.layout, item, &records[i]);
        if (i % 4096 == 0 && merge.phase == WS_MERGE_STREAM) {
            CU_ASSERT(ws_pool_check(&merge.sorter.pool, true));
        }
    }
    CU_ASSERT_EQUAL(i, n);
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT(!merge.failed && ws_file_good(&file));
    CU_ASSERT_PTR_NULL(ws_merge_next(&merge));
    ws_merge_free(&merge);
    ws_payload_types_free(&types);
    ws_file_close(&file);
}

/* Every pattern, number of PEs and size of memory gives the defined order. */
static void test_merge(void)
{
    uint64_t seed = suite_seed();
    suite_print_seed("reader_merge", seed);
    static const size_t memories[] = {WS_SPILL_MIN, 1u << 20, WS_MERGE_MIN};
    for (int pattern = 0; pattern < N_PATTERNS; pattern++) {
        size_t n = (size_t)random_below(&seed, 20000) + 1;
        struct record *records = malloc(n * sizeof *records);
        uint32_t *owner = malloc(n * sizeof *owner);
        uint32_t pes = 1 + (uint32_t)random_below(&seed, 9);
        for (size_t i = 0; i < n; i++) {
            random_record(&records[i], &seed, (enum pattern)pattern, i);
            owner[i] = (uint32_t)random_below(&seed, pes);
        }
        file_write(FILE_NAME, records, owner, n, pes);
        qsort(records, n, sizeof *records, by_promise);
        for (size_t i = 0; i < sizeof memories / sizeof memories[0]; i++) {
            merge_compare(records, n, memories[i]);
        }
        free(owner);
        free(records);
    }
}

/* Enough runs for several passes; then fewer, read at once. */
static void test_passes(void)
{
    enum { N = 30000 };
    uint64_t seed = suite_seed();
    struct record *records = malloc(N * sizeof *records);
    uint32_t *owner = calloc(N, sizeof *owner);
    for (size_t i = 0; i < N; i++) {
        random_record(&records[i], &seed, RANDOM, i);
    }
    file_write(FILE_NAME, records, owner, N, 1);
    qsort(records, N, sizeof *records, by_promise);
    merge_compare(records, N, WS_SPILL_MIN);
    merge_compare(records, N, 4 * WS_SPILL_MIN);
    free(owner);
    free(records);
}

static bool is_of_lp_0(const struct ws_sort_layout *layout, const struct ws_sort_key *item,
                       void *ctx)
{
    (void)ctx;
    return ws_sort_key_value(layout, item, (uint32_t)layout->lp_part).as.u == 0;
}

/* Only records that are selected and of a wanted kind. */
static void test_some(void)
{
    enum { N = 5000 };
    uint64_t seed = suite_seed();
    struct record *records = malloc(N * sizeof *records);
    uint32_t *owner = malloc(N * sizeof *owner);
    size_t expected = 0, got = 0, wrong = 0;
    for (size_t i = 0; i < N; i++) {
        random_record(&records[i], &seed, WINDOWS, i);
        owner[i] = (uint32_t)random_below(&seed, 3);
        double t = records[i].row.recv_ts;
        expected += t >= 2.5 && t < 5.0 && records[i].row.dest_lp == 0;
    }
    file_write(FILE_NAME, records, owner, N, 3);
    struct ws_file file;
    struct ws_payload_types types;
    struct ws_merge merge;
    struct ws_select select = {.by_time = true, .has_to = true, .from = 2.5, .to = 5.0};
    ws_file_survey(&file, FILE_NAME, WS_USUAL, &ws_on_stderr);
    const struct fmt_desc_set *descs = &file.descs;
    ws_select_file(&select, file.sb, descs);
    CU_ASSERT_FATAL(ws_payload_types_init(&types, &descs, 1));
    struct ws_merge_source source = {.file = &file,
                                     .schema = file.sb->schemas[0],
                                     .select = &select,
                                     .types = &types,
                                     .item_is_wanted = is_of_lp_0,
                                     .payload_max = WS_ITEM_PAYLOAD_MAX};
    CU_ASSERT_FATAL(ws_merge_init(&merge, &source, WS_MERGE_MIN));
    double before = 0.0;
    for (const struct ws_sort_key *item; (item = ws_merge_next(&merge)) != NULL; got++) {
        double t = ws_sort_key_value(&merge.layout, item, 0).as.f;
        wrong += t < before || t < 2.5 || t >= 5.0 || !is_of_lp_0(&merge.layout, item, NULL);
        before = t;
    }
    CU_ASSERT(expected > 0);
    CU_ASSERT_EQUAL(got, expected);
    CU_ASSERT_EQUAL(wrong, 0);
    ws_merge_free(&merge);
    ws_payload_types_free(&types);
    ws_file_close(&file);
    free(owner);
    free(records);
}

/* However few entries the index has, every block is found once, and none before its time. */
static void test_chunks(void)
{
    enum { N = 20000, PES = 3 };
    uint64_t seed = suite_seed();
    struct record *records = malloc(N * sizeof *records);
    uint32_t *owner = malloc(N * sizeof *owner);
    for (size_t i = 0; i < N; i++) {
        random_record(&records[i], &seed, WINDOWS, i);
        owner[i] = (uint32_t)random_below(&seed, PES);
    }
    file_write(FILE_NAME, records, owner, N, PES);
    struct ws_file file;
    ws_file_survey(&file, FILE_NAME, WS_USUAL, &ws_on_stderr);
    for (size_t n_max = 1; n_max < 3000; n_max = n_max * 5 / 2 + 1) {
        struct ws_chunks chunks;
        struct fmt_block block;
        uint64_t found = 0, early = 0, unordered = 0;
        CU_ASSERT_FATAL(ws_chunks_init(&chunks, &file, file.sb->schemas[0], NULL, n_max));
        CU_ASSERT(chunks.n <= n_max + PES);
        for (size_t i = 0; i < chunks.n; i++) {
            unordered += i > 0 && chunks.list[i].least < chunks.list[i - 1].least;
            while (ws_chunk_next(&chunks.list[i], file.sb->schemas[0], NULL, &block)) {
                found += block.n_records;
                early += ws_time_order(block.min_virtual_time) < chunks.list[i].least;
            }
        }
        CU_ASSERT_EQUAL(found, N);
        CU_ASSERT_EQUAL(early, 0);
        CU_ASSERT_EQUAL(unordered, 0);
        ws_chunks_free(&chunks);
    }
    ws_file_close(&file);
    free(owner);
    free(records);
}

/* ---- Parts ----------------------------------------------------------------------------------- */

/* Columns of a kind with one field of each type, for one record. */
static void check_value(uint32_t type, uint64_t bits)
{
    uint8_t raw[8];
    struct fmt_field fields[] = {{"x", "", "", type, FMT_ROLE_NONE, 0, 0}};
    struct fmt_schema schema = {
        .id = 1, .n_fields = 1, .row_size = 8, .name = "any", .text = "", .fields = fields};
    memset(schema.role_field, -1, sizeof schema.role_field);
    for (size_t i = 0; i < 8; i++) {
        raw[i] = (uint8_t)(bits >> 8 * i);
    }
    uint8_t *values[] = {raw};
    uint64_t offsets[] = {0, 0};
    struct fmt_columns columns = {
        .schema = &schema, .n_records = 1, .values = values, .payload_offset = offsets};
    struct ws_sort_layout layout;
    uint64_t memory[8] = {0};
    struct ws_sort_key *item = (struct ws_sort_key *)memory;
    CU_ASSERT_FATAL(ws_sort_layout_init(&layout, &schema, NULL, NULL));
    ws_sort_key_encode(&layout, &columns, 0, 0, item);
    struct fmt_value was = fmt_columns_value(&columns, 0, 0),
                     is = ws_sort_key_value(&layout, item, 0);
    bool floating = type == FMT_F32 || type == FMT_F64;
    CU_ASSERT_EQUAL(is.type, type);
    CU_ASSERT(floating ? f64_order(is.as.f, was.as.f) == 0 : is.as.u == was.as.u);
    ws_sort_layout_free(&layout);
}

/* Sort keys restore values of any type exactly. */
static void test_values(void)
{
    uint64_t seed = suite_seed();
    for (uint32_t type = FMT_U8; type <= FMT_F64; type++) {
        check_value(type, 0);
        check_value(type, UINT64_MAX);
        check_value(type, UINT64_C(0x8080808080808080));
        check_value(type, UINT64_C(0x7f7f7f7f7f7f7f7f));
        check_value(type, UINT64_C(1) << 63);
        for (int i = 0; i < 1000; i++) {
            check_value(type, random_bits(&seed));
        }
    }
}

/* The fields that are kept of each kind. */
static void test_forms(void)
{
    struct ws_sort_layout layout;
    CU_ASSERT_FATAL(ws_sort_layout_init(&layout, fmt_schema_builtin(FMT_RECORD_EVENT), NULL, NULL));
    CU_ASSERT(ws_sort_layout_part(&layout, "pe") < 0 && ws_sort_layout_part(&layout, "kp") < 0);
    CU_ASSERT(ws_sort_layout_part(&layout, "real_time") < 0);
    CU_ASSERT_EQUAL(ws_sort_layout_part(&layout, "recv_ts"), 0);
    CU_ASSERT_EQUAL(layout.lp_part, ws_sort_layout_part(&layout, "dest_lp"));
    CU_ASSERT_EQUAL(layout.type_part, ws_sort_layout_part(&layout, "payload_type"));
    CU_ASSERT_EQUAL(layout.view.n_fields, layout.n_parts);
    ws_sort_layout_free(&layout);
    CU_ASSERT_FATAL(ws_sort_layout_init(&layout, fmt_schema_builtin(FMT_RECORD_VT_KP), NULL, NULL));
    CU_ASSERT(layout.sums && ws_sort_layout_part(&layout, "kp") < 0);
    CU_ASSERT(ws_sort_layout_part(&layout, "events_committed") > 0);
    ws_sort_layout_free(&layout);
    CU_ASSERT_FATAL(
        ws_sort_layout_init(&layout, fmt_schema_builtin(FMT_RECORD_GVT_PE), NULL, NULL));
    CU_ASSERT(ws_sort_layout_part(&layout, "pe") >= 0 && !layout.sums);
    ws_sort_layout_free(&layout);
}

/* Types are numbered by their contents, not by their ids. */
static void test_types(void)
{
    static const struct fmt_payload_field x[] = {{"x", "s", FMT_F64, 0, 1, 0, NULL}};
    static const struct fmt_payload_field y[] = {{"y", "s", FMT_F64, 0, 1, 0, NULL}};
    struct fmt_payload_desc a[] = {{3, FMT_PAYLOAD_EV, 8, 1, "router", x},
                                   {7, FMT_PAYLOAD_EV, 8, 1, "host", x}};
    struct fmt_payload_desc b[] = {{1, FMT_PAYLOAD_EV, 8, 1, "host", x},
                                   {2, FMT_PAYLOAD_EV, 8, 1, "router", y},
                                   {4, FMT_PAYLOAD_EV, 8, 1, "router", x},
                                   {9, FMT_PAYLOAD_EV, 8, 1, "router", x}};
    struct fmt_desc_set sets[] = {{.descs = a, .n = 2}, {.descs = b, .n = 4}};
    const struct fmt_desc_set *both[] = {&sets[0], &sets[1]};
    struct ws_payload_types types;
    CU_ASSERT_FATAL(ws_payload_types_init(&types, both, 2));
    CU_ASSERT_EQUAL(types.n, 3);
    CU_ASSERT_EQUAL(ws_payload_types_number(&types, 0, 3), ws_payload_types_number(&types, 1, 4));
    CU_ASSERT_EQUAL(ws_payload_types_number(&types, 0, 3), ws_payload_types_number(&types, 1, 9));
    CU_ASSERT_EQUAL(ws_payload_types_number(&types, 0, 7), ws_payload_types_number(&types, 1, 1));
    CU_ASSERT_NOT_EQUAL(ws_payload_types_number(&types, 1, 2),
                        ws_payload_types_number(&types, 1, 4));
    CU_ASSERT_EQUAL(ws_payload_types_number(&types, 0, 5), 0);
    CU_ASSERT_EQUAL(ws_payload_types_id(&types, 1, ws_payload_types_number(&types, 0, 3)), 4);
    CU_ASSERT_EQUAL(ws_payload_types_id(&types, 0, ws_payload_types_number(&types, 1, 2)), 0);
    CU_ASSERT_STRING_EQUAL(
        ws_payload_types_desc(&types, ws_payload_types_number(&types, 0, 7))->owner, "host");
    CU_ASSERT_PTR_NULL(ws_payload_types_desc(&types, 0));
    ws_payload_types_free(&types);
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"the promised order", test_merge}, {"several passes", test_passes},
        {"some records", test_some},        {"index of blocks", test_chunks},
        {"values in items", test_values},   {"forms", test_forms},
        {"types by meaning", test_types},
    };
    return root_suite_run_inside("reader_merge", tests, sizeof tests / sizeof tests[0]);
}
