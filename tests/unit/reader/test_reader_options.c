/* SPDX-License-Identifier: BSD-3-Clause */
/* Typed options: random words for each type against a naive judgement, what is stored, and what stays. */
/* test: libs=warpscope_reading */
#include <math.h>
#include <string.h>

#include "cli/args.h"
#include "support/suite.h"

enum colour { RED, GREEN, BLUE };
struct values {
    bool flag, second;
    const char *text, *path;
    uint32_t small;
    uint64_t large;
    double real;
    enum colour colour;
};
static const struct ws_option options[] = {
    {.name = "flag", .text = "", WS_INTO(struct values, flag)},
    {.name = "layout", .value_name = "long|wide", .text = "", WS_INTO(struct values, second)},
    {.name = "text", .value_name = "T", .text = "", WS_INTO(struct values, text)},
    {.name = "path", .value_name = "FILE", .text = "", WS_INTO(struct values, path), .min = 1},
    {.name = "small",
     .value_name = "N",
     .text = "",
     WS_INTO(struct values, small),
     .min = 2,
     .max = 900},
    {.name = "large", .value_name = "N", .text = "", WS_INTO(struct values, large)},
    {.name = "real",
     .value_name = "X",
     .text = "",
     WS_INTO(struct values, real),
     .min = 0.5,
     .max = 100},
    {.name = "colour", .value_name = "red|green|blue", .text = "", WS_INTO(struct values, colour)},
    {.name = NULL}};
enum { N_OPTIONS = sizeof options / sizeof options[0] - 1 };
static const struct ws_usage usage = {
    .name = "test", .operands = "FILE", .text = "", .options = options};

static const struct values before = {false, false, "none", "none", 7, 8, 9.5, BLUE};

/* Stores what an option means in *v. Returns false if the word is invalid. */
static bool model_take(struct values *v, int option, const char *word)
{
    static const char *const colours[] = {"red", "green", "blue"};
    char *end;
    double number = strtod(word, &end);
    bool is_hex = strpbrk(word, "xX") != NULL;
    bool is_number = *word != '\0' && *end == '\0' && !isnan(number) && !is_hex;
    bool is_whole = *word != '\0' && strspn(word, "0123456789") == strlen(word);
    switch (option) {
    case 0:
        v->flag = true;
        return true;
    case 1:
        v->second = strcmp(word, "wide") == 0;
        return v->second || strcmp(word, "long") == 0;
    case 2:
        v->text = word;
        return true;
    case 3:
        v->path = word;
        return word[0] != '\0';
    case 4:
        is_whole = is_whole && number >= 2 && number <= 900;
        v->small = is_whole ? (uint32_t)number : 0;
        return is_whole;
    case 5:
        v->large = is_whole ? strtoull(word, NULL, 10) : 0;
        return is_whole && number < 1.85e19;
    case 6:
        v->real = number;
        return is_number && number >= 0.5 && number <= 100;
    default:
        for (int i = 0; i < 3; i++) {
            if (strcmp(word, colours[i]) == 0) {
                v->colour = (enum colour)i;
                return true;
            }
        }
        return false;
    }
}

static bool equal(const struct values *a, const struct values *b)
{
    return a->flag == b->flag && a->second == b->second && a->text == b->text &&
           a->path == b->path && a->small == b->small && a->large == b->large &&
           a->real == b->real && a->colour == b->colour;
}

static void test_values(void)
{
    static const char *const words[] = {"",      "0",          "1",
                                        "2",     "899",        "900",
                                        "901",   "4294967296", "18446744073709551615",
                                        "1e20",  "0.5",        "0.49",
                                        "100",   "100.5",      "-3",
                                        "nan",   "inf",        "99999999999999999999",
                                        "long",  "wid",        "wide",
                                        "wider", "red",        "green|",
                                        "blue",  "r",          "0x1p3",
                                        "0X2"};
    uint64_t seed = suite_seed(), good = 0, wrong = 0;
    suite_print_seed("reader_options", seed);
    fflush(stderr);
    CU_ASSERT_PTR_NOT_NULL(freopen("/dev/null", "w", stderr));
    for (int round = 0; round < 20000; round++) {
        struct values values = before, model = before;
        struct ws_args args;
        char name[8] = "test", texts[3][64], *argv[8] = {name};
        int argc = 1, status = -1;
        bool valid = true, given[N_OPTIONS] = {false};
        for (uint64_t n = random_below(&seed, 4); n > 0; n--, argc++) {
            int option = (int)random_below(&seed, N_OPTIONS);
            const char *word = words[random_below(&seed, sizeof words / sizeof words[0])];
            bool has_value = options[option].value_name != NULL;
            snprintf(texts[argc - 1], 64, "--%s%s%s", options[option].name, has_value ? "=" : "",
                     has_value ? word : "");
            argv[argc] = texts[argc - 1];
            char *value = strchr(argv[argc], '=');
            valid = valid && model_take(&model, option, has_value ? value + 1 : "");
            given[option] = true;
        }
        bool taken = ws_args_parse(&args, &usage, &values, argc, argv, &status);
        wrong += taken != valid || (!taken && status != WS_EXIT_USAGE);
        for (int i = 0; taken && i < N_OPTIONS; i++) {
            wrong += ws_args_has(&args, options[i].name) != given[i];
        }
        wrong += taken && !equal(&values, &model);
        good += taken;
    }
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT_TRUE(good > 2000);
}

int main(void)
{
    static const CU_TestInfo tests[] = {{"values", test_values}};
    return suite_run("reader_options", tests, sizeof tests / sizeof tests[0]);
}
