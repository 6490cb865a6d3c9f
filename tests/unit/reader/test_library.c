/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * libwarpscope-reader: opening, files and facts, kinds and fields, scans and their memory, mistakes,
 * damage, and sums. The records themselves are compared with those of dump in
 * tests/system/reader/test_library.sh.
 *
 * test: libs=warpscope_reader_shared,warpscope_format
 */
#include <string.h>
#include <sys/stat.h>
#include <warpscope/reader.h>

#include "format/journal.h"
#include "support/root_dir.h"
#include "support/run_example_streams.h"

static char folder[64];
static const struct run_example example = {.folder = folder,
                                           .prefix = "a",
                                           .n_pes = 3,
                                           .n_kps = 4,
                                           .n_lps = 48,
                                           .samples = 20,
                                           .events = 30000,
                                           .rollbacks = 64,
                                           .seed = 7,
                                           .granularity = 1};

/* Makes a directory below the root, with a recording. */
static void recording_make(const char *name)
{
    snprintf(folder, sizeof folder, "%s/%s", root, name);
    CU_ASSERT_EQUAL_FATAL(mkdir(folder, 0777), 0);
    CU_ASSERT_TRUE_FATAL(run_example_write(&example));
}

static wsr_run *open_good(const char *path)
{
    wsr_run *run;
    int status = wsr_open(&run, path, 0);
    if (status != WSR_OK) {
        printf("%s\n", wsr_message(run));
    }
    CU_ASSERT_EQUAL_FATAL(status, WSR_OK);
    CU_ASSERT_STRING_EQUAL(wsr_message(run), "");
    return run;
}

/* Counts records to the end of a scan. */
static uint64_t rest_count(wsr_scan *scan)
{
    const struct wsr_block *block;
    uint64_t n = 0;
    int status;
    while ((status = wsr_scan_next(scan, &block)) == WSR_OK) {
        n += block->n;
    }
    CU_ASSERT_EQUAL(status, WSR_END);
    CU_ASSERT_PTR_NULL(block);
    return n;
}

static uint64_t records_count(wsr_run *run, const struct wsr_kind *kind,
                              const struct wsr_select *select)
{
    wsr_scan *scan;
    CU_ASSERT_EQUAL_FATAL(wsr_scan_begin(&scan, run, kind, select), WSR_OK);
    uint64_t n = rest_count(scan);
    wsr_scan_end(scan);
    return n;
}

/* ---- Opening --------------------------------------------------------------------------------- */

static void open_bad(const char *path, unsigned flags, int status, const char *words)
{
    wsr_run *run;
    wsr_scan *scan = NULL;
    char *text;
    const struct wsr_finding *findings;
    size_t n;
    CU_ASSERT_EQUAL(wsr_open(&run, path, flags), status);
    CU_ASSERT_PTR_NOT_NULL_FATAL(strstr(wsr_message(run), words));
    CU_ASSERT_EQUAL(wsr_kind_count(run), 0);
    CU_ASSERT_PTR_NULL(wsr_kind(run, "event"));
    CU_ASSERT_PTR_NULL(wsr_fact(run, "ranks"));
    CU_ASSERT_PTR_NULL(wsr_lp_name(run, 0));
    CU_ASSERT_EQUAL(wsr_scan_begin(&scan, run, NULL, NULL), WSR_INVALID);
    CU_ASSERT_PTR_NULL(scan);
    CU_ASSERT_EQUAL(wsr_stats_json(run, NULL, &text), WSR_INVALID);
    CU_ASSERT_EQUAL(wsr_info_json(run, &text), WSR_INVALID);
    CU_ASSERT_EQUAL(wsr_findings(run, &findings, &n), WSR_INVALID);
    wsr_close(run);
}

