/*
 * Tests of base/options: right and wrong command lines, args files, help, and random input against
 * a naive model.
 */
#include <CUnit/Basic.h>
#include <fcntl.h>
#include <locale.h>
#include <unistd.h>

#include "base/options.h"
#include "support/suite.h"

#define MAX_WORDS 40

/* One variable of each type, and what ROSS models do besides: other sizes, old initialisers. */
static struct values {
    unsigned int count;
    unsigned long kps;
    unsigned long long rate;
    tw_stime end;
    double remote;
    char run[8];
    unsigned int quiet;
    char args[100];
    uint64_t nlp;
    bool small_flag;
    float ratio;
    uint16_t port;
    char path[1024];
} values, before;

static const struct values defaults = {.count = 3,
                                       .kps = 16,
                                       .rate = 1,
                                       .end = 100000.0,
                                       .remote = 0.1,
                                       .run = "none",
                                       .quiet = 0,
                                       .nlp = 8,
                                       .small_flag = true,
                                       .ratio = 0.3f,
                                       .port = 80};

static const tw_optdef table_kernel[] = {
    TWOPT_GROUP("Kernel"),
    TWOPT_UINT("count", values.count, "a count"),
    TWOPT_ULONG("kps", values.kps, "kernel processes"),
    TWOPT_ULONGLONG("rate", values.rate, "a rate"),
    TWOPT_STIME("end", values.end, "end time"),
    TWOPT_ARGSFILE("args-file", values.args, "file with further options"),
    TWOPT_END(),
};

static const tw_optdef table_model[] = {
    TWOPT_GROUP("Model"),
    TWOPT_DOUBLE("remote", values.remote, "share of remote events"),
    TWOPT_CHAR("run", values.run, "name of the run"),
    TWOPT_FLAG("quiet", values.quiet, "say less"),
    TWOPT_UINT("nlp", values.nlp, "LPs per PE"),
    TWOPT_FLAG("small-flag", values.small_flag, "a flag that is a bool"),
    TWOPT_DOUBLE("ratio", values.ratio, "a float"),
    TWOPT_UINT("port", values.port, "two bytes"),
    {.type = TWOPTTYPE_CHAR, .name = "path", .help = "old initialiser", .value = values.path},
    TWOPT_END(),
};

/* A command line, its result, and what is left of it. */
static struct run {
    struct options set;
    int argc;
    char *argv[MAX_WORDS + 2];
    char words[MAX_WORDS + 1][2048];
    enum tw_status status;
    char error[400];
} run;

static void run_reset(void)
{
    memset(&run, 0, sizeof(run));
    values = defaults;
    options_add(&run.set, table_model);
    options_add(&run.set, table_kernel);
    run.argv[0] = strcpy(run.words[0], "model");
    run.argc = 1;
}

static void run_add_word(const char *word)
{
    snprintf(run.words[run.argc], sizeof(run.words[0]), "%s", word);
    run.argv[run.argc] = run.words[run.argc];
    run.argc++;
    run.argv[run.argc] = NULL;
}

static void run_parse(void)
{
    before = values;
    run.status = options_parse(&run.set, &run.argc, run.argv, run.error, sizeof(run.error));
}

/* Parses words, a NULL-terminated list. */
static void parse(const char *const *words)
{
    run_reset();
    for (; *words != NULL; words++) {
        run_add_word(*words);
    }
    run_parse();
}

#define PARSE(...) parse((const char *const[]){__VA_ARGS__, NULL})

/* An error changes nothing and is one line that contains all parts. */
static void check_error(const char *const *parts)
{
    int i = 0;

    CU_ASSERT_EQUAL(run.status, TW_ERR_USAGE);
    CU_ASSERT_EQUAL(memcmp(&values, &before, sizeof(values)), 0);
    CU_ASSERT_PTR_NULL(strchr(run.error, '\n'));
    for (; *parts != NULL; parts++) {
        if (strstr(run.error, *parts) == NULL) {
            printf("\n    \"%s\" does not say \"%s\" ", run.error, *parts);
            CU_FAIL("wrong message");
        }
    }
    while (run.argv[i] != NULL) {
        CU_ASSERT_PTR_EQUAL(run.argv[i], run.words[i]);
        i++;
    }
    CU_ASSERT_EQUAL(i, run.argc);
    CU_ASSERT_FALSE(options_was_given(&run.set, "count"));
}

#define CHECK_ERROR(...) check_error((const char *const[]){__VA_ARGS__, NULL})

