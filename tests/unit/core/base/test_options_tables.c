/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests of base/options: tables with errors or many options, and the help generated from them.
 */
#include "support/options_run.h"
#include "support/suite.h"

/* ---- Tables ---------------------------------------------------------------------------------- */

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
    static const tw_optdef no_words[] = {TWOPT_WORD("word", number, "<DIR> one"), TWOPT_END()};
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
    parse_table(no_words);
    CHECK_ERROR("--word", "begin with its words");
    parse_table(table_model); /* a second free is harmless */
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

/* ---- Help ------------------------------------------------------------------------------------ */

static void test_help_text(void)
{
    static const char expected[] =
        "usage: model [--option=value ...] [--] [arguments of the model]\n"
        "\n"
        "  -h, --help                show this help and exit\n"
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
        "  --path=DIR                where to\n"
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
        TWOPT_CHAR("path", values.path, "<DIR> where to"),
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

/* Returns the output of a function. */
static char *printed(void (*print)(const struct options *set, FILE *out))
{
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);

    CU_ASSERT_FATAL(f != NULL);
    print(&run.set, f);
    fclose(f);
    return text;
}

static bool is_models(const tw_optdef *table)
{
    return table != table_kernel;
}

static void print_brief(const struct options *set, FILE *out)
{
    static const char *const names[] = {"kps", "no-such", "end", NULL};
    static const struct options_choice choice = {"Engine", names};

    options_print_brief(set, "model", is_models, &choice, 1, out);
}

static void test_brief_help(void)
{
    static const char expected[] =
        "usage: model [--option=value ...] [--] [arguments of the model]\n"
        "\n"
        "  -h, --help                show this help and exit\n"
        "  --version                 show versions and exit\n"
        "\n"
        "  --nlp=N                   LPs (default 8)\n"
        "\n"
        "Last:\n"
        "  --mode=a|b                <no-word text (default none)\n"
        "\n"
        "Engine:\n"
        "  --kps=N                   kernel processes (default 16)\n"
        "  --end=TIME                end time (default 100000)\n"
        "\n"
        "--help=all shows all 8 options.\n";
    static const tw_optdef models[] = {
        TWOPT_UINT("nlp", values.nlp, "LPs"),
        TWOPT_GROUP("Without an effect"),
        TWOPT_UINT("old", values.port, "no effect: gone"),
        TWOPT_GROUP("Last"),
        TWOPT_CHAR("mode", values.run, "<a|b> <no-word text"),
        TWOPT_END(),
    };

    memset(&run, 0, sizeof(run));
    values = defaults;
    run.set.has_version = true;
    options_add(&run.set, models);
    options_add(&run.set, table_kernel);
    char *help = printed(print_brief);
    CU_ASSERT_STRING_EQUAL(help, expected);
    free(help);
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"tables that are wrong", test_wrong_tables},
        {"as many tables and options as fit", test_many_tables},
        {"short help", test_brief_help},
        {"help text", test_help_text},
    };
    return suite_run("tables of options", tests, sizeof tests / sizeof *tests);
}