static void test_open(void)
{
    char path[128];
    FILE *out;
    wsr_close(NULL);
    CU_ASSERT_EQUAL(wsr_open(NULL, "x", 0), WSR_INVALID);
    CU_ASSERT_STRING_EQUAL(wsr_message(NULL), wsr_status_text(WSR_NO_MEMORY));
    for (int status = WSR_OK; status <= WSR_NO_MEMORY; status++) {
        for (int other = WSR_OK; other < status; other++) {
            CU_ASSERT_STRING_NOT_EQUAL(wsr_status_text(status), wsr_status_text(other));
        }
    }
    CU_ASSERT_STRING_EQUAL(wsr_status_text(-1), wsr_status_text(1000));
    CU_ASSERT_PTR_NOT_NULL(strchr(wsr_version(), '.'));
    open_bad(NULL, 0, WSR_INVALID, "no path");
    open_bad(root, 0x80, WSR_INVALID, "flag");
    open_bad("no/such", 0, WSR_NOT_FOUND, "no/such");
    open_bad(root, 0, WSR_NOT_FOUND, "no record files");
    snprintf(path, sizeof path, "%s/text.bin", root);
    out = fopen(path, "w");
    fputs("These are no records.\n", out);
    fclose(out);
    open_bad(path, 0, WSR_NOT_RECORDS, "text.bin");
    snprintf(path, sizeof path, "%s/text.bin/x", root);
    open_bad(path, WSR_JOURNALS, WSR_NOT_FOUND, "text.bin/x");
}

/* ---- Files ----------------------------------------------------------------------------------- */

static void test_files(void)
{
    char path[128];
    recording_make("files");
    wsr_run *run = open_good(folder);
    CU_ASSERT_EQUAL_FATAL(wsr_file_count(run), 5);
    CU_ASSERT_PTR_NULL(wsr_file_at(run, 5));
    CU_ASSERT_EQUAL(wsr_file_count(NULL), 0);
    CU_ASSERT_PTR_NULL(wsr_lp_name(NULL, 0));
    for (size_t i = 0; i < 5; i++) {
        const struct wsr_file *file = wsr_file_at(run, i);
        uint64_t records = 0;
        CU_ASSERT_TRUE(file->readable && file->complete && !file->running && !file->loss_unknown);
        CU_ASSERT_EQUAL(file->n_pes, 3);
        CU_ASSERT_TRUE(file->records > 0 && file->bytes > 0 && file->blocks >= 6);
        CU_ASSERT_TRUE(file->journals == 0 && file->pending == 0 && file->faults == 0);
        CU_ASSERT_PTR_NOT_NULL(strstr(file->path, file->stream));
        CU_ASSERT_TRUE(file->outcome != NULL && file->end_gvt == RUN_EXAMPLE_END);
        CU_ASSERT_TRUE(file->virtual_from <= file->virtual_to);
        for (size_t k = 0; k < wsr_kind_count(run); k++) {
            const struct wsr_kind *kind = wsr_kind_at(run, k);
            records += kind->file == file ? kind->records : 0;
        }
        CU_ASSERT_EQUAL(records, file->records);
    }
    CU_ASSERT_EQUAL(wsr_fact_count(run), wsr_file_at(run, 0)->n_facts);
    CU_ASSERT_TRUE_FATAL(wsr_fact_count(run) > 0);
    CU_ASSERT_PTR_NULL(wsr_fact_at(run, wsr_fact_count(run)));
    const struct wsr_fact *fact = wsr_fact_at(run, 0);
    CU_ASSERT_STRING_EQUAL(wsr_fact(run, fact->name), fact->text);
    CU_ASSERT_TRUE(wsr_fact(run, "no such") == NULL && wsr_fact(run, NULL) == NULL);
    CU_ASSERT_EQUAL(wsr_fault_count(run), 0);
    wsr_close(run);

    /* A second run and a file that is none, in the same directory. */
    struct run_example second = example;
    second.prefix = "b";
    second.events = 1000;
    CU_ASSERT_TRUE_FATAL(run_example_write(&second));
    snprintf(path, sizeof path, "%s/c-gvt.bin", folder);
    FILE *out = fopen(path, "w");
    fputs("none", out);
    fclose(out);
    run = open_good(folder);
    CU_ASSERT_EQUAL_FATAL(wsr_file_count(run), 11);
    const struct wsr_file *bad = wsr_file_at(run, 10);
    CU_ASSERT_FALSE(bad->readable || bad->complete);
    CU_ASSERT_TRUE(bad->faults == 1 && wsr_fault_count(run) == 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(wsr_fault_at(run, 0), "c-gvt.bin"));
    CU_ASSERT_PTR_NULL(wsr_fault_at(run, 1));
    uint64_t events = 0;
    for (size_t k = 0; k < wsr_kind_count(run); k++) {
        const struct wsr_kind *kind = wsr_kind_at(run, k);
        if (strcmp(kind->name, "event") == 0) {
            CU_ASSERT_EQUAL(records_count(run, kind, NULL), kind->records);
            events += kind->records;
        }
    }
    CU_ASSERT_EQUAL(events, 31000);
    const struct wsr_finding *findings;
    size_t n; /* of the first run, beside a second one and a file that is none */
    CU_ASSERT_EQUAL_FATAL(wsr_findings(run, &findings, &n), WSR_OK);
    CU_ASSERT_EQUAL(findings == NULL, n == 0);
    for (size_t i = 0; i < n; i++) {
        CU_ASSERT_TRUE(findings[i].weight >= 0 && findings[i].weight <= 1);
        CU_ASSERT_TRUE(findings[i].rule[0] != '\0' && findings[i].text[0] != '\0');
    }
    CU_ASSERT_EQUAL(wsr_findings(run, NULL, &n), WSR_INVALID);
    CU_ASSERT_EQUAL(wsr_kind(run, "event")->records, 30000);
    wsr_close(run);
}