/* What stayed in argv behind the program's name, joined by blanks. */
static const char *rest(void)
{
    static char text[2048];

    text[0] = '\0';
    for (int i = 1; i < run.argc; i++) {
        snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%s", i > 1 ? " " : "",
                 run.argv[i]);
    }
    CU_ASSERT_PTR_NULL(run.argv[run.argc]);
    return text;
}

static void test_all_types(void)
{
    PARSE("--count=7", "--kps=18446744073709551615", "--rate=0", "--end=1e3", "--remote=-0.25",
          "--run=1234567", "--quiet", "--nlp=5000000000", "--small-flag=0", "--ratio=0.5",
          "--port=65535", "--path=a=b c");
    CU_ASSERT_EQUAL(run.status, TW_OK);
    CU_ASSERT_STRING_EQUAL(run.error, "");
    CU_ASSERT_EQUAL(values.count, 7);
    CU_ASSERT_EQUAL(values.kps, ULONG_MAX);
    CU_ASSERT_EQUAL(values.rate, 0);
    CU_ASSERT_EQUAL(values.end, 1000.0);
    CU_ASSERT_EQUAL(values.remote, -0.25);
    CU_ASSERT_STRING_EQUAL(values.run, "1234567");
    CU_ASSERT_EQUAL(values.quiet, 1);
    CU_ASSERT_EQUAL(values.nlp, 5000000000u);
    CU_ASSERT_EQUAL(values.small_flag, false);
    CU_ASSERT_EQUAL(values.ratio, 0.5f);
    CU_ASSERT_EQUAL(values.port, 65535);
    CU_ASSERT_STRING_EQUAL(values.path, "a=b c");
    CU_ASSERT_EQUAL(run.argc, 1);
}

static void test_flags(void)
{
    PARSE("--quiet=1", "--small-flag");
    CU_ASSERT(values.quiet == 1 && values.small_flag);
    PARSE("--quiet", "--quiet=0", "--small-flag=0");
    CU_ASSERT(values.quiet == 0 && !values.small_flag);
    PARSE("--quiet=2");
    CHECK_ERROR("--quiet=2", "0 or 1");
    PARSE("--quiet=");
    CHECK_ERROR("--quiet=", "0 or 1");
    PARSE("--quiet=yes");
    CHECK_ERROR("--quiet=yes", "0 or 1");
}

static void test_last_wins(void)
{
    PARSE("--count=1", "--run=a", "--count=2", "--run=b");
    CU_ASSERT_EQUAL(values.count, 2);
    CU_ASSERT_STRING_EQUAL(values.run, "b");
}

static void test_was_given(void)
{
    PARSE("--nlp=4", "--args-file=/dev/null");
    CU_ASSERT(options_was_given(&run.set, "nlp"));
    CU_ASSERT(options_was_given(&run.set, "args-file"));
    CU_ASSERT_FALSE(options_was_given(&run.set, "count"));
    CU_ASSERT_FALSE(options_was_given(&run.set, "no-such"));
    CU_ASSERT_STRING_EQUAL(values.args, "/dev/null");
    run.argc = 1; /* a second, empty command line */
    run_parse();
    CU_ASSERT_FALSE(options_was_given(&run.set, "nlp"));
}

static void test_rest_stays(void)
{
    PARSE("one", "--count=5", "-x", "two", "--quiet", "-", "-5", "three");
    CU_ASSERT_EQUAL(run.status, TW_OK);
    CU_ASSERT_STRING_EQUAL(rest(), "one -x two - -5 three");
    PARSE("--count=5", "--", "--count=6", "--help", "--no-such", "--");
    CU_ASSERT_EQUAL(run.status, TW_OK);
    CU_ASSERT_EQUAL(values.count, 5);
    CU_ASSERT_STRING_EQUAL(rest(), "-- --count=6 --help --no-such --");
    PARSE("a", "b");
    CU_ASSERT_STRING_EQUAL(rest(), "a b");
    PARSE("");
    CU_ASSERT_EQUAL(run.argc, 2);
    run_reset();
    run.argc = 0; /* a program may be started with no arguments at all */
    run.argv[0] = NULL;
    run_parse();
    CU_ASSERT_EQUAL(run.status, TW_OK);
    CU_ASSERT_EQUAL(run.argc, 0);
}

