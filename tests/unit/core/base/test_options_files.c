/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests of base/options: args files, and random input on the command line and in files against a
 * naive model.
 */
#include "support/options_run.h"
#include "support/suite.h"

static void test_file(void)
{
    parse_with_file("# a comment --count=1\n"
                    "--count=4 --quiet\t--run='a b'  # another\r\n"
                    "\n--path=\"x # y\"'\"'z#1\n--\"end\"=7",
                    NULL, "tail");
    CU_ASSERT_EQUAL(run.status, TW_OK);
    CU_ASSERT_STRING_EQUAL(run.error, "");
    CU_ASSERT_EQUAL(values.count, 4);
    CU_ASSERT_EQUAL(values.quiet, 1);
    CU_ASSERT_STRING_EQUAL(values.run, "a b");
    CU_ASSERT_STRING_EQUAL(values.path, "x # y\"z#1");
    CU_ASSERT_EQUAL(values.end, 7.0);
    CU_ASSERT_STRING_EQUAL(values.args, file_name);
    CU_ASSERT(options_was_given(&run.set, "count"));
    CU_ASSERT_STRING_EQUAL(rest(), "tail");
    parse_with_file("", NULL, NULL);
    CU_ASSERT_EQUAL(run.status, TW_OK);
    parse_with_file("\xef\xbb\xbf--count=4", NULL, NULL);
    CU_ASSERT_EQUAL(values.count, 4);
}

static void test_file_yields(void)
{
    parse_with_file("--count=4 --count=5 --run=file", "--run=line", "--nlp=2");
    CU_ASSERT_EQUAL(values.count, 5);
    CU_ASSERT_STRING_EQUAL(values.run, "line");
    parse_with_file("--count=4 --run=file", NULL, "--run=line");
    CU_ASSERT_EQUAL(values.count, 4);
    CU_ASSERT_STRING_EQUAL(values.run, "line");
}

static void test_file_errors(void)
{
    char place[120];

    parse_with_file("--count=4\n\n--kps=x\n", NULL, NULL);
    snprintf(place, sizeof(place), "%s:3: --kps=x: must be", file_name);
    CHECK_ERROR(place);
    parse_with_file("--count=4 \n--quiet --coutn=5", NULL, NULL);
    snprintf(place, sizeof(place), "%s:2: --coutn=5", file_name);
    CHECK_ERROR(place, "nearest is --count");
    parse_with_file("--count=4\n--run=\"a b\n--quiet", NULL, NULL);
    snprintf(place, sizeof(place), "%s:2: ", file_name);
    CHECK_ERROR(place, "quote");
    parse_with_file("--run='a\n'", NULL, NULL);
    CHECK_ERROR(":1: ", "quote");
    parse_with_file("--run=\"a\nb\"", NULL, NULL);
    CHECK_ERROR(":1: ", "quote");
    parse_with_file("'", NULL, NULL);
    CHECK_ERROR(":1: ", "quote");
    parse_with_file("--count=1\nword", NULL, NULL);
    CHECK_ERROR(":2: word: not an option");
    parse_with_file("--", NULL, NULL);
    CHECK_ERROR(":1: --: no such option");
    parse_with_file("--help", NULL, NULL);
    CHECK_ERROR(":1: --help");
    parse_with_file("--args-file=x", NULL, NULL);
    CHECK_ERROR(":1: --args-file", "cannot name another");
    parse_with_file("--count", NULL, NULL);
    CHECK_ERROR(":1: --count: needs a value");
}

static void test_file_unreadable(void)
{
    char word[200];

    PARSE("--args-file=./no/such/file");
    CU_ASSERT_EQUAL(run.status, TW_ERR_IO);
    CU_ASSERT_STRING_EQUAL(run.error, "--args-file=./no/such/file: No such file or directory");
    PARSE("--args-file=.");
    CU_ASSERT_EQUAL(run.status, TW_ERR_IO);
    CU_ASSERT_STRING_EQUAL(run.error, "--args-file=.: Is a directory");
    PARSE("--args-file=/dev/zero");
    CHECK_ERROR("--args-file=/dev/zero", "larger than 1048576 bytes");
    file_write("--count=4\0--quiet", 17);
    snprintf(word, sizeof(word), "--args-file=%s", file_name);
    PARSE(word);
    CHECK_ERROR("not a text file");
    remove(file_name);
}

/* ---- Random input ---------------------------------------------------------------------------- */

static uint64_t random_state;

static unsigned any_below(unsigned n)
{
    random_state ^= random_state >> 12;
    random_state ^= random_state << 25;
    random_state ^= random_state >> 27;
    return (unsigned)((random_state * UINT64_C(2685821657736338717)) >> 33) % n;
}

static void random_start(void)
{
    const char *given = getenv("WS_TEST_SEED");

    random_state = given ? strtoull(given, NULL, 10) : 4711;
    printf("WS_TEST_SEED=%" PRIu64 " ", random_state);
    random_state |= 1;
}