/* ---- Fields ---------------------------------------------------------------------------------- */

static const struct wsr_field *field_of(const struct wsr_kind *kind, const char *name)
{
    for (uint32_t i = 0; i < kind->n_fields; i++) {
        if (strcmp(kind->fields[i].name, name) == 0) {
            return &kind->fields[i];
        }
    }
    CU_FAIL_FATAL("no such field");
    return NULL;
}

static void test_fields(void)
{
    recording_make("fields");
    wsr_run *run = open_good(folder);
    const struct wsr_kind *kind = wsr_kind(run, "gvt_pe");
    CU_ASSERT_PTR_NOT_NULL_FATAL(kind);
    CU_ASSERT_STRING_NOT_EQUAL(kind->text, "");
    const struct wsr_field *field = field_of(kind, "real_time");
    CU_ASSERT_TRUE(field->type == WSR_F64 && field->size == 8 && !field->optional);
    CU_ASSERT_STRING_EQUAL(field->unit, "s");
    CU_ASSERT_STRING_NOT_EQUAL(field->text, "");
    field = field_of(kind, "pe");
    CU_ASSERT_TRUE(field->type == WSR_U32 && field->measure == WSR_IDENTITY);
    kind = wsr_kind(run, "rollback");
    CU_ASSERT_PTR_NOT_NULL_FATAL(kind);
    field = field_of(kind, "cause_name");
    CU_ASSERT_TRUE(field->type == WSR_NAME && field->optional && field->n_names > 1);
    CU_ASSERT_STRING_EQUAL(field->names_of, "cause");
    CU_ASSERT_STRING_NOT_EQUAL(field->names[0], "");
    for (size_t k = 0; k < wsr_kind_count(run); k++) {
        kind = wsr_kind_at(run, k);
        for (uint32_t i = 0; i < kind->n_fields; i++) {
            field = &kind->fields[i];
            CU_ASSERT_TRUE(field->unit != NULL && field->text != NULL && field->name[0] != '\0');
            CU_ASSERT_EQUAL(field->names != NULL, field->type == WSR_NAME);
            CU_ASSERT_TRUE(field->size > 0 || field->type == WSR_BYTES);
        }
    }
    CU_ASSERT_PTR_NULL(wsr_kind_at(run, wsr_kind_count(run)));
    CU_ASSERT_TRUE(wsr_kind(run, NULL) == NULL && wsr_kind_count(NULL) == 0);
    wsr_close(run);
}

/* ---- Scans ----------------------------------------------------------------------------------- */

