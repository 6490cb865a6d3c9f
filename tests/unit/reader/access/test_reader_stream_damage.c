/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A stream with several files of which some are damaged, cannot be read, or do not fit: each fault counts
 * once, the rest is read, and the trace says what it covers.
 *
 * test: libs=warpscope_reading
 */
#include "access/covers.h"
#include "access/record_scan.h"
#include "support/stream_parts.h"

/* The last byte of the first data block of each part. */
struct places {
    uint64_t byte[PARTS_MAX];
};

static bool place_note(struct ws_file *s, const struct fmt_block *block, void *ctx)
{
    struct places *places = ctx;
    uint64_t *byte = &places->byte[block->part];
    (void)s;
    if (block->kind == FMT_BLOCK_DATA && *byte == 0) {
        *byte = block->offset + block->stored_size - 1;
    }
    return true;
}

static void byte_change(const char *path, uint64_t at)
{
    FILE *file = fopen(path, "r+b");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    fseek(file, (long)at, SEEK_SET);
    int byte = fgetc(file);
    fseek(file, (long)at, SEEK_SET);
    fputc(byte ^ 0x55, file);
    fclose(file);
}

static void survey_open(struct ws_file *s, struct ws_files *files, const struct model *m)
{
    const char *operand = m->folder;
    CU_ASSERT_TRUE_FATAL(ws_files_gather(files, &operand, 1, NULL));
    CU_ASSERT_EQUAL_FATAL(files->n_streams, 1);
    ws_stream_survey(s, files, 0, NULL);
}

static bool rows_count(const struct ws_part *part, void *ctx)
{
    *(uint64_t *)ctx += part->columns->n_records;
    return true;
}

static uint64_t scan_count(struct ws_file *s)
{
    struct ws_select all = {.sb = NULL};
    uint64_t n = 0;
    ws_select_file(&all, s->sb, &s->descs);
    ws_scan(s, &all, NULL, rows_count, &n);
    ws_select_free(&all);
    return n;
}

/* Blocks at the same place of two parts are two faults, each counted once however often it is met. */
static void test_damaged_blocks(void)
{
    struct model m;
    struct ws_files files;
    struct ws_file s;
    char path[160];
    struct places places = {{0}};
    make_simple(&m, "damaged", 3);
    survey_open(&s, &files, &m);
    CU_ASSERT_EQUAL(scan_count(&s), 15);
    ws_file_each(&s, 0, place_note, &places);
    ws_file_close(&s);
    ws_files_free(&files);
    CU_ASSERT_EQUAL(places.byte[1], places.byte[2]);
    for (uint32_t i = 1; i < 3; i++) {
        path_make(path, &m, i);
        byte_change(path, places.byte[i]);
    }
    survey_open(&s, &files, &m);
    uint64_t before = s.n_faults;
    uint64_t n = scan_count(&s);
    CU_ASSERT_EQUAL(n, 13);
    CU_ASSERT_EQUAL(s.n_faults - before, 2);
    CU_ASSERT_EQUAL(scan_count(&s), n);
    CU_ASSERT_EQUAL(s.n_faults - before, 2);
    CU_ASSERT_FALSE(ws_file_good(&s));
    ws_file_close(&s);
    ws_files_free(&files);
}

/* A part that is no record file leaves the others readable. */
static void test_unreadable_part(void)
{
    struct model m;
    struct ws_files files;
    struct ws_file s;
    char path[160];
    make_simple(&m, "unreadable", 3);
    for (uint32_t i = 0; i < 3; i += 2) {
        path_make(path, &m, i);
        FILE *out = fopen(path, "wb");
        fputs("nothing", out);
        fclose(out);
    }
    const char *operand = m.folder;
    CU_ASSERT_TRUE_FATAL(ws_files_gather(&files, &operand, 1, NULL));
    uint64_t n = 0;
    for (size_t i = 0; i < files.n_streams; i++) {
        ws_stream_survey(&s, &files, i, NULL);
        n += s.pes == NULL ? 0 : scan_count(&s);
        CU_ASSERT(s.pes != NULL || s.n_faults > 0);
        ws_file_close(&s);
    }
    CU_ASSERT_EQUAL(n, 5);
    ws_files_free(&files);
}

/* Asserts that a trace of three parts has this problem, in part number where, only for commands that
 * need `need`; NULL: none. */
static void problem_is(const struct model *m, unsigned need, const char *problem, uint32_t where)
{
    struct ws_files files;
    struct ws_file s;
    survey_open(&s, &files, m);
    for (unsigned needs = 0; needs < 16; needs++) {
        const struct ws_file *found;
        const char *what_to_do, *why = ws_trace_problem(&s, needs, &found, &what_to_do);
        if (problem == NULL || (needs & need) == 0) {
            CU_ASSERT_PTR_NULL(why);
        } else {
            CU_ASSERT_FATAL(why != NULL && found == ws_stream_part(&s, where));
            CU_ASSERT_STRING_EQUAL(why, problem);
        }
    }
    ws_file_close(&s);
    ws_files_free(&files);
}

/* Asserts that the trace says this about what it covers, also if it is added twice. */
static void covers_are(const struct model *m, const char *words)
{
    struct ws_files files;
    struct ws_file s;
    struct ws_covers covers = {.what = WS_COVERS_ALL};
    char text[WS_COVERS_TEXT];
    survey_open(&s, &files, m);
    for (int i = 0; i < 2; i++) {
        ws_covers_add(&covers, &s);
        ws_covers_text(&covers, text);
        CU_ASSERT_STRING_EQUAL(text, words);
    }
    ws_file_close(&s);
    ws_files_free(&files);
}

static void test_trace_problems(void)
{
    for (int change = 0; change < 4; change++) {
        struct model m;
        char name[32], path[160];
        snprintf(name, sizeof name, "problem-%d", change);
        make_simple(&m, name, 3);
        for (uint32_t i = 0; i < 3; i++) {
            m.parts[i].mode = change == 1 && i == 2 ? "1" : "3";
            m.parts[i].lps = change == 2 && i == 1 ? "0-9" : "all";
            m.parts[i].from += change == 3 && i == 1 ? 0.5 : 0.0;
            path_make(path, &m, i);
            CU_ASSERT_EQUAL(remove(path), 0);
            part_write(&m, i);
        }
        static const struct {
            const char *problem;
            unsigned need;
            uint32_t where;
        } expected[] = {{NULL, 0, 0},
                        {"these are not committed events", WS_TRACE_COMMITTED, 2},
                        {"the trace has the events of some LPs only", WS_TRACE_ALL_LPS, 1},
                        {"a request had switched the trace off before it", WS_TRACE_ALL_TIMES, 1}};
        static const char *const covers[] = {
            "the whole run", "the whole run",
            "part of the run: only events of LPs 0-9 (--trace-lps)",
            "part of the run: evtrace not from GVT 1 to 1.5: a request switched it off"};
        covers_are(&m, covers[change]);
        problem_is(&m, expected[change].need, expected[change].problem, expected[change].where);
    }
}

int main(void)
{
    const CU_TestInfo tests[] = {{"damaged blocks", test_damaged_blocks},
                                 {"an unreadable part", test_unreadable_part},
                                 {"problems of traces", test_trace_problems}};
    return root_suite_run("reader: damaged streams", tests, sizeof tests / sizeof tests[0]);
}
