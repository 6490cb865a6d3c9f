/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fuzz_replay.c - main() of the replay of a fuzz target, for builds without clang's fuzzer and to
 * examine one input: runs all inputs of files and directories, then ROUNDS random changes of them.
 *
 *     fuzz_NAME_replay [ROUNDS] [-dict=FILE] FILE-or-DIR...
 *
 * Inputs of a target with its own mutator (LLVMFuzzerCustomMutator) are changed by that; others by
 * the functions below, with the words of the dictionary. WS_TEST_ROUNDS and WS_TEST_SEED set the
 * number of rounds and the seed. With rounds, standard output and error of the target are
 * discarded.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/suite.h"

#define FILES_MAX  4096u
#define WORDS_MAX  256u
#define WORD_BYTES 64u
#define SIZE_MAX_  ((size_t)1 << 20)
#define TEXT_MAX   ((size_t)32 << 10) /* a text that the changes below extend */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
    __attribute__((weak));

struct corpus {
    uint8_t *bytes[FILES_MAX];
    size_t sizes[FILES_MAX];
    size_t n;
    uint8_t words[WORDS_MAX][WORD_BYTES];
    size_t word_sizes[WORDS_MAX];
    size_t n_words;
};

/* ---- Inputs ---------------------------------------------------------------------------------- */

