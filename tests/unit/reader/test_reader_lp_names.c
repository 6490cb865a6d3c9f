/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Names of LPs: those of several PEs are read back as in a naive model, wrong names are refused, and
 * damaged blocks neither crash nor give wrong names.
 *
 * test: libs=warpscope_reading
 */
#include <CUnit/Basic.h>

#include "data/lp_names.h"
#include "format/block.h"
#include "format/names.h"
#include "support/format_example.h"
#include "support/format_memory.h"
#include "support/suite.h"

#define PES  3u
#define MOST 5000u

static char model[MOST][FMT_LP_NAME_MAX + 1]; /* [lp]: name; "" for none */
static uint64_t random_state;

static void test_faults(void)
{
    static const struct {
        const char *name;
        bool is_good;
    } cases[] = {{"a", true},
                 {"Z\xc3\xbcrich, Hb", true},
                 {"7a", true},
                 {"1 2", true},
                 {"", false},
                 {"12", false},
                 {"1-3,7", false},
                 {"a\tb", false},
                 {"a\x7f", false},
                 {"\xc2\x85x", false},
                 {"\xc2\xa0", true},
                 {"\xff", false},
                 {"a\xc3", false},
                 {"123456789012345678901234567890123456789012345678901234567890abc", true},
                 {"123456789012345678901234567890123456789012345678901234567890abcd", false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *fault = fmt_lp_name_fault(cases[i].name, strlen(cases[i].name));
        CU_ASSERT_EQUAL(fault == NULL, cases[i].is_good);
    }
}

/* The LPs of a PE, and the next of them. */
struct walk {
    uint64_t lp, step;
    bool with_largest; /* true to name the largest possible LP at the end */
};

static const char *next(void *ctx, uint64_t *lp)
{
    struct walk *walk = ctx;
    while (walk->lp < MOST && model[walk->lp][0] == '\0') {
        walk->lp += walk->step;
    }
    if (walk->lp >= MOST && walk->with_largest) {
        walk->with_largest = false;
        *lp = UINT64_MAX;
        return "largest";
    }
    *lp = walk->lp;
    walk->lp += walk->step;
    return *lp < MOST ? model[*lp] : NULL;
}

/* Gives random names, writes them PE by PE (round robin, or in blocks), and opens the file. */
static struct fmt_reader *names_write(struct memory_io *m, bool robin)
{
    const struct fmt_schema *schema = fmt_schema_builtin(FMT_RECORD_EVENT);
    struct fmt_layout layout;
    struct fmt_reader *reader = NULL;
    memory_io_init(m);
    fmt_layout_init(&layout, FMT_STREAM_EVTRACE, PES, 77, schema->row_size);
    struct fmt_superblock sb = {
        .stream = FMT_STREAM_EVTRACE, .n_schemas = 1, .layout = layout, .schemas = &schema};
    CU_ASSERT_EQUAL_FATAL(fmt_superblock_write(&m->io, &sb, NULL), FMT_OK);
    for (uint32_t lp = 0; lp < MOST; lp++) {
        bool has = random_below(&random_state, 10) > 0;
        snprintf(model[lp], sizeof model[lp], "%.*s %u", (int)random_below(&random_state, 50),
                 "terminal at a rather long place of the network, far away", lp);
        model[lp][has ? sizeof model[lp] - 1 : 0] = '\0';
    }
    for (uint32_t pe = 0; pe < PES; pe++) {
        struct fmt_writer w;
        struct walk walk = {robin ? pe : pe == 0 ? 0 : MOST, robin ? PES : 1, pe == PES - 1};
        CU_ASSERT_EQUAL_FATAL(
            fmt_writer_init(&w, &m->io, &schema, 1, &layout, pe, schema->row_size, NULL), FMT_OK);
        CU_ASSERT_EQUAL(fmt_writer_names(&w, next, &walk, NULL), FMT_OK);
        CU_ASSERT_EQUAL(fmt_writer_end(&w, &(struct fmt_end_info){.text = ""}, NULL), FMT_OK);
        CU_ASSERT_EQUAL(fmt_writer_names(&w, next, &walk, NULL), FMT_ERR_ARG);
        fmt_writer_fini(&w);
    }
    CU_ASSERT_EQUAL_FATAL(fmt_reader_open(&m->io, &reader, NULL), FMT_OK);
    return reader;
}

/* Notes the NAMES blocks of all PEs. */
static void blocks_add(const struct fmt_reader *reader, struct fmt_desc_set *set)
{
    for (uint32_t pe = 0; pe < PES; pe++) {
        struct fmt_scan scan;
        struct fmt_block block;
        enum fmt_status status;
        fmt_scan_init(&scan, reader, pe);
        while ((status = fmt_scan_next(&scan, &block, NULL)) != FMT_END) {
            if (status == FMT_OK && block.kind == FMT_BLOCK_NAMES) {
                CU_ASSERT_EQUAL(ws_lp_names_note(reader, &block, set, NULL), FMT_OK);
            }
        }
    }
}

static void test_read_back(void)
{
    for (int robin = 0; robin < 2; robin++) {
        struct memory_io m;
        struct fmt_desc_set set = {0}, joined = {0};
        int64_t n_walked = 0;
        struct fmt_reader *reader = names_write(&m, robin != 0);
        blocks_add(reader, &set);
        CU_ASSERT(ws_lp_names_join(&joined, &set));
        CU_ASSERT(ws_lp_names_join(&joined, &set)); /* each name twice */
        for (uint64_t lp = 0; lp < MOST + 2; lp++) {
            const char *name = ws_lp_name(&set, lp), *other = ws_lp_name(&joined, lp);
            const char *known = lp < MOST ? model[lp] : "";
            CU_ASSERT_STRING_EQUAL(name == NULL ? "" : name, known);
            CU_ASSERT_STRING_EQUAL(other == NULL ? "" : other, known);
        }
        uint64_t at = 0; /* the walk passes over LPs without names only */
        for (const char *name; (name = ws_lp_name_at(&set, (size_t)n_walked, &at)) != NULL;) {
            CU_ASSERT_FATAL(at < MOST || at == UINT64_MAX);
            CU_ASSERT(name[0] != '\0' && strcmp(name, at < MOST ? model[at] : "largest") == 0);
            n_walked++;
        }
        CU_ASSERT_EQUAL(at, UINT64_MAX);
        n_walked--;
        for (uint64_t lp = 0; lp < MOST; lp++) {
            n_walked -= model[lp][0] != '\0';
        }
        CU_ASSERT_EQUAL(n_walked, 0);
        CU_ASSERT(ws_lp_names_check(&set) && ws_lp_names_check(&joined));
        CU_ASSERT_EQUAL(look_through(&m.io, true).faults, 0);
        ws_descs_free(&set);
        ws_descs_free(&joined);
        fmt_reader_close(reader);
        memory_io_fini(&m);
    }
    CU_ASSERT_PTR_NULL(ws_lp_name(NULL, 0));
    CU_ASSERT_PTR_NULL(ws_lp_name(&(struct fmt_desc_set){0}, 0));
}

/* Random bytes as a body: what is decoded are names, and decoding ends. */
static void test_hostile(void)
{
    for (unsigned round = 0; round < 20000; round++) {
        uint8_t body[96];
        const size_t size = random_below(&random_state, sizeof body) + 1;
        struct fmt_out out = {.data = body, .capacity = sizeof body};
        struct fmt_name_before before = {0};
        memset(body, 'x', sizeof body);
        fmt_name_encode(&out, &before, 3, "first");
        fmt_name_encode(&out, &before, 4, "fifth");
        for (unsigned i = 0; i < 3; i++) {
            body[random_below(&random_state, 30)] = (uint8_t)random_below(&random_state, 256);
        }
        struct fmt_in in = {.data = body, .size = size};
        struct fmt_name_before entry = {0};
        while (in.pos < in.size && fmt_name_decode(&in, &entry)) {
            CU_ASSERT(entry.size == strlen(entry.text) &&
                      fmt_lp_name_fault(entry.text, entry.size) == NULL);
        }
        CU_ASSERT(in.pos <= in.size);
    }
}

/* Damages the first NAMES block; sealed: its contents, with right checksums. Returns what a check of
 * the block returns. */
static enum fmt_status block_damage(struct memory_io *m, bool sealed)
{
    size_t at = 0;
    while (memcmp(m->bytes + at, "WSBK", 4) != 0 || m->bytes[at + 24] != FMT_BLOCK_NAMES) {
        at++;
    }
    struct fmt_block_header header;
    fmt_block_header_decode(m->bytes + at, &header);
    if (sealed) { /* one byte less than there is */
        header.raw_size--;
        fmt_put_u32(m->bytes + at + FMT_BLOCK_FIXED + 8, (uint32_t)header.raw_size);
        fmt_block_header_encode(m->bytes + at, &header);
    } else {
        m->bytes[at + header.header_size + 5] ^= 1;
    }
    struct fmt_reader *reader;
    struct fmt_scan scan;
    struct fmt_block block = {.kind = FMT_BLOCK_DATA};
    struct fmt_columns columns = {0};
    CU_ASSERT_EQUAL_FATAL(fmt_reader_open(&m->io, &reader, NULL), FMT_OK);
    fmt_scan_init(&scan, reader, 0);
    while (block.kind != FMT_BLOCK_NAMES && fmt_scan_next(&scan, &block, NULL) != FMT_END) {
    }
    enum fmt_status status = fmt_block_verify(reader, &block, &columns, NULL);
    CU_ASSERT_EQUAL(fmt_block_check(reader, &block, &columns, NULL), status);
    fmt_columns_free(&columns);
    fmt_reader_close(reader);
    return status;
}

/* A damaged block is a fault, even if its checksums are right. The other names are still right, and a
 * search for a name says that some cannot be read. */
static void test_damaged(void)
{
    for (int sealed = 0; sealed < 2; sealed++) {
        struct memory_io m;
        struct fmt_reader *reader = names_write(&m, false);
        struct fmt_desc_set set = {0};
        char why[WS_LP_WHY];
        uint64_t lp;
        blocks_add(reader, &set);
        CU_ASSERT_EQUAL(block_damage(&m, sealed != 0), FMT_ERR_DAMAGED);
        for (lp = 0; lp < MOST; lp++) {
            const char *name = ws_lp_name(&set, lp);
            CU_ASSERT(name == NULL || strcmp(name, model[lp]) == 0);
        }
        CU_ASSERT(ws_lp_names_check(&set));
        CU_ASSERT_FALSE(ws_lp_find(&set, "nobody", 6, &lp, why));
        CU_ASSERT_PTR_NOT_NULL(strstr(why, "cannot be read"));
        ws_descs_free(&set);
        fmt_reader_close(reader);
        memory_io_fini(&m);
    }
}

/* Each name is found as in a naive model: only if it is that of one LP. Lists of names and numbers. */
static void test_find(void)
{
    struct memory_io m;
    struct fmt_desc_set set = {0};
    struct ws_ranges ranges;
    char why[WS_LP_WHY], list[200];
    struct fmt_reader *reader = names_write(&m, true);
    blocks_add(reader, &set);
    for (uint32_t lp = 0; lp < MOST; lp += 53) {
        uint64_t found = MOST;
        if (model[lp][0] == '\0') {
            continue;
        }
        size_t same = 0;
        for (uint32_t other = 0; other < MOST; other++) {
            same += strcmp(model[lp], model[other]) == 0;
        }
        why[0] = '\0';
        bool is_found = ws_lp_find(&set, model[lp], strlen(model[lp]), &found, why);
        CU_ASSERT_EQUAL(is_found, same == 1);
        CU_ASSERT(is_found ? found == lp : strstr(why, "LPs are called") != NULL);
        snprintf(list, sizeof list, "3,%.63s,90-92", model[lp]);
        bool is_list = ws_lp_ranges(&ranges, &set, list, why);
        /* A name with a comma can only be given alone. */
        bool can = same == 1 && strchr(model[lp], ',') == NULL;
        CU_ASSERT(!can || (is_list && ws_ranges_have(&ranges, lp) && ws_ranges_have(&ranges, 3) &&
                           ws_ranges_have(&ranges, 91)));
        ws_ranges_free(&ranges);
        CU_ASSERT_EQUAL(ws_lp_ranges(&ranges, &set, model[lp], why), same == 1);
        CU_ASSERT(same != 1 || (ws_ranges_have(&ranges, lp) && !ws_ranges_have(&ranges, lp + 1)));
        ws_ranges_free(&ranges);
    }
    for (uint32_t lp = 0; lp < MOST;
         lp += 53) { /* the beginning of a name is another name, or none */
        uint64_t found = MOST;
        size_t length = strlen(model[lp]), same = 0;
        for (uint32_t other = 0; length > 1 && other < MOST; other++) {
            same += strlen(model[other]) == length - 1 &&
                    memcmp(model[lp], model[other], length - 1) == 0;
        }
        CU_ASSERT(length < 2 ||
                  ws_lp_find(&set, model[lp], length - 1, &found, why) == (same == 1));
    }
    static const char *const wrong[] = {"", ",", "nobody", "1,nobody", "4-2", "1,,2"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        CU_ASSERT_FALSE(ws_lp_ranges(&ranges, &set, wrong[i], why));
        ws_ranges_free(&ranges);
    }
    ws_descs_free(&set);
    fmt_reader_close(reader);
    memory_io_fini(&m);
}

int main(void)
{
    static const CU_TestInfo tests[] = {{"wrong names", test_faults},
                                        {"names of three PEs", test_read_back},
                                        {"names are found", test_find},
                                        {"random bytes", test_hostile},
                                        {"a damaged block", test_damaged}};
    random_state = suite_seed();
    suite_print_seed("names", random_state);
    return suite_run("reader_lp_names", tests, sizeof tests / sizeof tests[0]);
}