static void test_scans(void)
{
    recording_make("scans");
    wsr_run *run = open_good(folder);
    const struct wsr_kind *event = wsr_kind(run, "event"), *lp = wsr_kind(run, "gvt_lp");
    const struct wsr_block *block, *other;
    wsr_scan *a, *b, *c;
    struct wsr_select select = WSR_SELECT_INIT;

    /* Two scans of one run at the same time, and one that is left to wsr_close(). */
    select.fields = "recv_ts,pe,recv_ts";
    CU_ASSERT_EQUAL_FATAL(wsr_scan_begin(&a, run, event, &select), WSR_OK);
    CU_ASSERT_EQUAL_FATAL(wsr_scan_begin(&b, run, lp, NULL), WSR_OK);
    CU_ASSERT_EQUAL_FATAL(wsr_scan_begin(&c, run, event, NULL), WSR_OK);
    CU_ASSERT_EQUAL_FATAL(wsr_scan_next(a, &block), WSR_OK);
    CU_ASSERT_EQUAL_FATAL(wsr_scan_next(b, &other), WSR_OK);
    CU_ASSERT_EQUAL(block->n_columns, 3);
    CU_ASSERT_STRING_EQUAL(block->columns[1].field->name, "pe");
    CU_ASSERT_PTR_EQUAL(block->columns[0].values, block->columns[2].values);
    CU_ASSERT_EQUAL(block->pe, 0);
    uint64_t n = block->n, n_other = other->n;
    const uint32_t *pes = block->columns[1].values;
    for (uint32_t i = 0; i < block->n; i++) {
        CU_ASSERT_EQUAL_FATAL(pes[i], 0);
    }
    n += rest_count(a);
    n_other += rest_count(b);
    CU_ASSERT_EQUAL(n, event->records);
    CU_ASSERT_EQUAL(n_other, lp->records);
    CU_ASSERT_EQUAL(wsr_scan_next(a, &block), WSR_END);
    wsr_scan_end(b);
    wsr_scan_end(NULL);
    wsr_close(run); /* with a and c */
}

static void test_selection(void)
{
    recording_make("selection");
    wsr_run *run = open_good(folder);
    const struct wsr_kind *event = wsr_kind(run, "event");
    const struct wsr_block *block;
    wsr_scan *scan;
    struct wsr_select none = WSR_SELECT_INIT, select = WSR_SELECT_INIT;
    uint64_t parts = 0, early = 0, n = 0;
    CU_ASSERT_EQUAL(records_count(run, event, &none), event->records);
    for (int pe = 0; pe < 3; pe++) {
        char list[8];
        snprintf(list, sizeof list, "%d", pe);
        select.pes = list;
        parts += records_count(run, event, &select);
    }
    CU_ASSERT_EQUAL(parts, event->records);
    select = none;
    select.fields = "recv_ts";
    CU_ASSERT_EQUAL_FATAL(wsr_scan_begin(&scan, run, event, &select), WSR_OK);
    while (wsr_scan_next(scan, &block) == WSR_OK) {
        for (uint32_t i = 0; i < block->n; i++) {
            early += ((const double *)block->columns[0].values)[i] < RUN_EXAMPLE_END / 3;
        }
    }
    wsr_scan_end(scan);
    select.to = RUN_EXAMPLE_END / 3;
    n = records_count(run, event, &select);
    CU_ASSERT_TRUE(early > 0 && n == early);
    select.from = select.to;
    select.to = NAN;
    CU_ASSERT_EQUAL(n + records_count(run, event, &select), event->records);
    select = none;
    select.lps = "1000000";
    CU_ASSERT_EQUAL(records_count(run, event, &select), 0);
    wsr_close(run);
}

static void begin_bad(wsr_run *run, const struct wsr_kind *kind, const struct wsr_select *select,
                      int status, const char *words)
{
    wsr_scan *scan;
    int got = wsr_scan_begin(&scan, run, kind, select);
    CU_ASSERT_EQUAL(got, status);
    CU_ASSERT_PTR_NULL(scan);
    if (strstr(wsr_message(run), words) == NULL) {
        printf("%s: %s\n", words, wsr_message(run));
        CU_FAIL("another message");
    }
}

