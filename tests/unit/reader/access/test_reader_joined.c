/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files of one run on the disks of several hosts, read as one: random distributions of PEs over
 * files; files that are missing, copies, or do not fit; hostile lists of PEs.
 *
 * test: libs=warpscope_reading
 */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "access/facts.h"
#include "access/record_file.h"
#include "support/root_dir.h"

#define HOSTS_MAX 4u
#define PES_MAX   9u

/* A run: which host has each PE, and the number of its records. */
struct model {
    char folder[64];
    uint32_t n_hosts, n_pes;
    uint32_t host[PES_MAX];
    uint32_t n[PES_MAX];
    uint64_t file_id;
    bool goes_on; /* true: no PE has ended */
};

static void path_make(char path[160], const struct model *m, uint32_t host)
{
    snprintf(path, 160, "%s/host%u", m->folder, host);
    mkdir(path, 0777);
    snprintf(path, 160, "%s/host%u/r-gvt.bin", m->folder, host);
}

static void pes_text(char text[64], const struct model *m, uint32_t host)
{
    size_t length = 0;
    text[0] = '\0';
    for (uint32_t pe = 0; pe < m->n_pes; pe++) {
        if (m->host[pe] == host) {
            length +=
                (size_t)snprintf(text + length, 64 - length, "%s%u", length > 0 ? "," : "", pe);
        }
    }
}

static void pe_write(const struct model *m, const struct fmt_file *file,
                     const struct fmt_layout *layout, uint32_t pe)
{
    const struct fmt_schema *schema = fmt_schema_builtin(FMT_RECORD_GVT_PE);
    struct fmt_writer w;
    CU_ASSERT_EQUAL_FATAL(
        fmt_writer_init(&w, &file->io, &schema, 1, layout, pe, schema->row_size, NULL), FMT_OK);
    uint64_t *rows = calloc(m->n[pe] + 1, schema->row_size);
    for (uint32_t i = 0; i < m->n[pe]; i++) {
        struct fmt_gvt_pe_row row = {.pe = pe, .gvt = i};
        memcpy((char *)rows + i * schema->row_size, &row, sizeof row);
    }
    if (m->n[pe] > 0) {
        CU_ASSERT_EQUAL(
            fmt_writer_append(&w, schema, rows, m->n[pe] * schema->row_size, 1, NULL, NULL),
            FMT_OK);
    }
    struct fmt_end_info end = {.code = FMT_END_TIME, .gvt = 1, .text = "x"};
    CU_ASSERT(m->goes_on || fmt_writer_end(&w, &end, NULL) == FMT_OK);
    fmt_writer_fini(&w);
    free(rows);
}

/* Writes the file of a host. pes: its list of PEs; NULL: that of the model. */
static void host_write(const struct model *m, uint32_t host, uint32_t n_pes, const char *pes)
{
    char path[160], own[64];
    struct fmt_file file;
    struct fmt_layout layout;
    const struct fmt_schema *schema = fmt_schema_builtin(FMT_RECORD_GVT_PE);
    path_make(path, m, host);
    pes_text(own, m, host);
    const struct fmt_text fact = {WS_PES_FACT, pes == NULL ? own : pes};
    unlink(path);
    fmt_layout_init(&layout, FMT_STREAM_GVT, n_pes, m->file_id, schema->row_size);
    struct fmt_superblock sb = {.stream = FMT_STREAM_GVT,
                                .n_schemas = 1,
                                .n_run = 1,
                                .schemas = &schema,
                                .run = &fact,
                                .layout = layout};
    CU_ASSERT_EQUAL_FATAL(fmt_file_create(&file, path, NULL), FMT_OK);
    CU_ASSERT_EQUAL_FATAL(fmt_superblock_write(&file.io, &sb, NULL), FMT_OK);
    for (uint32_t pe = 0; pe < m->n_pes && pe < n_pes; pe++) {
        if (m->host[pe] == host) {
            pe_write(m, &file, &layout, pe);
        }
    }
    fmt_file_close(&file, NULL);
}

