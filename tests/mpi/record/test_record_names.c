/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Names of LP types on ranks without LPs of some types, and the LPs that --trace-lps selects; the
 * tree of ranks that merges names.
 *
 * test: ranks=1,4 alone=yes
 */
#include "record/base/tree_merge.h"
#include "record/describe/trace_filter.h"
#include "support/fake_engine.h"
#include "support/mpi_seed.h"

#define N_LPS   30u
#define N_TYPES 5u

static int rank, n_ranks;

/* All ranks have types 0 to 2, the last rank also type 3. Type 4 has no LP. */
static tw_lptype types[N_TYPES];
static const char *const type_names[N_TYPES] = {"router", NULL, "host.fast", "zone-1", "unused"};

static unsigned type_of(tw_lpid local)
{
    return rank == n_ranks - 1 && local % 4 == 3 ? 3 : (unsigned)(local % 3);
}

static void name_types(struct lp_names *names)
{
    *names = (struct lp_names){0};
    for (unsigned i = 0; i < N_TYPES; i++) {
        if (type_names[i] != NULL) {
            CU_ASSERT_EQUAL(lp_names_set(names, &types[i], "another"), TW_OK);
            CU_ASSERT_EQUAL(lp_names_set(names, &types[i], type_names[i]), TW_OK);
        }
    }
}

static void begin(struct lp_names *names)
{
    fake_begin(N_LPS);
    for (tw_lpid i = 0; i < N_LPS; i++) {
        fake.lps[i].type = &types[type_of(i)];
    }
    name_types(names);
    lp_names_collect(names, g_tw_lp, g_tw_nlp, MPI_COMM_WORLD);
}

static void end(struct lp_names *names)
{
    lp_names_fini(names);
    fake_end();
}

static void test_names(void)
{
    struct lp_names names;
    begin(&names);
    CU_ASSERT_EQUAL_FATAL(names.n_names, 3); /* names of LPs, each once, in order */
    CU_ASSERT_STRING_EQUAL(names.names[0], "host.fast");
    CU_ASSERT_STRING_EQUAL(names.names[1], "router");
    CU_ASSERT_STRING_EQUAL(names.names[2], "zone-1");
    for (tw_lpid i = 0; i < N_LPS; i++) {
        const char *wanted = type_names[type_of(i)];
        CU_ASSERT_STRING_EQUAL(lp_names_of(&names, i), wanted != NULL ? wanted : "");
    }
    end(&names);
}

/* The ranks that a merge has seen, in its order. */
struct seen {
    unsigned char ranks[64];
    size_t n;
    unsigned takes;
};

static void take_ranks(void *ctx, const unsigned char *bytes, size_t size)
{
    struct seen *seen = ctx;
    memcpy(seen->ranks + seen->n, bytes, size);
    seen->n += size;
    seen->takes++;
}

static const unsigned char *give_ranks(void *ctx, size_t *size)
{
    const struct seen *seen = ctx;
    *size = seen->n;
    return seen->ranks;
}

/* Rank 0 of any number of ranks gets all strings in the order of ranks, in few messages. Ranks of odd
 * numbers have empty strings. */
static void test_tree(void)
{
    for (int size = 1; size <= n_ranks; size++) {
        MPI_Comm part;
        MPI_Comm_split(MPI_COMM_WORLD, rank < size ? 0 : MPI_UNDEFINED, rank, &part);
        if (part == MPI_COMM_NULL) {
            continue;
        }
        struct seen seen = {.ranks = {(unsigned char)rank}, .n = rank % 2 == 0};
        tree_merge(&(struct tree_merge){&seen, take_ranks, give_ranks}, part);
        if (rank == 0) {
            CU_ASSERT_EQUAL(seen.n, ((size_t)size + 1) / 2);
            for (size_t i = 0; i < seen.n; i++) {
                CU_ASSERT_EQUAL(seen.ranks[i], 2 * i);
            }
            CU_ASSERT(size > 8 || seen.takes <= 3);
            CU_ASSERT(1u << seen.takes >= (unsigned)size && (size == 1) == (seen.takes == 0));
        }
        MPI_Comm_free(&part);
    }
}

static void test_no_names(void)
{
    struct lp_names names = {0};
    fake_begin(N_LPS);
    CU_ASSERT_STRING_EQUAL(lp_names_of(&names, 3), "");
    lp_names_collect(&names, g_tw_lp, g_tw_nlp, MPI_COMM_WORLD);
    CU_ASSERT_EQUAL(names.n_names, 0);
    CU_ASSERT_STRING_EQUAL(lp_names_of(&names, 3), "");
    bool traced[N_LPS] = {0};
    char error[300] = "";
    CU_ASSERT_EQUAL(trace_filter_read("router", &names, NULL, NULL, g_tw_lp, N_LPS, g_tw_total_lps,
                                      traced, error, sizeof error),
                    TW_ERR_USAGE);
    CU_ASSERT_PTR_NOT_NULL(strstr(error, "gives its types no names"));
    end(&names);
}

static void test_faults(void)
{
    char longest[LP_NAME_MAX + 2];
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    CU_ASSERT_PTR_NOT_NULL(lp_names_fault(longest));
    CU_ASSERT_PTR_NULL(lp_names_fault(longest + 1));
    static const char *const good[] = {"a", "_", "Router_2", "x.y:z-0"};
    static const char *const bad[] = {NULL,  "",    "0",   "-a",  ".a",  "a,b",
                                      "a b", "a*b", "a\n", "a/b", "[a]", "\xc3\xa4"};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        CU_ASSERT_PTR_NULL(lp_names_fault(good[i]));
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        CU_ASSERT_PTR_NOT_NULL(lp_names_fault(bad[i]));
    }
}

