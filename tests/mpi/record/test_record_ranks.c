/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Agreement of ranks: payload types, failures, the directory, the sums of the report. Runs on any
 * number of ranks without an engine.
 *
 * test: alone=yes
 */
#include <sys/stat.h>
#include <unistd.h>

#include "record/base/agree.h"
#include "support/fake_engine.h"
#include "support/read_back.h"
#include "support/suite.h"

static int rank;
static int n_ranks;
static char root[64];

static void trace(void *msg, tw_lp *lp, char *buffer, int *collect_flag)
{
    (void)msg;
    (void)collect_flag;
    buffer[0] = (char)lp->gid;
}

/* Three types of 8 bytes that differ in the unit or not at all, and one of another size. */
static st_model_types in_s = {.ev_trace = trace, .ev_sz = 8};
static st_model_types in_ms = {.ev_trace = trace, .ev_sz = 8};
static st_model_types bare = {.ev_trace = trace, .ev_sz = 8};
static st_model_types larger = {.ev_trace = trace, .ev_sz = 16};
static const st_field fields_s[] = {{"delay", ST_F64, 0, "s", 1}, {NULL, ST_U8, 0, NULL, 0}};
static const st_field fields_ms[] = {{"delay", ST_F64, 0, "ms", 1}, {NULL, ST_U8, 0, NULL, 0}};

/* Each rank has its own selection of types, in its own order: four LPs of six types (two have
 * none). */
static st_model_types *type_of(tw_lpid gid)
{
    st_model_types *types[] = {&larger, &in_ms, NULL, &bare, &in_s, NULL};
    return types[(gid * 5 + gid / 4) % 6];
}

static void begin(void)
{
    fake_begin(4);
    for (tw_lpid i = 0; i < 4; i++) {
        st_model_settype(i, type_of(fake.lps[i].gid));
    }
    st_model_fields(&in_s, ST_PAYLOAD_EV, fields_s);
    st_model_fields(&in_ms, ST_PAYLOAD_EV, fields_ms);
    snprintf(g_st_options.path, sizeof(g_st_options.path), "%s/out", root);
    g_st_ev_trace = 1;
    strcpy(g_st_options.trace_lps, "all"); /* also LPs without callbacks */
}

/* Returns true if the description of a payload type in the file fits an LP. */
static bool desc_fits(const struct fmt_payload_desc *desc, const st_model_types *types)
{
    if (types == NULL || desc == NULL) {
        return types == NULL && desc == NULL;
    }
    const char *unit = types == &in_s ? "s" : types == &in_ms ? "ms" : "";
    return desc->size == types->ev_sz && desc->n_fields == (unit[0] != '\0') &&
           (unit[0] == '\0' || strcmp(desc->fields[0].unit, unit) == 0);
}

static void test_payload_types(void)
{
    begin();
    CU_ASSERT_EQUAL_FATAL(fake_setup(), TW_OK);
    char path[RECORD_PATH_MAX];
    snprintf(path, sizeof(path), "%s", context_recorder()->files[RECORD_EVTRACE].path);
    for (tw_lpid i = 0; i < 4; i++) {
        struct fake_event event;
        uint64_t message = 0;
        fake_event_init(&event, 0, i, 0.0, (double)fake.lps[i].gid, &message);
        event.view.dest_lpid = fake.lps[i].gid;
        fake_execute(&event);
    }
    fake_finish();
    struct stream_totals totals = context_recorder()->files[RECORD_EVTRACE].totals;
    CU_ASSERT_EQUAL(totals.written, 4 * (uint64_t)n_ranks);
    fake_end();
    if (rank == 0) {
        struct read_back back;
        read_back(&back, path);
        CU_ASSERT_EQUAL(back.errors, 0);
        CU_ASSERT_EQUAL(back.ends, (unsigned)n_ranks);
        CU_ASSERT_EQUAL_FATAL(back.n, 4 * (size_t)n_ranks);
        for (size_t i = 0; i < back.n; i++) {
            struct fmt_event_row row;
            memcpy(&row, back.rows + i * back.row_size, sizeof(row));
            CU_ASSERT_EQUAL(row.dest_lp, i);
            CU_ASSERT_EQUAL(row.pe, i / 4);
            CU_ASSERT_TRUE(
                desc_fits(fmt_desc_set_find(&back.descs, row.payload_type), type_of(row.dest_lp)));
        }
        read_back_free(&back);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Every rank gets the status of the lowest rank with an error. */
static void test_agreement(void)
{
    MPI_COMM_ROSS = MPI_COMM_WORLD;
    CU_ASSERT_EQUAL(agree_on_status(TW_OK, NULL), TW_OK);
    enum tw_status mine = rank == n_ranks - 1 ? TW_ERR_IO : TW_OK;
    CU_ASSERT_EQUAL(agree_on_status(mine, "as the test wants it"), TW_ERR_IO);
    mine = rank == 0 ? TW_ERR_USAGE : TW_ERR_MEMORY;
    CU_ASSERT_EQUAL(agree_on_status(mine, "as the test wants it"), TW_ERR_USAGE);
}

/* One rank has an invalid option: all ranks refuse, and make nothing. */
static void test_one_rank_wrong(void)
{
    begin();
    snprintf(g_st_options.path, sizeof(g_st_options.path), "%s/never", root);
    if (rank == n_ranks - 1) {
        g_st_options.num_gvt = 0;
    }
    CU_ASSERT_EQUAL(fake_setup(), TW_ERR_USAGE);
    struct stat st;
    CU_ASSERT_NOT_EQUAL(stat(g_st_options.path, &st), 0);
    fake_end();
    MPI_Barrier(MPI_COMM_WORLD);
}

/* The directory cannot be made. Only rank 0 detects this, and all ranks refuse. */
static void test_bad_path(void)
{
    begin();
    snprintf(g_st_options.path, sizeof(g_st_options.path), "/proc/none/x");
    CU_ASSERT_EQUAL(fake_setup(), TW_ERR_IO);
    fake_end();
}

/* Consecutive runs in one program do not disturb each other's files. */
static void test_again(void)
{
    char dirs[2][RECORD_PATH_MAX];
    for (int run = 0; run < 2; run++) {
        begin();
        CU_ASSERT_EQUAL_FATAL(fake_setup(), TW_OK);
        snprintf(dirs[run], sizeof(dirs[run]), "%s", context_recorder()->dir);
        fake_finish();
        fake_end();
    }
    CU_ASSERT_STRING_NOT_EQUAL(dirs[0], dirs[1]);
    MPI_Barrier(MPI_COMM_WORLD);
}

static bool make_root(void)
{
    strcpy(root, "record_ranks_XXXXXX");
    if (rank == 0 && mkdtemp(root) == NULL) {
        root[0] = '\0';
    }
    MPI_Bcast(root, (int)sizeof(root), MPI_BYTE, 0, MPI_COMM_WORLD);
    return root[0] != '\0';
}

static void remove_root(void)
{
    char command[100];
    snprintf(command, sizeof(command), "rm -r %s", root);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0 && system(command) != 0) {
        printf("%s is left behind\n", root);
    }
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {
        {"payload types", test_payload_types},
        {"agreement", test_agreement},
        {"one rank wrong", test_one_rank_wrong},
        {"bad path", test_bad_path},
        {"again", test_again},
    };
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
    if (!make_root()) {
        return EXIT_FAILURE;
    }
    int status = suite_run("record on ranks", tests, sizeof(tests) / sizeof(tests[0]));
    remove_root();
    MPI_Allreduce(MPI_IN_PLACE, &status, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Finalize();
    return status;
}