static void model_make(struct model *m, uint64_t *random)
{
    *m = (struct model){.n_hosts = 1 + (uint32_t)random_below(random, HOSTS_MAX),
                        .n_pes = 1 + (uint32_t)random_below(random, PES_MAX),
                        .file_id = *random};
    m->n_hosts = m->n_hosts < m->n_pes ? m->n_hosts : m->n_pes;
    snprintf(m->folder, sizeof m->folder, "joined.XXXXXX");
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(m->folder));
    for (uint32_t pe = 0; pe < m->n_pes; pe++) {
        m->host[pe] = pe < m->n_hosts ? pe : (uint32_t)random_below(random, m->n_hosts);
        m->n[pe] = (uint32_t)random_below(random, 3000);
    }
    for (uint32_t host = 0; host < m->n_hosts; host++) {
        host_write(m, host, m->n_pes, NULL);
    }
}

static void model_remove(const struct model *m)
{
    char path[160];
    for (uint32_t host = 0; host < m->n_hosts; host++) {
        path_make(path, m, host);
        unlink(path);
        *strrchr(path, '/') = '\0';
        rmdir(path);
    }
    rmdir(m->folder);
}

static uint32_t words;
static void count(void *ctx, const char *line)
{
    (void)ctx;
    (void)line;
    words++;
}

/* Opens the hosts' directories and compares with the model. without: a host that is not named. */
static void check(const struct model *m, const char *const *operands, int n, uint32_t without)
{
    const struct ws_messages messages = {count, NULL};
    struct ws_files files;
    CU_ASSERT_TRUE_FATAL(ws_files_gather(&files, operands, n, &messages));
    CU_ASSERT_EQUAL(files.n, 1);
    CU_ASSERT_EQUAL(files.n_streams, 1);
    struct ws_file file;
    ws_file_survey_joined(&file, &files, 0, WS_STRICT, &messages);
    CU_ASSERT_PTR_NOT_NULL_FATAL(file.pes);
    CU_ASSERT_EQUAL(file.n_faults, 0);
    CU_ASSERT(ws_file_good_here(&file));
    uint32_t absent = 0;
    for (uint32_t pe = 0; pe < m->n_pes; pe++) {
        bool here = m->host[pe] != without;
        absent += !here;
        CU_ASSERT_EQUAL(file.pes[pe].is_absent, !here);
        CU_ASSERT_EQUAL(file.pes[pe].records, here ? m->n[pe] : 0);
    }
    CU_ASSERT_EQUAL(file.pes_absent, absent);
    CU_ASSERT_EQUAL(ws_file_good(&file), absent == 0);
    ws_file_check_bodies(&file);
    CU_ASSERT_EQUAL(file.n_faults, 0);
    ws_file_close(&file);
    ws_files_free(&files);
}

static void test_random(void)
{
    uint64_t random = suite_seed();
    for (int round = 0; round < 40; round++) {
        struct model m;
        char paths[HOSTS_MAX][160];
        const char *operands[HOSTS_MAX];
        model_make(&m, &random);
        for (uint32_t i = 0; i < m.n_hosts; i++) {
            path_make(paths[i], &m, i);
            if (i % 2 == 0) { /* directories and files alike */
                *strrchr(paths[i], '/') = '\0';
            }
        }
        uint32_t first = (uint32_t)random_below(&random, m.n_hosts);
        for (uint32_t i = 0; i < m.n_hosts; i++) {
            operands[i] = paths[(first + i) % m.n_hosts];
        }
        check(&m, operands, (int)m.n_hosts, UINT32_MAX);
        if (m.n_hosts > 1) {
            check(&m, operands, (int)m.n_hosts - 1, (first + m.n_hosts - 1) % m.n_hosts);
        }
        operands[0] = m.folder; /* a directory of the hosts' directories */
        check(&m, operands, 1, UINT32_MAX);
        model_remove(&m);
    }
}

