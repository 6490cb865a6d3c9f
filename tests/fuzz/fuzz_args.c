/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Args files on hostile input. For any file, parsing ends; an error has a message of one line and
 * changes no option. The options read are the same if a shell splits their words again
 * (run_words.given, which reports and record files contain).
 */
#define _GNU_SOURCE /* memfd_create */
#include <sys/mman.h>
#include <unistd.h>

#include "base/options.h"
#include "fuzz/fuzz_promise.h"

#define WORDS_MAX 64

struct values {
    unsigned number;
    uint8_t narrow;
    uint64_t bytes;
    double real;
    float small;
    unsigned flag;
    char text[24];
    char longer[2000];
    char file[64];
};

static struct values values;

static const tw_optdef table[] = {
    TWOPT_GROUP("Fuzz"),
    TWOPT_UINT("number", values.number, "<N> a number"),
    TWOPT_UINT("numbers", values.narrow, "<N> a narrow number whose name another one begins"),
    TWOPT_BYTES("bytes", values.bytes, "<SIZE> bytes"),
    TWOPT_STIME("real", values.real, "<TIME> a time"),
    TWOPT_DOUBLE("small", values.small, "<X> a narrow real number"),
    TWOPT_FLAG("flag", values.flag, "a flag"),
    TWOPT_CHAR("text", values.text, "<TEXT> a short text"),
    TWOPT_CHAR("longer", values.longer, "<TEXT> a longer text"),
    TWOPT_ARGSFILE("args-file", values.file, "<FILE> more options"),
    TWOPT_END(),
};

/* A POSIX shell as far as shell_words_join() needs one: blanks, '...', and \ outside of quotes.
 * Splits the line in place. */
static int shell_split(char *line, char *words[WORDS_MAX])
{
    int n = 0;
    for (char *in = line; *in != '\0';) {
        char *out = in;
        promise(n < WORDS_MAX, "no more words come out than went in");
        words[n++] = out;
        for (; *in != ' ' && *in != '\0'; in++) {
            promise(*in != '\n' && *in != '\t', "blanks are in quotes");
            if (*in == '\\') {
                *out++ = *++in;
            } else if (*in == '\'') {
                for (in++; *in != '\''; in++) {
                    promise(*in != '\0', "a quote is closed");
                    *out++ = *in;
                }
            } else {
                *out++ = *in;
            }
        }
        in += *in == ' ';
        *out = '\0';
    }
    return n;
}

static enum tw_status parse(struct options *set, int argc, char **argv, char *error, size_t room)
{
    static const struct values none;
    values = none;
    options_add(set, table);
    return options_parse(set, &argc, argv, error, room);
}

/* Joins the lines of a text as arguments, and checks that a shell splits them into the same
 * lines. */
static void lines_join(const char *text)
{
    char *copy = strdup(text), *before[WORDS_MAX], *after[WORDS_MAX], *rest = NULL;
    int n = 0;
    for (char *word = strtok_r(copy, "\n", &rest); word != NULL && n < WORDS_MAX;
         word = strtok_r(NULL, "\n", &rest)) {
        before[n++] = word;
    }
    char *line = shell_words_join(n, before);
    promise(shell_split(line, after) == n, "as many words come out as went in");
    for (int i = 0; i < n; i++) {
        promise(strcmp(before[i], after[i]) == 0, "words come out as they went in");
    }
    free(line);
    free(copy);
}

/* Gives the options read again, on a command line that a shell has split. */
static void words_check(const struct options *set, const struct values *read)
{
    char program[] = "fuzz", *argv[WORDS_MAX + 1] = {program}, error[400];
    struct options again = {.n_tables = 0};
    char *line = options_words(set, true, NULL);
    int argc = 1 + shell_split(line, argv + 1);
    promise(parse(&again, argc, argv, error, sizeof error) == TW_OK, "words of options are read");
    memcpy(values.file, read->file, sizeof values.file); /* is not part of the words */
    promise(memcmp(&values, read, sizeof values) == 0, "words of options give the same options");
    free(line);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static int fd = -1;
    char option[64], program[] = "fuzz", *argv[] = {program, option, NULL}, error[400];
    struct options set = {.n_tables = 0};
    static const struct values none;
    fd = fd < 0 ? memfd_create("args", MFD_CLOEXEC) : fd;
    promise(fd >= 0 && ftruncate(fd, 0) == 0 && pwrite(fd, data, size, 0) == (ssize_t)size,
            "a file in memory can be written");
    snprintf(option, sizeof option, "--args-file=/proc/self/fd/%d", fd);
    enum tw_status status = parse(&set, 2, argv, error, sizeof error);
    if (status == TW_OK) {
        struct values read = values;
        words_check(&set, &read);
    } else {
        promise(status == TW_ERR_USAGE, "a mistake in an args file is one of usage");
        promise_message(error, sizeof error);
        promise(memcmp(&values, &none, sizeof values) == 0, "a mistake changes no option");
    }
    char *text = fuzz_string(data, size);
    lines_join(text);
    free(text);
    return 0;
}