static void test_bad_numbers(void)
{
    static const char *const wrong[] = {
        "--count=-1",
        "--count=4294967296",
        "--count=1x",
        "--count=1.5",
        "--count=0x10",
        "--count= 1",
        "--count=+1",
        "--count=1 ",
        "--count=one",
        "--count==1",
        "--count=1e3",
        "--kps=-1",
        "--nlp=-1",
        "--port=65536",
        "--rate=18446744073709551616",
        "--rate=99999999999999999999999",
    };

    for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
        PARSE("--count=9", wrong[i]);
        CHECK_ERROR(wrong[i], "whole number from 0 to");
    }
    PARSE("--count=4294967296");
    CHECK_ERROR("from 0 to 4294967295");
    PARSE("--count=4294967295");
    CU_ASSERT_EQUAL(values.count, UINT_MAX);
    PARSE("--rate=18446744073709551615");
    CU_ASSERT_EQUAL(values.rate, ULLONG_MAX);
}

static void test_bad_reals(void)
{
    static const char *const wrong[] = {
        "--end=nan",  "--end=NAN(1)", "--end=inf",    "--end=-infinity", "--end=1e999",
        "--end=1e5x", "--end=x",      "--end= 1",     "--end=1 ",        "--end=1,5",
        "--end=--5",  "--remote=nan", "--remote=inf", "--ratio=1e39",    "--remote=.",
    };

    for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
        PARSE("--remote=0.5", wrong[i]);
        CHECK_ERROR(wrong[i], "finite number");
    }
    PARSE("--end=1e-320", "--remote=.5", "--ratio=-3");
    CU_ASSERT_EQUAL(run.status, TW_OK);
    CU_ASSERT_EQUAL(values.end, 1e-320);
    CU_ASSERT_EQUAL(values.remote, 0.5);
    CU_ASSERT_EQUAL(values.ratio, -3.0f);
}

/* Numbers keep their decimal point where the program's locale writes commas. */
static void test_locale(void)
{
    char *help = NULL;
    size_t size = 0;

    if (setlocale(LC_NUMERIC, "de_DE.UTF-8") == NULL && setlocale(LC_NUMERIC, "fr_FR") == NULL) {
        printf("(no such locale here) ");
    }
    PARSE("--end=1.5");
    CU_ASSERT_EQUAL(values.end, 1.5);
    FILE *f = open_memstream(&help, &size);
    CU_ASSERT_FATAL(f != NULL);
    options_print_help(&run.set, "model", f);
    fclose(f);
    CU_ASSERT_PTR_NOT_NULL(strstr(help, "(default 1.5)"));
    CU_ASSERT_PTR_NOT_NULL(strstr(help, "(default 0.1)"));
    free(help);
    setlocale(LC_NUMERIC, "C");
}

static void test_bad_text(void)
{
    char word[1100];

    PARSE("--run=12345678");
    CHECK_ERROR("--run=12345678", "longer than 7 bytes");
    memset(word, 'x', sizeof(word));
    memcpy(word, "--path=", 7);
    word[7 + 1024] = '\0';
    PARSE(word);
    CHECK_ERROR("--path=xx", "longer than 1023 bytes");
    word[7 + 1023] = '\0';
    PARSE(word);
    CU_ASSERT_EQUAL(run.status, TW_OK);
    CU_ASSERT_EQUAL(strlen(values.path), 1023);
}

static void test_missing_values(void)
{
    PARSE("--count=");
    CHECK_ERROR("--count=", "needs a value: write --count=N");
    PARSE("--run=");
    CHECK_ERROR("--run=", "needs a value: write --run=TEXT");
    PARSE("--end");
    CHECK_ERROR("--end", "write --end=TIME");
    PARSE("--count", "64");
    CHECK_ERROR("--count 64", "write --count=64");
    PARSE("--count", "--quiet");
    CHECK_ERROR("write --count=N");
    PARSE("--args-file");
    CHECK_ERROR("write --args-file=FILE");
}

static void test_unknown_names(void)
{
    PARSE("--cuont=5");
    CHECK_ERROR("--cuont=5", "no such option", "nearest is --count", "--help");
    PARSE("--edn=5"); /* a swap counts once, so that this is nearer than --run */
    CHECK_ERROR("nearest is --end,");
    PARSE("--remotes");
    CHECK_ERROR("nearest is --remote,");
    PARSE("--args=x"); /* an abbreviation */
    CHECK_ERROR("nearest is --args-file");
    PARSE("--co=5");
    CHECK_ERROR("nearest is --count");
    PARSE("--COUNT=5");
    CHECK_ERROR("no such option");
    PARSE("--xylophone-music=5");
    CHECK_ERROR("--xylophone-music=5: no such option; --help lists all");
    PARSE("--=5");
    CHECK_ERROR("--=5: no such option");
    PARSE("---count=5");
    CHECK_ERROR("nearest is --count");
    PARSE("-count=5");
    CHECK_ERROR("-count=5", "two dashes", "write --count=5");
    PARSE("--no\n\033[31msuch");
    CHECK_ERROR("--no??[31msuch");
}