/* While the run goes on, all files are read as if their PEs ended now. */
static void test_running(void)
{
    uint64_t random = suite_seed();
    struct model m = {.n_hosts = 0};
    struct fmt_file locked;
    struct ws_files files;
    struct ws_file file;
    char path[160];
    const char *operand = m.folder;
    for (bool made = false; m.n_hosts < 2; made = true) {
        if (made) {
            model_remove(&m);
        }
        model_make(&m, &random);
    }
    m.goes_on = true;
    for (uint32_t host = 0; host < m.n_hosts; host++) {
        host_write(&m, host, m.n_pes, NULL);
    }
    path_make(path, &m, m.n_hosts - 1);
    CU_ASSERT_EQUAL_FATAL(fmt_file_open_read(&locked, path, NULL), FMT_OK);
    CU_ASSERT_EQUAL(fmt_file_lock(&locked, false), 0);
    CU_ASSERT_TRUE_FATAL(ws_files_gather(&files, &operand, 1, NULL));
    ws_file_survey_joined(&file, &files, 0, WS_USUAL, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(file.pes);
    CU_ASSERT(file.is_running && file.n_faults == 0 && file.n_sources == m.n_hosts);
    CU_ASSERT_EQUAL(file.pes_ended, m.n_pes);
    for (uint32_t pe = 0; pe < m.n_pes; pe++) {
        CU_ASSERT_EQUAL(file.pes[pe].records, m.n[pe]);
    }
    ws_file_close(&file);
    ws_files_free(&files);
    fmt_file_close(&locked, NULL);
    model_remove(&m);
}

/* Files that do not fit to the first are refused, with a message. */
static void test_misfits(void)
{
    uint64_t random = suite_seed();
    const struct ws_messages messages = {count, NULL};
    static const struct {
        uint32_t n_pes;
        const char *pes;
    } wrong[] = {{7, "1"}, {2, "0-2"}, {2, "x"}, {2, ""}, {2, "1,"}, {2, "1-0"}, {2, "4294967296"}};
    struct model m;
    do {
        model_make(&m, &random);
        if (m.n_pes != 2 || m.n_hosts != 2) {
            model_remove(&m);
        }
    } while (m.n_pes != 2 || m.n_hosts != 2);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        const char *operand = m.folder;
        struct ws_files files;
        struct ws_file file;
        host_write(&m, 1, wrong[i].n_pes, wrong[i].pes);
        CU_ASSERT_TRUE_FATAL(ws_files_gather(&files, &operand, 1, &messages));
        words = 0;
        ws_file_survey_joined(&file, &files, 0, WS_USUAL, &messages);
        CU_ASSERT(!ws_file_good(&file));
        CU_ASSERT(words > 0);
        ws_file_close(&file);
        ws_files_free(&files);
    }
    model_remove(&m);
}

/* The same file twice is one file, also by another path. */
static void test_copies(void)
{
    uint64_t random = suite_seed();
    const struct ws_messages messages = {count, NULL};
    struct model m;
    char path[160];
    model_make(&m, &random);
    path_make(path, &m, 0);
    char other[164];
    snprintf(other, sizeof other, "%s%s", path[0] == '/' ? "/" : "./", path);
    const char *operands[3] = {path, path, other};
    struct ws_files files;
    CU_ASSERT_TRUE_FATAL(ws_files_gather(&files, operands, 3, &messages));
    CU_ASSERT_EQUAL(files.n, 1);
    CU_ASSERT_EQUAL(files.n_all, 1);
    ws_files_free(&files);
    model_remove(&m);
}

static void test_lists(void)
{
    static const char *const wrong[] = {"",     ",",   "-",     "0-",  "-1",
                                        "0,,1", "1,0", "0-3,3", "2-1", "10",
                                        "0-10", "0 ",  " 0",    "0x",  "99999999999999999999",
                                        "1-1-1"};
    bool has[10];
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        CU_ASSERT(!ws_pes_read(wrong[i], has, 10));
    }
    CU_ASSERT(ws_pes_read("0-2,4,9", has, 10));
    for (int pe = 0; pe < 10; pe++) {
        CU_ASSERT_EQUAL(has[pe], pe <= 2 || pe == 4 || pe == 9);
    }
}

int main(void)
{
    static const CU_TestInfo tests[] = {{"random hosts", test_random},
                                        {"a run that goes on", test_running},
                                        {"files that do not fit", test_misfits},
                                        {"copies", test_copies},
                                        {"lists of PEs", test_lists}};
    return root_suite_run_inside("reader: joined files", tests, sizeof tests / sizeof tests[0]);
}
