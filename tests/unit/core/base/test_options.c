/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests of base/options: valid and invalid command lines.
 */
#include <locale.h>

#include "support/options_run.h"
#include "support/suite.h"

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

static void test_words(void)
{
    char text[16];
    PARSE("--word=off");
    CU_ASSERT_EQUAL(values.word, WORD_OFF);
    options_value_text(&run.set, "word", text, sizeof text);
    CU_ASSERT_STRING_EQUAL(text, "off");
    PARSE("--count=1");
    CU_ASSERT_EQUAL(values.word, WORD_AUTO);
    options_value_text(&run.set, "word", text, sizeof text);
    CU_ASSERT_STRING_EQUAL(text, "auto");
    options_value_text(&run.set, "no-such", text, sizeof text);
    CU_ASSERT_STRING_EQUAL(text, "");
    static const char *const wrong[] = {"of", "offf", "OFF", "auto|on", "|", "2", "<auto"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char word[32];
        snprintf(word, sizeof word, "--word=%s", wrong[i]);
        PARSE(word);
        CHECK_ERROR(word, "must be auto, on or off");
        CU_ASSERT_EQUAL(values.word, WORD_AUTO);
    }
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
    run.set.keeps_tail = true; /* models for ROSS take argv[2] with and without "--" */
    run_add_word("--count=5");
    run_add_word("file");
    run_parse();
    CU_ASSERT_EQUAL(run.argc, 2);
    CU_ASSERT_STRING_EQUAL(run.argv[1], "file");
    CU_ASSERT_STRING_EQUAL(run.argv[2], "file");
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

static void test_ranges(void)
{
    static const char *const wrong[] = {"--level=-1", "--level=4", "--level=x", "--level="};
    char text[16];
    for (size_t i = 0; i + 1 < sizeof wrong / sizeof *wrong; i++) {
        PARSE(wrong[i]);
        CHECK_ERROR(wrong[i], "must be a whole number from 0 to 3");
    }
    PARSE(wrong[3]);
    CHECK_ERROR("write --level=0..3");
    PARSE("--step=0");
    CHECK_ERROR("--step=0", "must be a whole number from 1 to 65535");
    PARSE("--step=");
    CHECK_ERROR("write --step=N");
    PARSE("--level=3", "--step=65535");
    CU_ASSERT_EQUAL(values.level, 3);
    CU_ASSERT_EQUAL(values.step, 65535);
    options_value_text(&run.set, "level", text, sizeof text);
    CU_ASSERT_STRING_EQUAL(text, "3");
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

/* Scripts for ROSS abbreviate options: --sync=1 for --synch. */
static void test_prefixes(void)
{
    PARSE("--co=5", "--arg=/dev/null", "--qui", "--small_f=0");
    CU_ASSERT(run.status == TW_OK && values.count == 5 && values.quiet == 1);
    CU_ASSERT(!values.small_flag && options_was_given(&run.set, "small-flag"));
    CU_ASSERT_PTR_NULL(run.set.not_taken);

    PARSE("--run=x"); /* the whole name, although another name begins with it */
    CU_ASSERT(run.status == TW_OK && strcmp(values.run, "x") == 0);
    CU_ASSERT_PTR_NULL(run.set.not_taken);
    PARSE("--run-twice"); /* a name that differs in a dash */
    CU_ASSERT(run.status == TW_OK && values.run_twice == 1 && strcmp(values.run, "none") == 0);

    PARSE("--ru=x"); /* the first in the tables; the caller learns of the other */
    CU_ASSERT(run.status == TW_OK && strcmp(values.run, "x") == 0 && values.run_twice == 0);
    CU_ASSERT_PTR_NOT_NULL_FATAL(run.set.not_taken);
    CU_ASSERT_STRING_EQUAL(run.set.taken->name, "run");
    CU_ASSERT_STRING_EQUAL(run.set.not_taken->name, "run_twice");
    PARSE("--r=0.5"); /* one of three candidates */
    CU_ASSERT(run.status == TW_OK && values.remote > 0.4);
    CU_ASSERT_STRING_EQUAL(run.set.not_taken->name, "run");
    PARSE("--quietly"); /* longer than the name */
    CHECK_ERROR("nearest is --quiet");
}

#define EN_DASH "\xe2\x80\x93"
#define MINUS   "\xe2\x88\x92"

static void test_unknown_names(void)
{
    PARSE("--cuont=5");
    CHECK_ERROR("--cuont=5", "no such option", "nearest is --count", "--help");
    PARSE("--edn=5"); /* a swap counts as one change, so this is nearer than --run */
    CHECK_ERROR("nearest is --end,");
    PARSE("--remotes");
    CHECK_ERROR("nearest is --remote,");
    PARSE("--COUNT=5");
    CHECK_ERROR("no such option");
    PARSE("--xylophone-music=5");
    CHECK_ERROR("--xylophone-music=5: no such option; --help=all lists all");
    PARSE("--=5");
    CHECK_ERROR("--=5: no such option");
    PARSE("---count=5");
    CHECK_ERROR("nearest is --count");
    PARSE("-count=5");
    CHECK_ERROR("-count=5", "two hyphens", "write --count=5");
    PARSE("count=5");
    CHECK_ERROR("count=5", "two hyphens", "write --count=5");
    PARSE(EN_DASH "count=5");
    CHECK_ERROR("two hyphens", "write --count=5");
    PARSE("-" MINUS MINUS "unknown");
    CHECK_ERROR("two hyphens", "write --unknown");
    PARSE("other=5", "count", "x" EN_DASH "y", "-x", "--",
          EN_DASH "z"); /* all options are the model's */
    CU_ASSERT_EQUAL(run.status, TW_OK);
    CU_ASSERT_EQUAL(run.argc, 7);
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
    CU_ASSERT_EQUAL(run.set.asked, OPTIONS_ASKED_HELP);
    PARSE("--help", "--help=all", "-h");
    CU_ASSERT_EQUAL(run.status, TW_ERR_HELP);
    CU_ASSERT_EQUAL(run.set.asked, OPTIONS_ASKED_HELP_ALL);
    PARSE("--count=5");
    CU_ASSERT_EQUAL(run.set.asked, OPTIONS_ASKED_NOTHING);
    PARSE("--help=1");
    CHECK_ERROR("--help=1: write --help or --help=all");
}

static void test_version_wanted(void)
{
    static unsigned number;
    static const tw_optdef own[] = {TWOPT_UINT("version", number, "of the file"), TWOPT_END()};

    PARSE("--version");
    CHECK_ERROR("--version: no such option");
    run_reset();
    run.set.has_version = true;
    run_add_word("--version");
    run_parse();
    CU_ASSERT_EQUAL(run.status, TW_ERR_HELP);
    CU_ASSERT_EQUAL(run.set.asked, OPTIONS_ASKED_VERSION);
    run_add_word("--help");
    run_parse();
    CU_ASSERT_EQUAL(run.set.asked, OPTIONS_ASKED_HELP);
    run_reset(); /* an option of the model with that name takes precedence */
    run.set.has_version = true;
    options_add(&run.set, own);
    run_add_word("--version=5");
    run_parse();
    CU_ASSERT_EQUAL(run.status, TW_OK);
    CU_ASSERT_EQUAL(number, 5);
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"all types", test_all_types},
        {"flags", test_flags},
        {"words", test_words},
        {"last one wins", test_last_wins},
        {"was given", test_was_given},
        {"other arguments stay", test_rest_stays},
        {"wrong whole numbers", test_bad_numbers},
        {"ranges", test_ranges},
        {"wrong real numbers", test_bad_reals},
        {"locale", test_locale},
        {"text that is too long", test_bad_text},
        {"missing values", test_missing_values},
        {"unknown names", test_unknown_names},
        {"prefixes of names", test_prefixes},
        {"small buffer for the error", test_small_error_buffer},
        {"help is asked for", test_help_wanted},
        {"the version is asked for", test_version_wanted},
    };
    return suite_run("options", tests, sizeof tests / sizeof *tests);
}
