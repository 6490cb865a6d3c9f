/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * options_run.h - command lines for tests of base/options: tables of options of every type, a
 * command line built word by word or with an args file, and the results of parsing it.
 */
#ifndef WARPSCOPE_TESTS_OPTIONS_RUN_H
#define WARPSCOPE_TESTS_OPTIONS_RUN_H

#include <CUnit/Basic.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/options.h"

#define MAX_WORDS 40

/* One variable of each type, and the uses of ROSS models: other sizes, old initialisers. */
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
    unsigned int level;
    uint16_t step;
    unsigned int run_twice;
    char path[1024];
    enum { WORD_AUTO, WORD_ON, WORD_OFF } word;
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
    TWOPT_UINT("level", values.level, "<0..3> one of four"),
    TWOPT_UINT("step", values.step, "<1..> not zero"),
    TWOPT_FLAG("run_twice", values.run_twice, "begins as another, with an underscore"),
    TWOPT_WORD("word", values.word, "<auto|on|off> one of three"),
    {.type = TWOPTTYPE_CHAR, .name = "path", .help = "old initialiser", .value = values.path},
    TWOPT_END(),
};

/* A command line, its result, and the remaining arguments. */
static struct run {
    struct options set;
    int argc;
    char *argv[MAX_WORDS + 2];
    char words[MAX_WORDS + 1][2048];
    enum tw_status status;
    char error[400];
} run;

static inline void run_reset(void)
{
    memset(&run, 0, sizeof(run));
    values = defaults;
    options_add(&run.set, table_model);
    options_add(&run.set, table_kernel);
    run.argv[0] = strcpy(run.words[0], "model");
    run.argc = 1;
}

static inline void run_add_word(const char *word)
{
    snprintf(run.words[run.argc], sizeof(run.words[0]), "%s", word);
    run.argv[run.argc] = run.words[run.argc];
    run.argc++;
    run.argv[run.argc] = NULL;
}

static inline void run_parse(void)
{
    before = values;
    run.status = options_parse(&run.set, &run.argc, run.argv, run.error, sizeof(run.error));
}

/* Parses words, a NULL-terminated list. */
static inline void parse(const char *const *words)
{
    run_reset();
    for (; *words != NULL; words++) {
        run_add_word(*words);
    }
    run_parse();
}

#define PARSE(...) parse((const char *const[]){__VA_ARGS__, NULL})

/* An error changes nothing and has one line that contains all parts. */
static inline void check_error(const char *const *parts)
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

/* Returns the arguments that remain in argv after the program's name, joined by blanks. */
static inline const char *rest(void)
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

/* ---- Args files ------------------------------------------------------------------------------ */

static char file_name[100];

static inline void file_write(const char *text, size_t size)
{
    snprintf(file_name, sizeof(file_name), "options-test-%ld.args", (long)getpid());
    FILE *f = fopen(file_name, "w");

    CU_ASSERT_FATAL(f != NULL);
    CU_ASSERT_EQUAL(fwrite(text, 1, size, f), size);
    fclose(f);
}

/* Parses words before the file, the file, and words after it. */
static inline void parse_with_file(const char *text, const char *first, const char *last)
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

#endif