/* ---- --trace-lps ----------------------------------------------------------------------------- */

/* The list of a case and its result, gid by gid. */
struct list {
    char text[2000];
    bool wanted[N_LPS];
};

/* Adds one valid item. */
static void add_item(struct list *list, uint64_t *random)
{
    static const char *const patterns[] = {"router", "host.fast", "zone-1", "*",
                                           "r*",     "*o*",       "z*-?",   "[hz]*"};
    static const bool of_type[8][4] = {{1, 0, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}, {1, 0, 1, 1},
                                       {1, 0, 0, 0}, {1, 0, 1, 1}, {0, 0, 0, 1}, {0, 0, 1, 1}};
    char item[100];
    uint64_t kind = random_below(random, 10);
    uint64_t first = random_below(random, g_tw_total_lps);
    uint64_t last = first + random_below(random, kind == 0 ? 1000 : 6);
    uint64_t pattern = random_below(random, 8);
    if (kind < 5) {
        snprintf(item, sizeof item, "%" PRIu64 "-%" PRIu64, first, last);
    } else if (kind < 9) {
        last = first;
        snprintf(item, sizeof item, "%" PRIu64, first);
    } else {
        snprintf(item, sizeof item, "%s", patterns[pattern]);
    }
    for (tw_lpid i = 0; i < N_LPS; i++) {
        tw_lpid gid = fake.lps[i].gid;
        list->wanted[i] |= kind < 9 ? gid >= first && gid <= last : of_type[pattern][type_of(i)];
    }
    size_t used = strlen(list->text);
    snprintf(list->text + used, sizeof list->text - used, "%s%s", used > 0 ? "," : "", item);
}

static void test_lists(void)
{
    struct lp_names names;
    uint64_t random = mpi_suite_seed("--trace-lps", MPI_COMM_WORLD);
    begin(&names);
    for (int round = 0; round < 2000; round++) {
        struct list list = {0};
        bool traced[N_LPS] = {0};
        char error[300] = "";
        for (uint64_t n = random_below(&random, 10) + 1; n > 0; n--) {
            add_item(&list, &random);
        }
        enum tw_status status = trace_filter_read(list.text, &names, NULL, NULL, g_tw_lp, N_LPS,
                                                  g_tw_total_lps, traced, error, sizeof error);
        bool right = status == TW_OK && memcmp(traced, list.wanted, sizeof traced) == 0;
        if (!right) {
            printf("--trace-lps=%s: %d %s\n", list.text, status, error);
        }
        CU_ASSERT(right);
    }
    end(&names);
}

static void test_wrong_lists(void)
{
    static const struct {
        const char *list, *message;
    } cases[] = {
        {"", "empty item"},
        {"1,,2", "empty item"},
        {"1,", "empty item"},
        {",", "empty item"},
        {"1 ", "neither a number"},
        {"1-", "neither a number"},
        {"1--2", "neither a number"},
        {"1-2-3", "neither a number"},
        {"0x10", "neither a number"},
        {"1.5", "neither a number"},
        {"99999999999999999999999", "neither a number"},
        {"1-99999999999999999999999", "neither a number"},
        {"5-4", "ends before it begins"},
        {"1000-2000", "has no LP: the largest number is "},
        {"1,2,1000", "\"1000\" has no LP: the largest number is "},
        {"rooter", "\"rooter\" names no type of LPs; these are known: host.fast, router, zone-1"},
        {"unused", "\"unused\" names no type of LPs"},
        {"0-1, router", "\" router\" names no type of LPs"},
    };
    struct lp_names names;
    begin(&names);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        bool traced[N_LPS] = {0};
        char error[400] = "";
        enum tw_status status = trace_filter_read(cases[i].list, &names, NULL, NULL, g_tw_lp, N_LPS,
                                                  g_tw_total_lps, traced, error, sizeof error);
        bool right = status == TW_ERR_USAGE && strstr(error, cases[i].message) != NULL &&
                     strstr(error, "--trace-lps: \"") == error && strchr(error, '\n') == NULL;
        if (!right) {
            printf("--trace-lps=%s: %d %s\n", cases[i].list, status, error);
        }
        CU_ASSERT(right);
    }
    bool traced[N_LPS];
    for (size_t room = 1; room < 120; room++) { /* a message that does not fit is cut */
        char error[120];
        memset(error, '#', sizeof error);
        trace_filter_read("rooter", &names, NULL, NULL, g_tw_lp, N_LPS, g_tw_total_lps, traced,
                          error, room);
        CU_ASSERT(memchr(error, '\0', room) != NULL);
        CU_ASSERT(room == sizeof error || error[room] == '#');
    }
    end(&names);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {
        {"names", test_names},       {"a tree of ranks", test_tree},
        {"no names", test_no_names}, {"faults of names", test_faults},
        {"lists", test_lists},       {"wrong lists", test_wrong_lists},
    };
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
    int status = suite_run("record/lp_names", tests, sizeof(tests) / sizeof(tests[0]));
    MPI_Finalize();
    return status;
}