static void test_mistakes(void)
{
    recording_make("mistakes");
    wsr_run *run = open_good(folder), *other = open_good(folder);
    const struct wsr_kind *event = wsr_kind(run, "event");
    struct wsr_select none = WSR_SELECT_INIT, s = none;
    char *text = (char *)1;
    wsr_scan *scan;
    const struct wsr_block *block;
    begin_bad(run, NULL, NULL, WSR_NOT_FOUND, "kind");
    begin_bad(run, wsr_kind(other, "event"), NULL, WSR_INVALID, "another run");
    s.size = 0;
    begin_bad(run, event, &s, WSR_INVALID, "not initialised");
    s = (struct wsr_select)WSR_SELECT_INIT, s.fields = "recv_ts,";
    begin_bad(run, event, &s, WSR_NOT_FOUND, "no field ");
    s.fields = "recv_ts,nope";
    begin_bad(run, event, &s, WSR_NOT_FOUND, "no field nope");
    s = none, s.where = "recv_ts > > 3";
    begin_bad(run, event, &s, WSR_INVALID, "where: column ");
    s.where = "nope > 3";
    begin_bad(run, event, &s, WSR_NOT_FOUND, "where: no field nope");
    s = none, s.kps = "a";
    begin_bad(run, event, &s, WSR_INVALID, "kps=a");
    s = none, s.pes = "";
    begin_bad(run, event, &s, WSR_INVALID, "pes=");
    s.pes = "0,3";
    begin_bad(run, event, &s, WSR_NOT_FOUND, "no PE 3");
    s = none, s.types = "nothing*";
    begin_bad(run, event, &s, WSR_NOT_FOUND, "nothing*");
    s = none, s.from = 2, s.to = 1;
    begin_bad(run, event, &s, WSR_INVALID, "later than");
    s = none, s.where = "pe == 0";
    CU_ASSERT_EQUAL(wsr_stats_json(run, &s, &text), WSR_INVALID);
    CU_ASSERT_PTR_NULL(text);
    CU_ASSERT_EQUAL(wsr_stats_json(run, NULL, NULL), WSR_INVALID);
    CU_ASSERT_EQUAL(wsr_info_json(NULL, &text), WSR_INVALID);
    CU_ASSERT_EQUAL(wsr_scan_begin(NULL, run, event, NULL), WSR_INVALID);
    CU_ASSERT_EQUAL(wsr_scan_next(NULL, &block), WSR_INVALID);
    CU_ASSERT_EQUAL_FATAL(wsr_scan_begin(&scan, run, event, NULL), WSR_OK);
    CU_ASSERT_EQUAL(wsr_scan_next(scan, NULL), WSR_INVALID);
    CU_ASSERT_EQUAL(rest_count(scan), event->records);
    wsr_close(other);
    wsr_close(run);
}

/* ---- Damage and sums ------------------------------------------------------------------------- */

/* Changes bytes in the body of a data block, which its header does not show. */
static void file_hurt(const char *path)
{
    struct fmt_file input;
    struct fmt_reader *reader;
    struct fmt_scan scan;
    struct fmt_block block = {.kind = 0};
    CU_ASSERT_EQUAL_FATAL(fmt_file_open_read(&input, path, NULL), FMT_OK);
    CU_ASSERT_EQUAL_FATAL(fmt_reader_open(&input.io, &reader, NULL), FMT_OK);
    fmt_scan_init(&scan, reader, 1);
    while (block.kind != FMT_BLOCK_DATA) {
        CU_ASSERT_EQUAL_FATAL(fmt_scan_next(&scan, &block, NULL), FMT_OK);
    }
    fmt_reader_close(reader);
    fmt_file_close(&input, NULL);
    FILE *file = fopen(path, "r+b");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    fseek(file, (long)(block.offset + block.stored_size) - 4, SEEK_SET);
    fputs("hurt", file);
    fclose(file);
}