static int file_add(struct corpus *corpus, const char *path)
{
    FILE *f = fopen(path, "rb");
    uint8_t *bytes = malloc(SIZE_MAX_);
    if (f == NULL || bytes == NULL || corpus->n == FILES_MAX) {
        perror(path);
        return -1;
    }
    corpus->sizes[corpus->n] = fread(bytes, 1, SIZE_MAX_, f);
    corpus->bytes[corpus->n++] = bytes;
    return fclose(f);
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static int path_add(struct corpus *corpus, const char *path)
{
    struct dirent **names;
    struct stat st;
    int status = 0;
    if (stat(path, &st) != 0 || !S_ISDIR(st.st_mode)) {
        return file_add(corpus, path);
    }
    int n = scandir(path, &names, NULL, by_name);
    for (int i = 0; i < n; i++) {
        char name[4096];
        snprintf(name, sizeof name, "%s/%s", path, names[i]->d_name);
        if (names[i]->d_name[0] != '.') {
            status |= file_add(corpus, name);
        }
        free(names[i]);
    }
    free(names);
    return n < 0 ? -1 : status;
}

/* Adds the word of a line in libFuzzer's form, name="word" with \\, \" and \xHH; skips others. */
static void word_add(struct corpus *corpus, const char *line)
{
    const char *at = line[0] == '#' ? NULL : strchr(line, '"');
    uint8_t *word = corpus->words[corpus->n_words];
    size_t size = 0;
    if (at == NULL || corpus->n_words == WORDS_MAX) {
        return;
    }
    for (at++; *at != '"' && *at != '\0' && size < WORD_BYTES; at++) {
        if (at[0] == '\\' && at[1] == 'x') {
            char digits[3] = {at[2], at[2] != '\0' ? at[3] : '\0', '\0'};
            word[size++] = (uint8_t)strtoul(digits, NULL, 16);
            at += 1 + strlen(digits);
        } else {
            at += at[0] == '\\' && at[1] != '\0';
            word[size++] = (uint8_t)*at;
        }
    }
    corpus->word_sizes[corpus->n_words++] = size;
}

static int dictionary_add(struct corpus *corpus, const char *path)
{
    char line[512];
    FILE *f = fopen(path, "r");
    if (f == NULL) {
        perror(path);
        return -1;
    }
    while (fgets(line, sizeof line, f) != NULL) {
        word_add(corpus, line);
    }
    return fclose(f);
}

/* ---- Changes --------------------------------------------------------------------------------- */

/* Replaces libFuzzer's function: changes one or two bytes. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size)
{
    static uint64_t state = 1;
    for (uint64_t n = 1 + random_below(&state, 2); size > 0 && n > 0; n--) {
        uint64_t bits = random_bits(&state);
        data[bits % size] = (uint8_t)(bits >> (bits >> 40 & 1 ? 48 : 56));
    }
    return size < max_size ? size : max_size;
}

/* Inserts a piece at a place and moves the rest. Returns the new size. */
static size_t piece_insert(uint8_t *data, size_t size, size_t at, const uint8_t *piece, size_t n)
{
    if (n > TEXT_MAX || size > TEXT_MAX - n) {
        return size;
    }
    memmove(data + at + n, data + at, size - at);
    memcpy(data + at, piece, n);
    return size + n;
}

static size_t word_insert(const struct corpus *corpus, uint8_t *data, size_t size, uint64_t *seed)
{
    size_t at = (size_t)random_below(seed, size + 1);
    if (corpus->n_words == 0) {
        return size;
    }
    size_t word = (size_t)random_below(seed, corpus->n_words);
    return piece_insert(data, size, at, corpus->words[word], corpus->word_sizes[word]);
}

/* Inserts up to 24 words of the dictionary. */
static size_t words_make(const struct corpus *corpus, uint8_t *data, uint64_t *seed)
{
    size_t size = 0;
    for (uint64_t n = random_below(seed, 25); corpus->n_words > 0 && n > 0; n--) {
        size_t word = (size_t)random_below(seed, corpus->n_words);
        size = piece_insert(data, size, size, corpus->words[word], corpus->word_sizes[word]);
    }
    return size;
}

/* Repeats a piece, sometimes often, which makes deep nestings and long words. */
static size_t piece_repeat(uint8_t *data, size_t size, uint64_t *seed)
{
    uint8_t piece[64];
    size_t at = (size_t)random_below(seed, size);
    size_t n = 1 + (size_t)random_below(seed, sizeof piece);
    n = n < size - at ? n : size - at;
    memcpy(piece, data + at, n);
    uint64_t times = random_below(seed, 8) == 0 ? random_below(seed, 4096) : 1;
    for (; times > 0; times--) {
        size = piece_insert(data, size, at, piece, n);
    }
    return size;
}

/* Joins the beginning of this text and the end of another. */
static size_t texts_cross(const struct corpus *corpus, uint8_t *data, size_t size, uint64_t *seed)
{
    size_t other = (size_t)random_below(seed, corpus->n);
    size_t from = (size_t)random_below(seed, corpus->sizes[other] + 1);
    size_t at = (size_t)random_below(seed, size + 1);
    return piece_insert(data, at, at, corpus->bytes[other] + from, corpus->sizes[other] - from);
}

static size_t text_mutate(const struct corpus *corpus, uint8_t *data, size_t size, uint64_t *seed)
{
    uint64_t way = random_below(seed, 16);
    if (size == 0 || way < 5) {
        return word_insert(corpus, data, size, seed);
    }
    if (way < 8) {
        return LLVMFuzzerMutate(data, size, SIZE_MAX_);
    }
    if (way < 10) {
        return texts_cross(corpus, data, size, seed);
    }
    if (way < 12) {
        return piece_repeat(data, size, seed);
    }
    if (way < 14) {
        return words_make(corpus, data, seed);
    }
    size_t at = (size_t)random_below(seed, size);
    size_t n = 1 + (size_t)random_below(seed, way == 14 ? 8 : size);
    n = n < size - at ? n : size - at;
    memmove(data + at, data + at + n, size - at - n);
    return size - n;
}

static void rounds_run(const struct corpus *corpus, unsigned long rounds, uint64_t seed)
{
    uint8_t *bytes = malloc(SIZE_MAX_);
    for (unsigned long i = 0; bytes != NULL && i < rounds; i++) {
        size_t k = (size_t)random_below(&seed, corpus->n), size = corpus->sizes[k];
        memcpy(bytes, corpus->bytes[k], size);
        for (uint64_t n = 1 + random_below(&seed, 3); n > 0; n--) {
            if (LLVMFuzzerCustomMutator != NULL) {
                size =
                    LLVMFuzzerCustomMutator(bytes, size, SIZE_MAX_, (unsigned)random_bits(&seed));
            } else {
                size = text_mutate(corpus, bytes, size, &seed);
            }
        }
        LLVMFuzzerTestOneInput(bytes, size);
    }
    free(bytes);
}

int main(int argc, char **argv)
{
    static struct corpus corpus;
    const char *given = getenv("WS_TEST_ROUNDS");
    unsigned long rounds = given == NULL ? 0 : strtoul(given, NULL, 10);
    uint64_t seed = suite_seed();
    int first = 1, status = 0;
    if (argc > 1 && argv[1][0] >= '0' && argv[1][0] <= '9') {
        rounds = given == NULL ? strtoul(argv[1], NULL, 10) : rounds;
        first = 2;
    }
    suite_print_seed("fuzz_replay", seed);
    for (int i = first; i < argc; i++) {
        bool words = strncmp(argv[i], "-dict=", 6) == 0;
        status |= words ? dictionary_add(&corpus, argv[i] + 6) : path_add(&corpus, argv[i]);
    }
    if (status != 0 || corpus.n == 0) {
        fputs("fuzz_replay: needs files or directories that can be read\n", stderr);
        return EXIT_FAILURE;
    }
    printf("%zu inputs, %lu changed ones\n", corpus.n, rounds);
    fflush(stdout);
    int out = dup(STDOUT_FILENO), null = open("/dev/null", O_WRONLY);
    dup2(null, STDOUT_FILENO);
    if (rounds > 0) {
        dup2(null, STDERR_FILENO);
    }
    for (size_t i = 0; i < corpus.n; i++) {
        LLVMFuzzerTestOneInput(corpus.bytes[i], corpus.sizes[i]);
    }
    rounds_run(&corpus, rounds, seed);
    dprintf(out, "all done\n");
    for (size_t i = 0; i < corpus.n; i++) {
        free(corpus.bytes[i]);
    }
    return EXIT_SUCCESS;
}
