/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Values of options: ranges, numbers of bytes with units, and long values in messages.
 */
#include "base/options.h"
#include "support/suite.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static struct {
    unsigned long long memory;
    uint32_t small;
    char text[4096];
    double share, warmup;
    unsigned slots;
} values;

static const tw_optdef table[] = {
    TWOPT_GROUP("Sizes"),
    TWOPT_BYTES("memory", values.memory, "room"),
    TWOPT_BYTES("small", values.small, "less room"),
    TWOPT_CHAR("text", values.text, "some text"),
    TWOPT_DOUBLE("share", values.share, "<0.5..0.75> of the time"),
    TWOPT_STIME("warmup", values.warmup, "<0|1e-3..> before statistics; 0: automatic"),
    TWOPT_UINT("slots", values.slots, "<0|16..32> of a rank; 0: automatic"),
    TWOPT_END(),
};

/* Parses one argument. Returns the error, or "". */
static const char *parse(const char *given)
{
    static char error[6000];
    struct options set = {.n_tables = 0};
    char name[] = "program", word[5000];
    char *argv[] = {name, word, NULL};
    int argc = 2;
    snprintf(word, sizeof(word), "%s", given);
    options_add(&set, table);
    enum tw_status status = options_parse(&set, &argc, argv, error, sizeof(error));
    CU_ASSERT_EQUAL(status, error[0] == '\0' ? TW_OK : TW_ERR_USAGE);
    return error;
}

/* The help of an option states the range of its values. */
static void test_ranges(void)
{
    static const char *const right[] = {"--share=0.5",    "--share=0.75", "--warmup=0",
                                        "--warmup=1e300", "--slots=0",    "--slots=16",
                                        "--slots=32"};
    static const char *const wrong[][2] = {
        {"--share=0.49", "must be from 0.5 to 0.75"},
        {"--share=0", "must be from 0.5 to 0.75"},
        {"--share=nan", "must be a finite number"},
        {"--warmup=1e-4", "must be 0, or at least 0.001"},
        {"--warmup=-1", "must be 0, or at least 0.001"},
        {"--slots=15", "must be 0, or a whole number from 16 to 32"},
        {"--slots=33", "must be 0, or a whole number from 16 to 32"},
        {"--share=", "write --share=0.5..0.75"},
        {"--warmup=", "write --warmup=TIME"}};
    for (size_t i = 0; i < COUNT(right); i++) {
        CU_ASSERT_STRING_EQUAL(parse(right[i]), "");
    }
    CU_ASSERT(values.share == 0.75 && values.warmup == 1e300 && values.slots == 32);
    for (size_t i = 0; i < COUNT(wrong); i++) {
        CU_ASSERT_PTR_NOT_NULL(strstr(parse(wrong[i][0]), wrong[i][1]));
    }
    CU_ASSERT(values.share == 0.75 && values.warmup == 1e300 && values.slots == 32);
}

static void test_bytes(void)
{
    static const struct {
        const char *word;
        unsigned long long bytes;
    } right[] = {{"--memory=0", 0},
                 {"--memory=500000", 500000},
                 {"--memory=0K", 0},
                 {"--memory=3K", 3072},
                 {"--memory=3k", 3072},
                 {"--memory=64M", 67108864},
                 {"--memory=5m", 5242880},
                 {"--memory=2G", 2147483648},
                 {"--memory=007g", 7516192768},
                 {"--memory=18446744073709551615", ULLONG_MAX},
                 {"--memory=17179869183G", 17179869183ull << 30}};
    for (size_t i = 0; i < COUNT(right); i++) {
        CU_ASSERT_STRING_EQUAL(parse(right[i].word), "");
        CU_ASSERT_EQUAL(values.memory, right[i].bytes);
    }
    CU_ASSERT_STRING_EQUAL(parse("--small=4194303K"), "");
    CU_ASSERT_EQUAL(values.small, 4294966272u);
}