static void test_damage(void)
{
    char path[128];
    recording_make("damage");
    snprintf(path, sizeof path, "%s/a-model.bin", folder);
    file_hurt(path);
    wsr_run *run = open_good(folder);
    const struct wsr_kind *kind = wsr_kind(run, "model_lp");
    CU_ASSERT_PTR_NOT_NULL_FATAL(kind);
    CU_ASSERT_EQUAL(wsr_fault_count(run), 0); /* headers alone were read */
    uint64_t n = records_count(run, kind, NULL);
    size_t faults = wsr_fault_count(run);
    CU_ASSERT_TRUE(n > 0 && n < example.n_lps * example.samples * 3);
    CU_ASSERT_TRUE_FATAL(faults > 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(wsr_fault_at(run, 0), "a-model.bin"));
    CU_ASSERT_EQUAL(records_count(run, kind, NULL), n);
    CU_ASSERT_EQUAL(wsr_fault_count(run), faults); /* each place once */
    char *text;
    CU_ASSERT_EQUAL_FATAL(wsr_info_json(run, &text), WSR_OK);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"complete\":false"));
    wsr_text_free(text);
    CU_ASSERT_EQUAL_FATAL(wsr_stats_json(run, NULL, &text), WSR_OK);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "a-model.bin"));
    wsr_text_free(text);
    CU_ASSERT_EQUAL(wsr_fault_count(run), faults); /* sums read anew */
    wsr_close(run);
}

/* Removes the END block of PE 0, and makes a journal that has lost the records of all its blocks. */
static void end_lose(const char *path, const char *journal)
{
    static const char zeros[64]; /* instead of the beginning of its header */
    static uint64_t memory[FMT_JOURNAL_HEAD_MIN / sizeof(uint64_t)];
    struct fmt_file input;
    struct fmt_reader *reader;
    struct fmt_scan scan;
    struct fmt_block block = {.kind = 0};
    CU_ASSERT_EQUAL_FATAL(fmt_file_open_read(&input, path, NULL), FMT_OK);
    CU_ASSERT_EQUAL_FATAL(fmt_reader_open(&input.io, &reader, NULL), FMT_OK);
    fmt_scan_init(&scan, reader, 0);
    const struct fmt_position first = {.extent = scan.extent, .extent_pos = scan.pos};
    while (block.kind != FMT_BLOCK_END) {
        CU_ASSERT_EQUAL_FATAL(fmt_scan_next(&scan, &block, NULL), FMT_OK);
    }
    const struct fmt_superblock *sb = fmt_reader_superblock(reader);
    fmt_journal_begin(memory, (struct fmt_journal_head){.file_id = sb->layout.file_id,
                                                        .stream = sb->stream,
                                                        .head_size = sizeof memory,
                                                        .segment_size = 4096,
                                                        .row_bytes_max = 1024});
    fmt_journal_checkpoint(memory, 0, &first);
    fmt_reader_close(reader);
    fmt_file_close(&input, NULL);
    FILE *file = fopen(path, "r+b"), *out = fopen(journal, "wb");
    CU_ASSERT_TRUE_FATAL(file != NULL && out != NULL);
    fseek(file, (long)block.offset, SEEK_SET);
    fwrite(zeros, sizeof zeros, 1, file);
    fwrite(memory, sizeof memory, 1, out);
    fclose(file);
    fclose(out);
}

static void test_buffers(void)
{
    char path[128], journal[128];
    wsr_run *run;
    recording_make("buffers");
    snprintf(path, sizeof path, "%s/a-evtrace.bin", folder);
    snprintf(journal, sizeof journal, "%s/a-evtrace.0.journal", folder);
    end_lose(path, journal);
    CU_ASSERT_EQUAL_FATAL(wsr_open(&run, path, WSR_JOURNALS), WSR_OK);
    CU_ASSERT_EQUAL(wsr_file_at(run, 0)->journals, 1);
    CU_ASSERT_EQUAL(wsr_file_at(run, 0)->pending, 0); /* there are fewer records with the journal */
    uint64_t n = 0;
    for (size_t k = 0; k < wsr_kind_count(run); k++) {
        n += records_count(run, wsr_kind_at(run, k), NULL);
    }
    CU_ASSERT_TRUE(n > 0 && n < wsr_file_at(run, 0)->records);
    wsr_close(run);
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"opening", test_open},           {"files and facts", test_files},
        {"fields", test_fields},          {"scans", test_scans},
        {"selections", test_selection},   {"mistakes", test_mistakes},
        {"damage and sums", test_damage}, {"damaged buffers", test_buffers}};
    return root_suite_run("library", tests, sizeof tests / sizeof tests[0]);
}