/* Makes a valid option; expected gets its value by the naive model. */
static void random_option(char *word, size_t size, struct values *expected)
{
    const unsigned n = any_below(1000000);

    switch (any_below(6)) {
    case 0:
        snprintf(word, size, "--count=%u", n);
        expected->count = n;
        break;
    case 1:
        snprintf(word, size, "--end=%u.5e1", n);
        expected->end = n * 10.0 + 5.0;
        break;
    case 2:
        snprintf(word, size, "--run=%u", n);
        snprintf(expected->run, sizeof(expected->run), "%u", n);
        break;
    case 3:
        snprintf(word, size, n % 2 ? "--quiet" : "--quiet=0");
        expected->quiet = n % 2;
        break;
    case 4:
        snprintf(word, size, "--nlp=%u000000", n);
        expected->nlp = n * UINT64_C(1000000);
        break;
    default:
        snprintf(word, size, "--small-flag=%u", n % 2);
        expected->small_flag = n % 2;
        break;
    }
}

static bool values_equal(const struct values *a, const struct values *b)
{
    return a->count == b->count && a->end == b->end && strcmp(a->run, b->run) == 0 &&
           a->quiet == b->quiet && a->nlp == b->nlp && a->small_flag == b->small_flag;
}

/* Valid options in random places, on the command line and in a file. The file counts first, then
 * the command line. */
static void test_random_right(void)
{
    static const char *const blanks[] = {" ", "\n", "\t \n", " # comment --count=0\n"};
    int wrong = 0;

    random_start();
    for (int round = 0; round < 300; round++) {
        struct values expected = defaults;
        char text[2000] = "", file_word[120], left[200] = "", word[60];
        const unsigned n = any_below(10), file_at = any_below(10);

        for (unsigned i = any_below(10); i > 0; i--) {
            random_option(word, sizeof(word), &expected);
            strcat(strcat(text, word), blanks[any_below(4)]);
        }
        file_write(text, strlen(text));
        snprintf(file_word, sizeof(file_word), "--args-file=%s", file_name);
        run_reset();
        for (unsigned i = 0; i < 10; i++) {
            if (i == file_at) {
                run_add_word(file_word);
            } else if (i < n) {
                random_option(word, sizeof(word), &expected);
                run_add_word(word);
            } else if (any_below(2)) {
                snprintf(word, sizeof(word), "w%u", i);
                run_add_word(word);
                strcat(strcat(left, left[0] == '\0' ? "" : " "), word);
            }
        }
        run_parse();
        wrong +=
            run.status != TW_OK || !values_equal(&values, &expected) || strcmp(rest(), left) != 0;
    }
    remove(file_name);
    CU_ASSERT_EQUAL(wrong, 0);
}

/* Random pieces: no crash, and errors change nothing. */
static void random_garbage(char *text, size_t size)
{
    static const char *const pieces[] = {
        "--",         "-",  "=",    "count",  "nlp",      "quiet",     "end",     "run",
        "1",          "0",  "9999", "nan",    "e",        ".",         "x",       "\"",
        "'",          "#",  " ",    "\n",     "\x80\xff", "--count=1", "--quiet", "--args-file=",
        "small-flag", "-5", "\t",   "--run=", "h",
    };

    text[0] = '\0';
    for (unsigned i = any_below(7); i > 0; i--) {
        const char *piece = pieces[any_below(sizeof(pieces) / sizeof(*pieces))];
        if (strlen(text) + strlen(piece) + 1 < size) {
            strcat(text, piece);
        }
    }
}

static void test_random_garbage(void)
{
    int wrong = 0, accepted = 0;

    random_start();
    for (int round = 0; round < 5000; round++) {
        char text[200], word[200];
        random_garbage(text, sizeof(text));
        run_reset();
        if (any_below(10) == 0) {
            file_write(text, strlen(text));
            snprintf(word, sizeof(word), "--args-file=%s", file_name);
            run_add_word(word);
        }
        for (unsigned i = any_below(4); i > 0; i--) {
            random_garbage(word, sizeof(word));
            run_add_word(word);
        }
        const int argc = run.argc;
        run_parse();
        accepted += run.status == TW_OK;
        if (run.status != TW_OK) {
            wrong += run.argc != argc || memcmp(&values, &before, sizeof(values)) != 0;
            wrong += (run.error[0] == '\0') != (run.status == TW_ERR_HELP);
            wrong += strpbrk(run.error, "\n\t\033") != NULL;
        } else {
            wrong += run.argc > argc || run.error[0] != '\0';
        }
    }
    remove(file_name);
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT(accepted > 100 && accepted < 4900);
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"args file", test_file},
        {"args file yields to the command line", test_file_yields},
        {"errors in args files", test_file_errors},
        {"args files that cannot be read", test_file_unreadable},
        {"random options against a naive model", test_random_right},
        {"random garbage", test_random_garbage},
    };
    return suite_run("options in files", tests, sizeof tests / sizeof *tests);
}