static void test_wrong_bytes(void)
{
    static const char *const wrong[] = {"--memory=K",       "--memory=1KB",
                                        "--memory=1 K",     "--memory=-1K",
                                        "--memory=1.5G",    "--memory=1T",
                                        "--memory=1KK",     "--memory=17179869184G",
                                        "--memory=x",       "--memory=18446744073709551616",
                                        "--small=4194304K", "--small=4G"};
    values.memory = 77;
    for (size_t i = 0; i < COUNT(wrong); i++) {
        const char *error = parse(wrong[i]);
        CU_ASSERT_EQUAL(strncmp(error, wrong[i], strlen(wrong[i])), 0);
        CU_ASSERT_PTR_NOT_NULL(strstr(error, ": must be a number of bytes up to "));
        CU_ASSERT_PTR_NOT_NULL(strstr(error, ", such as 100000, 64K, 64M or 2G"));
    }
    CU_ASSERT_EQUAL(values.memory, 77);
    CU_ASSERT_PTR_NOT_NULL(strstr(parse("--memory="), "write --memory=SIZE"));
}

/* The help shows sizes in the form in which users write them. */
static void test_help(void)
{
    static const struct {
        unsigned long long bytes;
        const char *text;
    } cases[] = {{0, "(default 0)"},           {1000, "(default 1000)"},
                 {1024, "(default 1K)"},       {67108864, "(default 64M)"},
                 {3ull << 30, "(default 3G)"}, {3ull << 40, "(default 3072G)"}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct options set = {.n_tables = 0};
        char *help = NULL;
        size_t size = 0;
        FILE *f = open_memstream(&help, &size);
        values.memory = cases[i].bytes;
        options_add(&set, table);
        options_print_list(&set, f);
        fclose(f);
        CU_ASSERT_PTR_NOT_NULL(strstr(help, "--memory=SIZE"));
        CU_ASSERT_PTR_NOT_NULL(strstr(help, cases[i].text));
        free(help);
    }
}

/* ---- Values in messages ---------------------------------------------------------------------- */

static void test_echo(void)
{
    char out[OPTIONS_ECHO_MAX + 1];
    static const char exact[] = "0123456789012345678901234567890123456789";
    CU_ASSERT_STRING_EQUAL(options_echo("--a=b", out), "--a=b");
    CU_ASSERT_STRING_EQUAL(options_echo("", out), "");
    CU_ASSERT_STRING_EQUAL(options_echo(exact, out), exact);
    CU_ASSERT_STRING_EQUAL(options_echo("01234567890123456789x01234567890123456789", out),
                           "01234567890123456789...34567890123456789");
    /* no character is cut */
    CU_ASSERT_STRING_EQUAL(
        options_echo("0123456789012345678\xc3\xa4 and so on and so on and \xe2\x82\xac"
                     "123456789012345",
                     out),
        "0123456789012345678...123456789012345");
}

/* A message with such a value still ends with the reason, and is not much longer. */
static void test_long_values(void)
{
    static const char *const begins[] = {"--memory=", "--text=", "--no-such-option=", "-memory="};
    char word[4500];
    for (size_t i = 0; i < COUNT(begins); i++) {
        memset(word, 'x', sizeof(word));
        memcpy(word, begins[i], strlen(begins[i]));
        memcpy(word + sizeof(word) - 7, "theend", 7);
        const char *error = parse(word);
        CU_ASSERT_EQUAL(strncmp(error, begins[i], strlen(begins[i])), 0);
        CU_ASSERT_PTR_NOT_NULL(strstr(error, "x...xxxxxxx"));
        CU_ASSERT_PTR_NOT_NULL(strstr(error, "xtheend: "));
        CU_ASSERT(strlen(error) < 160);
    }
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"ranges", test_ranges},
        {"numbers of bytes", test_bytes},
        {"wrong numbers of bytes", test_wrong_bytes},
        {"bytes in the help", test_help},
        {"echoes", test_echo},
        {"values that are long", test_long_values},
    };
    return suite_run("option values", tests, COUNT(tests));
}