static void test_small_error_buffer(void)
{
    run_reset();
    run_add_word("--no-such-option-anywhere");
    CU_ASSERT_EQUAL(options_parse(&run.set, &run.argc, run.argv, run.error, 1), TW_ERR_USAGE);
    CU_ASSERT_STRING_EQUAL(run.error, "");
    CU_ASSERT_EQUAL(options_parse(&run.set, &run.argc, run.argv, run.error, 5), TW_ERR_USAGE);
    CU_ASSERT_STRING_EQUAL(run.error, "--no");
}

static void test_help_wanted(void)
{
    PARSE("--count=5", "--help");
    CU_ASSERT_EQUAL(run.status, TW_ERR_HELP);
    CU_ASSERT_EQUAL(values.count, 3);
    CU_ASSERT_EQUAL(run.argc, 3);
    PARSE("--wrong", "-h");
    CU_ASSERT_EQUAL(run.status, TW_ERR_HELP);
    PARSE("--help=1");
    CHECK_ERROR("no such option");
}

/* ---- Args files ---- */

static char file_name[100];

static void file_write(const char *text, size_t size)
{
    snprintf(file_name, sizeof(file_name), "options-test-%ld.args", (long)getpid());
    FILE *f = fopen(file_name, "w");

    CU_ASSERT_FATAL(f != NULL);
    CU_ASSERT_EQUAL(fwrite(text, 1, size, f), size);
    fclose(f);
}

/* Parses words before the file, the file, and words behind it. */
static void parse_with_file(const char *text, const char *first, const char *last)
{
    char word[200];

    file_write(text, strlen(text));
    snprintf(word, sizeof(word), "--args-file=%s", file_name);
    run_reset();
    if (first != NULL) {
        run_add_word(first);
    }
    run_add_word(word);
    if (last != NULL) {
        run_add_word(last);
    }
    run_parse();
    remove(file_name);
}

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
    parse_with_file("--count=4 \n--quiet --cont=5", NULL, NULL);
    snprintf(place, sizeof(place), "%s:2: --cont=5", file_name);
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

/* ---- Tables ---- */

static void parse_table(const tw_optdef *table)
{
    run_reset();
    options_add(&run.set, table);
    run_parse();
}

static void test_wrong_tables(void)
{
    static unsigned number;
    static long double wide;
    static const tw_optdef same_name[] = {TWOPT_UINT("count", number, ""), TWOPT_END()};
    static const tw_optdef too_wide[] = {TWOPT_DOUBLE("wide", wide, ""), TWOPT_END()};
    static const tw_optdef odd[] = {{TWOPTTYPE_UINT, "odd", "", &number, 3}, TWOPT_END()};
    static const tw_optdef no_name[] = {TWOPT_UINT(NULL, number, ""), TWOPT_END()};
    static const tw_optdef bad_name[] = {TWOPT_UINT("a=b", number, ""), TWOPT_END()};
    static const tw_optdef no_value[] = {{TWOPTTYPE_UINT, "null", "", NULL, 4}, TWOPT_END()};
    static const tw_optdef no_type[] = {{(tw_opttype)99, "what", "", &number, 4}, TWOPT_END()};

    parse_table(same_name);
    CHECK_ERROR("two options --count");
    parse_table(too_wide);
    CHECK_ERROR("--wide", "double");
    parse_table(odd);
    CHECK_ERROR("--odd", "unsigned integer");
    parse_table(no_name);
    CHECK_ERROR("needs a name");
    parse_table(bad_name);
    CHECK_ERROR("--a=b", "needs a name");
    parse_table(no_value);
    CHECK_ERROR("--null", "no variable");
    parse_table(no_type);
    CHECK_ERROR("--what", "type is unknown");
    parse_table(table_model); /* a second time: no harm */
    CU_ASSERT_EQUAL(run.status, TW_OK);
    CU_ASSERT_EQUAL(run.set.n_tables, 2);
}

static void test_many_tables(void)
{
    static tw_optdef empty[OPTIONS_MAX_TABLES + 1][1];
    static tw_optdef long_table[OPTIONS_MAX + 1];
    static unsigned numbers[OPTIONS_MAX];
    static char names[OPTIONS_MAX][8];

    memset(&run, 0, sizeof(run));
    for (unsigned i = 0; i < OPTIONS_MAX_TABLES; i++) {
        options_add(&run.set, empty[i]);
    }
    run_parse();
    CU_ASSERT_EQUAL(run.status, TW_OK);
    run_reset();
    for (unsigned i = 0; i <= OPTIONS_MAX_TABLES; i++) {
        options_add(&run.set, empty[i]);
    }
    run_parse();
    CHECK_ERROR("too many options");
    for (unsigned i = 0; i < OPTIONS_MAX; i++) {
        snprintf(names[i], sizeof(names[i]), "n%u", i);
        long_table[i] = (tw_optdef){TWOPTTYPE_UINT, names[i], "", &numbers[i], 4};
    }
    parse_table(long_table);
    CHECK_ERROR("too many options");
    memset(&run, 0, sizeof(run));
    options_add(&run.set, long_table);
    run.argc = 1;
    run_add_word("--n1023=5");
    run_parse();
    CU_ASSERT_EQUAL(run.status, TW_OK);
    CU_ASSERT_EQUAL(numbers[1023], 5);
    CU_ASSERT(options_was_given(&run.set, "n1023"));
}

/* ---- Help ---- */

static void test_help_text(void)
{
    static const char expected[] =
        "usage: model [--option=value ...] [--] [arguments of the model]\n"
        "\n"
        "  -h, --help                show this and do nothing else\n"
        "\n"
        "Things:\n"
        "  --count=N                 one two three four five six seven eight nine ten\n"
        "                            eleven twelve (default 3)\n"
        "  --a-name-that-is-quite-long=TIME\n"
        "                            ends (default 100000)\n"
        "  --kps=N                   the default is not torn apart, as you see\n"
        "                            (default 16)\n"
        "  --quiet                   sh! sh!\n"
        "  --small-flag              here on (default on)\n"
        "  --run=TEXT                \xc3\xa4\xc3\xb6\xc3\xbc\xc3\xa4\xc3\xb6\xc3\xbc 123456789 "
        "123456789 123456789 123456789 12345\n"
        "                            (default none)\n"
        "  --path=TEXT               \n"
        "  --remote=X                (default 0.1)\n";
    static const tw_optdef table[] = {
        TWOPT_GROUP("Things"),
        TWOPT_UINT("count", values.count,
                   "one two three four five  six\nseven eight nine ten eleven twelve"),
        TWOPT_STIME("a-name-that-is-quite-long", values.end, "ends"),
        TWOPT_ULONG("kps", values.kps, "the default is not torn apart, as you see"),
        TWOPT_FLAG("quiet", values.quiet, "sh! sh!"),
        TWOPT_FLAG("small-flag", values.small_flag, "here on"),
        TWOPT_CHAR("run", values.run,
                   "\xc3\xa4\xc3\xb6\xc3\xbc\xc3\xa4\xc3\xb6\xc3\xbc 123456789 123456789 123456789 "
                   "123456789 12345"),
        TWOPT_CHAR("path", values.path, NULL),
        TWOPT_DOUBLE("remote", values.remote, ""),
        TWOPT_END(),
    };
    char *help = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&help, &size);

    CU_ASSERT_FATAL(f != NULL);
    memset(&run, 0, sizeof(run));
    values = defaults;
    options_add(&run.set, table);
    options_print_help(&run.set, "model", f);
    fclose(f);
    if (strcmp(help, expected) != 0) {
        printf("\n%s", help);
    }
    CU_ASSERT_STRING_EQUAL(help, expected);
    free(help);
}

/* ---- Random input ---- */

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

/* One right option; expected gets its value as the naive model sees it. */
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

/* Right options in random places, on the line and in a file: first the file counts, then the line.
 */
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

/* Random pieces: nothing breaks, and errors change nothing. */
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
        {"all types", test_all_types},
        {"flags", test_flags},
        {"last one wins", test_last_wins},
        {"was given", test_was_given},
        {"other arguments stay", test_rest_stays},
        {"wrong whole numbers", test_bad_numbers},
        {"wrong real numbers", test_bad_reals},
        {"locale", test_locale},
        {"text that is too long", test_bad_text},
        {"missing values", test_missing_values},
        {"unknown names", test_unknown_names},
        {"small buffer for the error", test_small_error_buffer},
        {"help is asked for", test_help_wanted},
        {"args file", test_file},
        {"args file yields to the command line", test_file_yields},
        {"errors in args files", test_file_errors},
        {"args files that cannot be read", test_file_unreadable},
        {"tables that are wrong", test_wrong_tables},
        {"as many tables and options as fit", test_many_tables},
        {"help text", test_help_text},
        {"random options against a naive model", test_random_right},
        {"random garbage", test_random_garbage},
    };
    return suite_run("options", tests, sizeof tests / sizeof *tests);
}
